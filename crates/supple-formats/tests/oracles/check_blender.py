"""Reads motions of ours with Blender: check_blender.py FOLDER"""
import json
import os
import sys

import bpy
import numpy as np
from common import corner_normals

folder = sys.argv[1]
expected = json.load(open(os.path.join(folder, "ours.json")))
start, fps = expected["start"], expected["fps"]
frames = [np.array(f) for f in expected["frames"]]
quads = np.array(expected["corners"]).reshape(-1, 4)


def clear():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = fps


def path(name):
    return os.path.join(folder, name)


def points(thing, frame):
    bpy.context.scene.frame_set(frame)
    of = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = of.to_mesh()
    out = np.array([of.matrix_world @ v.co for v in mesh.vertices], dtype=np.float64)
    of.to_mesh_clear()
    return out


def near(found, wanted, what, tolerance=1e-6):
    assert found.shape == wanted.shape, f"{what}: {found.shape} for {wanted.shape}"
    worst = np.abs(found - wanted).max()
    assert worst <= tolerance * np.abs(wanted).max(), f"{what} is off by {worst}"


def only():
    things = [o for o in bpy.context.scene.objects if o.type == "MESH"]
    assert len(things) == 1, [o.name for o in things]
    return things[0]


def sort_to(found, wanted):
    """Blender splits or reorders vertices: each of ours by the nearest found in the first frame."""
    return [int(np.argmin(np.linalg.norm(found - p, axis=1))) for p in wanted]


clear()
bpy.ops.wm.usd_import(filepath=path("motion.usda"), scale=1.0, set_frame_range=True, apply_unit_conversion_scale=False)
cape = only()
assert cape.name == "cape", cape.name
assert (bpy.context.scene.frame_start, bpy.context.scene.frame_end) == (start, start + len(frames) - 1)
# Without an axis in the file y is up, and Blender turns it.
for i, frame in enumerate(frames):
    wanted = np.stack([frame[:, 0], -frame[:, 2], frame[:, 1]], axis=1)
    near(points(cape, start + i), wanted, f"motion.usda, frame {i}")
assert {m.name for m in cape.data.materials} == set(expected["materials"])
assert [len(p.vertices) for p in cape.data.polygons] == [4] * len(quads)

for name, scale in (("motion.glb", 1.0), ("motion.gltf", 1.0), ("turned.glb", 0.5)):
    clear()
    bpy.ops.import_scene.gltf(filepath=path(name), merge_vertices=True)
    cape = only()
    assert cape.name == "cape", cape.name
    turn = (lambda f: scale * f) if name == "turned.glb" else (lambda f: np.stack([f[:, 0], -f[:, 2], f[:, 1]], axis=1))
    order = sort_to(points(cape, start), turn(frames[0]))
    for i, frame in enumerate(frames):
        near(points(cape, start + i)[order], turn(frame), f"{name}, frame {i}", 1e-5)
    assert {m.name for m in cape.data.materials} == set(expected["materials"]), name

for name in ("creased.usda", "creased.glb"):
    clear()
    if name == "creased.usda":
        bpy.ops.wm.usd_import(filepath=path(name), scale=1.0, set_frame_range=True, apply_unit_conversion_scale=False)
    else:
        bpy.ops.import_scene.gltf(filepath=path(name))
    cape = only()
    # Of morph targets Blender takes the points, and makes normals of its own from those of the base.
    for i, frame in enumerate(frames if name == "creased.usda" else frames[:1]):
        bpy.context.scene.frame_set(start + i)
        of = cape.evaluated_get(bpy.context.evaluated_depsgraph_get())
        mesh = of.to_mesh()
        turn = lambda v: np.stack([v[:, 0], -v[:, 2], v[:, 1]], axis=1)
        points_at = np.array([of.matrix_world @ mesh.vertices[loop.vertex_index].co for loop in mesh.loops])
        found = np.array([of.matrix_world.to_3x3().normalized() @ n.vector for n in mesh.corner_normals])
        wanted, at = turn(corner_normals(frame, quads, True)), turn(frame[quads.reshape(-1)])
        # Its corners are in another order: each has one of the normals of where it is.
        for p, n in zip(points_at, found):
            here = wanted[np.linalg.norm(at - p, axis=1) < 1e-4]
            assert len(here) and np.linalg.norm(here - n, axis=1).min() < 2e-3, f"normals of {name}, frame {i}: {n} for {here}"
        of.to_mesh_clear()

for ext, kind in (("pc2", "PC2"), ("mdd", "MDD")):
    clear()
    mesh = bpy.data.meshes.new("cape")
    mesh.from_pydata(frames[0].tolist(), [], quads.tolist())
    cape = bpy.data.objects.new("cape", mesh)
    bpy.context.scene.collection.objects.link(cape)
    cache = cape.modifiers.new("cache", "MESH_CACHE")
    cache.cache_format, cache.filepath, cache.frame_start = kind, path(f"motion.{ext}"), float(start)
    cache.forward_axis, cache.up_axis = "POS_Y", "POS_Z"
    cache.interpolation = "NONE"
    for i, frame in enumerate(frames):
        near(points(cape, start + i), frame, f"{kind}, frame {i}")

for name, load in (("still.obj", bpy.ops.wm.obj_import), ("still.ply", bpy.ops.wm.ply_import)):
    clear()
    load(filepath=path(name), forward_axis="Y", up_axis="Z")
    things = [o for o in bpy.context.scene.objects if o.type == "MESH"]
    found = np.concatenate([points(o, start) for o in things])
    near(found[sort_to(found, frames[0])], frames[0], name)

sys.stdout.flush()
os._exit(0)
