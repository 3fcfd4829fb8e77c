/* quality.js - fits the number of pixels and of characters to the machine, and the view to the window. Public domain. */
'use strict';

/* Where frames take long, they get fewer pixels first, then, unless the visitor asked for so many, fewer characters. */
const SHARES = [1, 0.7, 0.5], ENOUGH = 5;
let share = 0, best = 0, asksFor = '', last = 0, times = [];
let good = 0, patience = 10000;                 /* how long frames were fast; and when more pixels are tried again */

function adaptQuality() {
  if (viewerArguments !== null || !ready) return;
  const now = performance.now(), { name, crowd, signs } = readState(), seen = [name, crowd, canvas.clientWidth, canvas.clientHeight, ...signs].join();
  if (seen !== asksFor) {                       /* what is new is judged anew, after its first frame */
    [asksFor, last, times, good, best] = [seen, now, [], 0, 0];
    return;
  }
  times.push(now - last);
  last = now;
  const passed = times.reduce((sum, time) => sum + time, 0);
  if (passed < 600 || times.length < ENOUGH) return;

                                               /* The time in the middle: a pause, when another tab is in front, makes one frame long, and says nothing of the others. */
  const count = times.length, took = times.sort((a, b) => a - b)[count >> 1];
  times = [];
  good = took < 18 ? good + took * count : 0;
  if (took > 45 && share < SHARES.length - 1) {
    share = took > 120 ? SHARES.length - 1 : share + 1;
    best = share;
  } else if (took > 70 && crowd === adaptQuality.crowd) {
    reduceCrowd(crowd > 12 ? 12 : 3);
  } else if (took < 18 && share > best) {
    --share;
  } else if (good > patience) {
    [best, good, patience] = [0, 0, 2 * patience];
  }
}

function reduceCrowd(crowd) {
  pageNote = readState().crowd + ' of them are more than this machine draws well: here are ' + crowd + '.';
  adaptQuality.crowd = crowd > 3 ? crowd : 0;
  Module._viewer_crowd(crowd);
  zoomToCrowd();
}
adaptQuality.crowd = OPENING.crowd;

/* One pixel of the canvas is one pixel of the screen, or stands for several where these are tiny or slow. */
function fitCanvas() {
  const ratio = Math.min(devicePixelRatio, 2) * SHARES[share];
  const [width, height] = [canvas.clientWidth, canvas.clientHeight].map(size => Math.max(1, Math.round(size * ratio)));
  if (canvas.width !== width || canvas.height !== height) Module.setCanvasSize(width, height);
}

/* The model is framed in what the caption leaves free: below it or, where that is clearly larger, beside it, between
   the panels or below the buttons. */
function updateViewFrame() {
  if (viewerArguments !== null) return;
  const box = element => element.getBoundingClientRect(), { top, width, height } = box(canvas), about = box($('about')), actions = box($('actions'));
  const below = Math.min(Math.max(box(document.querySelector('header')).bottom - top, 0), height / 2);
  const size = ([left, top, right]) => Math.min(right - left, height - top);
  const parts = [[0, below, width], [about.right, 0, actions.left], [about.right, Math.max(actions.bottom - top, 0), width]];
  const [left, from, right] = parts.reduce((best, part) => size(part) > 1.25 * size(best) ? part : best);
  Module._viewer_frame(left / width, from / height, right / width, 1);
}
