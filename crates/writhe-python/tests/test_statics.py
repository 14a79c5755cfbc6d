"""Residual, stiffness and vibrations."""

import sys

import numpy as np
import pytest
from conftest import hanging
from numpy.typing import NDArray

import writhe
from writhe import statics as statics_module

Floats = NDArray[np.float64]
YOUNG, DENSITY, RADIUS, LENGTH = 3e6, 1000.0, 1e-3, 0.2


def cantilever(edges: int, **more: object) -> writhe.Scene:
    """A straight rod, of which half the clamped edge lies behind the clamp."""
    rod = writhe.Rod(
        shape=writhe.Straight(to=[LENGTH, 0, 0], edges=edges),
        section=writhe.Circle(radius=RADIUS),
        material=writhe.Material(young=YOUNG, poisson=0.5, density=DENSITY),
        clamps=[writhe.Clamp(edge="first", half_edge=True)],
    )
    return writhe.Scene(rods=[rod], **more)  # type: ignore[arg-type]


def euler_bernoulli(k: float) -> float:
    """Frequency of a cantilever, Hz, by the root of ``cos k cosh k = -1``."""
    area, inertia = np.pi * RADIUS**2, np.pi * RADIUS**4 / 4
    return float((k / LENGTH) ** 2 * np.sqrt(YOUNG * inertia / (DENSITY * area)) / (2 * np.pi))


def test_the_lowest_modes_are_those_of_euler_and_bernoulli() -> None:
    """1.8751, 4.6941 and 7.8548, each in two planes; the error falls with the square of the edges."""
    errors = []
    for edges in (20, 40):
        modes = cantilever(edges).simulation().modes(6)
        wanted = [euler_bernoulli(k) for k in (1.87510407, 4.69409113, 7.85475744) for _ in "yz"]
        errors.append(np.abs(modes.frequencies / wanted - 1))
    assert errors[1][0] < 2e-4 and errors[1].max() < 5e-3
    assert np.all(errors[0] / errors[1] > 3)
    # What is clamped does not move; the tip moves most; mass-normalised: 2 over the root of the mass.
    [shape] = modes.shapes
    assert shape.shape == (6, 41, 3) and not shape[:, :2].any()
    mass = DENSITY * np.pi * RADIUS**2 * LENGTH
    tips = np.linalg.norm(shape[:, -1], axis=1)
    assert np.allclose(tips[:2], 2 / np.sqrt(mass), rtol=2e-2)
    assert np.abs(shape[:, :, 0]).max() < 1e-9 * tips.max()


def test_the_frequency_is_that_of_a_small_vibration() -> None:
    """A hanging rod, let go a little beside its equilibrium: zero crossings against the mode."""
    scene = cantilever(
        20,
        gravity=writhe.Gravity(acceleration=[9.81, 0, 0]),
        time=writhe.Time(duration=10, step="1 ms", scheme="implicit-midpoint"),
    )
    sim = scene.simulation()
    push = sim.rods[0].add_point_force(-1)
    push.value = [0, 1e-9, 0]
    sim.settle()
    frequency = sim.modes(2).frequencies[0]
    assert frequency > 1.2 * euler_bernoulli(1.87510407), "gravity stiffens it"
    push.value = [0, 0, 0]
    ways = [(sim.time, sim.rods[0].positions[-1, 1])]
    for _ in sim.steps(until=6 / frequency):
        ways.append((sim.time, sim.rods[0].positions[-1, 1]))
    times, y = np.transpose(ways)
    down = np.flatnonzero((y[:-1] > 0) & (y[1:] <= 0))
    crossings = times[down] + (times[1] - times[0]) * y[down] / (y[down] - y[down + 1])
    assert 1 / np.diff(crossings).mean() == pytest.approx(frequency, rel=1e-2)


def test_sparse_and_dense_modes_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("scipy")
    scene = cantilever(120, gravity=writhe.Gravity(acceleration=[0, 0, -1.0]))
    sim = scene.simulation()
    sim.settle()
    sparse = sim.modes(8)
    monkeypatch.setattr(statics_module, "_has_scipy", lambda: False)
    dense = sim.modes(8)
    assert np.allclose(sparse.frequencies, dense.frequencies, rtol=1e-5)
    [a], [b] = sparse.shapes, dense.shapes
    overlap = np.abs(np.einsum("kij,kij->k", a, b))
    assert np.allclose(overlap, np.einsum("kij,kij->k", a, a), rtol=1e-3)


def test_free_rods_have_modes_without_frequency() -> None:
    """Three ways, two turns and the spin about the axis; then bending."""
    scene = cantilever(40)
    assert scene.rods is not None
    scene.rods[0].clamps = None
    frequencies = scene.simulation().modes(8).frequencies
    assert np.all(frequencies[:6] < 1e-3 * frequencies[6])
    wanted = euler_bernoulli(4.73004074)
    assert np.allclose(frequencies[6:], wanted, rtol=4e-3)


def test_the_residual_is_what_is_not_balanced() -> None:
    sim = cantilever(20, gravity=writhe.Gravity(acceleration=[0, 0, -9.81])).simulation()
    sim.settle()
    before = sim.statics()
    assert before.unbalanced < 1e-6 * before.largest_force
    assert np.abs(sim.residual()).max() < 1e-6 * before.largest_force
    # A load that is not balanced yet: all that is left, with the other sign.
    sim.rods[0].add_point_force(5).value = [0, 1e-4, -2e-4]
    unknowns = sim.statics().unknowns
    wanted = np.zeros(len(unknowns))
    wanted[(unknowns.node == 5) & (unknowns.component == 1)] = -1e-4
    wanted[(unknowns.node == 5) & (unknowns.component == 2)] = 2e-4
    assert np.allclose(sim.residual(), wanted, atol=1e-5 * 2e-4 + 1e-6 * before.largest_force)
    assert len(unknowns) == len(before.mass) == 4 * 21 - 1 - 7
    assert set(unknowns.rod) == {0} and unknowns.edge.max() == 19 and unknowns.node.min() == -1


def test_the_stiffness_says_how_equilibria_move() -> None:
    """A small load moves the equilibrium by the inverse of the stiffness."""
    pytest.importorskip("scipy")
    sim = cantilever(20, gravity=writhe.Gravity(acceleration=[0, 0, -2.0])).simulation()
    load = sim.rods[0].add_point_force(-1)
    sim.settle()
    stiffness, unknowns = sim.stiffness(), sim.statics().unknowns
    dense = stiffness.toarray()
    assert np.array_equal(dense, sim.statics().dense)
    assert np.abs(dense - dense.T).max() < 1e-13 * np.abs(dense).max()
    small = np.array([0.0, 1e-7, 2e-7])
    force = np.zeros(len(unknowns))
    for component in range(3):
        force[(unknowns.node == 20) & (unknowns.component == component)] = small[component]
    wanted = np.linalg.solve(dense, force)
    ends = []
    for sign in (1, -1):
        load.value = sign * small
        sim.settle()
        ends.append(sim.rods[0].positions)
    moved = 0.5 * (ends[0] - ends[1])
    nodes = unknowns.node >= 0
    found = moved[unknowns.node[nodes], unknowns.component[nodes]]
    assert np.abs(wanted).max() > 1e-7
    assert np.allclose(found, wanted[nodes], atol=2e-3 * np.abs(wanted[nodes]).max())


def test_functions_with_a_stiffness_are_part_of_it() -> None:
    sim = hanging(gravity=None).simulation()
    plain = sim.statics().dense

    def springs(now: float, positions: Floats, velocities: Floats) -> Floats:
        return -7.0 * positions

    def stiffness(now: float, positions: Floats, velocities: Floats) -> Floats:
        return np.tile(7.0 * np.eye(3), (len(positions), 1, 1))

    sim.rods[0].add_force(springs, stiffness)
    more = sim.statics()
    wanted = np.where(more.unknowns.node >= 0, 7.0, 0.0)
    assert np.allclose(more.dense - plain, np.diag(wanted), atol=1e-9)
    lagging = hanging().simulation()
    lagging.rods[0].add_force(springs)
    with pytest.raises(writhe.SimulationError, match="lags") as caught:
        lagging.residual()
    assert caught.value.remedy


def test_what_has_no_modes_says_so() -> None:
    moving = hanging().simulation()
    with pytest.raises(writhe.SimulationError, match="no equilibrium") as caught:
        moving.modes(2)
    assert caught.value.remedy == "sim.settle() before"
    following = hanging(gravity=None).simulation()
    following.rods[0].add_point_moment(-1).value = [0, 0, 1e-6]
    with pytest.raises(writhe.SimulationError, match="potential"):
        following.modes(2)
    body = writhe.Body(solid=writhe.SolidSphere(radius=0.01), mass=1, position=[0, 1, 0])
    with pytest.raises(writhe.SimulationError, match="rigid bodies") as caught:
        hanging(bodies=[body]).simulation().stiffness()
    assert "without bodies" in str(caught.value)
    swimming = writhe.named("flagella", count=1).simulation()
    with pytest.raises(writhe.SimulationError, match="drag"):
        swimming.modes(2)
    sim = hanging(gravity=None).simulation()
    for count in (0, 1000, 1.5, True):
        with pytest.raises(writhe.SceneError) as refused:
            sim.modes(count)  # type: ignore[arg-type]
        assert refused.value.key == "count" and refused.value.remedy


def test_what_acts_with_nothing_or_with_a_symmetric_stiffness_has_modes() -> None:
    plain = hanging(gravity=None).simulation()
    wanted = plain.modes(2).frequencies
    idle = hanging(gravity=None).simulation()
    idle.rods[0].add_point_force(-1, follows=0)
    idle.rods[0].add_point_moment(-1)
    np.testing.assert_allclose(idle.modes(2).frequencies, wanted, rtol=1e-9)

    def springs(matrix: Floats) -> writhe.Simulation:
        # At the last node half, as its mass is.
        weights = np.ones((21, 1, 1))
        weights[-1] = 0.5
        sim = hanging(gravity=None).simulation()
        sim.rods[0].add_force(lambda now, x, v: np.zeros_like(x), lambda now, x, v: weights * matrix)
        return sim

    # Springs of k, N/m, on every node add k / m to the squared frequencies, m what a node has.
    k = 2e-3
    stiffer = springs(k * np.eye(3)).modes(2).frequencies
    mass = plain.statics().mass[plain.statics().unknowns.node == 10][0]
    added = (2 * np.pi * stiffer) ** 2 - (2 * np.pi * wanted) ** 2
    np.testing.assert_allclose(added, k / mass, rtol=1e-6)
    with pytest.raises(writhe.SimulationError, match="not symmetric"):
        springs(k * np.array([[0, 1, 0], [-1, 0, 0], [0, 0, 0]])).modes(2)


def test_where_nothing_is_free_there_are_no_modes() -> None:
    scene = hanging(nodes=2, gravity=None)
    with pytest.raises(writhe.SceneError, match="nothing is free") as caught:
        scene.simulation().modes(1)
    assert caught.value.key == "count" and caught.value.remedy


def test_an_unstable_equilibrium_has_no_modes() -> None:
    """A mast beyond its critical load: pi^2 EI / (4 L^2)."""
    sim = cantilever(20).simulation()
    critical = np.pi**3 * YOUNG * RADIUS**4 / 16 / LENGTH**2
    load = sim.rods[0].add_point_force(-1)
    load.value = [-0.9 * critical, 0, 0]
    sim.settle()
    softer = sim.modes(1).frequencies[0]
    assert softer < 0.5 * euler_bernoulli(1.87510407)
    load.value = [-1.1 * critical, 0, 0]
    sim.settle()
    with pytest.raises(writhe.SimulationError, match="unstable"):
        sim.modes(1)


def test_without_scipy_triplets_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("scipy", "scipy.sparse", "scipy.sparse.linalg"):
        monkeypatch.setitem(sys.modules, name, None)
    sim = hanging(gravity=None).simulation()
    with pytest.raises(ModuleNotFoundError, match="pip install scipy"):
        sim.stiffness()
    statics = sim.statics()
    assert len(statics.rows) == len(statics.columns) == len(statics.values)
    assert len(sim.modes(3)) == 3
    monkeypatch.setattr(statics_module, "_DENSE", 10)
    with pytest.raises(ModuleNotFoundError, match="pip install scipy"):
        sim.modes(3)


def test_a_rod_that_nothing_bears_on_vibrates_the_same_in_every_direction() -> None:
    def frequencies(direction: list[float]) -> Floats:
        scene = cantilever(20)
        assert scene.rods is not None
        to = LENGTH * np.array(direction) / np.linalg.norm(direction)
        scene.rods[0].shape = writhe.Straight(to=to.tolist(), edges=20)
        return scene.simulation().modes(4).frequencies

    np.testing.assert_allclose(frequencies([1, 2, 3]), frequencies([1, 0, 0]), rtol=1e-6)


def test_a_curved_rod_at_rest_is_in_equilibrium() -> None:
    rod = writhe.Rod(
        shape=writhe.Arc(radius=0.05, angle=3, edges=40),
        section=writhe.Circle(radius=RADIUS),
        material=writhe.Material(young=YOUNG, poisson=0.5, density=DENSITY),
        clamps=[writhe.Clamp(edge="first")],
    )
    sim = writhe.Scene(rods=[rod]).simulation()
    assert sim.modes(2).frequencies[0] > 0.1
    sim.rods[0].add_point_force(-1).value = [0, 0, 1e-6]
    with pytest.raises(writhe.SimulationError, match="out of balance"):
        sim.modes(2)
