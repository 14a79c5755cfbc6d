"""Numbers in time, and motions of what is driven."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, TypeAlias

from numpy.typing import NDArray

from writhe._part import Part, Quantity, Vector


class TableFile(Part, table="table"):
    """A table of numbers in a file: columns parted by commas, semicolons, tabs or blanks, with or
    without a header row.

    Arguments:
        file: Its path, relative to the folder of the scene.
        columns: Which columns are meant, by name or by number from 0; all, in their order, unless
            given.
        units: Units of their bare numbers, such as ``["ms", "mm"]``; those of the header, as in
            ``t [ms]``, or SI unless given.
    """

    file: str | os.PathLike[str]
    columns: Sequence[str | int] | None = None
    units: Sequence[str] | None = None


class Sine(Part, table="schedule.sine"):
    """``mean + amplitude sin(2 pi t/period + phase)``.

    Arguments:
        amplitude: Largest deviation from the mean.
        period: Time of a whole swing, s.
        phase: Where of a swing it begins, rad; 0 unless given.
        mean: What it swings about; 0 unless given.
    """

    amplitude: Quantity
    period: Quantity
    phase: Quantity | None = None
    mean: Quantity | None = None


class Ramp(Part, table="schedule.ramp"):
    """From one number to another; constant before and after.

    Arguments:
        to: The number after.
        duration: How long it takes, s.
        from_: The number before; 0 unless given.
        start: When it begins, s; 0 unless given.
    """

    to: Quantity
    duration: Quantity
    from_: Quantity | None = None
    start: Quantity | None = None


class Schedule(Part, table="schedule"):
    """A number in time, said in one of these ways.

    Arguments:
        value: The number at t = 0; 0 unless given. Goes with ``rate``.
        rate: Its change per second.
        sine: A sine.
        ramp: From one number to another, linear in time.
        smooth_step: The same, which begins and ends without speed and acceleration.
        table: Rows ``[time, number]``, times ascending, or an array of shape (n, 2); linear in
            between, constant outside.
        file: A file with such a table, as `TableFile` describes it.
        columns: Which columns of the file are meant.
        units: Units of their bare numbers.
    """

    value: Quantity | None = None
    rate: Quantity | None = None
    sine: Sine | None = None
    ramp: Ramp | None = None
    smooth_step: Ramp | None = None
    table: Sequence[Sequence[Quantity]] | NDArray[Any] | None = None
    file: str | os.PathLike[str] | None = None
    columns: Sequence[str | int] | None = None
    units: Sequence[str] | None = None


#: A constant, or a number in time.
InTime: TypeAlias = Quantity | Schedule


class Velocity(Part, table="motion"):
    """A motion with a constant velocity.

    Arguments:
        velocity: m/s, shape (3,).
    """

    velocity: Vector


class Translation(Part, table="motion", choice="translation"):
    """A displacement along a vector.

    Arguments:
        by: The displacement, m, shape (3,).
        amplitude: Factor in time.
    """

    by: Vector
    amplitude: InTime


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
        path: Rows ``[t, x, y, z]``, s and m, times ascending, an array of shape (n, 4), or a file
            with such a table; linear in between.
    """

    path: Sequence[Sequence[Quantity]] | NDArray[Any] | TableFile


class Combined(Part, table="motion"):
    """Several motions at the same time, each applied to the result of those before it.

    Arguments:
        sequence: The motions.
    """

    sequence: Sequence[Velocity | Translation | Rotation | Path | Combined]


#: ``"still"``, or how something moves.
Motion: TypeAlias = str | Velocity | Translation | Rotation | Path | Combined
