// same_md2.mjs A B: fails unless two MD2 files look the same: the size of the skin, the names of the frames, and the
// triangles in their order, with the texels of their corners, and their positions in each frame within two quantization
// steps. Public domain.
import fs from 'node:fs';

function read(file) {
    const data = fs.readFileSync(file), word = i => data.readInt32LE(4 * i), frames = [], corners = [];
    for (let i = 0; i < 3 * word(8); ++i) {
        const at = word(13) + 12 * Math.floor(i / 3) + 2 * (i % 3), texel = word(12) + 4 * data.readUInt16LE(at + 6);
        corners.push({ point: data.readUInt16LE(at), s: data.readInt16LE(texel), t: data.readInt16LE(texel + 2) });
    }
    for (let i = 0; i < word(10); ++i) {
        const at = word(14) + word(4) * i, name = data.toString('latin1', at + 24, at + 40).split('\0')[0];
        const scale = [0, 1, 2].map(k => data.readFloatLE(at + 4 * k)), low = [0, 1, 2].map(k => data.readFloatLE(at + 12 + 4 * k));
        frames.push({ name, scale, position: (p, k) => low[k] + scale[k] * data[at + 40 + 4 * p + k] });
    }
    return { width: word(2), height: word(3), frames, corners };
}

const [a, b] = process.argv.slice(2).map(read), equal = (what, x, y) => {
    if (x !== y) { console.log(`${what}: ${x} and ${y}`); process.exit(1); }
};
equal('width', a.width, b.width);
equal('height', a.height, b.height);
equal('frames', a.frames.length, b.frames.length);
equal('corners', a.corners.length, b.corners.length);
a.corners.forEach((corner, i) => { equal('s', corner.s, b.corners[i].s); equal('t', corner.t, b.corners[i].t); });
a.frames.forEach((frame, f) => {
    equal('name', frame.name, b.frames[f].name);
    for (let i = 0; i < a.corners.length; ++i) for (let k = 0; k < 3; ++k) {
        const off = Math.abs(frame.position(a.corners[i].point, k) - b.frames[f].position(b.corners[i].point, k));
        if (off > 2 * frame.scale[k] + 1e-4) equal(`frame ${f}, corner ${i}`, off, 0);
    }
});
