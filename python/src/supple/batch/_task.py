"""One job, from a shot to its results. Results appear whole, and tell what they were made of."""

from __future__ import annotations

import json
import os
import shutil
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from .. import __version__, threads
from .._errors import Error
from ._jobs import Job


@dataclass
class Row:
    """What became of a job."""

    name: str
    #: That of the report, or ``failed``.
    status: str
    tries: int = 0
    seconds: float = 0.0
    #: How far the worst handle is off, as a part of the size.
    worst: float | None = None
    message: str = ""
    #: Whether its results were there already.
    skipped: bool = False

    @property
    def failed(self) -> bool:
        """Whether there are no results."""
        return self.status == "failed"


def found(job: Job, content: str) -> Row | None:
    """What there is of a job, if it is of the same content."""
    try:
        told = json.loads((job.folder / "report.json").read_text())
        row = Row(**told["row"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    if told.get("content") != content or not (job.folder / f"edited.{job.format}").exists():
        return None
    return row


def prepare(job: Job, count: int | None = None) -> str:
    """Computes what all jobs on one body share. What is wrong with it, its jobs tell."""
    if count is not None:
        threads(count)
    try:
        shot = job.opened()
        shot["edit.handle"] = None
        shot._core.prepare()
    except Error as error:
        return str(error)
    return ""


def do(job: Job, content: str, count: int | None = None, prepared: object = None) -> Row:
    """Solves a job, as often as it may be tried; one that is done for this content is not done again."""
    del prepared
    if count is not None:
        threads(count)
    row = found(job, content)
    if row is not None:
        row.skipped = True
        return row
    Path(job.out).mkdir(parents=True, exist_ok=True)
    begin, message = time.monotonic(), ""
    for _ in range(job.retries + 1):
        tries = _count(job)
        if tries > job.retries + 1:
            message = message or f"it ended the process that worked on it, {tries - 1} times"
            break
        try:
            row = _once(job, content, tries, begin)
            _forget(job)
            return row
        except Error as error:
            message = str(error)
        except OSError as error:
            message = f"{type(error).__name__}: {error}"
    _forget(job)
    tries = min(tries, job.retries + 1)
    return Row(job.name, "failed", tries, time.monotonic() - begin, None, message)


def _once(job: Job, content: str, tries: int, begin: float) -> Row:
    # As deep as where it goes, so that what is relative to it stays so.
    room = Path(job.out) / f".{job.name}.{os.getpid()}.part"
    shutil.rmtree(room, ignore_errors=True)
    room.mkdir(parents=True)
    try:
        report = job.opened().solve(room / f"edited.{job.format}")
        report["output"] = f"edited.{job.format}"
        errors = [handle.relative_error for handle in report.handles if not handle.soft]
        worst = max(errors, default=None)
        row = Row(job.name, report.status, tries, time.monotonic() - begin, worst)
        told = {"version": __version__, "content": content, "set": job.set, "row": asdict(row), "report": report}
        (room / "report.json").write_text(json.dumps(told, indent=1))
        _replace(room, job.folder)
        return row
    finally:
        shutil.rmtree(room, ignore_errors=True)


def _replace(room: Path, folder: Path) -> None:
    """Puts a folder in the place of another one."""
    old = folder.with_name(f".{folder.name}.{os.getpid()}.old")
    shutil.rmtree(old, ignore_errors=True)
    if folder.exists():
        folder.rename(old)
    room.rename(folder)
    shutil.rmtree(old, ignore_errors=True)


def _tries(job: Job) -> Path:
    return Path(job.out) / f".{job.name}.tries"


def _count(job: Job) -> int:
    """Counts a try, in a file: a process that is killed cannot tell."""
    with open(_tries(job), "a+b") as file:
        file.write(b"x")
        file.flush()
        return file.tell()


def _forget(job: Job) -> None:
    _tries(job).unlink(missing_ok=True)
