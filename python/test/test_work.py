"""Long work: progress, Ctrl-C, threads, forks."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import threading
import time

import numpy as np
import pytest
from conftest import ball, sheet

import supple

PULL = {"frame": 12, "vertex": 143, "by": (0, 0, 0.2)}


def large():
    """Work of some seconds."""
    points, faces = sheet(side=70, frames=60)
    return points, faces, [{"frame": 30, "vertex": 4899, "by": (0, 0, 0.2)}]


def test_progress_is_told_at_most_twenty_times_a_second():
    points, faces, handles = large()
    seen = []
    supple.edit(points, faces, handles, progress=lambda stage, part: seen.append((time.monotonic(), stage, part)))
    assert len(seen) > 3 and all(isinstance(stage, str) and 0 <= part <= 1 for _, stage, part in seen)
    times = [at for at, _, _ in seen]
    assert len(times) <= 20 * (times[-1] - times[0]) + 2


@pytest.mark.parametrize("error", [supple.Cancelled("enough"), KeyError("mine"), SystemExit(3)])
def test_what_progress_raises_comes_out(error):
    points, faces, handles = large()
    raised = []

    def stop(stage, part):
        raised.append(time.monotonic())
        raise error

    with pytest.raises(type(error)) as caught:
        supple.edit(points, faces, handles, progress=stop)
    assert caught.value is error and len(raised) == 1
    # Asked for 0.2 s; a busy machine is given more, which is far less than the work takes.
    assert time.monotonic() - raised[0] < 2


def test_ctrl_c_ends_the_work():
    points, faces, handles = large()
    begin = time.monotonic()
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        while True:
            supple.edit(points, faces, handles)
    assert time.monotonic() - begin < 5


def whole_import():
    """Work of some seconds with every kind of stage: a surface is filled, a body fitted, modes found, frames written."""
    points, faces = ball(rings=45, around=90, frames=40)
    return points, faces, [{"frame": 20, "vertex": 0, "by": (0, 0, 12)}]


@pytest.mark.parametrize("way", ["callback", "ctrl-c"])
def test_work_can_be_ended_at_any_moment(tmp_path, monkeypatch, way):
    """A body was fitted for seconds before anybody heard that the work should end."""
    points, faces, handles = whole_import()
    monkeypatch.setenv("XDG_CACHE_HOME", os.fspath(tmp_path / "whole"))
    begin = time.monotonic()
    supple.edit(points, faces, handles, unit="cm")
    whole = time.monotonic() - begin
    dice, waits = random.Random(22), []
    for k in range(6):
        # What was computed is kept; without a cache of its own a run would have nothing to do.
        monkeypatch.setenv("XDG_CACHE_HOME", os.fspath(tmp_path / str(k)))
        after = whole * (k + dice.random()) / 8
        begin, raised = time.monotonic(), []

        def stop(*_):
            if time.monotonic() - begin >= after:
                raised.append(time.monotonic())
                raise supple.Cancelled

        before = signal.signal(signal.SIGALRM, stop)
        try:
            if way == "ctrl-c":
                signal.setitimer(signal.ITIMER_REAL, after)
            with pytest.raises(supple.Cancelled):
                supple.edit(points, faces, handles, unit="cm", progress=stop if way == "callback" else None)
            waits.append(time.monotonic() - raised[0])
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        assert len(raised) == 1
    # Asked for 0.2 s; a busy machine is given more.
    assert np.median(waits) < 0.5 and max(waits) < 2, waits


def test_a_stopped_session_is_as_it_was():
    points, faces, handles = large()
    with supple.Session(points, faces) as live:
        key = live.add(handles[0])
        before = live.read(31)

        def stop(stage, part):
            raise supple.Cancelled

        with pytest.raises((supple.Cancelled, AssertionError)):
            live.set(key, {**handles[0], "by": (0, 0, 0.3)})
            live.settle(progress=stop)
            raise AssertionError("it was done before it could be stopped")
        live.set(key, handles[0])
        assert np.array_equal(live.read(31), before)


def test_python_goes_on_while_a_solve_runs():
    points, faces, handles = large()
    count, done = [0], threading.Event()

    def tick():
        while not done.is_set():
            count[0] += 1
            time.sleep(0.001)

    ticker = threading.Thread(target=tick)
    ticker.start()
    begin = time.monotonic()
    supple.edit(points, faces, handles)
    seconds = time.monotonic() - begin
    counted = count[0]
    done.set()
    ticker.join()
    # Held by the work, the interpreter would have let it count a few times.
    assert counted > 20 * seconds


def test_two_edits_at_once_are_those_one_after_the_other():
    points, faces = sheet()
    expected, _ = supple.edit(points, faces, [PULL])
    found = {}

    def work(k):
        found[k] = supple.edit(points, faces, [PULL])[0]

    workers = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    [worker.start() for worker in workers]
    [worker.join() for worker in workers]
    assert all(np.array_equal(found[k], expected) for k in range(4))


def test_the_same_bits_on_any_number_of_threads():
    points, faces = sheet()
    before = supple.threads(1)
    try:
        one, _ = supple.edit(points, faces, [PULL])
        supple.threads(3)
        three, _ = supple.edit(points, faces, [PULL])
    finally:
        supple.threads(before)
    assert np.array_equal(one, three)


def _edited(queue):
    points, faces = sheet()
    queue.put(supple.edit(points, faces, [PULL])[0])


def test_a_child_of_a_fork_works():
    points, faces = sheet()
    expected, _ = supple.edit(points, faces, [PULL])
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_edited, args=(queue,))
    child.start()
    assert np.array_equal(queue.get(timeout=120), expected)
    child.join(30)
    assert child.exitcode == 0


def test_a_fork_in_the_middle_of_work_works():
    points, faces, handles = large()
    worker = threading.Thread(target=lambda: supple.edit(points, faces, handles))
    worker.start()
    time.sleep(0.5)
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_edited, args=(queue,))
    child.start()
    assert queue.get(timeout=120) is not None
    child.join(30)
    worker.join()
    assert child.exitcode == 0


def _use(live, queue):
    try:
        live.read(12)
        queue.put("done")
    except supple.Error as error:
        queue.put(str(error))


def test_a_session_of_the_parent_is_refused_at_once():
    with supple.Session(*sheet()) as live:
        live.add(PULL)
        live.settle()
        context = multiprocessing.get_context("fork")
        queue = context.Queue()
        child = context.Process(target=_use, args=(live, queue))
        child.start()
        assert "forked" in queue.get(timeout=20)
        child.join(20)
        assert child.exitcode == 0
        assert live.read(12) is not None
