/* page.js - the elements, the settings and the messages of the page. Public domain. */
'use strict';

const $ = id => document.getElementById(id), canvas = $('canvas');
const make = (tag, fields) => Object.assign(document.createElement(tag), fields);
const PARTS = JSON.parse($('parts').textContent), REPOSITORY = JSON.parse($('repository').textContent);
const KNIGHT_FOLDER = 'build/character/';
const KNIGHTS = { md5: ['knight.md5mesh', 'weapon.md5mesh'], md2: ['tris.md2', 'weapon.md2'] };

/* What a link may say, besides ?model=ADDRESS, as often as needed, and ?args=, the viewer's command line. */
const query = new URLSearchParams(location.search), viewerArguments = query.get('args'), linkedModels = query.getAll('model');

/* What the viewer can do, as { code, name, help, label, sign }: of GLFW, its key's, of the button, in the state. */
const commands = [];
const queryName = sign => sign.replace(' ', '').toLowerCase();

/* The crowd of `make demo`. */
const OPENING = { crowd: 40, signs: ['mixed'], yaw: 10 };

/* What one looks for first. */
const FIRST_ANIMS = ['stand', 'idle', 'run', 'walk', 'attack'];

/* What Quake II's names mean, where they are no words. */
const ANIM_LABELS = {
  pain1: 'pain 1', pain2: 'pain 2', pain3: 'pain 3', death1: 'death 1', death2: 'death 2', death3: 'death 3',
  crstnd: 'crouch, stand', crwalk: 'crouch, walk', crattak: 'crouch, attack', crpain: 'crouch, pain', crdeath: 'crouch, death'
};
const animLabel = name => Object.hasOwn(ANIM_LABELS, name) ? ANIM_LABELS[name] : name;

let ready = false, ended = false, lastOutput = '', shownState = '';
let pageError = '', pageNote = '';              /* of the page's own; the viewer has others */
let origin = { knight: 'md5' };                 /* or { links: [...] }, or { files: true } */

/* Shows an error for eight seconds, in the dialog if one is open. If the page has stopped, the error stays. */
function setErrorText(text) {
  const shown = $('error').firstChild;
  if (text === shown.textContent) return;
  shown.textContent = text;
  (document.querySelector('dialog[open]') || document.querySelector('header')).append($('error'));
  clearTimeout(setErrorText.timer);
  if (text) setErrorText.timer = setTimeout(clearError, 8000);
}

function reportError(text) { pageError = text; shownState = ''; setErrorText(text); }

function clearError() {
  if (ended) return;
  pageNote = '';
  reportError('');
  if (ready) Module._viewer_key(0);
}

function stopPage(text) {
  setErrorText(text);
  [ended, ready] = [true, false];
  $('state').firstChild.textContent = '';
}

const messageOf = why => why instanceof Error ? why.message : String(why);
