/* files.js - opens files: those that are dropped or chosen, those that an address names, and the knight's. Public domain. */
'use strict';

/* What was dropped, chosen or linked lies in a folder of the viewer's, and comes into memory in pieces, when the viewer
   has missed them: it is asked for the same again until it misses nothing. */
const PIECE_BYTES = 1 << 20, MAX_FILE_BYTES = 64 << 20, MAX_REQUESTS = 24;
const missingPieces = new Map();                /* what loads it, by what it is called here */
const earlyDrops = [];                          /* files that were dropped while the page loads */
let folders = 0, asks = 0, busy = 0;            /* which ask waits for its pieces, or 0 */
let place = null;                               /* the address that lies behind a folder, if any, and the requests to it */
let modelList = null;                           /* the models that were opened last: { entries, index, origin }, and the number of the request for the entry at `pending` */
let latestRequest = 0;                          /* requests to show something: only the latest is carried out */

/* Returns the number of a new request. Stops a conversion for an older one. */
function startRequest() {
  if ($('job').hidden) job?.stop();
  return ++latestRequest;
}

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

/* A file that is missed beside a model of another place is asked for there. */
function hookFileOpen() {
  const { FS } = Module, open = FS.open;
  FS.open = (path, ...more) => {
    try { return open(path, ...more); }
    catch (why) { if (typeof path === 'string') requestMissingFile(path); throw why; }
  };
}

function requestMissingFile(path) {
  if (!place || !path.startsWith(place.folder) || !/\.(pcx|png|tga|jpg)$/.test(path) || place.asked.has(path) || place.asked.size >= MAX_REQUESTS) return;
  place.asked.add(path);
  const address = new URL(path.slice(place.folder.length).split('/').map(encodeURIComponent).join('/').replaceAll('%2E', '.'), place.address);
  missingPieces.set(path, () => fetchFile(address.href).then(blob => addLazyFile(path, blob), () => {}));
}

async function loadMissed() {
  const loads = [...missingPieces.values()];
  missingPieces.clear();
  await Promise.all(loads.map(load => load()));
}

/* Repeats a call until no piece is missing. Returns false if another call has replaced this one meanwhile. */
async function retryUntilLoaded(act) {
  const mine = busy = ++asks;
  try {
    do {
      await loadMissed();
      if (mine !== busy) return false;
      act();
    } while (missingPieces.size);
    return true;
  } finally {
    if (mine === busy) busy = 0;
  }
}

/* True if the viewer shows them now, or has added them to what it shows. */
async function openInViewer(paths, entry = 0) {
  return await retryUntilLoaded(() => Module.ccall('viewer_open', null, ['string', 'number'], [paths.join('\n'), entry])) && !readString(Module._viewer_error());
}

/* What the viewer says to 0, 1, 2 ... up to NULL. */
function readStrings(say) {
  const found = [];
  for (let i = 0, pointer; (pointer = say(i)); ++i) found.push(readString(pointer));
  return found;
}

const isModel = path => /\.(md2|md5mesh)$/i.test(path);
const isArchive = path => /\.(pak|pk3|pk4|zip)$/i.test(path);

/* Removes all that was opened before this folder, and nothing that came after it. */
function removeOlderFolders(folder) {
  const { FS } = Module, kept = parseInt(folder.split('/')[2]);
  const remove = path => {
    if (!FS.isDir(FS.stat(path).mode)) return FS.unlink(path);
    for (const name of FS.readdir(path)) if (!/^\.\.?$/.test(name)) remove(path + '/' + name);
    FS.rmdir(path);
  };
  for (const name of FS.readdir('/opened')) if (/^\d/.test(name) && parseInt(name) < kept) remove('/opened/' + name);
}

/* Opens files, as [path, blob]: with a model among them the folder that they make, else each for the model in view. */
async function openAll(files, folder, from) {
  const mine = startRequest();
  clearError();
  for (const [path, blob] of files) addLazyFile(folder + path, blob);
  const given = files.map(([path]) => path), isPacked = given.some(isArchive);
  let names = given;
  if (isPacked && !await retryUntilLoaded(() => { names = readStrings(i => Module.ccall('viewer_listed', 'number', ['string', 'number'], [folder, i])).map(path => path.slice(folder.length)); })) return false;
  if (mine !== latestRequest) return false;
  const scenes = names.filter(isGltf), hasModels = names.some(isModel) || isPacked && !scenes.length;
  if (!hasModels && !scenes.length) {
    const isAdded = await openInViewer(given.map(path => folder + path));
    if (isAdded && from.links && origin.links) origin = { links: [...origin.links, ...from.links] };
    else if (isAdded && !origin.links) origin = { files: true };
    return isAdded;
  }
  const entries = [];
  if (hasModels) {
    if (!await openInViewer([folder])) return false;
    for (let i = 0; i < Module._viewer_entry_count(); ++i) entries.push({ name: readString(Module._viewer_entry_name(i)), show: () => openInViewer([folder], i) });
  }
  const blobs = new Map(files), source = name => [name, blobs.get(name) || archivedFile(folder + name)];
  for (const path of scenes) {
    for (const format of ['MD5', 'MD2']) entries.push({ name: stem(path) + ' as ' + format, scene: source(path), show: () => showConverted(path, names.map(source), folder, format) });
  }
  if (!hasModels && !await entries[0].show()) return false;
  removeOlderFolders(folder);
  origin = from;
  modelList = { entries, index: 0, origin };
  return true;
}

/* Returns the index of the entry that is being loaded, -1 if there is none. */
const pendingIndex = () => modelList.request === latestRequest ? modelList.pending : -1;

async function selectModel(i) {
  if (pendingIndex() === i) return;
  clearError();
  const from = modelList, mine = startRequest();
  [from.request, from.pending] = [mine, i];
  if (await from.entries[i].show() && modelList === from) [origin, from.index] = [from.origin, i];
  if (from.request === mine) from.request = 0;
  updateInterface();
}

/* The one before or after, around the ends. */
function stepModel(step) {
  const at = pendingIndex() < 0 ? modelList.index : pendingIndex(), count = modelList.entries.length;
  selectModel((at + step + count) % count);
}

async function openFiles(files) {
  if (!files.length || ended) return;
  if (!ready) return earlyDrops.push(files);
  place = null;
  await openAll(files, '/opened/' + ++folders + '/', { files: true });
  $('opening').close();
  updateInterface();
}

async function openLinks(addresses) {
  const folder = '/opened/' + ++folders + '/', label = $('fetch').lastChild;
  label.textContent = 'Loading';
  try {
    if (!addresses.some(Boolean)) throw new Error('This link names no model.');
    const files = await Promise.all(addresses.map(async address => [fileNameOf(address), await fetchFile(address)]));
    const model = addresses.find(address => isModel(fileNameOf(address)));
    if (model) place = { folder, address: new URL(model, location), asked: new Set() };
    if (/\.md5mesh$/i.test(model && fileNameOf(model)) && !files.some(([name]) => /\.md5anim$/i.test(name))) await fetchLikelyAnims(folder, fileNameOf(model));
    if (!await openAll(files, folder, { links: addresses })) throw new Error(readString(Module._viewer_error()).replace(' - error', ''));
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

/* A server lists nothing: the likeliest names are tried. */
function fetchLikelyAnims(folder, model) {
  return Promise.all([model.replace(/\.[^.]*$/, ''), 'idle', 'stand', 'walk', 'run', 'attack'].map(async name => {
    const file = name + '.md5anim';
    place.asked.add(file);
    await fetchFile(new URL(encodeURIComponent(file), place.address).href).then(blob => addLazyFile(folder + file, blob), () => {});
  }));
}

/* What is dragged here, as [path, blob], with all that is in folders. */
async function listDropped(entries) {
  const files = [];
  const add = async (entry, path) => {
    if (files.length > 20000) return;
    if (entry.isFile) return files.push([path + entry.name, await new Promise((done, fail) => entry.file(done, fail))]);
    const reader = entry.createReader();
    for (let some; (some = await new Promise((done, fail) => reader.readEntries(done, fail))).length;) {
      for (const one of some) await add(one, path + entry.name + '/');
    }
  };
  for (const entry of entries) await add(entry, '');
  return files;
}

/* The knight in the other format does the same. */
async function openKnight(format) {
  if (!ready) return;
  clearError();
  const before = readState(), mine = startRequest();
  if (!loadKnight[format]) {
    $(format).ariaBusy = 'true';
    $('state').lastChild.textContent = ' · loading ' + format.toUpperCase();
    await loadKnight(format);
    $(format).ariaBusy = 'false';
  }
  if (mine !== latestRequest || !await openInViewer(knightFiles(format))) return;
  const wasKnight = origin.knight;
  origin = { knight: format };
  applyState(wasKnight ? before : { ...OPENING, anim: null });
}

async function playFilm() {
  const mine = startRequest();
  if (!loadKnight.md5) await loadKnight('md5');
  if (mine !== latestRequest) return;
  Module._viewer_film();
  origin = { knight: 'md5' };
}
