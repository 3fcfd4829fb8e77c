// scenes.mjs FOLDER: writes small scenes as .gltf, with what Blender writes and mdconvert does not: materials that have
// a colour and no picture, nodes that mirror, animations that begin later than at 0. Public domain.
import fs from 'node:fs';
import path from 'node:path';

const folder = process.argv[2];
const VEC3 = 'VEC3', VEC4 = 'VEC4', SCALAR = 'SCALAR';
const sizes = { VEC3: 3, VEC4: 4, SCALAR: 1 };

// Collects numbers; add() returns the number of the accessor.
function makeBuffer() {
    const pieces = [], views = [], accessors = [];
    let length = 0;
    function add(type, numbers, isIndex = false) {
        const array = isIndex ? new Uint16Array(numbers) : new Float32Array(numbers), size = sizes[type];
        const bytes = Buffer.alloc((array.byteLength + 3) & ~3);
        Buffer.from(array.buffer).copy(bytes);
        const of = column => Array.from(array).filter((_, i) => i % size === column);
        const columns = [...Array(size).keys()];
        views.push({ buffer: 0, byteOffset: length, byteLength: array.byteLength });
        accessors.push({
            bufferView: views.length - 1, componentType: isIndex ? 5123 : 5126, count: array.length / size, type,
            min: columns.map(i => Math.min(...of(i))), max: columns.map(i => Math.max(...of(i))),
        });
        pieces.push(bytes);
        length += bytes.length;
        return accessors.length - 1;
    }
    const close = () => ({
        buffers: [{ byteLength: length, uri: 'data:application/octet-stream;base64,' + Buffer.concat(pieces).toString('base64') }],
        bufferViews: views, accessors,
    });
    return { add, close };
}

function write(name, buffer, scene) {
    const gltf = { asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0] }], ...scene, ...buffer.close() };
    fs.writeFileSync(path.join(folder, name + '.gltf'), JSON.stringify(gltf, null, 1));
}

// Two triangles, red and blue.
{
    const buffer = makeBuffer(), triangle = buffer.add(SCALAR, [0, 1, 2], true);
    const primitives = [0, 1].map(i => ({
        attributes: { POSITION: buffer.add(VEC3, [0, 0, i, 1, 0, i, 0, 1, i]) }, indices: triangle, material: i,
    }));
    const plain = (name, color) => ({ name, pbrMetallicRoughness: { baseColorFactor: color } });
    write('paint', buffer, {
        nodes: [{ mesh: 0 }], meshes: [{ primitives }],
        materials: [plain('Paint', [1, 0, 0, 1]), plain('Paint.001', [0, 0.2140411, 1, 1])],
    });
}

// A wedge below a node that mirrors. It turns in one animation, and moves in the other, in five frames from 1/24 on.
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
writeWedge('right', [1, 1, 1], false);
writeWedge('mirrored', [-1, 1, 1], false);
writeWedge('turned_over', [-1, -1, -1], false);
writeWedge('morphed', [1, -1, 1], true);
