"""Rods: shapes, sections, materials, supports, loads."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Any, TypeAlias

from numpy.typing import NDArray

from writhe._along import spread
from writhe._check import metres, seconds
from writhe._part import Part, Quantity, Vector
from writhe._sampled import StrainFunction, sampled
from writhe.motion import InTime, Motion, TableFile

#: A node or an edge: a number from 0, ``"first"`` or ``"last"``.
End: TypeAlias = int | str


class Straight(Part, table="shape", choice="straight"):
    """A straight line cut into equal edges.

    Arguments:
        to: End. In m, shape (3,).
        edges: Number of edges. From 1 to 1000000.
        from_: Start. In m, shape (3,); ``[0, 0, 0]`` unless given.
    """

    to: Vector
    edges: int
    from_: Vector | None = None


class Arc(Part, table="shape", choice="arc"):
    """An arc of a circle cut into equal edges; nodes lie on the circle.

    Arguments:
        radius: Radius of the circle. In m, greater than zero.
        angle: Angle of the arc. In rad, greater than zero.
        edges: Number of edges. From 1 to 1000000.
        from_: Start. In m, shape (3,); ``[0, 0, 0]`` unless given.
        tangent: Direction in which it starts. Shape (3,); ``[1, 0, 0]`` unless given.
        towards: Direction towards the centre; its part along the tangent is ignored. Shape (3,);
            ``[0, 1, 0]`` unless given.
    """

    radius: Quantity
    angle: Quantity
    edges: int
    from_: Vector | None = None
    tangent: Vector | None = None
    towards: Vector | None = None


class Helix(Part, table="shape", choice="helix"):
    """A helix cut into equal edges; nodes lie on the helix.

    Arguments:
        radius: Radius of the centreline. In m, greater than zero.
        pitch: Advance along the axis per turn. In m, greater than zero.
        turns: Number of turns; need not be whole. Greater than zero.
        edges: Number of edges. From 1 to 1000000.
        center: Point of the axis where the helix starts. In m, shape (3,); ``[0, 0, 0]`` unless
            given.
        axis: Direction of the axis. Shape (3,); ``[1, 0, 0]`` unless given.
        start: Direction from the axis to the first node. Shape (3,); ``[0, 1, 0]`` unless given.
        left_handed: Whether it is left-handed. No unless given.
    """

    radius: Quantity
    pitch: Quantity
    turns: Quantity
    edges: int
    center: Vector | None = None
    axis: Vector | None = None
    start: Vector | None = None
    left_handed: bool | None = None


class Ring(Part, table="shape", choice="ring"):
    """A closed ring cut into equal edges.

    Arguments:
        radius: Radius of the circle through the nodes. In m, greater than zero.
        edges: Number of edges. From 3 to 1000000.
        center: Centre. In m, shape (3,); ``[0, 0, 0]`` unless given.
        axis: Normal of its plane. Shape (3,); ``[0, 0, 1]`` unless given.
        start: Direction from the centre to the first node. Shape (3,); ``[1, 0, 0]`` unless given.
        aspect: Ratio of the semi-axes, second over first; an ellipse keeps the circle's perimeter.
            Greater than zero; 1 unless given.
    """

    radius: Quantity
    edges: int
    center: Vector | None = None
    axis: Vector | None = None
    start: Vector | None = None
    aspect: Quantity | None = None


class Nodes(Part, table="shape"):
    """A shape given by its nodes. Where a shape is wanted, the array alone means the same.

    Arguments:
        nodes: Positions of the nodes. In m, shape (.., 3).
    """

    nodes: Sequence[Vector] | NDArray[Any]


class NodesFile(Part, table="shape"):
    """A shape given by a file.

    Arguments:
        file: A file with the nodes: x, y, z in the columns of these names, or else in the first
            three, m; or a table that names its columns and their units.
    """

    file: str | PathLike[str] | TableFile


#: Shape of a rod; an array of shape (nodes, 3) is one.
Shape: TypeAlias = Straight | Arc | Helix | Ring | Nodes | NodesFile | Sequence[Vector] | NDArray[Any]


class Along(Part, table="along"):
    """Values along a rod as a table over arc length, linear between its rows: taken in the middle of
    each edge, or at each vertex.

    Arguments:
        table: Rows ``[arc length, value]``, m from the start of the rod, ascending, over all of the
            rod; of a rest curvature ``[arc length, along m1, along m2]``.
        file: A file with such a table, in place of ``table``.
        columns: Which columns of the file are meant, by name or by number from 0.
        units: Units of their bare numbers; those of the header, or SI unless given.
    """

    table: Sequence[Sequence[Quantity]] | NDArray[Any] | None = None
    file: str | PathLike[str] | None = None
    columns: Sequence[str | int] | None = None
    units: Sequence[str] | None = None


#: One for a whole rod, an array of shape (edges,) with one for each edge, or a table over arc length.
AlongRod: TypeAlias = Quantity | Sequence[Quantity] | NDArray[Any] | Along


class RingOfCopies(Part, table="repeat.ring"):
    """Copies around an axis, each the one before it, turned.

    Arguments:
        center: A point of the axis. In m, shape (3,); ``[0, 0, 0]`` unless given.
        axis: Direction of the axis. Shape (3,); ``[0, 0, 1]`` unless given.
        angle: Angle from each copy to the next; a full turn over the number of copies unless given.
            In rad.
    """

    center: Vector | None = None
    axis: Vector | None = None
    angle: Quantity | None = None


class RandomPlace(Part, table="repeat.random"):
    """What is random of the place of each copy, the same in every run.

    Arguments:
        size: Sides of the box around its place in which the copy is put. In m, shape (3,), zero or
            greater; ``[0, 0, 0]`` unless given.
        turn: Axis about which it is turned by any angle, or ``"any"`` for any rotation, about the
            middle of its nodes; not turned unless given. Shape (3,), or ``"any"``.
    """

    size: Vector | None = None
    turn: str | Vector | None = None


class Repeat(Part, table="repeat"):
    """Copies of a rod. Texts of the rod may hold expressions of ``i``, ``j``, ``k`` (its place in the
    grid), ``copy``, ``n`` and ``random``, as in ``"0.1*i mm"``.

    Arguments:
        count: How many, or how many along x, y and z: ``[10, 5]``.
        step: Displacement from each copy to the next. In m, shape (3,).
        spacing: Distances of a grid, one for each number of ``count``. In m.
        ring: A ring of copies.
        random: What is random of each copy's place.
        seed: Chooses the random numbers. 0 unless given.
    """

    count: int | Sequence[int]
    step: Vector | None = None
    spacing: Sequence[Quantity] | NDArray[Any] | None = None
    ring: RingOfCopies | None = None
    random: RandomPlace | None = None
    seed: int | None = None


class Circle(Part, table="section", choice="circle"):
    """A solid circle.

    Arguments:
        radius: Radius. In m, greater than zero; may be an array of shape (edges,).
    """

    radius: AlongRod


class Ellipse(Part, table="section", choice="ellipse"):
    """A solid ellipse.

    Arguments:
        a: Semi-axis along the material director m1. In m, greater than zero; may be an array of
            shape (edges,).
        b: Semi-axis along m2. In m, greater than zero; may be an array of shape (edges,).
    """

    a: AlongRod
    b: AlongRod


class Rectangle(Part, table="section", choice="rectangle"):
    """A solid rectangle.

    Arguments:
        a: Full width along the material director m1. In m, greater than zero; may be an array of
            shape (edges,).
        b: Full width along m2. In m, greater than zero; may be an array of shape (edges,).
    """

    a: AlongRod
    b: AlongRod


class Stiffness(Part, table="section", choice="stiffness"):
    """A section given by its stiffnesses and masses, which needs no material. Each may be an array
    of shape (edges,).

    Arguments:
        ea: EA, against stretch. In N, greater than zero; may be an array of shape (edges,).
        ei1: EI1, against curvature along the material director m1. In N m^2, greater than zero; may
            be an array of shape (edges,).
        gj: GJ, against twist. In N m^2, greater than zero; may be an array of shape (edges,).
        mass_per_length: Mass per length. In kg/m, greater than zero; may be an array of shape
            (edges,).
        radius: Radius for contact, fluid and pictures. In m, greater than zero; may be an array of
            shape (edges,).
        ei2: EI2, against curvature along m2. In N m^2, greater than zero; as ``ei1`` unless given;
            may be an array of shape (edges,).
        inertia_per_length: Inertia per length about the tangent, rho (I1 + I2). In kg m, greater
            than zero; that of a solid circle of this radius unless given; may be an array of shape
            (edges,).
    """

    ea: AlongRod
    ei1: AlongRod
    gj: AlongRod
    mass_per_length: AlongRod
    radius: AlongRod
    ei2: AlongRod | None = None
    inertia_per_length: AlongRod | None = None


#: Cross section of a rod.
Section: TypeAlias = Circle | Ellipse | Rectangle | Stiffness


class Material(Part, table="material"):
    """An isotropic linear elastic material. Each value may be an array of shape (edges,).

    Arguments:
        young: Young's modulus. In Pa, greater than zero; may be an array of shape (edges,).
        density: Density. In kg/m^3, greater than zero; may be an array of shape (edges,).
        poisson: Poisson's ratio; excludes ``shear``. Greater than -1 and at most 0.5; may be an
            array of shape (edges,).
        shear: Shear modulus; excludes ``poisson``. In Pa, greater than zero; may be an array of
            shape (edges,).
    """

    young: AlongRod
    density: AlongRod
    poisson: AlongRod | None = None
    shear: AlongRod | None = None


class Override(Part, table="overrides"):
    """Edges that differ from the rest of a rod.

    Arguments:
        edges: First and last of them, from 0, both included.
        section: Their section.
        material: Their material.
    """

    edges: Sequence[int]
    section: Section | None = None
    material: Material | None = None


class Clamp(Part, table="clamps"):
    """A clamped edge: both nodes and the angle follow a motion.

    Arguments:
        edge: Which edge. A number from 0, ``"first"`` or ``"last"``.
        motion: How it moves. ``"still"`` unless given.
        half_edge: Whether half of the edge lies behind the stated end of the rod, so that lengths
            count from the clamp; first and last edges only. No unless given.
    """

    edge: End
    motion: Motion | None = None
    half_edge: bool | None = None


class Held(Part, table="held"):
    """A node of which some coordinates are held.

    Arguments:
        node: Which node. A number from 0, ``"first"`` or ``"last"``.
        axes: Which coordinates: letters of ``"xyz"``. ``"xyz"`` unless given.
        motion: How they move. ``"still"`` unless given.
    """

    node: End
    axes: str | None = None
    motion: Motion | None = None


class HeldAngle(Part, table="held_angles"):
    """An edge whose angle about its tangent is held.

    Arguments:
        edge: Which edge. A number from 0, ``"first"`` or ``"last"``.
        angle: Angle relative to the start. In rad; 0 unless given.
    """

    edge: End
    angle: InTime | None = None


class Force(Part, table="forces"):
    """A force on a node.

    Arguments:
        node: Which node. A number from 0, ``"first"`` or ``"last"``.
        force: Components in space, or along m1, m2 and the tangent of the edge that it follows. In
            N, shape (3,).
        amplitude: Factor in time. 1 unless given.
        follows: Edge whose material frame the force turns with; it keeps its direction unless
            given. A number from 0, ``"first"`` or ``"last"``.
    """

    node: End
    force: Vector
    amplitude: InTime | None = None
    follows: End | None = None


class Moment(Part, table="moments"):
    """A moment on an edge.

    Arguments:
        edge: Which edge. A number from 0, ``"first"`` or ``"last"``.
        moment: Components in space, or along m1, m2 and the tangent of the edge that it follows. In
            N m, shape (3,).
        amplitude: Factor in time. 1 unless given.
        follows: Whether it turns with the edge's material frame. No unless given.
    """

    edge: End
    moment: Vector
    amplitude: InTime | None = None
    follows: bool | None = None


class Plane(Part, table="plane"):
    """A plane that a foundation holds a rod on.

    Arguments:
        point: A point of the plane. In m, shape (3,); ``[0, 0, 0]`` unless given.
        normal: Normal of the plane. Shape (3,); ``[0, 0, 1]`` unless given.
    """

    point: Vector | None = None
    normal: Vector | None = None


class Foundation(Part, table="foundation"):
    """An elastic foundation (Winkler): springs along a rod, which pull as they push.

    Arguments:
        normal: Stiffness per length across the rod as it began, or from the plane. In Pa, zero or
            greater; 0 unless given.
        tangential: Stiffness per length along it, or in the plane. In Pa, zero or greater; 0 unless
            given.
        edges: First and last edge, from 0, of the part that is held; all of the rod unless given.
        plane: The plane that holds the rod; the place where the rod began unless given.
    """

    normal: Quantity | None = None
    tangential: Quantity | None = None
    edges: Sequence[int] | None = None
    plane: Plane | None = None


class LineLoad(Part, table="line_loads"):
    """A force per length on a whole rod that follows it: a pressure in a plane, or a force that turns
    with the material frame.

    Arguments:
        pressure: Pressure to the left of the rod in a plane; excludes ``force``. In N/m.
        normal: Normal of that plane, towards whoever looks; z unless given. Shape (3,).
        force: Along m1, m2 and the tangent of each edge; excludes ``pressure``. In N/m, shape (3,).
        amplitude: Factor in time. 1 unless given.
    """

    pressure: Quantity | None = None
    normal: Vector | None = None
    force: Vector | None = None
    amplitude: InTime | None = None


class Driven(Part, table="driven"):
    """A strain at rest that is driven, on top of that of the rest shape: as a wave that travels to the
    end of the rod, or by a table over time and arc length.

    Arguments:
        strain: Which strain. ``"curvature1"``, ``"curvature2"``, ``"twist"`` or ``"stretch"``.
        amplitude: Largest value of the wave, in the unit of the strain; excludes ``table`` and
            ``file``.
        wavelength: Length of the wave; negative where it travels to the start of the rod. All of
            the rod goes in step unless given. In m.
        period: Period of the wave; it stands still unless given. In s, greater than zero.
        phase: Phase at the start of the rod; 0 unless given. In rad.
        envelope: Factors at equally spaced places from the start of the rod to its end, linear
            between them; 1 unless given.
        ramp: Time over which the wave grows from nothing; 0 unless given. In s, zero or greater.
        table: A row of arc lengths ``[0, place, ..]``, m, then rows ``[time, value, ..]``, s and
            the unit of the strain; linear between, constant outside.
        file: A file with such rows, in place of ``table``.
    """

    strain: str
    amplitude: Quantity | None = None
    wavelength: Quantity | None = None
    period: Quantity | None = None
    phase: Quantity | None = None
    envelope: Sequence[Quantity] | NDArray[Any] | None = None
    ramp: Quantity | None = None
    table: Sequence[Sequence[Quantity]] | NDArray[Any] | None = None
    file: str | PathLike[str] | None = None

    @classmethod
    def of_function(
        cls,
        strain: str,
        function: StrainFunction,
        *,
        length: Quantity,
        duration: Quantity,
        tolerance: float = 1e-3,
    ) -> Driven:
        """A strain at rest that a function says: the ``table`` that follows it. So scenes are saved,
        sent and run as with any table, and the function is not asked again.

        Arguments:
            strain: Which strain, as above.
            function: ``function(s, t)`` of arc lengths from the start of the rod, m, an array of
                shape (places,), and a time, s. It returns values in the unit of the strain, shape
                (places,), or one number for all places. It must be continuous.
            length: Length of the rod. In m, greater than zero.
            duration: How long the function is followed, from t = 0; after that the strain stays as
                it is then. In s, greater than zero.
            tolerance: Largest difference between table and function, as a part of the largest value
                of the function. Greater than 0 and at most 0.1; 0.001 unless given.

        The table is refined where the function bends until it holds the tolerance, between its points
        too. What is shorter than 1/250 of the length or duration may not be seen. An exception in
        the function goes on to the caller.

        Raises:
            SceneError: When the function returns no finite numbers or those of another shape, jumps,
                or needs a table of more than 500000 values; or when another argument is of no use.
        """
        table = sampled(function, metres(length, "length"), seconds(duration, "duration"), tolerance)
        return cls(strain=strain, table=table)


class Viscous(Part, table="viscous"):
    """Retardation times of dashpots beside the springs of a rod (Kelvin and Voigt).

    Arguments:
        bending: Of bending. In s, zero or greater; 0 unless given.
        twisting: Of twisting. In s, zero or greater; 0 unless given.
        stretching: Of stretching. In s, zero or greater; 0 unless given.
    """

    bending: Quantity | None = None
    twisting: Quantity | None = None
    stretching: Quantity | None = None


class Relaxing(Part, table="relaxing"):
    """Parts of the stiffness of a rod in series with dashpots, which relax (Maxwell).

    Arguments:
        time: Relaxation time. In s, greater than zero.
        bending: Part of the stiffness against bending that relaxes. From 0 to 1; 0 unless given.
        twisting: Part of the stiffness against twisting that relaxes. From 0 to 1; 0 unless given.
        stretching: Part of the stiffness against stretching that relaxes. From 0 to 1; 0 unless
            given.
    """

    time: Quantity
    bending: Quantity | None = None
    twisting: Quantity | None = None
    stretching: Quantity | None = None


class FrictionByDirection(Part, table="friction_by_direction"):
    """Friction that differs along, against and across a rod, as of a snake's scales.

    Arguments:
        forward: Coefficient where the rod slides towards its last node. From 0 to 100 (dry surfaces
            have 0.1 to 2).
        backward: Coefficient where it slides towards its first node. From 0 to 100 (dry surfaces
            have 0.1 to 2).
        across: Coefficient where it slides across. From 0 to 100 (dry surfaces have 0.1 to 2).
    """

    forward: Quantity
    backward: Quantity
    across: Quantity


class Rod(Part, table="rods"):
    """A rod: shape, section, material, supports, loads.

    An array of shape (edges,) in the section or the material gives each edge its own value; in the
    scene file these are overrides.

    Arguments:
        shape: Initial shape.
        section: Cross section.
        name: Name in reports, and for welds; copies are called ``name[0]``, ``name[1]``, .., and
            the name means all of them.
        closed: Whether the last node is joined to the first. True for a ring, otherwise false
            unless given.
        twist: Initial twist on top of the rest shape's, spread evenly over the rod. In rad; 0
            unless given.
        first_director: Material director m1 of the first edge, whose part along the edge is
            ignored; any unless given. Shape (3,).
        edge_mass: Mass of every edge; density times volume unless given. In kg, greater than zero.
        rest: Rest shape: another shape has as many edges. ``"initial"`` or ``"straight"``;
            ``"initial"`` unless given.
        rest_curvature: Curvature at rest in place of that of the rest shape, ``[along m1, along
            m2]``, one for all or a list with one for each vertex: each node but the ends of an open
            rod, from the second on; as in ``2 tan(angle/2)`` over the length of a vertex. In 1/m,
            shape (.., 2).
        rest_twist: Twist at rest in place of that of the rest shape, one for all vertices or a list
            with one for each. In rad/m.
        material: Material; not needed where every section is given by its stiffness.
        overrides: Edges that differ.
        clamps: Clamped edges: both nodes and the angle follow a motion.
        held: Held nodes.
        held_angles: Held angles of edges.
        forces: Forces on nodes.
        moments: Moments on edges.
        foundation: Springs along it.
        line_loads: Forces per length that follow the rod.
        driven: Strains at rest that change in time.
        viscous: Retardation times of dashpots beside the springs.
        relaxing: Parts of the stiffness that relax.
        friction_by_direction: Coefficients of friction by the direction in which the rod slides on
            other rods and on itself, and on obstacles without their own.
        magnetisation: Magnetisation along m1, m2 and the tangent, A/m (numbers alone), of as many
            equal parts of the rod as there are rows. Shape (.., 3).
        repeat: Copies of the rod.
    """

    shape: Shape
    section: Section
    name: str | None = None
    closed: bool | None = None
    twist: Quantity | None = None
    first_director: Vector | None = None
    edge_mass: Quantity | None = None
    rest: str | Shape | None = None
    rest_curvature: Sequence[Quantity] | Sequence[Vector] | NDArray[Any] | Along | None = None
    rest_twist: Quantity | Sequence[Quantity] | NDArray[Any] | Along | None = None
    material: Material | None = None
    overrides: Sequence[Override] | None = None
    clamps: Sequence[Clamp] | None = None
    held: Sequence[Held] | None = None
    held_angles: Sequence[HeldAngle] | None = None
    forces: Sequence[Force] | None = None
    moments: Sequence[Moment] | None = None
    foundation: Foundation | None = None
    line_loads: Sequence[LineLoad] | None = None
    driven: Sequence[Driven] | None = None
    viscous: Viscous | None = None
    relaxing: Relaxing | None = None
    friction_by_direction: FrictionByDirection | None = None
    magnetisation: Sequence[Vector] | NDArray[Any] | None = None
    repeat: int | Repeat | None = None

    def to_dict(self) -> dict[str, Any]:
        """What is given, under the keys of the scene file: numbers, texts, lists and dicts."""
        rod = super().to_dict()
        for key in ("shape", "rest"):
            # Nodes may stand alone.
            if isinstance(rod.get(key), list):
                rod[key] = {"nodes": rod[key]}
        return spread(rod)
