/* save.js - saves the model in view, in each format, and pictures. Public domain. */
'use strict';

function downloadFile(name, blob) {
  const link = make('a', { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000); /* by then, the browser has read the file */
}

/* -- .zip --------------------------------------------------------------------------------------------------------------- */

const CRC = Uint32Array.from({ length: 256 }, (_, n) => { for (let i = 0; i < 8; ++i) n = n & 1 ? 0xedb88320 ^ n >>> 1 : n >>> 1; return n; });
const crc = bytes => ~bytes.reduce((sum, byte) => CRC[(sum ^ byte) & 255] ^ sum >>> 8, -1) >>> 0;

async function deflate(bytes) {
  const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

/* Returns a .zip of files, as [name, bytes]. A file that would not become smaller is stored instead of deflated. */
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

/* Downloads a single file, or several files as a .zip. */
async function saveFiles(name, files) {
  const contents = await Promise.all(files.map(async ([path, blob]) => [path, new Uint8Array(await blob.arrayBuffer())]));
  if (contents.length === 1) downloadFile(contents[0][0], new Blob([contents[0][1]]));
  else downloadFile(name + '.zip', await zip(contents));
  $('saving').close();
}

/* -- The files of the model in view -------------------------------------------------------------------------------------- */

/* Returns the paths of animations that do not fit the model in view or cannot be read. They are not saved. */
const unusableAnims = () => readStrings(Module._viewer_unusable_anim);

/* Returns the files that the viewer has read, as [name, blob]: the model, its weapon, the pictures, and the animations that
   fit. */
function usedFiles() {
  const unusable = unusableAnims().map(path => path.replace(/anim$/i, ''));
  const used = readStrings(Module._viewer_used).filter(path => !unusable.includes(path.replace(/(anim|scale)$/i, '')));
  return used.map(path => [path.split('/').pop(), extract(path)]).filter(([, bytes]) => bytes).map(([name, bytes]) => [name, new Blob([bytes])]);
}

/* Returns the name for files of the model in view. The model of every Quake II player is named tris.md2, so the viewer
   returns the name of its folder. */
const shownName = () => origin.knight ? 'knight' : readString(Module._viewer_entry_name(Module._viewer_entry()));

/* Returns the names of the inputs from which mdconvert converts the model in view (the model is the first), and all
   files. */
const shownSource = () => shownEntry?.inputs ? shownEntry : usedSource();

function usedSource() {
  const files = usedFiles(), names = files.map(([name]) => name);
  return { inputs: [...names.filter(isModel), ...names.filter(name => /\.md5anim$/i.test(name))], files };
}

/* -- Weapons ------------------------------------------------------------------------------------------------------------ */

const jointNames = mesh => [...mesh.match(/joints\s*\{([^}]*)\}/)[1].matchAll(/"([^"]*)"/g)].map(([, name]) => name);

/* Returns the text of an .md5mesh that has the joints of a character and the meshes of its weapon, or the meshes of both.
   The weapon's joints are replaced by the character's joints of the same names, as in the viewer. */
function bindWeapon(character, weapon, withCharacter) {
  const joints = jointNames(character), indices = jointNames(weapon).map(name => joints.indexOf(name));
  const bound = weapon.match(/\bmesh\s*\{[^}]*\}/g).map(mesh => mesh.replace(/(\bweight\s+\d+\s+)(\d+)/g, (_, start, joint) => {
    if (indices[joint] < 0) throw new Error('The weapon cannot be attached, because the character has no joint "' + jointNames(weapon)[joint] + '".');
    return start + indices[joint];
  }));
  const own = character.match(/\bmesh\s*\{[^}]*\}/g), meshes = withCharacter ? [...own, ...bound] : bound;
  const head = character.slice(0, character.search(/\bmesh\s*\{/)).replace(/numMeshes\s+\d+/, 'numMeshes ' + meshes.length);
  return head + meshes.join('\n\n') + '\n';
}

/* The properties of a glTF file that are indices, and the lists that they are indices into. */
const GLTF_LISTS = {
  bufferView: 'bufferViews', mesh: 'meshes', material: 'materials', indices: 'accessors', input: 'accessors', output: 'accessors', index: 'textures',
  source: 'images', sampler: 'samplers', node: 'nodes', children: 'nodes', joints: 'nodes', skin: 'skins', inverseBindMatrices: 'accessors'
};

async function readGlb(blob) {
  const bytes = await blob.arrayBuffer(), length = new DataView(bytes).getUint32(12, true);
  return { json: JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 20, length))), data: new Uint8Array(bytes, 28 + length) };
}

/* Merges two .glb files of mdconvert. The result has the nodes of both, and each animation has the channels of both. */
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

/* Converts the model in view, with its weapon. Returns the files, as [name, blob]. A model that was converted before is
   converted again from its inputs, so that the frames of an MD2 and of its weapon stay unchanged. If an MD5 has a weapon,
   which is no input, or for a .glb, it is converted from the files that the viewer shows. */
async function convertShown(extension, options) {
  const output = shownName() + extension, run = (inputs, files, to = output) => convert(inputs, files, to, options, 'Writing ' + to);
  const isWeaponInput = /\.md2$/i.test(shownEntry?.inputs?.[0]), hasWeapon = usedFiles().some(([name], i) => i > 0 && isModel(name));
  const isConvertedAgain = Boolean(shownEntry?.inputs) && extension !== '.glb' && (isWeaponInput || !hasWeapon);
  const source = isConvertedAgain ? shownEntry : usedSource(), { inputs } = source;
  const [model, weapon] = inputs.filter(isModel), others = inputs.filter(path => path !== weapon), isMd2 = /\.md2$/i.test(model);
  if (!weapon || isConvertedAgain || isMd2 && extension !== '.glb') return (await run(inputs, source.files)).made;
  if (isMd2) {
    const [ofCharacter, ofWeapon] = [(await run(others, source.files)).made, (await run([weapon], source.files)).made];
    return [[output, await mergeGlb([ofCharacter[0][1], ofWeapon[0][1]])]];
  }

  const textOf = path => source.files.find(([name]) => name === path)[1].text();
  const [characterText, weaponText] = [await textOf(model), await textOf(weapon)];
  const withMesh = text => source.files.map(([path, blob]) => [path, path === model ? new Blob([text]) : blob]);
  if (extension === '.glb') return (await run(others, withMesh(bindWeapon(characterText, weaponText, true)))).made;
  const ofCharacter = (await run(others, source.files)).made;
  const ofWeapon = (await run(others, withMesh(bindWeapon(characterText, weaponText, false)), stem(weapon) + extension)).made;
  return [...ofCharacter, ...ofWeapon.filter(([path]) => !ofCharacter.some(([name]) => name === path))];
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

const PLAYER_HEIGHT = 56;                       /* height of a player in Quake II, in units */

/* Saves the next frame, which is drawn in full resolution. */
function savePicture() {
  $('saving').close();
  nextFullFrame = () => pressKey('P');
}

const isShownFormat = extension => readState().name.toLowerCase().endsWith(extension);

/* Saves the files of the model in view. If the format or the size is different, converts the model first. */
function saveModel(extension) {
  const isScaled = $('scale').checked && !$('scale').closest('p').hidden;
  if (isShownFormat(extension) && !isScaled) return saveFiles(shownName(), usedFiles());
  return saveAs(extension, isScaled ? ['--scale', String(PLAYER_HEIGHT / shownEntry.height)] : []);
}

function showSaveDialog() {
  if (!ready) return;
  const isMd2 = isShownFormat('.md2'), isFromGltf = Boolean(shownEntry?.inputs) && isGltf(shownEntry.inputs[0]);
  const choices = [['A picture', savePicture], ['A film of the model on a turntable', saveFilm]];
  if (isFromGltf) {
    const [path, blob] = shownEntry.files.find(([path]) => path === shownEntry.inputs[0]), name = path.split('/').pop();
    choices.push(['The original file: ' + name, () => saveFiles('', [[name, blob]])]);
  }
  const formats = [
    ['Quake II: the .md2 and its skin', () => saveModel('.md2')],
    [isMd2 && !isFromGltf ? 'With a skeleton: .md5mesh and .md5anim' : 'Doom 3: .md5mesh, .md5anim and textures', () => saveModel('.md5mesh')]
  ];
  choices.push(...isMd2 ? formats : formats.reverse());
  if (!isFromGltf || shownEntry.inputs.length > 1) choices.push(['For Blender, Godot, three.js: .glb', () => saveAs('.glb')]);
  $('choices').replaceChildren(...choices.map(([textContent, onclick]) => make('button', { textContent, onclick })));

  const height = isFromGltf ? shownEntry.height : 0, isVeryDifferent = height > 2 * PLAYER_HEIGHT || height < PLAYER_HEIGHT / 2;
  $('scale').closest('p').hidden = !height;
  if (showSaveDialog.entry !== shownEntry) $('scale').checked = isVeryDifferent;
  showSaveDialog.entry = shownEntry;
  const unsaved = [...new Set(unusableAnims().map(path => path.split('/').pop()))];
  const list = unsaved.slice(0, 5).join(', ') + (unsaved.length > 5 ? ' and ' + (unsaved.length - 5) + ' more' : '');
  $('unsaved').textContent = unsaved.length ? 'Not saved, because they do not fit the model or cannot be read: ' + list : '';
  $('saving').showModal();
}
