"""The jobs that a file asks for.

.. code-block:: toml

    out = "results"       # results/NAME/{edited.usda, report.json}
    format = "usda"
    retries = 2
    [[job]]
    shot = "sh010/cape.toml"
    [[sweep]]
    shot = "bird/bird.toml"
    set = { "edit.damping.stiffness" = [0.0, 0.01], "body.material.young" = [1e5, 1e6] }
"""

from __future__ import annotations

import functools
import hashlib
import itertools
import json
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import __version__
from .._errors import Error
from .._shot import Shot


#: What jobs have in common whose bodies, input and modes are the same.
SHARED = ("body", "motion", "simulate", "load", "contacts", "edit.method", "edit.feel", "edit.modes", "edit.part")


@dataclass(frozen=True)
class Job:
    """A shot to solve, with keys that have other values than in its file."""

    name: str
    shot: str
    set: dict[str, Any]
    out: str
    format: str
    retries: int

    def opened(self) -> Shot:
        """The shot, with its keys."""
        shot = Shot.load(self.shot)
        for key, value in self.set.items():
            shot[key] = value
        return shot

    def body(self) -> str:
        """What all jobs have in common that edit one body: what is prepared once serves them all."""
        shot = self.opened()
        return _hash(shot, json.dumps({key: shot[key] for key in SHARED}))

    def content(self) -> str:
        """What its results depend on: the shot, all files that it reads, the format and the version."""
        shot = self.opened()
        return _hash(shot, f"{self.format}\0{shot.text}")

    @property
    def folder(self) -> Path:
        """Where its results go."""
        return Path(self.out) / self.name


@dataclass(frozen=True)
class Plan:
    """All jobs of a file."""

    jobs: list[Job]
    out: Path


def read_jobs(path: str | os.PathLike[str]) -> Plan:
    """The jobs of a file; paths are relative to it."""
    file = Path(path)
    try:
        asked = tomllib.loads(file.read_text())
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise Error(f"{file}: {error}") from None
    _known(file, "the file", asked, {"out", "format", "retries", "job", "sweep"})
    out = (file.parent / _typed(file, asked, "out", str, "results")).resolve()
    retries = _typed(file, asked, "retries", int, 2)
    ending = _typed(file, asked, "format", str, "usda").lstrip(".")
    if retries < 0 or not re.fullmatch(r"[a-z0-9]+", ending):
        raise Error(f"{file}: retries must be at least 0, and format an ending as \"usda\"")
    jobs: list[Job] = []
    names: set[str] = set()
    for shot, name, values in [*_single(file, asked), *_swept(file, asked)]:
        name = _free(name, names)
        jobs.append(Job(name, str((file.parent / shot).resolve()), values, str(out), ending, retries))
    if not jobs:
        raise Error(f"{file}: there are no jobs; add a [[job]] or a [[sweep]]")
    return Plan(jobs, out)


Asked = tuple[str, str, dict[str, Any]]


def _single(file: Path, asked: Mapping[str, Any]) -> Iterator[Asked]:
    for table in _typed(file, asked, "job", list, []):
        _known(file, "[[job]]", table, {"shot", "name", "set"})
        shot = _needed(file, "[[job]]", table)
        yield shot, _typed(file, table, "name", str, _stem(shot)), dict(_typed(file, table, "set", dict, {}))


def _swept(file: Path, asked: Mapping[str, Any]) -> Iterator[Asked]:
    for table in _typed(file, asked, "sweep", list, []):
        _known(file, "[[sweep]]", table, {"shot", "name", "set"})
        shot = _needed(file, "[[sweep]]", table)
        stem = _typed(file, table, "name", str, _stem(shot))
        choices = _typed(file, table, "set", dict, {})
        for key, values in choices.items():
            if not isinstance(values, list) or not values:
                raise Error(f"{file}: `{key}` of a [[sweep]] takes a list of values")
        for values in itertools.product(*choices.values()):
            chosen = dict(zip(choices, values, strict=True))
            parts = [stem, *(f"{key.rsplit('.', 1)[-1]}={_word(value)}" for key, value in chosen.items())]
            yield shot, "-".join(parts), chosen


def _word(value: object) -> str:
    text = f"{value:g}" if isinstance(value, (int, float)) and not isinstance(value, bool) else str(value)
    return re.sub(r"[^A-Za-z0-9_.+-]+", "_", text).strip("_")[:40]


def _stem(shot: str) -> str:
    return Path(shot).stem


def _free(name: str, names: set[str]) -> str:
    name = re.sub(r"[^A-Za-z0-9_.=+-]+", "_", name).lstrip(".") or "job"
    free = next(n for n in itertools.chain([name], (f"{name}-{k}" for k in itertools.count(2))) if n not in names)
    names.add(free)
    return free


def _known(file: Path, where: str, table: Mapping[str, Any], known: set[str]) -> None:
    for key in table:
        if key not in known:
            raise Error(f"{file}: unknown key `{key}` in {where}; use one of {', '.join(sorted(known))}")


def _needed(file: Path, where: str, table: Mapping[str, Any]) -> str:
    shot = _typed(file, table, "shot", str, "")
    if not shot:
        raise Error(f"{file}: a {where} needs the key `shot`")
    return str(shot)


def _typed(file: Path, table: Mapping[str, Any], key: str, kind: type, default: Any) -> Any:
    value = table.get(key, default)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise Error(f"{file}: `{key}` takes a {kind.__name__}, got {value!r}")
    return value


def _hash(shot: Shot, more: str) -> str:
    digest = hashlib.blake2b(f"{__version__}\0{more}".encode(), digest_size=16)
    for file in sorted(os.fspath(file) for file in shot._core.files()):
        digest.update(_file_hash(file, *_stamp(file)))
    return digest.hexdigest()


def _stamp(file: str) -> tuple[int, int]:
    try:
        found = os.stat(file)
    except OSError:
        return (0, 0)
    return (found.st_size, found.st_mtime_ns)


@functools.lru_cache(maxsize=4096)
def _file_hash(file: str, size: int, time: int) -> bytes:
    try:
        with open(file, "rb") as opened:
            return hashlib.file_digest(opened, lambda: hashlib.blake2b(digest_size=16)).digest()
    except OSError:
        return b"missing"
