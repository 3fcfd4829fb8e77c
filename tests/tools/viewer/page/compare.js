/* compare.js - shows a model in two formats side by side. The second one is in a page of its own, in an <iframe>, which
   follows the clock, the camera and the switches of the first page in each frame. Public domain. */
'use strict';

const isPane = query.has('pane');

/* Returns the address of the second page and the files that it opens. The index is that of its model among theirs. */
async function otherFormat(format) {
  if (origin.knight) return { address: '?kiosk&pane&crowd=1' + (format === 'MD2' ? '&md2' : '') };
  const twin = modelList.entries.findIndex(entry => !entry.inputs && entry.format === format && entry.name === shownEntry.name);
  if (twin >= 0) return { address: '?kiosk&pane=files', files: modelList.files, index: twin };
  return { address: '?kiosk&pane=files', files: await convertShown(format === 'MD2' ? '.md2' : '.md5mesh', []), index: 0 };
}

async function toggleCompare() {
  if (document.querySelector('#pane')) return closePane();
  const request = startRequest(), format = isShownFormat('.md2') ? 'MD5' : 'MD2';
  try {
    const { address, files, index } = await otherFormat(format);
    if (request !== latestRequest) return;
    const frame = make('iframe', { id: 'pane', src: address, title: 'The same model as ' + format });
    frame.onload = () => files && frame.contentWindow.openFiles(files, index);
    $('view').append(frame, ...[format === 'MD2' ? 'MD5' : 'MD2', format].map(textContent => make('b', { className: 'tag', textContent })));
    document.body.classList.add('compare');
    applyState({ ...readState(), crowd: 1, signs: readState().signs.filter(sign => sign !== 'mixed') });
    shownState = '';
  } catch (why) {
    if (why !== STOPPED) reportProblem(why);
  }
}

function closePane() {
  for (const part of document.querySelectorAll('#pane, .tag')) part.remove();
  document.body.classList.remove('compare');
  shownState = '';
}

/* Returns what the second page follows. */
function stateForPane() {
  return { ...readState(), time: Module._viewer_time(), view: cameraNow(), top: freeTop() };
}

/* Called in the second page before each frame. */
function followParent() {
  const { anim, crowd, mode, signs, time, view: [x, y, z, zoom, yaw, pitch], top } = parent.stateForPane(), state = readState();
  if (!state.anim) return;                      /* its files are being opened */
  const isSame = anim === state.anim && crowd === state.crowd && mode === state.mode;
  const wanted = [...signs.filter(sign => sign !== 'paused'), 'paused'];
  if (!isSame || wanted.join() !== state.signs.join()) applyState({ anim: animNames().includes(anim) ? anim : null, crowd, mode, signs: wanted });
  Module._viewer_seek(time);
  Module._viewer_aim(x, y, z, zoom, yaw, pitch);
  Module._viewer_frame(0, top, 1, 1);
}
