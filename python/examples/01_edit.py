"""Pulls the corner of a flapping cloth: one array becomes another."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import supple


def cloth(side: int, frames: int) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """A square cloth of quads that flaps, held along one edge."""
    x, y = np.meshgrid(np.linspace(0, 1, side), np.linspace(0, 1, side))
    rest = np.stack([x, y, 0 * x], axis=-1).reshape(-1, 3)
    corner = np.arange(side * side).reshape(side, side)[:-1, :-1].ravel()
    faces = np.stack([corner, corner + 1, corner + side + 1, corner + side], axis=1)
    points = np.repeat(rest[None].astype(np.float32), frames, axis=0)
    lift = 0.2 * x.reshape(-1) ** 2
    points[:, :, 2] += (lift * np.sin(0.35 * np.arange(frames))[:, None]).astype(np.float32)
    return points, faces


points, faces = cloth(16, 40)
pull = supple.Handle(frame=20, vertex=255, by=(0, 0, 0.2))
out, report = supple.edit(points, faces, [pull])
moved = np.linalg.norm(out - points, axis=2).max(axis=1)
print(report.status, f"frame 20 moves by {moved[19]:.3f}, frame 1 by {moved[0]:.3f}")
