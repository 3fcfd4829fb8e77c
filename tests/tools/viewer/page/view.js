/* view.js - what is in view: reads it, sets it, shows it on buttons and in words, and keeps it in the address. Public domain. */
'use strict';

const readString = pointer => UTF8ToString(pointer);
const animNames = () => Array.from({ length: Module._viewer_anim_count() }, (_, i) => readString(Module._viewer_anim_name(i)));

/* "knight.md5mesh", "run", "loop", "1x", "100 characters", "paused" ... of a line each. */
function readState() {
  const [name, anim = '', mode = '', speed = '', crowd = '', ...signs] = readString(Module._viewer_state()).split('\n');
  return { name, anim, mode, speed, crowd: parseInt(crowd) || 0, signs };
}

/* What can be switched on and off, by its sign. */
const switches = () => commands.filter(command => command.sign);

/* What the link of this page asks for. */
function stateFromQuery() {
  const signs = switches().map(command => command.sign).filter(sign => query.has(queryName(sign)));
  const opening = origin.knight && !['crowd', 'anim', 'scene'].some(name => query.has(name));
  return {
    anim: query.get('anim'), scene: query.get('scene'), camera: query, mode: query.get('mode'), speed: query.get('speed'), time: query.get('time'),
    crowd: opening ? OPENING.crowd : limitCrowd(query.get('crowd')),
    signs: opening ? [...OPENING.signs, ...signs] : signs
  };
}

/* More than a machine has been seen to draw are not drawn because an address asks for them. */
function limitCrowd(wanted) {
  const crowd = Math.round(Number(wanted)) || 1;
  if (crowd > 1000) reportError(crowd.toLocaleString('en') + ' are more than a link may ask for: here are 1,000. Crowd makes them more.');
  if (crowd > OPENING.crowd) adaptQuality.crowd = Math.min(crowd, 1000);
  return Math.min(Math.max(crowd, 1), 1000);
}

function applyState({ anim, crowd, signs, scene, camera, mode, speed, time }) {
  const names = animNames();
  if (crowd !== readState().crowd) Module._viewer_crowd(crowd);
  if (names.includes(anim)) Module._viewer_anim(names.indexOf(anim));
  else if (anim) reportError('No animation is called ' + anim + '; there are: ' + names.join(' '));
  for (let i = 0; i < 3 && mode && readState().mode !== mode; ++i) pressKey('L');
  for (let i = 0; i < 6 && speed && parseFloat(readState().speed) !== parseFloat(speed); ++i) Module._viewer_key(parseFloat(readState().speed) < speed ? UP : DOWN);
  const shown = readState().signs;
  for (const { sign, code } of switches()) if (signs.includes(sign) !== shown.includes(sign)) Module._viewer_key(code);
  if (time) Module._viewer_seek(Number(time) || 0);
  if (camera) aim(camera);
  if (scene === 'film') playFilm();
}

/* Where the camera is, and where it is at first. */
const cameraNow = () => [0, 1, 2, 3, 4, 5].map(i => Module._viewer_camera(i));
const firstPitch = () => readState().crowd > 1 ? 18 : 8;

function aim(asked) {
  const number = (name, usual) => Number.isFinite(Number(asked.get(name) ?? NaN)) ? Number(asked.get(name)) : usual, now = cameraNow();
  const pan = (asked.get('pan') || '').split(',').map(Number);
  if (!['pan', 'zoom', 'pitch'].some(name => asked.has(name))) return;
  Module._viewer_aim(...[0, 1, 2].map(i => pan[i] || 0), number('zoom', now[3]), number('yaw', now[4]), number('pitch', now[5]));
}

function pressKey(letter) { Module._viewer_key(letter.charCodeAt(0)); }

/* The address of this page that shows what is in view; null if that was dropped or chosen here. */
function currentLink() {
  if (origin.files) return null;
  const { anim, crowd, signs, mode, speed } = readState(), parts = [], [x, y, z, near, yaw, pitch] = cameraNow();
  for (const address of origin.links || []) parts.push('model=' + encodeURIComponent(address));
  if (origin.knight === 'md2') parts.push('md2');
  if (Module._viewer_shows_scene()) parts.push('scene=film');
  else {
    parts.push('anim=' + encodeURIComponent(anim), 'crowd=' + crowd, 'yaw=' + Math.round(yaw));
    if (mode !== 'loop') parts.push('mode=' + mode);
    if (speed !== '1x') parts.push('speed=' + parseFloat(speed));
    if (signs.includes('paused')) parts.push('time=' + Module._viewer_time().toFixed(2));
    if (Math.round(pitch) !== firstPitch()) parts.push('pitch=' + Math.round(pitch));
    if (Math.abs(near - 1) > 0.005) parts.push('zoom=' + near.toFixed(2));
    if (Math.hypot(x, y, z) > 0.005) parts.push('pan=' + [x, y, z].map(value => value.toFixed(2)));
    for (const { sign } of switches()) if (signs.includes(sign)) parts.push(queryName(sign));
  }
  return location.href.replace(/[?#].*/, '') + '?' + parts.join('&');
}

/* Writes the link to what is in view into the address bar. */
function updateAddressBar() {
  if (!ready || busy || viewerArguments !== null || query.has('kiosk')) return;
  const address = currentLink();
  if (address && address !== location.href) history.replaceState(null, '', address);
}

/* The viewer's note, or the page's. Of a converted model, the viewer's note would be that it has no pictures. */
function currentNote() {
  const { name, anim } = readState(), note = readString(Module._viewer_note()).replaceAll(/\/?opened\/\d+[^/]*\//g, '');
  const remarks = [pageNote, ...shownEntry?.remarks || []].filter(Boolean).join('\n');
  if (shownEntry?.inputs) return /^no picture/.test(note) ? remarks : [note, remarks].filter(Boolean).join('\n');
  const isStill = anim === 'bind pose' && /md5mesh$/i.test(name) ? 'It does not move: choose its .md5anim files as well.' : '';
  return [isStill, note || remarks].filter(Boolean).join(' ');
}

/* Updates texts and buttons to what is in view. */
function updateInterface() {
  if (!ready) return;
  if (missingPieces.size && !busy) retryUntilLoaded(Module._viewer_dress); /* textures that a key or a lost context needs again */
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
  const { name, anim, mode, crowd, signs } = readState(), isMd2 = /\.md2$/i.test(name);
  const known = origin.knight ? 'Sir Rivet' : /^tris\./i.test(name) ? shownName() : name;
  const remarks = [isFilm ? 'the film' : signs.includes('mixed') ? 'every animation' : animLabel(anim)];
  if (crowd > 1) remarks.push(crowd.toLocaleString('en') + ' of them');
  document.title = known + ' · md2.h and md5.h';
  $('state').firstChild.textContent = known;
  $('state').lastChild.textContent = remarks.filter(Boolean).map(part => ' · ' + part).join('');
  $('note').textContent = note.split('\n').map(line => line.trim()).join('; ');
  $('code').lastChild.textContent = codeSample(name, anim, mode, crowd, isMd2);
  document.body.classList.toggle('visited', !origin.knight);
}

function updateTools(isFilm) {
  const { name, mode, speed, crowd, signs } = readState(), isMd2 = /\.md2$/i.test(name), address = currentLink();
  for (const button of $('tools').children) if (button.dataset.sign) button.ariaPressed = signs.includes(button.dataset.sign);
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
  $('link').title = address ? 'Copies a link to what is in view' : 'Your own files have no address';
}

function updateAnims(anims, isFilm) {
  const { anim, signs } = readState(), sorted = sortAnims(anims);
  if (sorted.join('\n') !== [...$('anims').children].map(button => button.title).join('\n')) $('anims').replaceChildren(...sorted.map(animButton));
  for (const button of $('anims').children) setPressed(button, button.title === anim && !signs.includes('mixed') && !isFilm);
}

/* Scrolls a pressed button into sight. */
function setPressed(button, isPressed) {
  button.ariaPressed = isPressed;
  if (isPressed) button.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

/* Shows the models that were opened last, unless the only one is in view. More than twelve are a list. */
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

/* What the viewer does for what is in view. */
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

/* The words of a name, in lower case: "Lie_StandUp" has lie, stand and up. */
const wordsOf = name => name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase().split(/[^a-z]+/);

/* Returns the names with the most useful animations first. Of several with the same word, the shortest name counts. */
function sortAnims(names) {
  const first = FIRST_ANIMS.map(word => names.filter(name => wordsOf(name).includes(word)).sort((a, b) => a.length - b.length)[0]);
  return [...new Set([...first.filter(name => name !== undefined), ...names])];
}

/* Shows the frame and the time. */
function updateClock() {
  if (!ready) return;
  const fps = Module._viewer_fps(), length = Module._viewer_length(), time = Module._viewer_time();
  const told = `frame ${(time * fps).toFixed(1)} of ${Math.round(length * fps)} · ${time.toFixed(2)} of ${length.toFixed(2)} s`;
  const output = $('clock').lastChild;
  if (output.textContent === told) return;
  output.textContent = told;
  $('seek').max = length * fps;
  $('seek').value = time * fps;
  $('seek').ariaValueText = told;
}

/* Pauses, if it plays. */
function pause() { if (ready && !readState().signs.includes('paused')) pressKey(' '); }

function seek() {
  if (!ready) return;
  pause();
  Module._viewer_seek($('seek').value / Module._viewer_fps());
}

function animButton(name) {
  return make('button', { textContent: animLabel(name), title: name, onclick: () => play(name) });
}

/* Who chooses an animation wants to see it, by all. */
function play(name) {
  const i = animNames().indexOf(name);
  if (i < 0) return;                            /* another model has come since the button was made */
  if (readState().signs.includes('mixed')) pressKey('M');
  Module._viewer_anim(i);
}

/* Rows that go on beyond an edge fade out there. */
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
