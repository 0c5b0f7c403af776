"""Writes a built-in shot, changes a key and a handle, and solves it to a file."""

from __future__ import annotations

import tempfile
from pathlib import Path

import supple

with tempfile.TemporaryDirectory() as folder:
    shot = supple.Shot.load(supple.sample("bar", Path(folder) / "bar").shot)
    shot["edit.modes"] = 40
    shot.handles = [supple.Handle(frame=20, near=(1, 0, 0), by=(0, 0.1, 0), hold=50.0)]
    shot.save()
    report = shot.solve(Path(folder) / "edited.usda")
    print(report.status, report.vertices, "vertices,", report.frames, "frames")
