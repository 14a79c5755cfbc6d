"""Forces that functions of Python say, and loops around steps."""

import gc
import pickle
import time
import traceback
import weakref

import numpy as np
import pytest
from conftest import hanging
from numpy.typing import NDArray

import writhe

Floats = NDArray[np.float64]
STIFFNESS = 0.5


def springs(now: float, positions: Floats, velocities: Floats) -> Floats:
    """Pull every node to z = 0."""
    force = np.zeros_like(positions)
    force[:, 2] = -STIFFNESS * positions[:, 2]
    return force


def stiffness(now: float, positions: Floats, velocities: Floats) -> Floats:
    matrix = np.zeros((len(positions), 3, 3))
    matrix[:, 2, 2] = STIFFNESS
    return matrix


def test_a_constant_force_is_that_of_the_scene() -> None:
    """A load of Python and the same load of the scene file, in the same steps."""
    theirs = hanging(gravity=None)
    assert theirs.rods is not None
    theirs.rods[0].forces = [writhe.Force(node="last", force=[0, "1 mN", 0])]
    sim = hanging(gravity=None).simulation()

    def push(now: float, positions: Floats, velocities: Floats) -> Floats:
        force = np.zeros_like(positions)
        force[-1, 1] = 1e-3
        return force

    sim.rods[0].add_force(push)
    sim.run()
    wanted = theirs.simulation()
    wanted.run()
    assert np.allclose(sim.rods[0].positions, wanted.rods[0].positions, atol=1e-8)
    assert np.isclose(sim.energies.work_loads, wanted.energies.work_loads, rtol=1e-6)


def test_springs_hold_a_rod_up() -> None:
    """In equilibrium springs bear the weight; the lagging force comes to the same rest."""
    scene = hanging(damping=writhe.Damping(viscosity=0.5), time=writhe.Time(duration=20, step="5 ms"))
    sim = scene.simulation()
    sim.rods[0].add_force(springs, stiffness)
    sim.settle()
    rest = sim.rods[0].positions
    assert -2e-3 < rest[-1, 2] < -1e-4
    force = springs(0.0, rest, rest)[:, 2].sum()
    weight = 1000 * np.pi * 1e-6 * 9.81 * 0.2
    assert 0.5 * weight < force < weight
    lagging = scene.simulation()
    lagging.rods[0].add_force(springs)
    lagging.run(until=10)
    assert np.allclose(lagging.rods[0].positions, rest, atol=2e-6)


def test_velocities_and_time_are_those_of_the_state() -> None:
    sim = hanging().simulation()
    seen: list[tuple[float, Floats, Floats]] = []

    def watch(now: float, positions: Floats, velocities: Floats) -> Floats:
        seen.append((now, positions, velocities))
        return np.zeros_like(positions)

    sim.rods[0].add_force(watch, probe=False)
    states = [(sim.time, sim.rods[0].positions, sim.rods[0].velocities)]
    for _ in sim.steps(until=0.02):
        states.append((sim.time, sim.rods[0].positions, sim.rods[0].velocities))
    assert len(seen) == len(states) - 1 == 4
    for (now, x, v), (time_, positions, velocities) in zip(seen, states, strict=False):
        assert now == time_ and np.array_equal(x, positions) and np.array_equal(v, velocities)


def test_loops_and_runs_are_the_same() -> None:
    one, other = hanging().simulation(), hanging().simulation()
    for sim in (one, other):
        sim.rods[0].add_force(springs)
    one.run(until=0.13)
    steps = list(other.steps(until=0.13))
    assert one.state == other.state
    assert sum(step.dt for step in steps) == pytest.approx(0.13)
    for step in other.steps():
        assert step.dt > 0
        break
    assert 0.13 < other.time < 0.14
    with pytest.raises(writhe.SceneError, match="cannot run to"):
        other.steps(until=0.1)


def test_states_copies_and_pickles_have_the_forces() -> None:
    sim = hanging().simulation()
    sim.rods[0].add_force(springs)
    sim.run(until=0.05)
    state, others = sim.state, [sim.copy(), pickle.loads(pickle.dumps(sim))]
    sim.run(until=0.1)
    end = sim.state
    sim.state = state
    sim.run(until=0.1)
    assert sim.state == end
    for other in others:
        other.run(until=0.1)
        assert other.state == end
        assert pickle.loads(pickle.dumps(other)).state == end


@pytest.mark.parametrize("solved", [False, True], ids=["lagging", "solved for"])
def test_an_exception_keeps_its_traceback_and_the_state(solved: bool) -> None:
    sim = hanging().simulation()
    broken = [False]

    def faulty(now: float, positions: Floats, velocities: Floats) -> Floats:
        if broken[0]:
            raise ZeroDivisionError("in the middle of the function")
        return springs(now, positions, velocities)

    sim.rods[0].add_force(faulty, stiffness if solved else None)
    sim.run(until=0.05)
    state = sim.state
    broken[0] = True
    for work in (sim.step, sim.run, lambda: list(sim.steps())):
        with pytest.raises(ZeroDivisionError, match="in the middle") as caught:
            work()
        lines = "".join(traceback.format_tb(caught.value.__traceback__))
        assert "in faulty" in lines
        assert sim.state == state, "the last good state"
    broken[0] = False
    sim.run(until=0.06)
    assert sim.time == 0.06


@pytest.mark.parametrize(
    ("said", "part"),
    [
        (np.zeros((3, 3)), "an array of shape [3, 3]"),
        (np.zeros(63), "an array of shape [63]"),
        (np.full((21, 3), np.nan), "not finite: NaN"),
        (None, "an array of shape []"),
        ("much", "no array of numbers"),
        (1.0, "an array of shape []"),
    ],
)
def test_what_a_function_returns_is_checked(said: object, part: str) -> None:
    sim = hanging().simulation()
    sim.rods[0].add_force(lambda *_: said)  # type: ignore[arg-type]
    with pytest.raises(writhe.SceneError) as caught:
        sim.step()
    assert part in str(caught.value) and "shape (21, 3)" in str(caught.value)
    assert sim.time == 0.0


def test_whole_numbers_and_lists_are_numbers() -> None:
    sim = hanging().simulation()
    sim.rods[0].add_force(lambda *_: [[0, 0, 0]] * 21)
    assert sim.step().dt == 5e-3


def test_what_is_no_function_is_refused() -> None:
    sim = hanging().simulation()
    for bad in (3, None, "f"):
        with pytest.raises(writhe.SceneError, match="is no function"):
            sim.rods[0].add_force(bad)  # type: ignore[arg-type]
    with pytest.raises(writhe.SceneError, match="is no function") as caught:
        sim.rods[0].add_force(springs, 3)  # type: ignore[arg-type]
    assert caught.value.key == "stiffness"


def test_what_lags_has_no_equilibrium() -> None:
    sim = hanging().simulation()
    sim.rods[0].add_force(springs)
    with pytest.raises(writhe.SceneError, match="lags"):
        sim.settle()


def test_a_recorded_run_has_forces(tmp_path: object) -> None:
    sim, alone = hanging().simulation(), hanging().simulation()
    for one in (sim, alone):
        one.rods[0].add_force(springs, lambda now, x, v: np.tile(np.diag([0, 0, 0.5]), (len(x), 1, 1)))
    run = sim.run(to=f"{tmp_path}/run")
    alone.run()
    assert np.array_equal(run.rods[0].positions[-1], alone.rods[0].positions)


def test_a_function_may_not_use_its_simulation() -> None:
    sim = hanging().simulation()
    sim.rods[0].add_force(lambda *_: sim.rods[0].positions)
    with pytest.raises(writhe.SimulationError, match="in the middle of its work"):
        sim.step()


def test_functions_that_hold_their_simulation_are_collected() -> None:
    class Controller:
        def __init__(self, sim: writhe.Simulation) -> None:
            self.sim = sim
            sim.rods[0].add_force(self)

        def __call__(self, now: float, positions: Floats, velocities: Floats) -> Floats:
            return 0 * positions

    controller = Controller(hanging().simulation())
    controller.sim.step()
    left = weakref.ref(controller)
    del controller
    gc.collect()
    assert left() is None


def test_a_function_costs_little() -> None:
    """Besides its own time: far less than a step."""
    scene = hanging(nodes=101, time=writhe.Time(duration=100, step="1 ms"))
    none = np.zeros((101, 3))

    def seconds(sim: writhe.Simulation) -> float:
        start = time.process_time()
        for _ in range(200):
            sim.step()
        return time.process_time() - start

    plain, forced = scene.simulation(), scene.simulation()
    forced.rods[0].add_force(lambda *_: none)
    # In turn, since other programs take their share of both; the first has the check of how stiff
    # the function is.
    ratios = [seconds(forced) / seconds(plain) for _ in range(6)]
    assert min(ratios[1:]) < 1.5, ratios
