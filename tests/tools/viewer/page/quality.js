/* quality.js - fits the number of pixels and of characters to the machine, and the view to the window. Public domain. */
'use strict';

/* If frames take long, they get fewer pixels first, and then fewer characters, unless the visitor has asked for so many. */
const RESOLUTIONS = [1, 0.7, 0.5], MIN_FRAMES = 5;
let resolution = 0, bestResolution = 0;         /* indices; better ones have been too slow */
let measured = '', lastFrame = 0, frameTimes = []; /* milliseconds, of what is in view */
let goodTime = 0, patience = 10000;             /* milliseconds of fast frames, and how many before more pixels are tried */

function adaptQuality() {
  if (viewerArguments !== null || !ready || job?.isFilm) return; /* the pixels of a film stay as many */
  const now = performance.now(), { name, crowd, signs } = readState(), current = [name, crowd, canvas.clientWidth, canvas.clientHeight, ...signs].join();
  if (current !== measured) {                   /* something new is measured from its second frame on */
    [measured, lastFrame, frameTimes, goodTime, bestResolution] = [current, now, [], 0, 0];
    return;
  }
  frameTimes.push(now - lastFrame);
  lastFrame = now;
  const passed = frameTimes.reduce((sum, time) => sum + time, 0);
  if (passed < 600 || frameTimes.length < MIN_FRAMES) return;

  /* The median counts: while another tab is in front, one frame takes long, but that is no reason to change anything. */
  const count = frameTimes.length, median = frameTimes.sort((a, b) => a - b)[count >> 1];
  frameTimes = [];
  goodTime = median < 18 ? goodTime + median * count : 0;
  if (median > 45 && resolution < RESOLUTIONS.length - 1) {
    resolution = median > 120 ? RESOLUTIONS.length - 1 : resolution + 1;
    bestResolution = resolution;
  } else if (median > 70 && crowd === adaptQuality.crowd) {
    reduceCrowd(crowd > 12 ? 12 : 3);
  } else if (median < 18 && resolution > bestResolution) {
    --resolution;
  } else if (goodTime > patience) {
    [bestResolution, goodTime, patience] = [0, 0, 2 * patience];
  }
}
adaptQuality.crowd = OPENING.crowd;             /* the crowd that may be reduced */

function reduceCrowd(crowd) {
  pageNote = 'This machine cannot draw ' + readState().crowd + ' smoothly, so ' + crowd + ' are shown.';
  adaptQuality.crowd = crowd > 3 ? crowd : 0;
  Module._viewer_crowd(crowd);
  zoomToCrowd();
}

let nextFullFrame = null;                       /* a function to call after a frame with all pixels */

/* One pixel of the canvas is one pixel of the screen, or several pixels if they are tiny or frames take long. */
function fitCanvas() {
  const ratio = Math.min(devicePixelRatio, 2) * (nextFullFrame ? 1 : RESOLUTIONS[resolution]);
  const [width, height] = [canvas.clientWidth, canvas.clientHeight].map(size => Math.max(1, Math.round(size * ratio)));
  if (canvas.width !== width || canvas.height !== height) Module.setCanvasSize(width, height);
}

/* The part of the canvas, 0 to 1, that the header covers at the top. */
function freeTop() {
  const { top, height } = canvas.getBoundingClientRect(), { bottom } = document.querySelector('header').getBoundingClientRect();
  return Math.min(Math.max(bottom - top, 0), height / 2) / height;
}

/* The model is framed in the part of the canvas that the header leaves free: below the header or, where that is clearly
   larger, next to the caption, between the panels or below the buttons. */
function updateViewFrame() {
  if (isPane) return followParent();
  if (viewerArguments !== null) return;
  if (job?.isFilm) return Module._viewer_frame(0, 0, 1, 1);
  const box = element => element.getBoundingClientRect(), { top, width, height } = box(canvas), about = box($('about')), actions = box($('actions'));
  const size = ([left, top, right]) => Math.min(right - left, height - top);
  const parts = [[0, freeTop() * height, width]];
  if (!$('view').querySelector('#pane')) parts.push([about.right, 0, actions.left], [about.right, Math.max(actions.bottom - top, 0), width]);
  const [left, from, right] = parts.reduce((best, part) => size(part) > 1.25 * size(best) ? part : best);
  Module._viewer_frame(left / width, from / height, right / width, 1);
}
