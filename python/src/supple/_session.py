"""Live editing: handles in the hand, frames as they follow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from . import _core, _toml
from ._arrays import Faces, Points, Surface
from ._handle import Handle, listed
from ._record import Record, record
from ._shot import Path, Progress, Shot, Writing, writing


class Session:
    """A shot that is open for editing. Points and handles are in the unit and axes of the input, frames are the scene's.

    ``Session(shot)`` opens a `Shot` or a shot file, ``Session(points, faces, start=..)`` arrays as `edit` takes them.

    >>> x, y = np.meshgrid(np.linspace(0, 1, 12), np.linspace(0, 1, 12))
    >>> sheet = np.stack([x, y, 0 * x], axis=-1).reshape(-1, 3)
    >>> i = np.arange(132).reshape(11, 12)[:, :11].ravel()
    >>> points = np.stack([sheet + [0, 0, 0.1 * np.sin(0.3 * t)] * x.reshape(-1, 1) for t in range(30)])
    >>> with Session(points, np.stack([i, i + 1, i + 13, i + 12], axis=1)) as live:
    ...     key = live.add(Handle(frame=15, vertex=143, by=(0, 0, 0)))
    ...     shown = np.empty((live.vertices, 3), np.float32)
    ...     with live.grab(key, frame=15) as hand:
    ...         for step in range(1, 11):
    ...             error = hand.move((0, 0, 0.01 * step), out=shown)
    ...     report = live.settle()
    >>> report.status, float(np.round(shown[143, 2] - points[14, 143, 2], 5))
    ('settled', 0.1)
    """

    __slots__ = ("_core",)

    def __init__(
        self,
        shot: Shot | Path | Points,
        faces: Faces | None = None,
        *,
        progress: Progress = None,
        **surface: Unpack[Surface],
    ) -> None:
        if faces is not None:
            if not isinstance(shot, np.ndarray):
                raise TypeError("faces belong to an array of points")
            shot = Shot.of(shot, faces, progress=progress, **surface)
        elif isinstance(shot, np.ndarray):
            raise TypeError("points need faces: Session(points, faces)")
        elif surface:
            raise TypeError(f"{next(iter(surface))} belongs to an array of points; a shot says it itself")
        elif not isinstance(shot, Shot):
            shot = Shot.load(shot)
        self._core = _core.Session(shot._core, progress)

    @property
    def vertices(self) -> int:
        """How many points a frame has: those a handle's ``vertex`` counts."""
        return self._core.vertices

    @property
    def frames(self) -> range:
        """The scene's numbers of the frames."""
        start, count, _ = self._core.clock
        return range(start, start + count)

    @property
    def fps(self) -> float:
        """Frames per second."""
        return self._core.clock[2]

    @property
    def triangles(self) -> NDArray[np.uint32]:
        """The triangles between the points, (m, 3)."""
        return np.array(self._core.triangles(), np.uint32).reshape(-1, 3)

    @property
    def handles(self) -> dict[int, Handle]:
        """The handles by their keys, as they are now."""
        keys, handles = self._core.handles()
        return {key: Handle._known(handle) for key, handle in zip(keys, _toml.loads(handles), strict=True)}

    @property
    def text(self) -> str:
        """The text of the shot as it is now."""
        return self._core.text()

    def add(self, handle: Mapping[str, Any], *, progress: Progress = None) -> int:
        """Adds a handle; answers its key, by which it is called from then on."""
        return self._core.add(listed(handle), progress)[0]

    def set(self, key: int, handle: Mapping[str, Any], *, progress: Progress = None) -> None:
        """Puts another handle in the place of one."""
        self._core.set(key, listed(handle), progress)

    def remove(self, key: int, *, progress: Progress = None) -> None:
        """Removes a handle."""
        self._core.remove(key, progress)

    def grab(self, key: int, frame: int, *, progress: Progress = None) -> Hand:
        """Takes a handle in the hand, as seen in a frame; for ``with``."""
        return Hand(self._core, key, frame, progress)

    def settle(self, *, progress: Progress = None) -> Record:
        """Finds the motion that depends on the handles alone; what it came to.

        ``.status``, ``.size``, ``.handles[k].error`` (m), ``.force``, ``.contacts`` and what else the method tells, as
        ``supple solve --json`` does.
        """
        return record(self._core.settle(progress))

    def read(self, frame: int, *, out: Points | None = None, progress: Progress = None) -> Points:
        """A frame of the edited motion, into ``out`` (vertices, 3) if that is given.

        It is the frame of the input, and the edit on top in single precision: `write` has all digits.
        """
        out = self._room(out)
        self._core.read(frame, out, progress)
        return out

    def read_input(self, frame: int, *, out: Points | None = None) -> Points:
        """A frame of the input, into ``out`` if that is given."""
        out = self._room(out)
        self._core.read_input(frame, out)
        return out

    def write(self, output: Path, *, progress: Progress = None, **options: Unpack[Writing]) -> Record:
        """Writes the edited motion, format by ending, with the options of `Shot.solve`; what ``supple solve --json`` prints."""
        return record(self._core.write(output, writing("write", options), progress))

    def close(self) -> None:
        """Lets go of all it holds."""
        self._core.close()

    def _room(self, out: Points | None) -> Points:
        return np.empty((self.vertices, 3), np.float32) if out is None else out

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        start, count, fps = self._core.clock
        return f"<supple.Session {self.vertices} points, frames {start} to {start + count - 1} at {fps:g} fps>"


class Hand:
    """A handle that is held: it moves, and what is shown follows. Let go, it stays where it was moved to."""

    __slots__ = ("_core", "_frame", "_key", "_progress")

    def __init__(self, core: _core.Session, key: int, frame: int, progress: Progress) -> None:
        self._core, self._key, self._frame, self._progress = core, key, frame, progress

    def move(self, by: Iterable[float], *, out: Points | None = None) -> float:
        """Moves the handle to so far from where it was taken; the shown frame goes to ``out``.

        Answers how far the worst hard handle is off, as a part of the size.
        """
        x, y, z = by
        return self._core.drag([float(x), float(y), float(z)], out)

    def refresh(self) -> None:
        """Makes the next moves of a hand that has gone far as good as the first ones; some tens of milliseconds."""
        self._core.refresh(None)

    def __enter__(self) -> Hand:
        self._core.grab(self._key, self._frame, self._progress)
        return self

    def __exit__(
        self,
        error: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        # What went wrong in between leaves the handle where it was.
        self._core.put_down(error is None)
