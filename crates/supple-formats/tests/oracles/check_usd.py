"""Reads USD of ours with usd-core: check_usd.py FOLDER"""
import json
import os
import sys

import numpy as np
from common import corner_normals
from pxr import Usd, UsdGeom, UsdShade

folder = sys.argv[1]
expected = json.load(open(os.path.join(folder, "ours.json")))


def world(stage, path, frame):
    mesh = UsdGeom.Mesh(stage.GetPrimAtPath(path))
    matrix = np.array(UsdGeom.XformCache(frame).GetLocalToWorldTransform(mesh.GetPrim()))
    return np.array(mesh.GetPointsAttr().Get(frame), dtype=np.float64) @ matrix[:3, :3] + matrix[3, :3]


def near(found, wanted, what):
    found, wanted = np.asarray(found), np.asarray(wanted)
    assert found.shape == wanted.shape, f"{what}: {found.shape} for {wanted.shape}"
    worst = np.abs(found - wanted).max()
    assert worst <= 4e-7 * max(1.0, np.abs(wanted).max()), f"{what} is off by {worst}"


stage = Usd.Stage.Open(os.path.join(folder, "whole.usda"))
assert UsdGeom.GetStageUpAxis(stage) == "Z" and UsdGeom.GetStageMetersPerUnit(stage) == 0.01
start, frames = expected["start"], len(expected["frames"])
assert stage.GetTimeCodesPerSecond() == expected["fps"]
assert (stage.GetStartTimeCode(), stage.GetEndTimeCode()) == (start, start + frames - 1)
assert stage.GetDefaultPrim().GetPath() == "/root"
prim = stage.GetPrimAtPath("/root/cape")
mesh = UsdGeom.Mesh(prim)
for i in range(frames):
    near(world(stage, "/root/cape", start + i), expected["frames"][i], f"frame {i}")
    extent = mesh.GetExtentAttr().Get(start + i)
    near(extent, UsdGeom.PointBased.ComputeExtent(mesh.GetPointsAttr().Get(start + i)), "extent")
assert list(mesh.GetFaceVertexIndicesAttr().Get()) == expected["corners"]
assert set(mesh.GetFaceVertexCountsAttr().Get()) == {4}
api = UsdGeom.PrimvarsAPI(mesh)
st = api.GetPrimvar("st")
assert st.GetInterpolation() == "faceVarying" and len(st.ComputeFlattened()) == len(expected["corners"])
near(api.GetPrimvar("displayColor").Get(), expected["colours"], "colours")
valid, reason = UsdGeom.Subset.ValidateFamily(mesh, "face", "materialBind")
assert valid, reason
for i, name in enumerate(expected["materials"]):
    subset = UsdGeom.Subset(stage.GetPrimAtPath(f"/root/cape/{name}"))
    wanted = [f for f, m in enumerate(expected["face_materials"]) if m == i]
    assert list(subset.GetIndicesAttr().Get()) == wanted, name
    material, _ = UsdShade.MaterialBindingAPI(subset).ComputeBoundMaterial()
    assert material.GetPrim().GetName() == name
pins = UsdGeom.Subset(stage.GetPrimAtPath("/root/cape/pins"))
assert list(pins.GetIndicesAttr().Get()) == expected["pins"]

quads = np.array(expected["corners"]).reshape(-1, 4)
for name, hard in (("creased.usda", True), ("smooth.usda", False)):
    stage = Usd.Stage.Open(os.path.join(folder, name))
    mesh = UsdGeom.Mesh(stage.GetPrimAtPath("/root/cape"))
    for i in range(frames):
        wanted = corner_normals(expected["frames"][i], quads, hard)
        if hard:
            primvar = UsdGeom.PrimvarsAPI(mesh).GetPrimvar("normals")
            assert primvar.GetInterpolation() == "faceVarying"
            found = np.array(primvar.ComputeFlattened(start + i))
        else:
            assert mesh.GetNormalsInterpolation() == "vertex"
            found = np.array(mesh.GetNormalsAttr().Get(start + i))[quads.reshape(-1)]
        near(found, wanted, f"normals of {name}, frame {i}")

for over in expected["overs"]:
    layer = Usd.Stage.Open(os.path.join(folder, over["file"]))
    original = Usd.Stage.Open(os.path.join(folder, over["original"]))
    assert not layer.GetCompositionErrors(), over
    codes = layer.GetTimeCodesPerSecond() / layer.GetFramesPerSecond()
    assert layer.GetStartTimeCode() == original.GetStartTimeCode()
    for i in range(over["frames"]):
        code = (over["start"] + i) * codes
        wanted = world(original, over["object"], code) + np.array(over["by"])
        near(world(layer, over["object"], code), wanted, f"{over['file']} at {code}")
    # Everything else is as it was.
    for prim in original.Traverse(Usd.TraverseInstanceProxies()):
        if prim.IsA(UsdGeom.Mesh) and str(prim.GetPath()) != over["object"]:
            path = str(prim.GetPath())
            near(world(layer, path, over["start"]), world(original, path, over["start"]), path)
    # And the layer holds the new points alone.
    own = [str(s.path) for s in layer.GetRootLayer().GetPrimAtPath(over["object"]).attributes]
    names = {name.split(".")[-1] for name in own}
    renewed = {"normals", "primvars:normals", "primvars:normals:indices"}
    assert names <= {"points", "extent", "velocities", "accelerations"} | renewed, names
    # With normals where it had some: moved as a whole, it is shaded as it was.
    shape, before = (UsdGeom.Mesh(of.GetPrimAtPath(over["object"])) for of in (layer, original))
    if before.GetNormalsAttr().HasAuthoredValue() or UsdGeom.PrimvarsAPI(before).GetPrimvar("normals").HasAuthoredValue():
        primvar = UsdGeom.PrimvarsAPI(shape).GetPrimvar("normals")
        found = primvar.ComputeFlattened(code) if primvar.HasAuthoredValue() else shape.GetNormalsAttr().Get(code)
        assert found and np.allclose(np.linalg.norm(found, axis=1), 1, atol=1e-6), over
