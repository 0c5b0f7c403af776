"""USD files by usd-core: make_usd.py FOLDER"""
import os
import sys

import numpy as np
from pxr import Gf, Sdf, Usd, UsdGeom, UsdShade, UsdUtils, Vt

from common import FPS, FRAMES, Expected, bent, grid, obj

folder = sys.argv[1]
os.chdir(folder)
expected = Expected(folder)
points, counts, corners = grid()


def world(stage, path, frames):
    mesh = UsdGeom.Mesh(stage.GetPrimAtPath(path))
    out = []
    for t in frames:
        matrix = np.array(UsdGeom.XformCache(t).GetLocalToWorldTransform(mesh.GetPrim()))
        local = np.array(mesh.GetPointsAttr().Get(t), dtype=np.float64)
        out.append(local @ matrix[:3, :3] + matrix[3, :3])
    return out


def define_cape(stage, path):
    mesh = UsdGeom.Mesh.Define(stage, path)
    for t in FRAMES:
        mesh.GetPointsAttr().Set(Vt.Vec3fArray.FromNumpy(bent(points, t)), t)
    mesh.GetFaceVertexCountsAttr().Set(counts)
    mesh.GetFaceVertexIndicesAttr().Set(corners)
    return mesh


def decorate(stage, mesh):
    api = UsdGeom.PrimvarsAPI(mesh)
    st = api.CreatePrimvar("st", Sdf.ValueTypeNames.TexCoord2fArray, UsdGeom.Tokens.faceVarying)
    st.Set(Vt.Vec2fArray([Gf.Vec2f(i / len(points), 0.5) for i in range(len(points))]))
    st.SetIndices(Vt.IntArray(corners))
    pin = api.CreatePrimvar("pin", Sdf.ValueTypeNames.FloatArray, UsdGeom.Tokens.vertex)
    pin.Set(Vt.FloatArray([1.0 if i < 5 else 0.0 for i in range(len(points))]))
    rest = api.CreatePrimvar("Pref", Sdf.ValueTypeNames.Point3fArray, UsdGeom.Tokens.vertex)
    rest.Set(Vt.Vec3fArray.FromNumpy(points))
    colour = api.CreatePrimvar("displayColor", Sdf.ValueTypeNames.Color3fArray, UsdGeom.Tokens.vertex)
    colour.Set(Vt.Vec3fArray([Gf.Vec3f(i / 32, 0.25, 1) for i in range(len(points))]))
    subset = UsdGeom.Subset.CreateGeomSubset(mesh, "left", "face", Vt.IntArray([0, 1, 4, 5]), "materialBind")
    material = UsdShade.Material.Define(stage, "/root/looks/red")
    UsdShade.MaterialBindingAPI.Apply(subset.GetPrim()).Bind(material)


left = sorted({c for f in [0, 1, 4, 5] for c in corners[4 * f : 4 * f + 4]})
for ext in ("usda", "usdc"):
    stage = Usd.Stage.CreateNew(f"scene.{ext}")
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.z)
    UsdGeom.SetStageMetersPerUnit(stage, 0.01)
    stage.SetTimeCodesPerSecond(FPS)
    stage.SetFramesPerSecond(FPS)
    stage.SetStartTimeCode(FRAMES[0])
    stage.SetEndTimeCode(FRAMES[-1])
    root = UsdGeom.Xform.Define(stage, "/root")
    stage.SetDefaultPrim(root.GetPrim())
    root.AddTranslateOp().Set(Gf.Vec3d(1, 2, 3))
    turn = root.AddRotateXYZOp()
    turn.Set(Gf.Vec3f(0, 0, 0), FRAMES[0])
    turn.Set(Gf.Vec3f(10, 20, 30), FRAMES[-1])
    root.AddScaleOp().Set(Gf.Vec3f(2, 2, 0.5))
    mesh = define_cape(stage, "/root/cape")
    decorate(stage, mesh)
    still = UsdGeom.Mesh.Define(stage, "/root/floor")
    still.GetPointsAttr().Set([(0, 0, 0), (1, 0, 0), (0, 1, 0)])
    still.GetFaceVertexCountsAttr().Set([3])
    still.GetFaceVertexIndicesAttr().Set([0, 1, 2])
    still.AddOrientOp().Set(Gf.Quatf(0.5, 0.5, 0.5, 0.5))
    still.AddTransformOp().Set(Gf.Matrix4d().SetTranslate(Gf.Vec3d(5, 6, 7)))
    stage.Save()
    expected.add(
        f"scene.{ext}",
        [
            obj("/root/cape", world(stage, "/root/cape", FRAMES), counts, corners,
                groups={"left": left, "pin": list(range(5))}, materials=["red"], uvs=True, colours=True, rest=True),
            obj("/root/floor", world(stage, "/root/floor", FRAMES), [3], [0, 1, 2]),
        ],
        start=FRAMES[0], fps=FPS, up="Z", unit=0.01,
    )

    # Sublayers, references, payloads, variants, classes, another rate of time.
    stage = Usd.Stage.CreateNew(f"composed.{ext}")
    stage.SetTimeCodesPerSecond(2 * FPS)
    stage.SetFramesPerSecond(2 * FPS)
    top = UsdGeom.Xform.Define(stage, "/world").GetPrim()
    one = stage.DefinePrim("/world/one")
    one.GetReferences().AddReference(f"./scene.{ext}", layerOffset=Sdf.LayerOffset(100, 2))
    two = stage.DefinePrim("/world/two")
    two.GetPayloads().AddPayload(f"./scene.{ext}", "/root")
    two.SetInstanceable(True)
    stage.CreateClassPrim("/_class")
    UsdGeom.Xform(stage.CreateClassPrim("/_class")).AddTranslateOp().Set(Gf.Vec3d(0, 0, 9))
    three = stage.DefinePrim("/world/three", "Xform")
    three.GetInherits().AddInherit("/_class")
    three.GetReferences().AddInternalReference("/world/one/floor")
    variants = top.GetVariantSets().AddVariantSet("look")
    for name in ("plain", "fancy"):
        variants.AddVariant(name)
        variants.SetVariantSelection(name)
        with variants.GetVariantEditContext():
            extra = UsdGeom.Mesh.Define(stage, f"/world/{name}")
            extra.GetPointsAttr().Set([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
            extra.GetFaceVertexCountsAttr().Set([3, 3])
            extra.GetFaceVertexIndicesAttr().Set([0, 1, 2, 0, 2, 3])
    frames = range(140, 160)
    stage.SetStartTimeCode(frames[0])
    stage.SetEndTimeCode(frames[-1])
    stage.Save()
    paths = ["/world/one/cape", "/world/one/floor", "/world/two/cape", "/world/two/floor", "/world/fancy"]
    flat = Usd.Stage.Open(f"composed.{ext}")
    objects = []
    for path in paths:
        prim = flat.GetPrimAtPath(path)
        of = UsdGeom.Mesh(prim)
        objects.append(obj(path, world(flat, path, frames), of.GetFaceVertexCountsAttr().Get(), of.GetFaceVertexIndicesAttr().Get()))
    expected.add(f"composed.{ext}", objects, start=frames[0], fps=2 * FPS, some=True)

UsdUtils.CreateNewUsdzPackage("composed.usdc", "packed.usdz")
expected.add("packed.usdz", expected.files[-1]["objects"], start=140, fps=2 * FPS, some=True)

stage = Usd.Stage.CreateNew("over.usda")
stage.GetRootLayer().subLayerPaths.append("./scene.usdc")
stage.SetTimeCodesPerSecond(FPS)
over = UsdGeom.Mesh(stage.OverridePrim("/root/cape"))
over.GetPointsAttr().Set(Vt.Vec3fArray.FromNumpy(points))
stage.OverridePrim("/root/floor").SetActive(False)
stage.SetStartTimeCode(FRAMES[0])
stage.SetEndTimeCode(FRAMES[-1])
stage.Save()
expected.add("over.usda", [obj("/root/cape", world(stage, "/root/cape", FRAMES), counts, corners)], start=FRAMES[0], fps=FPS)

# A large one: arrays that the format packs, and half floats.
side = 60
many, many_counts, many_corners = grid(side, side)
stage = Usd.Stage.CreateNew("large.usdc")
stage.SetStartTimeCode(1)
stage.SetEndTimeCode(3)
mesh = UsdGeom.Mesh.Define(stage, "/large")
for t in range(1, 4):
    mesh.GetPointsAttr().Set(Vt.Vec3fArray.FromNumpy(bent(many, t)), t)
    mesh.GetFaceVertexCountsAttr().Set(many_counts, t)
mesh.GetFaceVertexIndicesAttr().Set(many_corners)
weights = UsdGeom.PrimvarsAPI(mesh).CreatePrimvar("weights", Sdf.ValueTypeNames.FloatArray, UsdGeom.Tokens.vertex)
weights.Set(Vt.FloatArray([float(i % 3) for i in range(len(many))]))
halves = UsdGeom.PrimvarsAPI(mesh).CreatePrimvar("halves", Sdf.ValueTypeNames.HalfArray, UsdGeom.Tokens.vertex)
halves.Set(Vt.HalfArray([0.5 * (i % 2) for i in range(len(many))]))
table = UsdGeom.PrimvarsAPI(mesh).CreatePrimvar("table", Sdf.ValueTypeNames.DoubleArray, UsdGeom.Tokens.vertex)
table.Set(Vt.DoubleArray([[-0.1, 0.3][i % 2] for i in range(len(many))]))
stage.Save()
groups = {
    "weights": [i for i in range(len(many)) if i % 3],
    "halves": [i for i in range(len(many)) if i % 2],
    "table": [i for i in range(len(many)) if i % 2],
}
expected.add("large.usdc", [obj("/large", world(stage, "/large", range(1, 4)), many_counts, many_corners, groups=groups)],
             start=1, fps=24)
expected.save()
