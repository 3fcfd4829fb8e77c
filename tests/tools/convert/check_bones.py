"""check_bones.py TRUE FOUND: compares two folders with an .md5mesh and its .md5anim files. TRUE is the character as it
was made, with its tris.md2; FOUND has the skeleton that mdconvert found in this MD2. The vertices in each frame, and
halfway between two frames, may differ by a fraction of a quantization step, and named joints by a few percent of the
height. The last line is "N passed, N failed"."""
import glob
import os
import re
import struct
import sys

import numpy as np

counts = [0, 0]


def mean_step(path):
    """Returns the mean quantization step of the MD2, over all frames and axes."""
    data = open(path, "rb").read()
    size, count, start = (struct.unpack_from("<i", data, at)[0] for at in (16, 40, 56))
    return np.mean([struct.unpack_from("<3f", data, start + size * i) for i in range(count)])


def check(what, got, most):
    counts[int(got > most)] += 1
    if got > most:
        print(f"FAILED {what}: {got:.3f}, and {most} is allowed")


def add_w(q):
    """Adds w, which the file does not have, to quaternions."""
    return np.concatenate([q, -np.sqrt(np.maximum(0, 1 - (q * q).sum(-1, keepdims=True)))], -1)


def multiply_quaternions(a, b):
    av, aw, bv, bw = a[..., :3], a[..., 3:], b[..., :3], b[..., 3:]
    return np.concatenate([aw * bv + bw * av + np.cross(av, bv), aw * bw - (av * bv).sum(-1, keepdims=True)], -1)


def rotate(q, v):
    t = 2 * np.cross(q[..., :3], v)
    return v + q[..., 3:] * t + np.cross(q[..., :3], t)


class Model:
    def __init__(self, folder):
        text = open(glob.glob(folder + "/[hk]*.md5mesh")[0]).read()
        joints = re.findall(r'^\t"([^"]*)" (-?\d+) \( (\S+) (\S+) (\S+) \)', text, re.M)
        self.names = [j[0] for j in joints]
        self.parents = [int(j[1]) for j in joints]
        self.bind = np.array([j[2:] for j in joints], float)
        verts = np.array([v.split() for v in re.findall(r"vert \d+ \( \S+ \S+ \) (\d+ \d+)", text)], int)
        weights = np.array([re.sub("[()]", "", w).split() for w in re.findall(r"weight \d+ (.*)", text)], float)
        self.owner = np.repeat(np.arange(len(verts)), verts[:, 1])
        self.weights = weights[np.concatenate([np.arange(a, a + n) for a, n in verts])]
        self.anims = {os.path.basename(f)[:-8]: self.read(f) for f in glob.glob(folder + "/*.md5anim")}

    def read(self, path):
        text = open(path).read()
        flags = [tuple(map(int, j)) for j in re.findall(r'^\t"[^"]*" -?\d+ (\d+) (\d+)', text, re.M)]
        base = re.search(r"baseframe {(.*?)}", text, re.S).group(1)
        base = np.array([re.sub("[()]", "", line).split() for line in base.strip().split("\n")], float)
        frames = []
        for block in re.findall(r"frame \d+ {(.*?)}", text, re.S):
            numbers, frame = np.array(block.split(), float), base.copy()
            for joint, (bits, start) in enumerate(flags):
                on = [k for k in range(6) if bits >> k & 1]
                frame[joint, on] = numbers[start:start + len(on)]
            frames.append(frame)
        frames = np.array(frames)
        return frames[..., :3], add_w(frames[..., 3:])

    def pose(self, positions, rotations):
        positions, rotations = positions.copy(), rotations.copy()
        for joint, parent in enumerate(self.parents):
            if parent < 0:
                continue
            positions[:, joint] = positions[:, parent] + rotate(rotations[:, parent], positions[:, joint])
            rotations[:, joint] = multiply_quaternions(rotations[:, parent], rotations[:, joint])
        w, vertices = self.weights, np.zeros((len(positions), self.owner[-1] + 1, 3))
        at = w[:, 0].astype(int)
        parts = w[:, 1:2] * (positions[:, at] + rotate(rotations[:, at], w[None, :, 2:5]))
        np.add.at(vertices, (slice(None), self.owner), parts)
        return vertices, positions

    def pose_between_frames(self, name, count):
        positions, rotations = self.anims[name][0][:count], self.anims[name][1][:count]
        near = np.where((rotations[:-1] * rotations[1:]).sum(-1, keepdims=True) < 0, -rotations[1:], rotations[1:])
        half = rotations[:-1] + near
        return self.pose((positions[:-1] + positions[1:]) / 2, half / np.linalg.norm(half, axis=-1, keepdims=True))


true, found = Model(sys.argv[1]), Model(sys.argv[2])
names = sorted(set(true.anims) & set(found.anims))
check("animations of one name missing", 20 - len(names), 0)
all_true, all_found, half_true, half_found, joints_true, joints_found = [], [], [], [], [], []
for name in names:
    count = len(found.anims[name][0])
    for model, frames, halves, joints in ((true, all_true, half_true, joints_true),
                                          (found, all_found, half_found, joints_found)):
        vertices, positions = model.pose(*(part[:count] for part in model.anims[name]))
        frames.append(vertices)
        joints.append(positions)
        halves.append(model.pose_between_frames(name, count)[0])
a, b = np.concatenate(all_true), np.concatenate(all_found)
height = np.ptp(a[0, :, 2])

# Each vertex is compared with the true vertex that is nearest to it over all frames.
p, q = (x.transpose(1, 0, 2).reshape(x.shape[1], -1) for x in (a, b))
same = ((q * q).sum(1)[:, None] + (p * p).sum(1) - 2 * q @ p.T).argmin(1)
step = mean_step(sys.argv[1] + "/tris.md2")
check("steps RMS in the frames", np.sqrt(((b - a[:, same])**2).mean()) / step, 0.22)
a, b = np.concatenate(half_true), np.concatenate(half_found)
check("steps RMS halfway between them", np.sqrt(((b - a[:, same])**2).mean()) / step, 0.5)

a, b = np.concatenate(joints_true), np.concatenate(joints_found)
limits = {"hand": 2, "head": 2, "thigh": 2.5, "shin": 2.5, "foot": 2.5}
for name in [n + side for n in limits for side in ("_l", "_r", "") if (side == "") == (n == "head")]:
    if name not in found.names:
        check(name + " has no name", 1, 0)
        continue
    off = np.linalg.norm(b[:, found.names.index(name)] - a[:, true.names.index(name)], axis=-1).mean()
    check(f"percent of the height that {name} is off", 100 * off / height, limits[name.split("_")[0]])

# The parent of each joint. Helpers and the bones of the neck and the spine do not count.
parents = {"chest": "hips", "head": "chest"}
for side in ("_l", "_r"):
    for limb in (("chest", "upper_arm", "forearm", "hand"), ("hips", "thigh", "shin", "foot")):
        parents[limb[1] + side] = limb[0]
        parents.update({low + side: high + side for high, low in zip(limb[1:], limb[2:])})
for child, parent in parents.items():
    joint, above = found.names.index(child) if child in found.names else -1, child
    while joint >= 0 and above in (child, "neck", "spine"):
        joint = found.parents[joint]
        above = found.names[joint].split("_helper")[0] if joint >= 0 else "nothing"
    check(f"the parent of {child} is {above}, not {parent}:", int(above != parent), 0)
# The limbs are straight in the bind pose: arms to the sides, legs down.
for side, left in (("_l", 1), ("_r", -1)):
    for limb, along in ((("upper_arm", "forearm", "hand"), (0, left, 0)), (("thigh", "shin", "foot"), (0, 0, -1))):
        ends = [found.bind[found.names.index(name + side)] for name in limb if name + side in found.names]
        for above, below, name in zip(ends, ends[1:], limb):
            part = (below - above) / np.linalg.norm(below - above)
            check(f"degrees that {name}{side} is off in the bind pose", np.degrees(np.arccos(min(1, part @ along))), 1)
print(f"{counts[0]} passed, {counts[1]} failed")
