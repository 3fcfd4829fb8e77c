/* loading.js - loads the parts of the page and starts the viewer. Public domain. */
'use strict';

let wanted = 0, loaded = 0;                     /* bytes */

function trackProgress(body) {
  return body.pipeThrough(new TransformStream({ transform(piece, out) {
    loaded += piece.length;
    $('bar').value = loaded / wanted;
    out.enqueue(piece);
  } }));
}

/* One of the page's own parts. */
async function fetchWithProgress([name, size]) {
  wanted += size;
  const answer = await fetch(name);
  if (!answer.ok) throw new Error(name + ' could not be loaded: ' + answer.status);
  return trackProgress(answer.body);
}

/* A pack begins with a line of names and sizes. */
async function loadKnight(format) {
  const packed = await fetchWithProgress(PARTS[format]);
  const bytes = new Uint8Array(await new Response(packed.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer());
  let at = bytes.indexOf(10) + 1;
  const names = JSON.parse(new TextDecoder().decode(bytes.subarray(0, at)));
  writeFiles(names.map(([name, size]) => [KNIGHT_FOLDER + name, bytes.subarray(at, at += size)]));
  loadKnight[format] = true;
}

/* Of another place. What is silent for 20 seconds is given up. */
async function fetchFile(address) {
  const stop = new AbortController();
  let timer;
  const wait = () => { clearTimeout(timer); timer = setTimeout(() => stop.abort(), 20000); };
  const refuse = why => { throw new Error(address + why); };
  wait();
  try {
    const answer = await fetch(new URL(address, location), { signal: stop.signal }).catch(why => refuse(stop.signal.aborted ?
      ' does not answer.' : ' cannot be loaded: there is nothing, or its host lets no other page read it (CORS).'));
    if (!answer.ok) refuse(' cannot be loaded: ' + answer.status + ' ' + answer.statusText);
    const pieces = [];
    let size = 0;
    for (const reader = answer.body.getReader(); ;) {
      const { done, value } = await reader.read().catch(() => refuse(' stopped answering.'));
      if (done) break;
      wait();
      pieces.push(value);
      if ((size += value.length) <= MAX_FILE_BYTES) continue;
      stop.abort();
      refuse(' is larger than 64 MB.');
    }
    if (pieces[0]?.[0] === 60) refuse(' is a web page, no model.'); /* it begins with "<" */
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

const knightFiles = format => KNIGHTS[format].map(name => KNIGHT_FOLDER + name);

/* A function of one SIMD instruction. */
const SIMD = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]);

async function start() {
  if (location.protocol === 'file:') throw new Error('Open this page through a server: python3 -m http.server');
  if (!WebAssembly.validate(SIMD)) throw new Error('This page needs WebAssembly with SIMD: a browser of 2023 or later.');
  if (!document.createElement('canvas').getContext('webgl2')) throw new Error('This page needs WebGL 2, which this browser does not offer.');
  if (!window.DecompressionStream) throw new Error('This page needs a browser of 2023 or later.');

  const format = query.has('md2') ? 'md2' : 'md5', program = fetchWithProgress(PARTS.wasm);
  if (!linkedModels.length) await loadKnight(format);
  if (viewerArguments !== null && format !== 'md2') await loadKnight('md2');
  origin = { knight: format };
  Module.arguments = viewerArguments !== null ? viewerArguments.split(' ').filter(Boolean) : [...(linkedModels.length ? [] : knightFiles(format)), '--yaw', String(Number(query.get('yaw') ?? (linkedModels.length ? 28 : OPENING.yaw)) || 0)];
  Module.wasmBinary = await new Response(await program).arrayBuffer();
  document.body.append(make('script', { src: PARTS.script }));
}

/* The viewer draws the first frame next. A link that fails leaves the knight. */
async function onViewerReady() {
  if (ended) return;
  hookFileOpen();
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
  for (const files of earlyDrops.splice(0)) openFiles(files);
  updateInterface();
}

/* In a picture that is higher than wide, the whole crowd is small: its front matters more than its sides. */
function zoomToCrowd() { if (readState().crowd > 3) zoom(Math.min(1, 0.9 * canvas.clientWidth / canvas.clientHeight)); }
