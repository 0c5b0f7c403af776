"""Handles: what is asked of a motion."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from . import _core, _toml


class Handle(Mapping[str, Any]):
    """What is asked of some points at some frames: the keys of ``[[edit.handle]]``, checked as in a shot file.

    When: ``frame`` or ``frames``. Where: ``vertex``, ``vertices``, ``group``, ``near``, ``joint``, ``center_of_mass``. What:
    ``to``, ``by``, ``velocity``, ``turn``, ``plane``, ``path`` and more. How firmly: ``hold``, ``"hard"`` or a number.

    >>> pull = Handle(frame=60, vertex=12, by=(0, 0, 0.2))
    >>> pull["frame"], pull.vertex
    (60, 12)
    >>> pull.replace(hold=50.0)
    Handle(frame=60, vertex=12, by=(0, 0, 0.2), hold=50.0)
    >>> Handle(frme=60, vertex=12, by=(0, 0, 0.2))
    Traceback (most recent call last):
    supple._errors.HandleError: unknown key `frme` in [edit.handle[0]]; did you mean `frame`?
    """

    __slots__ = ("_keys",)
    _keys: dict[str, Any]

    def __init__(self, **keys: Any) -> None:
        keys = {key: value for key, value in keys.items() if value is not None}
        _core.check_handles(_toml.dumps([keys]))
        object.__setattr__(self, "_keys", keys)

    @classmethod
    def _known(cls, keys: Mapping[str, Any]) -> Handle:
        """A handle of a shot, which was checked there."""
        handle = cls.__new__(cls)
        object.__setattr__(handle, "_keys", dict(keys))
        return handle

    def replace(self, **keys: Any) -> Handle:
        """Another handle with some keys changed; ``None`` leaves a key out."""
        return Handle(**{**self._keys, **keys})

    def __getitem__(self, key: str) -> Any:
        return self._keys[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._keys[name]
        except KeyError:
            raise AttributeError(f"this handle has no {name!r}; it has {', '.join(self._keys)}") from None

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a handle does not change; make another with replace()")

    def __repr__(self) -> str:
        return "Handle(" + ", ".join(f"{key}={value!r}" for key, value in self._keys.items()) + ")"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_made, (self._keys,))


def _made(keys: dict[str, Any]) -> Handle:
    return Handle(**keys)


def listed(handles: Iterable[Mapping[str, Any]] | Mapping[str, Any]) -> str:
    """Handles as a list of TOML."""
    if isinstance(handles, Mapping):
        handles = [handles]
    if not isinstance(handles, Iterable):
        raise TypeError(f"handles must be a list of handles, got {handles!r}")
    handles = list(handles)
    for handle in handles:
        if not isinstance(handle, Mapping):
            raise TypeError(f"a handle is a supple.Handle or a dict, not {handle!r}")
    return _toml.dumps(handles)
