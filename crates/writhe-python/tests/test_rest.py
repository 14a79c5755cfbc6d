"""Curvature and twist at rest, one by one."""

import numpy as np
import pytest

import writhe

EDGES, LENGTH, RADIUS = 40, 0.2, 1e-3


def rod(**more: object) -> writhe.Rod:
    return writhe.Rod(
        shape=writhe.Straight(to=[LENGTH, 0, 0], edges=EDGES),
        section=writhe.Circle(radius=RADIUS),
        material=writhe.Material(young=3e6, poisson=0.5, density=1000),
        first_director=[0, 1, 0],
        clamps=[writhe.Clamp(edge="first")],
        **more,  # type: ignore[arg-type]
    )


@pytest.mark.parametrize("bending", ["half-edges", "averaged", "per-edge"])
def test_a_rod_settles_to_its_curvature_at_rest(bending: str) -> None:
    """Curvature that grows along the rod, about both directors: no energy is left, and the shape has it."""
    s = np.linspace(0, 1, EDGES - 1)
    wanted = np.stack([8 * s, -5 * np.ones_like(s)], axis=1)
    scene = writhe.Scene(rods=[rod(rest_curvature=wanted)], bending=bending)
    sim = scene.simulation()
    before = sim.energies.elastic
    sim.settle()
    assert sim.energies.elastic < 1e-9 * before
    one = sim.rods[0]
    sizes = np.linalg.norm(one.curvature[1:-1], axis=1)
    assert np.allclose(sizes, np.hypot(8 * s, 5), rtol=1e-4)
    assert np.allclose(one.twist, 0, atol=1e-4)


def test_components_are_along_the_directors() -> None:
    """Along m1 = y: the rod bends towards y, a circle of that curvature."""
    curvature = np.tile([5.0, 0.0], (EDGES - 1, 1))
    sim = writhe.Scene(rods=[rod(rest_curvature=curvature)]).simulation()
    sim.settle()
    x, y, z = sim.rods[0].positions.T
    assert y[-1] > 0.08 and np.abs(z).max() < 1e-9
    # The circle of radius 1/5 through the middle of the clamped edge.
    middles = 0.5 * (sim.rods[0].positions[1:] + sim.rods[0].positions[:-1])
    middle = LENGTH / EDGES / 2
    distance = np.hypot(middles[:, 0] - middle, middles[:, 1] - 0.2)
    assert np.allclose(distance, 0.2, rtol=1e-3)


def test_twist_at_rest_turns_the_free_end() -> None:
    """The last edge turns by the sum of twists over their lengths."""
    twist = np.linspace(0, 20, EDGES - 1)
    sim = writhe.Scene(rods=[rod(rest_twist=twist)]).simulation()
    sim.settle()
    assert np.allclose(sim.rods[0].twist[1:-1], twist, atol=1e-4)
    angle = twist.sum() * LENGTH / EDGES
    wanted = [0, np.cos(angle), np.sin(angle)]
    assert np.allclose(sim.rods[0].directors[-1, 0], wanted, atol=1e-4)
    assert np.allclose(sim.rods[0].positions[:, 1:], 0, atol=1e-9)


def test_one_value_is_for_all_vertices() -> None:
    one = writhe.Scene(rods=[rod(rest_curvature=[0, 5], rest_twist="90 deg/m")])
    curvature = np.tile([0.0, 5.0], (EDGES - 1, 1))
    all_of_them = writhe.Scene(rods=[rod(rest_curvature=curvature, rest_twist=np.full(EDGES - 1, np.pi / 2))])
    assert one.resolved() == all_of_them.resolved()


def test_it_round_trips_and_is_checked() -> None:
    scene = writhe.Scene(rods=[rod(rest_curvature=np.full((EDGES - 1, 2), 1 / 3), rest_twist=[0.1] * (EDGES - 1))])
    again = writhe.Scene.from_toml(scene.to_toml())
    assert again == scene and again.resolved() == scene.resolved()
    for key, value in [
        ("rest_curvature", np.zeros((EDGES, 2))),
        ("rest_twist", [0.0]),
        ("rest_curvature", np.zeros(EDGES - 1)),
        ("rest_curvature", [[0, "big"]] * (EDGES - 1)),
        ("rest_twist", np.full(EDGES - 1, np.nan)),
    ]:
        with pytest.raises(writhe.SceneError) as caught:
            writhe.Scene(rods=[rod(**{key: value})]).check()
        assert caught.value.key is not None and caught.value.key.startswith("rods[0].rest"), caught.value
    with pytest.raises(writhe.SceneError, match="has 40 rows, and the rod has 39 vertices") as caught:
        writhe.Scene(rods=[rod(rest_curvature=np.zeros((EDGES, 2)))]).check()
    assert caught.value.remedy
