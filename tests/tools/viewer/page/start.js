/* start.js - connects the elements of the page to their functions, and starts it. Public domain. */
'use strict';

var Module = {
  canvas,
  printErr: text => { lastOutput = text; console.error(text); },
  quit: (status, why) => { if (status) stopPage(lastOutput); throw why; },
  onAbort: why => stopPage('The viewer has stopped: ' + why),
  preRun: [],
  postRun: onViewerReady,
  preMainLoop: () => { fitCanvas(); updateViewFrame(); },
  postMainLoop: () => {
    const callback = nextFullFrame;
    nextFullFrame = null;
    callback?.();
    adaptQuality();
    updateInterface();
    updateClock();
  }
};

for (const type of ['keydown', 'keyup', 'keypress']) addEventListener(type, filterKey, true);
for (const type of ['dragover', 'dragleave', 'drop']) addEventListener(type, onDrag, true);
addEventListener('wheel', onWheel, { passive: false });
addEventListener('resize', fadeRowEnds);
addEventListener('error', event => reportError(event.message || 'A part of this page could not be loaded: reload the page.'), true);
addEventListener('unhandledrejection', event => reportError(messageOf(event.reason)));
canvas.addEventListener('webglcontextlost', event => {
  event.preventDefault();                       /* allows the browser to restore the context */
  if (ended) return;
  ready = false;
  Module._viewer_release();
  reportError('The graphics driver was reset. The picture returns when the driver is ready.');
});
canvas.addEventListener('webglcontextrestored', () => {
  if (ended) return;
  Module._viewer_renew();
  ready = true;
  reportError('');
});
Object.assign($('view'), { onpointerdown: onPointerDown, onpointermove: onPointerMove, onpointerup: onPointerUp, onpointercancel: onPointerUp, oncontextmenu: () => false });
for (const row of [$('anims'), $('models'), $('tools')]) row.onscroll = fadeRowEnds;
/* A click on a button does not move the focus, so that the viewer still gets the keys. */
for (const bar of document.querySelectorAll('header, footer')) bar.onmousedown = event => event.target.closest('pre, input, select') || event.preventDefault();
for (const dialog of document.querySelectorAll('dialog')) dialog.onclick = event => { if (event.target === dialog) dialog.close(); };
for (const format of ['md2', 'md5']) $(format).onclick = () => openKnight(format);
$('error').lastChild.onclick = clearError;
$('save').onclick = showSaveDialog;
$('job').lastChild.onclick = () => job?.stop();
$('saving').onclose = () => $('saving').contains($('job')) && job?.stop();
$('seek').oninput = seek;
$('seek').onpointerdown = pause;                /* otherwise, the slider would move under the pointer */
$('seek').onpointerup = () => $('seek').blur();
$('film').onclick = () => ready && toggleFilm();
$('compare').onclick = () => ready && toggleCompare();
$('details-button').onclick = showDetails;
$('help').onclick = showHelp;
$('link').onclick = copyLink;
$('more').onclick = () => {
  const isOpen = document.body.classList.toggle('more');
  $('more').ariaExpanded = String(isOpen);
  if (isOpen) $('more').scrollIntoView({ block: 'nearest', inline: 'start' }); /* on a phone, the new buttons are beyond the edge */
  fadeRowEnds();
};
for (const button of ['open', 'invite']) $(button).onclick = () => $('opening').showModal();
$('choose').onclick = () => $('files').click();
$('fetch').onsubmit = event => { event.preventDefault(); openLinks($('address').value.split(/\s+/).filter(Boolean)); };
$('files').onchange = () => { openFiles(asFiles($('files').files)); $('files').value = ''; };
$('code').open = innerWidth >= 1500;

if (REPOSITORY) {
  for (const [name, path] of [['repository', ''], ['md2.h', '/blob/main/md2.h'], ['md5.h', '/blob/main/md5.h'], ['license', '/blob/main/LICENSE']]) {
    $('links').append(make('a', { href: REPOSITORY + path, textContent: name }));
  }
}

setInterval(updateAddressBar, 1000);
document.body.classList.toggle('kiosk', query.has('kiosk'));
if (PARTS.poster) $('poster').src = PARTS.poster;
if (!isPane) navigator.serviceWorker?.register('sw.js').catch(() => {}); /* if this fails, the page does not work offline */
start().catch(why => stopPage(messageOf(why)));
