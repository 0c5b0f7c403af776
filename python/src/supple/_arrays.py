"""Arrays as the core takes them."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float32] | NDArray[np.float64]
Faces = NDArray[np.integer[Any]] | Sequence[Sequence[int]]


class Surface(TypedDict, total=False):
    """What else there is to know of a surface in arrays."""

    #: The scene's number of the first frame.
    start: int
    #: Frames per second.
    fps: float
    #: What the points are measured in: ``"m"``, ``"cm"``, ``"inch"`` .., or a number of metres.
    unit: str | float
    #: The axis that points up: ``"x"``, ``"y"`` or ``"z"``.
    up: str
    #: The kind of body: ``"auto"``, ``"solid"``, ``"voxels"`` or ``"cloth"``.
    kind: str
    #: Vertices by name, for handles.
    groups: Mapping[str, Iterable[int]] | None
    #: Cells along the longest side of the body.
    cells: int | None
    #: The frame that is the rest shape.
    rest: int | None


def arrays(points: Points, faces: Faces) -> dict[str, Any]:
    """Points and faces as the core takes them. Arrays that can be read where they lie are."""
    if not isinstance(points, np.ndarray):
        points = np.asarray(points)
    if np.ma.is_masked(points):
        raise ValueError("points has masked numbers; fill them first")
    if points.dtype not in (np.float32, np.float64) and points.dtype.newbyteorder("=") not in (np.float32, np.float64):
        raise TypeError(f"points must be float32 or float64, got {points.dtype}")
    corners, counts = polygons(faces)
    return {"points": points.view(np.ndarray), "corners": corners, "counts": counts}


def whole(name: str, number: object) -> int:
    """A whole number, called ``name`` where it is none."""
    try:
        return operator.index(number)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{name} must be a whole number, got {number!r}") from None


def members(groups: Mapping[str, Iterable[int]] | None) -> list[tuple[str, list[int]]]:
    """Groups as the core takes them."""
    if groups is not None and not isinstance(groups, Mapping):
        raise TypeError(f"groups must name vertices, as {{'tip': [3, 4]}}; got {groups!r}")
    named = [(str(name), list(vertices)) for name, vertices in (groups or {}).items()]
    for name, vertices in named:
        if any(isinstance(v, (bool, np.bool_)) for v in vertices):
            raise TypeError(f"groups[{name!r}] must be numbers of vertices; np.flatnonzero finds those of a mask")
    return [(name, [whole(f"groups[{name!r}]", v) for v in vertices]) for name, vertices in named]


def polygons(faces: Faces) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The corners of all faces one after the other, and how many each has."""
    if isinstance(faces, np.ndarray) and faces.dtype != object:
        if faces.ndim != 2 or (faces.size and faces.shape[1] < 3):
            raise ValueError(f"faces must have the shape (m, 3), or be a list of polygons; got {faces.shape}")
        if not np.issubdtype(faces.dtype, np.integer):
            raise TypeError(f"faces must be whole numbers, got {faces.dtype}")
        corners = np.ascontiguousarray(faces, np.int64).reshape(-1)
        return corners, np.full(len(faces), faces.shape[1], np.int64)
    if not isinstance(faces, Iterable):
        raise TypeError(f"faces must be an array of whole numbers, or a list of polygons; got {faces!r}")
    rows = [np.asarray(face) for face in faces]
    for k, row in enumerate(rows):
        if row.ndim != 1 or (row.size and not np.issubdtype(row.dtype, np.integer)):
            raise TypeError(f"faces[{k}] must be a list of whole numbers")
    counts = np.array([row.size for row in rows], np.int64)
    corners = np.concatenate(rows).astype(np.int64) if rows else np.empty(0, np.int64)
    return corners, counts
