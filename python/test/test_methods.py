"""Every method by the same calls: its keys are those of the shot, and so are its findings."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import read_pc2

import supple


@pytest.fixture(scope="module")
def fish(tmp_path_factory):
    """Five poses of a tail: `control`."""
    return supple.sample("fish", tmp_path_factory.mktemp("fish") / "fish").shot


@pytest.fixture(scope="module")
def flower(tmp_path_factory):
    """A disc that goes round: `material`."""
    return supple.sample("flower-near", tmp_path_factory.mktemp("flower") / "flower").shot


def test_a_motion_through_poses(tmp_path, fish):
    shot = supple.Shot.load(fish)
    assert shot["edit.method"] == "control"
    poses = shot["edit.pose"]
    shot["edit.control.basis.modes"] = 4
    shot["edit.pose.1.hold"] = 20.0
    assert shot["edit.pose"][1]["hold"] == 20.0 and shot["edit.pose"][0] == poses[0]
    with pytest.raises(supple.ShotError, match="did you mean"):
        shot["edit.control.bases"] = {}
    with pytest.raises(supple.ShotError):
        shot["edit.pose.1.hold"] = "firmly"
    forces = tmp_path / "forces.csv"
    report = shot.solve(tmp_path / "fish.pc2", forces=forces)
    assert report.status == "settled" and len(report.poses) == len(poses)
    # The pose that has to be met is, the soft one nearly.
    assert report.poses[0].error < 1e-6 < report.poses[1].error
    assert report.control_force and forces.exists()
    points, again = shot.edited()
    assert again.cost_by_iteration == report.cost_by_iteration
    assert np.array_equal(points, read_pc2(tmp_path / "fish.pc2"))
    # The forces alone make the motion.
    shot.save(tmp_path / "fish.toml")
    supple.simulate(shot, tmp_path / "again.pc2", forces=forces)
    assert np.abs(read_pc2(tmp_path / "again.pc2") - points).max() < 1e-3 * np.ptp(points)


def test_poses_in_the_hand(fish):
    with supple.Session(fish) as live:
        report = live.settle()
        assert report.status == "settled" and report.poses
        middle = live.frames[len(live.frames) // 2]
        assert not np.array_equal(live.read(middle), live.read_input(middle))
        with pytest.raises(supple.Error):
            live.add(supple.Handle(frame=middle, vertex=0, by=(0, 0, 0.1)))


def test_a_material_that_fits(tmp_path, flower):
    shot = supple.Shot.load(flower)
    assert shot["edit.method"] == "material"
    shot["edit.modes"], shot["edit.material.shapes"] = 20, 8
    with pytest.raises(supple.ShotError, match="did you mean"):
        shot["edit.material.shape"] = 8
    report = shot.solve(tmp_path / "flower.pc2")
    plain = shot.solve(tmp_path / "plain.pc2", optimise="none")
    assert report.material.shapes == 8 and report.material.force_after < report.material.force_before
    assert plain.material.rounds == 0 and plain.material.force_before is None
    assert all(handle.error < 1e-4 for handle in report.handles)
    with pytest.raises(ValueError, match="optimise"):
        shot.solve(tmp_path / "flower.pc2", optimise="some")
    with supple.Session(shot) as live:
        key = next(iter(live.handles))
        frame = live.handles[key].frame
        shown = np.empty((live.vertices, 3), np.float32)
        before = live.read(frame)
        with live.grab(key, frame=frame) as hand:
            hand.move((0, 0, 0), out=shown)
            hand.move((0.01, 0, 0), out=shown)
        assert not np.array_equal(shown, before)
        assert live.settle().material.shapes == 8


def test_motions_of_keys(tmp_path):
    shot = supple.Shot.load(supple.sample("block-tilt", tmp_path / "block").shot)
    assert shot["edit.method"] == "sparse"
    report = shot.solve(tmp_path / "block.pc2", write_keys=tmp_path / "keys", fps=12)
    assert report.status == "settled" and list((tmp_path / "keys").iterdir())
    twice = shot["edit.segment"] or []
    assert shot["edit.pose"] is None and isinstance(twice, list)
    with supple.Session(shot) as live:
        assert live.settle().status == "settled"


def test_a_character_by_its_joints(tmp_path):
    shot = supple.Shot.load(supple.sample("walk-3d", tmp_path / "walk").shot)
    assert shot["edit.method"] == "character"
    shot.handles.append(supple.Handle(frame=12, joint="LeftHand", by=(0, 0.05, 0)))
    report = shot.solve(tmp_path / "walk.bvh")
    assert report.handles[-1].error < 1e-3
    with supple.Session(shot) as live:
        assert live.handles[len(shot.handles) - 1].joint == "LeftHand"
        assert live.settle().handles[-1].error < 1e-3
