/* loading.js - loads the parts of the page and starts the viewer. Public domain. */
'use strict';

let wanted = 0, loaded = 0;                     /* bytes of the parts */

function trackProgress(body) {
  return body.pipeThrough(new TransformStream({ transform(piece, out) {
    loaded += piece.length;
    $('bar').value = loaded / wanted;
    out.enqueue(piece);
  } }));
}

/* Fetches a part of the page. */
async function fetchPart(name) {
  const answer = await fetch(name).catch(() => { throw new Error(name + ' could not be loaded: ' + (navigator.onLine ? 'the server does not answer.' : 'there is no internet connection.')); });
  if (!answer.ok) throw new Error(name + ' could not be loaded: ' + answer.status);
  return answer;
}

async function fetchWithProgress([name, size]) {
  wanted += size;
  return trackProgress((await fetchPart(name)).body);
}

/* Loads the knight's files. They are packed into one file, which begins with a line of names and sizes. */
async function loadKnight(format) {
  const packed = await fetchWithProgress(PARTS[format]);
  const bytes = new Uint8Array(await new Response(packed.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer());
  let at = bytes.indexOf(10) + 1;               /* after the line */
  const names = JSON.parse(new TextDecoder().decode(bytes.subarray(0, at)));
  writeFiles(names.map(([name, size]) => [KNIGHT_FOLDER + name, bytes.subarray(at, at += size)]));
  loadKnight[format] = true;
}

/* Fetches a file from an address that the user gave. Stops if nothing arrives for 20 seconds. */
async function fetchFile(address) {
  const stop = new AbortController();
  let timer;
  const wait = () => { clearTimeout(timer); timer = setTimeout(() => stop.abort(), 20000); };
  const fail = why => { throw new Error(address + why); };
  wait();
  try {
    const answer = await fetch(new URL(address, location), { signal: stop.signal }).catch(why => fail(stop.signal.aborted ?
      ' does not answer.' : navigator.onLine ? ' cannot be loaded: the server was not found, or it does not allow other pages to read its files (CORS).' : ' cannot be loaded: there is no internet connection.'));
    if (!answer.ok) fail(' cannot be loaded: ' + answer.status + ' ' + answer.statusText);
    const pieces = [];
    let size = 0;
    for (const reader = answer.body.getReader(); ;) {
      const { done, value } = await reader.read().catch(() => fail(' stopped before its end. Try again.'));
      if (done) break;
      wait();
      pieces.push(value);
      if ((size += value.length) <= MAX_FILE_BYTES) continue;
      stop.abort();
      fail(' is larger than 64 MB.');
    }
    if (pieces[0]?.[0] === 60) fail(' is a web page, not a model. Use the address of the file itself.'); /* it begins with "<" */
    return new Blob(pieces);
  } finally {
    clearTimeout(timer);
  }
}

function writeFiles(files) {
  const write = () => files.forEach(([path, bytes]) => {
    Module.FS.mkdirTree(path.replace(/[^/]*$/, ''));
    Module.FS.writeFile(path, bytes);
  });
  if (Module.FS) write();
  else Module.preRun.push(write);
}

/* A WebAssembly module with one function that uses a SIMD instruction. */
const SIMD = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]);

async function start() {
  if (location.protocol === 'file:') throw new Error('Open this page through a server: python3 -m http.server');
  if (!WebAssembly.validate(SIMD)) throw new Error('This page needs WebAssembly with SIMD: use a browser from 2023 or later.');
  if (!document.createElement('canvas').getContext('webgl2')) throw new Error('This page needs WebGL 2, which this browser does not support.');
  if (!window.DecompressionStream) throw new Error('This page needs DecompressionStream: use a browser from 2023 or later.');

  const format = query.has('md2') ? 'md2' : 'md5', program = fetchWithProgress(PARTS.wasm), showsKnight = !linkedModels.length && query.get('pane') !== 'files';
  if (showsKnight) await loadKnight(format);
  if (viewerArguments !== null && format !== 'md2') await loadKnight('md2');
  origin = { knight: format };
  const yaw = Number(query.get('yaw') ?? (linkedModels.length ? 28 : OPENING.yaw)) || 0;
  Module.arguments = viewerArguments !== null ? viewerArguments.split(' ').filter(Boolean) : [...showsKnight ? knightFiles(format) : [], '--yaw', String(yaw)];
  Module.wasmBinary = await new Response(await program).arrayBuffer();
  document.body.append(make('script', { src: PARTS.script }));
}

/* Is called before the first frame. If the models of a link cannot be opened, shows the knight. */
async function onViewerReady() {
  if (ended) return;
  hookFileStat();
  makeToolButtons();
  if (linkedModels.length && viewerArguments === null && !await openLinks(linkedModels)) {
    await loadKnight(origin.knight);
    await openInViewer(knightFiles(origin.knight));
  }
  ready = true;
  document.body.classList.add('started');
  if (viewerArguments === null) applyState(stateFromQuery());
  else if (readState().name === 'tris.md2') origin = { knight: 'md2' };
  if (viewerArguments === null && origin.knight) zoomToCrowd();
  if (viewerArguments === null && matchMedia('(prefers-reduced-motion: reduce)').matches) pause();
  for (const [files, index] of earlyDrops.splice(0)) openFiles(files, index);
  updateInterface();
}

/* In a tall window, a whole crowd would be small, so the camera shows only its front. */
function zoomToCrowd() { if (readState().crowd > 3) zoom(Math.min(1, 0.9 * canvas.clientWidth / canvas.clientHeight)); }
