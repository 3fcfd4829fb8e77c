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

/* Updates texts and buttons to what is in view. */
function updateInterface() {
  if (!ready) return;
  if (missingPieces.size && !busy) retryUntilLoaded(Module._viewer_dress); /* textures that a key or a lost context has asked for anew */
  if (busy) return;
  const now = readString(Module._viewer_state()), anims = animNames(), error = readString(Module._viewer_error()), note = readString(Module._viewer_note()).replaceAll(/\/?opened\/\d+[^/]*\//g, '');
  const scene = Module._viewer_shows_scene();
  if (shownState === (shownState = [now, error, note, pageNote, scene, JSON.stringify(origin), modelList?.index, ...(modelList?.entries || []).map(entry => entry.name), ...anims].join('\n'))) return;
  const { name, anim, mode, speed, crowd, signs } = readState(), mixed = signs.includes('mixed');
  const known = origin.knight ? 'Sir Rivet' : name;
  const remarks = [scene ? 'the film' : mixed ? 'every animation' : animLabel(anim)];
  if (crowd > 1) remarks.push(crowd.toLocaleString('en') + ' of them');
  setErrorText(error.replace(' - error', '') || pageError);
  document.title = known + ' · md2.h and md5.h';
  $('state').firstChild.textContent = known;
  $('state').lastChild.textContent = remarks.filter(Boolean).map(part => ' · ' + part).join('');
  const isConverted = modelList && modelList.origin === origin && modelList.entries[modelList.index].scene, remark = isConverted && /^no picture/.test(note) ? pageNote : note || pageNote;
  $('note').textContent = $('note').title = anim === 'bind pose' && /md5mesh$/i.test(name) && !isConverted ? 'It stands still: its .md5anim files are missing, choose them as well.' + (remark && ' ' + remark) : remark;
  $('crowd').ariaLabel = 'Crowd: ' + crowd;
  for (const button of $('tools').children) if (button.dataset.sign) button.ariaPressed = signs.includes(button.dataset.sign);
  for (const format of ['md2', 'md5']) $(format).ariaPressed = origin.knight === format;
  $('crowd').ariaPressed = crowd > 1;
  $('film').ariaPressed = Boolean(scene);
  $('speed').textContent = 'Speed ' + speed;
  $('loop').textContent = mode.charAt(0).toUpperCase() + mode.slice(1);
  $('mixed').disabled = crowd < 2;
  const isMd2 = /\.md2$/i.test(name);
  $('skeleton').disabled = isMd2;
  $('smooth').disabled = $('skin').disabled = !isMd2;
  $('link').disabled = !currentLink();
  $('link').title = currentLink() ? 'Copies a link to what is in view' : 'Files of yours have no address';
  $('code').lastChild.textContent = codeSample(name, anim, mode, crowd, isMd2);
  if (sortAnims(anims).map(i => anims[i]).join('\n') !== [...$('anims').children].map(button => button.title).join('\n')) {
    $('anims').replaceChildren(...sortAnims(anims).map(i => animButton(anims[i])));
  }
  updateModelList();
  for (const button of $('anims').children) {
    setPressed(button, button.title === anim && !mixed && !scene);
  }
  fadeRowEnds();
}

/* Scrolls a pressed button into sight. */
function setPressed(button, isPressed) {
  button.ariaPressed = isPressed;
  if (isPressed) button.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

/* The models to choose from: those that were opened last, if it is not the only one that is in view. Many are a list. */
function updateModelList() {
  const isShown = Boolean(modelList) && modelList.origin === origin, entries = modelList && (modelList.entries.length > 1 || !isShown) ? modelList.entries : [];
  const isLong = entries.length > 12, names = entries.map(entry => entry.name).join('\n');
  if (updateModelList.names !== names) {
    updateModelList.names = names;
    const parts = entries.map(({ name }, i) => make(isLong ? 'option' : 'button', { textContent: name, onclick: isLong ? null : () => selectModel(i) }));
    const list = make('select', { ariaLabel: 'Models', onchange: () => selectModel(list.selectedIndex) });
    if (isLong) list.append(...parts);
    $('models').replaceChildren(...isLong ? [list] : parts);
  }
  if (isLong) $('models').firstChild.selectedIndex = modelList.request === latestRequest ? modelList.pending : isShown ? modelList.index : -1;
  else [...$('models').children].forEach((button, i) => setPressed(button, isShown && i === modelList.index));
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

/* The likeliest ones first, then as in the file: of "stand" and "stand_up", stand. */
function sortAnims(names) {
  const first = FIRST_ANIMS.map(word => names.reduce((best, name, i) => !name.toLowerCase().includes(word) || (best >= 0 && names[best].length <= name.length) ? best : i, -1));
  return [...new Set([...first.filter(i => i >= 0), ...names.keys()])];
}

/* Which frame of how many, and when. */
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
