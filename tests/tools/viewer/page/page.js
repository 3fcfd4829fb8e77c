/* page.js - the elements, settings and messages of the page. Public domain. */
'use strict';

const $ = id => document.getElementById(id), canvas = $('canvas');
const make = (tag, fields) => Object.assign(document.createElement(tag), fields);
const PARTS = JSON.parse($('parts').textContent), REPOSITORY = JSON.parse($('repository').textContent);
const KNIGHT_FOLDER = 'build/character/';
const KNIGHTS = { md5: ['knight.md5mesh', 'weapon.md5mesh'], md2: ['tris.md2', 'weapon.md2'] };

/* The query of the address. It may contain ?model=ADDRESS several times, or ?args= with the viewer's command line. */
const query = new URLSearchParams(location.search), viewerArguments = query.get('args'), linkedModels = query.getAll('model');

/* The viewer's commands, as { code, name, help, label, flag }: code and name of the key, the help text, the label of the
   button, and the name of the flag that the command switches. */
const commands = [];
const queryName = flag => flag.replace(' ', '').toLowerCase();

/* The state that the page begins with. On a phone, 40 characters would be small and slow. */
const OPENING = { crowd: matchMedia('(max-width: 700px)').matches ? 12 : 40, flags: ['mixed'], yaw: 10 };

/* Words in the names of the animations whose buttons come first. */
const FIRST_ANIMS = ['idle', 'stand', 'run', 'walk', 'attack'];

/* Labels for those animation names of Quake II that are not words. */
const ANIM_LABELS = {
  pain1: 'pain 1', pain2: 'pain 2', pain3: 'pain 3', death1: 'death 1', death2: 'death 2', death3: 'death 3',
  crstnd: 'crouch, stand', crwalk: 'crouch, walk', crattak: 'crouch, attack', crpain: 'crouch, pain', crdeath: 'crouch, death'
};
const animLabel = name => Object.hasOwn(ANIM_LABELS, name) ? ANIM_LABELS[name] : name;

let ready = false, ended = false, lastOutput = '', shownState = '';
let pageError = null;                           /* { text, action }; viewer_error and viewer_note are separate */
let pageNote = '';
let origin = { knight: 'md5' };                 /* or { links: [...] }, or { files: true } */

/* -- Messages ---------------------------------------------------------------------------------------------------------- */

/* Shows an error for eight seconds, in the dialog if one is open. The action is an optional button, { label, run }. An
   error with an action stays until it is closed. */
function setErrorText(text, action) {
  const [shown, button] = $('error').children;
  if (text === shown.textContent) return;
  shown.textContent = text;
  button.hidden = !action;
  button.textContent = action?.label;
  button.onclick = action && (() => { clearError(); action.run(); });
  (document.querySelector('dialog[open]') || document.querySelector('header')).append($('error'));
  clearTimeout(setErrorText.timer);
  if (text && !action) setErrorText.timer = setTimeout(clearError, 8000);
}

function reportError(text, action) {
  pageError = { text, action };
  shownState = '';
  setErrorText(text, action);
}

function clearError() {
  if (ended) return;
  pageNote = '';
  reportError('');
  if (ready) Module._viewer_key(0);
}

/* Shows an error that stays, and stops the page. */
function stopPage(text) {
  setErrorText(text);
  [ended, ready] = [true, false];
  $('state').firstChild.textContent = '';
  document.body.classList.add('stopped');
}

const messageOf = why => why instanceof Error ? why.message : String(why);
