"""Values as TOML and back: the language in which shots are written."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def dumps(value: object) -> str:
    """A value as TOML, in one line.

    >>> dumps({"frame": 60, "by": (0, 0, 0.5), "hold": "hard"})
    '{ frame = 60, by = [0, 0, 0.5], hold = "hard" }'
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, (int, float)):
        return repr(value) if type(value) in (int, float) else dumps(_plain(value))
    if isinstance(value, os.PathLike):
        return _string(os.fsdecode(value))
    if isinstance(value, Mapping):
        pairs = (f"{_key(key)} = {dumps(entry)}" for key, entry in value.items() if entry is not None)
        inside = ", ".join(pairs)
        return f"{{ {inside} }}" if inside else "{}"
    if hasattr(value, "tolist"):  # numbers and arrays of numpy
        return dumps(value.tolist())
    if isinstance(value, Iterable):
        return "[" + ", ".join(dumps(entry) for entry in value) + "]"
    raise TypeError(f"a shot cannot hold a {type(value).__name__}: {value!r}")


def loads(text: str) -> Any:
    """A value from its TOML."""
    import tomllib

    return tomllib.loads(f"value = {text}")["value"]


def _plain(number: int | float) -> int | float:
    return int(number) if isinstance(number, int) else float(number)


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(key: object) -> str:
    text = str(key)
    return text if _BARE.fullmatch(text) else _string(text)
