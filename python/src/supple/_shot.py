"""Shots: a body, its motion and what is asked of it."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableSequence
from typing import Any, TypedDict, Unpack, overload

import numpy as np
from numpy.typing import DTypeLike

from . import _core, _toml
from ._arrays import Faces, Points, arrays, members, whole
from ._errors import Error, ShotError
from ._handle import Handle, listed
from ._record import Record, record

Path = str | os.PathLike[str]
Progress = Callable[[str, float], object] | None


class Writing(TypedDict, total=False):
    """How an edited motion is written."""

    #: The skin, not the body.
    skin: bool
    #: A self-contained ``.usda``, not a layer over the original.
    flatten: bool
    #: Also write this shot, whose input is the edited motion.
    bake: Path | None
    #: Stop looking for a better edit after so long.
    seconds: float | None
    #: Frames per second of what is written.
    fps: float | None
    #: Also write the body at every key into this folder.
    write_keys: Path | None
    #: Also write the forces that make the motion to this file.
    forces: Path | None
    #: What of the material is chosen: ``"none"``, ``"stiffness"`` or ``"all"``.
    optimise: str | None


def writing(name: str, options: Writing) -> dict[str, Any]:
    """The options of a function of this name, if there are such."""
    for option in options:
        if option not in Writing.__annotations__:
            raise TypeError(f"{name}() got an unexpected keyword argument {option!r}")
    return {"skin": False, "flatten": False, **options}


class Shot:
    """A project: a body, its motion and what is asked of it; a file, ``shot.toml``, or arrays in memory.

    Every key of the file is reached by its dotted name, and checked as in the file:

    >>> shot = Shot.parse("[body]\\nkind = 'solid'\\nmesh = 'bridge.msh'")
    >>> shot["edit.modes"] = 60
    >>> shot["edit.modes"], shot["edit.reach"]
    (60, None)
    >>> shot["edit.mods"] = 60
    Traceback (most recent call last):
    supple._errors.ShotError: unknown key `mods` in [edit]; did you mean `modes`?
    >>> shot.handles.append(Handle(frame=60, group="tip", to=(0, 1, 0), hold=50.0))
    >>> shot["edit.handle.0.to"]
    [0.0, 1.0, 0.0]

    Places in a shot are as in its file: metres, y up.
    """

    __slots__ = ("_core",)

    def __init__(self, core: _core.Shot) -> None:
        self._core = core

    @classmethod
    def load(cls, path: Path) -> Shot:
        """Reads a shot file."""
        return cls(_core.Shot.load(path))

    @classmethod
    def parse(cls, text: str, folder: Path = ".") -> Shot:
        """Reads the text of a shot file, whose paths start from ``folder``."""
        return cls(_core.Shot.parse(text, folder))

    @classmethod
    def new(
        cls,
        motion: Path,
        path: Path,
        *,
        object: str | None = None,
        topology: Path | None = None,
        kind: str = "auto",
        rest: int | Path | None = None,
        unit: str | float | None = None,
        up: str | None = None,
        cells: int | None = None,
        groups: Path | None = None,
        force: bool = False,
        progress: Progress = None,
    ) -> Shot:
        """Makes the shot file ``path`` of an animated surface or a skeleton, as ``supple new`` does.

        What that found is in `imported`.
        """
        options = {
            "object": object,
            "topology": topology,
            "kind": kind,
            "unit": None if unit is None else str(unit),
            "up": up,
            "rest_frame": rest if isinstance(rest, int) else None,
            "rest_file": None if isinstance(rest, int) else rest,
            "cells": cells,
            "groups": groups,
            "force": force,
        }
        return cls(_core.Shot.import_(motion, path, options, progress))

    @classmethod
    def of(
        cls,
        points: Points,
        faces: Faces,
        *,
        start: int = 1,
        fps: float = 24,
        unit: str | float = "m",
        up: str = "z",
        kind: str = "auto",
        groups: Mapping[str, Iterable[int]] | None = None,
        cells: int | None = None,
        rest: int | None = None,
        progress: Progress = None,
    ) -> Shot:
        """Makes a shot of arrays: ``points`` (frames, vertices, 3) and ``faces`` (m, 3), or a list of polygons.

        The points are read where they lie, a frame at a time; they must not be changed while something is computed.
        """
        given = {
            "start": whole("start", start),
            "fps": float(fps),
            "unit": str(unit),
            "up": up,
            "kind": kind,
            "groups": members(groups),
            "cells": None if cells is None else whole("cells", cells),
            "rest": None if rest is None else whole("rest", rest),
        }
        return cls(_core.Shot.of_arrays(arrays(points, faces) | given, progress))

    def __getitem__(self, key: str) -> Any:
        try:
            value = self._core.value(key)
        except ShotError as error:
            raise KeyError(str(error)) from None
        return None if value is None else _toml.loads(value)

    def __setitem__(self, key: str, value: object) -> None:
        self._core.set_value(key, None if value is None else _toml.dumps(value))

    def __delitem__(self, key: str) -> None:
        self._core.set_value(key, None)

    def __contains__(self, key: object) -> bool:
        try:
            return isinstance(key, str) and self._core.value(key) is not None
        except ShotError:
            return False

    #: Its keys are no list; ``text`` has them.
    __iter__ = None

    def __copy__(self) -> Shot:
        return Shot(self._core.copy())

    def __deepcopy__(self, memo: object) -> Shot:
        return Shot(self._core.copy())

    @property
    def handles(self) -> Handles:
        """The handles of ``[[edit.handle]]``, a list."""
        return Handles(self)

    @handles.setter
    def handles(self, handles: Iterable[Mapping[str, Any]]) -> None:
        self["edit.handle"] = list(handles)

    @property
    def path(self) -> str | None:
        """Its file."""
        path = self._core.path
        return None if path is None else os.fspath(path)

    @property
    def changed(self) -> bool:
        """Whether it is other than its file."""
        return self._core.is_changed

    @property
    def imported(self) -> Record | None:
        """What there is to know of how it was made of a motion."""
        answer = self._core.imported
        return None if answer is None else record(answer)

    @property
    def text(self) -> str:
        """The text of its file."""
        return self._core.text()

    def save(self, path: Path | None = None, *, force: bool = False, progress: Progress = None) -> Record:
        """Writes it to its file, or to another one. Comments and layout of a file that is there stay.

        Arrays go to files beside it, in single precision; a warning says how much of them was rounded. Without ``force``
        none of those is written over.
        """
        kept = record(self._core.save(path, force, progress))
        if kept.rounding > 0.0:
            text = f"the frames are stored in single precision: points moved by up to {kept.rounding:.1e} m"
            warnings.warn(text, stacklevel=2)
        return kept

    def solve(self, output: Path, *, progress: Progress = None, **options: Unpack[Writing]) -> Record:
        """Finds the edit and writes the motion, format by ending, as ``supple solve`` does; answers its report.

        The options are those of the command: `Writing`.
        """
        return record(self._core.solve(output, writing("solve", options), progress))

    def edited(self, dtype: DTypeLike | None = None, *, progress: Progress = None) -> tuple[Points, Record]:
        """Finds the edit; the motion as an array (frames, vertices, 3), and the report.

        The array is in the unit and axes of the input. Without ``dtype`` it has that of the points the shot was made of,
        and float32 otherwise.
        """
        kind = None if dtype is None else np.dtype(dtype)
        if kind is not None and kind not in (np.dtype(np.float32), np.dtype(np.float64)):
            raise TypeError(f"dtype must be float32 or float64, got {kind}")
        points, report = self._core.edited(None if kind is None else kind == np.float64, progress)
        return points, record(report)

    def __fspath__(self) -> str:
        if self.path is None or self.changed:
            raise Error("the shot is not saved; save() it first")
        return self.path

    def __repr__(self) -> str:
        where = "in memory" if self.path is None else repr(self.path)
        return f"<supple.Shot {where}, {self['body.kind']}, {len(self.handles)} handles>"


class Handles(MutableSequence[Handle]):
    """The handles of a shot. They are checked together, as in its file, whenever one of them changes."""

    __slots__ = ("_shot",)

    def __init__(self, shot: Shot) -> None:
        self._shot = shot

    def _all(self) -> list[Handle]:
        return [Handle._known(keys) for keys in self._shot["edit.handle"] or []]

    @overload
    def __getitem__(self, index: int) -> Handle: ...
    @overload
    def __getitem__(self, index: slice) -> list[Handle]: ...
    def __getitem__(self, index: int | slice) -> Handle | list[Handle]:
        return self._all()[index]

    def __setitem__(self, index: int | slice, handle: Any) -> None:
        handles: list[Any] = self._all()
        handles[index] = handle
        self._put(handles)

    def __delitem__(self, index: int | slice) -> None:
        handles = self._all()
        del handles[index]
        self._put(handles)

    def __len__(self) -> int:
        return len(self._all())

    def __iter__(self) -> Iterator[Handle]:
        return iter(self._all())

    def insert(self, index: int, handle: Mapping[str, Any]) -> None:
        """Puts a handle before another one."""
        handles: list[Any] = self._all()
        handles.insert(index, handle)
        self._put(handles)

    def extend(self, handles: Iterable[Mapping[str, Any]]) -> None:
        """Adds handles behind the others, all at once."""
        self._put([*self._all(), *handles])

    def _put(self, handles: list[Any]) -> None:
        self._shot._core.set_value("edit.handle", listed(handles) if handles else None)

    def __eq__(self, other: object) -> bool:
        return self._all() == list(other) if isinstance(other, Iterable) else NotImplemented

    def __repr__(self) -> str:
        return repr(self._all())
