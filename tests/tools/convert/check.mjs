// check.mjs NODE_MODULES LIST: checks files of mdconvert in three.js and in Khronos' validator. Each line of LIST is a
// check, in JSON:
//   {"validate": "a.glb"}
//       the validator has no error and no warning
//   {"glb": "a.glb", "positions": "a.json"}
//       three.js shows the vertices that positions.c prints, to 1e-3 of the size; time 0 is the first key
//   {"cloud": "a.glb", "positions": "a.json", "within": 1e-3, "keys_only": false}
//       the same for vertices in any order; keys_only compares only at keys, for an MD2
//       "lent": "b.glb" plays the animations of this file, matched by the names of nodes
//   {"md2": "a.md2", "positions": "a.json"}
//       the MD2Loader of three.js shows the frames that positions.c --frames prints
//   {"same": "a.json", "as": "b.json", "within": 1e-4}
//       two outputs of positions.c have the same positions
// The last line is "N passed, N failed". Public domain.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [modules, list] = process.argv.slice(2).map(one => path.resolve(one));
const load = name => import(pathToFileURL(path.join(modules, name)));

// Replaces what three.js expects in a browser. Pictures need not be decoded here; the validator checks them.
globalThis.self = globalThis;
globalThis.ProgressEvent ??= Event;
globalThis.createImageBitmap = async () => ({ width: 1, height: 1, close() {} });

const validator = (await load('gltf-validator/index.js')).default;
const THREE = await load('three/build/three.module.js');
let passed = 0, failed = 0, farthest = 0, farthestFile = '', checked = 0;

function check(good, message) {
    if (good) ++passed;
    else { ++failed; console.log('FAILED', message); }
}

async function validate(file) {
    const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), { maxIssues: 20 });
    const { numErrors, numWarnings, messages } = report.issues;
    const worst = messages.filter(one => one.severity < 2).slice(0, 3).map(one => `${one.code} ${one.pointer}: ${one.message}`);
    check(numErrors + numWarnings === 0, `${file}: ${worst.join('; ')}`);
}

// Returns the diagonal of the bounding box.
function boundsDiagonal(numbers) {
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    numbers.forEach((x, i) => { low[i % 3] = Math.min(low[i % 3], x); high[i % 3] = Math.max(high[i % 3], x); });
    return Math.hypot(...high.map((x, i) => x - low[i]));
}

// Returns the diagonal of the largest pose, but at least the precision of floats at its distance from the origin.
function largestDiagonal(wanted) {
    const poses = wanted.frames?.map(one => one.corners) ?? wanted.anims.flatMap(anim => anim.samples.map(one => one.parts.flat()));
    return Math.max(1e-9, ...poses.map(one => Math.max(boundsDiagonal(one), 1e-3 * one.reduce((most, x) => Math.max(most, Math.abs(x)), 0))));
}

// Returns the largest distance of any vertex from its expected position, as a fraction of the size.
function error(shown, wanted, whole) {
    let most = 0;
    for (let i = 0; i < wanted.length; i += 3)
        most = Math.max(most, Math.hypot(shown[i] - wanted[i], shown[i + 1] - wanted[i + 1], shown[i + 2] - wanted[i + 2]));
    return most / whole;
}

function checkError(file, name, off) {
    ++checked;
    if (off > farthest) { farthest = off; farthestFile = file; }
    check(off < 1e-3, `${file}: ${name} is off by ${off.toPrecision(3)} of the size`);
}

async function open(file) {
    const { GLTFLoader } = await load('three/examples/jsm/loaders/GLTFLoader.js');
    const data = fs.readFileSync(file), meshes = [];
    const gltf = await new GLTFLoader().parseAsync(data.buffer.slice(data.byteOffset, data.byteOffset + data.length), '');
    gltf.scene.traverse(one => { if (one.isMesh) meshes.push(one); });
    return { gltf, meshes, mixer: new THREE.AnimationMixer(gltf.scene) };
}

// Returns the animation of this name, or the only animation of the file that lends its animations.
function findClip({ scene, animations }, lent, name) {
    const own = animations.find(one => one.name === name);
    const clip = own ?? lent?.animations.find(one => one.name === name) ?? lent?.animations[0];
    const has = track => scene.getObjectByName(THREE.PropertyBinding.parseTrackName(track.name).nodeName);
    if (clip) clip.tracks = clip.tracks.filter(has);
    return clip;
}

// Plays all animations. Calls onSample(shown, sample, name) for each sample with the vertices of each mesh in three.js.
async function play(file, wanted, lent, onSample) {
    const { gltf, meshes, mixer } = await open(file), vertex = new THREE.Vector3(), source = lent && (await open(lent)).gltf;
    for (const anim of wanted.anims) {
        const clip = findClip(gltf, source, anim.name);
        check(clip, `${file}: there is no ${anim.name}`);
        if (!clip) continue;
        mixer.stopAllAction();
        const action = mixer.clipAction(clip);
        action.setLoop(THREE.LoopOnce);
        action.clampWhenFinished = true;
        action.reset().play();
        const start = Math.min(...clip.tracks.map(one => one.times[0]));
        for (const sample of anim.samples) {
            if (start + sample.time > clip.duration && clip.duration > 0) continue;
            mixer.setTime(start + sample.time);
            gltf.scene.updateMatrixWorld(true);
            onSample(meshes.map(mesh => {
                const count = mesh.geometry.attributes.position.count, numbers = new Float64Array(3 * count);
                for (let i = 0; i < count; ++i)
                    mesh.getVertexPosition(i, vertex).applyMatrix4(mesh.matrixWorld).toArray(numbers, 3 * i);
                return numbers;
            }), sample, anim.name);
        }
        action.stop();
    }
}

async function checkGlb(file, wanted) {
    const whole = largestDiagonal(wanted);
    await play(file, wanted, null, (shown, { parts }, name) => {
        check(shown.length === parts.length, `${file}: ${shown.length} parts instead of ${parts.length}`);
        checkError(file, name, error(shown.flatMap(one => [...one]), parts.flat(), whole));
    });
}

// Returns the largest distance of a vertex of `a` from the nearest vertex of `b`. Tests about 300 of the vertices.
function cloudDistance(a, b) {
    const enough = 300, step = 3 * Math.ceil(a.length / 3 / enough);
    let most = 0;
    for (let i = 0; i < a.length; i += step) {
        let least = Infinity;
        for (let k = 0; k < b.length; k += 3) least = Math.min(least, (a[i] - b[k]) ** 2 + (a[i + 1] - b[k + 1]) ** 2 + (a[i + 2] - b[k + 2]) ** 2);
        most = Math.max(most, least);
    }
    return Math.sqrt(most);
}

async function checkCloud(file, wanted, { lent, within, keys_only: keysOnly }) {
    const whole = largestDiagonal(wanted);
    let compared = 0, most = 0;
    await play(file, wanted, lent, (shown, { parts, is_at_key, time }, name) => {
        if (keysOnly && !is_at_key) return;
        const here = shown.flatMap(one => [...one]), there = parts.flat(), off = Math.max(cloudDistance(here, there), cloudDistance(there, here)) / whole;
        ++compared;
        most = Math.max(most, off);
        check(off < within, `${file}: ${name} at ${time} is off by ${off.toPrecision(3)} of the size`);
    });
    check(compared > 2, `${file}: ${compared} poses compared`);
    if (lent) console.log(`${path.basename(lent)} on ${path.basename(file)}: ${compared} poses, the farthest vertex ${most.toPrecision(2)} of the size`);
}

async function checkMD2(file, wanted) {
    const { MD2Loader } = await load('three/examples/jsm/loaders/MD2Loader.js');
    const data = fs.readFileSync(file);
    const geometry = new MD2Loader().parse(data.buffer.slice(data.byteOffset, data.byteOffset + data.length));
    check(geometry && geometry.morphAttributes.position.length === wanted.frames.length, `${file}: frames`);
    const whole = largestDiagonal(wanted);
    wanted.frames.forEach(({ name, corners }, frame) => {
        const morph = geometry.morphAttributes.position[frame];
        check(morph.name === name, `${file}: frame ${frame} is ${morph.name}, not ${name}`);
        checkError(file, name, error(morph.array, corners, whole));
    });
}

// Compares two outputs of positions.c, pose by pose.
function compare(file, here, there, within) {
    const poses = all => all.frames?.map(one => [one.name, one.corners])
        ?? all.anims.flatMap(anim => anim.samples.map(one => [`${anim.name} ${one.time}`, one.parts.flat()]));
    const known = new Map(poses(there));
    const whole = largestDiagonal(there);
    let most = 0, count = 0;
    for (const [name, numbers] of poses(here)) {
        const wanted = known.get(name);
        check(wanted?.length === numbers.length, `${file}: ${name} is not in both`);
        if (wanted?.length !== numbers.length) continue;
        const off = error(numbers, wanted, whole);
        most = Math.max(most, off);
        ++count;
        check(off < within, `${file}: ${name} is off by ${off.toPrecision(3)} of the size`);
    }
    check(count === known.size, `${file}: ${count} poses of ${known.size}`);
    console.log(`${file}: ${count} poses, the farthest vertex ${most.toPrecision(3)} of the size`);
}

for (const text of fs.readFileSync(list, 'utf8').split('\n').filter(Boolean)) {
    const line = JSON.parse(text);
    try {
        if (line.validate) await validate(line.validate);
        const wanted = line.positions && JSON.parse(fs.readFileSync(line.positions, 'utf8'));
        if (line.glb && wanted.influences > 4) console.log(`${line.glb}: a vertex has ${wanted.influences} weights, but three.js reads four: not compared`);
        else if (line.glb && wanted.uneven) console.log(`${line.glb}: the weights of ${wanted.uneven} vertices do not sum to 1, which glTF requires: not compared`);
        else if (line.glb) await checkGlb(line.glb, wanted);
        if (line.cloud) await checkCloud(line.cloud, wanted, line);
        if (line.same) compare(line.same, ...[line.same, line.as].map(one => JSON.parse(fs.readFileSync(one, 'utf8'))), line.within);
        if (line.md2) await checkMD2(line.md2, wanted);
    } catch (problem) {
        check(false, `${text}: ${problem.stack ?? problem}`);
    }
}
console.log(`the farthest vertex of ${checked} poses: ${farthest.toPrecision(3)} of the size, in ${farthestFile}`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
