"""``python -m supple.batch jobs.toml``."""

from __future__ import annotations

import argparse
import json
import os
import sys
from dataclasses import asdict

from .. import __version__
from .._errors import Error
from ._jobs import Job, Plan, read_jobs
from ._task import Row, do

EPILOG = """\
results/NAME/edited.FORMAT and report.json appear whole; a job that is done for the same content and version is
skipped. results/batch.json and the table tell what became of each: name, status, tries, seconds, the error of the worst
hard handle as a part of the size, message. Exit code 1 if any failed, 2 for wrong usage."""


def main(arguments: list[str] | None = None) -> int:
    """Does what the command line asks for."""
    parser = argparse.ArgumentParser("python -m supple.batch", description="Solves many shots.", epilog=EPILOG)
    parser.add_argument("jobs", help="a file of jobs, .toml")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--workers", type=_positive, metavar="N", help="so many processes on this machine [default: 1]")
    how.add_argument("--scheduler", metavar="ADDRESS", help="a running Dask scheduler, as tcp://farm:8786")
    how.add_argument("--task", type=_positive, metavar="K", help="job K alone, counted from 1, without Dask")
    parser.add_argument("--threads", type=_positive, metavar="N", help="threads of a job [default: cores / workers]")
    parser.add_argument("--list", action="store_true", help="list the jobs and do nothing")
    asked = parser.parse_args(arguments)
    try:
        plan = read_jobs(asked.jobs)
        if asked.list:
            for number, job in enumerate(plan.jobs, 1):
                print(number, job.name, sep="\t")
            return 0
        if asked.task is not None:
            return _task(plan, asked.task, asked.threads)
        return _all(plan, asked)
    except Error as error:
        print(f"supple.batch: {error}", file=sys.stderr)
        return 2


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def _task(plan: Plan, number: int, count: int | None) -> int:
    """One job alone, as arrays of Slurm, Deadline and OpenCue call for."""
    if number > len(plan.jobs):
        raise Error(f"there is no job {number}; there are {len(plan.jobs)}")
    job: Job = plan.jobs[number - 1]
    try:
        content = job.content()
        row = do(job, content, count)
    except Error as error:
        row = Row(job.name, "failed", 1, 0.0, None, str(error))
    table([row])
    return int(row.failed)


def _all(plan: Plan, asked: argparse.Namespace) -> int:
    from . import _run

    plan.out.mkdir(parents=True, exist_ok=True)
    workers = asked.workers or 1
    count = asked.threads
    if asked.scheduler:
        client = _run.remote(asked.scheduler)
    else:
        count = count or max(1, (os.cpu_count() or 1) // workers)
        client = _run.local(workers)
    done = 0

    def tell(row: Row) -> None:
        nonlocal done
        done += 1
        state = "there already" if row.skipped else row.status
        print(f"[{done}/{len(plan.jobs)}] {row.name}: {state}", file=sys.stderr, flush=True)

    with client as opened:
        rows = _run.run(plan, opened, count, tell)
    answer = {"version": __version__, "jobs": [asdict(row) for row in rows]}
    whole = plan.out / ".batch.json.part"
    whole.write_text(json.dumps(answer, indent=1))
    whole.replace(plan.out / "batch.json")
    table(rows)
    return int(any(row.failed for row in rows))


def table(rows: list[Row]) -> None:
    """Prints what became of each job."""
    width = max(len("name"), *(len(row.name) for row in rows))
    print(f"{'name':{width}}  {'status':10} {'tries':>5} {'seconds':>8} {'worst':>8}  message")
    for row in rows:
        worst = "" if row.worst is None else f"{row.worst:.1e}"
        message = "there already" if row.skipped else row.message.replace("\n", " ")
        print(f"{row.name:{width}}  {row.status:10} {row.tries:5} {row.seconds:8.2f} {worst:>8}  {message}".rstrip())


if __name__ == "__main__":
    sys.exit(main())
