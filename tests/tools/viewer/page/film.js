/* film.js - saves a film of what is in view: one loop on the turntable. Public domain. */
'use strict';

const FILM_SECONDS = 4, SETTLE_SECONDS = 0.7, FILM_TYPES = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm', 'video/mp4'];

/* Records whole cycles of the animation, at least FILM_SECONDS long, while the camera goes around once: the film ends as it
   begins. Before that, the camera moves the model to the middle of the picture. */
async function saveFilm() {
  const type = window.MediaRecorder && FILM_TYPES.find(type => MediaRecorder.isTypeSupported(type));
  if (!type) return reportError('This browser cannot record films.');
  $('saving').close();
  const cycle = Module._viewer_length(), seconds = cycle > 0 ? cycle * Math.ceil(FILM_SECONDS / cycle) : FILM_SECONDS;
  const before = cameraNow(), wasPaused = readState().signs.includes('paused'), time = Module._viewer_time(), request = latestRequest;
  const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: type, videoBitsPerSecond: 8e6 }), pieces = [];
  const own = { isFilm: true, stop: () => { own.isStopped = true; } }, goesOn = () => !own.isStopped && ready && request === latestRequest;
  const drawAt = part => {
    aimFilm(before, part, part * seconds);
    updateProgress(': ' + Math.floor(100 * part) + ' of 100');
    return new Promise(requestAnimationFrame);
  };
  recorder.ondataavailable = ({ data }) => pieces.push(data);
  const done = new Promise(done => { recorder.onstop = done; });
  pause();
  startJob(own, 'Recording a film');
  for (const start = performance.now(); goesOn() && performance.now() < start + 1000 * SETTLE_SECONDS;) await drawAt(0);

  if (goesOn()) {
    recorder.start();
    await drawAt(0);
    const start = performance.now(), part = () => (performance.now() - start) / 1000 / seconds;
    while (goesOn() && part() < 1) await drawAt(part());
    recorder.stop();
    await done;
  }
  for (const track of recorder.stream.getTracks()) track.stop();
  endJob(own);
  if (request === latestRequest) {
    aimFilm(before, 0, time);
    if (!wasPaused) pressKey(' ');
    if (!own.isStopped) handOver(new File(pieces, shownName() + '-' + readState().anim + (type.startsWith('video/mp4') ? '.mp4' : '.webm'), { type: type.split(';')[0] }));
  }
}

/* Turns the camera by a fraction of a circle from where it was before. */
function aimFilm([x, y, z, zoom, yaw, pitch], turned, time) {
  Module._viewer_aim(x, y, z, zoom, yaw + 360 * turned, pitch);
  Module._viewer_seek(time);
}

/* Phones share a film with other programs. They do that only after a tap, and the one before the recording is too old. */
function handOver(file) {
  const shared = { files: [file] };
  if (!matchMedia('(pointer: coarse)').matches || !navigator.canShare?.(shared)) return downloadFile(file.name, file);
  const choices = [['Share the film', () => navigator.share(shared).catch(() => {})], ['Download the film', () => downloadFile(file.name, file)]];
  $('choices').replaceChildren(...choices.map(([textContent, act]) => make('button', { textContent, onclick: () => { act(); $('saving').close(); } })));
  $('scale').closest('p').hidden = true;
  $('left').textContent = '';
  $('saving').showModal();
}
