"""Many shots: sweeps, failures, skips, farms, and workers that are killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import sheet

import supple
from supple.batch import do, read_jobs


def run(jobs: Path, *more: str, timeout: float = 300) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "supple.batch", os.fspath(jobs), *more]
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)


@pytest.fixture
def folder(tmp_path):
    """A shot of a cloth, and one that is wrong."""
    points, faces = sheet()
    shot = supple.Shot.of(points, faces)
    shot["edit.modes"] = 30
    shot.handles.append(supple.Handle(frame=12, vertex=143, by=(0, 0.2, 0)))
    shot.save(tmp_path / "cloth.toml")
    wrong = supple.Shot.load(tmp_path / "cloth.toml")
    wrong.handles.append(supple.Handle(frame=99, vertex=143, by=(0, 0.2, 0)))
    wrong.save(tmp_path / "wrong.toml")
    return tmp_path


SWEEP = """
out = "results"
format = "pc2"
retries = 1
[[sweep]]
shot = "cloth.toml"
set = { "edit.reach" = [6, 12, 24], "edit.spread" = [0.3, 0.5] }
"""


def contents(results: Path) -> dict[str, bytes]:
    return {folder.name: (folder / "edited.pc2").read_bytes()
        for folder in results.iterdir()
        if folder.is_dir() and not folder.name.startswith(".")}


def test_jobs_are_read(folder):
    (folder / "jobs.toml").write_text(SWEEP + '[[job]]\nshot = "cloth.toml"\n[[job]]\nshot = "cloth.toml"\n')
    plan = read_jobs(folder / "jobs.toml")
    names = [job.name for job in plan.jobs]
    assert names[:3] == ["cloth", "cloth-2", "cloth-reach=6-spread=0.3"] and len(set(names)) == 8
    assert plan.jobs[2].opened()["edit.reach"] == 6
    assert len({job.body() for job in plan.jobs}) == 1 and len({job.content() for job in plan.jobs}) == 7
    for wrong in ("", "x", "[[job]]", '[[job]]\nshot = 3', 'outt = "x"', "retries = true", '[[sweep]]\nshot = "a"\nset = { x = 1 }'):
        (folder / "wrong.jobs").write_text(wrong)
        with pytest.raises(supple.Error, match="wrong.jobs"):
            read_jobs(folder / "wrong.jobs")


def test_one_worker_skips_what_is_done_and_reports_what_fails(folder):
    (folder / "jobs.toml").write_text(SWEEP + '[[job]]\nshot = "wrong.toml"\n[[job]]\nshot = "missing.toml"\n')
    done = run(folder / "jobs.toml", "--workers", "1")
    assert done.returncode == 1, done.stderr
    rows = {row["name"]: row for row in json.loads((folder / "results/batch.json").read_text())["jobs"]}
    assert len(rows) == 8
    assert rows["wrong"]["status"] == "failed" and rows["wrong"]["tries"] == 2
    assert "frame 99" in rows["wrong"]["message"] and rows["missing"]["status"] == "failed"
    good = {name: row for name, row in rows.items() if name.startswith("cloth")}
    assert all(row["status"] == "settled" and row["worst"] < 1e-6 and row["tries"] == 1 for row in good.values())
    assert "wrong" in done.stdout and not (folder / "results/wrong").exists()
    before = {name: (folder / "results" / name / "report.json").stat().st_mtime_ns for name in good}
    again = run(folder / "jobs.toml", "--workers", "1")
    assert again.stdout.count("there already") == 6
    assert before == {name: (folder / "results" / name / "report.json").stat().st_mtime_ns for name in good}
    # Another handle is another content.
    shot = supple.Shot.load(folder / "cloth.toml")
    shot["edit.handle.0.by"] = [0, 0.1, 0]
    shot.save()
    plan = read_jobs(folder / "jobs.toml")
    row = do(plan.jobs[2], plan.jobs[2].content())
    assert not row.skipped and row.status == "settled"


def test_a_task_alone_needs_no_dask(folder, monkeypatch):
    (folder / "jobs.toml").write_text(SWEEP)
    (folder / "distributed.py").write_text("raise ImportError('there is no Dask here')")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([os.fspath(folder), os.environ.get("PYTHONPATH", "")]))
    alone = run(folder / "jobs.toml", "--task", "3")
    assert alone.returncode == 0, alone.stderr
    assert list(contents(folder / "results")) == ["cloth-reach=12-spread=0.3"]
    assert run(folder / "jobs.toml", "--task", "7").returncode == 2
    assert "pip install" in run(folder / "jobs.toml", "--workers", "1").stderr
    assert run(folder / "none.toml").returncode == 2


def start(*command: str) -> subprocess.Popen[bytes]:
    # With an environment of its own, as on a farm.
    return subprocess.Popen([sys.executable, "-m", *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def test_a_killed_worker_changes_no_byte(folder):
    # Of a size at which a worker can be caught at work.
    points, faces = sheet(side=40, frames=48)
    shot = supple.Shot.of(points, faces)
    shot.handles.append(supple.Handle(frame=24, vertex=1599, by=(0, 0.2, 0)))
    shot.save(folder / "large.toml")
    text = SWEEP.replace("cloth.toml", "large.toml")
    (folder / "one.toml").write_text(text.replace("results", "one"))
    (folder / "two.toml").write_text(text.replace("results", "two"))
    assert run(folder / "one.toml", "--workers", "1").returncode == 0
    address = folder / "scheduler.json"
    processes = [start("distributed.cli.dask_scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(address))]
    try:
        while not address.exists():
            time.sleep(0.05)
            assert processes[0].poll() is None
        worker = ["distributed.cli.dask_worker", "--scheduler-file", str(address), "--nthreads", "1", "--no-nanny", "--no-dashboard"]
        processes += [start(*worker), start(*worker)]
        farm = json.loads(address.read_text())["address"]
        batch = subprocess.Popen(
            [sys.executable, "-m", "supple.batch", os.fspath(folder / "two.toml"), "--scheduler", farm],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        deadline = time.monotonic() + 120
        # In mid-job: a first result is there, and another one is being made.
        while not (contents_of(folder / "two") and list((folder / "two").glob(".*.part"))):
            assert batch.poll() is None and time.monotonic() < deadline
            time.sleep(0.005)
        victim = int(next((folder / "two").glob(".*.part")).name.split(".")[-2])
        assert victim in [process.pid for process in processes]
        os.kill(victim, signal.SIGKILL)
        _, words = batch.communicate(timeout=300)
        assert batch.returncode == 0, words.decode()
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait(30)
    assert contents(folder / "two") == contents(folder / "one") and len(contents(folder / "one")) == 6
    rows = json.loads((folder / "two/batch.json").read_text())["jobs"]
    assert max(row["tries"] for row in rows) == 2


def contents_of(results: Path) -> list[Path]:
    return [path for path in results.glob("*/report.json") if not path.parent.name.startswith(".")]
