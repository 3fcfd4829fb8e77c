/* convert.js - runs mdconvert in a worker, a new one for each job. Public domain. */
'use strict';

const isGltf = path => /\.(glb|gltf|vrm)$/i.test(path);
const isPart = path => /\.(bin|png|jpe?g|webp)$/i.test(path); /* of an archive, that a .gltf may name */
const stem = path => path.split('/').pop().replace(/\.[^.]*$/, '');
const remarks = new Map();                      /* what it said, by where that lies which it made */
let job = null;

/* Returns the files that it makes, as [name, blob]; throws what it says. */
async function convert(files, words, listen) {
  convert.program ??= fetchPart(PARTS.converter[1]).catch(why => { convert.program = null; throw why; });
  const program = await convert.program, contents = [];
  for (const [, blob] of files) contents.push(await blob.arrayBuffer());
  const worker = new Worker(PARTS.worker), said = [], own = {};
  try {
    return await new Promise((done, fail) => {
      job = own;
      own.stop = () => fail(new Error('Stopped.'));
      worker.onerror = event => fail(new Error(event.message || 'The converter could not be loaded.'));
      worker.onmessage = ({ data }) => {
        if (data.line !== undefined) {
          if (data.line.startsWith('/made/')) return; /* a file and its size */
          said.push(data.line.replace(/^mdconvert: /, '').trim());
          listen(said.at(-1));
        } else if (data.status) fail(new Error(said.join('\n')));
        else done({ said, made: data.files.map(([name, bytes]) => [name, new Blob([bytes])]) });
      };
      worker.postMessage({ script: PARTS.converter[0], program, words, files: files.map(([path], i) => [path, new Uint8Array(contents[i])]) });
    });
  } finally {
    worker.terminate();
    if (job === own) job = null;
  }
}

async function fetchPart(name) {
  const answer = await fetch(name);
  if (!answer.ok) throw new Error(name + ' could not be loaded: ' + answer.status);
  return answer.arrayBuffer();
}

/* A .glb may lend its animations to another one; where they do not fit, it stands alone. */
async function showConverted(path, files, folder, format) {
  const mine = latestRequest;
  const place = folder.replace(/\/$/, '-' + format + '/') + path + '/';
  if (!Module.FS.analyzePath(place).exists) {
    const lenders = files.map(([name]) => name).filter(name => isGltf(name) && name !== path);
    const needed = files.filter(([name, blob]) => isGltf(name) || /\.gltf$/i.test(path) && (blob instanceof Blob || isPart(name))).map(([name, blob]) => ['given/' + name, blob]);
    const words = names => [...names.map(name => 'given/' + name), '-o', '/made/' + stem(path) + (format === 'MD5' ? '.md5mesh' : '.md2')];
    const listen = line => { pageNote = line; shownState = ''; };
    try {
      $('state').lastChild.textContent = ' · converting ' + path;
      const done = await convert(needed, words([path, ...lenders]), listen).catch(why => lenders.length && mine === latestRequest ? convert(needed, words([path]), listen) : Promise.reject(why));
      if (mine !== latestRequest) return false;
      for (const [name, blob] of done.made) addLazyFile(place + name, blob);
      remarks.set(place, done.said.join('; '));
    } catch (why) {
      if (mine === latestRequest) reportError(path + ': ' + messageOf(why));
      return false;
    }
  }
  const isShown = await openInViewer([place]);
  if (isShown) pageNote = remarks.get(place);
  return isShown;
}
