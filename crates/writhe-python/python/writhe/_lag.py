"""Which steps are stable with a force that holds during each step what it was at its start.

Along a motion v the equation of motion, over its mass ``v.Mv``, is a recursion for one number x:

    x'' + d x' + e x + k x(start) + c x'(start) = 0

with the quotients d and e of what is solved for (damping, elastic stiffness), and k and c of what lags: minus
the derivatives of the force by places and velocities. A scheme turns it into a polynomial in the factor z of
one step. Backward Euler and BDF2 have ``x' = D x`` at the end of the step, ``D = (1 - 1/z)/dt`` or
``(3 - 4/z + 1/z^2)/(2 dt)``:

    D^2 + d D + e + (k + c D)/z = 0

The midpoint rule has ``x' = T x`` with ``T = 2 (z - 1)/(dt (z + 1))`` and forces from the mean of both ends:

    (1 - 1/z) T/dt + (1 + 1/z)/2 (d T + e) + (k + c T)/z = 0

The motion grows where a root z is outside the unit circle. Looked at are the slowest vibrations, which a scheme
damps least, and the motion along which the force is stiffest, by power steps.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.polynomial import Polynomial
from numpy.typing import NDArray

from writhe import _core
from writhe._extras import AddedForce, Extras
from writhe._rod import RodLayout
from writhe.errors import SimulationError, StepWarning
from writhe.statics import _slowest, _spread, statics_of

Floats = NDArray[np.float64]

#: Growth until the end of the scene that is warned of.
_MUCH = 10.0
#: Vibrations that are looked at, and power steps.
_MODES, _POWER = 8, 8
#: Unknowns up to which vibrations are found for this.
_MOST = 2000
#: Displacement by which the force is probed, in edges.
_SMALL = 1e-5


def judge(core: _core.Simulation, rods: Sequence[RodLayout], extras: Extras) -> None:
    """Warns of forces that lag too much, once each."""
    while extras.unjudged:
        added = extras.unjudged.pop()
        # What goes wrong in the function goes wrong in the step, which tells it.
        try:
            told = _told(core, rods, added)
        except Exception:  # noqa: BLE001
            continue
        if told is not None:
            warnings.warn(told, StepWarning, stacklevel=4)


def _told(core: _core.Simulation, rods: Sequence[RodLayout], added: AddedForce) -> str | None:
    """What to warn of."""
    stepping = core.stepping()
    left = core.end - core.time
    if stepping is None or left <= 0.0:
        return None
    scheme, dt = stepping
    quotients = list(_quotients(core, rods, added))
    growth = max((_growth(scheme, dt, left, *q) for q in quotients), default=0.0)
    if growth <= math.log(_MUCH):
        return None
    step = dt
    for _ in range(40):
        step *= 0.8
        if max(_growth(scheme, step, left, *q) for q in quotients) <= math.log(_MUCH):
            digits = 10.0 ** (math.floor(math.log10(step)) - 1)
            return (
                f"a force on rod {added.rod} holds during a step what it was at its start: with steps of {dt:.3g} s "
                f"motions grow by exp({growth:.3g}) until t = {core.end:.4g} s; steps of "
                f"{math.floor(step / digits) * digits:.2g} s would do (Time(step=..)), or a stiffness for add_force, "
                "or damping"
            )
    return (
        f"a force on rod {added.rod} makes motions grow by exp({growth:.3g}) until t = {core.end:.4g} s: nothing "
        "damps them; give add_force a stiffness"
    )


def _quotients(
    core: _core.Simulation, rods: Sequence[RodLayout], added: AddedForce
) -> Iterator[tuple[float, float, float, float]]:
    """d, e, k and c along the motions that are looked at."""
    positions = core.of_rod(added.rod, "positions")
    velocities = core.of_rod(added.rod, "velocities")
    mass = core.free_mass(added.rod)
    time = core.time

    def force(x: Floats, v: Floats) -> Floats:
        return np.array(added.force(time, x.copy(), v.copy()), dtype=np.float64)

    if not np.array_equal(force(positions, velocities), force(positions, velocities)):
        return
    edge = float(core.of_rod(added.rod, "rest_lengths").min())

    def slope(way: Floats, of: Callable[[Floats], Floats]) -> Floats:
        size = float(np.abs(way).max())
        if size == 0.0:
            return 0.0 * way
        small = _SMALL * edge / size
        return (of(-small * way) - of(small * way)) / (2.0 * small)

    def by_place(way: Floats) -> Floats:
        return slope(way, lambda by: force(positions + by, velocities))

    def by_velocity(way: Floats) -> Floats:
        return slope(way, lambda by: force(positions, velocities + by))

    def of(way: Floats, elastic: float, weight: float) -> tuple[float, float, float, float]:
        damping = float((way * core.resistance(added.rod, way)).sum())
        k, c = float((way * by_place(way)).sum()), float((way * by_velocity(way)).sum())
        return damping / weight, elastic / weight, k / weight, c / weight

    free = mass > 0.0
    if not free.any():
        return
    inverse = np.where(free, 1.0 / np.where(free, mass, 1.0), 0.0)
    for slopes in (by_place, by_velocity):
        # Smooth at first: of motions that are equally stiff the slow ones grow.
        way = np.where(free, [1.0, 0.9, 1.1], 0.0)
        for _ in range(_POWER):
            more = inverse * slopes(way)
            size = float(np.abs(more).max())
            if size == 0.0:
                break
            way = more / size
        yield of(way, 0.0, float((mass * way**2).sum()))
    yield from _of_modes(core, rods, added.rod, of)


def _of_modes(
    core: _core.Simulation, rods: Sequence[RodLayout], rod: int, of: Callable[..., Any]
) -> Iterator[Any]:
    """The same along the slowest vibrations, where there are any."""
    try:
        statics = statics_of(core.statics(False))
    except SimulationError:
        return
    if len(statics.residual) > _MOST:
        return
    squares, vectors, _ = _slowest(statics, min(_MODES, len(statics.residual)))
    shapes, _ = _spread(statics.unknowns, rods, vectors)
    for square, way in zip(squares, shapes[rod], strict=True):
        # Mass-normalised.
        yield of(way, max(0.0, float(square)), 1.0)


def _growth(
    scheme: str, dt: float, left: float, d: float, e: float, k: float, c: float
) -> float:
    """Logarithm of the growth during ``left``, s; what lags and pulls away grows by itself, and is no
    matter."""
    if k <= 0.0 and c <= 0.0:
        return 0.0
    # In w = 1/z times what keeps the numbers alike: x in units of dt.
    d, e, k, c = d * dt, e * dt**2, k * dt**2, c * dt
    w, one = Polynomial([0.0, 1.0]), Polynomial([1.0])
    if scheme == "implicit-midpoint":
        # Times (1 + w): T = 2 (1 - w)/(1 + w).
        rate = 2.0 * (one - w)
        mean = 0.5 * (one + w)
        both = (one - w) * rate + mean * (d * rate + e * (one + w)) + w * (k * (one + w) + c * rate)
    else:
        rate = one - w if scheme == "backward-euler" else 0.5 * (3.0 * one - 4.0 * w + w**2)
        both = rate**2 + d * rate + e * one + w * (k * one + c * rate)
    roots = both.trim(1e-300).roots()
    smallest = float(np.abs(roots).min()) if len(roots) else math.inf
    return -math.log(smallest) * left / dt if smallest < 1.0 else 0.0
