"""What is driven: by a function of time, or set anew between steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from writhe import _check, _core
from writhe._check import Triple, function, number, vector
from writhe._extras import Extras, Target

#: Displacement, m, shape (3,), at a time, s; or that and a rotation, shape (3, 3).
MotionFunction: TypeAlias = Callable[[float], ArrayLike | tuple[ArrayLike, ArrayLike]]
#: Three numbers at a time, s.
VectorFunction: TypeAlias = Callable[[float], ArrayLike]
#: A number at a time, s.
NumberFunction: TypeAlias = Callable[[float], float]


class _Driven:
    """What all that is driven has in common."""

    def __init__(self, core: _core.Simulation, extras: Extras, target: Target, what: str) -> None:
        """Of a simulation; ``what`` it is, in words."""
        self._core = core
        self._extras = extras
        self._target = target
        self._what = what

    def _follow(self, wanted: Callable[[float], object]) -> None:
        function(wanted, "function", "of the time, s")
        self._core.follow(*self._target, wanted, True)
        self._extras.drives(self._target, wanted)

    def __repr__(self) -> str:
        """What it is."""
        return f"{type(self).__name__}({self._what})"


class DrivenMotion(_Driven):
    """A clamp, a held node, a body or an obstacle that moves as prescribed. Its place is that of its
    own point: the middle of a clamped edge, the node, the centre of a body, the place of an
    obstacle."""

    @property
    def displacement(self) -> NDArray[np.float64]:
        """From where its point was at the start, at the present time, m, shape (3,), a copy."""
        return self._core.pose(*self._target)[0]

    @property
    def rotation(self) -> NDArray[np.float64]:
        """How it is turned against the start at the present time: a matrix that takes directions of
        then to those of now, shape (3, 3), a copy."""
        return self._core.pose(*self._target)[1]

    def follow(self, function: MotionFunction) -> None:
        """Lets a function of time say the motion from now on.

        Arguments:
            function: ``function(time)``, s, returns the displacement of its point from the start, m,
                shape (3,); or a tuple of it and the rotation about that point against the start,
                shape (3, 3). It must depend on time alone, and begin where the motion is now; it is
                asked at times a little beyond the present step, too.

        An exception in the function ends the step or run with that exception, and the simulation is
        at its last good state. A state from before the function was set follows what it followed
        then.

        Raises:
            SceneError: When it is no function, returns something else, or would leap; from a step,
                when it turns by more than 3 rad in it: half a turn would seem to go the other way.
        """
        self._follow(function)

    def move(self, velocity: ArrayLike = (0.0, 0.0, 0.0), spin: ArrayLike = (0.0, 0.0, 0.0)) -> None:
        """Lets it go on from where it is at a constant velocity, in place of what it followed.

        Arguments:
            velocity: Of its point, m/s, shape (3,); 0 unless given.
            spin: Angular velocity about that point, rad/s, shape (3,), in the axes of the scene; 0
                unless given.

        Raises:
            SceneError: When one of them is no vector of finite numbers; from a step, when it turns by
                more than 3 rad in it: half a turn would seem to go the other way.
        """
        wanted: list[Triple] = [vector(velocity, "velocity", "m/s"), vector(spin, "spin", "rad/s")]
        self._core.go_on(*self._target, *wanted)


class DrivenAngle(_Driven):
    """A held angle of an edge, or the angle of a hinge with a motor."""

    @property
    def angle(self) -> float:
        """At the present time, rad, 0 at the start unless the scene says so."""
        return self._core.number(*self._target)

    def follow(self, function: NumberFunction) -> None:
        """Lets a function of time say the angle from now on.

        Arguments:
            function: ``function(time)``, s, returns rad. It must depend on time alone, and begin
                where the angle is now; it is asked at times a little beyond the present step, too.

        Raises:
            SceneError: When it is no function, returns no finite number, or would leap.
        """
        self._follow(function)

    def turn(self, speed: float) -> None:
        """Lets it go on from where it is at a constant speed, rad/s, in place of what it followed.

        Raises:
            SceneError: When that is no finite number.
        """
        self._core.set_number(*self._target, None, number(speed, "speed", "rad/s"))


class DrivenTorque(_Driven):
    """The torque of a motor on the first body of a hinge."""

    @property
    def torque(self) -> float:
        """At the present time, N m. Set, it stays so until it is set again."""
        return self._core.number(*self._target)

    @torque.setter
    def torque(self, torque: float) -> None:
        self._core.set_number(*self._target, number(torque, "torque", "N m"), 0.0)

    def follow(self, function: NumberFunction) -> None:
        """Lets a function of time say the torque from now on.

        Arguments:
            function: ``function(time)``, s, returns N m. It must depend on time alone.

        Raises:
            SceneError: When it is no function, or returns no finite number.
        """
        self._follow(function)


class PointLoad:
    """A force on a node or a moment on an edge that is set between steps: one of the scene, which is
    what the scene says until it is set, or one that was added, which is 0 at first."""

    def __init__(self, core: _core.Simulation, extras: Extras, index: int, unit: str) -> None:
        """The load of this number, in this unit."""
        self._core = core
        self._extras = extras
        self._index = index
        self._unit = unit

    @property
    def value(self) -> NDArray[np.float64]:
        """N or N m, shape (3,), a copy: in the axes of the scene, or along m1, m2 and the tangent of
        the edge that it follows. Set, it stays so until it is set again."""
        return np.array(self._core.point(self._index))

    @value.setter
    def value(self, value: ArrayLike) -> None:
        self._core.set_point(self._index, vector(value, "value", self._unit))

    def follow(self, function: VectorFunction) -> None:
        """Lets a function of time say the load from now on, until it is set.

        Arguments:
            function: ``function(time)``, s, returns N or N m, shape (3,), components as in `value`. It
                must depend on time alone.

        Raises:
            SceneError: When it is no function, or returns no three finite numbers.
        """
        _check.function(function, "function", "of the time, s")
        self._core.follow_point(self._index, function, True)
        self._extras.drives(("point", self._index), function)

    def __repr__(self) -> str:
        """What it is now."""
        return f"PointLoad({self.value.tolist()} {self._unit})"
