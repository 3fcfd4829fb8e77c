// check.mjs NODE_MODULES LIST: reads files that mdconvert wrote with programs of others. LIST has lines of JSON:
//   {"validate": "a.glb"}                         Khronos' validator has no error and no warning
//   {"glb": "a.glb", "positions": "a.json"}       three.js shows what positions.c tells, to 1e-3 of the size; its
//                                                 animations begin with their first keys
//   {"cloud": "a.glb", "positions": "a.json", "within": 1e-3, "keys_only": false}  likewise, whatever the order of the
//                                                 vertices; of an MD2 only where it has frames
//        "lent": "b.glb"                          and with the animations of this file, by the names of its nodes
//   {"md2": "a.md2", "positions": "a.json"}       its MD2Loader shows the frames that positions.c --frames tells
//   {"same": "a.json", "as": "b.json", "within": 1e-4}  two outputs of positions.c tell of the same places
// Ends with "N passed, N failed". Public domain.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [modules, list] = process.argv.slice(2).map(one => path.resolve(one));
const load = name => import(pathToFileURL(path.join(modules, name)));

// What three.js asks a browser for. The pictures are Khronos' to check.
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

function size(numbers) {
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    numbers.forEach((x, i) => { low[i % 3] = Math.min(low[i % 3], x); high[i % 3] = Math.max(high[i % 3], x); });
    return Math.hypot(...high.map((x, i) => x - low[i]));
}

// That of the largest pose; of a speck far from the origin, what floats can tell there.
function sizeOf(wanted) {
    const poses = wanted.frames?.map(one => one.corners) ?? wanted.anims.flatMap(anim => anim.samples.map(one => one.parts.flat()));
    return Math.max(1e-9, ...poses.map(one => Math.max(size(one), 1e-3 * one.reduce((most, x) => Math.max(most, Math.abs(x)), 0))));
}

// The farthest that a vertex is from where it should be, as a share of the size.
function error(shown, wanted, whole) {
    let most = 0;
    for (let i = 0; i < wanted.length; i += 3)
        most = Math.max(most, Math.hypot(shown[i] - wanted[i], shown[i + 1] - wanted[i + 1], shown[i + 2] - wanted[i + 2]));
    return most / whole;
}

function tell(file, name, off) {
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

// The animation of this name, which is that of the file where one lends a single animation.
function findClip({ scene, animations }, lent, name) {
    const own = animations.find(one => one.name === name);
    const clip = own ?? lent?.animations.find(one => one.name === name) ?? lent?.animations[0];
    const has = track => scene.getObjectByName(THREE.PropertyBinding.parseTrackName(track.name).nodeName);
    if (clip) clip.tracks = clip.tracks.filter(has);
    return clip;
}

// Calls tell(shown, parts, name) with what three.js shows of each mesh at each sample.
async function play(file, wanted, lent, tell) {
    const { gltf, meshes, mixer } = await open(file), vertex = new THREE.Vector3(), lender = lent && (await open(lent)).gltf;
    for (const anim of wanted.anims) {
        const clip = findClip(gltf, lender, anim.name);
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
            tell(meshes.map(mesh => {
                const count = mesh.geometry.attributes.position.count, numbers = new Float64Array(3 * count);
                for (let i = 0; i < count; ++i)
                    mesh.getVertexPosition(i, vertex).applyMatrix4(mesh.matrixWorld).toArray(numbers, 3 * i);
                return numbers;
            }), sample, anim.name);
        }
        action.stop();
    }
}

async function show(file, wanted) {
    const whole = sizeOf(wanted);
    await play(file, wanted, null, (shown, { parts }, name) => {
        check(shown.length === parts.length, `${file}: ${shown.length} parts instead of ${parts.length}`);
        tell(file, name, error(shown.flatMap(one => [...one]), parts.flat(), whole));
    });
}

// The farthest that a vertex of one is from the nearest of the other. Of many vertices some tell.
function apart(a, b) {
    const enough = 300, step = 3 * Math.ceil(a.length / 3 / enough);
    let most = 0;
    for (let i = 0; i < a.length; i += step) {
        let least = Infinity;
        for (let k = 0; k < b.length; k += 3) least = Math.min(least, (a[i] - b[k]) ** 2 + (a[i + 1] - b[k + 1]) ** 2 + (a[i + 2] - b[k + 2]) ** 2);
        most = Math.max(most, least);
    }
    return Math.sqrt(most);
}

async function showCloud(file, wanted, { lent, within, keys_only: keysOnly }) {
    const whole = sizeOf(wanted);
    let compared = 0, most = 0;
    await play(file, wanted, lent, (shown, { parts, is_at_key, time }, name) => {
        if (keysOnly && !is_at_key) return;
        const here = shown.flatMap(one => [...one]), there = parts.flat(), off = Math.max(apart(here, there), apart(there, here)) / whole;
        ++compared;
        most = Math.max(most, off);
        check(off < within, `${file}: ${name} at ${time} is off by ${off.toPrecision(3)} of the size`);
    });
    check(compared > 2, `${file}: ${compared} poses compared`);
    if (lent) console.log(`${path.basename(lent)} on ${path.basename(file)}: ${compared} poses, the farthest vertex ${most.toPrecision(2)} of the size`);
}

async function showMD2(file, wanted) {
    const { MD2Loader } = await load('three/examples/jsm/loaders/MD2Loader.js');
    const data = fs.readFileSync(file);
    const geometry = new MD2Loader().parse(data.buffer.slice(data.byteOffset, data.byteOffset + data.length));
    check(geometry && geometry.morphAttributes.position.length === wanted.frames.length, `${file}: frames`);
    const whole = sizeOf(wanted);
    wanted.frames.forEach(({ name, corners }, frame) => {
        const morph = geometry.morphAttributes.position[frame];
        check(morph.name === name, `${file}: frame ${frame} is ${morph.name}, not ${name}`);
        tell(file, name, error(morph.array, corners, whole));
    });
}

function compare(file, here, there, within) {
    const poses = all => all.frames?.map(one => [one.name, one.corners])
        ?? all.anims.flatMap(anim => anim.samples.map(one => [`${anim.name} ${one.time}`, one.parts.flat()]));
    const known = new Map(poses(there));
    const whole = sizeOf(there);
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

for (const line of fs.readFileSync(list, 'utf8').split('\n').filter(Boolean)) {
    const job = JSON.parse(line);
    try {
        if (job.validate) await validate(job.validate);
        const wanted = job.positions && JSON.parse(fs.readFileSync(job.positions, 'utf8'));
        if (job.glb && wanted.influences > 4) console.log(`${job.glb}: ${wanted.influences} weights on a vertex, three.js reads four: not compared`);
        else if (job.glb && wanted.uneven) console.log(`${job.glb}: the weights of ${wanted.uneven} vertices do not sum to 1, which glTF asks for: not compared`);
        else if (job.glb) await show(job.glb, wanted);
        if (job.cloud) await showCloud(job.cloud, wanted, job);
        if (job.same) compare(job.same, ...[job.same, job.as].map(one => JSON.parse(fs.readFileSync(one, 'utf8'))), job.within);
        if (job.md2) await showMD2(job.md2, wanted);
    } catch (problem) {
        check(false, `${line}: ${problem.stack ?? problem}`);
    }
}
console.log(`the farthest vertex of ${checked} poses: ${farthest.toPrecision(3)} of the size, in ${farthestFile}`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
