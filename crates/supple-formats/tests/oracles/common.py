"""What the oracles share: small animated meshes, and what is expected of a file."""
import json
import os

import numpy as np

FRAMES = range(10, 15)
FPS = 25


def grid(columns=5, rows=4):
    """Points, face sizes and corners of a bent grid of quads with one triangle more."""
    points = np.array([[i % columns, i // columns, 0.1 * i] for i in range(columns * rows)], dtype=np.float32)
    counts, corners = [], []
    for j in range(rows - 1):
        for i in range(columns - 1):
            a = j * columns + i
            counts.append(4)
            corners += [a, a + 1, a + 1 + columns, a + columns]
    counts.append(3)
    corners += [0, columns, 2 * columns]
    return points, counts, corners


def bent(points, frame):
    """The grid at a frame."""
    out = points.astype(np.float64).copy()
    out[:, 2] += 0.3 * np.sin(0.7 * frame + out[:, 0])
    out[:, 0] *= 1 + 0.01 * frame
    return out.astype(np.float32)


def corner_normals(points, quads, hard):
    """The normals of the corners of quads: where `hard`, the first four are shaded apart from the rest."""
    points, quads = np.asarray(points, dtype=np.float64), np.asarray(quads)
    areas = np.cross(points[quads[:, 2]] - points[quads[:, 0]], points[quads[:, 3]] - points[quads[:, 1]])
    part = np.arange(len(quads)) < (4 if hard else 0)
    out = np.zeros((len(quads), 4, 3))
    for chosen in (part, ~part):
        sums = np.zeros_like(points)
        for corner in range(4):
            np.add.at(sums, quads[chosen, corner], areas[chosen])
        out[chosen] = sums[quads[chosen]]
    return (out / np.linalg.norm(out, axis=2, keepdims=True)).reshape(-1, 3)


class Expected:
    """Files and what is in them, as JSON for the other side."""

    def __init__(self, folder):
        self.folder = folder
        self.files = []

    def add(self, file, objects, **more):
        self.files.append({"file": file, "objects": objects, **more})

    def save(self, name="expected.json"):
        with open(os.path.join(self.folder, name), "w") as out:
            json.dump(self.files, out)


def obj(name, frames, counts=None, corners=None, **more):
    """An object: world-space points of each frame, and its faces."""
    entry = {"name": name, "frames": [np.asarray(f, dtype=np.float64).reshape(-1).tolist() for f in frames], **more}
    if counts is not None:
        entry["counts"] = [int(c) for c in counts]
        entry["corners"] = [int(c) for c in corners]
    return entry
