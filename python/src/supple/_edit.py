"""`edit`: a motion in an array becomes another one, in one call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar, Unpack

import numpy as np
from numpy.typing import NDArray

from ._arrays import Faces, Surface
from ._handle import listed
from ._record import Record
from ._shot import Progress, Shot

Number = TypeVar("Number", np.float32, np.float64)


def edit(
    points: NDArray[Number],
    faces: Faces,
    handles: Iterable[Mapping[str, Any]],
    *,
    progress: Progress = None,
    set: Mapping[str, object] | None = None,
    **surface: Unpack[Surface],
) -> tuple[NDArray[Number], Record]:
    """Edits the motion of a surface: what the handles ask for, and all that follows from it.

    ``points`` are (frames, vertices, 3), float32 or float64; what comes back is an array of the same kind, and a report.
    ``faces`` are (m, 3), or a list of polygons. Handles are in the unit and axes of the points, their frames the scene's
    numbers. ``set`` gives other keys of the shot their values, as ``{"edit.reach": 12}``. ``progress(stage, fraction)`` is
    called at most 20 times a second; what it raises ends the work.

    What else there is to know of the points, as in `Shot.of`: ``start=1`` is the first frame's number, ``fps=24``,
    ``unit="m"`` or ``"cm"`` or a number of metres, ``up="z"``; ``kind`` is the kind of body, ``"auto"``, ``"solid"``,
    ``"voxels"`` or ``"cloth"``, of so many ``cells`` along its longest side; ``groups`` are vertices by name, for handles;
    ``rest`` is the frame that is the rest shape.

    A frame that the edit does not reach comes back bit for bit.

    >>> x, y = np.meshgrid(np.linspace(0, 1, 12), np.linspace(0, 1, 12))
    >>> sheet = np.stack([x, y, 0 * x], axis=-1).reshape(-1, 3)
    >>> i = np.arange(132).reshape(11, 12)[:, :11].ravel()
    >>> faces = np.stack([i, i + 1, i + 13, i + 12], axis=1)
    >>> points = np.stack([sheet + [0, 0, 0.1 * np.sin(0.3 * t)] * x.reshape(-1, 1) for t in range(30)])
    >>> out, report = edit(points, faces, [{"frame": 15, "vertex": 143, "by": (0, 0, 0.1)}])
    >>> report.status
    'settled'
    >>> float(np.round(out[14, 143, 2] - points[14, 143, 2], 6))
    0.1
    """
    wanted = listed(handles)
    shot = Shot.of(points, faces, progress=_part(progress, 0.0, 0.4), **surface)
    for key, value in (set or {}).items():
        shot[key] = value
    shot._core.take_handles(wanted)
    out, report = shot.edited(progress=_part(progress, 0.4, 1.0))
    return out, report  # type: ignore[return-value]


def _part(progress: Progress, begin: float, end: float) -> Progress:
    """A part of some work, as far as the whole is told of it."""
    if not callable(progress):
        # None, or something that the core refuses by name.
        return progress
    tell = progress
    return lambda stage, fraction: tell(stage, begin + (end - begin) * fraction)
