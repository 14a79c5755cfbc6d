"""Simulations: steps, what they show, copies, states."""

import copy
import gc
import pickle
import resource
import threading

import numpy as np
import pytest
from conftest import hanging

import writhe


def test_steps_and_times(scene: writhe.Scene) -> None:
    sim = scene.simulation()
    assert sim.time == 0.0
    step = sim.step()
    assert (step.dt, sim.time) == (5e-3, 5e-3)
    assert step.iterations >= 1 and step.contacts == 0 and step.smallest_gap is None
    assert "dt=0.005" in repr(step)
    assert sim.step(1e-3).dt == 1e-3
    assert sim.run(until=0.05) is None
    assert sim.time == 0.05
    assert sim.run() is None
    assert sim.time == 0.2
    assert sim.statistics["steps"] > 40
    assert "t = 0.2 s, 1 rod" in repr(sim)


def test_what_a_rod_shows(scene: writhe.Scene) -> None:
    sim = scene.simulation()
    sim.run(until=0.1)
    [rod] = sim.rods
    assert (rod.nodes, rod.edges, rod.closed) == (21, 20, False)
    shapes = {
        "positions": (21, 3),
        "velocities": (21, 3),
        "directors": (20, 3, 3),
        "angular_velocities": (20,),
        "radius": (20,),
        "rest_lengths": (20,),
        "strain": (20,),
        "curvature": (21, 3),
        "twist": (21,),
        "internal_force": (20, 3),
        "internal_moment": (21, 3),
        "fluid_forces": (21, 3),
    }
    for name, shape in shapes.items():
        array = getattr(rod, name)
        assert array.shape == shape and array.dtype == np.float64, name
        assert np.isfinite(array).all(), name
        assert f"shape ({', '.join(('nodes' if n == 21 else 'edges' if n == 20 else str(n)) for n in shape)}" in (
            type(rod).__dict__[name].__doc__ or ""
        ), name
    frames = rod.directors
    assert np.allclose(frames @ frames.transpose(0, 2, 1), np.eye(3), atol=1e-12)
    assert np.allclose(np.linalg.det(frames), 1.0)
    assert rod.velocities[-1, 2] < 0 and (rod.positions[:2, 2] == 0).all()
    assert repr(rod) == "SimulatedRod(21 nodes)"


def test_arrays_are_copies(scene: writhe.Scene) -> None:
    sim = scene.simulation()
    before = sim.rods[0].positions
    kept = before.copy()
    sim.run(until=0.05)
    assert np.array_equal(before, kept), "a step leaves what was shown"
    before[:] = 7.0
    assert not np.array_equal(sim.rods[0].positions, before), "what is changed changes no state"
    rods = sim.rods
    del sim
    gc.collect()
    assert rods[0].positions.shape == (21, 3), "a rod keeps what it shows"


def test_statics() -> None:
    """At rest a hanging rod bears its weight: moments and forces across its sections."""
    scene = hanging(time=writhe.Time(duration=1, step="5 ms", settle=True))
    sim = scene.simulation()
    [rod] = sim.rods
    weight = 1000 * np.pi * 1e-6 * 9.81 * rod.rest_lengths
    below = np.array([0.5 * weight[-1]])
    for edge in range(rod.edges - 2, 0, -1):
        below = np.append(below, below[-1] + 0.5 * (weight[edge] + weight[edge + 1]))
    # The part after an edge pulls with its weight.
    assert np.allclose(rod.internal_force[:0:-1, 2], -below, rtol=1e-4)
    young, inertia = 3e6, np.pi / 4 * 1e-12
    moment = np.linalg.norm(rod.internal_moment, axis=1)
    curvature = np.linalg.norm(rod.curvature, axis=1)
    assert np.allclose(moment[2:-1], young * inertia * curvature[2:-1], rtol=0.02)
    assert np.abs(rod.velocities).max() == 0.0


def test_energies_balance(scene: writhe.Scene) -> None:
    sim = scene.simulation()
    start = sim.energies
    sim.run(until=0.1)
    end = sim.energies
    assert end.kinetic > 0 and end.bend > 0 and end.work_loads > 0
    assert end.elastic == end.stretch + end.bend + end.twist
    assert abs(end.balance - start.balance) < 1e-9 * end.work_loads
    assert sim.observables["energy_bend"] == end.bend
    assert np.isnan(sim.observables["smallest_gap"])


def test_contacts_and_bodies() -> None:
    drop = hanging()
    assert drop.rods is not None
    drop.rods[0].clamps = None
    floor = writhe.Obstacle(shape=writhe.HalfSpace(point=[0, 0, -0.02]))
    drop.obstacles = [floor]
    sim = drop.simulation()
    assert len(sim.obstacle_contacts) == 0 and len(sim.contacts) == 0 and len(sim.bodies) == 0
    sim.run()
    at = sim.obstacle_contacts
    assert len(at) > 5 and at.force.sum() > 0 and (at.obstacle == 0).all()
    assert np.allclose(at.normal, [0, 0, 1]) and at.arc.max() <= 0.2 + 1e-12
    torus = writhe.Scene.from_toml(writhe.template("torque-transducer")).simulation()
    assert torus.bodies.positions.shape == (len(torus.bodies), 3)
    assert torus.bodies.orientations.shape == (len(torus.bodies), 4)
    assert np.allclose(np.linalg.norm(torus.bodies.orientations, axis=1), 1)


def test_contacts_between_rods() -> None:
    def rod(y: float, z: float) -> writhe.Rod:
        other = hanging().rods[0]  # type: ignore[index]
        along = [[0, 0.1], [0.05, 0.05]][int(z > 0)]
        del along
        other.clamps = None
        other.shape = (
            writhe.Straight(from_=[0, 0, z], to=[0.2, 0, z], edges=20)
            if y == 0
            else writhe.Straight(from_=[0.105, -0.1, z], to=[0.105, 0.1, z], edges=20)
        )
        return other

    lower = rod(0, 0)
    lower.held = [writhe.Held(node=0), writhe.Held(node=20)]
    sim = hanging(rods=[lower, rod(1, 0.003)]).simulation()
    sim.run(until=0.05)
    between = sim.contacts
    assert len(between) >= 1 and sorted(between.rods[0].tolist()) == [0, 1]
    assert between.force.sum() > 0 and between.at.shape == (len(between), 3)
    assert np.allclose(between.arcs[0], [0.105, 0.1], atol=0.02)


def test_a_state_goes_back_and_on(scene: writhe.Scene) -> None:
    sim = scene.simulation()
    sim.run(until=0.05)
    state = sim.state
    sim.run(until=0.1)
    there, end = sim.state, sim.rods[0].positions
    assert isinstance(state, bytes) and state != there
    sim.state = state
    assert (sim.time, sim.state) == (0.05, state)
    sim.run(until=0.1)
    assert sim.state == there and np.array_equal(sim.rods[0].positions, end)


def test_copies_are_apart_and_the_same(scene: writhe.Scene) -> None:
    sim = scene.simulation()
    sim.run(until=0.05)
    others = [sim.copy(), copy.copy(sim), copy.deepcopy(sim), pickle.loads(pickle.dumps(sim))]
    sim.run(until=0.1)
    for other in others:
        assert other.time == 0.05
        other.run(until=0.1)
        assert other.state == sim.state
        assert other.rods[0].nodes == 21


def test_states_that_are_none(scene: writhe.Scene) -> None:
    sim = scene.simulation()
    good = sim.state
    longer = hanging(nodes=31).simulation().state
    for bad, part in [
        (b"", "no state"),
        (b"nonsense" * 100, "no state"),
        (good[: len(good) // 2], "no state"),
        (longer, "of another scene"),
    ]:
        with pytest.raises(writhe.SceneError, match=part) as caught:
            sim.state = bad
        assert caught.value.key == "state"
    with pytest.raises(writhe.SceneError, match="not list"):
        sim.state = [1]  # type: ignore[assignment]
    assert sim.state == good
    sim.run(until=0.01)


@pytest.mark.parametrize("largest", [0.0, -1.0, float("nan"), float("inf")])
def test_steps_have_a_size(scene: writhe.Scene, largest: float) -> None:
    with pytest.raises(writhe.SceneError) as caught:
        scene.simulation().step(largest)
    assert caught.value.key == "largest"


@pytest.mark.parametrize("until", [-1.0, float("nan"), float("inf")])
def test_time_goes_on(scene: writhe.Scene, until: float) -> None:
    with pytest.raises(writhe.SceneError, match="cannot run to|is not finite") as caught:
        scene.simulation().run(until=until)
    assert caught.value.key == "until"


@pytest.mark.parametrize("work", ["run", "steps", "controlled"])
def test_times_that_differ_by_rounding_are_the_same(scene: writhe.Scene, work: str) -> None:
    """Times of `np.arange` beside output times and those of a controller."""
    sim, alone = scene.simulation(), scene.simulation()
    called: list[float] = []
    if work == "controlled":
        sim.every(0.04, lambda sim: called.append(sim.time))
    for end in (0.04, 0.12):
        alone.run(until=end)
    for end in np.arange(0.04, 0.1401, 0.04):
        for until in (end, np.nextafter(end, 1), np.nextafter(end, 0)):
            if work == "steps":
                assert all(step.dt > 1e-4 for step in sim.steps(until=until))
            else:
                assert sim.run(until=until) is None
    assert sim.time == pytest.approx(0.12, abs=1e-15)
    assert sim.statistics["steps"] == alone.statistics["steps"]
    assert np.allclose(sim.rods[0].positions, alone.rods[0].positions, atol=1e-9)
    assert np.allclose(sim.rods[0].velocities, alone.rods[0].velocities, atol=1e-7)
    if work == "controlled":
        assert called == pytest.approx([0, 0.04, 0.08])
    with pytest.raises(writhe.SceneError, match="cannot run to"):
        sim.run(until=0.12 - 1e-10)


def test_a_failure_says_where_and_leaves_the_last_good_state() -> None:
    """A rod pulled away from its clamp, farther than any step can follow."""
    scene = hanging(time=writhe.Time(duration=1, step="5 ms", smallest_step="4 ms"))
    assert scene.rods is not None
    scene.rods[0].held = [
        writhe.Held(node="last", motion=writhe.Path(path=[[0, 0, 0, 0], [0.02, 0, 0, 0], [0.021, -300, 0, 0]]))
    ]
    sim = scene.simulation()
    with pytest.raises(writhe.SimulationError) as caught:
        sim.run()
    error = caught.value
    assert error.step is not None and error.step >= 3 and error.time is not None
    assert error.rod == 0 and error.remedy and "rod 0" in str(error)
    assert sim.time == error.time and 0.014 < sim.time < 0.021
    assert np.isfinite(sim.rods[0].positions).all()
    with pytest.raises(writhe.SimulationError):
        sim.run()
    assert sim.time == error.time
    assert sim.step(1e-9).dt == 1e-9, "what can be done still can"


def test_a_scene_ends_its_run() -> None:
    scene = hanging(stop=writhe.Stop(force=1e-3))
    sim = scene.simulation()
    why = sim.run()
    assert why is not None and "stop.force" in why and sim.time < 0.2


def test_no_equilibrium_is_an_error() -> None:
    scene = hanging(contact=writhe.Contact(model="spillmann-teschner"))
    with pytest.raises(writhe.SimulationError, match="spillmann-teschner"):
        scene.simulation().settle()


def test_settling(scene: writhe.Scene) -> None:
    sim = scene.simulation()
    sim.settle()
    assert sim.time == 0.0 and sim.rods[0].positions[-1, 2] < -0.1
    assert sim.energies.kinetic == 0.0


def test_threads_work_side_by_side() -> None:
    """Two simulations in two threads give what each gives alone."""
    scene = hanging(nodes=41)
    alone = scene.simulation()
    alone.run()
    sims = [scene.simulation() for _ in range(2)]
    threads = [threading.Thread(target=sim.run) for sim in sims]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [sim.state for sim in sims] == [alone.state] * 2


def test_a_simulation_in_the_middle_of_a_step_is_told() -> None:
    scene = hanging(nodes=41, time=writhe.Time(duration=1e4, step="1 ms"))
    sim = scene.simulation()
    failures: list[BaseException] = []
    seen = threading.Event()

    def look(time: float) -> None:
        """Called from within the run."""
        try:
            assert sim.time
        except writhe.SimulationError as error:
            failures.append(error)
        seen.set()
        raise LookupError("enough")

    def work() -> None:
        with pytest.raises(LookupError, match="enough"):
            sim._core.run(None, False, look)

    thread = threading.Thread(target=work)
    thread.start()
    assert seen.wait(20)
    thread.join(20)
    assert not thread.is_alive()
    assert len(failures) == 1 and "in the middle of its work" in str(failures[0])
    assert sim.time > 0


def test_memory_is_steady() -> None:
    """10,000 steps and 1,000 simulations leave no more than they began with."""

    def peak() -> int:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    scene = hanging(nodes=5, time=writhe.Time(duration=100, step="1 ms"))
    sim = scene.simulation()
    for _ in range(500):
        sim.step()
    for _ in range(100):
        scene.simulation().step()
    gc.collect()
    before = peak()
    for _ in range(10_000):
        sim.step()
        sim.rods[0].positions  # noqa: B018
    for _ in range(1_000):
        scene.simulation().step()
    grown = peak() - before
    assert grown < 20_000, f"{grown} KiB more"


def test_a_picture(scene: writhe.Scene) -> None:
    sim = scene.simulation()
    sim.run(until=0.1)
    png = sim.picture((120, 90))
    assert png.startswith(b"\x89PNG") and png[16:24] == bytes([0, 0, 0, 120, 0, 0, 0, 90])
    assert sim._repr_png_().startswith(b"\x89PNG")
    for bad in [(0, 10), (-3, 10), (10, 10**6), "large", 3, (1, 2, 3)]:
        with pytest.raises(writhe.SceneError) as caught:
            sim.picture(bad)  # type: ignore[arg-type]
        assert caught.value.key == "size" and caught.value.remedy


def test_a_picture_shows_what_surrounds_the_rods() -> None:
    """Pixels beside those of the rod alone; what is driven is where it is now."""

    def shapes(**around: object) -> writhe.Simulation:
        return hanging(nodes=21, gravity=None, **around).simulation()

    ball = writhe.Obstacle(shape=writhe.Sphere(radius=0.03, center=[0.1, 0.1, 0]))
    body = writhe.Body(solid=writhe.SolidSphere(radius=0.03), mass=1, position=[0.1, 0.1, 0])
    alone = shapes().picture((120, 90))
    touch = writhe.Contact(model="imc")
    obstacle, solid = shapes(obstacles=[ball], contact=touch), shapes(bodies=[body], contact=touch)
    before = obstacle.picture((120, 90))
    assert len({alone, before, solid.picture((120, 90))}) == 3
    state = obstacle.state
    obstacle.obstacles[0].move(velocity=[0, 0, 1.0])
    obstacle.run(until=0.05)
    assert obstacle.picture((120, 90)) != before
    obstacle.state = state
    assert obstacle.picture((120, 90)) == before
