"""Every key of the scene file has an argument in Python, and every argument a key."""

import dataclasses
import inspect

import pytest

import writhe
from writhe import _core, _part

#: An argument of `Scene` that is no key: where files are.
OWN = {"folder"}
#: Tables whose keys are words of `named`, whatever they are.
NAMED = "scene."


def classes() -> list[type[writhe.Part]]:
    found = [getattr(writhe, name) for name in writhe.__all__]
    return [c for c in found if inspect.isclass(c) and issubclass(c, writhe.Part) and c is not writhe.Part]


def keys_in_python() -> dict[str, set[str]]:
    """Keys of each table that classes of the package have."""
    found: dict[str, set[str]] = {}
    for part in classes():
        found.setdefault(part._table, set()).update(part.keys().values())
        if part._choice is not None:
            choice = part._table.removesuffix(f".{part._choice}")
            found.setdefault(choice, set()).add(part._choice)
    return found


def test_python_has_the_keys_of_the_readers() -> None:
    ours = keys_in_python()
    readers = {name: set(keys) for name, keys, _ in _core.tables() if not name.startswith(NAMED)}
    # The phases of a knot are parameters of a named scene.
    readers.pop("schedule of a knot")
    ours[""] -= OWN
    assert ours == readers


def test_a_key_that_python_lacks_would_be_found() -> None:
    """The comparison above can fail."""
    ours = keys_in_python()
    assert "radius" in ours["section.circle"] and len(ours) > 45
    assert sum(len(keys) for keys in ours.values()) > 190


@pytest.mark.parametrize("name", writhe.names())
def test_named_scenes_take_every_parameter(name: str) -> None:
    """What `named` is given reaches the reader, which knows it: what it says is about the value."""
    tables = {table: keys for table, keys, _ in _core.tables()}
    keys = [key for key in tables[f"scene.{name}"] if key != "name"]
    assert keys
    for key in keys:
        with pytest.raises(writhe.SceneError) as error:
            writhe.named(name, **{key: {"no": "value"}})
        assert error.value.key == f"scene.{key}", error.value


@pytest.mark.parametrize("part", classes(), ids=lambda part: part.__name__)
def test_every_argument_is_documented(part: type[writhe.Part]) -> None:
    text = inspect.getdoc(part) or ""
    for field in dataclasses.fields(part):  # type: ignore[arg-type]
        assert field.name in text, f"{part.__name__}.__doc__ does not say what {field.name} is"


@pytest.mark.parametrize("part", classes(), ids=lambda part: part.__name__)
def test_arguments_go_by_name(part: type[writhe.Part]) -> None:
    parameters = list(inspect.signature(part).parameters.values())
    assert parameters and all(p.kind is inspect.Parameter.KEYWORD_ONLY for p in parameters)
    with pytest.raises(writhe.SceneError, match="takes its arguments by name"):
        part(1)  # type: ignore[call-arg]
    with pytest.raises(writhe.SceneError, match="has no argument `nothing_like_it`") as error:
        part(**{"nothing_like_it": 1})
    assert error.value.key == "nothing_like_it" and error.value.remedy is not None


def test_the_base_of_all_parts_is_public() -> None:
    assert writhe.Part is _part.Part
