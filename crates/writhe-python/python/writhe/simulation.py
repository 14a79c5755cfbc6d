"""Simulations: steps, runs, and what a state shows."""

from __future__ import annotations

import math
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from writhe import _core
from writhe._core import Step as Step
from writhe._progress import Progress
from writhe._rod import RodLayout
from writhe._size import pixels
from writhe.errors import SceneError
from writhe.page import Page

if TYPE_CHECKING:
    from writhe.run import Run

#: Numbers of a state; a copy.
Floats = NDArray[np.float64]
#: Of time, positions and velocities of the nodes of a rod.
NodalFunction: TypeAlias = Callable[[float, Floats, Floats], ArrayLike]
#: Rod, force, stiffness.
_Force: TypeAlias = tuple[int, NodalFunction, NodalFunction | None]


class SimulatedRod(RodLayout):
    """A rod of a simulation. Every array is a copy of the present state: it stays as it is when the
    simulation goes on. Vectors are in the axes of the scene."""

    def __init__(
        self,
        core: _core.Simulation,
        index: int,
        layout: tuple[int, int, bool],
        forces: list[_Force],
    ) -> None:
        """The rod of this number, from 0; ``forces`` are those of all rods."""
        self._core = core
        self._forces = forces
        self._index = index
        self._layout = layout

    @property
    def positions(self) -> Floats:
        """Positions of the nodes, m, shape (nodes, 3), a copy."""
        return self._core.of_rod(self._index, "positions")

    @property
    def velocities(self) -> Floats:
        """Velocities of the nodes, m/s, shape (nodes, 3), a copy."""
        return self._core.of_rod(self._index, "velocities")

    @property
    def directors(self) -> Floats:
        """Material directors of the edges, shape (edges, 3, 3), a copy: m1, m2 and the tangent, unit
        vectors in the axes of the scene."""
        m1 = self._core.of_rod(self._index, "directors")
        positions = self.positions
        following = np.roll(positions, -1, axis=0)[: self.edges]
        tangent = following - positions[: self.edges]
        tangent /= np.linalg.norm(tangent, axis=1, keepdims=True)
        return np.stack([m1, np.cross(tangent, m1), tangent], axis=1)

    @property
    def angular_velocities(self) -> Floats:
        """Rate at which each edge spins about its tangent, rad/s, shape (edges,), a copy."""
        return self._core.of_rod(self._index, "angular_velocities")

    @property
    def radius(self) -> Floats:
        """Radius of each edge, m, shape (edges,), a copy."""
        return self._core.of_rod(self._index, "radius")

    @property
    def rest_lengths(self) -> Floats:
        """Length of each edge at rest, m, shape (edges,), a copy."""
        return self._core.of_rod(self._index, "rest_lengths")

    @property
    def strain(self) -> Floats:
        """Length over length at rest less one, of each edge, shape (edges,), a copy."""
        return self._core.of_rod(self._index, "strain")

    @property
    def curvature(self) -> Floats:
        """Curvature binormal per length at rest, 1/m, shape (nodes, 3), a copy, in the axes of the
        scene: its length is the curvature; 0 at free ends."""
        return self._core.of_rod(self._index, "curvature")

    @property
    def twist(self) -> Floats:
        """Twist per length at rest, rad/m, shape (nodes,), a copy: positive for a right-handed turn,
        with all whole turns; 0 at free ends."""
        return self._core.of_rod(self._index, "twist")

    @property
    def internal_force(self) -> Floats:
        """Elastic force across each edge, N, shape (edges, 3), a copy, in the axes of the scene: what
        the part after it exerts on the part before."""
        return self._core.of_rod(self._index, "internal_force")

    @property
    def internal_moment(self) -> Floats:
        """Elastic moment across each node, N m, shape (nodes, 3), a copy, in the axes of the scene:
        what the part after it exerts on the part before, bending and twist together; 0 at free
        ends."""
        return self._core.of_rod(self._index, "internal_moment")

    @property
    def fluid_forces(self) -> Floats:
        """Force of a fluid of Stokeslet segments on the nodes in the last step, N, shape (nodes, 3),
        a copy; 0 without one, and before the first step."""
        return self._core.of_rod(self._index, "fluid_forces")

    def add_force(self, force: NodalFunction, stiffness: NodalFunction | None = None) -> None:
        """Lets a function say the force on each node.

        Arguments:
            force: ``force(time, positions, velocities)``: s, m and m/s, shape (nodes, 3), copies;
                returns N, shape (nodes, 3).
            stiffness: Of the same arguments: minus the derivative of the force on each node by its
                own position, N/m, shape (nodes, 3, 3). With it the force is asked at every trial of a
                step, and solved for. Without it the force is asked at the start of each step and
                holds until its end. It is then late by a step dt: a force that grows with a
                deflection by k, N/m, takes ``k dt``, N s/m, from whatever damps the node, and where
                that is less, motions grow.

        An exception in a function ends the step or run with that exception, and the simulation is at
        its last good state. Copies of the simulation have the same functions, and so has a pickle, if
        they can be pickled.

        Raises:
            SceneError: When one of them is no function; from a step, when it returns no such array.
        """
        for name, function in (("force", force), ("stiffness", stiffness)):
            if function is not None and not callable(function) or name == "force" and force is None:
                remedy = "give a function of time, positions and velocities"
                raise SceneError(f"{function!r} is no function", name, remedy)
        self._core.add_force(self._index, force, stiffness)
        self._forces.append((self._index, force, stiffness))

    def __repr__(self) -> str:
        """Its size."""
        closed = ", closed" if self.closed else ""
        return f"SimulatedRod({self.nodes} nodes{closed})"


@dataclass(frozen=True)
class RodContacts:
    """Contacts between rods, ``n`` of them. Arrays are copies.

    Attributes:
        rods: The two rods, which may be the same, shape (n, 2).
        arcs: Arc length at rest from the first node of each to the contact, m, shape (n, 2).
        gap: Distance of the surfaces, m, negative where they penetrate, shape (n,).
        force: Normal force, N, shape (n,).
        at: Middle between the centrelines, m, shape (n, 3).
        normal: Unit vector from the second to the first, along which the force pushes the first,
            shape (n, 3).
    """

    rods: NDArray[np.int64]
    arcs: Floats
    gap: Floats
    force: Floats
    at: Floats
    normal: Floats

    def __len__(self) -> int:
        """Number of contacts."""
        return len(self.force)


@dataclass(frozen=True)
class ObstacleContacts:
    """Contacts of rods with obstacles and bodies, ``n`` of them. Arrays are copies.

    Attributes:
        obstacle: The obstacle, from 0; those on bodies come last, shape (n,).
        rod: The rod, shape (n,).
        arc: Arc length at rest from its first node to the contact, m, shape (n,).
        gap: Distance of the surfaces, m, negative where they penetrate, shape (n,).
        force: Normal force, N, shape (n,).
        normal: Unit vector from the obstacle to the rod, shape (n, 3).
    """

    obstacle: NDArray[np.int64]
    rod: NDArray[np.int64]
    arc: Floats
    gap: Floats
    force: Floats
    normal: Floats

    def __len__(self) -> int:
        """Number of contacts."""
        return len(self.force)


@dataclass(frozen=True)
class Energies:
    """Energies of a state, and where they came from since the start, J.

    Attributes:
        stretch: Elastic energy of stretching.
        bend: Elastic energy of bending.
        twist: Elastic energy of twisting.
        kinetic: Kinetic energy of nodes, edges and bodies.
        loads: Potential of the loads that have one.
        contact: Energy stored in contact.
        work_loads: Work of gravity, forces, moments and moving air.
        work_supports: Work of what prescribes motion.
        work_motors: Work of motors and of changes of the model.
        work_contact: Work of contact without the energy that it stores.
        heat_drag: Heat by drag.
        heat_damping: Heat by damping.
        heat_friction: Heat by friction.
        scheme_gain: What the time scheme made; negative for what it lost.
    """

    stretch: float
    bend: float
    twist: float
    kinetic: float
    loads: float
    contact: float
    work_loads: float
    work_supports: float
    work_motors: float
    work_contact: float
    heat_drag: float
    heat_damping: float
    heat_friction: float
    scheme_gain: float

    @property
    def elastic(self) -> float:
        """Stretching, bending and twisting together."""
        return self.stretch + self.bend + self.twist

    @property
    def balance(self) -> float:
        """Elastic, kinetic and contact energy less works, plus heat, less what the time scheme made:
        the same in every state of a run, but for rounding."""
        works = self.work_loads + self.work_supports + self.work_motors + self.work_contact
        heat = self.heat_drag + self.heat_damping + self.heat_friction
        return self.elastic + self.kinetic + self.contact - works + heat - self.scheme_gain


@dataclass(frozen=True)
class Bodies:
    """Rigid bodies, ``n`` of them. Arrays are copies, vectors in the axes of the scene.

    Attributes:
        positions: Centres of mass, m, shape (n, 3).
        velocities: Their velocities, m/s, shape (n, 3).
        spins: Angular velocities, rad/s, shape (n, 3).
        orientations: Quaternions x, y, z, w that take the bodies' axes to those of the scene, shape
            (n, 4).
        kinetic: Kinetic energies with what is welded to them, J, shape (n,).
    """

    positions: Floats
    velocities: Floats
    spins: Floats
    orientations: Floats
    kinetic: Floats

    def __len__(self) -> int:
        """Number of bodies."""
        return len(self.kinetic)


class Simulation:
    """A scene in motion; `Scene.simulation` makes one. It works without the interpreter's lock, so
    that several can work in several threads; one must not be used by two threads at once."""

    def __init__(self, scene: str) -> None:
        """The simulation of a resolved scene, see `Scene.resolved`."""
        self._start(_core.Simulation(_core.Scene(scene, "", "")), scene)

    def _start(self, core: _core.Simulation, scene: str) -> None:
        self._core = core
        self._scene = scene
        self._forces: list[_Force] = []
        self._rods = [
            SimulatedRod(core, i, rod, self._forces) for i, rod in enumerate(core.rods)
        ]

    @classmethod
    def _of(cls, core: _core.Simulation, scene: str) -> Simulation:
        made = cls.__new__(cls)
        made._start(core, scene)
        return made

    # -- Going on

    def step(self, largest: float | None = None) -> Step:
        """Makes one step: of the size that the run has come to, or of at most ``largest``, s, where
        that is less. A step that fails is tried again with half its size.

        Returns:
            What it did: ``dt`` s, ``iterations`` of Newton's method, ``contacts``,
            ``largest_contact_force`` N, ``smallest_gap`` m.

        Raises:
            SimulationError: When no step can be made; the state is then the last good one.
            SceneError: When ``largest`` is not greater than zero.
        """
        return self._core.step(largest)

    @overload
    def run(
        self, *, until: float | None = None, to: None = None, progress: bool | None = None
    ) -> str | None: ...

    @overload
    def run(
        self,
        *,
        to: str | os.PathLike[str],
        resume: bool = False,
        progress: bool | None = None,
    ) -> Run: ...

    def run(
        self,
        *,
        until: float | None = None,
        to: str | os.PathLike[str] | None = None,
        resume: bool = False,
        progress: bool | None = None,
    ) -> Run | str | None:
        """Runs on, exactly to a time, or from the start to the end into a run directory.

        On its way it meets every output time of the scene, and it ends where a condition of
        ``Scene.stop`` is met: so its states are those of the command line, bit for bit.

        Arguments:
            until: Time to run to, s; the end of the scene unless given.
            to: Run directory to write, the same as ``writhe run`` writes. Only a simulation
                that is at its start can be recorded, to the end of the scene.
            resume: Whether to go on with the run in that directory from its last checkpoint.
            progress: Whether to show how far it is; in terminals and notebooks unless given.

        Returns:
            The condition that ended the run before its time, or ``None``; with ``to`` the `Run`.

        Raises:
            SimulationError: When no step can be made; the state is then the last good one, and it is
                saved in the directory.
            SceneError: When ``until`` is past, or the directory cannot be used.
            KeyboardInterrupt: On Ctrl-C, with the state of the last accepted step; a recorded run can
                be resumed.
        """
        from writhe.run import Run

        end = self._core.end if until is None else until
        with Progress(end, progress) as shown:
            if to is None:
                if resume:
                    remedy = "name its directory with to=.."
                    raise SceneError("only a run in a directory can be resumed", "resume", remedy)
                return self._core.run(until, shown.news)
            if until is not None:
                remedy = "leave it out, or set Time(duration=..) of the scene"
                raise SceneError("a recorded run ends with its scene", "until", remedy)
            self._core.record(os.fspath(to), resume, shown.news)
        return Run(to)

    def steps(self, until: float | None = None) -> Iterator[Step]:
        """Steps of the run to a time, s, or to the end of the scene, one by one: what stands in the
        loop sees every state of `run`, and may end it, or change what forces do::

            for step in sim.steps(until=1.0):
                if sim.rods[0].positions[-1, 2] < -0.1:
                    break

        Conditions of ``Scene.stop`` are not looked at.

        Raises:
            SimulationError: When no step can be made; the state is then the last good one.
            SceneError: When ``until`` is past.
        """
        end = self._core.end if until is None else until
        if not self.time <= end < math.inf:
            at = f"the simulation is at t = {self.time} s already"
            raise SceneError(f"cannot run to t = {end} s: {at}", "until", "give a later time in s")
        return self._steps(end)

    def _steps(self, end: float) -> Iterator[Step]:
        while self.time < end:
            yield self._core.advance(end)

    def settle(self) -> None:
        """Moves to static equilibrium under the loads of the present time, without fluid and other
        dissipation. The time stays, velocities end at zero.

        Raises:
            SimulationError: When no equilibrium is found.
        """
        self._core.settle()

    # -- What it shows

    @property
    def time(self) -> float:
        """Simulated time, s."""
        return self._core.time

    @property
    def rods(self) -> Sequence[SimulatedRod]:
        """The rods, in the order of the scene."""
        return self._rods

    @property
    def contacts(self) -> RodContacts:
        """Where rods touch rods."""
        return RodContacts(**self._core.contacts()[0])

    @property
    def obstacle_contacts(self) -> ObstacleContacts:
        """Where rods touch obstacles and bodies."""
        return ObstacleContacts(**self._core.contacts()[1])

    @property
    def energies(self) -> Energies:
        """Energies and their balance, J."""
        return Energies(**self._core.energies())

    @property
    def bodies(self) -> Bodies:
        """Rigid bodies."""
        return Bodies(**self._core.bodies())

    @property
    def fluid_forces(self) -> list[Floats]:
        """Force of the fluid on the nodes of each rod, N, an array (nodes, 3) each, copies."""
        return [rod.fluid_forces for rod in self._rods]

    @property
    def observables(self) -> dict[str, float]:
        """Every observable of the table of a run, by name, in SI; NaN for what does not exist."""
        return {name: value for name, _, value in self._core.observables()}

    @property
    def statistics(self) -> dict[str, Any]:
        """Counts so far: steps, rejected steps, iterations, contact."""
        return self._core.statistics

    def picture(self, size: tuple[int, int] = (800, 600)) -> bytes:
        """The rods as shaded tubes, without obstacles and bodies: a picture of ``size`` pixels, width
        and height, as the bytes of a PNG file. A notebook that may run no scripts shows it.

        Raises:
            SceneError: When no picture has such a size.
        """
        return self._core.picture(*pixels(size))

    def view(self, *, height: int = 480) -> Page:
        """The present state as a page to turn and zoom: rods, obstacles, bodies, contacts, the flow
        of a fluid. A notebook shows it in place of the simulation.

        Arguments:
            height: Of the page in a notebook, pixels.
        """
        from writhe.run import Run

        with tempfile.TemporaryDirectory() as place:
            state = os.path.join(place, f"t = {self.time:.6g} s")
            self._core.snapshot(state)
            return Run(state).view(height=height)

    def _repr_html_(self) -> str:
        return self.view()._repr_html_()

    def _repr_png_(self) -> bytes:
        return self.picture()

    # -- Copies and states

    @property
    def state(self) -> bytes:
        """All that a restart needs, bit for bit: named arrays in bytes. Setting it goes back, or on,
        to a state of the same scene; what follows is then the same, bit for bit.

        Raises:
            SceneError: When what is set is no state, or that of another scene.
        """
        return self._core.state

    @state.setter
    def state(self, state: bytes) -> None:
        if not isinstance(state, bytes):
    
            kind = type(state).__name__
            raise SceneError(f"a state is bytes, not {kind}", "state", "give what sim.state gave")
        self._core.restore(state)

    @property
    def scene(self) -> str:
        """The scene as a text with every default, see `Scene.resolved`."""
        return self._scene

    def copy(self) -> Simulation:
        """The same simulation in the same state, apart from this one."""
        made = self._of(self._core.copy(), self._scene)
        made._forces.extend(self._forces)
        return made

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Simulation:
        """As `copy`: nothing is shared."""
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle: the scene, the state and the functions; counts of steps begin anew."""
        return _restored, (self._scene, self.state, self._forces)

    def __repr__(self) -> str:
        """Where it is."""
        rods = len(self._rods)
        return f"Simulation(t = {self.time:.6g} s, {rods} rod{'' if rods == 1 else 's'})"


def _restored(scene: str, state: bytes, forces: list[_Force]) -> Simulation:
    """The simulation of a scene in a state, with forces."""
    core = _core.Simulation.restored(_core.Scene(scene, "", ""), state)
    made = Simulation._of(core, scene)
    for rod, force, stiffness in forces:
        made.rods[rod].add_force(force, stiffness)
    return made
