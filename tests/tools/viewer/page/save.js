/* save.js - saves what is in view. Public domain. */
'use strict';

function downloadFile(name, blob) {
  make('a', { href: URL.createObjectURL(blob), download: name }).click();
}

const CRC = Uint32Array.from({ length: 256 }, (_, n) => { for (let i = 0; i < 8; ++i) n = n & 1 ? 0xedb88320 ^ n >>> 1 : n >>> 1; return n; });
const crc = bytes => ~bytes.reduce((sum, byte) => CRC[(sum ^ byte) & 255] ^ sum >>> 8, -1) >>> 0;

/* A .zip of stored files, as [name, bytes]. */
function zip(files) {
  const record = (size, ...fields) => {         /* each is an offset, bytes and a value */
    const view = new DataView(new ArrayBuffer(size));
    for (const [at, bytes, value] of fields) bytes === 2 ? view.setUint16(at, value, true) : view.setUint32(at, value, true);
    return view.buffer;
  };
  const parts = [], table = [];
  let at = 0, tableSize = 0;
  for (const [name, bytes] of files) {
    const title = new TextEncoder().encode(name), sum = crc(bytes), size = bytes.length;
    const common = from => [[from, 2, 20], [from + 2, 2, 0x800], [from + 8, 2, 33], [from + 10, 4, sum], [from + 14, 4, size], [from + 18, 4, size], [from + 22, 2, title.length]];
    parts.push(record(30, [0, 4, 0x04034b50], ...common(4)), title, bytes);
    table.push(record(46, [0, 4, 0x02014b50], [4, 2, 20], ...common(6), [42, 4, at]), title);
    at += 30 + title.length + size;
    tableSize += 46 + title.length;
  }
  const end = record(22, [0, 4, 0x06054b50], [8, 2, files.length], [10, 2, files.length], [12, 4, tableSize], [16, 4, at]);
  return new Blob([...parts, ...table, end], { type: 'application/zip' });
}

/* A file's bytes, or null. */
const extract = path => Module.ccall('viewer_extract', 'number', ['string', 'string'], [path, '/taken']) ? Module.FS.readFile('/taken') : null;

/* A file in an archive, which is read when it is needed, as a Blob is. */
function archivedFile(path) {
  return { async arrayBuffer() {
    let bytes = null;
    await retryUntilLoaded(() => { bytes = extract(path); });
    if (!bytes) throw new Error(readString(Module._viewer_error()) || path + ' cannot be read.');
    return bytes.buffer;
  } };
}

/* Animations that do not fit the model in view, or cannot be read: it does not take them along. */
const unusableAnims = () => readStrings(Module._viewer_stranger);

/* What the viewer has read for what is in view: the model, its weapon, pictures, and the animations that fit. */
function usedFiles() {
  const strange = unusableAnims().map(path => path.replace(/anim$/i, ''));
  const used = readStrings(Module._viewer_used).filter(path => !strange.includes(path.replace(/(anim|scale)$/i, '')));
  return used.map(path => [path.split('/').pop(), extract(path)]).filter(([, bytes]) => bytes);
}

function saveZip(name, files) {
  if (files.length === 1) downloadFile(files[0][0], new Blob([files[0][1]]));
  else downloadFile(name + '.zip', zip(files));
  $('taking').close();
}

/* By mdconvert, from what is in view. */
async function saveAs(extension) {
  const files = usedFiles(), model = files.map(([name]) => name).find(isModel), [bar, label] = $('job').children;
  const words = [model, ...files.map(([name]) => name).filter(name => /\.md5anim$/i.test(name)), '-o', '/made/' + stem(model) + extension];
  bar.removeAttribute('value');
  label.textContent = '';
  $('job').hidden = false;
  try {
    const { made } = await convert(files.map(([name, bytes]) => [name, new Blob([bytes])]), words, line => {
      const share = line.match(/(\d+) of (\d+)$/);
      if (share) bar.value = share[1] / share[2];
      label.textContent = line;
    });
    saveZip(stem(model) + extension.replace('.', '-'), await Promise.all(made.map(async ([name, blob]) => [name, new Uint8Array(await blob.arrayBuffer())])));
  } catch (why) {
    reportError(messageOf(why));
  }
  $('job').hidden = true;
}

function showSaveDialog() {
  if (!ready) return;
  const isMd2 = /\.md2$/i.test(readState().name), entry = modelList && modelList.origin === origin ? modelList.entries[modelList.index] : {};
  const takes = [['The picture', () => { pressKey('P'); $('taking').close(); }]];
  if (entry.scene) {
    const [path, blob] = entry.scene;
    takes.push(['The file that was opened: ' + path, async () => saveZip('', [[path.split('/').pop(), await blob.arrayBuffer()]])]);
  }
  takes.push([isMd2 ? 'Quake II: the .md2 and its skin' : 'Doom 3: .md5mesh, .md5anim and textures', () => saveZip(stem(readState().name), usedFiles())]);
  if (isMd2) takes.push(['With a skeleton: .md5mesh and .md5anim; this takes minutes', () => saveAs('.md5mesh')]);
  else takes.push(['Quake II: .md2', () => saveAs('.md2')]);
  if (!entry.scene) takes.push(['For Blender, Godot, three.js: .glb', () => saveAs('.glb')]);
  $('takes').replaceChildren(...takes.map(([textContent, onclick]) => make('button', { textContent, onclick })));
  const strange = [...new Set(unusableAnims().map(path => path.split('/').pop()))];
  if (strange.length) $('takes').append('Left behind, as they do not fit or cannot be read: ' + strange.slice(0, 5).join(', ') + (strange.length > 5 ? ' and ' + (strange.length - 5) + ' more' : ''));
  $('taking').showModal();
}
