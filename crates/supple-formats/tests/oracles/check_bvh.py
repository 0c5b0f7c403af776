"""Reads skeletons of ours with Blender, compares the joints, and writes them again: check_bvh.py FOLDER"""
import json
import os
import sys

import bpy
import numpy as np

folder = sys.argv[1]
rigs = json.load(open(os.path.join(folder, "ours.json")))

for rig in rigs:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps = 25
    path = os.path.join(folder, rig["name"])
    bpy.ops.import_anim.bvh(
        filepath=path + ".bvh",
        axis_forward="Y",
        axis_up="Z",
        rotate_mode="NATIVE",
        update_scene_duration=True,
    )
    (armature,) = [o for o in scene.objects if o.type == "ARMATURE"]
    bones = armature.pose.bones
    joints = rig["joints"]
    assert {b.name for b in bones} == {j["name"] for j in joints if not j["end"]}, [b.name for b in bones]
    frames = np.array(rig["frames"])
    for number, wanted in enumerate(frames, start=1):
        scene.frame_set(number)
        of = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
        for joint, place in zip(joints, wanted):
            # An end is the tail of the bone it ends.
            local = of.pose.bones[joints[joint["parent"]]["name"]].tail if joint["end"] else of.pose.bones[joint["name"]].head
            off = np.abs(np.array(of.matrix_world @ local) - place).max()
            assert off < 1e-4, f"{joint['name']} of {rig['name']} is off by {off} in frame {number}"
    bpy.context.view_layer.objects.active = armature
    armature.select_set(True)
    bpy.ops.export_anim.bvh(
        filepath=path + "-theirs.bvh",
        frame_start=1,
        frame_end=len(frames),
        rotate_mode="NATIVE",
        root_transform_only=False,
    )

sys.stdout.flush()
os._exit(0)
