"""Bodies: a jelly by Blender's soft body solver, figures on armatures, a face of shape keys."""
import os

import bpy
import numpy as np

from scene import (add, begin, entry, grid, group, key, lathe, play, refine, select, simulated, write_fbx, write_glb,
                   write_mdd, write_obj)


def rounded_box(cells, half, power=4.0):
    """The surface of a box with rounded edges."""
    mesh = {}
    points, faces = [], []

    def at(p):
        name = tuple(np.round(p, 9))
        if name not in mesh:
            mesh[name] = len(points)
            q = np.array(p, dtype=float)
            points.append(np.array(half) * q / np.linalg.norm(q, ord=power))
        return mesh[name]

    steps = np.linspace(-1, 1, cells + 1)
    for axis in range(3):
        for side in (-1.0, 1.0):
            place = lambda a, b: np.roll([side, a, b], axis)
            for i in range(cells):
                for j in range(cells):
                    quad = [at(place(steps[i + di], steps[j + dj])) for di, dj in ((0, 0), (1, 0), (1, 1), (0, 1))]
                    faces.append(quad if side > 0 else quad[::-1])
    return np.array(points), faces


def jelly(folder, small):
    """A block of jelly that is thrown on a floor, bounces and wobbles."""
    frames, cells = 60 if small else 150, 11
    begin(frames)
    points, faces = rounded_box(cells, (0.5, 0.4, 0.45))
    block = add("Jelly", points, faces)
    # It comes down on an edge.
    block.location, block.rotation_euler = (0, 0, 1.1), (0.35, 0.2, 0)
    floor = add("Floor", *grid(2, 2, lambda u, v: (10 * u - 5, 10 * v - 5, 0)))
    floor.modifiers.new("Collision", "COLLISION")
    floor.collision.damping_factor = 0.2
    floor.collision.thickness_outer = 0.02
    soft = simulated(block, "SOFT_BODY").settings
    soft.use_goal = False
    soft.mass, soft.friction, soft.speed = 1.0, 0.3, 1.0
    soft.use_edges, soft.pull, soft.push, soft.damping = True, 0.6, 0.6, 1.0
    soft.bend, soft.use_stiff_quads, soft.shear = 10.0, True, 0.9
    soft.step_min, soft.step_max = 10, 60
    refine(block, small)
    points = play(block)
    write_obj(os.path.join(folder, "jelly.obj"), block)
    file = os.path.join(folder, "jelly.mdd")
    write_mdd(file, points)
    return entry("jelly", file, topology="jelly.obj", up="z")


# Bones of a person: head and tail, and what they hang on.
BONES = {
    "hips": ((0, 0, 0.95), (0, 0, 1.1), None),
    "spine": ((0, 0, 1.1), (0, 0, 1.4), "hips"),
    "head": ((0, 0, 1.45), (0, 0, 1.75), "spine"),
    **{f"{part}.{side}": bone for side, x in (("L", 1), ("R", -1)) for part, bone in {
        "upper_arm": ((x * 0.2, 0, 1.38), (x * 0.45, 0, 1.2), "spine"),
        "forearm": ((x * 0.45, 0, 1.2), (x * 0.68, 0, 1.02), f"upper_arm.{side}"),
        "thigh": ((x * 0.1, 0, 0.95), (x * 0.12, 0, 0.5), "hips"),
        "shin": ((x * 0.12, 0, 0.5), (x * 0.12, 0, 0.08), f"thigh.{side}"),
    }.items()},
}


def armature(bones):
    """An armature of these bones."""
    data = bpy.data.armatures.new("Rig")
    rig = bpy.data.objects.new("Rig", data)
    bpy.context.scene.collection.objects.link(rig)
    select(rig)
    bpy.ops.object.mode_set(mode="EDIT")
    for name, (head, tail, parent) in bones.items():
        bone = data.edit_bones.new(name)
        bone.head, bone.tail, bone.roll = head, tail, 0.0
        if parent:
            bone.parent = data.edit_bones[parent]
    bpy.ops.object.mode_set(mode="OBJECT")
    for bone in rig.pose.bones:
        bone.rotation_mode = "XYZ"
    return rig


def turn(rig, name, axis, angle_at):
    """Turns a bone about an axis of the world at rest."""
    bone = rig.pose.bones[name]
    own = np.array(rig.data.bones[name].matrix_local)[:3, :3].T @ np.array(axis, dtype=float)
    from mathutils import Quaternion, Vector
    bone.rotation_mode = "QUATERNION"
    key(bone, "rotation_quaternion", lambda t: Quaternion(Vector(own), float(angle_at(t))))


def walk(rig, pace=24):
    """A walk: a stride takes `pace` frames."""
    phase = lambda t, shift=0.0: 2 * np.pi * ((t - 1) / pace + shift)
    for side, shift in (("L", 0.0), ("R", 0.5)):
        turn(rig, f"thigh.{side}", (1, 0, 0), lambda t, s=shift: 0.55 * np.sin(phase(t, s)))
        turn(rig, f"shin.{side}", (1, 0, 0), lambda t, s=shift: -0.45 - 0.45 * np.sin(phase(t, s) - 2.0))
        turn(rig, f"upper_arm.{side}", (1, 0, 0), lambda t, s=shift: -0.45 * np.sin(phase(t, s)))
        turn(rig, f"forearm.{side}", (1, 0, 0), lambda t, s=shift: 0.35 - 0.2 * np.sin(phase(t, s)))
    turn(rig, "spine", (0, 0, 1), lambda t: 0.12 * np.sin(phase(t)))
    turn(rig, "head", (0, 0, 1), lambda t: -0.1 * np.sin(phase(t)))
    ahead = lambda t: (0.0, float(-1.1 * (t - 1) / pace), float(0.025 * np.cos(2 * phase(t))))
    key(rig, "location", ahead)


def skinned(thing, rig):
    """Hangs an object on an armature."""
    thing.modifiers.new("Rig", "ARMATURE").object = rig
    thing.parent = rig


def person(fine):
    """One connected surface around the bones, by Blender's skin modifier, with texture seams and hard edges."""
    nodes = {"pelvis": ((0, 0, 0.95), 0.13), "belly": ((0, 0, 1.1), 0.12), "chest": ((0, 0, 1.34), 0.15),
             "neck": ((0, 0, 1.47), 0.06), "face": ((0, -0.02, 1.6), 0.1), "crown": ((0, 0, 1.72), 0.08)}
    links = [("pelvis", "belly"), ("belly", "chest"), ("chest", "neck"), ("neck", "face"), ("face", "crown")]
    for side, x in (("L", 1), ("R", -1)):
        limb = {"shoulder": ((x * 0.2, 0, 1.38), 0.075), "elbow": ((x * 0.45, 0, 1.2), 0.05),
                "wrist": ((x * 0.66, 0, 1.04), 0.035), "hand": ((x * 0.74, 0, 0.97), 0.045),
                "hip": ((x * 0.1, 0, 0.9), 0.1), "knee": ((x * 0.12, 0, 0.5), 0.065),
                "ankle": ((x * 0.12, 0, 0.1), 0.045), "toe": ((x * 0.12, -0.16, 0.04), 0.035)}
        nodes |= {name + side: node for name, node in limb.items()}
        links += [("chest", "shoulder" + side), ("pelvis", "hip" + side)]
        for chain in (("shoulder", "elbow", "wrist", "hand"), ("hip", "knee", "ankle", "toe")):
            links += [(a + side, b + side) for a, b in zip(chain, chain[1:])]
    names = list(nodes)
    mesh = bpy.data.meshes.new("Sticks")
    mesh.from_pydata([nodes[n][0] for n in names], [(names.index(a), names.index(b)) for a, b in links], [])
    sticks = bpy.data.objects.new("Sticks", mesh)
    bpy.context.scene.collection.objects.link(sticks)
    sticks.modifiers.new("Skin", "SKIN")
    for vertex, name in zip(mesh.skin_vertices[0].data, names):
        vertex.radius = (nodes[name][1], nodes[name][1])
        vertex.use_root = name == "pelvis"
    round_off = sticks.modifiers.new("Round", "SUBSURF")
    round_off.levels = 2 if fine else 1
    graph = bpy.context.evaluated_depsgraph_get()
    surface = bpy.data.meshes.new_from_object(sticks.evaluated_get(graph))
    bpy.data.objects.remove(sticks)
    thing = bpy.data.objects.new("Person", surface)
    surface.name = "Person"
    bpy.context.scene.collection.objects.link(thing)
    return thing


def unwrap(thing, sharp):
    """Texture coordinates in islands, and edges that are hard where the surface bends by more than `sharp`."""
    select(thing)
    for polygon in thing.data.polygons:
        polygon.use_smooth = True
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.uv.smart_project(angle_limit=1.35, island_margin=0.01)
    bpy.ops.object.mode_set(mode="OBJECT")
    thing.data.set_sharp_from_angle(angle=sharp)


def distance_to_bone(points, head, tail):
    head, along = np.array(head, dtype=float), np.array(tail, dtype=float) - np.array(head, dtype=float)
    t = np.clip((points - head) @ along / (along @ along), 0, 1)
    return np.linalg.norm(points - head - t[:, None] * along, axis=1)


def weights(points, bones):
    """Of each bone on each point, smooth, by distance."""
    far = np.array([distance_to_bone(points, head, tail) for head, tail, _ in bones.values()])
    near = np.exp(-((far / 0.06) ** 2)) + 1e-12 * np.exp(-far / 0.1)
    near[near < 0.02 * near.max(axis=0)] = 0
    # Four bones at most, as exporters and games have it.
    near[near < np.sort(near, axis=0)[-4]] = 0
    return near / near.sum(axis=0)


def walker(folder, small):
    """A person that walks: one surface, skinned, with texture seams and hard edges, so that its vertices are split."""
    frames = 48 if small else 120
    begin(frames)
    rig = armature(BONES)
    thing = person(not small)
    unwrap(thing, 0.65)
    points = np.array([v.co for v in thing.data.vertices])
    for name, share in zip(BONES, weights(points, BONES)):
        group(thing, name, share)
    skinned(thing, rig)
    walk(rig)
    file = os.path.join(folder, "walker.glb")
    write_glb(file)
    return entry("walker", file)


def ball(around, rings, centre, radii):
    """An ellipsoid."""
    place = lambda a, v: (radii[0] * np.cos(a) * np.sin(np.pi * v), radii[1] * np.sin(a) * np.sin(np.pi * v),
                          -radii[2] * np.cos(np.pi * v))
    points, faces = lathe(around, rings, place)
    return points + np.array(centre), faces


def limb(around, rings, head, tail, radius):
    """A rounded stick from `head` to `tail`."""
    head, tail = np.array(head, dtype=float), np.array(tail, dtype=float)
    axis = (tail - head) / np.linalg.norm(tail - head)
    side = np.cross(axis, (0, 1, 0) if abs(axis[1]) < 0.9 else (1, 0, 0))
    side /= np.linalg.norm(side)
    other = np.cross(axis, side)
    length = np.linalg.norm(tail - head)

    def place(a, v):
        along = v * (length + 2 * radius) - radius
        out = max(-along, along - length, 0.0)
        r = np.sqrt(max(radius**2 - out**2, 0.0))
        return head + along * axis + r * (np.cos(a) * side + np.sin(a) * other)

    return lathe(around, rings, place)


def figure(folder, small):
    """A doll of pieces that touch: torso, limbs, head, eyes, buttons, one object; it walks."""
    frames = 48 if small else 120
    begin(frames)
    n = 1 if small else 2
    pieces = [("spine", *ball(14 * n, 10 * n, (0, 0, 1.18), (0.24, 0.17, 0.34)))]
    pieces.append(("head", *ball(14 * n, 10 * n, (0, 0, 1.66), (0.16, 0.16, 0.19))))
    for x in (-1, 1):
        side = "L" if x > 0 else "R"
        # Half of each eye is in the head.
        pieces.append(("head", *ball(8 * n, 5 * n, (x * 0.06, -0.14, 1.7), (0.035, 0.035, 0.035))))
        pieces.append((f"upper_arm.{side}", *limb(8 * n, 8 * n, (x * 0.2, 0, 1.38), (x * 0.45, 0, 1.2), 0.06)))
        pieces.append((f"forearm.{side}", *limb(8 * n, 8 * n, (x * 0.45, 0, 1.2), (x * 0.68, 0, 1.02), 0.055)))
        pieces.append((f"thigh.{side}", *limb(9 * n, 9 * n, (x * 0.1, 0, 0.95), (x * 0.12, 0, 0.5), 0.09)))
        pieces.append((f"shin.{side}", *limb(9 * n, 9 * n, (x * 0.12, 0, 0.5), (x * 0.12, 0, 0.08), 0.08)))
    for z in (1.05, 1.17, 1.29):
        front = -0.17 * np.sqrt(1 - ((z - 1.18) / 0.34) ** 2)
        pieces.append(("spine", *ball(8 * n, 4 * n, (0, front, z), (0.03, 0.014, 0.03))))
    points = np.concatenate([p for _, p, _ in pieces])
    faces, bone_of, first = [], [], 0
    for bone, p, f in pieces:
        faces += [tuple(first + v for v in face) for face in f]
        bone_of += [bone] * len(p)
        first += len(p)
    thing = add("Doll", points, faces)
    rig = armature(BONES)
    for name in BONES:
        group(thing, name, [float(bone == name) for bone in bone_of])
    skinned(thing, rig)
    walk(rig)
    file = os.path.join(folder, "figure.fbx")
    write_fbx(file)
    return entry("figure", file)


def skull(a, v):
    """A head on its neck, the nose towards -y."""
    z = 0.36 * v
    radius = np.interp(z, [0, 0.004, 0.08, 0.1, 0.14, 0.2, 0.27, 0.33, 0.355, 0.36],
                       [0, 0.058, 0.055, 0.062, 0.085, 0.1, 0.1, 0.065, 0.025, 0])
    front = max(-np.sin(a), 0.0)
    nose = 0.03 * np.exp(-((z - 0.19) / 0.02) ** 2) * np.exp(-((a - 1.5 * np.pi) / 0.22) ** 2)
    chin = 0.02 * np.exp(-((z - 0.12) / 0.025) ** 2) * front**3
    r = radius + nose + chin
    return (0.8 * r * np.cos(a), r * np.sin(a), z)


def face(folder, small):
    """A head that talks by shape keys: jaw, cheeks and brows move, the lower neck stands still."""
    frames, around, rings = (48, 32, 34) if small else (120, 64, 68)
    begin(frames)
    points, faces = lathe(around, rings, skull)
    head = add("Head", points, faces)
    unwrap(head, 0.9)
    x, y, z = points.T
    bump = lambda c, s: np.exp(-(((points - np.array(c)) / s) ** 2).sum(axis=1))
    above_neck = np.clip((z - 0.08) / 0.04, 0, 1)
    jaw = above_neck * np.clip((0.17 - z) / 0.03, 0, 1) * np.clip((0.03 - y) / 0.05, 0, 1)
    nod = np.clip((z - 0.07) / 0.15, 0, 1) ** 2
    shapes = {
        "jaw": np.stack([0 * x, 0.012 * jaw, -0.03 * jaw], axis=1),
        "cheeks": sum(bump((s * 0.05, -0.06, 0.16), 0.03)[:, None] * np.array([s * 0.018, -0.014, 0.004]) for s in (-1, 1)),
        "brows": bump((0, -0.09, 0.25), 0.03)[:, None] * np.array([0, -0.004, 0.014]),
        "nod": nod[:, None] * np.stack([0 * x, -0.03 + 0 * x, -0.006 + 0.06 * y], axis=1),
        "tilt": nod[:, None] * np.stack([0.03 + 0 * x, 0 * x, -0.12 * x], axis=1),
    }
    head.shape_key_add(name="Basis")
    for k, (name, offset) in enumerate(shapes.items()):
        shape = head.shape_key_add(name=name)
        # Nothing below the collar moves at all.
        offset = np.where((z > 0.06)[:, None], offset, 0.0)
        for vertex, p in enumerate(points + offset):
            shape.data[vertex].co = p
        pace = (11, 17, 23, 41, 53)[k]
        key(shape, "value", lambda t: float(0.5 + 0.5 * np.sin(2 * np.pi * t / pace + k)))
    file = os.path.join(folder, "face.glb")
    write_glb(file)
    return entry("face", file)
