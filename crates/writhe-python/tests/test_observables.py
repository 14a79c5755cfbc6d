"""Observables and stop conditions of Python."""

import pickle

import numpy as np
import pytest
from conftest import hanging

import writhe


def tip(sim: writhe.Simulation) -> float:
    return float(sim.rods[0].positions[-1, 2])


def low(sim: writhe.Simulation) -> bool:
    return tip(sim) < -0.05


def test_observables_of_python_are_columns() -> None:
    sim = hanging().simulation()
    sim.add_observable("tip", "m", tip)
    sim.add_observable("nodes", "", lambda sim: np.float64(sim.rods[0].nodes))
    sim.run(until=0.1)
    assert sim.observables["tip"] == sim.rods[0].positions[-1, 2] < 0
    assert sim.observables["nodes"] == 21.0
    assert list(sim.observables)[-2:] == ["tip", "nodes"]
    assert sim.units["tip"] == "m" and sim.units["energy_bend"] == "J" and len(sim.units) == len(sim.observables)
    assert sim.copy().observables["tip"] == sim.observables["tip"]


def test_copies_and_pickles_have_them() -> None:
    sim = hanging().simulation()
    sim.add_observable("tip", "m", tip)
    for other in (sim.copy(), pickle.loads(pickle.dumps(sim))):
        other.run(until=0.05)
        assert other.observables["tip"] < sim.observables["tip"] == 0.0


def test_bad_observables_are_refused(tmp_path: object) -> None:
    sim = hanging().simulation()
    sim.add_observable("tip", "m", tip)
    for arguments, key in [
        (("tip", "m", tip), "name"),
        (("energy_bend", "J", tip), "name"),
        (("", "J", tip), "name"),
        ((3, "J", tip), "name"),
        (("x", 3, tip), "unit"),
        (("x", "m", 3), "function"),
    ]:
        with pytest.raises(writhe.SceneError) as caught:
            sim.add_observable(*arguments)  # type: ignore[arg-type]
        assert caught.value.key == key and caught.value.remedy
    sim.add_observable("tip height", "m", tip)
    with pytest.raises(writhe.SceneError, match="letters, digits and underscores"):
        sim.run(to=f"{tmp_path}/run")
    sim.add_observable("word", "", lambda sim: "much")  # type: ignore[arg-type, return-value]
    with pytest.raises(writhe.SceneError, match="the observable `word` is 'much'"):
        sim.observables


def test_a_function_ends_a_run() -> None:
    sim = hanging(time=writhe.Time(duration=1, step="5 ms")).simulation()
    steps = []
    sim.every(0, lambda sim: steps.append(tip(sim)))
    assert sim.run(stop=low) == "`low` said so"
    assert tip(sim) < -0.05 < steps[-1] and sim.time < 0.2
    assert hanging().simulation().run(stop=lambda sim: False) is None
    other = hanging(time=writhe.Time(duration=1, step="5 ms")).simulation()
    for _ in other.steps():
        if low(other):
            break
    assert other.state == sim.state, "looking changes no bit"


def test_a_condition_of_the_scene_still_ends_a_run() -> None:
    scene = hanging(stop=writhe.Stop(stretch=1e-9))
    wanted = scene.simulation()
    reason = wanted.run()
    sim = scene.simulation()
    assert reason is not None and sim.run(stop=lambda sim: False) == reason
    assert sim.state == wanted.state


def test_what_a_stop_condition_raises_is_raised(tmp_path: object) -> None:
    sim = hanging().simulation()

    def faulty(sim: writhe.Simulation) -> bool:
        raise KeyError("in the condition")

    with pytest.raises(KeyError, match="in the condition"):
        sim.run(stop=faulty)
    assert sim.time == 5e-3, "the step before is made"
    with pytest.raises(writhe.SceneError, match="is no function"):
        sim.run(stop=3)  # type: ignore[call-overload]
    with pytest.raises(KeyError, match="in the condition"):
        hanging().simulation().run(to=f"{tmp_path}/run", stop=faulty)
