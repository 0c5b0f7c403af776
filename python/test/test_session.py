"""Handles in the hand, frames as they follow."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from conftest import ball, read_pc2, sheet

import supple


@pytest.fixture(scope="module")
def cloth():
    return sheet()


def test_a_handle_is_moved_and_the_frame_follows(cloth):
    points, faces = cloth
    with supple.Session(points, faces) as live:
        key = live.add(supple.Handle(frame=12, vertex=143, by=(0, 0, 0)))
        assert (live.vertices, live.frames, live.fps) == (144, range(1, 31), 24)
        shown = np.empty((live.vertices, 3), np.float32)
        with live.grab(key, frame=12) as hand:
            for step in range(1, 21):
                error = hand.move((0, 0, 0.01 * step), out=shown)
                assert error < 1e-4
                assert shown[143, 2] - points[11, 143, 2] == pytest.approx(0.01 * step, abs=2e-4)
        report = live.settle()
        assert report.status == "settled" and report.handles[0].error < 1e-6
        assert report.size > 1 and "force" in report and report.contacts["all"] == 0
        assert live.handles[key].by == pytest.approx([0, 0, 0.2])
        # What was shown follows directions that were prepared; what is let go is found anew.
        assert np.allclose(live.read(12), shown, atol=2e-3)


def test_what_is_read_is_what_is_written(tmp_path, cloth):
    points, faces = cloth
    with supple.Session(points, faces) as live:
        live.add({"frame": 12, "vertex": 143, "by": (0, 0, 0.2)})
        read = np.stack([live.read(frame) for frame in live.frames])
        live.write(tmp_path / "out.pc2")
    written = read_pc2(tmp_path / "out.pc2")
    edited, _ = supple.edit(points, faces, [{"frame": 12, "vertex": 143, "by": (0, 0, 0.2)}])
    assert np.array_equal(written, edited)
    assert np.abs(read - written).max() < 1e-6


def test_places_are_in_the_unit_and_axes_of_the_points():
    points, faces = ball(dtype=np.float64)
    with supple.Session(points, faces, unit="cm", up="z", start=101) as live:
        out = np.empty((live.vertices, 3))
        assert np.array_equal(live.read_input(108, out=out), points[7])
        assert np.array_equal(live.read(108, out=out), points[7])
        top = tuple(points[7, 0])
        key = live.add(supple.Handle(frame=108, near=top, by=(0, 0, 10)))
        live.read(108, out=out)
        assert np.allclose(out[0] - points[7, 0], (0, 0, 10), atol=1e-2)
        with live.grab(key, frame=108) as hand:
            hand.move((0, 5, 0), out=out)
            assert np.allclose(out[0] - points[7, 0], (0, 5, 10), atol=1e-2)
        assert live.handles[key].by == pytest.approx([0, 5, 10])


def test_a_shot_in_a_file_is_opened_with_its_handles(bar):
    shot = supple.Shot.load(bar)
    with supple.Session(bar) as live:
        assert len(live.handles) == len(shot.handles)
        assert live.settle().status in ("settled", "compromise")
        assert live.triangles.max() < live.vertices


def test_keys_stay_when_others_go(cloth):
    with supple.Session(*cloth) as live:
        keys = [live.add({"frame": f, "vertex": 143, "by": (0, 0, 0.01 * f)}) for f in (5, 15, 25)]
        live.remove(keys[0])
        live.set(keys[2], {"frame": 26, "vertex": 142, "by": (0, 0, 0.1)})
        assert list(live.handles) == keys[1:]
        assert live.handles[keys[2]].frame == 26
        with pytest.raises(supple.HandleError):
            live.remove(keys[0])
        assert [handle.handle for handle in live.settle().handles] == [1, 2]


def test_a_wrong_handle_changes_nothing(cloth):
    points, faces = cloth
    with supple.Session(points, faces) as live:
        live.add({"frame": 12, "vertex": 143, "by": (0, 0, 0.2)})
        before = live.read(14)
        for wrong in ({"frame": 99, "vertex": 143, "by": (0, 0, 1)}, {"frame": 12, "vertex": 144, "by": (0, 0, 1)}):
            with pytest.raises(supple.HandleError) as caught:
                live.add(wrong)
            assert caught.value.handle == 2
        with pytest.raises(supple.HandleError):
            live.add({"frame": 12, "joint": "Hand", "stay": True})
        assert len(live.handles) == 1 and np.array_equal(live.read(14), before)


def test_a_drag_that_fails_leaves_the_handle(cloth):
    with supple.Session(*cloth) as live:
        key = live.add({"frame": 12, "vertex": 143, "by": (0, 0, 0.1)})
        with pytest.raises(ZeroDivisionError), live.grab(key, frame=12) as hand:
            hand.move((0, 0, 1))
            1 / 0  # noqa: B018
        assert live.handles[key].by == [0, 0, 0.1]
        with live.grab(key, frame=12) as hand:
            with pytest.raises(supple.Error, match="held"):
                live.settle()
            with pytest.raises(ValueError):
                hand.move((0, 0, np.nan))
            with pytest.raises(ValueError):
                hand.move((0, 0))
            with pytest.raises(TypeError):
                hand.move(3)
            hand.refresh()
        with pytest.raises(supple.Error, match="no handle"):
            hand.move((0, 0, 0))


def test_buffers_are_looked_at(cloth):
    with supple.Session(*cloth) as live:
        for wrong in (
            np.empty((143, 3), np.float32),
            np.empty((1, 144, 3), np.float32),
            np.empty(432, np.float32),
        ):
            with pytest.raises(ValueError, match="shape"):
                live.read(3, out=wrong)
        fixed = np.empty((144, 3), np.float32)
        fixed.flags.writeable = False
        with pytest.raises(ValueError, match="read-only"):
            live.read(3, out=fixed)
        with pytest.raises(TypeError):
            live.read(3, out=np.empty((144, 3), np.int32))
        strided = np.zeros((288, 6), np.float64)[::2, ::2]
        assert np.array_equal(live.read(3, out=strided), cloth[0][2].astype(np.float64))
        with pytest.raises(supple.MotionError) as caught:
            live.read(31)
        assert caught.value.frame == 31


def test_a_session_that_is_closed_says_so(cloth):
    live = supple.Session(*cloth)
    live.close()
    live.close()
    for call in (live.settle, lambda: live.read(3), lambda: live.handles):
        with pytest.raises(supple.Error, match="closed"):
            call()


def test_progress_cannot_call_back_into_its_session(cloth):
    with supple.Session(*cloth) as live:
        live.add({"frame": 12, "vertex": 143, "by": (0, 0, 0.1)})
        seen = []

        def tell(stage, fraction):
            with pytest.raises(supple.Error, match="at work"):
                live.read(3)
            seen.append(stage)

        live.settle(progress=tell)


def test_threads_take_turns(cloth):
    with supple.Session(*cloth) as live:
        live.add({"frame": 12, "vertex": 143, "by": (0, 0, 0.1)})
        live.settle()
        expected = live.read(12)
        wrong = []

        def look():
            for _ in range(50):
                if not np.array_equal(live.read(12), expected):
                    wrong.append(1)

        workers = [threading.Thread(target=look) for _ in range(4)]
        [worker.start() for worker in workers]
        [worker.join(60) for worker in workers]
        assert not wrong and not any(worker.is_alive() for worker in workers)


def test_what_opens_no_session():
    points, faces = sheet()
    shot = supple.Shot.of(points, faces)
    for wrong in (
        lambda: supple.Session(points),
        lambda: supple.Session("a.toml", faces),
        lambda: supple.Session(3),
        lambda: supple.Session(shot, start=3),
        lambda: shot.solve("a.pc2", skn=True),
    ):
        with pytest.raises(TypeError):
            wrong()
    with pytest.raises(supple.ShotError):
        supple.Session("none.toml")
