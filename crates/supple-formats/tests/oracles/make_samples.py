"""The small binary files in tests/samples/files: make_samples.py FOLDER usd|blender

Once by usd-core and once by Blender, which cannot be in one process."""
import os
import sys

folder, which = sys.argv[1:3]
POINTS = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0.5, 0.5, 1)]
FACES = [(0, 1, 2, 3), (0, 1, 4), (1, 2, 4)]


def at(frame):
    return [(x, y, z + 0.25 * frame * x) for x, y, z in POINTS]


def usd():
    from pxr import Gf, Sdf, Usd, UsdGeom, UsdUtils, Vt

    os.chdir(folder)
    for name in ("small.usdc", "small.usda"):
        stage = Usd.Stage.CreateNew(name)
        UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.z)
        UsdGeom.SetStageMetersPerUnit(stage, 0.01)
        stage.SetStartTimeCode(1)
        stage.SetEndTimeCode(3)
        root = UsdGeom.Xform.Define(stage, "/root")
        stage.SetDefaultPrim(root.GetPrim())
        move = root.AddTranslateOp()
        move.Set(Gf.Vec3d(0, 0, 0), 1)
        move.Set(Gf.Vec3d(0, 0, 2), 3)
        mesh = UsdGeom.Mesh.Define(stage, "/root/cape")
        for t in range(1, 4):
            mesh.GetPointsAttr().Set(Vt.Vec3fArray(at(t)), t)
        mesh.GetFaceVertexCountsAttr().Set([len(f) for f in FACES])
        mesh.GetFaceVertexIndicesAttr().Set([v for f in FACES for v in f])
        api = UsdGeom.PrimvarsAPI(mesh)
        st = api.CreatePrimvar("st", Sdf.ValueTypeNames.TexCoord2fArray, UsdGeom.Tokens.vertex)
        st.Set(Vt.Vec2fArray([Gf.Vec2f(x, y) for x, y, _ in POINTS]))
        pin = api.CreatePrimvar("pin", Sdf.ValueTypeNames.FloatArray, UsdGeom.Tokens.vertex)
        pin.Set(Vt.FloatArray([1, 1, 0, 0, 0]))
        UsdGeom.Subset.CreateGeomSubset(mesh, "top", "face", Vt.IntArray([1, 2]), "group")
        twin = stage.DefinePrim("/twin")
        twin.GetReferences().AddInternalReference("/root")
        stage.Save()
    UsdUtils.CreateNewUsdzPackage("small.usdc", "small.usdz")
    os.remove("small.usda")


def blender():
    import bpy

    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 3
    mesh = bpy.data.meshes.new("cape")
    mesh.from_pydata(POINTS, [], FACES)
    cape = bpy.data.objects.new("cape", mesh)
    scene.collection.objects.link(cape)
    cape.shape_key_add(name="Basis")
    key = cape.shape_key_add(name="bend")
    for i, p in enumerate(at(2)):
        key.data[i].co = p
    for frame, value in ((1, 0.5), (3, 1.5)):
        key.slider_max = 2.0
        key.value = value
        key.keyframe_insert("value", frame=frame)
    bpy.ops.export_scene.fbx(filepath=os.path.join(folder, "small.fbx"), bake_anim_use_nla_strips=False,
                             bake_anim_use_all_actions=False, bake_anim_simplify_factor=0.0, use_metadata=False)
    sys.stdout.flush()
    os._exit(0)


{"usd": usd, "blender": blender}[which]()
