"""An array that is edited is what `supple new` and `solve` make of the same numbers in files."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import ball, read_pc2, sheet, write_obj, write_pc2

import supple

PULL = {"frame": 12, "vertex": 143, "by": (0, 0, 0.2)}


def solved_in_files(folder, points, faces, handles, **of):
    """The same by way of files, as of the command line."""
    write_pc2(folder / "in.pc2", points, start=of.pop("start", 1))
    write_obj(folder / "rest.obj", points[0], faces)
    shot = supple.Shot.new(
        folder / "in.pc2", folder / "shot.toml", topology=folder / "rest.obj", **{"up": "z", **of}
    )
    shot._core.take_handles(supple._handle.listed(handles))
    shot.save()
    report = shot.solve(folder / "out.pc2")
    return read_pc2(folder / "out.pc2"), report


@pytest.mark.parametrize("of", [{}, {"kind": "voxels"}, {"unit": "cm", "up": "y"}])
def test_an_array_is_edited_as_the_file_of_it(tmp_path, of):
    points, faces = sheet()
    out, report = supple.edit(points, faces, [PULL], start=1, fps=24, **of)
    expected, told = solved_in_files(tmp_path, points, faces, [PULL], **of)
    assert out.dtype == np.float32 and out.shape == points.shape
    assert np.array_equal(out, expected)
    assert report.status == told.status and report.handles == told.handles
    assert np.abs(out - points).max() > 0.1


def test_a_solid_of_polygons_in_centimetres(tmp_path):
    points, faces = ball(dtype=np.float32)
    pull = {"frame": 108, "vertex": 0, "by": (0, 0, 12)}
    out, report = supple.edit(points, faces, [pull], start=101, unit="cm")
    expected, _ = solved_in_files(tmp_path, points, faces, [pull], start=101, unit="cm")
    assert report.status == "settled"
    assert np.array_equal(out, expected)
    assert np.allclose(out[7, 0] - points[7, 0], (0, 0, 12), atol=1e-3)


def test_doubles_stay_doubles():
    points, faces = ball(dtype=np.float64)
    far = points + np.pi * 1e3
    out, _ = supple.edit(far, faces, [{"frame": 8, "vertex": 0, "by": (0, 0, 5)}], unit="cm")
    assert out.dtype == np.float64
    assert np.allclose(out[7, 0] - far[7, 0], (0, 0, 5), atol=1e-6)


def test_no_handle_changes_nothing():
    for points, faces in (sheet(), ball(dtype=np.float64)):
        out, report = supple.edit(points, faces, [], unit=0.37, up="x")
        assert report.status == "settled"
        assert np.array_equal(out, points)


def test_a_frame_that_the_edit_does_not_reach_comes_back_bit_for_bit():
    points, faces = sheet(frames=40)
    pull = {"frame": 31, "vertex": 143, "by": (0, 0, 0.2)}
    out, _ = supple.edit(points, faces, [pull], set={"edit.window": [25, 37]})
    same = [np.array_equal(a, b) for a, b in zip(out, points)]
    assert all(same[:24]) and all(same[37:]) and not any(same[26:35])
    # What never moves is held.
    assert np.array_equal(out[:, ::12], points[:, ::12])


def test_arrays_are_read_where_they_lie(tmp_path):
    points, faces = sheet()
    expected, _ = supple.edit(points, faces, [PULL])
    mapped = np.memmap(tmp_path / "points.f32", np.float32, "w+", shape=points.shape)
    mapped[:] = points
    mapped.flush()
    read_only = np.memmap(tmp_path / "points.f32", np.float32, "r", shape=points.shape)
    every_other = np.zeros((60, *points.shape[1:]), np.float32)
    every_other[::2] = points
    wide = np.zeros((*points.shape[:2], 4), np.float32)
    wide[:, :, :3] = points
    backwards = points[::-1].copy()[::-1]
    columns = np.asfortranarray(points)
    record = np.zeros(points.shape[:2], np.dtype([("id", "u1"), ("co", "f4", 3)]))
    record["co"] = points
    swapped = points.astype(points.dtype.newbyteorder())
    for given in (read_only, every_other[::2], wide[:, :, :3], backwards, columns, record["co"], swapped):
        before = np.array(given)
        out, _ = supple.edit(given, faces, [PULL])
        assert np.array_equal(out, expected)
        assert np.array_equal(given, before)


def test_faces_may_be_a_list_of_polygons():
    points, faces = sheet()
    quads, _ = supple.edit(points, faces, [PULL])
    lists, _ = supple.edit(points, [list(map(int, face)) for face in faces], [PULL])
    small, _ = supple.edit(points, faces.astype(np.uint16), [PULL])
    assert np.array_equal(quads, lists) and np.array_equal(quads, small)


def test_one_frame_is_a_motion():
    points, faces = sheet(frames=1)
    out, report = supple.edit(points, faces, [{"frame": 1, "vertex": 143, "by": (0, 0, 0.2)}])
    assert out.shape == points.shape and report.frames == 1
    assert np.isfinite(out).all()


def test_groups_and_keys_of_the_shot():
    points, faces = sheet()
    tip = np.arange(132, 144)
    pull = supple.Handle(frame=12, group="edge", by=(0, 0, 0.1), hold=50.0)
    out, report = supple.edit(points, faces, [pull], groups={"edge": tip}, set={"edit.reach": 6, "edit.modes": 30})
    assert report.modes == 30 and report.handles[0].soft
    # A soft handle alone misses 1/(1 + hold) of what it asks. Masses weigh the mean: corners have less of the cloth.
    weights = np.array([0.5, *[1.0] * 10, 0.5])
    lifted = np.average((out[11, tip] - points[11, tip])[:, 2], weights=weights)
    assert lifted == pytest.approx(0.1 * 50 / 51, rel=0.03)


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        (lambda p: p[0], ValueError, "shape"),
        (lambda p: p[:, :, :2], ValueError, "shape"),
        (lambda p: p[:0], ValueError, "no frames"),
        (lambda p: p[:, :0], ValueError, "no vertices"),
        (lambda p: p.astype(np.float16), TypeError, "float16"),
        (lambda p: p.astype(np.int32), TypeError, "int32"),
        (lambda p: p.astype(complex), TypeError, "complex"),
        (lambda p: "points", TypeError, "points"),
        (lambda p: None, TypeError, "points"),
    ],
)
def test_points_of_another_shape_are_refused(change, error, words):
    points, faces = sheet()
    with pytest.raises(error, match=words):
        supple.edit(change(points), faces, [PULL])


@pytest.mark.parametrize(
    ("of", "error", "words"),
    [
        ({"start": 1.5}, TypeError, "start must be a whole number"),
        ({"start": "1"}, TypeError, "start"),
        ({"groups": {"tip": np.arange(144) == 143}}, TypeError, "flatnonzero"),
        ({"groups": {"tip": [-1]}}, ValueError, "tip.*-1"),
        ({"groups": {"tip": [1.5]}}, TypeError, "tip"),
        ({"groups": [3]}, TypeError, "groups"),
        ({"cells": 0, "kind": "voxels"}, ValueError, "cells"),
        ({"rest": 1.0}, TypeError, "rest"),
        ({"frames": 3}, TypeError, "frames"),
        ({"progress": 3}, TypeError, "progress must be a function"),
    ],
)
def test_what_else_is_said_of_a_surface_is_looked_at(of, error, words):
    """A mask was taken for vertices 0 and 1, and a number for a progress that was never told."""
    points, faces = sheet()
    with pytest.raises(error, match=words):
        supple.edit(points, faces, [PULL], **of)


def test_masked_numbers_are_none():
    points, faces = sheet()
    masked = np.ma.masked_array(points, mask=np.zeros(points.shape, bool))
    out, _ = supple.edit(masked, faces, [PULL])
    assert np.array_equal(out, supple.edit(points, faces, [PULL])[0])
    masked[3, 4, 1] = np.ma.masked
    with pytest.raises(ValueError, match="masked"):
        supple.edit(masked, faces, [PULL])
    for wrong in (lambda: supple.edit(points, None, [PULL]), lambda: supple.edit(points, faces, None)):
        with pytest.raises(TypeError, match="faces|handles"):
            wrong()


@pytest.mark.parametrize(
    ("faces", "error"),
    [
        ([[0, 1, 144]], ValueError),
        ([[0, 1, -1]], ValueError),
        ([[0, 1]], ValueError),
        ([], ValueError),
        (np.zeros((3, 2), int), ValueError),
        (np.zeros(3, int), ValueError),
        (np.zeros((3, 3)), TypeError),
        ([[0.0, 1.0, 2.0]], TypeError),
        ([["a", "b", "c"]], TypeError),
    ],
)
def test_faces_that_cannot_be_are_refused(faces, error):
    points, _ = sheet()
    with pytest.raises(error):
        supple.edit(points, faces, [PULL])


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_number_that_is_none_is_named_with_its_frame(bad):
    points, faces = sheet()
    points[17, 5, 1] = bad
    with pytest.raises(supple.MotionError, match="vertex 5") as caught:
        supple.edit(points, faces, [PULL], start=101)
    assert caught.value.frame == 118


def test_wrong_words_are_refused():
    points, faces = sheet()
    for wrong in ({"unit": "ell"}, {"unit": -1}, {"up": "w"}, {"kind": "jelly"}, {"fps": 0}, {"fps": np.nan}):
        with pytest.raises(ValueError):
            supple.edit(points, faces, [PULL], **wrong)
    with pytest.raises((supple.HandleError, ValueError)):
        supple.edit(points, faces, [{"frame": 12, "vertex": 143}])


@pytest.mark.parametrize(
    "handle",
    [
        {"frame": 99, "vertex": 143, "by": (0, 0, 1)},
        {"frame": 12, "vertex": 1440, "by": (0, 0, 1)},
        {"frame": 12, "group": "nobody", "by": (0, 0, 1)},
        {"frame": 12, "vertex": 0, "by": (0, 0, 1)},
    ],
)
def test_a_handle_that_cannot_be_is_named(handle):
    points, faces = sheet()
    with pytest.raises(supple.HandleError) as caught:
        supple.edit(points, faces, [PULL, handle])
    assert caught.value.handle == 2


def test_what_makes_no_body_says_so():
    points, _ = sheet()
    flat = np.zeros_like(points)
    with pytest.raises(supple.Error):
        supple.edit(flat, [[0, 1, 2]], [PULL])
    with pytest.raises(supple.BodyError):
        supple.edit(points, [[0, 1, 2], [20, 21, 22]], [PULL], kind="cloth")
