// scenes.mjs FOLDER: writes small .gltf scenes with features that mdconvert reads but never writes: materials with a
// color and no picture, nodes that mirror, animations that begin after time 0, numbers of other types, curves,
// stretched joints. scenes.mjs --still MD2 COPY: copies an MD2 so that each frame looks like the first. Public domain.
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';

if (process.argv[2] === '--still') {
    const data = fs.readFileSync(process.argv[3]), [size, count, at] = [4, 10, 14].map(i => data.readInt32LE(4 * i));
    for (let i = 1; i < count; ++i) {
        const frame = at + size * i, name = Buffer.from(data.subarray(frame + 24, frame + 40));
        data.copy(data, frame, at, at + size);
        name.copy(data, frame + 24);
    }
    fs.writeFileSync(process.argv[4], data);
    process.exit();
}

const folder = process.argv[2];
const VEC2 = 'VEC2', VEC3 = 'VEC3', VEC4 = 'VEC4', SCALAR = 'SCALAR';
const sizes = { VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16, SCALAR: 1 };
const types = { 5121: Uint8Array, 5122: Int16Array, 5123: Uint16Array, 5126: Float32Array };

// Collects arrays of numbers; add() returns the index of the accessor.
function makeBuffer() {
    const pieces = [], views = [], accessors = [];
    let length = 0;
    function add(type, numbers, isIndex = false, componentType = isIndex ? 5123 : 5126, normalized = false) {
        const array = new types[componentType](numbers), size = sizes[type];
        const bytes = Buffer.alloc((array.byteLength + 3) & ~3);
        Buffer.from(array.buffer).copy(bytes);
        const of = column => Array.from(array).filter((_, i) => i % size === column);
        const columns = [...Array(size).keys()];
        views.push({ buffer: 0, byteOffset: length, byteLength: array.byteLength });
        accessors.push({
            bufferView: views.length - 1, componentType, count: array.length / size, type, normalized,
            min: columns.map(i => Math.min(...of(i))), max: columns.map(i => Math.max(...of(i))),
        });
        pieces.push(bytes);
        length += bytes.length;
        return accessors.length - 1;
    }
    // Makes an accessor sparse: some of its rows differ from its view.
    function replaceRows(accessor, rows, numbers) {
        const [indices, values] = [add(SCALAR, rows, true), add(accessors[accessor].type, numbers)].map(i => ({ bufferView: accessors[i].bufferView }));
        accessors[accessor].sparse = { count: rows.length, indices: { ...indices, componentType: 5123 }, values };
    }
    const close = () => ({
        buffers: [{ byteLength: length, uri: 'data:application/octet-stream;base64,' + Buffer.concat(pieces).toString('base64') }],
        bufferViews: views, accessors,
    });
    return { add, replaceRows, close };
}

function write(name, buffer, scene) {
    const gltf = { asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0] }], ...scene, ...buffer.close() };
    const text = JSON.stringify(gltf, null, 1).replace(/[\u0080-\uffff]/g, c => '\\u' + c.charCodeAt().toString(16).padStart(4, '0'));
    fs.writeFileSync(path.join(folder, name + '.gltf'), text);
}

// paint: two triangles, red and blue.
{
    const buffer = makeBuffer(), triangle = buffer.add(SCALAR, [0, 1, 2], true);
    const primitives = [0, 1].map(i => ({
        attributes: { POSITION: buffer.add(VEC3, [0, 0, i, 1, 0, i, 0, 1, i]) }, indices: triangle, material: i,
    }));
    const plain = (name, color) => ({ name, doubleSided: name === 'Paint', pbrMetallicRoughness: { baseColorFactor: color } });
    write('paint', buffer, {
        nodes: [{ mesh: 0 }], meshes: [{ primitives }],
        materials: [plain('Paint', [1, 0, 0, 1]), plain('Paint.001', [0, 0.2140411, 1, 1])],
    });
}

// right, mirrored, turned_over, morphed: a wedge below a node that may mirror it. One animation rotates the wedge, and
// one moves it in five keys, the first at 1/24 s. In `morphed`, the second animation changes a morph target instead.
const corners = [0, 0, 0, 1, 0, 0, 0, 0.5, 0, 0, 0, 2];
const sides = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3];

function writeWedge(name, mirror, isMorphed) {
    const buffer = makeBuffer();
    const primitive = { attributes: { POSITION: buffer.add(VEC3, corners) }, indices: buffer.add(SCALAR, sides, true) };
    if (isMorphed) primitive.targets = [{ POSITION: buffer.add(VEC3, corners.map(x => x / 2)) }];

    const frames = [1, 2, 3, 4, 5], times = buffer.add(SCALAR, frames.map(i => i / 24));
    const late = isMorphed ? { path: 'weights', output: buffer.add(SCALAR, frames.map(i => i / 5)) }
        : { path: 'translation', output: buffer.add(VEC3, frames.flatMap(i => [1, i, 3])) };
    const animations = [{ name: 'late', channels: [{ sampler: 0, target: { node: isMorphed ? 1 : 0, path: late.path } }],
                          samplers: [{ input: times, output: late.output }] }];
    if (!isMorphed) {
        const turns = buffer.add(VEC4, [0, 0, 0, 1, 0.6, 0, 0, 0.8, 0, 0.6, 0, 0.8]);
        animations.push({ name: 'turn', channels: [{ sampler: 0, target: { node: 0, path: 'rotation' } }],
                          samplers: [{ input: buffer.add(SCALAR, [0, 0.125, 0.25]), output: turns }] });
    }
    write(name, buffer, {
        nodes: [{ name: 'top', children: [1], scale: mirror, translation: [1, 2, 3], rotation: [0.6, 0, 0, 0.8] },
                { name: 'wedge', mesh: 0, rotation: [0, 0, 0.28, 0.96] }],
        meshes: [{ primitives: [primitive] }], animations,
    });
}
// Writes the wedge with other properties of the file.
function writePlainWedge(name, scene) {
    const buffer = makeBuffer(), attributes = { POSITION: buffer.add(VEC3, corners) };
    write(name, buffer, { nodes: [{ mesh: 0 }], meshes: [{ primitives: [{ attributes, indices: buffer.add(SCALAR, sides, true) }] }], ...scene });
}
writePlainWedge('wedge', {});

// strip, fan, sparse: the same wedge as a triangle strip, as a fan and a triangle, and with positions that a sparse
// accessor replaces.
function writeWedgeAs(name, parts, positions = corners, replaced = null) {
    const buffer = makeBuffer(), position = buffer.add(VEC3, positions);
    if (replaced) buffer.replaceRows(position, ...replaced);
    const primitives = parts.map(([mode, list]) => ({ attributes: { POSITION: position }, indices: buffer.add(SCALAR, list, true), mode }));
    write(name, buffer, { nodes: [{ mesh: 0 }], meshes: [{ primitives }] });
}
writeWedgeAs('strip', [[5, [0, 2, 1, 3, 0, 2]]]);
writeWedgeAs('fan', [[6, [0, 2, 1, 3, 2]], [4, [1, 2, 3]]]);
writeWedgeAs('sparse', [[4, sides]], [0, 0, 0, 9, 9, 9, 0, 0.5, 0, 7, 7, 7], [[1, 3], [1, 0, 0, 0, 0, 2]]);

// endless, smile: an animation of 28 hours, and one whose name is an emoji.
function writeSlide(name, last, anim) {
    const buffer = makeBuffer(), samplers = [{ input: buffer.add(SCALAR, [0, last]), output: buffer.add(VEC3, [0, 0, 0, 1, 0, 0]) }];
    write(name, buffer, { nodes: [{ mesh: 0 }], meshes: [{ primitives: [{ attributes: { POSITION: buffer.add(VEC3, corners) }, indices: buffer.add(SCALAR, sides, true) }] }],
                          animations: [{ name: anim, samplers, channels: [{ sampler: 0, target: { node: 0, path: 'translation' } }] }] });
}
writeSlide('endless', 1e5, 'endless');
writeSlide('smile', 1, '\u{1F600}');
writePlainWedge('ktx', { extensionsRequired: ['KHR_texture_basisu'] });
writePlainWedge('copies', { extensionsRequired: ['EXT_mesh_gpu_instancing'] });
writePlainWedge('first', { asset: { version: '1.0' } });
writeWedge('right', [1, 1, 1], false);
writeWedge('mirrored', [-1, 1, 1], false);
writeWedge('turned_over', [-1, -1, -1], false);
writeWedge('morphed', [1, -1, 1], true);

// rig, stretched, morph_rig, long_rig: a tube of four rings on two bones. The second bone has the name of the mesh. The
// weights are bytes, and the skin has no matrices, so mesh space is joint space. `long` multiplies all lengths.
function writeRig(name, long, options) {
    const buffer = makeBuffer(), positions = [], indices = [], joints = [], weights = [];
    for (let ring = 0; ring < 4; ++ring) for (let side = 0; side < 3; ++side) {
        positions.push(0.3 * Math.cos(side * 2.1), ring * 0.5 * long, 0.3 * Math.sin(side * 2.1));
        joints.push(0, 1, 0, 0);
        weights.push(255 - 85 * ring, 85 * ring, 0, 0);
        const next = (side + 1) % 3, at = 3 * ring;
        if (ring < 3) indices.push(at + side, at + 3 + side, at + next, at + next, at + 3 + side, at + 3 + next);
    }
    const primitive = {
        attributes: { POSITION: buffer.add(VEC3, positions), JOINTS_0: buffer.add(VEC4, joints, false, 5121),
                      WEIGHTS_0: buffer.add(VEC4, weights, false, 5121, true) },
        indices: buffer.add(SCALAR, indices, true),
    };
    const times = buffer.add(SCALAR, [0, 0.5, 1]), animations = [];
    const animate = (name, ...tracks) => animations.push({
        name, samplers: tracks.map(([, , output, interpolation = 'LINEAR']) => ({ input: times, output, interpolation })),
        channels: tracks.map(([node, path], sampler) => ({ sampler, target: { node, path } })),
    });
    const half = Math.round(32767 * Math.SQRT1_2);
    animate('bend', [2, 'rotation', buffer.add(VEC4, [0, 0, 0, 32767, 0, 0, half, half, half, 0, 0, half], false, 5122, true)],
            [1, 'translation', buffer.add(VEC3, [0, 0, 0, long, 0, 0, 0, 0, 2 * long])]);
    if (options === 'own') {
        animate('curve', [1, 'translation', buffer.add(VEC3, [0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 4, 1, 1, 0, 0, -2, 0, 2, 0, 1, 0, 0, 2, 0, 0, 0]), 'CUBICSPLINE']);
        animate('grow', [2, 'scale', buffer.add(VEC3, [1, 1, 1, 2, 2, 2, 0.5, 0.5, 0.5])]);
        animate('step', [1, 'rotation', buffer.add(VEC4, [0, 0, 0, 1, 0, 0.6, 0, 0.8, 0, 0, 0.6, 0.8]), 'STEP']);
    }
    if (options === 'stretched') {
        animate('stretch', [1, 'scale', buffer.add(VEC3, [1, 1, 1, 1, 2, 0.5, 0.2, 1, 3])],
                [2, 'rotation', buffer.add(VEC4, [0, 0, 0, 1, 0, 0, 0.6, 0.8, 0.6, 0, 0, 0.8])]);
    }
    if (options === 'morph') {
        primitive.targets = [{ POSITION: buffer.add(VEC3, positions.map((x, i) => (i % 3 === 1 ? 0 : x))) }];
        animate('swell', [0, 'weights', buffer.add(SCALAR, [0, 1, 0.5])],
                [2, 'rotation', buffer.add(VEC4, [0, 0, 0, 1, 0, 0, 0.6, 0.8, 0.6, 0, 0, 0.8])]);
    }
    write(name, buffer, {
        nodes: [{ name: 'bone_b', mesh: 0, skin: 0 }, { name: 'bone_a', children: [2] },
                { name: 'bone_b', translation: [0, 0.5 * long, 0] }],
        scenes: [{ nodes: [0, 1] }], skins: [{ joints: [1, 2] }], meshes: [{ primitives: [primitive] }], animations,
    });
}
writeRig('rig', 1, 'own');
writeRig('stretched', 1, 'stretched');
writeRig('morph_rig', 1, 'morph');

// hero...: a character with a wedge on each of six joints, which gets its animations from the files act... `rig`
// rotates and scales the whole character. Nodes of a file without a mesh rest in the first key of the animation, as in
// files of FBX2glTF.
const limbs = [['Hips', -1, [0, 1, 0]], ['Spine', 0, [0, 0.5, 0]], ['ArmL', 1, [0.4, 0.3, 0]], ['ArmR', 1, [-0.4, 0.3, 0]],
               ['LegL', 0, [0.2, -0.5, 0]], ['LegR', 0, [-0.2, -0.5, 0]]];
const acts = [[0, 'translation', [0.3, 1, 2, 0, 0.8, 0.5, 1, 1, 0]], [0, 'rotation', [0.28, 0, 0, 0.96, 0, 0.6, 0, 0.8, 0, 0, 0, 1]],
              [2, 'rotation', [0, 0, 0.6, 0.8, 0, 0, 0, 1, 0.6, 0, 0, 0.8]], [5, 'rotation', [0.6, 0, 0, 0.8, -0.6, 0, 0, 0.8, 0, 0, 0.28, 0.96]],
              [1, 'scale', [1, 1, 1, 1.5, 1.5, 1.5, 1, 1, 1]]];

// The expected results hero..._acts. Scales are copied only between equal bones, so `act_long` has none. The bones of
// act_long.gltf are different, so its hips begin at their rest position.
const resultOf = name => (name === 'act_long' ? acts.filter(([, path]) => path !== 'scale') : acts).map(([node, path, values]) => {
    if (name !== 'act_long' || path !== 'translation') return [node, path, values];
    return [node, path, values.map((x, i) => (i % 3 === 1 ? x : x - values[i % 3]))];
});

function writeHero(name, { rig = {}, long = 1, prefix = '', mesh = true, skin = true, animations = [] }) {
    const buffer = makeBuffer(), origins = [], positions = [], indices = [], joints = [], weights = [];
    limbs.forEach(([, parent, offset], i) => {
        origins.push(offset.map((x, k) => x * long + (parent < 0 ? 0 : origins[parent][k])));
        indices.push(...sides.map(corner => corner + 4 * i));
        corners.forEach((x, k) => positions.push(0.2 * x + origins[i][k % 3]));
        for (let k = 0; k < 4; ++k) { joints.push(i, 0, 0, 0); weights.push(1, 0, 0, 0); }
    });
    const bind = buffer.add('MAT4', origins.flatMap(([x, y, z]) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x, -y, -z, 1]));
    const times = buffer.add(SCALAR, [0, 0.5, 1]), scaled = (path, values) => values.map(x => (path === 'translation' ? x * long : x));
    const nodes = limbs.map(([limb, , offset], i) => {
        const children = limbs.flatMap(([, parent], k) => (parent === i ? [k] : []));
        const first = mesh ? [] : acts.filter(([node]) => node === i).map(([, path, values]) => [path, scaled(path, values.slice(0, values.length / 3))]);
        return { name: prefix + limb, translation: offset.map(x => x * long), ...(children.length && { children }), ...Object.fromEntries(first) };
    });
    nodes.push({ name: 'body', ...(mesh && { mesh: 0, skin: 0 }) }, { name: 'rig', children: [0, 6], ...rig });
    const animate = name => {
        const tracks = mesh ? resultOf(name) : acts;
        return { name, channels: tracks.map(([node, path], sampler) => ({ sampler, target: { node, path } })),
                 samplers: tracks.map(([, path, values]) => ({ input: times, output: buffer.add(path === 'rotation' ? VEC4 : VEC3, scaled(path, values)) })) };
    };
    const attributes = mesh && { POSITION: buffer.add(VEC3, positions), JOINTS_0: buffer.add(VEC4, joints, false, 5121), WEIGHTS_0: buffer.add(VEC4, weights) };
    write(name, buffer, {
        nodes, scenes: [{ nodes: [7] }], ...(skin && { skins: [{ joints: limbs.map((_, i) => i), inverseBindMatrices: bind }] }),
        ...(mesh && { meshes: [{ primitives: [{ attributes, indices: buffer.add(SCALAR, indices, true) }] }] }),
        ...(animations.length && { animations: animations.map(animate) }),
    });
}
const quarter = { rotation: [0, Math.SQRT1_2, 0, Math.SQRT1_2] };
for (const [name, rig] of Object.entries({ hero: {}, hero_90: quarter, hero_180: { rotation: [0, 1, 0, 0] }, hero_big: { scale: [100, 100, 100] } })) {
    writeHero(name, { rig });
    writeHero(name + '_acts', { rig, animations: ['act', 'act_long'] });
}
writeHero('act', { prefix: 'mixamorig:', mesh: false, skin: false, animations: ['Armature|mixamo.com|Layer0'] });
writeHero('act_long', { rig: quarter, long: 2, prefix: 'mixamorig1_', mesh: false, animations: ['Armature|mixamo.com|Layer0'] });
writeHero('stranger', { prefix: 'Bip01 ', mesh: false, animations: ['walk'] });

// crowd: 2,000 nodes, and 60 animations that each move one of them.
{
    const buffer = makeBuffer(), count = 2000, input = buffer.add(SCALAR, [0, 0.1]), output = buffer.add(VEC3, [0, 0, 0, 1, 0, 0]);
    const numbers = [...Array(count).keys()], attributes = { POSITION: buffer.add(VEC3, corners) };
    write('crowd', buffer, {
        nodes: numbers.map(() => ({ mesh: 0 })), scenes: [{ nodes: numbers }], meshes: [{ primitives: [{ attributes, indices: buffer.add(SCALAR, [0, 1, 2], true) }] }],
        animations: numbers.slice(0, 60).map(node => ({ name: 'called_alike_' + node, samplers: [{ input, output }],
                                                         channels: [{ sampler: 0, target: { node, path: 'translation' } }] })),
    });
}

// legion: a mesh of 3,000 vertices in 2,000 nodes, which is more than mdconvert converts.
{
    const buffer = makeBuffer(), points = Array.from({ length: 9000 }, (_, i) => i % 7);
    write('legion', buffer, { nodes: Array(2000).fill({ mesh: 0 }), scenes: [{ nodes: [...Array(2000).keys()] }],
                              meshes: [{ primitives: [{ attributes: { POSITION: buffer.add(VEC3, points) } }] }] });
}

// Returns a picture of one color, with or without alpha, of 8 by 8 pixels.
function picture(...color) {
    return drawing(8, 8, color);
}

function drawing(width, height, color) {
    const chunk = (type, data) => {
        const bytes = Buffer.concat([Buffer.from(type), data]), sizeOf = Buffer.alloc(4), sum = Buffer.alloc(4);
        let crc = 0xffffffff;
        for (const byte of bytes) {
            crc ^= byte;
            for (let k = 0; k < 8; ++k) crc = crc & 1 ? crc >>> 1 ^ 0xedb88320 : crc >>> 1;
        }
        sizeOf.writeUInt32BE(data.length);
        sum.writeUInt32BE(~crc >>> 0);
        return Buffer.concat([sizeOf, bytes, sum]);
    };
    const row = Buffer.concat([Buffer.from([0]), ...Array(width).fill(Buffer.from(color))]);
    const header = Buffer.from([0, 0, width >> 8, width & 255, 0, 0, height >> 8, height & 255, 8, color.length === 4 ? 6 : 2, 0, 0, 0]);
    return 'data:image/png;base64,' + Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', header),
        chunk('IDAT', zlib.deflateSync(Buffer.concat(Array(height).fill(row)))), chunk('IEND', Buffer.alloc(0))]).toString('base64');
}

// Writes a scene with a triangle for each material.
function writeTriangles(name, rest, attributes = () => ({})) {
    const buffer = makeBuffer(), primitives = rest.materials.map((_, i) => ({
        attributes: { POSITION: buffer.add(VEC3, [0, 0, i, 1, 0, i, 0, 1, i]), TEXCOORD_0: buffer.add(VEC2, [0.2, 0.2, 0.8, 0.2, 0.2, 0.8]),
                      ...attributes(buffer) }, indices: buffer.add(SCALAR, [0, 1, 2], true), material: i,
    }));
    write(name, buffer, { nodes: [{ mesh: 0 }], meshes: [{ primitives }], ...rest });
}
const textured = (index, color) => ({ pbrMetallicRoughness: { baseColorTexture: { index }, ...(color && { baseColorFactor: color }) } });
writeTriangles('factor', { images: [{ name: 'white', uri: picture(255, 255, 255) }], textures: [{ source: 0 }],
                           materials: [textured(0, [0.5, 0, 0, 1])] });
writeTriangles('turned_picture', { images: [{ name: 'white', uri: picture(255, 255, 255) }], textures: [{ source: 0 }], materials: [{
    pbrMetallicRoughness: { baseColorTexture: { index: 0, extensions: { KHR_texture_transform: { rotation: Math.PI / 2, offset: [0.5, 1], scale: [1, 0.5] } } } } }] });
writeTriangles('pictures', {
    images: [{ name: 'hero.png', uri: picture(255, 0, 0) }, { name: 'Hero', uri: picture(0, 255, 0) }],
    textures: [{ source: 0 }, { source: 1 }],
    materials: [textured(0), textured(1), { name: 'plain', pbrMetallicRoughness: { baseColorFactor: [0, 0, 1, 1] } }],
});
// see_through, large, shining, beside: in see_through, four materials show the same picture, whose alpha is a third.
// OPAQUE ignores the alpha, MASK hides texels below 0.5 or below 0.3, and BLEND shows it.
{
    const seen = (name, rest) => ({ name, ...textured(0), ...rest });
    writeTriangles('see_through', {
        images: [{ name: 'leaf', uri: picture(0, 255, 0, 85) }], textures: [{ source: 0 }],
        materials: [seen('solid'), seen('cut', { alphaMode: 'MASK' }), seen('shown', { alphaMode: 'MASK', alphaCutoff: 0.3 }), seen('glass', { alphaMode: 'BLEND' })],
    });
    writeTriangles('large', {
        images: [{ name: 'leaf', uri: drawing(16384, 1025, [0, 255, 0, 85]) }], textures: [{ source: 0 }], materials: [seen('solid'), { name: 'plain' }],
    });
    writeTriangles('shining', {
        images: [{ name: 'red', uri: picture(255, 0, 0) }, { name: 'blue', uri: picture(0, 0, 255) }], textures: [{ source: 0 }, { source: 1 }],
        materials: [{ ...textured(0), emissiveFactor: [1, 1, 1], emissiveTexture: { index: 1 } },
                    { name: 'lamp', pbrMetallicRoughness: { baseColorFactor: [0, 0, 0, 1] }, emissiveFactor: [0, 1, 0] }],
    });
    // Three files that a .gltf may not read: outside its folder, a fifo, and a file that is not a picture.
    writeTriangles('beside', { images: ['../secret.png', 'fifo', 'notes.txt'].map(uri => ({ uri })), textures: [0, 1, 2].map(source => ({ source })),
                               materials: [0, 1, 2].map(index => textured(index)) });
}
{
    const buffer = makeBuffer(), colors = [255, 0, 0, 255, 0, 0, 255, 0, 0, 0, 0, 255, 0, 0, 255, 0, 0, 255].flatMap((x, i) => (i % 3 === 2 ? [x, 255] : [x]));
    write('vertex_colors', buffer, {
        nodes: [{ mesh: 0 }], materials: [{ name: 'Colored' }],
        meshes: [{ primitives: [{ material: 0, attributes: { POSITION: buffer.add(VEC3, [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1]),
                                                             COLOR_0: buffer.add(VEC4, colors, false, 5121, true) } }] }],
    });
}
{
    const buffer = makeBuffer();
    write('packed', buffer, {
        extensionsUsed: ['KHR_draco_mesh_compression'], extensionsRequired: ['KHR_draco_mesh_compression'], nodes: [{ mesh: 0 }],
        meshes: [{ primitives: [{ attributes: { POSITION: buffer.add(VEC3, corners) } }] }],
    });
}
writeRig('long_rig', 2, 'lent');
