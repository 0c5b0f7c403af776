"""Shots by their dotted keys, in files and in memory."""

from __future__ import annotations

import copy
import pickle
import warnings

import numpy as np
import pytest
from conftest import ball, sheet

import supple
from supple import _toml


def test_the_first_example(tmp_path, bar):
    shot = supple.Shot.load(bar)
    assert not shot.changed and shot.path == bar
    shot["edit.modes"] = 40
    shot["edit.damping.stiffness"] = np.float32(0.5)
    assert shot["edit.modes"] == 40 and shot["edit.damping"]["stiffness"] == 0.5
    assert shot.changed
    shot.handles.append(supple.Handle(frame=20, near=(0, 0, 0), to=(0, 1, 0), hold=50.0))
    assert shot.handles[-1].hold == 50.0
    shot.save(tmp_path / "bar.toml")
    again = supple.Shot.load(tmp_path / "bar.toml")
    assert again.handles == shot.handles and again["edit.modes"] == 40
    del again["edit.damping"]
    assert again["edit.damping"] is None


def test_a_copy_is_another_shot(bar):
    shot = supple.Shot.load(bar)
    for other in (copy.copy(shot), copy.deepcopy(shot)):
        other["edit.modes"] = shot["edit.modes"] + 1
        assert other["edit.modes"] != shot["edit.modes"] and not shot.changed
    assert "edit.modes" in shot and "edit.mods" not in shot and 3 not in shot
    with pytest.raises(TypeError):
        list(shot)


def test_comments_stay(tmp_path):
    path = tmp_path / "a.toml"
    path.write_text("# mine\n[body]\nkind = 'solid'\nmesh = 'a.msh'  # the mesh\n[edit]\nmodes = 9 # few\n")
    shot = supple.Shot.load(path)
    shot["edit.modes"] = 12
    shot.save()
    assert path.read_text() == "# mine\n[body]\nkind = 'solid'\nmesh = 'a.msh'  # the mesh\n[edit]\nmodes = 12 # few\n"


def test_a_wrong_file_names_its_place(tmp_path):
    path = tmp_path / "a.toml"
    path.write_text("[body]\nkind = 'solid'\nmesh = 'a.msh'\nmaterial = { yung = 2e6 }\n")
    with pytest.raises(supple.ShotError, match="young") as caught:
        supple.Shot.load(path)
    error = caught.value
    assert (error.file, error.line, error.column) == (str(path), 4, 14)
    with pytest.raises(supple.ShotError):
        supple.Shot.load(tmp_path / "none.toml")


def test_a_wrong_key_changes_nothing(bar):
    shot = supple.Shot.load(bar)
    before = shot.text
    for key, value in [
        ("edit.mods", 3),
        ("edit.modes", "many"),
        ("edit.modes", -3),
        ("edit.modes", 1.5),
        ("edit.modes", np.nan),
        ("body.kind", "jelly"),
        ("edit.handle.9.by", [0, 0, 0]),
        ("edit.reach.more", 1),
        ("", 1),
        ("edit.handle", [{"frame": 3}]),
        ("edit.modes", 10**30),
    ]:
        with pytest.raises(supple.Error):
            shot[key] = value
        assert shot.text == before and not shot.changed
    with pytest.raises(KeyError, match="did you mean"):
        shot["edit.mods"]
    with pytest.raises(TypeError):
        shot["edit.modes"] = object()


def test_handles_are_a_list(bar):
    shot = supple.Shot.load(bar)
    shot.handles = []
    for frame in (3, 5, 7):
        shot.handles.append({"frame": frame, "near": [0, 0, 0], "by": [0, 0.1, 0]})
    shot.handles[1] = shot.handles[1].replace(by=[0, 0, 0.2])
    del shot.handles[0]
    shot.handles.insert(0, supple.Handle(frame=2, near=(0, 0, 0), by=(0, 0, 0)))
    assert [handle.frame for handle in shot.handles] == [2, 5, 7]
    assert shot["edit.handle.1.by"] == [0.0, 0.0, 0.2]
    with pytest.raises(supple.ShotError):
        shot.handles.append(supple.Handle(frame=3, joint="Hand", stay=True))
    assert len(shot.handles) == 3


def test_a_handle_is_checked_and_does_not_change():
    handle = supple.Handle(frame=60, vertex=np.int64(12), by=np.array([0, 0, 0.2]), hold=None)
    assert set(handle) == {"frame", "vertex", "by"}
    assert pickle.loads(pickle.dumps(handle)).frame == 60
    for wrong in (
        {"frame": 60},
        {"frame": 60, "vertex": 1, "by": (0, 0)},
        {"frame": 60, "vertex": -1, "by": (0, 0, 0)},
        {"frame": 60, "vertex": 1, "by": (0, 0, np.inf)},
        {"frame": "sixty", "vertex": 1, "by": (0, 0, 0)},
    ):
        with pytest.raises(supple.HandleError):
            supple.Handle(**wrong)
        with pytest.raises(ValueError):
            supple.Handle(**wrong)
    with pytest.raises(AttributeError):
        handle.frame = 3
    assert supple.Handle(at="end", vertex=3, velocity=(0, 1, 0)).at == "end"


def test_toml_goes_there_and_back():
    for value in [0.1, -0.0, 1e-300, 12345678901234567, True, "ä\"\\\n\x7f\u2028", [], [1, [2.5, "x"]], {"a b": {"c": 1}}]:
        assert _toml.loads(_toml.dumps(value)) == value


def test_a_shot_of_arrays_is_saved_with_its_frames(tmp_path):
    points, faces = ball(dtype=np.float64)
    shot = supple.Shot.of(points, faces, unit="cm", start=101)
    assert shot.path is None and shot["motion.unit"] == 0.01 and shot["motion.up"] == "z"
    shot["edit.modes"] = 30
    shot.handles.append(supple.Handle(frame=108, vertex=0, by=(0, 0.1, 0)))
    out, report = shot.edited()
    # A shot says metres with y up.
    assert np.allclose(out[7, 0] - points[7, 0], (0, 0, 10), atol=1e-5)
    with pytest.warns(UserWarning, match="single precision"):
        kept = shot.save(tmp_path / "ball.toml")
    assert 0 < kept.rounding < 1e-6 and all((tmp_path / file).exists() for file in kept.files)
    again = supple.Shot.load(tmp_path / "ball.toml")
    again.solve(tmp_path / "out.usda")
    stored, other = again.edited(np.float64)
    assert other.status == report.status
    assert np.abs(stored - out).max() < 1e-4
    # Nothing is written over.
    with pytest.raises(supple.Error, match="exists"):
        supple.Shot.of(points, faces, unit="cm").save(tmp_path / "ball.toml")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        shot.save()


def test_single_precision_is_saved_without_a_word(tmp_path):
    points, faces = sheet()
    shot = supple.Shot.of(points, faces)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kept = shot.save(tmp_path / "sheet.toml")
    assert kept.rounding == 0.0
    out, _ = shot.edited()
    assert np.array_equal(out, points)


def test_export_of_arrays(tmp_path):
    points, faces = sheet()
    shot = supple.Shot.of(points, faces)
    shot.handles.append(supple.Handle(frame=12, vertex=143, by=(0, 0.2, 0)))
    for name in ("a.pc2", "a.usda", "a.glb", "a.mdd"):
        report = shot.solve(tmp_path / name)
        assert report.status == "settled" and (tmp_path / name).exists()
    assert "upAxis = \"Z\"" in (tmp_path / "a.usda").read_text()
    found = supple.info(tmp_path / "a.usda")
    assert found.kind == "scene" and found.frames == 30


def test_a_path_stands_for_a_saved_shot(tmp_path, bar):
    shot = supple.Shot.load(bar)
    assert supple.info(shot).kind == "shot"
    shot["edit.modes"] = 11
    with pytest.raises(supple.Error, match="save"):
        supple.info(shot)
