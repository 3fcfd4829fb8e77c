"""blender --python check_blender.py -- A.glb A.json B.glb: checks that Blender shows the vertices of A.glb where
positions.c prints them (A.json), to 1e-3 of the size, and exports the scene to B.glb. Blender has Z up: its axes are x, -z
and y of glTF. Between two keys, Blender interpolates the four numbers of a quaternion separately, unlike glTF, so
skeletons are compared only at keys. The lines of this script begin with "blender: ". Public domain."""
import json
import math
import sys

import bpy
import numpy

# The importer of Debian's Blender 3.4 uses a name that numpy has removed.
if not hasattr(numpy, 'bool'):
    numpy.bool = bool

path, positions, written = sys.argv[sys.argv.index('--') + 1:]
with open(positions, encoding='utf-8') as file:
    wanted = json.load(file)
passed = failed = 0
farthest = 0


def check(good, message):
    global passed, failed
    if good:
        passed += 1
    else:
        failed += 1
        print('blender: FAILED', message)


def mute_all(data):
    for track in data.nla_tracks:
        track.mute = True
    data.action = None


def error(shown, numbers):
    points = list(zip(numbers[0::3], numbers[1::3], numbers[2::3]))
    size = math.dist([min(axis) for axis in zip(*points)], [max(axis) for axis in zip(*points)])
    return max(math.dist(a, (x, -z, y)) for a, (x, y, z) in zip(shown, points)) / size


bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.context.scene.render.fps = 1000          # Set this before the import, which rounds keys to frames.
bpy.ops.import_scene.gltf(filepath=path)
meshes = [one for one in bpy.data.objects if one.type == 'MESH' and len(one.data.vertices) > 50]
animated = [one.animation_data for one in bpy.data.objects if one.animation_data]
animated += [one.data.shape_keys.animation_data for one in meshes if one.data.shape_keys and one.data.shape_keys.animation_data]
scene = bpy.context.scene
seen = 0
for anim in wanted['anims']:
    for data in animated:
        mute_all(data)
        tracks = [track for track in data.nla_tracks if track.name == anim['name']]
        if tracks:
            data.action = tracks[0].strips[0].action
    action = next((data.action for data in animated if data.action), None)
    if not action:
        continue
    for sample in anim['samples']:
        if 'influences' in wanted and not sample['is_at_key']:
            continue
        frame = sample['time'] * scene.render.fps
        if frame > action.frame_range[1] + 1e-3:
            continue
        scene.frame_set(int(frame), subframe=frame - int(frame))
        graph = bpy.context.evaluated_depsgraph_get()
        for mesh, part in zip(meshes, sample['parts']):
            now = mesh.evaluated_get(graph)
            shown = [now.matrix_world @ vertex.co for vertex in now.data.vertices]
            check(len(shown) * 3 == len(part), f'{len(shown)} vertices, not {len(part) // 3}')
            off = error(shown, part)
            farthest = max(farthest, off)
            seen += 1
            check(off < 1e-3, f"{anim['name']} at {sample['time']} s is off by {off:.3g} of the size")
check(seen > 50, f'only {seen} poses were seen')
print(f'blender: Blender {bpy.app.version_string}, the farthest vertex of {seen} poses: {farthest:.3g} of the size')
print(f'blender: {passed} passed, {failed} failed')

# Use the frame rate of the model, so that the exporter adds no keys.
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.context.scene.render.fps = 10
bpy.ops.import_scene.gltf(filepath=path)
bpy.ops.export_scene.gltf(filepath=written, export_format='GLB')
