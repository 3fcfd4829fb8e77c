/* film.js - saves a film of the model in view, on a turntable. Public domain. */
'use strict';

const FILM_SECONDS = 4, SETTLE_SECONDS = 0.7, FILM_TYPES = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm', 'video/mp4'];

/* Records whole cycles of the animation, at least FILM_SECONDS long, while the camera orbits the model once, so that the
   last frame matches the first one. Before that, the model moves to the center of the picture. */
async function saveFilm() {
  const type = window.MediaRecorder && FILM_TYPES.find(type => MediaRecorder.isTypeSupported(type));
  if (!type) return reportError('This browser cannot record films. Use a different browser, or save the picture.');
  $('saving').close();
  const cycle = Module._viewer_length(), seconds = cycle > 0 ? cycle * Math.ceil(FILM_SECONDS / cycle) : FILM_SECONDS;
  const before = cameraNow(), wasPaused = readState().flags.includes('paused'), time = Module._viewer_time(), request = latestRequest;
  const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: type, videoBitsPerSecond: 8e6 }), pieces = [];
  const recording = { isFilm: true, stop: () => { recording.isStopped = true; } };
  const continues = () => !recording.isStopped && ready && request === latestRequest;
  const drawAt = fraction => {
    setFilmFrame(before, fraction, fraction * seconds);
    updateProgress(': ' + Math.floor(100 * fraction) + ' of 100');
    return new Promise(requestAnimationFrame);
  };
  recorder.ondataavailable = ({ data }) => pieces.push(data);
  const done = new Promise(done => { recorder.onstop = done; });
  pause();
  startJob(recording, 'Recording a film');
  for (const start = performance.now(); continues() && performance.now() < start + 1000 * SETTLE_SECONDS;) await drawAt(0);

  if (continues()) {
    recorder.start();
    await drawAt(0);
    const start = performance.now(), fraction = () => (performance.now() - start) / 1000 / seconds;
    while (continues() && fraction() < 1) await drawAt(fraction());
    recorder.stop();
    await done;
  }
  for (const track of recorder.stream.getTracks()) track.stop();
  endJob(recording);
  if (request === latestRequest) {
    setFilmFrame(before, 0, time);
    if (!wasPaused) pressKey(' ');
    if (!recording.isStopped) shareOrDownload(new File(pieces, shownName() + '-' + readState().anim + (type.startsWith('video/mp4') ? '.mp4' : '.webm'), { type: type.split(';')[0] }));
  }
}

/* Sets the time, and rotates the camera by a fraction of a circle away from its position before the film. */
function setFilmFrame([x, y, z, zoom, yaw, pitch], fraction, time) {
  Module._viewer_aim(x, y, z, zoom, yaw + 360 * fraction, pitch);
  Module._viewer_seek(time);
}

/* Downloads a film; on a phone, offers to share it with other apps. Sharing needs a tap, and the tap before the recording
   was too long ago. */
function shareOrDownload(file) {
  const shared = { files: [file] };
  if (!matchMedia('(pointer: coarse)').matches || !navigator.canShare?.(shared)) return downloadFile(file.name, file);
  const choices = [['Share the film', () => navigator.share(shared).catch(() => {})], ['Download the film', () => downloadFile(file.name, file)]];
  $('choices').replaceChildren(...choices.map(([textContent, run]) => make('button', { textContent, onclick: () => { run(); $('saving').close(); } })));
  $('scale').closest('p').hidden = true;
  $('unsaved').textContent = '';
  $('saving').showModal();
}
