"""A scene by usd-core that goes through new, edit and solve: flow_usd.py FOLDER [what was asked, as JSON]

Without the second it writes scene.usdc: in centimetres with z up, frames 10 to 21, a closed egg that tumbles in a
transform that moves, and a floor. With it, edited.usda is read: the vertex is where it was asked to be, the first frame and
everything else are as they were."""
import json
import os
import sys

import numpy as np
from pxr import Gf, Usd, UsdGeom, Vt

folder = sys.argv[1]
os.chdir(folder)
FRAMES = range(10, 22)


def egg(rings=12, sides=16):
    points, faces = [(0, 0, -30.0)], []
    for i in range(1, rings):
        polar = np.pi * i / rings
        for j in range(sides):
            turn = 2 * np.pi * j / sides
            points.append((20 * np.sin(polar) * np.cos(turn), 20 * np.sin(polar) * np.sin(turn), -30 * np.cos(polar)))
    points.append((0, 0, 30.0))
    last = len(points) - 1
    at = lambda i, j: 1 + (i - 1) * sides + j % sides
    faces += [(0, at(1, j + 1), at(1, j)) for j in range(sides)]
    faces += [(at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)) for i in range(1, rings - 1) for j in range(sides)]
    faces += [(at(rings - 1, j), at(rings - 1, j + 1), last) for j in range(sides)]
    return np.array(points), faces


def world(stage, path, frame):
    mesh = UsdGeom.Mesh(stage.GetPrimAtPath(path))
    matrix = np.array(UsdGeom.XformCache(frame).GetLocalToWorldTransform(mesh.GetPrim()))
    return np.array(mesh.GetPointsAttr().Get(frame), dtype=np.float64) @ matrix[:3, :3] + matrix[3, :3]


def make():
    stage = Usd.Stage.CreateNew("scene.usdc")
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.z)
    UsdGeom.SetStageMetersPerUnit(stage, 0.01)
    stage.SetTimeCodesPerSecond(25)
    stage.SetFramesPerSecond(25)
    stage.SetStartTimeCode(FRAMES[0])
    stage.SetEndTimeCode(FRAMES[-1])
    root = UsdGeom.Xform.Define(stage, "/root")
    stage.SetDefaultPrim(root.GetPrim())
    move = root.AddTranslateOp()
    points, faces = egg()
    mesh = UsdGeom.Mesh.Define(stage, "/root/egg")
    for t in FRAMES:
        s = (t - FRAMES[0]) / len(FRAMES)
        move.Set(Gf.Vec3d(100 * s, 0, 80 + 60 * s * (1 - s)), t)
        swollen = points * (1 + 0.1 * np.sin(3 * s), 1 - 0.05 * np.sin(3 * s), 1)
        turn = np.array([[np.cos(s), 0, np.sin(s)], [0, 1, 0], [-np.sin(s), 0, np.cos(s)]])
        mesh.GetPointsAttr().Set(Vt.Vec3fArray.FromNumpy((swollen @ turn).astype(np.float32)), t)
    mesh.GetFaceVertexCountsAttr().Set([len(f) for f in faces])
    mesh.GetFaceVertexIndicesAttr().Set([v for f in faces for v in f])
    UsdGeom.Subset.CreateGeomSubset(mesh, "cap", "face", Vt.IntArray(range(len(faces) - 16, len(faces))), "group")
    floor = UsdGeom.Mesh.Define(stage, "/floor")
    floor.GetPointsAttr().Set([(-300, -300, 0), (300, -300, 0), (300, 300, 0), (-300, 300, 0)])
    floor.GetFaceVertexCountsAttr().Set([4])
    floor.GetFaceVertexIndicesAttr().Set([0, 1, 2, 3])
    stage.Save()


def check(asked):
    before, after = Usd.Stage.Open("scene.usdc"), Usd.Stage.Open("edited.usda")
    assert not after.GetCompositionErrors()
    assert UsdGeom.GetStageUpAxis(after) == "Z" and UsdGeom.GetStageMetersPerUnit(after) == 0.01
    assert (after.GetStartTimeCode(), after.GetEndTimeCode()) == (FRAMES[0], FRAMES[-1])
    assert after.GetTimeCodesPerSecond() == 25
    subset = UsdGeom.Subset(after.GetPrimAtPath("/root/egg/cap"))
    assert len(subset.GetIndicesAttr().Get()) == 16
    moves = [world(after, "/root/egg", t) - world(before, "/root/egg", t) for t in FRAMES]
    moved = moves[asked["frame"] - FRAMES[0]][asked["vertex"]]
    assert np.abs(moved - asked["by"]).max() < 0.05 * np.linalg.norm(asked["by"]), moved
    assert np.abs(moves[0]).max() < 1e-4, "the first frame is as it was"
    assert np.array_equal(world(after, "/floor", 15), world(before, "/floor", 15))


if len(sys.argv) > 2:
    check(json.load(open(sys.argv[2])))
else:
    make()
