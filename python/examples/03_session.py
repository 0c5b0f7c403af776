"""Drags a handle, as a tool does while the mouse moves."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

import supple

with tempfile.TemporaryDirectory() as folder:
    with supple.Session(supple.sample("bar", Path(folder) / "bar").shot) as live:
        frame = live.frames[len(live.frames) // 2]
        key = live.add(supple.Handle(frame=frame, near=(1, 0, 0), by=(0, 0, 0)))
        shown = np.empty((live.vertices, 3), np.float32)
        with live.grab(key, frame=frame) as hand:
            for step in range(10):
                error = hand.move((0, 0.01 * step, 0), out=shown)
        report = live.settle()
        print(report.status, f"off by {error:.1e} of the size while it was dragged")
