/* view.js - the state of the view (model, animation, crowd, camera, flags): reads and sets it, shows it on buttons and in
   the caption, and keeps it in the address bar. Public domain. */
'use strict';

const readString = pointer => UTF8ToString(pointer);
const animNames = () => Array.from({ length: Module._viewer_anim_count() }, (_, i) => readString(Module._viewer_anim_name(i)));

/* Reads the viewer's state, which has one value per line: "knight.md5mesh", "run", "loop", "1x", "100 characters", and the
   flags that are on, such as "paused". */
function readState() {
  const [name, anim = '', mode = '', speed = '', crowd = '', ...flags] = readString(Module._viewer_state()).split('\n');
  return { name, anim, mode, speed, crowd: parseInt(crowd) || 0, flags };
}

/* Returns the commands that switch a flag. */
const switches = () => commands.filter(command => command.flag);

/* Returns the state that the query of the address describes. */
function stateFromQuery() {
  const flags = switches().map(command => command.flag).filter(flag => query.has(queryName(flag)));
  const opening = origin.knight && !['crowd', 'anim', 'scene'].some(name => query.has(name));
  return {
    anim: query.get('anim'), scene: query.get('scene'), camera: query, mode: query.get('mode'), speed: query.get('speed'), time: query.get('time'),
    crowd: opening ? OPENING.crowd : limitCrowd(query.get('crowd')),
    flags: opening ? [...OPENING.flags, ...flags] : flags
  };
}

/* Limits the crowd of a link to 1,000, so that a link cannot make a slow machine draw more. */
function limitCrowd(wanted) {
  const crowd = Math.round(Number(wanted)) || 1;
  if (crowd > 1000) reportError('A link can show at most 1,000 characters, not ' + crowd.toLocaleString('en') + '. Use Crowd to show more.');
  if (crowd > OPENING.crowd) adaptQuality.crowd = Math.min(crowd, 1000);
  return Math.min(Math.max(crowd, 1), 1000);
}

function applyState({ anim, crowd, flags, scene, camera, mode, speed, time }) {
  const names = animNames();
  if (crowd !== readState().crowd) Module._viewer_crowd(crowd);
  if (names.includes(anim)) Module._viewer_anim(names.indexOf(anim));
  else if (anim) reportError('There is no animation ' + anim + '. The animations are: ' + names.join(' '));
  for (let i = 0; i < 3 && mode && readState().mode !== mode; ++i) pressKey('L');
  for (let i = 0; i < 6 && speed && parseFloat(readState().speed) !== parseFloat(speed); ++i) Module._viewer_key(parseFloat(readState().speed) < speed ? UP : DOWN);
  const shown = readState().flags;
  for (const { flag, code } of switches()) if (flags.includes(flag) !== shown.includes(flag)) Module._viewer_key(code);
  if (time) Module._viewer_seek(Number(time) || 0);
  if (camera) aim(camera);
  if (scene === 'film') playFilm();
}

/* Returns the pan (x, y, z), zoom, yaw and pitch of the camera; and the pitch that it begins with. */
const cameraNow = () => [0, 1, 2, 3, 4, 5].map(i => Module._viewer_camera(i));
const firstPitch = () => readState().crowd > 1 ? 18 : 8;

/* Aims the camera as a query says. Values that the query lacks stay. */
function aim(values) {
  const number = (name, current) => Number.isFinite(Number(values.get(name) ?? NaN)) ? Number(values.get(name)) : current, now = cameraNow();
  const pan = (values.get('pan') || '').split(',').map(Number);
  if (!['pan', 'zoom', 'pitch'].some(name => values.has(name))) return;
  Module._viewer_aim(...[0, 1, 2].map(i => pan[i] || 0), number('zoom', now[3]), number('yaw', now[4]), number('pitch', now[5]));
}

function pressKey(letter) { Module._viewer_key(letter.charCodeAt(0)); }

/* Returns a link to this view, or null if the user opened the files here. */
function currentLink() {
  if (origin.files) return null;
  const { anim, crowd, flags, mode, speed } = readState(), parts = [], [x, y, z, zoom, yaw, pitch] = cameraNow();
  for (const address of origin.links || []) parts.push('model=' + encodeURIComponent(address));
  if (origin.knight === 'md2') parts.push('md2');
  if (Module._viewer_shows_scene()) parts.push('scene=film');
  else {
    parts.push('anim=' + encodeURIComponent(anim), 'crowd=' + crowd, 'yaw=' + Math.round(yaw));
    if (mode !== 'loop') parts.push('mode=' + mode);
    if (speed !== '1x') parts.push('speed=' + parseFloat(speed));
    if (flags.includes('paused')) parts.push('time=' + Module._viewer_time().toFixed(2));
    if (Math.round(pitch) !== firstPitch()) parts.push('pitch=' + Math.round(pitch));
    if (Math.abs(zoom - 1) > 0.005) parts.push('zoom=' + zoom.toFixed(2));
    if (Math.hypot(x, y, z) > 0.005) parts.push('pan=' + [x, y, z].map(value => value.toFixed(2)));
    for (const { flag } of switches()) if (flags.includes(flag)) parts.push(queryName(flag));
  }
  return location.href.replace(/[?#].*/, '') + '?' + parts.join('&');
}

/* Writes the link to this view into the address bar. */
function updateAddressBar() {
  if (!ready || busy || viewerArguments !== null || query.has('kiosk')) return;
  const address = currentLink();
  if (address && address !== location.href) history.replaceState(null, '', address);
}

/* Returns the viewer's note and the page's notes. For a converted model, leaves out the note that a picture is missing,
   because mdconvert reports the missing picture. */
function currentNote() {
  const { name, anim } = readState(), note = readString(Module._viewer_note()).replaceAll(/\/?opened\/\d+[^/]*\//g, '');
  const remarks = [pageNote, ...shownEntry?.remarks || []].filter(Boolean).join('\n');
  if (shownEntry?.inputs) return /^no picture/.test(note) ? remarks : [note, remarks].filter(Boolean).join('\n');
  const isStill = anim === 'bind pose' && /md5mesh$/i.test(name) ? 'no animations: open the .md5anim files as well' : '';
  return [isStill, note || remarks].filter(Boolean).join('\n');
}

/* Updates texts and buttons if the state of the view has changed. */
function updateInterface() {
  if (!ready) return;
  if (missingPieces.size && !busy) retryUntilLoaded(Module._viewer_reload_textures); /* a key or a lost context made the viewer read textures again */
  if (busy) return;
  const anims = animNames(), error = readString(Module._viewer_error()), note = currentNote(), isFilm = Boolean(Module._viewer_shows_scene());
  const all = [readString(Module._viewer_state()), error, note, isFilm, JSON.stringify(origin), modelList?.entries.indexOf(shownEntry),
    ...(modelList?.entries || []).map(entry => entry.name), pending?.request, ...anims].join('\n');
  if (shownState === (shownState = all)) return;
  if (error) setErrorText(error.replace(' - error', ''));
  else setErrorText(pageError?.text || '', pageError?.action);
  updateCaption(note, isFilm);
  updateTools(isFilm);
  updateAnims(anims, isFilm);
  updateModelList();
  fadeRowEnds();
}

function updateCaption(note, isFilm) {
  const { name, anim, mode, crowd, flags } = readState(), isMd2 = /\.md2$/i.test(name);
  const known = origin.knight ? 'Sir Rivet' : /^tris\./i.test(name) ? shownName() : name;
  const remarks = [isFilm ? 'film' : flags.includes('mixed') ? 'mixed animations' : animLabel(anim)];
  if (crowd > 1) remarks.push(crowd.toLocaleString('en') + ' characters');
  document.title = known + ' · md2.h and md5.h';
  $('state').firstChild.textContent = known;
  $('state').lastChild.textContent = remarks.filter(Boolean).map(part => ' · ' + part).join('');
  $('note').textContent = note.split('\n').map(line => line.trim()).join('; ');
  $('code').lastChild.textContent = codeSample(name, anim, mode, crowd, isMd2);
  document.body.classList.toggle('visited', !origin.knight);
}

function updateTools(isFilm) {
  const { name, mode, speed, crowd, flags } = readState(), isMd2 = /\.md2$/i.test(name), address = currentLink();
  for (const button of $('tools').children) if (button.dataset.flag) button.ariaPressed = flags.includes(button.dataset.flag);
  for (const format of ['md2', 'md5']) $(format).ariaPressed = origin.knight === format;
  $('crowd').ariaLabel = 'Crowd: ' + crowd;
  $('crowd').ariaPressed = crowd > 1;
  $('film').ariaPressed = isFilm;
  $('compare').ariaPressed = document.body.classList.contains('compare');
  $('compare').disabled = isFilm;
  $('speed').textContent = 'Speed ' + speed;
  $('loop').textContent = mode.charAt(0).toUpperCase() + mode.slice(1);
  $('mixed').disabled = crowd < 2;
  $('skeleton').disabled = isMd2 && !document.body.classList.contains('compare');
  $('smooth').disabled = $('skin').disabled = !isMd2;
  $('link').disabled = !address;
  $('link').title = address ? 'Copies a link to this view' : 'A link cannot show files from your computer';
}

function updateAnims(anims, isFilm) {
  const { anim, flags } = readState(), sorted = sortAnims(anims);
  if (sorted.join('\n') !== [...$('anims').children].map(button => button.title).join('\n')) $('anims').replaceChildren(...sorted.map(animButton));
  for (const button of $('anims').children) setPressed(button, button.title === anim && !flags.includes('mixed') && !isFilm);
}

/* Shows a button as pressed or not pressed, and scrolls a pressed button into view. */
function setPressed(button, isPressed) {
  button.ariaPressed = isPressed;
  if (isPressed) button.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

/* Shows the models that were opened last as a row of buttons, or as a list if there are more than twelve. A single model
   that is in view needs no button. */
function updateModelList() {
  const entries = modelList && (modelList.entries.length > 1 || !shownEntry) ? modelList.entries : [];
  const isLong = entries.length > 12, names = entries.map(entry => entry.name).join('\n');
  if (updateModelList.names !== names) {
    updateModelList.names = names;
    const select = i => selectModel(modelList.entries[i]);
    const parts = entries.map(({ name }, i) => make(isLong ? 'option' : 'button', { textContent: name, onclick: isLong ? null : () => select(i) }));
    const list = make('select', { ariaLabel: 'Models', onchange: () => select(list.selectedIndex) });
    if (isLong) list.append(...parts);
    $('models').replaceChildren(...isLong ? [list] : parts);
  }
  const wanted = pending?.request === latestRequest ? pending.entry : shownEntry;
  if (isLong) $('models').firstChild.selectedIndex = entries.indexOf(wanted);
  else [...$('models').children].forEach((button, i) => setPressed(button, entries[i] === shownEntry));
}

/* Returns the C code that draws this view with the headers. */
function codeSample(name, anim, mode, crowd, isMd2) {
  const how = (isMd2 ? 'MD2_' : 'MD5_') + mode.toUpperCase().replace('-', '_'), word = JSON.stringify(anim);
  return isMd2 ? `md2_model *model = md2_load_file(${JSON.stringify(name)}, NULL, NULL);
md2_play(&player, md2_find_anim(model, ${word}), ${how}, 0.25f);

md2_advance(&player, seconds);            // each frame
instances[i].pose = md2_player_pose(&player);
md2_gl_draw(gl, &mesh, skin, &scene, instances, ${crowd});` : `md5_model *model = md5_load_model_file(${JSON.stringify(name)}, NULL, NULL);
md5_anim *anim = md5_load_anim_file(${JSON.stringify(anim + '.md5anim')}, NULL, NULL);
md5_play(&player, anim, ${how}, 0.25f);

md5_advance(&player, seconds);            // each frame
md5_player_pose(model, &player, pose, scratch);
md5_pose_to_model_space(model, pose, pose);
md5_pose_palette(model, pose, palettes[i]);
md5_gl_draw(gl, &mesh, texture, &scene, instances, ${crowd});`;
}

/* Returns the words of a name in lower case: "Lie_StandUp" has lie, stand and up. */
const wordsOf = name => name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase().split(/[^a-z]+/);

/* Returns the names with the most useful animations first. If several names have the same word, the shortest one is
   first. */
function sortAnims(names) {
  const first = FIRST_ANIMS.map(word => names.filter(name => wordsOf(name).includes(word)).sort((a, b) => a.length - b.length)[0]);
  return [...new Set([...first.filter(name => name !== undefined), ...names])];
}

/* Shows the frame and the time. */
function updateClock() {
  if (!ready) return;
  const fps = Module._viewer_fps(), length = Module._viewer_length(), time = Module._viewer_time();
  const text = `frame ${(time * fps).toFixed(1)} of ${Math.round(length * fps)} · ${time.toFixed(2)} of ${length.toFixed(2)} s`;
  const output = $('clock').lastChild;
  if (output.textContent === text) return;
  output.textContent = text;
  $('seek').max = length * fps;
  $('seek').value = time * fps;
  $('seek').ariaValueText = text;
}

/* Pauses if the animation plays. */
function pause() { if (ready && !readState().flags.includes('paused')) pressKey(' '); }

function seek() {
  if (!ready) return;
  pause();
  Module._viewer_seek($('seek').value / Module._viewer_fps());
}

function animButton(name) {
  return make('button', { textContent: animLabel(name), title: name, onclick: () => play(name) });
}

/* Plays an animation for all characters. */
function play(name) {
  const i = animNames().indexOf(name);
  if (i < 0) return;                            /* a different model was opened after the button was made */
  if (readState().flags.includes('mixed')) pressKey('M');
  Module._viewer_anim(i);
}

/* Sets how wide the ends of each row fade out: a row with more buttons beyond an edge fades out there. */
function fadeRowEnds() {
  for (const row of [$('anims'), $('models'), $('tools')]) {
    row.style.setProperty('--left', Math.min(row.scrollLeft, 40) + 'px');
    row.style.setProperty('--right', Math.min(row.scrollWidth - row.clientWidth - row.scrollLeft, 40) + 'px');
  }
}

async function copyLink() {
  const address = currentLink();
  if (!address) return;
  try { await navigator.clipboard.writeText(address); }
  catch (why) { prompt('The link:', address); }
  $('link').textContent = 'Copied';
  setTimeout(() => { $('link').textContent = 'Link'; }, 1500);
}
