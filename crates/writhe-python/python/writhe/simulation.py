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
from writhe._check import function, index, seconds, vector, whole
from writhe._control import SHORTEST, Controller, act, between, check_free, target
from writhe._core import Step as Step
from writhe._extras import AddedForce, AddedPoint, Extras
from writhe._lag import judge
from writhe._part import Quantity
from writhe._progress import Progress
from writhe._recorded import record, said_so
from writhe._rod import RodLayout
from writhe._size import pixels
from writhe.drives import DrivenAngle, DrivenMotion, DrivenTorque, PointLoad
from writhe.errors import SceneError, SimulationError
from writhe.page import TALLEST, Page
from writhe.statics import Modes, Statics, modes_of, statics_of

if TYPE_CHECKING:
    from writhe.run import Run

#: Numbers of a state; a copy.
Floats = NDArray[np.float64]
#: Of time, positions and velocities of the nodes of a rod.
NodalFunction: TypeAlias = Callable[[float, Floats, Floats], ArrayLike]
#: What is called between steps.
ControlFunction: TypeAlias = Callable[["Simulation"], object]


class SimulatedRod(RodLayout):
    """A rod of a simulation. Every array is a copy of the present state: it stays as it is when the
    simulation goes on. Vectors are in the axes of the scene."""

    def __init__(
        self,
        core: _core.Simulation,
        index: int,
        layout: tuple[int, int, bool],
        extras: Extras,
    ) -> None:
        """The rod of this number, from 0; ``extras`` are those of the simulation."""
        self._core = core
        self._extras = extras
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
        tangent: Floats = following - positions[: self.edges]
        lengths: Floats = np.asarray(np.linalg.norm(tangent, axis=1, keepdims=True), dtype=np.float64)
        tangent = tangent / lengths
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

    def add_force(
        self, force: NodalFunction, stiffness: NodalFunction | None = None, *, probe: bool = True
    ) -> None:
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
            probe: Whether the first step warns (`StepWarning`) where motions would grow tenfold until
                the end of the scene: for that a force without stiffness is asked about forty times,
                at places and velocities a little beside the present ones. What gives other numbers
                for the same arguments is not judged.

        An exception in a function ends the step or run with that exception, and the simulation is at
        its last good state. Copies of the simulation have the same functions, and so has a pickle, if
        they can be pickled.

        Raises:
            SceneError: When one of them is no function; from a step, when it returns no such array.
        """
        what = "of time, positions and velocities"
        function(force, "force", what)
        if stiffness is not None:
            function(stiffness, "stiffness", what)
        added = AddedForce(self._index, force, stiffness)
        added.add(self._core)
        self._extras.loads.append(added)
        if probe and stiffness is None:
            self._extras.unjudged.append(added)

    def add_point_force(self, node: int, follows: int | None = None) -> PointLoad:
        """Adds a force on a node, 0 N at first, for a controller to set: ``load.value = [0, 0, 1e-3]``.

        Arguments:
            node: Which node, from 0; from the end where it is negative.
            follows: Edge whose frame the force turns with; its components are then along m1, m2 and
                the tangent of that edge. In the axes of the scene unless given.

        Raises:
            SceneError: When there is no such node or edge.
        """
        node = index(node, "node", self.nodes)
        edge = None if follows is None else index(follows, "follows", self.edges)
        return self._add(AddedPoint(self._index, node, edge, follows is not None), "N")

    def add_point_moment(self, edge: int, follows: bool = False) -> PointLoad:
        """Adds a moment on an edge, 0 N m at first, for a controller to set.

        Arguments:
            edge: Which edge, from 0; from the end where it is negative.
            follows: Whether it turns with the frame of the edge; its components are then along m1, m2
                and the tangent.

        Raises:
            SceneError: When there is no such edge.
        """
        edge = index(edge, "edge", self.edges)
        return self._add(AddedPoint(self._index, None, edge, bool(follows)), "N m")

    def _add(self, added: AddedPoint, unit: str) -> PointLoad:
        load = PointLoad(self._core, self._extras, added.add(self._core), unit)
        self._extras.loads.append(added)
        return load

    @property
    def forces(self) -> list[PointLoad]:
        """Forces of the scene on its nodes, in the order of ``Rod.forces``: each can be set, in place
        of what the scene says."""
        return self._of_scene(moments=False)

    @property
    def moments(self) -> list[PointLoad]:
        """Moments of the scene on its edges, in the order of ``Rod.moments``: each can be set, in place
        of what the scene says."""
        return self._of_scene(moments=True)

    def _of_scene(self, *, moments: bool) -> list[PointLoad]:
        return [
            PointLoad(self._core, self._extras, index, "N m" if moment else "N")
            for index, moment, rod, _ in self._core.scene_points
            if moment == moments and rod == self._index
        ]

    @property
    def clamps(self) -> list[DrivenMotion]:
        """Its clamps, in the order of the scene: each can follow a function, or be set to move."""
        return self._motions("clamp", "edge")

    @property
    def held(self) -> list[DrivenMotion]:
        """Its held nodes, in the order of the scene. Of a node the held axes alone follow."""
        return self._motions("held", "node")

    @property
    def held_angles(self) -> list[DrivenAngle]:
        """Its held angles, in the order of the scene."""
        return [
            DrivenAngle(self._core, self._extras, ("support", at), f"angle of edge {edge}")
            for at, (kind, rod, edge) in enumerate(self._core.supports)
            if kind == "held_angle" and rod == self._index
        ]

    def _motions(self, wanted: str, what: str) -> list[DrivenMotion]:
        return [
            DrivenMotion(self._core, self._extras, ("support", at), f"{what} {place}")
            for at, (kind, rod, place) in enumerate(self._core.supports)
            if kind == wanted and rod == self._index
        ]

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
        self._extras = Extras()
        self._rods = [
            SimulatedRod(core, i, rod, self._extras) for i, rod in enumerate(core.rods)
        ]

    @classmethod
    def _of(cls, core: _core.Simulation, scene: str) -> Simulation:
        made = cls.__new__(cls)
        made._start(core, scene)
        return made

    # -- Going on

    def step(self, largest: Quantity | None = None) -> Step:
        """Makes one step: of the size that the run has come to, or of at most ``largest``, s, where
        that is less. A step that fails is tried again with half its size.

        Returns:
            What it did: ``dt`` s, ``iterations`` of Newton's method, ``contacts``,
            ``largest_contact_force`` N, ``smallest_gap`` m.

        Raises:
            SimulationError: When no step can be made; the state is then the last good one.
            SceneError: When ``largest`` is no time, or none that a step can have.
        """
        size = None if largest is None else seconds(largest, "largest")
        judge(self._core, self._rods, self._extras)
        act(self, self._core, self._extras.controllers)
        end = target(self._core, self._extras.controllers, math.inf)
        return self._core.step(size, None if end == math.inf else end)

    @overload
    def run(
        self,
        *,
        until: Quantity | None = None,
        to: None = None,
        stop: ControlFunction | None = None,
        progress: bool | None = None,
    ) -> str | None: ...

    @overload
    def run(
        self,
        *,
        to: str | os.PathLike[str],
        resume: bool = False,
        stop: ControlFunction | None = None,
        progress: bool | None = None,
    ) -> Run: ...

    def run(
        self,
        *,
        until: Quantity | None = None,
        to: str | os.PathLike[str] | None = None,
        resume: bool = False,
        stop: ControlFunction | None = None,
        progress: bool | None = None,
    ) -> Run | str | None:
        """Runs on, exactly to a time, or from the start to the end into a run directory. A time that
        is the present one but for rounding is reached: no step is made.

        On its way it meets every output time of the scene, and it ends where a condition of
        ``Scene.stop`` is met: so its states are those of the command line, bit for bit.

        Arguments:
            until: Time to run to, s, or a text such as "20 ms"; the end of the scene unless given.
            to: Run directory to write, the same as ``writhe run`` writes. Only a simulation
                that is at its start can be recorded, to the end of the scene. Controllers, forces,
                functions and what was set lead it as any run, and observables that were added are
                columns of its table; its file ``functions.json`` then says so, and nobody can resume
                it.
            resume: Whether to go on with the run in that directory from its last checkpoint: one that
                the scene alone leads.
            stop: ``stop(sim)``, asked after every step: what is true ends the run.
            progress: Whether to show how far it is; in terminals and notebooks unless given.

        Returns:
            The condition that ended the run before its time, or ``None``; with ``to`` the `Run`.

        Raises:
            SimulationError: When no step can be made; the state is then the last good one, and it is
                saved in the directory.
            SceneError: When ``until`` is past or no time, or the directory cannot be used.
            KeyboardInterrupt: On Ctrl-C, with the state of the last accepted step; a recorded run can
                be resumed.
        """
        from writhe.run import Run

        check_free(self._extras)
        end = self._core.end if until is None else seconds(until, "until")
        with Progress(end, progress) as shown:
            if to is None:
                if resume:
                    remedy = "name its directory with to=.."
                    raise SceneError("only a run in a directory can be resumed", "resume", remedy)
                if stop is not None:
                    function(stop, "stop", "of the simulation")
                return self._run(end, stop, shown.news)
            if until is not None:
                remedy = "leave it out, or set Time(duration=..) of the scene"
                raise SceneError("a recorded run ends with its scene", "until", remedy)
            if stop is not None:
                function(stop, "stop", "of the simulation")
            if not self._is_led(stop):
                self._core.record(os.fspath(to), resume, shown.news)
            elif resume:
                remedy = "run it again, into another directory"
                raise SceneError("what functions of Python lead cannot be resumed", "resume", remedy)
            else:
                record(self, os.fspath(to), stop, shown.news)
        return Run(to)

    def _is_led(self, stop: ControlFunction | None) -> bool:
        """Whether a run is another one than that of the scene."""
        extras = self._extras
        called = stop is not None or bool(extras.controllers) or bool(extras.observables)
        return called or self._core.is_led

    def _run(
        self, end: float, stop: ControlFunction | None, news: Callable[[float], object] | None
    ) -> str | None:
        """Runs to a time, s, and calls whoever is to be called on the way."""
        judge(self._core, self._rods, self._extras)
        controllers = self._extras.controllers
        if not controllers and stop is None:
            return self._core.run(end, False, news)
        if not (self._is_before(end) and end < math.inf):
            # Says what is wrong, if anything is.
            return self._core.run(end, False, news)
        once = stop is not None or any(controller.every == 0.0 for controller in controllers)
        while self._is_before(end):
            act(self, self._core, controllers)
            met = self._core.run(target(self._core, controllers, end), once, news)
            if met is not None:
                return met
            if stop is not None and between(self, stop):
                return said_so(stop)
        return None

    def _is_before(self, end: float) -> bool:
        """Whether a time, s, is still to come: by more than rounding."""
        return self.time + self._core.same_time < end

    @overload
    def every(self, dt: Quantity, function: ControlFunction) -> ControlFunction: ...

    @overload
    def every(
        self, dt: Quantity, function: None = None
    ) -> Callable[[ControlFunction], ControlFunction]: ...

    def every(
        self, dt: Quantity, function: ControlFunction | None = None
    ) -> ControlFunction | Callable[[ControlFunction], ControlFunction]:
        """Calls a function now and every ``dt`` of simulated time, between steps: a controller. It may
        look at everything and set what drives::

            @sim.every(0.01)
            def control(sim):
                error = 0.1 - sim.rods[0].positions[-1, 2]
                sim.rods[0].clamps[0].move(velocity=[0, 0, 2 * error])

        Steps end exactly at those times: the present one, and whole multiples of ``dt`` later. The
        function is called before the step that begins there, by `step`, `steps` and `run` alike, never
        at the end of the work; one that is set back to such a time by `state` calls it again. Several
        functions are called in the order in which they were added. Copies and pickles have them.

        Arguments:
            dt: Simulated time between two calls, s, or a text such as "20 ms"; 0 for a call before every step.
            function: ``function(sim)``; without it `every` is a decorator.

        Returns:
            The function.

        Raises:
            SceneError: When ``dt`` is negative, shorter than 1e-9 s and not 0, or no finite number, or
                the function cannot be called.

        A function that makes steps itself gets a `SimulationError`.
        """
        every = seconds(dt, "dt")
        if every < 0.0:
            raise SceneError(f"`dt` is {dt}", "dt", "give a time in s that is not negative")
        if 0.0 < every < SHORTEST:
            remedy = f"give 0 for a call before every step, or at least {SHORTEST} s"
            raise SceneError(f"`dt` is {dt} s, too short to be told apart", "dt", remedy)

        def add(wanted: ControlFunction) -> ControlFunction:
            if not callable(wanted):
                remedy = "give a function of the simulation"
                raise SceneError(f"{wanted!r} is no function", "function", remedy)
            self._extras.controllers.append(Controller(self.time, every, wanted))
            return wanted

        return add if function is None else add(function)

    def steps(self, until: Quantity | None = None) -> Iterator[Step]:
        """Steps of the run to a time, s, or to the end of the scene, one by one: what stands in the
        loop sees every state of `run`, and may end it, or change what forces do::

            for step in sim.steps(until=1.0):
                if sim.rods[0].positions[-1, 2] < -0.1:
                    break

        Conditions of ``Scene.stop`` are not looked at.

        Raises:
            SimulationError: When no step can be made; the state is then the last good one.
            SceneError: When ``until`` is past or no time.
        """
        check_free(self._extras)
        end = self._core.end if until is None else seconds(until, "until")
        if not self.time - self._core.same_time <= end < math.inf:
            at = f"the simulation is at t = {self.time} s already"
            raise SceneError(f"cannot run to t = {end} s: {at}", "until", "give a later time in s")
        return self._steps(end)

    def _steps(self, end: float) -> Iterator[Step]:
        judge(self._core, self._rods, self._extras)
        while self._is_before(end):
            act(self, self._core, self._extras.controllers)
            yield self._core.advance(target(self._core, self._extras.controllers, end))

    def settle(self) -> None:
        """Moves to static equilibrium under the loads of the present time, without fluid and other
        dissipation. The time stays, velocities end at zero.

        Raises:
            SimulationError: When no equilibrium is found.
        """
        check_free(self._extras)
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
    def driven_bodies(self) -> dict[int, DrivenMotion]:
        """Bodies whose motion is prescribed, by number."""
        return {
            body: DrivenMotion(self._core, self._extras, ("support", at), f"body {body}")
            for at, (kind, body, _) in enumerate(self._core.supports)
            if kind == "body"
        }

    @property
    def obstacles(self) -> list[DrivenMotion]:
        """The obstacles, in the order of the scene: each can follow a function, or be set to move."""
        return [
            DrivenMotion(self._core, self._extras, ("obstacle", at), f"obstacle {at}")
            for at in range(self._core.obstacles)
        ]

    @property
    def angle_motors(self) -> dict[int, DrivenAngle]:
        """Motors that follow an angle, by the number of their joint."""
        return {
            joint: DrivenAngle(self._core, self._extras, ("motor", joint), f"joint {joint}")
            for joint, is_angle in self._core.motors
            if is_angle
        }

    @property
    def torque_motors(self) -> dict[int, DrivenTorque]:
        """Motors with a torque, by the number of their joint."""
        return {
            joint: DrivenTorque(self._core, self._extras, ("motor", joint), f"joint {joint}")
            for joint, is_angle in self._core.motors
            if not is_angle
        }

    @property
    def gravity(self) -> Floats:
        """Acceleration, m/s^2, shape (3,), a copy; 0 without. Set, it stays so until it is set again."""
        return np.array(self._core.gravity)

    @gravity.setter
    def gravity(self, gravity: ArrayLike) -> None:
        self._core.set_gravity(vector(gravity, "gravity", "m/s^2"))

    @property
    def fluid_forces(self) -> list[Floats]:
        """Force of the fluid on the nodes of each rod, N, an array (nodes, 3) each, copies."""
        return [rod.fluid_forces for rod in self._rods]

    @property
    def observables(self) -> dict[str, float]:
        """Every observable of the table of a run, by name, in SI; NaN for what does not exist. Those of
        `add_observable` come last.

        Raises:
            SceneError: When a function of `add_observable` returns no number.
        """
        seen = {name: value for name, _, value in self._core.observables()}
        return {**seen, **self._added_observables()}

    def _added_observables(self) -> dict[str, float]:
        added = self._extras.observables.items()
        return {name: _observed(name, wanted(self)) for name, (_, wanted) in added}

    @property
    def units(self) -> dict[str, str]:
        """Unit of every observable, by name."""
        units = {name: unit for name, unit, _ in self._core.observables()}
        return {**units, **{name: unit for name, (unit, _) in self._extras.observables.items()}}

    def add_observable(self, name: str, unit: str, function: Callable[[Simulation], float]) -> None:
        """Adds an observable: a number of the state, which `observables` shows, copies have, and a
        recorded run has in its table.

        Arguments:
            name: What it is called: no name of `observables` yet; for recorded runs of letters,
                digits and underscores.
            unit: In which unit it is; empty for a number alone.
            function: ``function(sim)``, returns a number.

        Raises:
            SceneError: When the name is taken or no text, or the function cannot be called.
        """
        for given, key in ((name, "name"), (unit, "unit")):
            if not isinstance(given, str) or key == "name" and not given:
                raise SceneError(f"`{key}` is {given!r}", key, "give a text")
        if not callable(function):
            remedy = "give a function of the simulation"
            raise SceneError(f"{function!r} is no function", "function", remedy)
        if name in self.units:
            raise SceneError(f"there is an observable `{name}` already", "name", "call it something else")
        self._extras.observables[name] = (unit, function)

    def statics(self) -> Statics:
        """Forces at the present place and time, at rest and without what dissipates, and their
        derivative: elastic energy, gravity, forces, moments, contact, functions with a stiffness; of
        the unknowns that are free.

        Angles count from frames that are carried along with their edges without a turn about them
        (parallel transport): derivatives are by such angles.

        Raises:
            SimulationError: When there are rigid bodies, wind or friction at a contact, when a force
                of Python lags, or steps are explicit: they have no such problem.
        """
        return statics_of(self._core.statics(True))

    def residual(self) -> Floats:
        """What is out of balance, N for positions and N m for angles, shape (n,), a copy, in the order
        of `Statics.unknowns`: derivative of the elastic energy less all other forces; 0 in
        equilibrium. See `statics`, also for what it raises."""
        return self.statics().residual

    def stiffness(self) -> Any:
        """Derivative of `residual` by the unknowns, a ``scipy.sparse.csc_array`` of shape (n, n), a
        copy: symmetric where all forces have a potential. See `statics`, also for what it raises, and
        for the same as triplets.

        Raises:
            ModuleNotFoundError: Without scipy.
        """
        return self.statics().sparse

    def modes(self, count: int = 6) -> Modes:
        """The slowest vibrations about the present equilibrium, with lumped masses and without
        damping. Many unknowns need scipy.

        Arguments:
            count: How many.

        Raises:
            SceneError: When there are not so many, or none.
            SimulationError: When the state is no equilibrium or an unstable one, the stiffness is not
                symmetric (a force follows the rod, or is a moment), there is a fluid whose flow couples the nodes, or where `statics` raises it.
            ModuleNotFoundError: When there are more unknowns than can be done without scipy.
        """
        if isinstance(count, bool) or not isinstance(count, (int, np.integer)):
            raise SceneError(f"`count` is {count!r}, no whole number", "count", "give a whole number")
        found = self._core.statics(True)
        if found["has_fluid"]:
            raise SimulationError(
                "in a fluid of Stokeslet segments drag is part of every motion, and modes know none",
                remedy="a scene without fluid",
            )
        return modes_of(statics_of(found), self._rods, int(count))

    @property
    def statistics(self) -> dict[str, Any]:
        """Counts so far: steps, rejected steps, iterations, contact."""
        return self._core.statistics

    def picture(
        self,
        size: tuple[int, int] = (800, 600),
        *,
        colour: str | None = None,
        contacts: bool = False,
        legend: bool = True,
    ) -> bytes:
        """The present state as a picture, with obstacles, bodies, joints and clamps: the bytes of a
        PNG file of ``size`` pixels, width and height. A notebook that may run no scripts shows it.

        Arguments:
            size: Width and height, pixels.
            colour: What colours show: ``"rod"``, ``"one"``, ``"curvature"``, ``"twist"``, ``"stretch"``,
                ``"speed"`` or ``"force"``; by default the rod, and one colour beyond 12 rods.
            contacts: Whether arrows show the forces of contact.
            legend: Whether time, colours, arrows and a length are told below the picture.

        Raises:
            SceneError: When no picture has such a size, or nothing is coloured by what is asked.
        """
        shape = list(pixels(size))
        shown = self.copy()
        with tempfile.TemporaryDirectory() as place:
            wanted = (colour, contacts, legend)
            return shown._core.picture(os.path.join(place, "state"), shape, wanted)

    def view(self, *, height: int = 480) -> Page:
        """The present state as a page to turn and zoom: rods, obstacles, bodies, contacts, the flow
        of a fluid. A notebook shows it in place of the simulation.

        Arguments:
            height: Of the page in a notebook, pixels.

        Raises:
            SceneError: When no page has such a height.
        """
        whole(height, "height", 1, TALLEST)
        shown = self.copy()
        with tempfile.TemporaryDirectory() as place:
            state = os.path.join(place, f"t = {self.time:.6g} s")
            return Page(shown._core.page(state), height)

    def _repr_html_(self) -> str:
        return self.view()._repr_html_()

    def _repr_png_(self) -> bytes:
        return self.picture()

    # -- Copies and states

    @property
    def state(self) -> bytes:
        """All that a restart needs, bit for bit: named arrays in bytes. Setting it goes back, or on,
        to a state of the same scene; what follows is then the same, bit for bit. What was set is part
        of it: velocities of what is driven, torques, point loads, gravity. Functions are not: they
        are the simulation's.

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
        self._extras.give(made._extras, made._core)
        self._extras.drive(made._core)
        made._core.restore_controls(self.state)
        return made

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Simulation:
        """As `copy`: nothing is shared."""
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle: the scene, the state and the functions; counts of steps begin anew."""
        return _restored, (self._scene, self.state, self._extras)

    def __repr__(self) -> str:
        """Where it is."""
        rods = len(self._rods)
        return f"Simulation(t = {self.time:.6g} s, {rods} rod{'' if rods == 1 else 's'})"


def _observed(name: str, value: object) -> float:
    """What a function says of the state, as a number; NaN is one."""
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError) as error:
        remedy = "return a number"
        raise SceneError(f"the observable `{name}` is {value!r}, no number", name, remedy) from error


def _restored(scene: str, state: bytes, extras: Extras) -> Simulation:
    """The simulation of a scene in a state, with what was added."""
    core = _core.Simulation.bare(_core.Scene(scene, "", ""))
    made = Simulation._of(core, scene)
    extras.give(made._extras, core)
    extras.drive(core)
    core.restore(state)
    return made
