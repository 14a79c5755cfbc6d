"""Arguments of methods, checked before they go to the core."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from writhe import _core
from writhe.errors import SceneError

#: Three numbers.
Triple = tuple[float, float, float]


def vector(value: ArrayLike, name: str, unit: str) -> Triple:
    """Three finite numbers.

    Raises:
        SceneError: When they are not.
    """
    remedy = f"give three finite numbers, {unit}"
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise SceneError(f"`{name}` is {value!r}, no vector", name, remedy) from error
    if array.shape != (3,):
        raise SceneError(f"`{name}` has the shape {array.shape}", name, remedy)
    if not np.isfinite(array).all():
        raise SceneError(f"`{name}` is not finite: {array.tolist()}", name, remedy)
    x, y, z = array.tolist()
    return x, y, z


def number(value: object, name: str, unit: str) -> float:
    """A finite number.

    Raises:
        SceneError: When it is none.
    """
    remedy = f"give a finite number, {unit}"
    if isinstance(value, bool) or not isinstance(value, (int, float, np.number)):
        raise SceneError(f"`{name}` is {value!r}, no number", name, remedy)
    try:
        found = float(value)
    except (OverflowError, TypeError) as error:
        raise SceneError(f"`{name}` is {value!r}, no number", name, remedy) from error
    if not math.isfinite(found):
        raise SceneError(f"`{name}` is not finite: {found}", name, remedy)
    return found


def seconds(value: object, name: str) -> float:
    """A time, s: a finite number, or a text with a unit.

    Raises:
        SceneError: When it is none.
    """
    return _measured(value, name, _core.seconds, "s, or a text such as \"20 ms\"")


def metres(value: object, name: str) -> float:
    """A length, m: a finite number, or a text with a unit.

    Raises:
        SceneError: When it is none.
    """
    return _measured(value, name, _core.metres, "m, or a text such as \"20 mm\"")


def _measured(value: object, name: str, read: Callable[[str, str], float], unit: str) -> float:
    """A finite number, or a text that is read with its unit."""
    return read(value, name) if isinstance(value, str) else number(value, name, unit)


def whole(value: object, name: str, least: int, most: int) -> int:
    """A whole number between two.

    Raises:
        SceneError: When it is none.
    """
    remedy = f"give a whole number from {least} to {most}"
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise SceneError(f"`{name}` is {value!r}, no whole number", name, remedy)
    if not least <= value <= most:
        raise SceneError(f"`{name}` is {value}", name, remedy)
    return int(value)


def index(value: object, name: str, count: int) -> int:
    """A place in a list of ``count``, from 0; from the end where it is negative.

    Raises:
        SceneError: When there is none.
    """
    remedy = f"give a whole number from 0 to {count - 1}, or from -{count} to -1"
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise SceneError(f"`{name}` is {value!r}, no whole number", name, remedy)
    place = int(value)
    if not -count <= place < count:
        raise SceneError(f"there is no {name} {place}: there are {count}", name, remedy)
    return place % count


def function(value: object, name: str, what: str) -> Callable[..., Any]:
    """Something that can be called.

    Raises:
        SceneError: When it cannot.
    """
    if not callable(value):
        raise SceneError(f"{value!r} is no function", name, f"give a function {what}")
    return value
