// pixels.mjs PNG [MD2]: prints the color of the first pixel of a PNG, and its alpha if the PNG has alpha. With an MD2,
// prints the different colors that its triangles have at their centers. Public domain.
import fs from 'node:fs';
import zlib from 'node:zlib';

function decode(file) {
    const data = fs.readFileSync(file), width = data.readUInt32BE(16), height = data.readUInt32BE(20);
    const channels = { 2: 3, 6: 4 }[data[25]], size = width * channels, parts = [];
    for (let at = 8; at < data.length; at += 12 + data.readUInt32BE(at))
        if (data.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(data.subarray(at + 8, at + 8 + data.readUInt32BE(at)));
    const rows = zlib.inflateSync(Buffer.concat(parts)), out = Buffer.alloc(size * height);
    for (let y = 0; y < height; ++y) {
        const filter = rows[y * (size + 1)];
        for (let i = 0; i < size; ++i) {
            const left = i >= channels ? out[y * size + i - channels] : 0, above = y > 0 ? out[(y - 1) * size + i] : 0;
            const corner = y > 0 && i >= channels ? out[(y - 1) * size + i - channels] : 0, near = left + above - corner;
            const [a, b, c] = [left, above, corner].map(x => Math.abs(near - x));
            const guess = [0, left, above, (left + above) >> 1, a <= b && a <= c ? left : b <= c ? above : corner][filter];
            out[y * size + i] = rows[y * (size + 1) + 1 + i] + guess;
        }
    }
    return { width, height, at: (x, y) => [...out.subarray(y * size + x * channels, y * size + x * channels + channels)].join(',') };
}

const picture = decode(process.argv[2]);
if (process.argv[3]) {
    const data = fs.readFileSync(process.argv[3]), word = i => data.readInt32LE(4 * i), seen = new Set();
    const scale = [picture.width / word(2), picture.height / word(3)];
    for (let i = 0; i < word(8); ++i) {
        const corners = [0, 1, 2].map(k => word(12) + 4 * data.readUInt16LE(word(13) + 12 * i + 6 + 2 * k));
        const center = [0, 2].map(axis => corners.reduce((sum, at) => sum + data.readInt16LE(at + axis) + 0.5, 0) / 3);
        seen.add(picture.at(...center.map((x, axis) => Math.floor(x * scale[axis]))));
    }
    console.log([...seen].sort().join(' '));
} else {
    console.log(picture.at(0, 0));
}
