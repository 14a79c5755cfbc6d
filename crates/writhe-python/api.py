"""Writes the reference of the Python package, a chapter of the book, from the docstrings:

python crates/writhe-python/api.py

The package must be installed, or its folder be named in PYTHONPATH. A test compares the chapter with
what this makes.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import writhe
from writhe import (
    bodies,
    branches,
    drives,
    errors,
    motion,
    page,
    rods,
    run,
    scene,
    settings,
    simulation,
    statics,
    surroundings,
)

CHAPTER = Path(__file__).parents[2] / "docs/book/src/python-api.md"

#: Headings, and the modules whose public names stand below them.
SECTIONS: list[tuple[str, ModuleType]] = [
    ("Scenes", scene),
    ("Rods, sections, supports, loads", rods),
    ("Numbers in time, and motions", motion),
    ("Surroundings and contact", surroundings),
    ("Bodies, joints, obstacles", bodies),
    ("Steps, output, ends", settings),
    ("Simulations", simulation),
    ("What is driven or set", drives),
    ("Equilibria and vibrations", statics),
    ("Branches of equilibria", branches),
    ("Run directories", run),
    ("Pages", page),
    ("Errors", errors),
]

HEAD = """# The Python package, name by name

<!-- Made from the docstrings: python crates/writhe-python/api.py -->

[In Python](python.md) shows how it is used. Classes of a scene take their arguments by name; what is left out has the default of the [scene file](keys.md).

A `Quantity` is a number in SI, or a text with a unit (`0.02`, `"20 ms"`). A `Vector` is three of them. `AlongRod` is one for a whole rod, or an array of shape (edges,). An `End` is the
number of a node or an edge, from 0, or `"first"` or `"last"`. `InTime` is a constant or a `Schedule`. `Floats` are arrays of NumPy in double precision.
"""

#: Sections of docstrings whose lines are ``name: meaning``, with what stands above them here.
LISTS = {"Arguments:": "", "Attributes:": "", "Raises:": "Raises:\n\n"}


def chapter() -> str:
    """The whole page."""
    parts = [HEAD]
    told = {"__version__"}
    for title, module in SECTIONS:
        names = [name for name in writhe.__all__ if inspect.getmodule(getattr(writhe, name)) is module]
        names.sort(key=lambda name: inspect.getsourcelines(getattr(writhe, name))[1])
        parts.append(f"## {title}\n")
        parts.extend(entry(name, getattr(writhe, name)) for name in names)
        told.update(names)
    # Those of no module above: written in Rust, or what others are derived from.
    others = [name for name in writhe.__all__ if name not in told]
    parts.append("## Others\n")
    parts.extend(entry(name, getattr(writhe, name)) for name in others)
    return "\n".join(parts)


def entry(name: str, thing: Any) -> str:
    """A public name: a class with its members, or a function."""
    if not inspect.isclass(thing):
        return f"### `{name}{signature(thing)}`\n\n{markdown(thing)}"
    text = f"### `{name}`\n\n{markdown(thing)}"
    if issubclass(thing, writhe.Part) and thing is not writhe.Part:
        return text + "".join(f"\n{member(*own)}" for own in members(thing) if own[0] in vars(thing))
    return text + "".join(f"\n{member(*own)}" for own in members(thing))


def member(name: str, thing: Any) -> str:
    """A property or a method."""
    if isinstance(thing, property):
        kind = inspect.signature(thing.fget).return_annotation  # type: ignore[arg-type]
        kind = kind if isinstance(kind, str) else kind.__name__
        return f"- **`.{name}`** → `{kind}`: {indented(markdown(thing))}"
    if inspect.isgetsetdescriptor(thing):
        return f"- **`.{name}`**: {indented(markdown(thing))}"
    return f"- **`.{name}{signature(thing)}`**: {indented(markdown(thing))}"


def members(thing: type) -> Iterator[tuple[str, Any]]:
    """Public properties and methods with those of the bases, in the order of the sources."""
    found: dict[str, Any] = {}
    for cls in reversed(thing.__mro__):
        if cls.__module__ == "writhe._core":
            # Written in Rust: in no order of its own.
            found.update(sorted(vars(cls).items()))
        elif cls.__module__.startswith("writhe."):
            found.update(vars(cls))
    for name, value in found.items():
        plain = value.__func__ if isinstance(value, classmethod) else value
        if name.startswith("_"):
            continue
        if isinstance(plain, property) or inspect.isfunction(plain) or inspect.isgetsetdescriptor(plain):
            yield name, plain


def signature(function: Any) -> str:
    """Arguments and result with their types, as the sources write them."""
    found = inspect.signature(function)
    own = [p for name, p in found.parameters.items() if name not in ("self", "cls")]
    return str(found.replace(parameters=own)).replace("'", "")


def markdown(thing: Any) -> str:
    """A docstring as Markdown: its sections as lists, its examples as code."""
    lines = (inspect.getdoc(thing) or "").split("\n")
    text: list[str] = []
    while lines:
        line = lines.pop(0)
        if line in LISTS:
            items = list(entries(inner(lines)))
            text.append(LISTS[line] + (table(thing, items) or bullets(items)))
        elif line == "Returns:":
            text.append("Returns: " + inline(" ".join(" ".join(inner(lines)).split())))
        elif line.endswith("::"):
            text.append(inline(line.removesuffix(":")))
            text.append("\n```python\n" + "\n".join(inner(lines)).strip("\n") + "\n```")
        else:
            text.append(inline(line))
    return "\n".join(text).strip() + "\n"


def inner(lines: list[str]) -> list[str]:
    """Takes the indented lines at the beginning, without their indentation."""
    taken = []
    while lines and (not lines[0] or lines[0].startswith("    ")):
        taken.append(lines.pop(0).removeprefix("    "))
    if lines:
        lines.insert(0, "")
    return taken


def entries(lines: list[str]) -> Iterator[tuple[str, str]]:
    """Names and what is said of them."""
    for part in re.split(r"\n(?=\w+: )", "\n".join(lines).strip()):
        name, _, meaning = part.partition(": ")
        yield name, inline(" ".join(meaning.split()))


def table(thing: Any, items: list[tuple[str, str]]) -> str:
    """Arguments of a part of a scene with their types; nothing for others."""
    if not (inspect.isclass(thing) and issubclass(thing, writhe.Part)):
        return ""
    types: dict[str, str] = {}
    for cls in reversed(thing.__mro__):
        types.update(vars(cls).get("__annotations__", {}))
    rows = ["| argument | type | |", "|---|---|---|"]
    needed = {f.name for f in dataclasses.fields(thing) if f.default is dataclasses.MISSING}  # type: ignore[arg-type]
    for name, meaning in items:
        meaning = f"*Needed.* {meaning}" if name in needed else meaning
        kind = str(types[name]).removesuffix(" | None").replace("|", "\\|")
        rows.append(f"| `{name}` | `{kind}` | {meaning} |")
    return "\n".join(rows)


def bullets(items: list[tuple[str, str]]) -> str:
    """Names with what is said of them, a line each."""
    return "\n".join(f"- `{name}`: {meaning}" for name, meaning in items)


def inline(text: str) -> str:
    """Code in a line as Markdown has it."""
    return text.replace("``", "`")


def indented(text: str) -> str:
    """The text below a bullet."""
    return text.replace("\n", "\n  ").replace("\n  \n", "\n\n").rstrip() + "\n"


if __name__ == "__main__":
    CHAPTER.write_text(chapter(), encoding="utf-8")
    print(f"wrote {CHAPTER}")
