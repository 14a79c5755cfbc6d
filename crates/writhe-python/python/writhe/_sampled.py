"""A function of arc length and time as a table that is linear between its points.

Linear interpolation over intervals of width h is off by at most ``h^2/8`` times the second derivative.
So an interval whose error is ``n^2`` times too large is cut into n parts, along s and along t apart,
until at most half of the tolerance is lost along each. Over both together the error is at most the sum
of those along s and along t, at all times and places that are compared.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from writhe._check import function, number
from writhe.errors import SceneError

Floats = NDArray[np.float64]
#: Values at arc lengths, m, shape (places,), and a time, s: shape (places,), or one for all.
StrainFunction = Callable[[Floats, float], ArrayLike]

#: Points of the first table along s and along t.
_FIRST = 9
#: Where in each interval table and function are compared: in its middle, and where no wave of which
#: whole ones fit between the points is zero, too.
_COMPARED = (0.5, 0.382)
#: Parts of the length and of the duration in each of which they are compared at the end: what is
#: wider than two of these is seen.
_LOOKED_AT = 512
#: Parts into which an interval is cut at once.
_PARTS = 8
#: Values of a table, and points of it along s or t.
_MOST_VALUES, _MOST_POINTS = 500_000, 10_000
#: Part of the length or duration below which an interval is not cut any more: there is a jump.
_FINEST = 1e-6


def sampled(
    wanted: StrainFunction, length: float, duration: float, tolerance: float
) -> Floats:
    """The table of `Driven`: a row ``[0, place, ..]``, m, then rows ``[time, value, ..]``, s and the
    unit of the function, over ``length`` from the start of a rod and ``duration`` from t = 0. It is
    nowhere off by more than ``tolerance`` times the largest value of the function, as far as the
    function was looked at.

    Raises:
        SceneError: When an argument is of no use, the function returns something else, or no table
            of a sensible size follows it so closely.
    """
    function(wanted, "function", "of arc lengths, m, shape (places,), and a time, s")
    for end, name in ((length, "length"), (duration, "duration")):
        if end <= 0.0:
            raise SceneError(f"`{name}` is {end:g}", name, "give a number that is greater than zero")
    if not 0.0 < number(tolerance, "tolerance", "greater than 0 and at most 0.1") <= 0.1:
        raise SceneError(
            f"`tolerance` is {tolerance}", "tolerance", "give a number that is greater than 0 and at most 0.1"
        )
    places, times = (np.linspace(0.0, end, _FIRST) for end in (length, duration))
    scale, strata = 0.0, False
    while True:
        if strata:
            compared = _stratified(length), _stratified(duration)
        else:
            compared = _inside(places), _inside(times)
        all_places, all_times = (np.concatenate(x) for x in zip((places, times), compared, strict=True))
        values = _values(wanted, all_places, all_times)
        scale = max(scale, float(np.abs(values).max()))
        along_s = _errors(values, places, compared[0])
        along_t = _errors(values.T, times, compared[1])
        most = 0.5 * tolerance * scale
        if max(along_s.max(), along_t.max()) <= most:
            if strata:
                break
            strata = True
            continue
        strata = False
        _refuse_jumps(places, along_s, most, length, "s", "m")
        _refuse_jumps(times, along_t, most, duration, "t", "s")
        size, off = (len(places), len(times)), float(along_s.max() + along_t.max())
        places, times = _cut(places, along_s, most), _cut(times, along_t, most)
        if max(len(places), len(times)) > _MOST_POINTS or len(places) * len(times) > _MOST_VALUES:
            raise SceneError(
                f"`function` cannot be held to {tolerance:g} of its largest value, {scale:.4g}, by a table of at most "
                f"{_MOST_VALUES} values and {_MOST_POINTS} places or times: one of {size[0]} places and {size[1]} times "
                f"is off by {off:.2g}",
                "function",
                "give a larger tolerance or a shorter duration, make the function smoother, or say a wave by amplitude, "
                "wavelength and period",
            )
    table = np.zeros((len(times) + 1, len(places) + 1))
    table[0, 1:], table[1:, 0] = places, times
    table[1:, 1:] = values[: len(times), : len(places)]
    return table


def _inside(points: Floats) -> Floats:
    """Where the intervals between points are compared."""
    return np.concatenate([points[:-1] + part * np.diff(points) for part in _COMPARED])


def _stratified(end: float) -> Floats:
    """A point in each of many equal parts from 0 to ``end``, at random but the same each time."""
    within = np.random.default_rng(1).random(_LOOKED_AT)
    return np.asarray((np.arange(_LOOKED_AT) + within) * (end / _LOOKED_AT), dtype=np.float64)


def _values(wanted: StrainFunction, places: Floats, times: Floats) -> Floats:
    """The function at all places and times, shape (times, places)."""
    order = np.argsort(places)
    values = np.empty((len(times), len(places)))
    for row, time in zip(values, times.tolist(), strict=True):
        row[order] = _row(wanted, places[order], time)
    return values


def _row(wanted: StrainFunction, places: Floats, time: float) -> Floats:
    """What the function returns at a time, checked."""
    asked = f"asked at t = {time:.6g} s for s of shape {places.shape}"
    remedy = "return a finite number for each of the arc lengths, an array of the shape of s, or one for all of them"
    try:
        returned = wanted(places.copy(), time)
    except Exception as error:
        error.add_note(f"`function` was {asked}: s is an array, m, and t a number, s")
        raise
    try:
        row = np.asarray(returned)
    except ValueError as error:
        raise SceneError(f"`function` returned no array of numbers, {asked}", "function", remedy) from error
    if row.dtype.kind not in "fiu":
        shown = type(returned).__name__ if row.dtype.kind == "O" else f"values of type {row.dtype}"
        raise SceneError(f"`function` returned {shown}, {asked}", "function", remedy)
    if row.shape not in ((), places.shape):
        raise SceneError(f"`function` returned an array of shape {row.shape}, {asked}", "function", remedy)
    row = np.broadcast_to(row.astype(np.float64), places.shape)
    if not np.isfinite(row).all():
        at = int(np.argmin(np.isfinite(row)))
        raise SceneError(
            f"`function` returned {row[at]} at s = {places[at]:.6g} m, t = {time:.6g} s", "function", remedy
        )
    return row


def _errors(values: Floats, points: Floats, compared: Floats) -> Floats:
    """How far linear interpolation between points is off in each interval, at most; ``values`` are
    those at the points, then those where they are compared, shape (.., points + compared)."""
    interval = np.searchsorted(points, compared, side="right") - 1
    interval = interval.clip(0, len(points) - 2)
    on = (compared - points[interval]) / (points[interval + 1] - points[interval])
    between = values[:, interval] * (1.0 - on) + values[:, interval + 1] * on
    off = np.abs(values[:, len(points) :] - between).max(axis=0)
    errors = np.zeros(len(points) - 1)
    np.maximum.at(errors, interval, off)
    return errors


def _refuse_jumps(
    points: Floats, errors: Floats, most: float, end: float, name: str, unit: str
) -> None:
    """Refuses a function that changes within next to nothing."""
    jumps = (errors > most) & (np.diff(points) < _FINEST * end)
    if jumps.any():
        at = points[int(np.argmax(jumps))]
        raise SceneError(
            f"`function` jumps near {name} = {at:.6g} {unit}: a table is linear between its points",
            "function",
            "let it change smoothly over a short length or time, as numpy.tanh does",
        )


def _cut(points: Floats, errors: Floats, most: float) -> Floats:
    """The points with those intervals cut whose error is too large."""
    finer = [points]
    for at in np.flatnonzero(errors > most):
        parts = min(_PARTS, max(2, math.ceil(math.sqrt(errors[at] / most))))
        finer.append(np.linspace(points[at], points[at + 1], parts + 1)[1:-1])
    return np.sort(np.concatenate(finer))
