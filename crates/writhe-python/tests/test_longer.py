"""A run directory becomes longer when the scene does."""

from pathlib import Path

import pytest
from conftest import hanging

import writhe


def lasting(duration: float) -> writhe.Scene:
    return hanging(time=writhe.Time(duration=duration, step="5 ms"))


def test_a_run_becomes_longer_and_never_shorter(tmp_path: Path) -> None:
    whole = lasting(0.3).simulation().run(to=tmp_path / "whole")
    lasting(0.1).simulation().run(to=tmp_path / "r")
    longer = lasting(0.3).simulation().run(to=tmp_path / "r", resume=True)
    assert longer.state == whole.state and longer.frames == whole.frames
    for file in ["scene.toml", "observables.csv", "trajectory.zarr/positions/c/0/0/0"]:
        assert (tmp_path / "r" / file).read_bytes() == (tmp_path / "whole" / file).read_bytes()
    with pytest.raises(writhe.SceneError, match="shorter than the 0.3 s") as told:
        lasting(0.2).simulation().run(to=tmp_path / "r", resume=True)
    assert told.value.key == "time.duration"


def test_a_run_ends_at_rest(tmp_path: Path) -> None:
    scene = hanging(
        damping=writhe.Damping(viscosity=0.1),
        stop=writhe.Stop(at_rest=True),
        time=writhe.Time(duration=100, step="5 ms"),
        output=writhe.Output(every=1),
    )
    sim = scene.simulation()
    reason = sim.run()
    assert reason is not None and "all is at rest" in reason
    rest = sim.copy()
    rest.settle()
    moved = abs(rest.rods[0].positions - sim.rods[0].positions).max()
    assert moved < 1e-6 and sim.time < 50
