"""A sheet by Blender that goes through new, edit and solve: flow_blender.py FOLDER [what was asked, as JSON]

Without the second it writes scene.glb: a sheet with two materials that waves by shape keys, frames 3 to 14. With it,
edited.glb is read: the vertex is where it was asked to be, the first frame, the name and the materials are as they were."""
import json
import os
import sys

import bpy
import numpy as np

folder = sys.argv[1]
FRAMES = range(3, 15)
SIDE = 12


def clear():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps = 24
    scene.frame_start, scene.frame_end = FRAMES[0], FRAMES[-1]
    return scene


def make():
    scene = clear()
    points = [(i / SIDE, j / SIDE, 0.0) for j in range(SIDE + 1) for i in range(SIDE + 1)]
    at = lambda i, j: j * (SIDE + 1) + i
    faces = [(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)) for j in range(SIDE) for i in range(SIDE)]
    mesh = bpy.data.meshes.new("sheet")
    mesh.from_pydata(points, [], faces)
    for polygon in mesh.polygons:
        polygon.use_smooth = True
        polygon.material_index = int(polygon.index >= len(faces) // 2)
    for name in ("red", "blue"):
        mesh.materials.append(bpy.data.materials.new(name))
    sheet = bpy.data.objects.new("sheet", mesh)
    scene.collection.objects.link(sheet)
    sheet.shape_key_add(name="Basis")
    for name, phase in (("sin", 0.0), ("cos", 1.5)):
        shape = sheet.shape_key_add(name=name)
        for i, (x, y, z) in enumerate(points):
            shape.data[i].co = (x, y, 0.2 * x * np.sin(5 * y + phase))
        for t in FRAMES:
            # Between 0 and 1: Blender clamps what it reads.
            shape.value = float(0.5 + 0.5 * np.sin(0.5 * (t - FRAMES[0]) + phase))
            shape.keyframe_insert("value", frame=t)
    bpy.ops.export_scene.gltf(filepath=os.path.join(folder, "scene.glb"), export_format="GLB", export_frame_range=True,
                              export_force_sampling=True, export_optimize_animation_size=False)


def frames(file):
    clear()
    bpy.ops.import_scene.gltf(filepath=os.path.join(folder, file), merge_vertices=True)
    things = [o for o in bpy.context.scene.objects if o.type == "MESH"]
    assert [o.name for o in things] == ["sheet"], [o.name for o in things]
    assert {m.name for m in things[0].data.materials} == {"red", "blue"}, file
    out = []
    for frame in FRAMES:
        bpy.context.scene.frame_set(frame)
        of = things[0].evaluated_get(bpy.context.evaluated_depsgraph_get())
        mesh = of.to_mesh()
        out.append(np.array([of.matrix_world @ v.co for v in mesh.vertices]))
        of.to_mesh_clear()
    return out


def check(asked):
    before, after = frames("scene.glb"), frames("edited.glb")
    # Blender may join vertices of the same place, or have them in another order.
    order = [int(np.argmin(np.linalg.norm(after[0] - p, axis=1))) for p in before[0]]
    after = [frame[order] for frame in after]
    assert np.abs(before[0] - after[0]).max() < 1e-6, "the first frame is as it was"
    # It turns y up to z up.
    index = asked["frame"] - FRAMES[0]
    x, y, z = asked["at"]
    vertex = int(np.argmin(np.linalg.norm(before[index] - (x, -z, y), axis=1)))
    dx, dy, dz = asked["by"]
    moved = (after[index] - before[index])[vertex]
    assert np.abs(moved - (dx, -dz, dy)).max() < 0.02 * np.linalg.norm(asked["by"]), moved


if len(sys.argv) > 2:
    check(json.load(open(sys.argv[2])))
else:
    make()
sys.stdout.flush()
# The interpreter may hang at its end.
os._exit(0)
