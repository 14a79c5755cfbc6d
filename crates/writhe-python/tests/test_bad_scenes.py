"""Whatever is wrong with a scene is a `SceneError` that names the argument and the remedy."""

import datetime
import pickle
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from conftest import hanging

import writhe


def rod(**more: object) -> writhe.Rod:
    values: dict[str, object] = {
        "shape": writhe.Straight(to=[0.2, 0, 0], edges=10),
        "section": writhe.Circle(radius="1 mm"),
        "material": writhe.Material(young="3 MPa", poisson=0.5, density=1000),
    }
    return writhe.Rod(**{**values, **more})  # type: ignore[arg-type]


#: What is wrong, the key that the error names, a part of what it says.
WRONG: list[tuple[str, writhe.Rod, str, str]] = [
    ("unit", rod(section=writhe.Circle(radius="1 s")), "rods[0].section.circle.radius", "is a time (s), where a length (m) is wanted"),
    ("text", rod(section=writhe.Circle(radius="thin")), "rods[0].section.circle.radius", "is not a quantity"),
    ("sign", rod(section=writhe.Circle(radius=-1e-3)), "rods[0].section.circle.radius", "greater than zero"),
    ("nan", rod(section=writhe.Circle(radius=float("nan"))), "rods[0].section.circle.radius", "must be finite"),
    ("infinity", rod(twist=np.inf), "rods[0].twist", "must be finite"),
    ("truth", rod(twist=True), "rods[0].twist", "is not an angle"),
    ("whole number", rod(shape=writhe.Straight(to=[1, 0, 0], edges=2.5)), "rods[0].shape.straight.edges", "whole number"),  # type: ignore[arg-type]
    ("huge number", rod(shape=writhe.Straight(to=[1, 0, 0], edges=10**30)), "rods[0].shape.straight.edges", "whole number"),
    ("many edges", rod(shape=writhe.Straight(to=[1, 0, 0], edges=10**9)), "rods[0].shape.straight.edges", "from 1 to 1000000"),
    ("shape of an array", rod(shape=np.zeros((4, 2))), "rods[0].shape.nodes[0]", "a list of 3"),
    ("flat array", rod(shape=np.zeros(4)), "rods[0].shape.nodes[0]", "a list of 3"),
    ("nan in an array", rod(shape=np.full((4, 3), np.nan)), "rods[0].shape.nodes[0][0]", "must be finite"),
    ("complex", rod(twist=1j), "rods[0].twist", "is a complex, which no scene holds"),
    ("decimal", rod(twist=Decimal(1)), "rods[0].twist", "is a Decimal, which no scene holds"),
    ("date", rod(name=datetime.date(2026, 1, 1)), "rods[0].name", "which no scene holds"),
    ("bytes", rod(name=b"a"), "rods[0].name", "which no scene holds"),
    ("set", rod(clamps={1}), "rods[0].clamps", "which no scene holds"),
    ("function", rod(rest=len), "rods[0].rest", "which no scene holds"),
    ("number for a part", rod(section=1.0), "rods[0].section", "table"),
    ("wrong part", rod(section=writhe.Straight(to=[1, 0, 0], edges=1)), "rods[0].section.straight", "there is no key `straight` here"),
    ("one for a list", rod(clamps=writhe.Clamp(edge="first")), "rods[0].clamps", "a list"),
    ("word", rod(rest="strait"), "rods[0].rest", "did you mean `straight`?"),
    ("index", rod(clamps=[writhe.Clamp(edge=10)]), "rods[0].clamps[0]", "edge 10 does not exist"),
    ("conflict", rod(material=writhe.Material(young=1, density=1, poisson=0.3, shear=1)), "rods[0].material.shear", "say the same thing twice"),
    ("missing", rod(material=None), "rods[0].material", "`material` is missing"),
    ("none in a list", rod(first_director=[None, 0, 1]), "rods[0].first_director[0]", "which no scene holds"),
    ("half a pair", rod(name="\ud800"), "rods[0].name", "no text"),
]  # fmt: skip


@pytest.mark.parametrize(("bad", "key", "part"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG])
def test_what_is_wrong_is_named(bad: writhe.Rod, key: str, part: str) -> None:
    for ask in (writhe.Scene.check, writhe.Scene.simulation):
        with pytest.raises(writhe.SceneError) as caught:
            ask(writhe.Scene(rods=[bad]))
        error = caught.value
        assert (error.key or "").startswith(key), error
        assert part in str(error), error
        assert error.line is None, "no line that nobody wrote"
        assert error.remedy, error


@pytest.mark.parametrize(
    ("make", "part"),
    [
        (lambda: writhe.Circle(raduis=1), "did you mean `radius`?"),  # type: ignore[call-arg]
        (lambda: writhe.Circle(), "Circle needs `radius`"),  # type: ignore[call-arg]
        (lambda: writhe.Circle(1e-3), "write Circle(radius=..)"),  # type: ignore[call-arg]
        (lambda: setattr(writhe.Circle(radius=1), "diameter", 2), "has no argument `diameter`"),
        (lambda: writhe.named("flagela"), "did you mean `flagella`?"),
        (lambda: writhe.named("flagella", cout=2), "did you mean `count`?"),
        (lambda: writhe.template("flagela"), "did you mean `flagella`?"),
        (lambda: writhe.Scene().check(), "`rods` is missing"),
        (lambda: writhe.Scene(rods=[]).check(), "`rods` is missing"),
        (lambda: writhe.Scene.from_toml("nowhere.toml"), "cannot read the scene `nowhere.toml`"),
        (lambda: writhe.Scene(rods=3).check(), "3 is not a list"),  # type: ignore[arg-type]
        (lambda: writhe.Scene(scene={1: 2}).check(), "1 is no name of a key"),  # type: ignore[dict-item]
    ],
)
def test_names_are_checked(make: object, part: str) -> None:
    assert callable(make)
    with pytest.raises(writhe.SceneError) as caught:
        make()
    assert part in str(caught.value), caught.value


def test_texts_have_lines() -> None:
    text = 'title = "a"\n[scene]\nname = "ring"\nedges = -3\n'
    with pytest.raises(writhe.SceneError) as caught:
        writhe.Scene.from_toml(text)
    error = caught.value
    assert (error.key, error.line) == ("scene.edges", 4)
    with pytest.raises(writhe.SceneError, match="this is not TOML"):
        writhe.Scene.from_toml("a = = 1\n")


def test_files_have_lines(tmp_path: Path) -> None:
    file = tmp_path / "scene.toml"
    file.write_text('title = "a"\n[scene]\nname = "ring"\nedges = -3\n')
    with pytest.raises(writhe.SceneError) as caught:
        writhe.Scene.from_toml(file)
    assert (caught.value.key, caught.value.line) == ("scene.edges", 4)
    assert str(file) in str(caught.value)


def test_errors_are_values_and_can_be_sent() -> None:
    assert issubclass(writhe.SceneError, ValueError)
    assert issubclass(writhe.SimulationError, RuntimeError)
    scene = writhe.SceneError("a", "b", "c", 4)
    again = pickle.loads(pickle.dumps(scene))
    assert (again.message, again.key, again.remedy, again.line) == ("a", "b", "c", 4)
    stopped = writhe.SimulationError("a", 1, 2.0, 3, 4, "b")
    again = pickle.loads(pickle.dumps(stopped))
    assert (again.step, again.time, again.rod, again.node, str(again)) == (1, 2.0, 3, 4, "a; try b")


def test_rods_that_overlap_are_told() -> None:
    scene = hanging()
    assert scene.rods is not None
    scene.rods = [scene.rods[0], scene.rods[0]]
    with pytest.raises(writhe.SceneError, match="overlap at the start"):
        scene.check()
