"""Parts of a scene: classes that gather values under the names of the scene file, and do nothing
else. What the values mean, their units, bounds and defaults are the reader's business."""

from __future__ import annotations

import dataclasses
import difflib
import functools
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, TypeAlias, TypeVar, dataclass_transform

import numpy as np
from numpy.typing import NDArray

from writhe.errors import SceneError

#: A number in SI, or a text with a unit: ``0.02``, ``"20 ms"``.
Quantity: TypeAlias = float | str
#: Three of them, or an array of shape (3,).
Vector: TypeAlias = Sequence[Quantity] | NDArray[Any]
_Part = TypeVar("_Part", bound="Part")


@dataclass_transform(kw_only_default=True, eq_default=False)
class Part:
    """A part of a scene. ``None`` stands for the default of the scene file."""

    #: The table of the scene file, as `_core.tables` calls it.
    _table: ClassVar[str]
    #: The key under which the table stands where the scene file has a choice; ``None`` elsewhere.
    _choice: ClassVar[str | None]

    def __init_subclass__(cls, *, table: str, choice: str | None = None) -> None:
        """Makes the class a dataclass of keyword arguments that tells what is wrong with them."""
        super().__init_subclass__()
        cls._table = table if choice is None else f"{table}.{choice}"
        cls._choice = choice
        dataclasses.dataclass(kw_only=True, eq=False, repr=False)(cls)
        setattr(cls, "__init__", _explained(cls, cls.__init__))

    @classmethod
    def keys(cls) -> dict[str, str]:
        """Keys of the scene file by names of arguments, which differ where Python reserves the
        word: ``from_`` and ``for_``."""
        return {f.name: f.name.removesuffix("_") for f in dataclasses.fields(cls)}  # type: ignore[arg-type]

    def to_dict(self) -> dict[str, Any]:
        """What is given, under the keys of the scene file: numbers, texts, lists and dicts."""
        given = {key: getattr(self, name) for name, key in self.keys().items()}
        inner = {key: plain(value) for key, value in given.items() if value is not None}
        return inner if self._choice is None else {self._choice: inner}

    def __setattr__(self, name: str, value: object) -> None:
        """Sets an argument; any other name is refused."""
        if name not in self.keys():
            raise _unknown(type(self), name)
        super().__setattr__(name, value)

    def __eq__(self, other: object) -> bool:
        """Whether both say the same."""
        if type(self) is not type(other) or not isinstance(other, Part):
            return NotImplemented
        return self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """The arguments that are given."""
        given = ((name, getattr(self, name)) for name in self.keys())
        told = ", ".join(f"{name}={_short(value)}" for name, value in given if value is not None)
        return f"{type(self).__name__}({told})"


def plain(value: object) -> Any:
    """``value`` as numbers, texts, lists and dicts."""
    match value:
        case Part():
            return value.to_dict()
        case np.ndarray() | np.generic():
            return value.tolist()
        case str() | bytes():
            return value
        case os.PathLike():
            return os.fspath(value)
        case Mapping():
            return {key: plain(inner) for key, inner in value.items()}
        case Sequence():
            return [plain(inner) for inner in value]
        case _:
            return value


def _short(value: object) -> str:
    """A value in a line."""
    if isinstance(value, np.ndarray):
        return f"array{value.shape}"
    text = repr(value)
    return text if len(text) <= 200 else f"{text[:190]}..."


def _unknown(cls: type[Part], name: str) -> SceneError:
    """The error that a class has no such argument."""
    known = list(cls.keys())
    near = difflib.get_close_matches(name, known, n=1)
    guess = f"did you mean `{near[0]}`? " if near else ""
    listed = ", ".join(f"`{key}`" for key in known)
    remedy = f"{guess}(its arguments are {listed})"
    return SceneError(f"{cls.__name__} has no argument `{name}`", name, remedy)


def _explained(cls: type[_Part], made: Callable[..., None]) -> Callable[..., None]:
    """The initialiser of a part, whose arguments are checked by name."""
    needed = [
        field.name
        for field in dataclasses.fields(cls)  # type: ignore[arg-type]
        if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
    ]

    @functools.wraps(made)
    def __init__(self: _Part, *values: object, **arguments: object) -> None:
        # A class derived from this one has an initialiser of its own, around this one's.
        if values:
            first = next(iter(cls.keys()))
            raise SceneError(
                f"{cls.__name__} takes its arguments by name",
                remedy=f"write {cls.__name__}({first}=..)",
            )
        for name in arguments:
            if name not in cls.keys():
                raise _unknown(cls, name)
        for name in needed:
            if name not in arguments:
                raise SceneError(
                    f"{cls.__name__} needs `{name}`", name, f"add {name}=.. ({cls.__name__}.__doc__ says what it is)"
                )
        made(self, **arguments)

    return __init__
