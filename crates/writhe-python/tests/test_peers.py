"""Examples of other programs with their own parameters: the figures that `docs/peers.md` tells."""

import re
from typing import Any

import numpy as np
import pytest
from conftest import ROOT

import writhe

GRAVITY = 9.80665
END = writhe.Clamp(edge="first", half_edge=True)


def test_what_is_named_exists() -> None:
    """Scripts, cases, scenes and classes of `docs/peers.md`."""
    text = (ROOT / "docs/peers.md").read_text(encoding="utf-8")
    scripts = set(re.findall(r"`(\w+\.py)`", text))
    assert len(scripts) > 8
    assert scripts <= {path.name for path in (ROOT / "examples/python").glob("*.py")}
    cases = (ROOT / "crates/writhe-validate/src/cases").glob("*.rs")
    sources = "".join(path.read_text(encoding="utf-8") for path in cases)
    named = re.findall(r"cases? ((?:`[\w-]+`(?:, )?)+)", text)
    for case in re.findall(r"`([\w-]+)`", " ".join(named)):
        assert f'name: "{case}"' in sources, case
    for scene in re.findall(r"(?:scene|template) `([\w-]+)`", text):
        assert writhe.template(scene)
    for name in re.findall(r"`([A-Z]\w+)\(", text):
        assert name in writhe.__all__, name


def settled(rod: writhe.Rod, **more: object) -> writhe.Simulation:
    sim = writhe.Scene(rods=[rod], **more).simulation()  # type: ignore[arg-type]
    sim.settle()
    return sim


def test_axial_stretching() -> None:
    """PyElastica, AxialStretchingCase: Hooke's law."""
    rod = writhe.Rod(
        shape=writhe.Straight(to=[1, 0, 0], edges=19),
        section=writhe.Circle(radius=0.025),
        material=writhe.Material(young=1e4, poisson=0.5, density=1000),
        held=[writhe.Held(node="first")],
        held_angles=[writhe.HeldAngle(edge="first")],
        forces=[writhe.Force(node="last", force=[1, 0, 0])],
    )
    longer = settled(rod).rods[0].positions[-1, 0] - 1
    assert longer == pytest.approx(1 / (np.pi * 0.025**2 * 1e4), rel=1e-6)


def test_unshearable_beam() -> None:
    """PyElastica, TimoshenkoBeamCase, its second rod: Euler and Bernoulli's .0440 m."""
    rod = writhe.Rod(
        shape=writhe.Straight(to=[0, 0, 3], edges=100),
        section=writhe.Circle(radius=0.25),
        material=writhe.Material(young=1e6, poisson=0.5, density=5000),
        clamps=[END],
        forces=[writhe.Force(node="last", force=[-15, 0, 0])],
    )
    drop = -settled(rod).rods[0].positions[-1, 0]
    assert drop == pytest.approx(15 * 3**3 / (3 * 1e6 * np.pi / 4 * 0.25**4), rel=1e-3)


#: CantileverDistributedLoad: a square of 1 cm, .5 m long.
LENGTH, SIDE, SQUARE = 0.5, 0.01, 1.2e7 * 0.01**4 / 12


def square(edges: int, **more: object) -> writhe.Rod:
    return writhe.Rod(
        shape=writhe.Straight(to=[LENGTH, 0, 0], edges=edges),
        section=writhe.Rectangle(a=SIDE, b=SIDE),
        material=writhe.Material(young=1.2e7, poisson=0.0, density=1000),
        clamps=[END],
        first_director=[0, 1, 0],
        **more,  # type: ignore[arg-type]
    )


#: Weight over EI / length^2, and the place of the tip over the length: of Tschisgale 2019, the data of
#: PyElastica's example, and of the planar elastica integrated to rounding.
DEAD = [(1, 0.9912, 0.1241), (9, 0.6874, 0.6745), (25, 0.3851, 0.8568)]
FOLLOWING = [
    (1, (0.9910, 0.1251), (0.99110, 0.12444)),
    (9, (0.4422, 0.8049), (0.44678, 0.80340)),
    (17, (-0.1677, 0.7513), (-0.16308, 0.75450)),
    (25, (-0.4042, 0.4734), (-0.40317, 0.47813)),
]


@pytest.mark.parametrize(("load", "x", "y"), DEAD)
def test_distributed_load(load: float, x: float, y: float) -> None:
    """PyElastica, CantileverDistributedLoad, the force that keeps its direction."""
    acceleration = load * SQUARE / (1000 * SIDE**2 * LENGTH**3)
    gravity = writhe.Gravity(acceleration=[0, -acceleration, 0])
    tip = settled(square(100), gravity=gravity).rods[0].positions[-1] / LENGTH
    assert tip[:2] == pytest.approx([x, -y], abs=3e-3)


@pytest.mark.parametrize(("load", "theirs", "exact"), FOLLOWING)
def test_following_distributed_load(
    load: float, theirs: tuple[float, float], exact: tuple[float, float]
) -> None:
    """The same, the force that turns with the section."""
    edges = 200
    # Half of the first edge lies behind the clamp.
    each = load * SQUARE / LENGTH**2 / (edges - 0.5)
    forces = [
        writhe.Force(node=node, force=[-each / 2, 0, 0], follows=edge)
        for edge in range(edges)
        for node in (edge, edge + 1)
        if node > 0
    ]
    x, y, _ = settled(square(edges, forces=forces)).rods[0].positions[-1] / LENGTH
    assert (x, -y) == pytest.approx(exact, abs=1e-4)
    # Theirs are as far from the elastica.
    assert (x, -y) == pytest.approx(theirs, abs=5e-3)


def test_transversal_load() -> None:
    """PyElastica, CantileverTransversalLoadCase: an eighth of a circle under a force across its
    plane, the problem of Bathe and Bolourchi 1979, who have (.159, .472, .534)."""
    side = 0.01
    rod = writhe.Rod(
        shape=writhe.Arc(radius=1, angle=np.pi / 4, edges=50, tangent=[0, 1, 0], towards=[1, 0, 0]),
        section=writhe.Rectangle(a=side, b=side),
        material=writhe.Material(young=1e9, poisson=0, density=1000),
        clamps=[END],
        forces=[writhe.Force(node="last", force=[0, 0, 6])],
    )
    tip = settled(rod).rods[0].positions[-1]
    assert tip == pytest.approx([0.159, 0.472, 0.534], abs=4e-3)
    assert tip[2] == pytest.approx(0.530065, abs=7e-3)


def test_dynamic_cantilever() -> None:
    """DisMech, cantilever_case: the first mode of Euler and Bernoulli's beam, 12.64 s."""
    bending, mass = 1e5 * np.pi / 4 * 0.02**4, 500 * np.pi * 0.02**2
    rod = writhe.Rod(
        shape=writhe.Straight(to=[1, 0, 0], edges=100),
        section=writhe.Circle(radius=0.02),
        material=writhe.Material(young=1e5, poisson=0.5, density=500),
        clamps=[END],
        forces=[
            writhe.Force(
                node="last", force=[0, 0, 1e-5], amplitude=writhe.Schedule(table=[[0, 1], [1e-9, 0]])
            )
        ],
    )
    scene = writhe.Scene(rods=[rod], time=writhe.Time(step=0.02, duration=60, settle=True))
    sim = scene.simulation()
    crossed, before = [], (0.0, 1.0)
    for _ in sim.steps():
        tip = float(sim.rods[0].positions[-1, 2])
        if tip * before[1] < 0:
            part = before[1] / (before[1] - tip)
            crossed.append(before[0] + part * (sim.time - before[0]))
        before = sim.time, tip
    half = np.mean(np.diff(crossed))
    assert half == pytest.approx(np.pi / (1.8751041**2 * np.sqrt(bending / mass)), rel=2e-3)


@pytest.mark.parametrize("force", [3.0, 6.0, 10.5])
def test_axial_friction(force: float) -> None:
    """DisMech, friction_case: a rod of 1 kg on a floor, pulled along itself for 1 s."""
    edges = 25
    rod = writhe.Rod(
        shape=writhe.Straight(from_=[0, 0, 0.025], to=[1, 0, 0.025], edges=edges),
        section=writhe.Circle(radius=0.025),
        material=writhe.Material(young=1e5, poisson=0.5, density=509.2985),
        forces=[
            writhe.Force(node=node, force=[force / edges / (1 if 0 < node < edges else 2), 0, 0])
            for node in range(edges + 1)
        ],
    )
    sim = writhe.Scene(
        rods=[rod],
        obstacles=[writhe.Obstacle(shape=writhe.HalfSpace())],
        gravity=writhe.Gravity(acceleration=[0, 0, -9.8]),
        contact=writhe.Contact(friction=0.4),
        time=writhe.Time(step=5e-3, duration=1),
    ).simulation()
    sim.run()
    expected = max(0.0, force - 0.4 * 9.8) ** 2 / 2
    assert sim.energies.kinetic == pytest.approx(expected, rel=2e-3, abs=1e-5)


def test_rolling_down_a_slope() -> None:
    """PyElastica, rolling_friction_on_inclined_plane: half a second down a slope of .1 pi."""
    alpha, time, edges = 0.1 * np.pi, 0.5, 20
    rod = writhe.Rod(
        shape=writhe.Straight(from_=[0, 0, 0.025], to=[0, 1, 0.025], edges=edges),
        section=writhe.Circle(radius=0.025),
        material=writhe.Material(young=1e9, poisson=0.5, density=1 / (np.pi * 0.025**2)),
    )
    gravity = [GRAVITY * np.sin(alpha), 0, -GRAVITY * np.cos(alpha)]
    sim = writhe.Scene(
        rods=[rod],
        obstacles=[writhe.Obstacle(shape=writhe.HalfSpace())],
        gravity=writhe.Gravity(acceleration=gravity),
        contact=writhe.Contact(friction=0.4),
        time=writhe.Time(step=2e-3, duration=time),
    ).simulation()
    sim.run()
    velocity = sim.rods[0].velocities[:, 0]
    translation = float(np.mean(velocity)) ** 2 / 2
    expected = 2 / 9 * (GRAVITY * time * np.sin(alpha)) ** 2
    assert translation == pytest.approx(expected, rel=5e-3)
    # A cylinder that rolls has half as much energy in its spin.
    assert sim.energies.kinetic == pytest.approx(1.5 * expected, rel=5e-3)


def test_the_snake_of_pyelastica() -> None:
    """PyElastica, ContinuumSnakeCase, with a plain wave: run here, where it is installed (a minute).

    The figures that the simulated test of `examples/problems/scales.toml` compares with are made
    here; ours go beside them there and here.
    """
    ea = pytest.importorskip("elastica", reason="PyElastica is not installed")
    length, radius, young, period, step, elements = 0.35, 3.85e-3, 1e6, 2.0, 1e-4, 50
    bending = young * np.pi * radius**4 / 4

    kinds = (ea.BaseSystemCollection, ea.Forcing, ea.Damping, ea.Contact)
    simulator = type("Simulator", kinds, {})()

    class Wave(ea.NoForces):  # type: ignore[misc, name-defined]
        """The moment EI k(s, t) at each inner node, on the element before it and that behind it."""

        def __init__(self, lengths: np.ndarray) -> None:
            super().__init__()
            self.along = np.cumsum(lengths)[:-1]

        def apply_torques(self, system: Any, time: float = 0.0) -> None:
            x = min(1.0, time / period)
            wave = np.sin(2 * np.pi * (self.along / 0.34 - time / period))
            moment = bending * 17.0 * x * x * (3 - 2 * x) * wave
            up = system.director_collection[:, 2, :]
            system.external_torques[:, 1:] -= up[:, 1:] * moment
            system.external_torques[:, :-1] += up[:, :-1] * moment

    rod = ea.CosseratRod.straight_rod(
        elements,
        np.zeros(3),
        np.array([-1.0, 0, 0]),
        np.array([0, 0, 1.0]),
        length,
        radius,
        1000.0,
        youngs_modulus=young,
        shear_modulus=young / 1.5,
    )
    ground = ea.Plane(plane_origin=np.array([0, 0, -radius]), plane_normal=np.array([0, 0, 1.0]))
    simulator.append(rod)
    simulator.append(ground)
    gravity = np.array([0, 0, -9.81])
    simulator.add_forcing_to(rod).using(ea.GravityForces, acc_gravity=gravity)
    simulator.add_forcing_to(rod).using(Wave, rod.rest_lengths)
    # Contact and damping are those of their example.
    simulator.detect_contact_between(rod, ground).using(
        ea.RodPlaneContactWithAnisotropicFriction,
        k=1.0,
        nu=1e-6,
        slip_velocity_tol=1e-8,
        static_mu_array=np.zeros(3),
        kinetic_mu_array=np.array([0.134, 0.089, 0.178]),
    )
    simulator.dampen(rod).using(ea.AnalyticalLinearDamper, damping_constant=2e-3, time_step=step)
    simulator.finalize()
    stepper, time = ea.PositionVerlet(), 0.0
    theirs = []
    for _ in range(4):
        for _ in range(round(period / step)):
            time = stepper.step(simulator, time, step)
        theirs.append(rod.position_collection[:2].mean(axis=1))
    their_ways = np.diff(theirs, axis=0)[1:] / length
    # Rounding alone changes them by half a percent: its friction switches at 1e-8 m/s.
    told = np.array([[0.12341, 0.00846], [0.12324, 0.00808]])
    assert their_ways == pytest.approx(told, abs=0.02 * 0.1234)

    sim = writhe.Scene.from_toml(ROOT / "examples/problems/scales.toml").simulation()
    ours = []
    for end in [4.0, 6.0, 8.0]:
        sim.run(until=end)
        ours.append(sim.rods[0].positions[:, :2].mean(axis=0))
    our_ways = np.diff(ours, axis=0) / length
    speeds = [np.linalg.norm(ways, axis=1) for ways in (our_ways, their_ways)]
    assert speeds[0] == pytest.approx(speeds[1], rel=0.02)
    angles = [np.arctan2(ways[:, 1], ways[:, 0]) for ways in (our_ways, their_ways)]
    assert np.degrees(angles[0]) == pytest.approx(np.degrees(angles[1]), abs=1.0)
