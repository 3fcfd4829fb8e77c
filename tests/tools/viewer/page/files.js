/* files.js - opens files: files that were dropped or chosen, files at web addresses, and the knight. Public domain. */
'use strict';

/* Opened files are put into a folder of the viewer's file system without their contents. If the viewer reads a piece of a
   file that is not loaded yet, reading fails. Then the piece is loaded, and the viewer's function is called again. */
const PIECE_BYTES = 1 << 20, MAX_FILE_BYTES = 64 << 20, MAX_REQUESTS = 24;
const missingPieces = new Map();                /* functions that load a piece, by path and number */
const earlyDrops = [];                          /* files that were dropped before the viewer was ready */
let folders = 0, calls = 0;                     /* number of opened folders, and of calls of retryUntilLoaded */
let busy = 0;                                   /* number of the call that waits for pieces, or 0 */
let remote = null;                              /* { folder, address, requested }: a folder whose files are at an address */
let modelList = null;                           /* { entries }: the models that were opened last */
let shownEntry = null;                          /* the entry in view; null if the knight is */
let latestRequest = 0;                          /* number of the latest request to show something; older requests end */
let pending = null;                             /* { entry, request }: the entry that was selected last, until it is shown */

/* Returns the number of a new request, and stops the work of older requests. */
function startRequest() {
  job?.stop();
  closePane();
  return ++latestRequest;
}

/* -- Lazy files ------------------------------------------------------------------------------------------------------------ */

/* Adds a file whose contents are loaded when they are read. */
function addLazyFile(path, blob) {
  const { FS } = Module;
  FS.mkdirTree(path.replace(/[^/]*$/, ''));
  if (FS.analyzePath(path).exists) return;
  const node = FS.create(path, 0o444), pieces = node.pieces = new Map();
  node.usedBytes = blob.size;
  node.stream_ops = { ...node.stream_ops, read(stream, buffer, offset, length, position) {
    const end = Math.min(position + length, blob.size);
    for (let at = position; at < end;) {
      const number = Math.floor(at / PIECE_BYTES), from = at - number * PIECE_BYTES, piece = pieces.get(number);
      if (piece) buffer.set(piece.subarray(from, from + end - at), offset + at - position);
      else missingPieces.set(path + number, async () => pieces.set(number, new Uint8Array(await blob.slice(number * PIECE_BYTES, (number + 1) * PIECE_BYTES).arrayBuffer())));
      at = (number + 1) * PIECE_BYTES;
    }
    if (missingPieces.size) throw new FS.ErrnoError(29); /* EIO */
    return end - position;
  } };
}

/* If the viewer looks for a picture next to a model from a web address, the picture is requested from there. */
function hookFileStat() {
  const { FS } = Module, stat = FS.stat;
  FS.stat = (path, ...more) => {
    try { return stat(path, ...more); }
    catch (why) { if (typeof path === 'string') requestMissingFile(path); throw why; }
  };
}

function requestMissingFile(path) {
  if (!remote || !path.startsWith(remote.folder) || !/\.(pcx|png|tga|jpg)$/i.test(path) || remote.requested.has(path) || remote.requested.size >= MAX_REQUESTS) return;
  remote.requested.add(path);
  const address = new URL(path.slice(remote.folder.length).split('/').map(encodeURIComponent).join('/').replaceAll('%2E', '.'), remote.address);
  missingPieces.set(path, () => fetchFile(address.href).then(blob => addLazyFile(path, blob), () => {}));
}

async function loadMissingPieces() {
  const loads = [...missingPieces.values()];
  missingPieces.clear();
  await Promise.all(loads.map(load => load()));
}

/* Calls a function again until no piece is missing. Returns false if a newer call has replaced this one. */
async function retryUntilLoaded(run) {
  const thisCall = busy = ++calls;
  try {
    do {
      await loadMissingPieces();
      if (thisCall !== busy) return false;
      run();
    } while (missingPieces.size);
    return true;
  } finally {
    if (thisCall === busy) busy = 0;
  }
}

/* Opens files in the viewer, which shows them or adds them to the model in view. Returns false if that fails. */
async function openInViewer(paths, index = 0) {
  return await retryUntilLoaded(() => Module.ccall('viewer_open', null, ['string', 'number'], [paths.join('\n'), index])) && !readString(Module._viewer_error());
}

/* Returns the strings that a function of the viewer returns for 0, 1, 2 ... until it returns NULL. */
function readStrings(get) {
  const found = [];
  for (let i = 0, pointer; (pointer = get(i)); ++i) found.push(readString(pointer));
  return found;
}

/* Copies a file of the viewer's file system, which may be in an archive. Returns its bytes, or null. */
const extract = path => Module.ccall('viewer_extract', 'number', ['string', 'string'], [path, '/extracted']) ? Module.FS.readFile('/extracted') : null;

/* Returns a file in an archive as an object that is read like a Blob, when its bytes are needed. */
function archivedFile(path) {
  return { async arrayBuffer() {
    let bytes = null;
    await retryUntilLoaded(() => { bytes = extract(path); });
    if (!bytes) throw new Error(readString(Module._viewer_error()) || path + ' cannot be read.');
    return bytes.buffer;
  } };
}

/* Removes all folders that were opened before this one. */
function removeOlderFolders(folder) {
  const { FS } = Module, kept = parseInt(folder.split('/')[2]);
  const remove = path => {
    if (!FS.isDir(FS.stat(path).mode)) return FS.unlink(path);
    for (const name of FS.readdir(path)) if (!/^\.\.?$/.test(name)) remove(path + '/' + name);
    FS.rmdir(path);
  };
  for (const name of FS.readdir('/opened')) if (/^\d/.test(name) && parseInt(name) < kept) remove('/opened/' + name);
}

/* -- Kinds of files ------------------------------------------------------------------------------------------------------- */

const isModel = path => /\.(md2|md5mesh)$/i.test(path);
const isArchive = path => /\.(pak|pk3|pk4|zip)$/i.test(path);
const isAddition = path => /\.(md5anim|md5scale|pcx|png|tga|jpe?g|bmp)$/i.test(path); /* can be added to the model in view */
const KINDS = 'This page reads .md2, .md5mesh with .md5anim, .glb, .gltf and .vrm, pictures as skins, and folders, .pak, .pk3, .pk4 and .zip with these.';

/* The first bytes of each kind of file. They are checked first, so that a large file of a different kind is not read. */
const BEGINNINGS = { md2: 'IDP2', glb: 'glTF', vrm: 'glTF', pak: 'PACK', zip: 'PK', pk3: 'PK', pk4: 'PK' };

async function beginsAsNamed(path, blob) {
  const beginning = BEGINNINGS[path.split('.').pop().toLowerCase()];
  if (!beginning) return true;
  return new TextDecoder('latin1').decode(await blob.slice(0, beginning.length).arrayBuffer()) === beginning;
}

/* -- Opening -------------------------------------------------------------------------------------------------------------- */

/* Returns the reason why a file cannot be opened. */
function explainRefusal(path) {
  const name = path.split('/').pop(), beginning = BEGINNINGS[name.split('.').pop().toLowerCase()];
  return beginning ? name + ' is damaged or has a wrong extension: it does not begin with "' + beginning + '".' : name + ' cannot be shown. ' + KINDS;
}

/* Opens files, as [path, blob]. If at least one is a model, they are opened as a folder. Otherwise, they are added to the
   model in view. */
async function openAll(files, folder, newOrigin) {
  const request = startRequest();
  clearError();
  const isReadable = await Promise.all(files.map(file => beginsAsNamed(...file)));
  const readable = files.filter((_, i) => isReadable[i]), given = readable.map(([path]) => path), hasArchive = given.some(isArchive);
  const refused = files.find((_, i) => !isReadable[i]);
  for (const [path, blob] of readable) addLazyFile(folder + path, blob);

  let names = given;
  const listArchives = () => { names = readStrings(i => Module.ccall('viewer_listed', 'number', ['string', 'number'], [folder, i])).map(path => path.slice(folder.length)); };
  if (hasArchive && !await retryUntilLoaded(listArchives)) return false;
  const blobs = new Map(readable), fileOf = name => [name, blobs.get(name) || archivedFile(folder + name)];
  const summaries = [];
  for (const name of names.filter(isGltf)) summaries.push({ name, ...await readGltfSummary(fileOf(name)[1]) });
  if (request !== latestRequest) return false;

  const characters = summaries.filter(summary => summary.hasMesh), anims = summaries.filter(summary => !summary.hasMesh).map(({ name }) => name);
  if (names.some(isModel) || characters.length || hasArchive && !anims.length) {
    const animatedCharacter = characters.length === 1 && !names.some(isModel) && characters[0].hasSkin && characters[0].hasAnims && characters[0].name;
    const target = animatedCharacter && readState().anim && shownTarget(); /* the model that was in view before */
    const entries = await listEntries(names, folder, characters, anims, fileOf);
    if (target && target.name !== stem(animatedCharacter)) entries.push(retargetEntry(target.name + ' with ' + stem(animatedCharacter), target, [fileOf(animatedCharacter)]));
    const failed = new Set();                   /* glTF files that cannot be converted; each has two entries */
    for (const entry of entries) {
      if (request !== latestRequest) return false;
      if (failed.has(entry.inputs?.[0])) continue;
      if (!await entry.show()) {
        if (entry.inputs) failed.add(entry.inputs[0]);
        continue;
      }
      removeOlderFolders(folder);
      modelList = { entries, files: readable };
      [origin, shownEntry] = [newOrigin, entry];
      if (refused) pageNote = explainRefusal(refused[0]);
      $('saving').close();
      return true;
    }
    return false;
  }
  return addToShown(given, folder, anims.map(fileOf), newOrigin, refused?.[0]);
}

/* Returns the entries of the list: the models of a folder, and each glTF character as MD5 and as MD2. A glTF character
   gets the animations of the other glTF files. */
async function listEntries(names, folder, characters, anims, fileOf) {
  const entries = [];
  if (names.some(isModel) || !characters.length) {
    if (!await openInViewer([folder])) return [];
    for (let i = 0; i < Module._viewer_entry_count(); ++i) {
      const [name, path] = [Module._viewer_entry_name(i), Module._viewer_entry_path(i)].map(readString);
      entries.push({ name, format: /\.md2$/i.test(path) ? 'MD2' : 'MD5', show: () => openInViewer([folder], i) });
    }
  }
  for (const { name, hasSkin, hasMorphs } of characters) {
    const others = [...anims, ...characters.filter(other => other.name !== name && other.hasAnims).map(other => other.name)];
    const needed = names.filter(path => isGltf(path) || /\.gltf$/i.test(name) && isGltfPart(path)).map(fileOf);
    for (const format of hasMorphs && !hasSkin ? ['MD2', 'MD5'] : ['MD5', 'MD2']) {
      entries.push(Object.assign(conversionEntry(stem(name) + ' as ' + format, format, [name, ...others], needed), { standsAlone: true }));
    }
  }
  return entries;
}

/* Adds pictures and animations to the model in view. */
async function addToShown(given, folder, anims, newOrigin, refused) {
  const additions = given.filter(isAddition), other = refused || given.find(path => !isAddition(path) && !isGltf(path));
  if (other) reportError(explainRefusal(other));
  if (!additions.length && !anims.length) return false;
  if (additions.length) {
    if (!await openInViewer(additions.map(path => folder + path))) return false;
    if (!origin.links) origin = { files: true };
    else if (newOrigin.links) origin = { links: [...origin.links, ...newOrigin.links] };
  }
  return !anims.length || addGltfAnims(anims);
}

/* -- The list of models ------------------------------------------------------------------------------------------------- */

async function selectModel(entry) {
  if (pending?.request === latestRequest && pending.entry === entry) return;
  clearError();
  const list = modelList, request = startRequest();
  pending = { entry, request };
  if (await entry.show() && modelList === list) [origin, shownEntry] = [entry.origin || { files: true }, entry];
  if (pending.request === request) pending = null;
  updateInterface();
}

/* Selects the next or the previous model. The list wraps around. */
function stepModel(step) {
  const { entries } = modelList, current = pending?.request === latestRequest ? pending.entry : shownEntry;
  selectModel(entries[(entries.indexOf(current) + step + entries.length) % entries.length]);
}

/* -- Files of the user ---------------------------------------------------------------------------------------------------- */

/* Opens files, as [path, blob], and shows the model at an index of the list; without an index, the first model. */
async function openFiles(files, index) {
  if (!files.length || ended) return;
  if (!ready) return earlyDrops.push([files, index]);
  remote = null;
  const isOpen = await openAll(files, '/opened/' + ++folders + '/', { files: true });
  if (isOpen && index) await selectModel(modelList.entries[index]);
  $('opening').close();
  updateInterface();
}

async function openLinks(addresses) {
  const folder = '/opened/' + ++folders + '/', label = $('fetch').lastChild;
  label.textContent = 'Loading';
  try {
    if (!addresses.some(Boolean)) throw new Error('This link contains no address of a model.');
    const files = await Promise.all(addresses.map(async address => [fileNameOf(address), await fetchFile(address)]));
    const model = addresses.find(address => isModel(fileNameOf(address)));
    if (model) remote = { folder, address: new URL(model, location), requested: new Set() };
    if (/\.md5mesh$/i.test(model && fileNameOf(model)) && !files.some(([name]) => /\.md5anim$/i.test(name))) await fetchLikelyAnims(folder, fileNameOf(model));
    if (!await openAll(files, folder, { links: addresses })) throw new Error(readString(Module._viewer_error()).replace(' - error', '') || pageError?.text);
    $('opening').close();
    return true;
  } catch (why) {
    reportError(messageOf(why));
    return false;
  } finally {
    label.textContent = 'Load';
    updateInterface();
  }
}

const fileNameOf = address => decodeURIComponent(new URL(address, location).pathname.split('/').pop());

/* Requests animations with likely names, because a server does not list its files. */
function fetchLikelyAnims(folder, model) {
  return Promise.all([model.replace(/\.[^.]*$/, ''), 'idle', 'stand', 'walk', 'run', 'attack'].map(async name => {
    const file = name + '.md5anim';
    remote.requested.add(file);
    await fetchFile(new URL(encodeURIComponent(file), remote.address).href).then(blob => addLazyFile(folder + file, blob), () => {});
  }));
}

/* Returns the dropped files, also those in folders, as [path, blob]. */
async function listDropped(entries) {
  const files = [];
  const add = async (entry, path) => {
    if (files.length > 20000) return;
    if (entry.isFile) return files.push([path + entry.name, await new Promise((done, fail) => entry.file(done, fail))]);
    const reader = entry.createReader();
    for (let batch; (batch = await new Promise((done, fail) => reader.readEntries(done, fail))).length;) {
      for (const child of batch) await add(child, path + entry.name + '/');
    }
  };
  for (const entry of entries) await add(entry, '');
  return files;
}

/* -- The knight --------------------------------------------------------------------------------------------------------- */

const knightFiles = format => KNIGHTS[format].map(name => KNIGHT_FOLDER + name);

/* Shows the knight in a format, by default with the state of the view. */
async function openKnight(format, state = readState()) {
  if (!ready) return;
  clearError();
  const request = startRequest();
  if (!loadKnight[format]) {
    $(format).ariaBusy = 'true';
    $('state').lastChild.textContent = ' · loading ' + format.toUpperCase();
    await loadKnight(format).finally(() => { $(format).ariaBusy = 'false'; });
  }
  if (request !== latestRequest || !await openInViewer(knightFiles(format))) return;
  [origin, shownEntry] = [{ knight: format }, null];
  applyState(state);
}

/* Starts the film. If it plays, shows the view before the film again. */
async function toggleFilm() {
  if (!Module._viewer_shows_scene()) return playFilm();
  const { format, entry, state } = toggleFilm.before || { format: 'md5', state: { ...OPENING, anim: null } };
  if (!entry) return openKnight(format, state);
  await selectModel(entry);
  applyState(state);
}

async function playFilm() {
  const request = startRequest();
  toggleFilm.before = { format: origin.knight, entry: shownEntry, state: readState() };
  if (!loadKnight.md5) await loadKnight('md5');
  if (request !== latestRequest) return;
  Module._viewer_film();
  [origin, shownEntry] = [{ knight: 'md5' }, null];
}
