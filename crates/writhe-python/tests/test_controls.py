"""What is driven: functions of time, and controllers that set things between steps."""

import copy
import gc
import pickle
import weakref

import numpy as np
import pytest
from conftest import hanging
from numpy.typing import NDArray

import writhe

Floats = NDArray[np.float64]
RATE = 3.0


def swinging(motion: writhe.Path | None = None) -> writhe.Scene:
    scene = hanging(time=writhe.Time(duration=1, step="5 ms"), output=writhe.Output(every=0.1))
    assert scene.rods is not None and scene.rods[0].clamps is not None
    scene.rods[0].clamps = [writhe.Clamp(edge="first", motion=motion)]
    return scene


def rise(time: float) -> Floats:
    return np.array([0.0, 0.01 * np.sin(RATE * time) ** 2, 0.0])


def rise_and_go(time: float) -> Floats:
    """From .1 s on along z, too."""
    return np.array([0.0, rise(time)[1], 0.1 * (time - 0.1)])


def turning(time: float) -> tuple[Floats, Floats]:
    """About z, through the middle of the first edge."""
    sin, cos = np.sin(RATE * time), np.cos(RATE * time)
    return np.zeros(3), np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])


def lift(sim: writhe.Simulation) -> None:
    """Up where the tip is low, down where it is high."""
    tip = sim.rods[0].positions[-1, 2]
    sim.rods[0].clamps[0].move(velocity=[0.0, 0.0, -0.5 * (tip + 0.01)])


def test_a_function_moves_a_clamp_as_a_path_does() -> None:
    """A line in time, as a function and as rows of the scene: the same motion."""
    velocity = np.array([0.0, 0.03, -0.02])
    rows = np.array([[0.0, 0, 0, 0], [2.0, *(2.0 * velocity)]])
    theirs = swinging(writhe.Path(path=rows)).simulation()
    ours, told = swinging().simulation(), swinging().simulation()
    ours.rods[0].clamps[0].follow(lambda time: velocity * time)
    told.rods[0].clamps[0].move(velocity=velocity)
    for sim in (theirs, ours, told):
        sim.run(until=0.3)
    wanted = theirs.rods[0].positions
    for sim in (ours, told):
        assert np.allclose(sim.rods[0].positions, wanted, atol=1e-12)
        assert np.allclose(sim.rods[0].clamps[0].displacement, 0.3 * velocity, atol=1e-15)
        # Its nodes begin at rest here, and with the velocity of the path there.
        assert sim.energies.work_supports == pytest.approx(theirs.energies.work_supports, rel=1e-3)


def test_a_function_turns_a_clamp_as_a_rotation_does() -> None:
    theirs = swinging()
    assert theirs.rods is not None
    spin = writhe.Rotation(axis=[0, 0, 1], point=[0.005, 0, 0], speed=RATE)
    theirs.rods[0].clamps = [writhe.Clamp(edge="first", motion=spin)]
    wanted, ours, told = theirs.simulation(), swinging().simulation(), swinging().simulation()
    ours.rods[0].clamps[0].follow(turning)
    told.rods[0].clamps[0].move(spin=[0, 0, RATE])
    for sim in (wanted, ours, told):
        sim.run(until=0.3)
    for sim in (ours, told):
        assert np.allclose(sim.rods[0].positions, wanted.rods[0].positions, atol=1e-9)
        assert np.allclose(sim.rods[0].clamps[0].rotation, turning(0.3)[1], atol=1e-12)


def test_controllers_are_called_at_their_times_exactly() -> None:
    """Steps of 5 ms are cut at multiples of 7 ms and of 1/30 s; output times stay met."""
    sim, times, thirds, steps = swinging().simulation(), [], [], []
    sim.every(0.007, lambda sim: times.append(sim.time))
    sim.every(1 / 30, lambda sim: thirds.append(sim.time))
    sim.every(0, lambda sim: steps.append(sim.time))
    sim.run(until=0.2)
    assert times == [0.007 * k for k in range(29)]
    # 3 / 30 is an output time, rounded in another way.
    assert np.allclose(thirds, [k / 30 for k in range(6)], rtol=0, atol=1e-15)
    assert sim.time == 0.2 and len(steps) == sim.statistics["steps"]
    sizes = np.diff([*steps, 0.2])
    assert sizes.min() > 1e-5 and set(times) <= set(steps) and 0.1 in steps
    sim.run(until=0.2 + 1e-3)
    assert thirds[-1] == pytest.approx(0.2) and len(thirds) == 7


def test_steps_loops_and_runs_call_alike() -> None:
    states = []
    for work in ("run", "steps", "step"):
        sim = swinging().simulation()
        times: list[float] = []
        sim.every(0.02, lift)
        sim.every(0.05, lambda sim, times=times: times.append(sim.time))  # type: ignore[misc]
        match work:
            case "run":
                sim.run(until=0.2)
            case "steps":
                for step in sim.steps(until=0.2):
                    assert step.dt < 5.001e-3
            case _:
                while sim.time < 0.2 - 1e-9:
                    sim.step()
        assert times == [0.05 * k for k in range(4)]
        states.append(sim.rods[0].positions)
    assert np.array_equal(states[0], states[1])
    assert np.allclose(states[0], states[2], atol=1e-9)


def test_a_controller_holds_a_tip() -> None:
    free, held = swinging().simulation(), swinging().simulation()
    held.every(0.01, lift)
    for sim in (free, held):
        sim.run()
    assert free.rods[0].positions[-1, 2] < -0.1
    assert held.rods[0].clamps[0].displacement[2] > 0.03
    assert held.rods[0].positions[-1, 2] > free.rods[0].positions[-1, 2] + 0.02
    energies = held.energies
    assert energies.balance == pytest.approx(0.0, abs=1e-9)


def test_what_was_set_is_part_of_the_state() -> None:
    """A rollout: back to a state, with the velocity that had been set there."""
    sim = swinging().simulation()
    push = sim.rods[0].add_point_force(-1)
    plain = sim.copy().state
    sim.rods[0].clamps[0].move(velocity=[0, 0.1, 0])
    push.value = [0, 0, 1e-4]
    sim.gravity = [0, 0, -5.0]
    sim.run(until=0.1)
    state = sim.state
    sim.run(until=0.2)
    end = sim.state
    sim.rods[0].clamps[0].move(velocity=[0, -0.4, 0])
    push.value = [0, 0, 0]
    sim.gravity = [0, 0, 0]
    sim.run(until=0.25)
    sim.state = state
    assert push.value.tolist() == [0, 0, 1e-4] and sim.gravity.tolist() == [0, 0, -5.0]
    sim.run(until=0.2)
    assert sim.state == end
    others = [sim.copy(), copy.deepcopy(sim), pickle.loads(pickle.dumps(sim))]
    sim.run(until=0.3)
    for other in others:
        assert other.state == end
        other.run(until=0.3)
        assert other.state == sim.state
    sim.state = plain
    assert push.value.tolist() == [0, 0, 0] and sim.gravity.tolist() == [0, 0, -9.81]
    still = swinging().simulation()
    for one in (sim, still):
        one.run(until=0.05)
    assert np.allclose(sim.rods[0].positions, still.rods[0].positions, atol=1e-13)


def test_copies_and_pickles_have_functions_and_controllers() -> None:
    sim = swinging().simulation()
    sim.rods[0].clamps[0].follow(rise)
    sim.run(until=0.1)
    sim.every(0.03, lift)
    others = [sim.copy(), pickle.loads(pickle.dumps(sim))]
    for one in (sim, *others):
        one.run(until=0.25)
    for other in others:
        assert other.state == sim.state
    assert sim.rods[0].clamps[0].displacement[2] != 0.0


def test_point_loads_are_those_of_the_scene() -> None:
    theirs = swinging()
    assert theirs.rods is not None
    theirs.rods[0].forces = [
        writhe.Force(node="last", force=[0, 1e-3, 0]),
        writhe.Force(node=3, force=[1e-3, 0, 0], follows=4),
    ]
    theirs.rods[0].moments = [writhe.Moment(edge="last", moment=[0, 0, 1e-5], follows=True)]
    wanted, ours = theirs.simulation(), swinging().simulation()
    rod = ours.rods[0]
    loads = [rod.add_point_force(-1), rod.add_point_force(3, follows=4), rod.add_point_moment(-1, follows=True)]
    for load, value in zip(loads, ([0, 1e-3, 0], [1e-3, 0, 0], [0, 0, 1e-5]), strict=True):
        load.value = value
    for sim in (wanted, ours):
        sim.run(until=0.2)
    assert np.allclose(rod.positions, wanted.rods[0].positions, atol=1e-11)
    assert ours.energies.work_loads == pytest.approx(wanted.energies.work_loads, rel=1e-7)


def hinged(**hinge: object) -> writhe.Scene:
    """A box on a hinge of the scene, beside a rod that does not matter."""
    body = writhe.Body(solid=writhe.SolidBox(size=[0.1, 0.2, 0.3]), mass=1.5, position=[0, 1, 0])
    joint = writhe.Joint(bodies=[0], at=[0, 1, 0], hinge=writhe.Hinge(axis=[0, 0, 1], **hinge))  # type: ignore[arg-type]
    time = writhe.Time(duration=1, step="5 ms", scheme="backward-euler")
    return hanging(gravity=None, bodies=[body], joints=[joint], time=time)


def test_motors_do_as_they_are_told() -> None:
    inertia = 1.5 * (0.1**2 + 0.2**2) / 12
    sim = hinged(torque=0.0).simulation()
    motor = sim.torque_motors[0]
    for torque in (0.01, -0.02):
        motor.torque = torque
        assert motor.torque == torque
        sim.run(until=sim.time + 0.1)
    assert sim.bodies.spins[0, 2] == pytest.approx((0.01 - 0.02) * 0.1 / inertia, rel=1e-6)
    turned = hinged(angle=0.0).simulation()
    angle = turned.angle_motors[0]
    angle.turn(2.0)
    turned.run(until=0.1)
    angle.turn(-1.0)
    turned.run(until=0.15)
    assert angle.angle == pytest.approx(0.15, rel=1e-12)
    assert turned.bodies.spins[0, 2] == pytest.approx(-1.0, rel=1e-6)
    assert not turned.torque_motors and not sim.angle_motors
    follow = hinged(torque=0.0).simulation()
    follow.torque_motors[0].follow(lambda time: 0.3 * time)
    follow.run(until=0.1)
    # Backward Euler takes the torque at the end of a step of 5 ms.
    assert follow.bodies.spins[0, 2] == pytest.approx(0.15 * 0.1 * 0.105 / inertia, rel=1e-6)


def test_obstacles_bodies_nodes_and_angles_are_driven() -> None:
    scene = hanging(
        contact=writhe.Contact(model="imc"),
        obstacles=[writhe.Obstacle(shape=writhe.HalfSpace(point=[0, 0, -0.01]))],
        bodies=[writhe.Body(solid=writhe.SolidSphere(radius=0.01), mass=1, position=[0, 1, 0], motion="still")],
    )
    assert scene.rods is not None
    scene.rods[0].held_angles = [writhe.HeldAngle(edge="last")]
    scene.rods[0].held = [writhe.Held(node="last", axes="y")]
    sim = scene.simulation()
    sim.obstacles[0].move(velocity=[0, 0, 0.05])
    sim.driven_bodies[0].move(velocity=[0, 0.2, 0], spin=[1, 0, 0])
    sim.rods[0].held_angles[0].turn(RATE)
    sim.rods[0].held[0].follow(rise)
    sim.run(until=0.1)
    assert sim.rods[0].held_angles[0].angle == pytest.approx(0.1 * RATE)
    assert sim.bodies.positions[0].tolist() == pytest.approx([0, 1.02, 0])
    assert sim.bodies.spins[0].tolist() == pytest.approx([1, 0, 0])
    assert sim.rods[0].positions[-1, 1] == pytest.approx(rise(0.1)[1], rel=1e-12)
    assert sim.rods[0].positions[:, 2].min() > -0.0055, "the floor has lifted it"
    assert len(sim.obstacle_contacts) > 0


def test_an_exception_leaves_the_last_good_state() -> None:
    scene, broken = swinging(), [False]
    scene.time = writhe.Time(duration=1, step="5 ms", scheme="implicit-midpoint")
    sim = scene.simulation()

    def faulty(time: float) -> Floats:
        if broken[0]:
            raise ZeroDivisionError("in the middle")
        return rise(time)

    sim.rods[0].clamps[0].follow(faulty)
    sim.run(until=0.05)
    state = sim.state
    broken[0] = True
    for work in (sim.step, sim.run, lambda: list(sim.steps())):
        with pytest.raises(ZeroDivisionError, match="in the middle"):
            work()
        assert sim.state == state
    broken[0] = False

    def late(time: float) -> Floats:
        # Beyond the end of the step, where its velocity is found.
        if time > 0.055:
            raise ZeroDivisionError("late")
        return rise(time)

    sim.rods[0].clamps[0].follow(late)
    state = sim.state
    with pytest.raises(ZeroDivisionError, match="late"):
        sim.step()
    assert sim.state == state

    def control(sim: writhe.Simulation) -> None:
        raise KeyError("a controller")

    sim.rods[0].clamps[0].follow(rise)
    state = sim.state
    sim.every(0.01, control)
    with pytest.raises(KeyError, match="a controller"):
        sim.run()
    assert sim.state == state


@pytest.mark.parametrize(
    ("said", "part"),
    [
        (np.zeros(4), "array of shape [4]"),
        ("up", "no array of numbers"),
        (np.full(3, np.inf), "not finite"),
        ((np.zeros(3), np.zeros((3, 3))), "does not only turn"),
        ((np.zeros(3), -np.eye(3)), "does not only turn"),
        ((np.zeros(3), np.eye(2)), "array of shape [2, 2]"),
        (np.full(3, 0.1), "leap by 1.732e-1 m"),
    ],
)
def test_what_a_motion_says_is_checked(said: object, part: str) -> None:
    sim = swinging().simulation()
    with pytest.raises(writhe.SceneError) as caught:
        sim.rods[0].clamps[0].follow(lambda time: said)  # type: ignore[arg-type, return-value]
    assert part in str(caught.value) and caught.value.remedy
    sim.step()


def test_bad_arguments_are_refused() -> None:
    sim = swinging().simulation()
    clamp, rod = sim.rods[0].clamps[0], sim.rods[0]
    for work, key in [
        (lambda: clamp.move(velocity=[0, 0]), "velocity"),
        (lambda: clamp.move(spin=[0, 0, np.nan]), "spin"),
        (lambda: clamp.move(velocity="fast"), "velocity"),
        (lambda: clamp.follow(3), "function"),  # type: ignore[arg-type]
        (lambda: sim.every(-1.0, lift), "dt"),
        (lambda: sim.every(np.nan, lift), "dt"),
        (lambda: sim.every("1 m", lift), "dt"),
        (lambda: sim.every(0.1, 3), "function"),  # type: ignore[call-overload]
        (lambda: rod.add_point_force(21), "node"),
        (lambda: rod.add_point_force(0.5), "node"),  # type: ignore[arg-type]
        (lambda: rod.add_point_force(0, follows=20), "follows"),
        (lambda: rod.add_point_moment(-21), "edge"),
        (lambda: setattr(sim, "gravity", [1, 2]), "gravity"),
        (lambda: setattr(rod.add_point_force(0), "value", 3), "value"),
    ]:
        with pytest.raises(writhe.SceneError) as caught:
            work()  # type: ignore[no-untyped-call]
        assert caught.value.key == key and caught.value.remedy, key
    motor = hinged(torque=0.0).simulation().torque_motors[0]
    with pytest.raises(writhe.SceneError, match="no number"):
        motor.torque = "much"  # type: ignore[assignment]
    with pytest.raises(writhe.SceneError, match="not finite"):
        motor.follow(lambda time: np.inf)


def test_functions_that_hold_their_simulation_are_collected() -> None:
    class Mover:
        def __init__(self) -> None:
            self.sim = swinging().simulation()
            self.sim.rods[0].clamps[0].follow(self)
            self.sim.every(0.1, lambda sim: self)

        def __call__(self, time: float) -> Floats:
            return rise(time)

    mover = Mover()
    mover.sim.run(until=0.02)
    left = weakref.ref(mover)
    del mover
    gc.collect()
    assert left() is None


def test_a_controller_that_makes_steps_is_told_so_and_the_run_can_go_on() -> None:
    sim = swinging().simulation()
    greedy = True

    def control(sim: writhe.Simulation) -> None:
        if greedy:
            sim.step()

    sim.every(0.01, control)
    for work in (sim.step, lambda: sim.run(until=0.02), lambda: list(sim.steps(until=0.02))):
        with pytest.raises(writhe.SimulationError, match="cannot make steps"):
            work()
    assert sim.time == 0.0
    greedy = False
    sim.run(until=0.02)
    assert sim.time == 0.02


@pytest.mark.parametrize("interval", [1e-300, 1e-17, 1e-13])
def test_intervals_too_short_to_tell_apart_are_refused(interval: float) -> None:
    with pytest.raises(writhe.SceneError, match="too short"):
        swinging().simulation().every(interval, lambda sim: None)


def test_a_stop_condition_that_makes_steps_is_told_so() -> None:
    sim = swinging().simulation()

    def greedy(sim: writhe.Simulation) -> bool:
        sim.run(until=0.5)
        return True

    with pytest.raises(writhe.SimulationError, match="cannot make steps"):
        sim.run(stop=greedy)
    for work in (lambda sim: sim.step(), lambda sim: sim.settle(), lambda sim: list(sim.steps())):
        with pytest.raises(writhe.SimulationError, match="cannot make steps"):
            sim.run(stop=work)
    assert sim.run(stop=lambda sim: sim.time > 0.03) is not None


def test_times_have_units_and_what_is_none_is_refused() -> None:
    sim, other = swinging().simulation(), swinging().simulation()
    times: list[float] = []
    sim.every("10 ms", lambda sim: times.append(sim.time))
    sim.run(until="0.04 s")
    assert times == [0.0, 0.01, 0.02, 0.03] and sim.time == 0.04
    assert sum(1 for _ in other.steps(until="40 ms")) == 8
    assert other.step("1 ms").dt == pytest.approx(1e-3)
    for work, key in [
        (lambda: sim.run(until="soon"), "until"),
        (lambda: sim.run(until=[1]), "until"),  # type: ignore[call-overload]
        (lambda: sim.run(until=np.nan), "until"),
        (lambda: sim.steps(until="x"), "until"),
        (lambda: sim.step("a"), "largest"),
        (lambda: sim.step(1e-300), "largest"),
        (lambda: sim.step(-1.0), "largest"),
        (lambda: sim.step(True), "largest"),
        (lambda: sim.every("fast", lift), "dt"),
        (lambda: sim.view(height="high"), "height"),  # type: ignore[arg-type]
        (lambda: sim.view(height=0), "height"),
        (lambda: sim.picture((80.7, 60)), "size"),  # type: ignore[arg-type]
    ]:
        with pytest.raises(writhe.SceneError) as caught:
            work()  # type: ignore[no-untyped-call]
        assert caught.value.key == key and caught.value.remedy, key


def test_what_is_driven_is_named() -> None:
    scene = swinging()
    assert scene.rods is not None
    scene.rods[0].name = "left"
    sim = scene.simulation()
    with pytest.raises(writhe.SceneError, match="the clamp on edge 0 of rod 0 `left`: the displacement"):
        sim.rods[0].clamps[0].follow(lambda time: [1, 2])
    with pytest.raises(writhe.SceneError, match="the clamp on edge 0 of rod 0 `left` leap"):
        sim.rods[0].clamps[0].follow(lambda time: [1, 2, 3])
    motor = hinged(torque=0.0).simulation().torque_motors[0]
    with pytest.raises(writhe.SceneError, match="the motor of joint 0"):
        motor.follow(lambda time: np.inf)


def spun(rate: float) -> writhe.drives.MotionFunction:
    def motion(time: float) -> tuple[Floats, Floats]:
        sin, cos = np.sin(rate * time), np.cos(rate * time)
        return np.zeros(3), np.array([[1, 0, 0], [0, cos, -sin], [0, sin, cos]])

    return motion


def test_turns_that_would_seem_to_go_the_other_way_are_refused() -> None:
    """Half a turn in a step of 5 ms is 628 rad/s."""
    for rate in (700.0, 1000.0):
        for function in (False, True):
            sim = swinging().simulation()
            clamp = sim.rods[0].clamps[0]
            if function:
                clamp.follow(spun(rate))
            else:
                clamp.move(spin=[rate, 0, 0])
            state = sim.state
            for work in (sim.step, sim.run, lambda sim=sim: list(sim.steps())):
                with pytest.raises(writhe.SceneError, match="clamp on edge 0 of rod 0 turns by") as caught:
                    work()
                assert caught.value.key == "spin" and "Time(step=..)" in str(caught.value)
                assert sim.state == state
            # A step that is short enough is made.
            sim.step(1e-3)
            assert clamp.rotation[2, 1] == pytest.approx(np.sin(1e-3 * rate), rel=1e-6)
    sim = hinged(angle=0.0).simulation()
    sim.angle_motors[0].turn(700.0)
    with pytest.raises(writhe.SceneError, match="the motor of joint 0 turns by 3.5"):
        sim.step()


def test_a_state_follows_what_it_followed() -> None:
    """A state from before a function was set drives as then, with nothing that leaps."""
    sim = swinging().simulation()
    clamp = sim.rods[0].clamps[0]
    states, places = [sim.state], [sim.rods[0].positions[0]]
    for function in (rise, rise_and_go):
        sim.run(until=sim.time + 0.05)
        states.append(sim.state)
        places.append(sim.rods[0].positions[0])
        clamp.follow(function)
    sim.run(until=0.3)
    end = sim.state
    other, pickled = sim.copy(), pickle.loads(pickle.dumps(sim))
    for one in (sim, other, pickled):
        for state, place in zip(states, places, strict=True):
            one.state = state
            assert np.array_equal(one.rods[0].positions[0], place)
            one.step()
            # Of nothing, and of the first function: .03 m/s at most.
            assert np.abs(one.rods[0].positions[0] - place).max() < 1.6e-4
    sim.state = states[0]
    sim.run(until=0.05)
    assert np.array_equal(sim.rods[0].positions[0], places[0])
    sim.state = end
    assert sim.state == end
    with pytest.raises(writhe.SceneError, match="follows function 2 of its own there") as caught:
        swinging().simulation().state = end
    assert caught.value.key == "state" and caught.value.remedy


def test_forces_of_the_scene_are_set_anew() -> None:
    def loaded(force: list[float], moment: list[float]) -> writhe.Simulation:
        scene = swinging()
        assert scene.rods is not None
        ramp = writhe.Schedule(value=0.0, rate=1.0)
        scene.rods[0].forces = [
            writhe.Force(node="last", force=force),
            writhe.Force(node=3, force=[1e-3, 0, 0], amplitude=ramp),
        ]
        scene.rods[0].moments = [writhe.Moment(edge="last", moment=moment, follows=True)]
        return scene.simulation()

    wanted, sim = loaded([0, 1e-3, 0], [0, 0, 1e-5]), loaded([0, 0, 0], [0, 0, 0])
    rod = sim.rods[0]
    assert len(rod.forces) == 2 and len(rod.moments) == 1
    state = sim.state
    rod.forces[0].value = [0, 1e-3, 0]
    rod.moments[0].value = [0, 0, 1e-5]
    for one in (wanted, sim):
        one.run(until=0.1)
    assert np.array_equal(rod.positions, wanted.rods[0].positions)
    assert rod.forces[1].value.tolist() == pytest.approx([1e-4, 0, 0])
    rod.forces[1].value = [0, 0, 2e-4]
    assert rod.forces[1].value.tolist() == [0, 0, 2e-4]
    added = rod.add_point_force(5)
    added.value = [1e-5, 0, 0]
    end = sim.state
    for other in (sim.copy(), pickle.loads(pickle.dumps(sim))):
        assert other.state == end
        assert [load.value.tolist() for load in other.rods[0].forces] == [[0, 1e-3, 0], [0, 0, 2e-4]]
    # What the scene says comes back with a state in which nothing was set.
    sim.state = state
    assert rod.forces[0].value.tolist() == [0, 0, 0] and added.value.tolist() == [0, 0, 0]
    sim.run(until=0.1)
    assert rod.forces[1].value.tolist() == pytest.approx([1e-4, 0, 0])
    with pytest.raises(writhe.SceneError) as caught:
        rod.moments[0].value = [1, 2]
    assert caught.value.key == "value" and caught.value.remedy


def growing(time: float) -> list[float]:
    return [0.0, 1e-3 * time, 0.0]


def test_point_loads_follow_functions() -> None:
    """A force that grows, as a function and as the scene says it: of one that was added and of one of
    the scene."""

    def with_force(force: list[float], amplitude: writhe.Schedule | None = None) -> writhe.Simulation:
        scene = swinging()
        assert scene.rods is not None
        scene.rods[0].forces = [writhe.Force(node="last", force=force, amplitude=amplitude)]
        return scene.simulation()

    wanted = with_force([0, 1e-3, 0], writhe.Schedule(value=0.0, rate=1.0))
    sim, other = with_force([0, 0, 0]), swinging().simulation()
    state = sim.state
    loads = [sim.rods[0].forces[0], other.rods[0].add_point_force(-1)]
    for load in loads:
        load.follow(growing)
    for one in (wanted, sim, other):
        one.run(until=0.2)
    assert wanted.rods[0].positions[-1, 1] > 1e-3
    for one, load in zip((sim, other), loads, strict=True):
        assert np.allclose(one.rods[0].positions, wanted.rods[0].positions, atol=1e-11)
        assert load.value.tolist() == pytest.approx([0, 2e-4, 0])
        copies = [one.copy(), pickle.loads(pickle.dumps(one))]
        one.run(until=0.25)
        for copied in copies:
            copied.run(until=0.25)
            assert copied.state == one.state
    end = sim.state
    loads[0].value = [0, 0, 0]
    sim.state = end
    assert loads[0].value.tolist() == pytest.approx([0, 2.5e-4, 0])
    sim.state = state
    assert loads[0].value.tolist() == [0, 0, 0]
    with pytest.raises(writhe.SceneError, match="follows function 1 of its own"):
        with_force([0, 0, 0]).state = end
    for bad, part in [(lambda time: [1, 2], "shape"), (lambda time: "up", "no array"), (3, "no function")]:
        with pytest.raises(writhe.SceneError, match=part) as caught:
            loads[0].follow(bad)  # type: ignore[arg-type]
        assert caught.value.key == "function" and caught.value.remedy


@pytest.mark.parametrize("motor", ["torque", "angle"])
def test_motors_of_an_engine_of_its_own_are_driven(motor: str) -> None:
    """Rapier's joints, in explicit steps."""
    by_scene, told = {
        "torque": (0.01, 0.0),
        "angle": (writhe.Schedule(value=0.0, rate=2.0), 0.0),
    }[motor]

    def simulation(value: object) -> writhe.Simulation:
        body = writhe.Body(solid=writhe.SolidBox(size=[0.1, 0.2, 0.3]), mass=1.5, position=[0, 1, 0])
        hinge = writhe.Hinge(axis=[0, 0, 1], **{motor: value})  # type: ignore[arg-type]
        scene = hanging(
            gravity=None,
            bodies=[body],
            joints=[writhe.Joint(bodies=[0], at=[0, 1, 0], hinge=hinge)],
            contact=writhe.Contact(model="none"),
            time=writhe.Time(
                duration=1, step="1 ms", integrator="symplectic-projected", engine="rapier"
            ),
        )
        return scene.simulation()

    wanted, sim = simulation(by_scene), simulation(told)
    if motor == "torque":
        sim.torque_motors[0].torque = 0.01
    else:
        sim.angle_motors[0].turn(2.0)
    for one in (wanted, sim):
        one.run(until=0.1)
    assert wanted.bodies.spins[0, 2] > 0.1
    assert np.allclose(sim.bodies.spins, wanted.bodies.spins, rtol=1e-12)
    state = sim.state
    sim.run(until=0.12)
    end = sim.state
    sim.state = state
    sim.run(until=0.12)
    assert sim.state == end
