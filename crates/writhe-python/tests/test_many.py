"""Rods that are repeated, nets, numbers in time and along rods: classes and files mean the same."""

import tomllib
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT

import writhe

FILES = [ROOT / "examples/problems" / f"{name}.toml" for name in ("hair", "net", "braid", "spring")]
WIRE = writhe.Circle(radius="1 mm")
RUBBER = writhe.Material(young="3 MPa", poisson=0.5, density=1000)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_problems_go_round(file: Path) -> None:
    scene = writhe.Scene.from_toml(file)
    text = scene.to_toml()
    assert tomllib.loads(text) == tomllib.loads(file.read_text())
    assert scene.resolved() == writhe.Scene.from_toml(scene.resolved()).resolved()


def test_copies_stand_in_their_places() -> None:
    rod = writhe.Rod(
        name="hair",
        repeat=writhe.Repeat(count=[3, 2], spacing=["1 cm", "2 cm"], seed=1),
        shape=writhe.Straight(to=[0, 0, "10 + i cm"], edges=8),
        section=WIRE,
        material=RUBBER,
    )
    sim = writhe.Scene(rods=[rod]).simulation()
    assert len(sim.rods) == 6
    places = np.array([r.positions[0] for r in sim.rods])
    np.testing.assert_allclose(places[4], [0.01, 0.02, 0], atol=1e-15)
    np.testing.assert_allclose([r.positions[-1][2] for r in sim.rods], [0.1, 0.11, 0.12] * 2)
    ring = writhe.Repeat(count=4, ring=writhe.RingOfCopies(axis=[0, 0, 1], center=[1, 0, 0]))
    turned = writhe.Scene(rods=[writhe.Rod(shape=rod.shape, section=WIRE, material=RUBBER, repeat=ring)])
    np.testing.assert_allclose(turned.simulation().rods[2].positions[0], [2, 0, 0], atol=1e-12)
    free = writhe.RandomPlace(size=[1, 1, 1], turn="any")
    thrown = writhe.Rod(
        shape=rod.shape, section=WIRE, material=RUBBER, repeat=writhe.Repeat(count=9, random=free, seed=3)
    )
    places = np.array([r.positions.mean(axis=0) for r in writhe.Scene(rods=[thrown]).simulation().rods])
    assert len(np.unique(places[:, 0])) == 9 and np.all(np.abs(places[:, :2]) <= 0.5)


def test_a_wrong_expression_names_copy_and_remedy() -> None:
    rod = writhe.Rod(
        repeat=3, shape=writhe.Straight(to=["1/i m", 0, 0], edges=4), section=WIRE, material=RUBBER
    )
    with pytest.raises(writhe.SceneError, match="in copy 0: `1/i m` divides by zero") as error:
        writhe.Scene(rods=[rod]).check()
    assert error.value.key == "rods[0].shape.straight.to[0]" and "1/(i + 1)" in str(error.value.remedy)


def test_rods_are_welded_where_they_cross() -> None:
    def cords(along: list[float], step: list[float]) -> writhe.Rod:
        return writhe.Rod(
            shape=writhe.Straight(from_=[-0.1 * a for a in along], to=[0.1 * a for a in along], edges=21),
            section=WIRE,
            material=RUBBER,
            repeat=writhe.Repeat(count=2, step=step),
        )

    rods = [cords([1, 0, 0], [0, 0.05, 0]), cords([0, 1, 0], [0.05, 0, 0])]
    assert len(writhe.Scene(rods=rods, weld_crossings=True).simulation().bodies) == 4
    some = writhe.WeldCrossings(rods=[0, 2, 3], within="1 mm")
    free = writhe.Contact(model="none")
    assert len(writhe.Scene(rods=rods, weld_crossings=some, contact=free).simulation().bodies) == 2


def test_numbers_in_time_and_along_rods(tmp_path: Path) -> None:
    (tmp_path / "way.csv").write_text("t [ms],x [mm],y,z\n0,0,0,0\n100,2,0,0\n")
    (tmp_path / "wire.csv").write_text("s,r [mm]\n0,1\n0.2,3\n")
    step = writhe.Schedule(smooth_step=writhe.Ramp(to=1, duration="0.1 s"))
    motion = writhe.Combined(
        sequence=[
            writhe.Path(path=writhe.TableFile(file="way.csv")),
            writhe.Translation(by=[0, 0, "1 mm"], amplitude=step),
        ]
    )
    swing = writhe.Schedule(sine=writhe.Sine(amplitude="10 deg", period="0.2 s"))
    radius = writhe.Along(file="wire.csv", columns=["s", "r"])
    rod = writhe.Rod(
        shape=writhe.Straight(to=[0.2, 0, 0], edges=10),
        section=writhe.Circle(radius=radius),
        material=RUBBER,
        rest_curvature=writhe.Along(table=[[0, 0, 0], [0.2, 5, 0]]),
        clamps=[writhe.Clamp(edge="first", motion=motion)],
        held_angles=[writhe.HeldAngle(edge="last", angle=swing)],
    )
    scene = writhe.Scene(rods=[rod], folder=tmp_path)
    sim = scene.simulation()
    np.testing.assert_allclose(sim.rods[0].radius, 1e-3 + 2e-3 * (np.arange(10) + 0.5) / 10, rtol=1e-12)
    start = sim.rods[0].positions[0].copy()
    sim.run(until=0.1)
    np.testing.assert_allclose(sim.rods[0].positions[0] - start, [2e-3, 0, 1e-3], atol=1e-12)
