"""Numbers in time, and motions of what is driven."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from numpy.typing import NDArray

from writhe._part import Part, Quantity, Vector


class Schedule(Part, table="schedule"):
    """A number in time: ``value + rate t``, or a table.

    Arguments:
        value: The number at t = 0; 0 unless given. Goes with ``rate``.
        rate: Its change per second.
        table: Rows ``[time, number]``, times ascending, or an array of shape (n, 2); linear in
            between, constant outside. Excludes the others.
    """

    value: Quantity | None = None
    rate: Quantity | None = None
    table: Sequence[Sequence[Quantity]] | NDArray[Any] | None = None


#: A constant, or a number in time.
InTime: TypeAlias = Quantity | Schedule


class Velocity(Part, table="motion"):
    """A motion with a constant velocity.

    Arguments:
        velocity: m/s, shape (3,).
    """

    velocity: Vector


class Rotation(Part, table="motion", choice="rotation"):
    """A motion about an axis.

    Arguments:
        axis: Direction of the axis, shape (3,); its length does not matter.
        point: A point of the axis, m, shape (3,); the origin unless given.
        speed: Constant rate, rad/s. Excludes ``angle``.
        angle: Angle in time, rad.
    """

    axis: Vector
    point: Vector | None = None
    speed: Quantity | None = None
    angle: InTime | None = None


class Path(Part, table="motion"):
    """Displacements in time.

    Arguments:
        path: Rows ``[t, x, y, z]``, s and m, times ascending, or an array of shape (n, 4); linear in
            between.
    """

    path: Sequence[Sequence[Quantity]] | NDArray[Any]


class Combined(Part, table="motion"):
    """Several motions at the same time, each applied to the result of those before it.

    Arguments:
        sequence: The motions.
    """

    sequence: Sequence[Velocity | Rotation | Path | Combined]


#: ``"still"``, or how something moves.
Motion: TypeAlias = str | Velocity | Rotation | Path | Combined
