"""Driven, viscous and magnetic rods: the same from Python as from a scene file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import writhe

PROBLEMS = Path(__file__).parents[3] / "examples" / "problems"


WAVE = writhe.Driven(
    strain="curvature1", amplitude="20 1/m", wavelength="25 cm", period="1 s", ramp="1 s"
)


def rod(driven: writhe.Driven = WAVE) -> writhe.Rod:
    """The rod of examples/problems/snake.toml."""
    return writhe.Rod(
        shape=writhe.Straight(to=["1 m", 0, 0], edges=96),
        section=writhe.Circle(radius="2 cm"),
        material=writhe.Material(young="100 MPa", poisson=0.5, density="1000 kg/m^3"),
        first_director=[0, 1, 0],
        viscous=writhe.Viscous(bending="10 ms"),
        driven=[driven],
    )


def snake(rod: writhe.Rod, settle: bool | None = None) -> writhe.Scene:
    """That scene, with this rod."""
    return writhe.Scene(
        title="A snake",
        rods=[rod],
        fluid=writhe.ResistiveForce(
            viscosity="100 Pa s", rule="explicit", tangential="10 Pa s", normal="100 Pa s"
        ),
        time=writhe.Time(duration="5 s", step="20 ms", settle=settle),
    )


def test_the_snake_is_that_of_the_scene_file() -> None:
    """Classes say what the file says, and go back and forth."""
    file = writhe.Scene.from_toml(PROBLEMS / "snake.toml")
    scene = snake(rod())
    assert scene.resolved() == file.resolved()
    assert writhe.Scene.from_toml(scene.to_toml()).resolved() == file.resolved()


def test_the_magnetic_strip_bends() -> None:
    """The strip of the scene file with its field and magnetisation as arrays."""
    file = writhe.Scene.from_toml(PROBLEMS / "magnetic.toml")
    (strip,) = file.rods or []
    strip.magnetisation = np.array([[0.0, 0.0, 6e4]])
    file.magnetic_field = writhe.MagneticField(
        field=[0, 0.005, 0],
        gradient=np.zeros((3, 3)),
        amplitude=writhe.Schedule(table=[[0, 0], ["1 s", 1]]),
    )
    sim = file.simulation()
    sim.run(until=2)
    # The elastica that a test in Rust finds by shooting.
    assert sim.rods[0].positions[-1] == pytest.approx([0.012461, 0.014126, 0], abs=1e-5)


def test_a_rod_relaxes_and_is_pressed() -> None:
    """What relaxes, tables and line loads reach the core."""
    pressed = rod(writhe.Driven(strain="twist", table=[[0, 0, 1], [0, 0, 0], [1, 2, 2]]))
    pressed.viscous = None
    pressed.relaxing = writhe.Relaxing(time=0.2, bending=0.5, twisting=0.5, stretching=0.5)
    pressed.line_loads = [
        writhe.LineLoad(pressure=1, normal=[0, 0, 1]),
        writhe.LineLoad(force=[0, 0, 1], amplitude=writhe.Schedule(rate=1)),
    ]
    pressed.clamps = [writhe.Clamp(edge="first")]
    sim = writhe.Scene(rods=[pressed], time=writhe.Time(step="10 ms")).simulation()
    sim.run(until=1)
    assert sim.rods[0].positions[-1][1] > 1e-6
    assert sim.rods[0].twist.mean() == pytest.approx(2, rel=0.2)


def test_what_is_wrong_is_told_by_its_key() -> None:
    """The reader's messages."""
    with pytest.raises(writhe.SceneError, match="curvature1"):
        snake(rod(writhe.Driven(strain="bend", amplitude=1))).check()
    flowing = rod()
    flowing.relaxing = writhe.Relaxing(time=1, bending=1)
    with pytest.raises(writhe.SceneError, match="flows under any load"):
        snake(flowing, settle=True).simulation()
