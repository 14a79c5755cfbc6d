"""Numbers in time, and motions of what is driven."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
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
        units: Units of bare numbers, such as ``["ms", "mm"]``; those of the header, as in ``t
            [ms]``, or SI unless given.
    """

    file: str | PathLike[str]
    columns: Sequence[str | int] | None = None
    units: Sequence[str] | None = None


class Sine(Part, table="schedule.sine"):
    """``mean + amplitude sin(2 pi t/period + phase)``.

    Arguments:
        amplitude: Largest deviation from the mean, in the unit of the number.
        period: Time of a whole swing. In s, greater than zero.
        phase: Where of a swing it begins. In rad; 0 unless given.
        mean: What it swings about, in the unit of the number. 0 unless given.
    """

    amplitude: Quantity
    period: Quantity
    phase: Quantity | None = None
    mean: Quantity | None = None


class Ramp(Part, table="schedule.ramp"):
    """From one number to another; constant before and after.

    Arguments:
        to: The number after.
        duration: How long it takes. In s, greater than zero.
        from_: The number before. 0 unless given.
        start: When it begins. In s; 0 unless given.
    """

    to: Quantity
    duration: Quantity
    from_: Quantity | None = None
    start: Quantity | None = None


class Schedule(Part, table="schedule"):
    """A number in time, said in one of these ways.

    Arguments:
        value: The number at t = 0; goes with ``rate``. 0 unless given.
        rate: Its change per second.
        sine: A sine.
        ramp: From one number to another, linear in time.
        smooth_step: The same, beginning and ending without speed and acceleration: 10s³ - 15s⁴ +
            6s⁵.
        table: Rows ``[time, number]``, times ascending, linear between them, constant outside.
        file: A file with such a table.
        columns: Which columns of the file are meant, by name or by number from 0.
        units: Units of their bare numbers; those of the header, or SI unless given.
    """

    value: Quantity | None = None
    rate: Quantity | None = None
    sine: Sine | None = None
    ramp: Ramp | None = None
    smooth_step: Ramp | None = None
    table: Sequence[Sequence[Quantity]] | NDArray[Any] | None = None
    file: str | PathLike[str] | None = None
    columns: Sequence[str | int] | None = None
    units: Sequence[str] | None = None


#: A constant, or a number in time.
InTime: TypeAlias = Quantity | Schedule


class Velocity(Part, table="motion"):
    """A motion with a constant velocity.

    Arguments:
        velocity: A constant velocity. In m/s, shape (3,).
    """

    velocity: Vector


class Translation(Part, table="motion", choice="translation"):
    """A displacement along a vector.

    Arguments:
        by: The displacement. In m, shape (3,).
        amplitude: Factor in time.
    """

    by: Vector
    amplitude: InTime


class Rotation(Part, table="motion", choice="rotation"):
    """A motion about an axis.

    Arguments:
        axis: Direction of the axis. Shape (3,).
        point: A point of the axis. In m, shape (3,); ``[0, 0, 0]`` unless given.
        speed: Constant rate; excludes ``angle``. In rad/s.
        angle: Angle in time; excludes ``speed``. In rad.
    """

    axis: Vector
    point: Vector | None = None
    speed: Quantity | None = None
    angle: InTime | None = None


class Path(Part, table="motion"):
    """Displacements in time.

    Arguments:
        path: Displacements in time: rows ``[t, x, y, z]``, s and m, times ascending, linear between
            them; or a file with such a table. Shape (.., 4).
    """

    path: Sequence[Sequence[Quantity]] | NDArray[Any] | TableFile


class Combined(Part, table="motion"):
    """Several motions at the same time, each applied to the result of those before it.

    Arguments:
        sequence: Several motions at the same time, each applied to the result of those before it.
    """

    sequence: Sequence[Velocity | Translation | Rotation | Path | Combined]


#: ``"still"``, or how something moves.
Motion: TypeAlias = str | Velocity | Translation | Rotation | Path | Combined
