"""Branches of equilibria: those of the command line, what is wrong, what changes nothing."""

from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT

import writhe

KEY = "rods[0].forces[0].amplitude"


def arch() -> writhe.Scene:
    return writhe.Scene.from_toml(ROOT / "examples/problems/arch.toml")


def test_an_arch_is_followed_past_its_folds(tmp_path: Path) -> None:
    run = writhe.follow(arch(), KEY, start=0, end=1, to=tmp_path / "arch")
    load, event = run.observable("parameter"), run.observable("event")
    folds = load[event == 1]
    assert folds == pytest.approx([0.752, 0.273], abs=2e-3)
    assert run.frames == len(load)
    # Between the folds it is unstable, and lower than before.
    unstable = run.observable("negative") == 1
    assert unstable.any()
    assert not unstable[[0, -1]].any()
    assert run.observable("rod0_middle_z")[-1] < 0 < run.observable("rod0_middle_z")[0]
    assert run.units["parameter"] == "1"
    assert run.rods[0].positions.shape[0] == run.frames
    assert run.summary is not None
    assert run.summary["followed"]["key"] == KEY


def test_values_have_units_and_branches_are_numbered(tmp_path: Path) -> None:
    scene = writhe.Scene(
        rods=[
            writhe.Rod(
                shape=writhe.Straight(to=["50 cm", 0, 0], edges=20),
                section=writhe.Rectangle(a="1 mm", b="20 mm"),
                first_director=[0, 0, 1],
                material=writhe.Material(young="1 GPa", poisson=0.5, density=1000),
                clamps=[writhe.Clamp(edge="first", half_edge=True)],
                forces=[writhe.Force(node="last", force=["-1 N", 0, 0])],
            )
        ],
        contact=writhe.Contact(model="none"),
    )
    key = "rods[0].forces[0].force[0]"
    run = writhe.follow(scene, key, start=0, end="-20 mN", to=tmp_path / "column", branches=1)
    assert set(run.observable("branch")) == {0, 1, 2}
    assert run.units["parameter"] == "N"
    load = run.observable("parameter")[run.observable("event") == 2]
    assert load == pytest.approx([-16.45e-3], rel=2e-3)
    assert np.isfinite(run.observable("rod0_tip_x")).all()


def test_what_is_wrong_and_what_changes_nothing_is_told(tmp_path: Path) -> None:
    with pytest.raises(writhe.SceneError, match="is not a number"):
        writhe.follow(arch(), "title", end="x", to=tmp_path / "a")
    with pytest.raises(writhe.SceneError, match="step is 2"):
        writhe.follow(arch(), KEY, end=1, step=2, to=tmp_path / "b")
    still = arch()
    assert still.rods is not None
    still.rods[0].forces = []
    with pytest.warns(UserWarning, match="changes nothing"):
        writhe.follow(still, "rods[0].material.young", start=1e9, end=2e9, points=3, to=tmp_path / "c")
    with pytest.raises(writhe.SceneError, match="not empty"):
        writhe.follow(arch(), KEY, end=1, to=tmp_path / "c")
