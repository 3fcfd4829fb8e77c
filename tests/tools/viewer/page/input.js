/* input.js - pointers, keys and buttons. Public domain. */
'use strict';

/* -- Dropped files ------------------------------------------------------------------------------------------------------ */

function onDrag(event) {
  event.preventDefault();
  event.stopPropagation();
  document.body.classList.toggle('drag', event.type === 'dragover');
  if (event.type !== 'drop') return;
  const items = [...event.dataTransfer.items], entries = items.map(item => item.webkitGetAsEntry?.());
  if (entries.every(Boolean)) listDropped(entries).then(openFiles);
  else openFiles(asFiles(event.dataTransfer.files));
}

const asFiles = files => [...files].map(file => [file.name, file]);

/* -- Mouse and fingers --------------------------------------------------------------------------------------------------- */

const pointers = new Map();                     /* positions { x, y } of the pointers that are down, by pointerId */
let lastTap = { at: 0, x: 0, y: 0 };

function zoom(factor) { if (ready && factor > 0 && factor < Infinity) Module._viewer_zoom(factor); }

function onWheel(event) {
  if (!$('view').contains(event.target)) return;
  event.preventDefault();
  zoom(Math.exp(event.deltaY * (event.deltaMode ? 0.035 : 0.00105) * (event.ctrlKey ? 8 : 1)));
}

function onPointerDown(event) {
  const { pointerId, clientX: x, clientY: y } = event;
  $('view').setPointerCapture(pointerId);       /* a drag may leave the view */
  pointers.set(pointerId, { x, y });
  if (event.isPrimary && event.button === 0) detectDoubleTap(x, y);
}

/* One finger or the left button orbits. The right button pans, and so do two fingers, which also zoom. */
function onPointerMove({ pointerId, buttons, clientX: x, clientY: y }) {
  const last = pointers.get(pointerId), other = [...pointers].find(([id]) => id !== pointerId)?.[1];
  if (!last || !ready) return;
  const height = canvas.clientHeight, dx = (x - last.x) / height, dy = (y - last.y) / height;
  if (pointers.size === 1) Module._viewer_drag(buttons === 2, dx, dy);
  else if (pointers.size === 2) {
    Module._viewer_drag(true, dx / 2, dy / 2);  /* the point between the fingers moves half as far */
    zoom(Math.hypot(last.x - other.x, last.y - other.y) / Math.hypot(x - other.x, y - other.y));
  }
  [last.x, last.y] = [x, y];
}

function onPointerUp({ pointerId }) { pointers.delete(pointerId); }

/* Resets the camera after two quick taps or clicks on the same spot. */
function detectDoubleTap(x, y) {
  const now = performance.now();
  if (now - lastTap.at < 350 && Math.hypot(x - lastTap.x, y - lastTap.y) < 30 && ready) pressKey('R');
  lastTap = { at: now, x, y };
}

/* -- Keys ----------------------------------------------------------------------------------------------------------------- */

/* Stops keys that are for the browser or the page before the viewer gets them: Tab, shortcuts, keys in dialogs, and keys
   that press a button. */
function filterKey(event) {
  const dialog = document.querySelector('dialog[open]');
  if (!dialog && event.type === 'keydown' && modelList && /^Page(Up|Down)$/.test(event.key)) {
    event.preventDefault();                     /* otherwise, a list that has the focus would also change */
    stepModel(event.key === 'PageUp' ? -1 : 1);
  }
  const pressesButton = event.target.matches?.('button, summary, a, input') && (event.key === ' ' || event.key === 'Enter');
  if (event.key === 'Escape' && event.type === 'keydown') clearError();
  const isHelpKey = !dialog && (event.key === '?' || event.key.toLowerCase() === 'h');
  const isForBrowser = event.key === 'Tab' || event.ctrlKey || event.metaKey || event.altKey;
  if (dialog || pressesButton || isHelpKey || isForBrowser || /^Page(Up|Down)$/.test(event.key) || event.target.matches?.('select, #seek')) event.stopImmediatePropagation();
  if (isHelpKey && !isForBrowser && event.type === 'keydown') showHelp();
}

function showHelp() {
  if (!ready) return;
  const rows = [];
  for (const { name, help } of commands) {
    if (['H', 'Escape'].includes(name)) continue; /* only for the viewer in a window */
    for (const [tag, textContent] of [['dt', name], ['dd', help]]) rows.push(make(tag, { textContent }));
  }
  $('keys').querySelector('dl').replaceChildren(...rows);
  const address = currentLink();
  $('embed').hidden = !address;
  $('keys').querySelector('pre').textContent = address ? `<iframe src="${address}&kiosk" width="640" height="480"></iframe>` : '';
  $('keys').showModal();
}

/* -- Tools ---------------------------------------------------------------------------------------------------------------- */

/* On a touch screen, 10,000 characters need a second tap. */
function cycleCrowd() {
  const isTouched = matchMedia('(pointer: coarse)').matches, button = $('crowd');
  if (isTouched && readState().crowd === 1000 && button.textContent === 'Crowd') {
    button.textContent = '10,000?';
    setTimeout(() => { button.textContent = 'Crowd'; }, 4000);
    return;
  }
  button.textContent = 'Crowd';
  adaptQuality.crowd = 0;
  pageNote = '';
  pressKey('C');
}

/* Doubles the speed, or goes back from 4x to 0.5x. */
function changeSpeed() {
  const isFast = parseFloat(readState().speed) >= 4;
  for (let i = 0; i < (isFast ? 3 : 1); ++i) Module._viewer_key(isFast ? DOWN : UP);
}

/* Makes a button for each command that has a label. The first five are always visible, the others after a click on More. */
function makeToolButtons() {
  for (let i = 0, code; (code = Module._viewer_command(i)); ++i) {
    const [name, help, label, flag] = [0, 1, 2, 3].map(which => readString(Module._viewer_command_text(i, which)));
    commands.push({ code, name, help, label, flag });
    if (!label) continue;
    const button = make('button', { textContent: label, title: help + ' (' + name + ')', onclick: () => command(label, code) });
    const id = label.toLowerCase().replace(/[^a-z]/g, ''), isExtra = $('tools').querySelectorAll(':not(.extra)').length >= 6;
    if (!$(id)) button.id = id;
    if (flag) button.dataset.flag = flag;
    if (isExtra) button.classList.add('extra');
    $(isExtra ? 'compare' : 'more').before(button);
  }
}

const UP = 265, DOWN = 264;                     /* key codes of GLFW */

function command(label, code) {
  if (!ready) return;
  clearError();
  if (label === 'Crowd') cycleCrowd();
  else if (label === 'Speed') changeSpeed();
  else if (label === 'Full') document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();
  else Module._viewer_key(code);
}
