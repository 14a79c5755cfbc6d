"""Functions that are called between steps: when, and how runs are cut there."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from writhe import _core
from writhe._extras import Extras
from writhe.errors import SimulationError

if TYPE_CHECKING:
    from writhe.simulation import Simulation

#: Times that differ by less than this part of an interval are the same.
_SAME = 1e-9
#: Shortest interval, s: times that are nearer are not told apart.
SHORTEST = 1e-9


@dataclass(frozen=True)
class Controller:
    """A function that is called at ``start``, s, and every ``every``, s, from then on; before every
    step if that is 0."""

    start: float
    every: float
    function: Callable[[Simulation], Any]

    def is_due(self, now: float, same: float) -> bool:
        """Whether it is called before the step that begins at ``now``, s; times that differ by no more
        than ``same``, s, are the same."""
        if self.every == 0.0:
            return True
        return abs(self._time(round(self._index(now))) - now) <= self.slack(same)

    def next(self, now: float, same: float) -> float:
        """The first time behind ``now``, s, at which a step must begin."""
        if self.every == 0.0:
            return math.inf
        behind = now + self.slack(same)
        # Rounding may leave the quotient on either side of a whole number.
        index = math.floor(self._index(behind))
        return next(time for k in range(4) if (time := self._time(index + k)) > behind)

    def slack(self, same: float) -> float:
        """Time by which two that are the same may differ, s."""
        return max(_SAME * self.every, same)

    def _index(self, now: float) -> float:
        return max(0.0, (now - self.start) / self.every)

    def _time(self, index: int) -> float:
        return self.start + index * self.every


def act(sim: Simulation, core: _core.Simulation, controllers: Sequence[Controller]) -> None:
    """Calls those that are due, in the order in which they were added."""
    check_free(sim._extras)
    now, same = core.time, core.same_time
    for controller in controllers:
        if controller.is_due(now, same):
            between(sim, controller.function)


def check_free(extras: Extras) -> None:
    """Refuses to make steps in a function that is called between steps.

    Raises:
        SimulationError: When one is being called.
    """
    if extras.controlling:
        raise SimulationError(
            "a function that is called between steps cannot make steps",
            remedy="let it return; the run goes on by itself",
        )


def between(sim: Simulation, function: Callable[[Simulation], Any]) -> Any:
    """Calls a function between steps, which cannot make any."""
    sim._extras.controlling = True
    try:
        return function(sim)
    finally:
        sim._extras.controlling = False


def target(core: _core.Simulation, controllers: Sequence[Controller], end: float) -> float:
    """Where the run to ``end``, s, must end a step next, s: at the time of a controller, or there."""
    now, same = core.time, core.same_time
    for controller in controllers:
        time = controller.next(now, same)
        slack = controller.slack(same)
        if time >= end - slack:
            continue
        # An output time that was rounded in another way is the same time.
        output = core.output_behind(time - slack)
        end = output if now + same < output <= time + slack else time
    return end
