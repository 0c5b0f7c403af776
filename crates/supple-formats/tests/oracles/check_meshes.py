"""Reads meshes of ours with trimesh and meshio: check_meshes.py FOLDER"""
import json
import os
import sys

import meshio
import numpy as np
import trimesh
from common import corner_normals

folder = sys.argv[1]
expected = json.load(open(os.path.join(folder, "ours.json")))
start = expected["start"]
quads = np.array(expected["corners"]).reshape(-1, 4)


def near(found, wanted, what):
    worst = np.abs(np.asarray(found) - np.asarray(wanted)).max()
    assert worst <= 4e-7 * np.abs(wanted).max(), f"{what} is off by {worst}"


def path(name):
    return os.path.join(folder, name)


for i, frame in enumerate(expected["frames"]):
    for ext in ("ply", "obj"):
        name = f"series.{start + i:04}.{ext}"
        mesh = meshio.read(path(name))
        near(mesh.points, frame, name)
        assert np.array_equal(np.concatenate([c.data for c in mesh.cells if c.type == "quad"]), quads), name

for i, frame in enumerate(expected["frames"]):
    mesh = meshio.read(path(f"smooth.{start + i:04}.ply"))
    normals = np.stack([mesh.point_data[axis] for axis in ("nx", "ny", "nz")], axis=1)
    near(normals[quads.reshape(-1)], corner_normals(frame, quads, False), f"normals of smooth.ply, frame {i}")

# The base of the morph targets, as trimesh has it, a part for each material.
wanted = corner_normals(expected["frames"][0], quads, True).reshape(-1, 4, 3)[:, [0, 1, 2, 0, 2, 3]].reshape(-1, 2, 3, 3)
parts = {p.visual.material.name: p for p in trimesh.load(path("creased.gltf"), process=False).geometry.values()}
for i, name in enumerate(expected["materials"]):
    part = parts[name]
    chosen = np.array(expected["face_materials"]) == i
    near(part.vertex_normals[part.faces], wanted[chosen].reshape(-1, 3, 3), f"normals of creased.gltf, {name}")

mesh = trimesh.load(path("still.ply"), process=False)
near(mesh.vertices, expected["frames"][0], "still.ply")
near(mesh.visual.vertex_colors[:, :3] / 255.0, expected["colours"], "colours of still.ply")

mesh = trimesh.load(path("still.obj"), process=False, maintain_order=True, force="mesh")
assert len(mesh.faces) == 2 * len(quads)
near(mesh.bounds, [np.min(expected["frames"][0], axis=0), np.max(expected["frames"][0], axis=0)], "still.obj")

for name in ("still.glb", "motion.glb", "motion.gltf"):
    scene = trimesh.load(path(name), process=False)
    parts = list(scene.geometry.values())
    assert len(parts) == len(expected["materials"]), name
    assert {p.visual.material.name for p in parts} == set(expected["materials"]), name
    assert sum(len(p.faces) for p in parts) == 2 * len(quads), name
    area = sum(p.area for p in parts)
    points = np.array(expected["frames"][0])
    triangles = points[np.concatenate([quads[:, :3], quads[:, [0, 2, 3]]])]
    assert abs(area - trimesh.triangles.area(triangles).sum()) < 1e-5, name
    assert "cape" in scene.graph.nodes, name
