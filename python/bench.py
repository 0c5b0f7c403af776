"""How fast the package is, beside the program: bench.py [--json] [NAME...].

Each row is measured with what it is compared with in the same run, and checks its result.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import supple

Row = dict[str, Any]
MIB = float(1 << 20)
#: Moments at which work is ended.
MOMENTS = 16


def row(name: str, seconds: float | None, limit: str, holds: bool, **more: Any) -> Row:
    """A row as those of `supple bench`."""
    return {"bench": "python", "name": name, "seconds": seconds, "limit": limit, "holds": holds, **more}


def sphere(vertices: int) -> tuple[np.ndarray, np.ndarray]:
    """A closed surface of about so many vertices."""
    around = int(np.sqrt(2 * vertices))
    rings = around // 2
    polar = np.pi * np.arange(1, rings) / rings
    turn = 2 * np.pi * np.arange(around) / around
    p, t = (grid.ravel() for grid in np.meshgrid(polar, turn, indexing="ij"))
    body = np.stack([np.sin(p) * np.cos(t), np.sin(p) * np.sin(t), np.cos(p)], axis=1)
    points = np.concatenate([[[0, 0, 1.0]], body, [[0, 0, -1.0]]])
    i, k = (grid.ravel() for grid in np.meshgrid(np.arange(rings - 2), np.arange(around), indexing="ij"))
    a, b = 1 + i * around + k, 1 + i * around + (k + 1) % around
    quads = np.concatenate([np.stack([a, a + around, b + around], 1), np.stack([a, b + around, b], 1)])
    k, last = np.arange(around), len(points) - 1
    caps = [np.stack([0 * k, 1 + k, 1 + (k + 1) % around], 1)]
    bottom = 1 + (rings - 2) * around
    caps.append(np.stack([0 * k + last, bottom + (k + 1) % around, bottom + k], 1))
    return points, np.concatenate([quads, *caps])


def jelly(frames: int, vertices: int) -> tuple[np.ndarray, np.ndarray]:
    """A ball of jelly that swings, float32."""
    rest, faces = sphere(vertices)
    points = np.empty((frames, len(rest), 3), np.float32)
    for frame in range(frames):
        sway = 0.3 * np.sin(0.2 * frame)
        points[frame] = rest
        points[frame, :, 0] += sway * (rest[:, 2] + 1)
    return points, faces


def bench_import() -> Iterator[Row]:
    code = "import numpy, time; t = time.perf_counter(); import supple; print(time.perf_counter() - t)"
    times = [float(subprocess.check_output([sys.executable, "-c", code])) for _ in range(5)]
    yield row("import", min(times), "50 ms after numpy", min(times) <= 0.05)


def bench_drag() -> Iterator[Row]:
    points, faces = jelly(120, 100_000)
    vertices = points.shape[1]
    with supple.Session(points, faces) as live:
        key = live.add(supple.Handle(frame=60, vertex=0, by=(0, 0, 0)))
        out = np.empty((vertices, 3), np.float32)
        with live.grab(key, frame=60) as hand:
            hand.move((0, 0, 0.001), out=out)
            ours, own, more = [], [], []
            for k in range(60):
                # In turns, so that a busy machine is as busy for both.
                begin = time.perf_counter()
                hand.move((0, 0, 0.001 * k), out=out)
                ours.append(time.perf_counter() - begin)
                own.append(live._core.drag_alone([0, 0, 0.001 * k]))
                more.append(ours[-1] - own[-1])
            right = abs(float(out[0, 2] - points[59, 0, 2]) - 0.059) < 1e-3
        beside = float(np.median(more))
        yield row("drag event", float(np.median(ours)), "Rust's own + 0.5 ms", right and beside <= 5e-4, vertices=vertices, own=float(np.median(own)), beside=beside)
        live.settle()
        read = _median(lambda k: live.read(40 + k % 40, out=out), 30)
        yield row("read frame", read, "10 ms", read <= 0.01, vertices=vertices)
        same = _median(lambda k: live.read_input(40 + k % 40, out=out), 30)
        yield row("read input frame", same, "", bool(np.array_equal(out, points[39 + 29])), vertices=vertices)


def bench_edit() -> Iterator[Row]:
    points, faces = jelly(240, 100_000)
    handle = supple.Handle(frame=120, vertex=0, by=(0, 0, 0.2))
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        frames, vertices, _ = points.shape
        head = b"POINTCACHE2\0" + np.array([1, vertices], "<i4").tobytes()
        head += np.array([1.0, 1.0], "<f4").tobytes() + np.array([frames], "<i4").tobytes()
        (base / "in.pc2").write_bytes(head + points.tobytes())
        _write_obj(base / "rest.obj", points[0], faces)
        os.environ["XDG_CACHE_HOME"] = os.fspath(base / "cache")
        begin, cpu = time.perf_counter(), time.process_time()
        shot = supple.Shot.new(base / "in.pc2", base / "a.toml", topology=base / "rest.obj", up="z")
        shot._core.take_handles(supple._handle.listed(handle))
        shot.save()
        shot.solve(base / "out.pc2")
        files, files_cpu = time.perf_counter() - begin, time.process_time() - cpu
        expected = np.fromfile(base / "out.pc2", "<f4", offset=32).reshape(points.shape)
        before = _resident()
        begin, cpu = time.perf_counter(), time.process_time()
        out, _ = supple.edit(points, faces, [handle])
        arrays, arrays_cpu = time.perf_counter() - begin, time.process_time() - cpu
        same = bool(np.array_equal(out, expected))
        del expected
    ratio = arrays_cpu / files_cpu
    yield row("edit arrays", arrays, "1.1 x new + solve", same and ratio <= 1.1, new_and_solve=files, of_cpu=ratio, vertices=vertices)
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import bench, supple, resource;"
        "p, f = bench.jelly(240, 100_000); o, _ = supple.edit(p, f, [supple.Handle(frame=120, vertex=0, by=(0, 0, 0.2))]);"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - p.nbytes - o.nbytes)"
    )
    peak = int(subprocess.check_output([sys.executable, "-c", code, os.fspath(Path(__file__).parent)])) / MIB
    yield row("edit arrays, memory", None, "in + out + 600 MiB", peak <= 600, mib_beside_in_and_out=peak, before=before / MIB)


def bench_batch() -> Iterator[Row]:
    points, faces = jelly(120, 4_000)
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        os.environ["XDG_CACHE_HOME"] = os.fspath(base / "cache")
        shot = supple.Shot.of(points, faces)
        shot.handles.append(supple.Handle(frame=60, vertex=0, by=(0, 0.1, 0)))
        shot.save(base / "a.toml")
        jobs = "".join(f'[[job]]\nshot = "a.toml"\nset = {{ "edit.reach" = {12 + k % 2} }}\n' for k in range(24))
        for name in ("one", "two"):
            (base / f"{name}.toml.jobs").write_text(f'out = "{name}"\nformat = "pc2"\n' + jobs)
        shot._core.prepare()
        times, work = {}, 0.0
        for workers, name in ((1, "one"), (2, "two")):
            begin = time.perf_counter()
            command = [sys.executable, "-m", "supple.batch", os.fspath(base / f"{name}.toml.jobs")]
            subprocess.run([*command, "--workers", str(workers), "--threads", "1"], check=True, capture_output=True)
            times[workers] = time.perf_counter() - begin
            told = json.loads((base / name / "batch.json").read_text())["jobs"]
            if workers == 1:
                work = sum(job["seconds"] for job in told)
        begin = time.perf_counter()
        empty = base / "none.jobs"
        empty.write_text('[[job]]\nshot = "a.toml"\n')
        subprocess.run([sys.executable, "-m", "supple.batch", os.fspath(empty), "--workers", "1", "--threads", "1"], check=True, capture_output=True)
        start = time.perf_counter() - begin - work / 24
    beside = (times[1] - work - start) / 24
    yield row("batch, 24 jobs, two workers", times[2], "1.7 x one", times[1] / times[2] >= 1.7, one=times[1], speedup=times[1] / times[2])
    yield row("batch, beside a job's work", beside, "50 ms", beside <= 0.05, start=start)


def _median(call: Callable[[int], object], count: int) -> float:
    times = []
    for k in range(count):
        begin = time.perf_counter()
        call(k)
        times.append(time.perf_counter() - begin)
    return float(np.median(times))


def _resident() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _write_obj(path: Path, points: np.ndarray, faces: np.ndarray) -> None:
    lines = [f"v {x!r} {y!r} {z!r}\n" for x, y, z in points.astype(float).tolist()]
    lines += [f"f {a} {b} {c}\n" for a, b, c in (faces + 1).tolist()]
    path.write_text("".join(lines))


def bench_cancel() -> Iterator[Row]:
    """Ended at moments all over the work: how long until the call comes back."""
    points, faces = jelly(60, 100_000)
    handle = supple.Handle(frame=30, vertex=0, by=(0, 0, 0.2))
    waits: list[tuple[float, str]] = []
    calls: list[float] = []

    def edit(after: float) -> float:
        # What was computed is kept; without a cache of its own a run would have nothing to do.
        with tempfile.TemporaryDirectory() as folder:
            os.environ["XDG_CACHE_HOME"] = folder
            begin, raised = time.perf_counter(), [0.0, ""]

            def tell(stage: str, fraction: float) -> None:
                calls.append(time.perf_counter() - begin)
                if calls[-1] >= after:
                    raised[:] = [time.perf_counter(), stage]
                    raise supple.Cancelled

            try:
                supple.edit(points, faces, [handle], progress=tell)
            except supple.Cancelled:
                waits.append((time.perf_counter() - raised[0], raised[1]))
            return time.perf_counter() - begin

    whole = edit(float("inf"))
    silence = float(np.max(np.diff([0.0, *calls, whole])))
    for k in range(MOMENTS):
        edit(whole * (k + 0.5) / MOMENTS)
    longest, stage = max(waits)
    median = float(np.median([wait for wait, _ in waits]))
    yield row("cancel", longest, "200 ms", longest <= 0.2, median=median, stage=stage, moments=len(waits), whole=whole)
    yield row("progress, longest silence", silence, "", True)


BENCHES = {"import": bench_import, "drag": bench_drag, "edit": bench_edit, "batch": bench_batch, "cancel": bench_cancel}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*BENCHES, []], help="some of them [default: all]")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    rows = [found for name in asked.names or BENCHES for found in BENCHES[name]()]
    if asked.json:
        print(json.dumps({"version": supple.__version__, "rows": rows}, indent=1))
    else:
        for found in rows:
            seconds = "" if found["seconds"] is None else f"{1e3 * found['seconds']:.2f} ms"
            print(f"{found['name']:32} {seconds:>14}  {found['limit']:24} {'holds' if found['holds'] else 'MISSED'}")
    return int(not all(found["holds"] for found in rows))


if __name__ == "__main__":
    sys.exit(main())
