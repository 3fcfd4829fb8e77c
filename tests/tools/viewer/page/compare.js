/* compare.js - shows a model in two formats side by side. The second format is shown by a second copy of the page in an
   <iframe>. In each frame, the copy takes over the clock, the camera and the flags of this page. Public domain. */
'use strict';

const isPane = query.has('pane');

/* Returns the address of the second page, the files that it opens, and the index of its model in these files. */
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
    applyState({ ...readState(), crowd: 1, flags: readState().flags.filter(flag => flag !== 'mixed') });
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

/* Returns the state that the second page takes over. */
function stateForPane() {
  return { ...readState(), time: Module._viewer_time(), view: cameraNow(), top: freeTop() };
}

/* Is called in the second page before each frame. */
function followParent() {
  const { anim, crowd, mode, flags, time, view: [x, y, z, zoom, yaw, pitch], top } = parent.stateForPane(), state = readState();
  if (!state.anim) return;                      /* the files are still loading */
  const isSame = anim === state.anim && crowd === state.crowd && mode === state.mode;
  const wanted = [...flags.filter(flag => flag !== 'paused'), 'paused'];
  if (!isSame || wanted.join() !== state.flags.join()) applyState({ anim: animNames().includes(anim) ? anim : null, crowd, mode, flags: wanted });
  Module._viewer_seek(time);
  Module._viewer_aim(x, y, z, zoom, yaw, pitch);
  Module._viewer_frame(0, top, 1, 1);
}
