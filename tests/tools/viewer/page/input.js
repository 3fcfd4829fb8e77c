/* input.js - mouse, fingers, keys and buttons. Public domain. */
'use strict';

let fingers = 0, spread = 0, tap = { at: 0, x: 0, y: 0 };

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

function zoom(factor) { if (ready && factor > 0 && factor < Infinity) Module._viewer_zoom(factor); }

function onWheel(event) {
  if (event.target !== canvas) return;
  event.preventDefault();
  event.stopPropagation();
  zoom(Math.exp(event.deltaY * (event.deltaMode ? 0.035 : 0.00105) * (event.ctrlKey ? 8 : 1)));
}

function mouse(type, button, clientX, clientY) { canvas.dispatchEvent(new MouseEvent(type, { button, clientX, clientY })); }

/* Two short touches of the same place bring the camera back. */
function detectDoubleTap(event) {
  const [{ clientX: x, clientY: y }] = event.changedTouches, now = performance.now();
  if (event.type === 'touchstart' && event.targetTouches.length === 1) {
    if (now - tap.at < 350 && Math.hypot(x - tap.x, y - tap.y) < 30 && ready) pressKey('R');
    tap = { at: now, x, y };
  }
}

/* One finger is the left button, two are the right one and pinch. */
function onTouch(event) {
  if (event.target !== canvas) return;
  event.preventDefault();
  event.stopPropagation();
  detectDoubleTap(event);
  const [a, b = a] = event.targetTouches, now = Math.min(event.targetTouches.length, 2);
  const x = now && (a.clientX + b.clientX) / 2, y = now && (a.clientY + b.clientY) / 2;
  const apart = now && Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
  if (now !== fingers && fingers) mouse('mouseup', fingers === 2 ? 2 : 0, x, y);
  if (now) mouse('mousemove', 0, x, y);
  if (now !== fingers && now) mouse('mousedown', now === 2 ? 2 : 0, x, y);
  if (now === 2 && fingers === 2) zoom(spread / apart);
  [fingers, spread] = [now, apart];
}

/* Tab, shortcuts of the browser, dialogs, and the keys that press a button are not the viewer's; help is the page's. */
function filterKey(event) {
  const writes = document.querySelector('dialog[open]');
  if (!writes && event.type === 'keydown' && modelList && /^Page(Up|Down)$/.test(event.key)) {
    event.preventDefault();                     /* else a list with the focus turns as well */
    stepModel(event.key === 'PageUp' ? -1 : 1);
  }
  const presses = event.target.matches?.('button, summary, a, input') && (event.key === ' ' || event.key === 'Enter');
  if (event.key === 'Escape' && event.type === 'keydown') clearError();
  const asks = !writes && (event.key === '?' || event.key.toLowerCase() === 'h');
  const isMine = event.key === 'Tab' || event.ctrlKey || event.metaKey || event.altKey;
  if (writes || presses || asks || isMine || /^Page(Up|Down)$/.test(event.key) || event.target.matches?.('select, #seek')) event.stopImmediatePropagation();
  if (asks && !isMine && event.type === 'keydown') showHelp();
}

function showHelp() {
  if (!ready) return;
  const rows = [];
  for (const { name, help } of commands) {
    if (['H', 'Escape'].includes(name)) continue; /* of a window */
    for (const [tag, textContent] of [['dt', name], ['dd', help]]) rows.push(make(tag, { textContent }));
  }
  $('keys').querySelector('dl').replaceChildren(...rows);
  const address = currentLink();
  $('embed').hidden = !address;
  $('keys').querySelector('pre').textContent = address ? `<iframe src="${address}&kiosk" width="640" height="480"></iframe>` : '';
  $('keys').showModal();
}

/* A finger that asks for ten thousand is asked whether it means it. */
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

/* Half, once, twice, four times. */
function changeSpeed() {
  const isFast = parseFloat(readState().speed) >= 4;
  for (let i = 0; i < (isFast ? 3 : 1); ++i) Module._viewer_key(isFast ? DOWN : UP);
}

/* A button for each command that has a label: five before More, the others behind it. */
function makeToolButtons() {
  for (let i = 0, code; (code = Module._viewer_command(i)); ++i) {
    const [name, help, label, sign] = [0, 1, 2, 3].map(which => readString(Module._viewer_command_text(i, which)));
    commands.push({ code, name, help, label, sign });
    if (!label) continue;
    const button = make('button', { textContent: label, title: help + ' (' + name + ')', onclick: () => command(label, code) });
    const id = label.toLowerCase().replace(/[^a-z]/g, ''), isExtra = $('tools').children.length >= 7;
    if (!$(id)) button.id = id;
    if (sign) button.dataset.sign = sign;
    if (isExtra) button.classList.add('extra');
    $(isExtra ? 'film' : 'more').before(button);
  }
}

const UP = 265, DOWN = 264;                     /* GLFW's */

function command(label, code) {
  if (!ready) return;
  clearError();
  if (label === 'Crowd') cycleCrowd();
  else if (label === 'Speed') changeSpeed();
  else if (label === 'Full') document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();
  else Module._viewer_key(code);
}
