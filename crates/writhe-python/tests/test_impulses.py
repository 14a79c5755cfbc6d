"""Loads that are set between steps give all of their impulse, whatever the step."""

import copy

import numpy as np
import pytest
from conftest import hanging
from numpy.typing import NDArray

import writhe


def free(step: float) -> writhe.Simulation:
    """A rod that nothing holds."""
    time = writhe.Time(duration=2, step=step)
    scene = hanging(gravity=None, time=time, output=writhe.Output(every=0.1))
    assert scene.rods is not None
    scene.rods[0].clamps = None
    return scene.simulation()


@pytest.mark.parametrize("step", [4e-3, 2e-3])
def test_gravity_and_forces_that_are_switched_give_2_m_s(step: float) -> None:
    sim, pushed = free(step), free(step)
    mass = 1000 * np.pi * 1e-6 * 0.2
    # In its middle, so that it does not turn.
    force = pushed.rods[0].add_point_force(10)
    for k in range(10):
        sim.gravity, force.value = [0, 0, 10.0], [0, 0, 10.0 * mass]
        for one in (sim, pushed):
            one.run(until=0.04 * k + 0.02)
        sim.gravity, force.value = [0, 0, 0], [0, 0, 0]
        for one in (sim, pushed):
            one.run(until=0.04 * (k + 1))
    weights = np.ones(21)
    weights[[0, -1]] = 0.5
    for one in (sim, pushed):
        speed = np.average(one.rods[0].velocities[:, 2], weights=weights)
        assert speed == pytest.approx(2.0, abs=1e-6)


def held(step: float, every: float) -> NDArray[np.float64]:
    """Places of a tip that a controller with a spring and a slow force leads."""
    scene = hanging(gravity=None, time=writhe.Time(duration=2, step=step))
    sim = scene.simulation()
    load = sim.rods[0].add_point_force(-1)

    @sim.every(every)
    def control(sim: writhe.Simulation) -> None:
        tip = sim.rods[0].positions[-1, 2]
        load.value = [0, 0, -0.05 * tip + 2e-4 * np.sin(30 * sim.time)]

    places = []
    for k in range(10):
        sim.run(until=0.02 * (k + 1))
        places.append(sim.rods[0].positions[-1, 2])
    return np.array(places)


def test_a_controller_keeps_the_order_of_the_scheme() -> None:
    wanted = held(1.5625e-4, 0.01)
    coarse, fine = (np.abs(held(step, 0.01) - wanted).max() for step in (5e-3, 2.5e-3))
    assert coarse < 6e-4 and coarse / fine > 3.0


def test_a_state_between_a_setting_and_its_step_knows_of_it() -> None:
    sim = free(4e-3)
    sim.run(until=0.1)
    sim.gravity = [0, 0, 10.0]
    state, other = sim.state, copy.deepcopy(sim)
    sim.step()
    assert sim.rods[0].velocities[:, 2].mean() == pytest.approx(0.04, rel=1e-6)
    other.step()
    assert other.state == sim.state
    end = sim.state
    sim.state = state
    sim.step()
    assert sim.state == end
