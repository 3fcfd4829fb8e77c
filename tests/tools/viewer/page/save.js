/* save.js - saves what is in view. Public domain. */
'use strict';

function downloadFile(name, blob) {
  const link = make('a', { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000); /* the browser has read it by then */
}

/* -- .zip --------------------------------------------------------------------------------------------------------------- */

const CRC = Uint32Array.from({ length: 256 }, (_, n) => { for (let i = 0; i < 8; ++i) n = n & 1 ? 0xedb88320 ^ n >>> 1 : n >>> 1; return n; });
const crc = bytes => ~bytes.reduce((sum, byte) => CRC[(sum ^ byte) & 255] ^ sum >>> 8, -1) >>> 0;

async function deflate(bytes) {
  const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

/* Returns a .zip of files, as [name, bytes]. A file that deflating does not shrink is stored. */
async function zip(files) {
  const record = (size, ...fields) => {         /* each field is an offset, a number of bytes and a value */
    const view = new DataView(new ArrayBuffer(size));
    for (const [at, bytes, value] of fields) bytes === 2 ? view.setUint16(at, value, true) : view.setUint32(at, value, true);
    return view.buffer;
  };
  const parts = [], table = [];
  let at = 0, tableSize = 0;
  for (const [name, bytes] of files) {
    const title = new TextEncoder().encode(name), sum = crc(bytes), deflated = await deflate(bytes);
    const [method, content] = deflated.length < bytes.length ? [8, deflated] : [0, bytes];
    const common = from => [[from, 2, 20], [from + 2, 2, 0x800], [from + 4, 2, method], [from + 8, 2, 33], [from + 10, 4, sum],
      [from + 14, 4, content.length], [from + 18, 4, bytes.length], [from + 22, 2, title.length]];
    parts.push(record(30, [0, 4, 0x04034b50], ...common(4)), title, content);
    table.push(record(46, [0, 4, 0x02014b50], [4, 2, 20], ...common(6), [42, 4, at]), title);
    at += 30 + title.length + content.length;
    tableSize += 46 + title.length;
  }
  const end = record(22, [0, 4, 0x06054b50], [8, 2, files.length], [10, 2, files.length], [12, 4, tableSize], [16, 4, at]);
  return new Blob([...parts, ...table, end], { type: 'application/zip' });
}

/* Downloads one file by itself, and several as a .zip. */
async function saveFiles(name, files) {
  const contents = await Promise.all(files.map(async ([path, blob]) => [path, new Uint8Array(await blob.arrayBuffer())]));
  if (contents.length === 1) downloadFile(contents[0][0], new Blob([contents[0][1]]));
  else downloadFile(name + '.zip', await zip(contents));
  $('saving').close();
}

/* -- The files of what is in view --------------------------------------------------------------------------------------- */

/* Returns the paths of animations that do not fit the model in view or cannot be read. They are not saved. */
const unusableAnims = () => readStrings(Module._viewer_unusable_anim);

/* Returns the files that the viewer has read for what is in view, as [name, blob]: the model, its weapon, pictures, and the
   animations that fit. */
function usedFiles() {
  const unusable = unusableAnims().map(path => path.replace(/anim$/i, ''));
  const used = readStrings(Module._viewer_used).filter(path => !unusable.includes(path.replace(/(anim|scale)$/i, '')));
  return used.map(path => [path.split('/').pop(), extract(path)]).filter(([, bytes]) => bytes).map(([name, bytes]) => [name, new Blob([bytes])]);
}

/* Returns the name that the model in view is saved by. Every player of Quake II is called tris.md2, so his folder counts. */
const shownName = () => origin.knight ? 'knight' : readString(Module._viewer_entry_name(Module._viewer_entry()));

/* Returns what mdconvert makes the model in view of: the names of its inputs, the model first, and their files. */
const shownSource = () => shownEntry?.inputs ? shownEntry : usedSource();

function usedSource() {
  const files = usedFiles(), names = files.map(([name]) => name);
  return { inputs: [...names.filter(isModel), ...names.filter(name => /\.md5anim$/i.test(name))], files };
}

/* -- Weapons ------------------------------------------------------------------------------------------------------------ */

const jointNames = mesh => [...mesh.match(/joints\s*\{([^}]*)\}/)[1].matchAll(/"([^"]*)"/g)].map(([, name]) => name);

/* Returns the text of an .md5mesh that has the joints of a character and the meshes of its weapon, or of both. As in the
   viewer, the weapon's joints are those of the character that have the same names. */
function bindWeapon(character, weapon, withCharacter) {
  const joints = jointNames(character), indices = jointNames(weapon).map(name => joints.indexOf(name));
  const bound = weapon.match(/\bmesh\s*\{[^}]*\}/g).map(mesh => mesh.replace(/(\bweight\s+\d+\s+)(\d+)/g, (_, start, joint) => {
    if (indices[joint] < 0) throw new Error('The weapon has a joint that the character lacks: ' + jointNames(weapon)[joint]);
    return start + indices[joint];
  }));
  const own = character.match(/\bmesh\s*\{[^}]*\}/g), meshes = withCharacter ? [...own, ...bound] : bound;
  const head = character.slice(0, character.search(/\bmesh\s*\{/)).replace(/numMeshes\s+\d+/, 'numMeshes ' + meshes.length);
  return head + meshes.join('\n\n') + '\n';
}

/* The lists of a glTF file that these properties are indices into. */
const GLTF_LISTS = {
  bufferView: 'bufferViews', mesh: 'meshes', material: 'materials', indices: 'accessors', input: 'accessors', output: 'accessors', index: 'textures',
  source: 'images', sampler: 'samplers', node: 'nodes', children: 'nodes', joints: 'nodes', skin: 'skins', inverseBindMatrices: 'accessors'
};

async function readGlb(blob) {
  const bytes = await blob.arrayBuffer(), length = new DataView(bytes).getUint32(12, true);
  return { json: JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 20, length))), data: new Uint8Array(bytes, 28 + length) };
}

/* Returns a .glb of two that mdconvert has made: the nodes of both, and for each animation the channels of both. */
async function mergeGlb(blobs) {
  const [{ json, data }, added] = await Promise.all(blobs.map(readGlb));
  const countOf = list => json[list]?.length || 0;
  const counts = Object.fromEntries(Object.values(GLTF_LISTS).map(list => [list, countOf(list)]));
  const shift = (value, key, parent) => {       /* makes indices of `added` into indices of the merged lists */
    if (Array.isArray(value)) return value.map(item => shift(item, key, parent));
    if (value && typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shift(item, name, key)]));
    if (typeof value !== 'number' || key === 'sampler' && parent === 'channels') return value; /* an index into its animation */
    const list = /^(attributes|targets)$/.test(parent) ? 'accessors' : GLTF_LISTS[key];
    return value + (counts[list] || 0);
  };

  for (const list of Object.keys(counts)) if (added.json[list]) json[list] = [...json[list] || [], ...shift(added.json[list], list)];
  for (const view of json.bufferViews.slice(counts.bufferViews)) view.byteOffset = (view.byteOffset || 0) + data.length;
  json.scenes[0].nodes.push(...added.json.scenes[0].nodes.map(node => node + counts.nodes));
  for (const anim of shift(added.json.animations || [], 'animations')) {
    const same = json.animations?.find(({ name }) => name === anim.name);
    if (!same) (json.animations ??= []).push(anim);
    else {
      same.channels.push(...anim.channels.map(channel => ({ ...channel, sampler: channel.sampler + same.samplers.length })));
      same.samplers.push(...anim.samplers);
    }
  }

  const size = json.buffers[0].byteLength = data.length + added.data.length;
  const text = new TextEncoder().encode(JSON.stringify(json)), spaces = -text.length & 3, length = text.length + spaces;
  return new Blob([
    Uint32Array.of(0x46546c67, 2, 28 + length + size, length, 0x4e4f534a), text, ' '.repeat(spaces), Uint32Array.of(size, 0x004e4942), data, added.data
  ]);
}

/* -- Saving in another format ------------------------------------------------------------------------------------------- */

/* Converts what is in view, with its weapon. Returns the files, as [name, blob]. A model that mdconvert has made is made again
   of its inputs, so that an MD2 keeps its own frames; a weapon or a .glb needs the files in view. */
async function convertShown(extension, options) {
  const output = shownName() + extension, run = (inputs, files, to = output) => convert(inputs, files, to, options, 'Making ' + to);
  const isMadeAgain = Boolean(shownEntry?.inputs) && extension !== '.glb' && !usedFiles().some(([name], i) => i > 0 && isModel(name));
  const source = isMadeAgain ? shownEntry : usedSource(), { inputs } = source;
  const [model, weapon] = inputs.filter(isModel), others = inputs.filter(path => path !== weapon), isMd2 = /\.md2$/i.test(model);
  if (!weapon || isMadeAgain || isMd2 && extension !== '.glb') return (await run(inputs, source.files)).made;
  if (isMd2) {
    const [hero, sword] = [(await run(others, source.files)).made, (await run([weapon], source.files)).made];
    return [[output, await mergeGlb([hero[0][1], sword[0][1]])]];
  }

  const textOf = path => source.files.find(([name]) => name === path)[1].text();
  const [character, held] = [await textOf(model), await textOf(weapon)];
  const withMesh = text => source.files.map(([path, blob]) => [path, path === model ? new Blob([text]) : blob]);
  if (extension === '.glb') return (await run(others, withMesh(bindWeapon(character, held, true)))).made;
  const hero = (await run(others, source.files)).made, sword = (await run(others, withMesh(bindWeapon(character, held, false)), stem(weapon) + extension)).made;
  return [...hero, ...sword.filter(([path]) => !hero.some(([name]) => name === path))];
}

async function saveAs(extension, options = []) {
  try {
    await saveFiles(shownName() + extension.replace('.', '-'), await convertShown(extension, options));
  } catch (why) {
    if (why === STOPPED) return;
    const isRefused = /--(anyway|force goes on)/.test(messageOf(why)) && !options.includes('--anyway');
    reportProblem(why, isRefused && { label: 'Try anyway', run: () => saveAs(extension, [...options, '--anyway']) });
  }
}

/* -- The dialog --------------------------------------------------------------------------------------------------------- */

const PLAYER_HEIGHT = 56;                       /* units, of a player in Quake II */

/* The picture has a pixel of the screen for each of its own, even if frames are drawn with fewer. */
function savePicture() {
  $('saving').close();
  nextFullFrame = () => pressKey('P');
}

const isShownFormat = extension => readState().name.toLowerCase().endsWith(extension);

/* What is in view is converted again if another format or size is wanted. */
function saveModel(extension) {
  const isScaled = $('scale').checked && !$('scale').closest('p').hidden;
  if (isShownFormat(extension) && !isScaled) return saveFiles(shownName(), usedFiles());
  return saveAs(extension, isScaled ? ['--scale', String(PLAYER_HEIGHT / shownEntry.height)] : []);
}

function showSaveDialog() {
  if (!ready) return;
  const isMd2 = isShownFormat('.md2'), isOfGltf = Boolean(shownEntry?.inputs) && isGltf(shownEntry.inputs[0]);
  const choices = [['The picture', savePicture], ['A film: one loop on the turntable', saveFilm]];
  if (isOfGltf) {
    const [path, blob] = shownEntry.files.find(([path]) => path === shownEntry.inputs[0]), name = path.split('/').pop();
    choices.push(['The file that was opened: ' + name, () => saveFiles('', [[name, blob]])]);
  }
  const formats = [
    ['Quake II: the .md2 and its skin', () => saveModel('.md2')],
    [isMd2 && !isOfGltf ? 'With a skeleton: .md5mesh and .md5anim' : 'Doom 3: .md5mesh, .md5anim and textures', () => saveModel('.md5mesh')]
  ];
  choices.push(...isMd2 ? formats : formats.reverse());
  if (!isOfGltf || shownEntry.inputs.length > 1) choices.push(['For Blender, Godot, three.js: .glb', () => saveAs('.glb')]);
  $('choices').replaceChildren(...choices.map(([textContent, onclick]) => make('button', { textContent, onclick })));

  const height = isOfGltf ? shownEntry.height : 0, isVeryDifferent = height > 2 * PLAYER_HEIGHT || height < PLAYER_HEIGHT / 2;
  $('scale').closest('p').hidden = !height;
  if (showSaveDialog.entry !== shownEntry) $('scale').checked = isVeryDifferent;
  showSaveDialog.entry = shownEntry;
  const left = [...new Set(unusableAnims().map(path => path.split('/').pop()))];
  $('left').textContent = left.length ? 'Not saved, because they do not fit or cannot be read: ' + left.slice(0, 5).join(', ') + (left.length > 5 ? ' and ' + (left.length - 5) + ' more' : '') : '';
  $('saving').showModal();
}
