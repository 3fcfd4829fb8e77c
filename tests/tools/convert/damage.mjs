// damage.mjs FOLDER FILE...: writes 60 damaged copies of each file, as damagedN.EXT: a third is cut short, and the
// others have wrong bytes. Every run writes the same copies. Public domain.
import fs from 'node:fs';
import path from 'node:path';

const [folder, ...files] = process.argv.slice(2);
let state = 1n, number = 0;

// Returns a random number below a limit.
function random(limit) {
    state = (state * 6364136223846793005n + 1442695040888963407n) & ((1n << 64n) - 1n);
    return Number((state >> 33n) % BigInt(limit));
}

for (const file of files) {
    const whole = fs.readFileSync(file), isText = path.extname(file) !== '.md2';
    for (let i = 0; i < 60; ++i) {
        let data = Buffer.from(whole);
        if (i % 3 === 0) data = data.subarray(0, random(data.length));
        else for (let k = 0; k < 1 + i % 5; ++k) {
            // Every second time, damage the header of an MD2, because most of its checks concern the header.
            const at = random(i % 2 && !isText ? 68 : data.length);
            data[at] = isText ? 32 + random(95) : random(256);
        }
        fs.writeFileSync(path.join(folder, `damaged${++number}${path.extname(file)}`), data);
    }
}
