"""Supple edits motion the way you edit shape: pull a point at a frame, and the whole motion follows.

- `edit`: a motion in an array becomes another one, in one call;
- `Shot`: a project, in a file or of arrays: handles, every key by its dotted name, solving;
- `Session`: handles in the hand, frames as they follow;
- `samples`, `sample`, `info`, `convert`, `prepare`, `simulate`, `pose`, `recover`, `render`, `plants`, `clean`: the commands;
- ``python -m supple.batch jobs.toml``: many shots, here or on a farm.
"""

from ._commands import (
    clean,
    convert,
    info,
    plants,
    pose,
    prepare,
    recover,
    render,
    sample,
    samples,
    simulate,
    threads,
)
from ._core import __version__
from ._edit import edit
from ._errors import BodyError, Cancelled, Error, FormatError, HandleError, MotionError, ShotError
from ._handle import Handle
from ._record import Record
from ._session import Hand, Session
from ._shot import Handles, Shot

__all__ = [
    "BodyError",
    "Cancelled",
    "Error",
    "FormatError",
    "Hand",
    "Handle",
    "HandleError",
    "Handles",
    "MotionError",
    "Record",
    "Session",
    "Shot",
    "ShotError",
    "__version__",
    "clean",
    "convert",
    "edit",
    "info",
    "plants",
    "pose",
    "prepare",
    "recover",
    "render",
    "sample",
    "samples",
    "simulate",
    "threads",
]
