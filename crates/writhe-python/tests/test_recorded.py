"""Runs into a directory that functions of Python lead."""

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
from conftest import hanging

import writhe


def led() -> writhe.Simulation:
    """A tip that a controller lifts, with an observable of its own."""
    scene = hanging(time=writhe.Time(duration=0.2, step="5 ms"), output=writhe.Output(every=0.05))
    sim = scene.simulation()
    load = sim.rods[0].add_point_force(-1)

    def lift(sim: writhe.Simulation) -> None:
        load.value = [0, 0, -0.02 * sim.rods[0].positions[-1, 2]]

    sim.every(0.007, lift)
    sim.add_observable("tip", "m", lambda sim: float(sim.rods[0].positions[-1, 2]))
    return sim


def test_a_led_run_is_recorded_as_it_goes(tmp_path: Path) -> None:
    sim, alone = led(), led()
    run = sim.run(to=tmp_path / "run")
    alone.run()
    assert (run.outcome, run.frames) == ("finished", 5)
    assert np.allclose(run.time, [0, 0.05, 0.1, 0.15, 0.2], rtol=0, atol=1e-15)
    assert np.array_equal(sim.rods[0].positions, alone.rods[0].positions)
    assert np.array_equal(run.rods[0].positions[-1], alone.rods[0].positions)
    assert run.units["tip"] == "m"
    assert np.array_equal(run.observable("tip"), run.rods[0].positions[:, -1, 2])
    # It is another run than that of the scene.
    assert run.observable("tip")[-1] > hanging().simulation().run(to=tmp_path / "scene").rods[0].positions[-1, -1, 2]
    told = json.loads((tmp_path / "run/functions.json").read_text())
    assert told["controllers"] == [{"function": "lift", "every_s": 0.007}]
    assert told["observables"] == ["tip"] and told["stop"] is None
    assert not (tmp_path / "scene/functions.json").exists()


def test_a_condition_ends_a_recorded_run(tmp_path: Path) -> None:
    sim = hanging().simulation()

    def low(sim: writhe.Simulation) -> bool:
        return bool(sim.rods[0].positions[-1, 2] < -0.02)

    run = sim.run(to=tmp_path / "run", stop=low)
    summary = run.summary
    assert summary is not None
    assert (summary["outcome"], summary["reason"]) == ("finished", "`low` said so")
    assert run.time[-1] == sim.time < 0.2
    assert run.rods[0].positions[-1, -1, 2] < -0.02 <= run.rods[0].positions[-2, -1, 2]


def test_what_is_driven_and_set_is_recorded(tmp_path: Path) -> None:
    sim = hanging().simulation()
    sim.gravity = [0, 0, 0]
    sim.rods[0].clamps[0].follow(lambda time: [0, 0.1 * time, 0])
    run = sim.run(to=tmp_path / "run")
    assert run.rods[0].positions[-1, 0, 1] == pytest.approx(0.02)
    assert np.abs(run.rods[0].positions[:, :, 2]).max() < 1e-9


def test_nobody_resumes_a_led_run(tmp_path: Path) -> None:
    class Enough(Exception):
        pass

    sim, place = led(), tmp_path / "run"

    def fail(sim: writhe.Simulation) -> None:
        if sim.time > 0.12:
            raise Enough

    sim.every(0.02, fail)
    with pytest.raises(Enough):
        sim.run(to=place)
    run = writhe.open_run(place)
    assert run.outcome == "interrupted" and run.frames == 3
    assert 0.12 < sim.time < 0.2
    with pytest.raises(writhe.SceneError, match="cannot be resumed") as caught:
        led().run(to=place, resume=True)
    assert caught.value.key == "resume" and caught.value.remedy
    with pytest.raises(writhe.SceneError, match="followed functions") as caught:
        hanging().simulation().run(to=place, resume=True)
    assert caught.value.remedy
    command = [os.environ["WRITHE"], "run", str(place / "scene.toml"), "--out", str(place), "--resume"]
    refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert refused.returncode == 2 and "followed functions of a program" in refused.stderr
    # One that has gone on, and a directory that is taken, are refused, and nothing is lost.
    for again in (sim, led()):
        time = again.time
        with pytest.raises(writhe.SceneError) as caught:
            again.run(to=place)
        assert caught.value.remedy and again.time == time
    again.step()


def test_a_step_that_fails_ends_a_led_run_with_its_state(tmp_path: Path) -> None:
    time = writhe.Time(duration=0.2, step="5 ms", adaptive=False)
    sim = hanging(time=time, output=writhe.Output(every=0.05)).simulation()
    load = sim.rods[0].add_point_force(-1)
    sim.every(0.1, lambda sim: setattr(load, "value", [0, 0, 1e9 if sim.time > 0.05 else 0.0]))
    with pytest.raises(writhe.SimulationError) as caught:
        sim.run(to=tmp_path / "run")
    assert caught.value.remedy
    run = writhe.open_run(tmp_path / "run")
    assert run.outcome == "failed" and run.frames == 3 and sim.time == pytest.approx(0.1)
    assert np.array_equal(run.rods[0].positions[-1], sim.rods[0].positions)


def test_a_condition_of_the_scene_ends_it_and_controllers_see_every_step_once(tmp_path: Path) -> None:
    times: list[float] = []
    stopped = hanging(stop=writhe.Stop(stretch=1e-4)).simulation()
    stopped.every(0, lambda sim: times.append(sim.time))
    run = stopped.run(to=tmp_path / "stopped")
    assert run.summary is not None and run.outcome == "finished" and "stretch" in run.summary["reason"]
    assert len(times) == len(set(times)) == stopped.statistics["steps"]
    assert run.time[-1] == stopped.time < 0.2
    whole = hanging().simulation()
    times.clear()
    whole.every(0, lambda sim: times.append(sim.time))
    assert whole.run(to=tmp_path / "whole").frames == 5
    assert len(times) == len(set(times)) == whole.statistics["steps"] and 0.2 not in times
