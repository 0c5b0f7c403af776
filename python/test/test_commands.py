"""The commands as functions."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import read_pc2, sheet, write_obj, write_pc2

import supple


def test_samples(tmp_path):
    names = [sample.name for sample in supple.samples().samples]
    assert "bridge" in names and "bird" in names
    made = supple.sample("beam", tmp_path / "beam")
    assert supple.info(made.shot).body_kind == "voxels"
    with pytest.raises(supple.Error, match="choose one of"):
        supple.sample("no such", tmp_path / "x")
    with pytest.raises(supple.Error, match="exists"):
        supple.sample("beam", tmp_path / "beam")


def test_a_motion_goes_through_every_format(tmp_path):
    points, faces = sheet()
    write_pc2(tmp_path / "a.pc2", points)
    write_obj(tmp_path / "a.obj", points[0], faces)
    answer = supple.convert(tmp_path / "a.pc2", tmp_path / "a.usda", topology=tmp_path / "a.obj", up="z", unit="cm")
    assert (answer.vertices, answer.frames) == (144, 30)
    supple.convert(tmp_path / "a.usda", tmp_path / "b.pc2", start=101)
    assert np.array_equal(read_pc2(tmp_path / "b.pc2"), points)
    with pytest.raises(supple.FormatError):
        supple.convert(tmp_path / "none.pc2", tmp_path / "c.usda")
    with pytest.raises(supple.Error):
        supple.convert(tmp_path / "a.usda", tmp_path / "a.usda")


def test_a_beam_is_simulated_posed_and_drawn(tmp_path):
    shot = supple.Shot.load(supple.sample("beam", tmp_path / "beam").shot)
    answer = supple.simulate(shot, tmp_path / "beam.pc2", frames=4)
    assert answer.frames == 4 and read_pc2(tmp_path / "beam.pc2").shape[0] == 4
    posed = supple.pose(shot, tmp_path / "bent.obj", weight=True, skin=True)
    assert posed.stages[-1].status in ("converged", "rounding")
    drawn = supple.render(tmp_path / "bent.obj", tmp_path / "bent.png", size=(320, 200), floor=True, view="front")
    assert (drawn.width, drawn.height) == (320, 200)
    assert (tmp_path / "bent.png").read_bytes().startswith(b"\x89PNG")
    prepared = supple.prepare(shot, modes=8)
    assert len(prepared.frequencies) == 8
    with pytest.raises(ValueError):
        supple.render(tmp_path / "bent.obj", tmp_path / "b.png", view="nowhere")
    with pytest.raises(supple.Error):
        supple.simulate(shot, shot["body.mesh"])


def test_a_character_is_edited_by_the_same_calls(tmp_path):
    name = next(s.name for s in supple.samples().samples if s.name.startswith(("walk", "x-jump", "climb")))
    shot = supple.Shot.load(supple.sample(name, tmp_path / name).shot)
    assert shot["body.kind"] == "character"
    found = supple.info(shot)
    assert found.method == "character"
    report = shot.solve(tmp_path / "out.bvh")
    assert report.status in ("settled", "compromise", "unfinished", "stalled")
    with supple.Session(shot) as live:
        assert live.read(live.frames[0]).shape == (live.vertices, 3)
