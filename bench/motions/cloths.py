"""Cloth by Blender's cloth solver: a curtain, a flag, a cape."""
import os

import bpy
import numpy as np

from scene import (add, begin, entry, field, grid, group, key, lathe, play, refine, simulated, write_obj, write_pc2,
                   write_usd)


def cloth(thing, pinned, kilograms, **settings):
    """Makes an object cloth, held where `pinned`."""
    group(thing, "pinned", pinned)
    made = simulated(thing, "CLOTH")
    made.settings.vertex_group_mass = "pinned"
    made.settings.quality = 6
    # Blender weighs vertices, so that a finer sheet would be a heavier one.
    made.settings.mass = kilograms / len(pinned)
    for setting, value in settings.items():
        setattr(made.settings, setting, value)
    return made


def curtain(folder, small):
    """A sheet pinned along its top, which hangs in folds, in gusts of wind."""
    frames, columns, rows, warm_up = (48, 34, 26, 24) if small else (150, 72, 54, 48)
    begin(frames, warm_up)
    fold = lambda u, v: 0.05 * np.sin(2 * np.pi * 3 * u)
    points, faces = grid(columns, rows, lambda u, v: (1.6 * u - 0.8, fold(u, v), 1.2 * v))
    sheet = add("Curtain", points, faces)
    cloth(sheet, [p[2] > 1.2 - 1e-6 for p in points], 260.0, tension_stiffness=15,
          compression_stiffness=15, shear_stiffness=5, bending_stiffness=0.5, air_damping=1.0)
    # The wind turns, so that it comes in gusts from ahead and from aside.
    wind = field("WIND", "Wind", strength=1300.0, flow=0.2, noise=3.0, seed=3)
    wind.rotation_euler = (-np.pi / 2, 0, 0)
    wind.parent = bpy.data.objects.new("Vane", None)
    bpy.context.scene.collection.objects.link(wind.parent)
    gust = lambda t: (0.0, 0.0, float(0.3 + 1.1 * np.sin(2 * np.pi * t / 37)))
    key(wind.parent, "rotation_euler", gust)
    field("TURBULENCE", "Gusts", strength=300.0, size=0.8, noise=0.5, seed=5)
    play(sheet)
    file = os.path.join(folder, "curtain.usdc")
    write_usd(file, [sheet])
    return entry("curtain", file)


def flag(folder, small):
    """A flag pinned at one side, in wind along it."""
    frames, columns, rows, warm_up = (48, 36, 24, 48) if small else (150, 84, 56, 48)
    begin(frames, warm_up)
    points, faces = grid(columns, rows, lambda u, v: (1.5 * u, 0.04 * np.sin(4 * u), v))
    sheet = add("Flag", points, faces)
    cloth(sheet, [p[0] < 1e-6 for p in points], 130.0, tension_stiffness=20,
          compression_stiffness=20, shear_stiffness=10, bending_stiffness=2.0 if small else 0.2, air_damping=1.0)
    # A coarse sheet follows the wind faster and creases at its edges: less wind and more stiffness, so that both beat alike.
    wind = field("WIND", "Wind", strength=1500.0 if small else 9000.0, flow=0.5, noise=2.0, seed=7)
    wind.rotation_euler = (0, np.pi / 2, 0.15)
    field("TURBULENCE", "Gusts", strength=1500.0, size=0.7, noise=1.0, seed=11)
    points = play(sheet)
    write_obj(os.path.join(folder, "flag.obj"), sheet)
    file = os.path.join(folder, "flag.pc2")
    write_pc2(file, points)
    return entry("flag", file, topology="flag.obj", up="z")


def trunk(a, v):
    """The body that wears a cape: hips, waist, chest, shoulders, a head."""
    z = 1.9 * v
    profile = np.interp(z, [0, 0.03, 0.5, 0.85, 1.05, 1.3, 1.45, 1.5, 1.55, 1.6, 1.72, 1.84, 1.9],
                        [0, 0.16, 0.2, 0.19, 0.15, 0.21, 0.19, 0.09, 0.065, 0.09, 0.11, 0.08, 0])
    wide = np.interp(z, [0, 1.1, 1.38, 1.5, 1.6], [1.0, 1.0, 1.25, 1.0, 1.0])
    return (wide * profile * np.cos(a), 0.75 * profile * np.sin(a), z)


def cape(folder, small):
    """A cape worn by a body that strides, stops and turns; what pins it moves with the shoulders."""
    frames, columns, rows, warm_up = 60 if small else 120, 32, 26, 20
    begin(frames, warm_up)
    body = add("Wearer", *lathe(28, 44, trunk))
    body.modifiers.new("Collision", "COLLISION")
    body.collision.thickness_outer, body.collision.cloth_friction = 0.02, 8.0

    def worn(u, v):
        # Around the back, from the neck down, wider below.
        angle, down = np.pi * (1.08 * (u - 0.5) + 0.5), 1 - v
        radius = np.interp(down, [0, 0.12, 0.3, 1], [0.12, 0.27, 0.31, 0.46])
        return (1.15 * radius * np.cos(angle), 0.05 + 0.85 * radius * np.sin(angle), 1.5 - 1.12 * down)

    points, faces = grid(columns, rows, worn)
    sheet = add("Cape", points, faces)
    cloth(sheet, [p[2] > 1.5 - 1e-6 for p in points], 210.0, tension_stiffness=20,
          compression_stiffness=20, shear_stiffness=10, bending_stiffness=0.6, air_damping=1.5)
    sheet.modifiers["Cloth"].collision_settings.distance_min = 0.012
    refine(sheet, small)
    sheet.parent = body
    since = lambda t: max(t - 6, 0) / 24
    stride = lambda t: (0.05 * np.sin(2 * np.pi * since(t)), -0.9 * since(t) + 0.12 * np.sin(2 * np.pi * since(t)),
                        0.03 * np.sin(4 * np.pi * since(t)))
    key(body, "location", lambda t: tuple(map(float, stride(t))))
    turn = lambda t: (0.06 * np.sin(2 * np.pi * since(t)), 0.04 * np.sin(np.pi * since(t)), 0.5 * np.sin(1.3 * since(t)))
    key(body, "rotation_euler", lambda t: tuple(map(float, turn(t))))
    play(sheet)
    file = os.path.join(folder, "cape.usda")
    write_usd(file, [sheet, body])
    return entry("cape", file, object="Cape")
