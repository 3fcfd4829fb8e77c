/* quality.js - reduces the number of pixels and characters on slow machines, and fits the view into the window. Public
   domain. */
'use strict';

/* If frames take long, first the number of pixels is reduced, and then the crowd, unless the user chose its size. */
const RESOLUTIONS = [1, 0.7, 0.5], MIN_FRAMES = 5;
let resolution = 0, bestResolution = 0;         /* indices of RESOLUTIONS; those before bestResolution were too slow */
let measured = '', lastFrame = 0, frameTimes = []; /* the view that is measured; milliseconds */
let fastTime = 0, retryTime = 10000;            /* milliseconds of fast frames, and how many before more pixels are tried */

function adaptQuality() {
  if (viewerArguments !== null || !ready || job?.isFilm) return; /* a film keeps its number of pixels */
  const now = performance.now(), { name, crowd, flags } = readState(), current = [name, crowd, canvas.clientWidth, canvas.clientHeight, ...flags].join();
  if (current !== measured) {                   /* the first frame of a new view is not measured */
    [measured, lastFrame, frameTimes, fastTime, bestResolution] = [current, now, [], 0, 0];
    return;
  }
  frameTimes.push(now - lastFrame);
  lastFrame = now;
  const passed = frameTimes.reduce((sum, time) => sum + time, 0);
  if (passed < 600 || frameTimes.length < MIN_FRAMES) return;

  /* Use the median: a single frame takes long while another tab is in front, and this must not change anything. */
  const count = frameTimes.length, median = frameTimes.sort((a, b) => a - b)[count >> 1];
  frameTimes = [];
  fastTime = median < 18 ? fastTime + median * count : 0;
  if (median > 45 && resolution < RESOLUTIONS.length - 1) {
    resolution = median > 120 ? RESOLUTIONS.length - 1 : resolution + 1;
    bestResolution = resolution;
  } else if (median > 70 && crowd === adaptQuality.crowd) {
    reduceCrowd(crowd > 12 ? 12 : 3);
  } else if (median < 18 && resolution > bestResolution) {
    --resolution;
  } else if (fastTime > retryTime) {
    [bestResolution, fastTime, retryTime] = [0, 0, 2 * retryTime];
  }
}
adaptQuality.crowd = OPENING.crowd;             /* a crowd of this size may be reduced; 0: none */

function reduceCrowd(crowd) {
  pageNote = 'This machine cannot draw ' + readState().crowd + ' characters smoothly, so ' + crowd + ' are shown.';
  adaptQuality.crowd = crowd > 3 ? crowd : 0;
  Module._viewer_crowd(crowd);
  zoomToCrowd();
}

let nextFullFrame = null;                       /* a function to call after the next frame, which is drawn in full resolution */

/* Sets the number of pixels of the canvas. One pixel of the canvas is one pixel of the screen, or several if the pixels of
   the screen are tiny or if frames take long. */
function fitCanvas() {
  const ratio = Math.min(devicePixelRatio, 2) * (nextFullFrame ? 1 : RESOLUTIONS[resolution]);
  const [width, height] = [canvas.clientWidth, canvas.clientHeight].map(size => Math.max(1, Math.round(size * ratio)));
  if (canvas.width !== width || canvas.height !== height) Module.setCanvasSize(width, height);
}

/* Returns the part of the canvas, 0 to 1, that the header covers at the top. */
function freeTop() {
  const { top, height } = canvas.getBoundingClientRect(), { bottom } = document.querySelector('header').getBoundingClientRect();
  return Math.min(Math.max(bottom - top, 0), height / 2) / height;
}

/* Sets the part of the canvas in which the model is shown. It is below the header; or, if that is clearly larger, between
   the caption and the buttons of the header, or next to the caption and below these buttons. */
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
