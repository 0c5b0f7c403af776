"""All jobs of a plan, by Dask: one task prepares each body, the solves on it wait for that."""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Callable, Iterator
from typing import Any

from .._errors import Error
from ._jobs import Job, Plan
from ._task import Row, do, found, prepare

Tell = Callable[[Row], None]


@contextlib.contextmanager
def local(workers: int) -> Iterator[Any]:
    """A client of so many processes on this machine."""
    distributed = _distributed()
    os.environ.setdefault("DASK_DISTRIBUTED__WORKER__DAEMON", "False")
    with (
        distributed.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            dashboard_address=None,
            silence_logs=logging.CRITICAL,
            memory_limit=0,
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@contextlib.contextmanager
def remote(address: str) -> Iterator[Any]:
    """A client of a scheduler that runs."""
    distributed = _distributed()
    try:
        client = distributed.Client(address, timeout="30s")
    except OSError as error:
        raise Error(f"no scheduler answers at {address}: {error}") from None
    with client:
        yield client


def run(plan: Plan, client: Any, count: int | None, tell: Tell) -> list[Row]:
    """Does all jobs, and tells of each as it ends."""
    contents: dict[str, str] = {}
    rows: dict[str, Row] = {}
    left: list[Job] = []
    for job in plan.jobs:
        try:
            contents[job.name] = job.content()
        except Error as error:
            rows[job.name] = Row(job.name, "failed", 1, 0.0, None, str(error))
            tell(rows[job.name])
            continue
        row = found(job, contents[job.name])
        if row is None:
            left.append(job)
            continue
        row.skipped = True
        rows[job.name] = row
        tell(row)
    # A worker that is killed may hold the answer of a job that is done: then its files tell.
    for _ in range(max((job.retries for job in plan.jobs), default=0) + 1):
        for job, row in _pass(left, contents, client, count):
            row = row or found(job, contents[job.name])
            if row is not None:
                rows[job.name] = row
                tell(row)
        left = [job for job in left if job.name not in rows]
        if not left:
            break
    for job in left:
        rows[job.name] = Row(job.name, "failed", job.retries + 1, 0.0, None, "its workers were lost")
        tell(rows[job.name])
    return [rows[job.name] for job in plan.jobs]


def _pass(
    jobs: list[Job], contents: dict[str, str], client: Any, count: int | None
) -> Iterator[tuple[Job, Row | None]]:
    distributed = _distributed()
    prepared: dict[str, Any] = {}
    futures: dict[Any, Job] = {}
    for job in jobs:
        body = job.body()
        if body not in prepared:
            prepared[body] = client.submit(prepare, job, count, pure=False, retries=job.retries)
        future = client.submit(
            do, job, contents[job.name], count, prepared[body], pure=False, retries=job.retries
        )
        futures[future] = job
    for future in distributed.as_completed(list(futures)):
        answer = None
        if future.status == "finished":
            with contextlib.suppress(Exception):
                answer = future.result(timeout=60)
        elif future.status == "error":
            error = future.exception()
            if not isinstance(error, distributed.scheduler.KilledWorker):
                answer = Row(futures[future].name, "failed", 1, 0.0, None, f"{type(error).__name__}: {error}")
        yield futures[future], answer


def _distributed() -> Any:
    try:
        import distributed
    except ImportError:
        text = "this needs Dask: pip install 'supple[batch]'; --task K does one job without it"
        raise Error(text) from None
    return distributed

