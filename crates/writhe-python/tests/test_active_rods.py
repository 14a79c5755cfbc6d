"""Driven, viscous and magnetic rods: the same from Python as from a scene file."""

from __future__ import annotations

import math
import pickle
from pathlib import Path

import numpy as np
import pytest

import writhe
from writhe._sampled import Floats, StrainFunction

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


def wave(s: Floats, t: float) -> Floats:
    """What `WAVE` says by keys."""
    x = min(t, 1.0)
    return np.asarray(20 * x * x * (3 - 2 * x) * np.sin(2 * np.pi * (s / 0.25 - t)))


def sampled(
    function: StrainFunction = wave, length: float | str = 1, duration: float | str = 1, tolerance: float = 1e-3
) -> writhe.Driven:
    """A function as what drives a rod."""
    return writhe.Driven.of_function(
        "curvature1", function, length=length, duration=duration, tolerance=tolerance
    )


def between(table: Floats, s: Floats, t: float) -> Floats:
    """A table between its points, computed in another way than where it was made."""
    rows = np.array([np.interp(s, table[0, 1:], row) for row in table[1:, 1:]])
    return np.array([np.interp(t, table[1:, 0], column) for column in rows.T])


def test_a_function_moves_a_rod_as_the_keys_of_its_wave_do() -> None:
    """The snake after a period, by keys and by tables that follow the function more and less closely."""

    def tip(driven: writhe.Driven) -> Floats:
        sim = snake(rod(driven)).simulation()
        sim.run(until=1)
        place: Floats = sim.rods[0].positions[-1]
        return place

    by_keys, fine, coarse = tip(WAVE), tip(sampled(tolerance=3e-4)), tip(sampled(tolerance=1e-2))
    assert np.linalg.norm(by_keys - [1, 0, 0]) > 0.05
    off, far_off = np.linalg.norm(fine - by_keys), np.linalg.norm(coarse - by_keys)
    # Differences are in proportion to the tolerance: that of motions to one over the whole table.
    assert 0 < off < 2e-5 and off < 0.1 * far_off < 1e-3, (off, far_off)


@pytest.mark.parametrize("tolerance", [1e-2, 1e-3])
def test_the_table_holds_its_tolerance_between_its_points(tolerance: float) -> None:
    """At places and times that were not compared, of smooth functions and of one with kinks, and of a
    pulse and a fine wave that a coarse table would miss."""

    def pulse(s: Floats, t: float) -> Floats:
        return np.asarray(np.exp(-(((s - 0.3371) / 0.02) ** 2) - ((t - 0.777) / 0.02) ** 2))

    random = np.random.default_rng(7)
    functions: list[StrainFunction] = [
        wave,
        pulse,
        lambda s, t: np.sin(2 * np.pi * 64 * s) + t,
        lambda s, t: np.maximum(0, s - 0.3) * abs(t - 0.6),
        lambda s, t: 3 * t,
        lambda s, t: 0,
    ]
    for function in functions:
        table = np.asarray(sampled(function, tolerance=tolerance).table)
        assert table.size < 200_000
        largest = np.abs(table[1:, 1:]).max()
        for t in [*random.random(40), 0.777]:
            s = random.random(200)
            off = np.abs(between(table, s, t) - np.asarray(function(s, t), dtype=np.float64)).max()
            assert off <= 1.05 * tolerance * largest, (off, t)


def test_a_function_is_a_table_wherever_the_scene_goes() -> None:
    """Saved, pickled and gone back to: the same bits, and the function is not needed."""
    scene = snake(rod(sampled(lambda s, t: wave(s, t), "1 m", "400 ms", tolerance=1e-2)))
    sim = scene.simulation()
    sim.run(until=0.2)
    state, copy = sim.state, pickle.loads(pickle.dumps(sim))
    sim.run(until=0.4)
    end = sim.rods[0].positions
    saved = writhe.Scene.from_toml(scene.to_toml())
    (snake_rod,) = saved.rods or []
    (driven,) = snake_rod.driven or []
    assert np.asarray(driven.table)[1:, 0].max() == 0.4
    other = pickle.loads(pickle.dumps(saved)).simulation()
    other.run(until=0.4)
    sim.state = state
    for again in (sim, copy):
        again.run(until=0.4)
    for again in (sim, copy, other):
        assert np.array_equal(again.rods[0].positions, end)


def raises(s: Floats, t: float) -> Floats:
    """An error of the user's own."""
    raise RuntimeError("mine")


@pytest.mark.parametrize(
    ("function", "told"),
    [
        (lambda s, t: None, "returned NoneType, asked at t = 0 s"),
        (lambda s, t: "a", "return a finite number for each"),
        (lambda s, t: s > 0.5, "values of type bool"),
        (lambda s, t: 1j * s, "values of type complex128"),
        (lambda s, t: [1, [2, 3]], "no array of numbers"),
        (lambda s, t: s[:, None], r"an array of shape \(25, 1\)"),
        (lambda s, t: np.where(s > 0.6, np.nan, s), r"returned nan at s = 0\.6\d+ m, t = 0 s"),
        (lambda s, t: math.inf if t > 0.6 else 0, r"returned inf at s = 0 m, t = 0\.6"),
        (lambda s, t: np.heaviside(s - 0.3, 1), r"jumps near s = 0\.3 m.*numpy\.tanh"),
        (lambda s, t: float(t > 0.7), r"jumps near t = 0\.7 s"),
        (lambda s, t: np.heaviside(s - t, 1), r"cannot be held to 0\.001.*larger tolerance"),
        (lambda s, t: np.random.default_rng().random(s.shape), "cannot be held to"),
        (3, "3 is no function"),
    ],
)
def test_a_function_that_is_no_table_is_refused(function: StrainFunction, told: str) -> None:
    """By the name of the argument, with the remedy."""
    with pytest.raises(writhe.SceneError, match=told) as error:
        sampled(function)
    assert error.value.key == "function" and error.value.remedy


def test_other_arguments_of_a_function_are_checked() -> None:
    """By their names; the function's own exception goes on, with how it was asked."""
    for arguments, key in (
        ({"length": 0}, "length"),
        ({"length": "1 s"}, "length"),
        ({"duration": -1.0}, "duration"),
        ({"duration": math.nan}, "duration"),
        ({"tolerance": 0.0}, "tolerance"),
        ({"tolerance": 0.5}, "tolerance"),
    ):
        with pytest.raises(writhe.SceneError) as wrong:
            sampled(**arguments)
        assert wrong.value.key == key and wrong.value.remedy
    with pytest.raises(RuntimeError, match="mine") as own:
        sampled(raises)
    assert "s is an array" in own.value.__notes__[0]
    with pytest.raises(writhe.SceneError, match="curvature1"):
        snake(rod(writhe.Driven.of_function("bend", wave, length=1, duration=1))).check()
