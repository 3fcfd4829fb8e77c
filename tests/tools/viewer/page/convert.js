/* convert.js - runs mdconvert and info, each time in a new worker, and shows the models that mdconvert writes. Public
   domain. */
'use strict';

const isGltf = path => /\.(glb|gltf|vrm)$/i.test(path);
const isGltfPart = path => /\.(bin|png|jpe?g|webp)$/i.test(path); /* a file that a .gltf may name */
const stem = path => path.split('/').pop().replace(/\.[^.]*$/, '');
const STOPPED = new Error('Stopped.');
let job = null;                                 /* the job that runs, as { stop }; there is at most one */

/* -- Programs ---------------------------------------------------------------------------------------------------------- */

/* Runs a program, 'mdconvert' or 'info', with a command line and input files, as [path, blob]. Returns the lines that it
   prints, and its output files, as [name, blob]. If there is a label, the page shows it with the progress and a Stop
   button. */
async function runProgram(name, words, files, label) {
  const thisJob = {}, lines = [];
  const stopped = new Promise((_, fail) => { thisJob.stop = () => fail(STOPPED); });
  if (label) startJob(thisJob, label);
  let worker;
  try {
    const run = async () => {
      const program = await loadProgram(name), contents = [];
      for (const [, blob] of files) contents.push(await blob.arrayBuffer()); /* one after another, because the viewer extracts files of archives */
      worker = new Worker(PARTS.worker);
      return new Promise((done, fail) => {
        worker.onerror = event => fail(new Error(event.message || name + ' could not be loaded.'));
        worker.onmessage = ({ data }) => {
          if (data.line === undefined) {
            if (data.status) fail(new Error(lines.join('\n')));
            else done({ lines, made: data.files.map(([name, bytes]) => [name, new Blob([bytes])]) });
          } else if (!updateProgress(data.line) && !data.line.startsWith('/made/')) { /* not a file and its size */
            lines.push(data.line.replace(/^mdconvert: /, ''));
          }
        };
        worker.postMessage({ script: PARTS[name][0], program, words, files: files.map(([path], i) => [path, new Uint8Array(contents[i])]) });
      });
    };
    return await Promise.race([run(), stopped]);
  } finally {
    worker?.terminate();
    endJob(thisJob);
  }
}

function loadProgram(name) {
  const load = async () => (await fetchPart(PARTS[name][1])).arrayBuffer();
  loadProgram[name] ??= load().catch(why => { loadProgram[name] = null; throw why; });
  return loadProgram[name];
}

/* Stops the previous job, and shows the progress of the new one: in the open dialog, or else below the caption. */
function startJob(newJob, label) {
  job?.stop();
  job = newJob;
  const [bar, text] = $('job').children;
  bar.removeAttribute('value');
  text.textContent = $('job').dataset.label = label;
  (document.querySelector('dialog[open]') || $('about')).append($('job'));
  $('job').hidden = false;
}

function endJob(endedJob) {
  if (job !== endedJob) return;
  job = null;
  $('job').hidden = true;
}

/* Shows the progress if a line reports it, like "frames: 48 of 947". Returns false for other lines. */
function updateProgress(line) {
  const [, count, total] = line.match(/: (\d+) of (\d+)$/) || [];
  if (!total) return false;
  const [bar, text] = $('job').children;
  bar.value = count / total;
  text.textContent = $('job').dataset.label + ', ' + Math.round(100 * count / total) + ' %';
  return true;
}

/* Removes advice about options of the command line, because the page has buttons instead. */
const withoutOptions = line => line.replaceAll('given/', '').replace(/[;:,]? *(use |with )?--[a-z].*$/, '').trimEnd();

function reportProblem(why, action) {
  reportError(messageOf(why).split('\n').map(withoutOptions).filter(Boolean).join('\n'), action);
}

/* -- glTF -------------------------------------------------------------------------------------------------------------- */

/* Returns what a .glb, .gltf or .vrm contains. A file that cannot be read is treated as a character, so that mdconvert
   reports the reason. */
async function readGltfSummary(file) {
  try {
    const blob = file instanceof Blob ? file : new Blob([await file.arrayBuffer()]);
    const head = new DataView(await blob.slice(0, 20).arrayBuffer());
    const isBinary = head.getUint32(0, true) === 0x46546c67; /* "glTF" */
    const text = isBinary ? blob.slice(20, 20 + head.getUint32(12, true)) : blob;
    const { meshes = [], skins = [], animations = [] } = JSON.parse(await text.text());
    return {
      hasMesh: meshes.length > 0, hasSkin: skins.length > 0, hasAnims: animations.length > 0,
      hasMorphs: meshes.some(mesh => mesh.primitives?.some(part => part.targets))
    };
  } catch (why) {
    return { hasMesh: true };
  }
}

/* -- Converted models ------------------------------------------------------------------------------------------------------ */

/* Returns an entry of the list of models: the model that mdconvert writes in a format, 'MD5' or 'MD2', from `inputs`. The
   first input is the model. */
function conversionEntry(name, format, inputs, files) {
  const entry = { name, format, inputs, files, remarks: [] };
  entry.show = () => showConversion(entry);
  return entry;
}

/* Converts a model with mdconvert. `output` is a file name without a folder. */
async function convert(inputs, files, output, options, label) {
  const words = [...inputs.map(name => 'given/' + name), '-o', '/made/' + output, ...options];
  const { lines, made } = await runProgram('mdconvert', words, files.map(([name, blob]) => ['given/' + name, blob]), label);
  return { made, remarks: lines };
}

/* Converts and shows the model of an entry. If the animations of the other inputs do not fit, shows the model without them
   and a note with the reason. */
async function showConversion(entry) {
  const request = latestRequest, { inputs, files } = entry;
  if (!entry.folder) {
    const output = (entry.file || stem(inputs[0])) + (entry.format === 'MD2' ? '.md2' : '.md5mesh'), label = 'Converting ' + inputs[0].split('/').pop();
    try {
      let problem = '';
      const done = await convert(inputs, files, output, [], label).catch(why => {
        if (why === STOPPED || inputs.length === 1 || !entry.standsAlone || request !== latestRequest) throw why;
        problem = messageOf(why);
        return convert(inputs.slice(0, 1), files, output, [], label);
      });
      if (request !== latestRequest) return false;
      entry.folder = '/opened/' + ++folders + '-made/';
      for (const [name, blob] of [...done.made, ...entry.kept || []]) addLazyFile(entry.folder + name, blob);
      entry.remarks = [problem, ...done.remarks].map(withoutOptions).filter(Boolean);
      entry.height = Number(done.remarks.join('\n').match(/ and ([\d.e+-]+) high/)?.[1]) || 0;
    } catch (why) {
      if (request !== latestRequest) return false;
      if (why === STOPPED) startRequest();      /* a new request, so that no other model of the list is tried */
      else reportProblem(why);
      return false;
    }
  }
  return openInViewer([entry.folder]);
}

/* -- Retargeting ---------------------------------------------------------------------------------------------------------- */

/* Returns the model in view as the target of animations of other characters, as { name, file, inputs, files, kept, anims }.
   The weapon of an MD2 is an input. The weapon and the pictures of an MD5 are kept next to the output of mdconvert. */
function shownTarget() {
  const { inputs, files, kept = files.filter(([name]) => !inputs.includes(name)) } = shownSource();
  const name = origin.knight ? 'Sir Rivet' : shownEntry?.targetName || (shownEntry?.inputs ? stem(shownEntry.inputs[0]) : shownName());
  const isMd5 = /\.md5mesh$/i.test(inputs[0]), weapons = isMd5 ? inputs.slice(1).filter(isModel) : [];
  return {
    name, file: shownName(), files, anims: animNames(), inputs: inputs.filter(input => !weapons.includes(input)),
    kept: isGltf(inputs[0]) ? [] : [...kept, ...files.filter(([name]) => weapons.includes(name))]
  };
}

/* Returns an entry of the list: a target with the animations of glTF files. When it is shown, the first new animation
   plays. */
function retargetEntry(label, target, anims, format = 'MD5') {
  const inputs = [...target.inputs, ...anims.map(([name]) => name)];
  const entry = Object.assign(conversionEntry(label, format, inputs, [...target.files, ...anims]), { targetName: target.name, file: target.file, kept: target.kept });
  entry.show = async () => {
    if (!await showConversion(entry)) return false;
    const first = animNames().find(name => !target.anims.includes(name));
    if (first) play(first);
    return true;
  };
  return entry;
}

/* Shows the character in view with the animations of glTF files. The entry of a glTF character is replaced; for other
   models, a new entry is added to the list. */
async function addGltfAnims(anims) {
  const request = latestRequest, target = shownTarget(), format = origin.knight, isFromGltf = Boolean(shownEntry?.inputs) && isGltf(shownEntry.inputs[0]);
  const entry = retargetEntry(isFromGltf ? shownEntry.name : target.name + ' with ' + stem(anims[0][0]), target, anims, shownEntry?.inputs && shownEntry.format);
  const original = shownEntry || { name: target.name, origin, show: () => openInViewer(knightFiles(format)) };
  if (!await entry.show() || request !== latestRequest) return false;

  const entries = modelList?.entries.includes(original) ? modelList.entries : [original];
  modelList = { entries: isFromGltf ? entries.map(other => other === original ? entry : other) : [...entries, entry], files: modelList?.files };
  [origin, shownEntry] = [{ files: true }, entry];
  return true;
}
