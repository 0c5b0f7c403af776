"""What the motions share: scenes of Blender, meshes made of numbers, and files."""
import os
import struct

import bpy
import numpy as np

FPS = 24


def begin(frames, warm_up=0):
    """An empty scene of so many frames; before them simulations have `warm_up` frames to come to life."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps = FPS
    scene.frame_start, scene.frame_end = 1 + warm_up, frames + warm_up


def add(name, points, faces, smooth=True):
    """An object of these points and faces."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([tuple(map(float, p)) for p in points], [], [tuple(map(int, f)) for f in faces])
    mesh.update()
    for polygon in mesh.polygons:
        polygon.use_smooth = smooth
    thing = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(thing)
    return thing


def grid(columns, rows, place):
    """Points place(u, v), u and v from 0 to 1, and quads between them; v = 1 is the last row."""
    points = [place(i / (columns - 1), j / (rows - 1)) for j in range(rows) for i in range(columns)]
    at = lambda i, j: j * columns + i
    faces = [(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1))
             for j in range(rows - 1) for i in range(columns - 1)]
    return np.array(points, dtype=float), faces


def lathe(around, rings, place):
    """A closed surface: rings of points place(angle, v), v from 0 to 1, and a point at either end."""
    angles = 2 * np.pi * np.arange(around) / around
    heights = (np.arange(rings) + 0.5) / rings
    points = [place(a, v) for v in heights for a in angles] + [place(0.0, 0.0), place(0.0, 1.0)]
    low, high = len(points) - 2, len(points) - 1
    faces = []
    for k in range(around):
        after = (k + 1) % around
        faces += [(r * around + k, r * around + after, (r + 1) * around + after, (r + 1) * around + k)
                  for r in range(rings - 1)]
        faces += [(low, after, k), (high, (rings - 1) * around + k, (rings - 1) * around + after)]
    return np.array(points, dtype=float), faces


def group(thing, name, weights):
    """A vertex group with a weight per vertex."""
    made = thing.vertex_groups.new(name=name)
    for vertex, weight in enumerate(weights):
        if weight > 0:
            made.add([vertex], float(weight), "REPLACE")


def key(target, path, value_at):
    """Keys of a property at all frames of the scene, and those before them."""
    for frame in range(1, bpy.context.scene.frame_end + 1):
        setattr(target, path, value_at(frame))
        target.keyframe_insert(path, frame=frame)


def field(kind, name, **settings):
    """A force field."""
    bpy.ops.object.effector_add(type=kind)
    made = bpy.context.object
    made.name = name
    for setting, value in settings.items():
        setattr(made.field, setting, value)
    return made


def play(thing):
    """Plays the scene, simulations and all; the points of an object in the world, frame by frame."""
    scene, out = bpy.context.scene, []
    for frame in range(1, scene.frame_end + 1):
        scene.frame_set(frame)
        if frame < scene.frame_start:
            continue
        evaluated = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
        mesh = evaluated.to_mesh()
        points = np.empty(3 * len(mesh.vertices), dtype=np.float32)
        mesh.vertices.foreach_get("co", points)
        world = np.array(evaluated.matrix_world, dtype=np.float64)
        out.append(points.reshape(-1, 3).astype(np.float64) @ world[:3, :3].T + world[:3, 3])
        evaluated.to_mesh_clear()
    out = np.array(out)
    assert np.isfinite(out).all() and np.abs(out).max() < 100, f"{thing.name} exploded"
    return out


def simulated(thing, modifier):
    """A simulation of an object, over all frames of the scene."""
    made = thing.modifiers.new(modifier.title(), modifier)
    made.point_cache.frame_start, made.point_cache.frame_end = 1, bpy.context.scene.frame_end
    return made


def refine(thing, small):
    """Rounds a coarse simulation off, as artists do, unless it shall be small."""
    if not small:
        made = thing.modifiers.new("Round", "SUBSURF")
        made.levels = made.render_levels = 1


def write_obj(file, thing):
    """The faces of an object, as it is in the first frame."""
    bpy.context.scene.frame_set(bpy.context.scene.frame_start)
    select(thing)
    bpy.ops.wm.obj_export(filepath=file, export_selected_objects=True, forward_axis="Y", up_axis="Z",
                          export_materials=False, export_uv=False, export_normals=False)


def write_pc2(file, points):
    """A point cache of frames 1 and on."""
    frames, vertices, _ = points.shape
    with open(file, "wb") as out:
        out.write(struct.pack("<12siiffi", b"POINTCACHE2\0", 1, vertices, 1.0, 1.0, frames))
        out.write(points.astype("<f4").tobytes())


def write_mdd(file, points):
    """The same with the time of every frame, big end first."""
    frames, vertices, _ = points.shape
    with open(file, "wb") as out:
        out.write(struct.pack(">ii", frames, vertices))
        out.write(((np.arange(frames) + 1) / FPS).astype(">f4").tobytes())
        out.write(points.astype(">f4").tobytes())


def write_usd(file, things):
    """These objects with every frame of their points."""
    select(*things)
    bpy.ops.wm.usd_export(filepath=file, export_animation=True, selected_objects_only=True, export_armatures=False,
                          export_shapekeys=False, export_materials=False, export_normals=False, export_uvmaps=False,
                          export_subdivision="TESSELLATE")


def write_glb(file):
    """The scene as binary glTF."""
    bpy.ops.export_scene.gltf(filepath=file, export_format="GLB", export_animations=True, export_frame_range=True,
                              export_force_sampling=True, export_optimize_animation_size=False)


def write_fbx(file):
    """The scene as FBX."""
    bpy.ops.export_scene.fbx(filepath=file, bake_anim=True, bake_anim_use_nla_strips=False,
                             bake_anim_use_all_actions=False, bake_anim_simplify_factor=0.0, add_leaf_bones=False)


def select(*things):
    """Selects these alone."""
    bpy.ops.object.select_all(action="DESELECT")
    for thing in things:
        thing.select_set(True)
    bpy.context.view_layer.objects.active = things[0]


def entry(name, file, **options):
    """A line of the manifest: options are those of `supple new`."""
    return {"name": name, "file": os.path.basename(file), "fps": FPS, "options": options}
