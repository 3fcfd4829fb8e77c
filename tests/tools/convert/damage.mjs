// damage.mjs FOLDER FILE...: writes copies of each file that are cut off or have other bytes, as damagedN.EXT; the
// same ones each time. Public domain.
import fs from 'node:fs';
import path from 'node:path';

const [folder, ...files] = process.argv.slice(2);
let state = 1n, number = 0;

function below(limit) {
    state = (state * 6364136223846793005n + 1442695040888963407n) & ((1n << 64n) - 1n);
    return Number((state >> 33n) % BigInt(limit));
}

for (const file of files) {
    const whole = fs.readFileSync(file), isText = path.extname(file) !== '.md2';
    for (let i = 0; i < 60; ++i) {
        let data = Buffer.from(whole);
        if (i % 3 === 0) data = data.subarray(0, below(data.length));
        else for (let k = 0; k < 1 + i % 5; ++k) {
            // The first bytes of an MD2, its header, say most.
            const at = below(i % 2 && !isText ? 68 : data.length);
            data[at] = isText ? 32 + below(95) : below(256);
        }
        fs.writeFileSync(path.join(folder, `damaged${++number}${path.extname(file)}`), data);
    }
}
