"""Warnings of steps that are too long for forces that lag."""

import warnings

import numpy as np
import pytest
from conftest import hanging
from numpy.typing import NDArray

import writhe
from writhe._lag import _growth

Floats = NDArray[np.float64]


def springs(strength: float, node: int | None = None) -> "writhe.simulation.NodalFunction":
    """Towards z = 0, of every node or of one."""

    def force(now: float, positions: Floats, velocities: Floats) -> Floats:
        pull = np.zeros_like(positions)
        chosen = slice(None) if node is None else node
        pull[chosen, 2] = -strength * positions[chosen, 2]
        return pull

    return force


def warned(sim: writhe.Simulation) -> list[str]:
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        sim.step()
    return [str(one.message) for one in seen if one.category is writhe.StepWarning]


def scene(**time: object) -> writhe.Scene:
    return hanging(gravity=None, time=writhe.Time(**{"duration": 1, "step": "2 ms", **time}))  # type: ignore[arg-type]


@pytest.mark.parametrize("node", [None, -1], ids=["every node", "the tip"])
def test_strong_springs_are_warned_of_and_weak_ones_are_not(node: int | None) -> None:
    for strength, wanted in ((1e-6, 0), (1.0, 1)):
        sim = scene().simulation()
        sim.rods[0].add_force(springs(strength, node))
        told = warned(sim)
        assert len(told) == wanted, told
        assert all("stiffness" in one and "rod 0" in one for one in told)
        assert not warned(sim), "once"
        assert not warned(sim.copy())


@pytest.mark.parametrize("scheme", ["bdf2", "backward-euler", "implicit-midpoint"])
@pytest.mark.parametrize("kind", ["spring", "damper"])
def test_growth_is_that_of_the_steps(scheme: str, kind: str) -> None:
    """One node that is free along z, with mass m: steps against the root."""
    rod = writhe.Rod(
        shape=writhe.Straight(to=[0.02, 0, 0], edges=2),
        section=writhe.Circle(radius="1 mm"),
        material=writhe.Material(young="1 Pa", poisson=0.5, density="1000 kg/m^3"),
        held=[
            writhe.Held(node=0),
            writhe.Held(node=1, axes="xy"),
            writhe.Held(node=2),
        ],
        held_angles=[writhe.HeldAngle(edge=0), writhe.HeldAngle(edge=1)],
    )
    dt, count = 1e-3, 60
    time = writhe.Time(duration=dt * count, step=dt, scheme=scheme, adaptive=False)
    output = writhe.Output(every=dt * count)
    sim = writhe.Scene(rods=[rod], time=time, output=output).simulation()
    mass = 1000 * np.pi * 1e-6 * 0.01
    kick = 1e-6 if kind == "spring" else 1e-8
    beyond = 4.4 if scheme == "bdf2" else 2.2
    strength = 0.2 * mass / dt**2 if kind == "spring" else beyond * mass / dt

    def force(now: float, positions: Floats, velocities: Floats) -> Floats:
        moved = positions if kind == "spring" else velocities
        pull = np.zeros_like(positions)
        pull[1, 2] = -strength * moved[1, 2] + (kick if now == 0.0 else 0.0)
        return pull

    # No scale of its own: elasticity of 1 Pa is nothing.
    sim.rods[0].add_force(force, probe=False)
    sizes = []
    for _ in sim.steps():
        z, v = sim.rods[0].positions[1, 2], sim.rods[0].velocities[1, 2]
        sizes.append(np.hypot(z * np.sqrt(0.2) / dt, v))
    half = count // 2
    found = np.log(np.max(sizes[-8:]) / np.max(sizes[half - 8 : half]))
    per_mass = strength / mass
    quotients = (per_mass, 0.0) if kind == "spring" else (0.0, per_mass)
    wanted = _growth(scheme, dt, half * dt, 0.0, 0.0, *quotients)
    assert found == pytest.approx(wanted, rel=0.05, abs=0.1), (found, wanted)


def test_growth_has_the_limits_of_the_closed_forms() -> None:
    """Lagged damping at rates below 2/dt and 4/dt is stable; lagged springs take k dt from damping."""
    dt, left = 1e-3, 1e3
    for scheme, most in (("backward-euler", 2.0), ("implicit-midpoint", 2.0), ("bdf2", 4.0)):
        assert _growth(scheme, dt, left, 0.0, 0.0, 0.0, 0.99 * most / dt) < 1e-2
        assert _growth(scheme, dt, left, 0.0, 0.0, 0.0, 1.01 * most / dt) > 1.0
    k = 1e3
    assert _growth("bdf2", dt, left, 1.2 * k * dt, 0.0, k, 0.0) == 0.0
    assert _growth("bdf2", dt, left, 0.8 * k * dt, 0.0, k, 0.0) > 1.0
    assert _growth("bdf2", dt, 1.0, 0.0, 0.0, k, 0.0) == pytest.approx(0.5 * k * dt, rel=2e-2)
    assert _growth("implicit-midpoint", dt, 1.0, 0.0, 0.0, k, 0.0) == pytest.approx(0.25 * k * dt, rel=1e-2)


def test_damping_and_the_step_that_is_told_are_enough() -> None:
    damped = hanging(damping=writhe.Damping(viscosity=0.5), time=writhe.Time(duration=1, step="2 ms")).simulation()
    damped.rods[0].add_force(springs(0.5))
    assert not warned(damped)
    damping = writhe.Damping(viscosity=0.05)
    long = hanging(damping=damping, time=writhe.Time(duration=1, step="5 ms")).simulation()
    long.rods[0].add_force(springs(0.5))
    [told] = warned(long)
    step = float(told.split("steps of ")[2].split(" s would do")[0])
    assert 0 < step < 5e-3
    short = hanging(damping=damping, time=writhe.Time(duration=1, step=step)).simulation()
    short.rods[0].add_force(springs(0.5))
    assert not warned(short)


def test_what_cannot_be_judged_is_left_to_the_step() -> None:
    """Noise, errors, wrong shapes; and who does not want to be asked."""
    noise = np.random.default_rng(1)
    sim = scene().simulation()
    sim.rods[0].add_force(lambda now, x, v: 1e-9 * noise.standard_normal(x.shape))
    assert not warned(sim)
    calls = []

    def counted(now: float, positions: Floats, velocities: Floats) -> Floats:
        calls.append(now)
        return -1.0 * positions

    sim = scene().simulation()
    sim.rods[0].add_force(counted, probe=False)
    assert not warned(sim) and len(calls) == 1
    sim = scene().simulation()
    sim.rods[0].add_force(lambda now, x, v: np.zeros(3))
    with pytest.raises(writhe.SceneError, match="shape"):
        sim.step()
    pulling = scene().simulation()
    pulling.rods[0].add_force(springs(-1.0))
    assert not warned(pulling), "it grows by itself"
