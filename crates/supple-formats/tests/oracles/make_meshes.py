"""Meshes by trimesh and meshio: make_meshes.py FOLDER"""
import os
import sys

import meshio
import numpy as np
import trimesh

from common import Expected, grid, obj

folder = sys.argv[1]
expected = Expected(folder)
points, counts, corners = grid()
points = points.astype(np.float64) / 7
faces, at = [], 0
for count in counts:
    face = corners[at : at + count]
    faces += [[face[0], face[i], face[i + 1]] for i in range(1, count - 1)]
    at += count
triangles = np.array(faces)
single = points.astype(np.float32).astype(np.float64)
mesh = trimesh.Trimesh(points, triangles, process=False)
mesh.visual.vertex_colors = [[10 * i % 256, 20, 30, 255] for i in range(len(points))]
flat = [3] * len(triangles), triangles.reshape(-1)
for name, options in (("trimesh.ply", {}), ("trimesh-text.ply", {"encoding": "ascii"})):
    mesh.export(os.path.join(folder, name), **options)
    expected.add(name, [obj(name[:-4], [single], *flat, colours=True)])
mesh.export(os.path.join(folder, "trimesh.obj"), include_normals=True, digits=12)
expected.add("trimesh.obj", [obj("trimesh", [points], *flat)], tolerance=1e-9)
scene = trimesh.Scene()
scene.add_geometry(mesh, node_name="cape", transform=trimesh.transformations.translation_matrix([1, 2, 3]))
scene.export(os.path.join(folder, "trimesh.glb"))
expected.add("trimesh.glb", [obj("cape", [single + [1, 2, 3]], *flat, colours=True, suffix=True)])
quads = np.array(corners[: 4 * counts.count(4)]).reshape(-1, 4)
plain = meshio.Mesh(points, [("quad", quads)])
for name, options in (("meshio.obj", {}), ("meshio.ply", {"binary": True}), ("meshio-text.ply", {"binary": False})):
    meshio.write(os.path.join(folder, name), plain, **options)
    of = obj(name.rsplit(".")[0], [points], [4] * len(quads), quads.reshape(-1))
    expected.add(name, [of], tolerance=1e-9)
expected.save()
