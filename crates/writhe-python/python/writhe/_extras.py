"""What Python adds to a simulation, for copies and pickles of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from writhe import _core

if TYPE_CHECKING:
    from writhe._control import Controller

#: "support", "obstacle", "motor" or "point", and its number.
Target: TypeAlias = tuple[str, int]


@dataclass(frozen=True)
class AddedForce:
    """A force on the nodes of a rod that a function says."""

    rod: int
    force: Callable[..., Any]
    stiffness: Callable[..., Any] | None

    def add(self, core: _core.Simulation) -> None:
        """Adds it to a simulation."""
        core.add_force(self.rod, self.force, self.stiffness)


@dataclass(frozen=True)
class AddedPoint:
    """A point load: on a node, perhaps along the frame of an edge, or on an edge."""

    rod: int
    node: int | None
    edge: int | None
    follows: bool

    def add(self, core: _core.Simulation) -> int:
        """Adds it to a simulation; returns its number."""
        if self.node is not None:
            return core.add_point_force(self.rod, self.node, self.edge)
        assert self.edge is not None
        return core.add_point_moment(self.rod, self.edge, self.follows)


@dataclass
class Extras:
    """All that was added: in its order, which is that of sums."""

    loads: list[AddedForce | AddedPoint] = field(default_factory=list)
    #: What ever drove something, in its order: states name functions by their places.
    functions: list[tuple[Target, Callable[..., Any]]] = field(default_factory=list)
    controllers: list[Controller] = field(default_factory=list)
    #: Whether a function that is called between steps is being called.
    controlling: bool = False
    #: Forces that lag and of which no step has warned yet; copies have been.
    unjudged: list[AddedForce] = field(default_factory=list)
    observables: dict[str, tuple[str, Callable[..., Any]]] = field(default_factory=dict)

    def give(self, other: Extras, core: _core.Simulation) -> None:
        """Adds the same to another simulation, which has nothing yet."""
        for load in self.loads:
            load.add(core)
        other.loads.extend(self.loads)
        other.functions.extend(self.functions)
        other.controllers.extend(self.controllers)
        other.observables.update(self.observables)

    def drive(self, core: _core.Simulation) -> None:
        """Lets functions drive another simulation, in the state of this one, where none leaps."""
        for (kind, index), function in self.functions:
            if kind == "point":
                core.follow_point(index, function, False)
            else:
                core.follow(kind, index, function, False)

    def drives(self, target: Target, function: Callable[..., Any]) -> None:
        """Notes that a function drives something."""
        known = (one for of, one in self.functions if of == target)
        if not any(one is function for one in known):
            self.functions.append((target, function))
