/* convert.js - runs mdconvert and info in a worker, a new one for each job, and shows models that mdconvert makes.
   Public domain. */
'use strict';

const isGltf = path => /\.(glb|gltf|vrm)$/i.test(path);
const isGltfPart = path => /\.(bin|png|jpe?g|webp)$/i.test(path); /* a file that a .gltf may name */
const stem = path => path.split('/').pop().replace(/\.[^.]*$/, '');
const STOPPED = new Error('Stopped.');
let job = null;                                 /* the program that runs, as { stop }; there is at most one */

/* -- Programs ---------------------------------------------------------------------------------------------------------- */

/* Runs a program, 'mdconvert' or 'info', with its command line and files, as [path, blob]. Returns the lines that it prints,
   and the files that it makes, as [name, blob]. With a label, it is the job whose progress is shown, with a Stop button. */
async function runProgram(name, words, files, label) {
  const own = {}, lines = [];
  const stopped = new Promise((_, fail) => { own.stop = () => fail(STOPPED); });
  if (label) startJob(own, label);
  let worker;
  try {
    const run = async () => {
      const program = await loadProgram(name), contents = [];
      for (const [, blob] of files) contents.push(await blob.arrayBuffer()); /* one at a time: some come through the viewer */
      worker = new Worker(PARTS.worker);
      return new Promise((done, fail) => {
        worker.onerror = event => fail(new Error(event.message || name + ' could not be loaded.'));
        worker.onmessage = ({ data }) => {
          if (data.line === undefined) {
            if (data.status) fail(new Error(lines.join('\n')));
            else done({ lines, made: data.files.map(([name, bytes]) => [name, new Blob([bytes])]) });
          } else if (!updateProgress(data.line) && !data.line.startsWith('/made/')) { /* not a file and its size */
            lines.push(data.line.replace(/^mdconvert: /, ''));
          }
        };
        worker.postMessage({ script: PARTS[name][0], program, words, files: files.map(([path], i) => [path, new Uint8Array(contents[i])]) });
      });
    };
    return await Promise.race([run(), stopped]);
  } finally {
    worker?.terminate();
    endJob(own);
  }
}

function loadProgram(name) {
  const load = async () => (await fetchPart(PARTS[name][1])).arrayBuffer();
  loadProgram[name] ??= load().catch(why => { loadProgram[name] = null; throw why; });
  return loadProgram[name];
}

/* Stops the job before. The progress is shown in the dialog if one is open, otherwise below the caption. */
function startJob(own, label) {
  job?.stop();
  job = own;
  const [bar, text] = $('job').children;
  bar.removeAttribute('value');
  text.textContent = $('job').dataset.label = label;
  (document.querySelector('dialog[open]') || $('about')).append($('job'));
  $('job').hidden = false;
}

function endJob(own) {
  if (job !== own) return;
  job = null;
  $('job').hidden = true;
}

/* Returns true if the line reports progress, as "frames: 48 of 947" does. */
function updateProgress(line) {
  const [, count, total] = line.match(/: (\d+) of (\d+)$/) || [];
  if (!total) return false;
  const [bar, text] = $('job').children;
  bar.value = count / total;
  text.textContent = $('job').dataset.label + ', ' + Math.round(100 * count / total) + ' %';
  return true;
}

/* Removes advice that names options of the command line. The page has buttons for them. */
const withoutOptions = line => line.replaceAll('given/', '').replace(/[;:,]? *(use |with )?--[a-z].*$/, '').trimEnd();

function reportProblem(why, action) {
  reportError(messageOf(why).split('\n').map(withoutOptions).filter(Boolean).join('\n'), action);
}

/* -- glTF -------------------------------------------------------------------------------------------------------------- */

/* Returns what a .glb, .gltf or .vrm contains. A file that cannot be read counts as a character: mdconvert says why. */
async function readGltfSummary(file) {
  try {
    const blob = file instanceof Blob ? file : new Blob([await file.arrayBuffer()]);
    const head = new DataView(await blob.slice(0, 20).arrayBuffer());
    const isBinary = head.getUint32(0, true) === 0x46546c67; /* "glTF" */
    const text = isBinary ? blob.slice(20, 20 + head.getUint32(12, true)) : blob;
    const { meshes = [], skins = [], animations = [] } = JSON.parse(await text.text());
    return {
      hasMesh: meshes.length > 0, hasSkin: skins.length > 0, hasAnims: animations.length > 0,
      hasMorphs: meshes.some(mesh => mesh.primitives?.some(part => part.targets))
    };
  } catch (why) {
    return { hasMesh: true };
  }
}

/* -- Models that mdconvert makes ----------------------------------------------------------------------------------------- */

/* Returns an entry of the list of models: what mdconvert makes of `inputs`, the model first, in a format, 'MD5' or 'MD2'. */
function conversionEntry(name, format, inputs, files) {
  const entry = { name, format, inputs, files, remarks: [] };
  entry.show = () => showConversion(entry);
  return entry;
}

/* Converts a model by mdconvert. `output` is the name of the file without its folder. */
async function convert(inputs, files, output, options, label) {
  const words = [...inputs.map(name => 'given/' + name), '-o', '/made/' + output, ...options];
  const { lines, made } = await runProgram('mdconvert', words, files.map(([name, blob]) => ['given/' + name, blob]), label);
  return { made, remarks: lines };
}

/* If the animations of the other inputs do not fit, the model is shown without them, and a note says why. */
async function showConversion(entry) {
  const request = latestRequest, { inputs, files } = entry;
  if (!entry.folder) {
    const output = (entry.file || stem(inputs[0])) + (entry.format === 'MD2' ? '.md2' : '.md5mesh'), label = 'Converting ' + inputs[0].split('/').pop();
    try {
      let problem = '';
      const done = await convert(inputs, files, output, [], label).catch(why => {
        if (why === STOPPED || inputs.length === 1 || !entry.standsAlone || request !== latestRequest) throw why;
        problem = messageOf(why);
        return convert(inputs.slice(0, 1), files, output, [], label);
      });
      if (request !== latestRequest) return false;
      entry.folder = '/opened/' + ++folders + '-made/';
      for (const [name, blob] of [...done.made, ...entry.kept || []]) addLazyFile(entry.folder + name, blob);
      entry.remarks = [problem, ...done.remarks].map(withoutOptions).filter(Boolean);
      entry.height = Number(done.remarks.join('\n').match(/ and ([\d.e+-]+) high/)?.[1]) || 0;
    } catch (why) {
      if (request !== latestRequest) return false;
      if (why === STOPPED) startRequest();      /* no other model is tried */
      else reportProblem(why);
      return false;
    }
  }
  return openInViewer([entry.folder]);
}

/* -- Animations of other characters ------------------------------------------------------------------------------------------ */

/* Returns what mdconvert needs to give the model in view other animations, as { name, inputs, files, kept, anims }. An MD2's
   weapon is an input. An MD5's weapon and pictures are kept next to what mdconvert makes. */
function shownDancer() {
  const { inputs, files, kept = files.filter(([name]) => !inputs.includes(name)) } = shownSource();
  const name = origin.knight ? 'Sir Rivet' : shownEntry?.dancer || (shownEntry?.inputs ? stem(shownEntry.inputs[0]) : shownName());
  const isMd5 = /\.md5mesh$/i.test(inputs[0]), weapons = isMd5 ? inputs.slice(1).filter(isModel) : [];
  return {
    name, file: shownName(), files, anims: animNames(), inputs: inputs.filter(input => !weapons.includes(input)),
    kept: isGltf(inputs[0]) ? [] : [...kept, ...files.filter(([name]) => weapons.includes(name))]
  };
}

/* Returns an entry for a dancer with the animations of glTF files. The first new animation plays. */
function danceEntry(label, dancer, anims, format = 'MD5') {
  const inputs = [...dancer.inputs, ...anims.map(([name]) => name)];
  const entry = Object.assign(conversionEntry(label, format, inputs, [...dancer.files, ...anims]), { dancer: dancer.name, file: dancer.file, kept: dancer.kept });
  entry.show = async () => {
    if (!await showConversion(entry)) return false;
    const first = animNames().find(name => !dancer.anims.includes(name));
    if (first) play(first);
    return true;
  };
  return entry;
}

/* Gives the character in view the animations of glTF files. A glTF character has them from now on, and a model of another
   kind is one more in the list. */
async function joinAnims(anims) {
  const request = latestRequest, dancer = shownDancer(), format = origin.knight, isOfGltf = Boolean(shownEntry?.inputs) && isGltf(shownEntry.inputs[0]);
  const entry = danceEntry(isOfGltf ? shownEntry.name : dancer.name + ' with ' + stem(anims[0][0]), dancer, anims, shownEntry?.inputs && shownEntry.format);
  const plain = shownEntry || { name: dancer.name, origin, show: () => openInViewer(knightFiles(format)) };
  if (!await entry.show() || request !== latestRequest) return false;

  const entries = modelList?.entries.includes(plain) ? modelList.entries : [plain];
  modelList = { entries: isOfGltf ? entries.map(other => other === plain ? entry : other) : [...entries, entry], files: modelList?.files };
  [origin, shownEntry] = [{ files: true }, entry];
  return true;
}
