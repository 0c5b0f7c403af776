"""Motions that tests edit, as a stranger would bring them."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

import supple


def sheet(side: int = 12, frames: int = 30, dtype: type = np.float32) -> tuple[np.ndarray, np.ndarray]:
    """A square cloth of quads that flaps, held along one edge, z up."""
    x, y = np.meshgrid(np.linspace(0, 1, side), np.linspace(0, 1, side))
    rest = np.stack([x, y, 0 * x], axis=-1).reshape(-1, 3)
    i = (np.arange(side * side).reshape(side, side)[: side - 1, : side - 1]).ravel()
    faces = np.stack([i, i + 1, i + side + 1, i + side], axis=1)
    lift = 0.2 * x.reshape(-1) ** 2
    points = np.repeat(rest[None], frames, axis=0)
    points[:, :, 2] += lift * np.sin(0.35 * np.arange(frames))[:, None]
    return points.astype(dtype), faces


def ball(
    frames: int = 20, dtype: type = np.float64, rings: int = 9, around: int = 14
) -> tuple[np.ndarray, list[list[int]]]:
    """A closed ball of quads and triangles that bounces, in centimetres, z up."""
    polar = np.linspace(0, np.pi, rings + 1)[1:-1]
    turn = 2 * np.pi * np.arange(around) / around
    rest = [[0.0, 0.0, 1.0]]
    rest += [[np.sin(p) * np.cos(t), np.sin(p) * np.sin(t), np.cos(p)] for p in polar for t in turn]
    rest.append([0.0, 0.0, -1.0])
    at = lambda ring, k: 1 + ring * around + k % around  # noqa: E731
    faces = [[0, at(0, k), at(0, k + 1)] for k in range(around)]
    for ring in range(rings - 2):
        faces += [[at(ring, k), at(ring + 1, k), at(ring + 1, k + 1), at(ring, k + 1)] for k in range(around)]
    last = len(rest) - 1
    faces += [[last, at(rings - 2, k + 1), at(rings - 2, k)] for k in range(around)]
    t = np.arange(frames)
    points = 30.0 * np.repeat(np.array(rest)[None], frames, axis=0)
    points[:, :, 2] *= (1 + 0.1 * np.sin(0.5 * t))[:, None]
    points[:, :, 2] += (80 + 40 * np.abs(np.sin(0.2 * t)))[:, None]
    return points.astype(dtype), faces


def write_pc2(path: Path, points: np.ndarray, start: float = 1.0) -> None:
    """A point cache, by hand."""
    frames, vertices, _ = points.shape
    head = b"POINTCACHE2\0" + np.array([1, vertices], "<i4").tobytes()
    head += np.array([start, 1.0], "<f4").tobytes() + np.array([frames], "<i4").tobytes()
    path.write_bytes(head + np.ascontiguousarray(points, "<f4").tobytes())


def read_pc2(path: Path) -> np.ndarray:
    """The frames of a point cache."""
    data = path.read_bytes()
    vertices, frames = int(np.frombuffer(data, "<i4", 1, 16)[0]), int(np.frombuffer(data, "<i4", 1, 28)[0])
    return np.frombuffer(data, "<f4", offset=32).reshape(frames, vertices, 3)


def write_obj(path: Path, rest: np.ndarray, faces) -> None:
    """A mesh, by hand."""
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in rest.astype(float).tolist()]
    lines += ["f " + " ".join(str(int(v) + 1) for v in face) for face in faces]
    path.write_text("\n".join(lines) + "\n")


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """What tests compute is kept apart from the user's."""
    monkeypatch.setenv("XDG_CACHE_HOME", os.fspath(tmp_path_factory.getbasetemp() / "cache"))


@pytest.fixture(scope="session")
def bar(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A sample that was written once."""
    folder = tmp_path_factory.mktemp("samples") / "bar"
    return supple.sample("bar", folder).shot
