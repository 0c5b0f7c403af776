"""Files by Blender: make_blender.py FOLDER"""
import os
import sys

import bpy
import numpy as np
from mathutils import Matrix

from common import Expected, grid, obj

folder = sys.argv[1]
expected = Expected(folder)
FRAMES = range(3, 9)


def clear():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps = 25
    scene.frame_start, scene.frame_end = FRAMES[0], FRAMES[-1]
    return scene


def add_mesh(name, smooth=True):
    points, counts, corners = grid()
    mesh = bpy.data.meshes.new(name + "Mesh")
    faces, at = [], 0
    for count in counts:
        faces.append([int(c) for c in corners[at : at + count]])
        at += count
    mesh.from_pydata(points.tolist(), [], faces)
    for polygon in mesh.polygons:
        polygon.use_smooth = smooth
    for slot, colour in enumerate(("red", "blue")):
        mesh.materials.append(bpy.data.materials.new(colour))
    for polygon in mesh.polygons:
        polygon.material_index = polygon.index % 2
    thing = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(thing)
    return thing, points, counts, corners


def key(target, path, frame_values):
    for frame, value in frame_values:
        setattr(target, path, value)
        target.keyframe_insert(path, frame=frame)


def world(thing):
    out = []
    for frame in FRAMES:
        bpy.context.scene.frame_set(frame)
        graph = bpy.context.evaluated_depsgraph_get()
        of = thing.evaluated_get(graph)
        mesh = of.to_mesh()
        out.append(np.array([of.matrix_world @ v.co for v in mesh.vertices], dtype=np.float64))
        of.to_mesh_clear()
    return out


def y_up(frames, scale=1.0):
    return [scale * np.stack([f[:, 0], f[:, 2], -f[:, 1]], axis=1) for f in frames]


# A mesh with shape keys that also moves, and one that follows an armature.
scene = clear()
cape, points, counts, corners = add_mesh("Cape")
cape.shape_key_add(name="Basis")
bend = cape.shape_key_add(name="bend")
for i, p in enumerate(points):
    bend.data[i].co = (p[0], p[1], p[2] + np.sin(p[0]))
key(bend, "value", [(3, 0.0), (8, 1.0)])
key(cape, "location", [(3, (0, 0, 0)), (8, (1, 2, 3))])
key(cape, "rotation_euler", [(3, (0, 0, 0)), (8, (0.3, 0.2, 0.1))])
arm = bpy.data.armatures.new("Arm")
rig = bpy.data.objects.new("Rig", arm)
scene.collection.objects.link(rig)
bpy.context.view_layer.objects.active = rig
bpy.ops.object.mode_set(mode="EDIT")
for name, x in (("low", 0.0), ("high", 2.5)):
    bone = arm.edit_bones.new(name)
    bone.head, bone.tail = (x, 0, 0), (x + 2, 0, 0)
bpy.ops.object.mode_set(mode="OBJECT")
sleeve, _, _, _ = add_mesh("Sleeve")
for name in ("low", "high"):
    group = sleeve.vertex_groups.new(name=name)
    for i, p in enumerate(points):
        weight = min(max(p[0] / 4, 0), 1)
        group.add([i], weight if name == "high" else 1 - weight, "REPLACE")
sleeve.modifiers.new("Rig", "ARMATURE").object = rig
sleeve.parent = rig
pose = rig.pose.bones["high"]
pose.rotation_mode = "XYZ"
key(pose, "rotation_euler", [(3, (0, 0, 0)), (8, (0.2, 0.4, 0.6))])
cape_frames, sleeve_frames = world(cape), world(sleeve)

file = os.path.join(folder, "blender.usdc")
bpy.ops.wm.usd_export(filepath=file, export_animation=True, export_armatures=False, export_shapekeys=False)
expected.add("blender.usdc", [
    obj("/root/Cape/CapeMesh", cape_frames, counts, corners, materials=["red", "blue"]),
    obj("/root/Rig/Sleeve/SleeveMesh", sleeve_frames, counts, corners),
], start=FRAMES[0], fps=25, up="Z", some=True)

file = os.path.join(folder, "blender.glb")
bpy.ops.export_scene.gltf(filepath=file, export_format="GLB", export_animations=True, export_frame_range=True,
                          export_force_sampling=True, export_optimize_animation_size=False, export_texcoords=False)
expected.add("blender.glb", [
    obj("/Cape", y_up(cape_frames), materials=["red", "blue"], nearest=True),
    obj("/Rig/Sleeve", y_up(sleeve_frames), nearest=True, rest=True),
], start=FRAMES[0], fps=25, tolerance=1e-5, up="Y")

file = os.path.join(folder, "blender.gltf")
bpy.ops.export_scene.gltf(filepath=file, export_format="GLTF_SEPARATE", export_animations=True, export_frame_range=True,
                          export_force_sampling=True, export_optimize_animation_size=True)
expected.add("blender.gltf", [
    obj("/Cape", y_up(cape_frames), materials=["red", "blue"], nearest=True),
], start=FRAMES[0], fps=25, tolerance=1e-5, some=True)

file = os.path.join(folder, "blender.fbx")
bpy.ops.export_scene.fbx(filepath=file, bake_anim=True, bake_anim_use_nla_strips=False, bake_anim_use_all_actions=False,
                         bake_anim_simplify_factor=0.0, add_leaf_bones=False)
expected.add("blender.fbx", [
    obj("/Cape", y_up(cape_frames, 100.0), counts, corners, materials=["red", "blue"]),
    obj("/Sleeve", y_up(sleeve_frames, 100.0), counts, corners, rest=True),
], start=FRAMES[0], fps=25, tolerance=1e-5, up="Y", unit=0.01)

file = os.path.join(folder, "blender.abc")
bpy.ops.wm.alembic_export(filepath=file, start=FRAMES[0], end=FRAMES[-1], as_background_job=False)
expected.add("blender.abc", [
    obj("Cape", cape_frames, counts, corners, suffix=True),
    obj("Sleeve", sleeve_frames, counts, corners, suffix=True),
], start=FRAMES[0], fps=25, tolerance=1e-6, some=True)

scene.frame_set(FRAMES[0])
bpy.ops.object.select_all(action="DESELECT")
cape.select_set(True)
bpy.context.view_layer.objects.active = cape
file = os.path.join(folder, "still.ply")
bpy.ops.wm.ply_export(filepath=file, export_selected_objects=True, forward_axis="Y", up_axis="Z", export_normals=True)
expected.add("still.ply", [obj("still", cape_frames[:1], counts, corners)])
file = os.path.join(folder, "still.obj")
bpy.ops.wm.obj_export(filepath=file, export_selected_objects=True, forward_axis="Y", up_axis="Z")
expected.add("still.obj", [obj("still", cape_frames[:1], materials=["red", "blue"])], tolerance=1e-6)

expected.save()
sys.stdout.flush()
# The interpreter may hang at its end.
os._exit(0)
