"""Rods: shapes, sections, materials, supports, loads."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Any, TypeAlias

from numpy.typing import NDArray

from writhe._along import spread
from writhe._part import Part, Quantity, Vector
from writhe.motion import InTime, Motion

#: A node or an edge: a number from 0, ``"first"`` or ``"last"``.
End: TypeAlias = int | str


class Straight(Part, table="shape", choice="straight"):
    """A straight line cut into equal edges.

    Arguments:
        to: End, m, shape (3,).
        edges: Number of edges.
        from_: Start, m, shape (3,); the origin unless given.
    """

    to: Vector
    edges: int
    from_: Vector | None = None


class Arc(Part, table="shape", choice="arc"):
    """An arc of a circle cut into equal edges; nodes lie on the circle.

    Arguments:
        radius: Radius of the circle, m.
        angle: Angle of the arc, rad.
        edges: Number of edges.
        from_: Start, m, shape (3,); the origin unless given.
        tangent: Direction in which it starts; x unless given.
        towards: Direction towards the centre, whose part along the tangent is ignored; y unless
            given.
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
        radius: Radius of the centreline, m.
        pitch: Advance along the axis per turn, m.
        turns: Number of turns; need not be whole.
        edges: Number of edges.
        center: Point of the axis where the helix starts, m; the origin unless given.
        axis: Direction of the axis; x unless given.
        start: Direction from the axis to the first node; y unless given.
        left_handed: Whether it is left-handed; no unless given.
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
        radius: Radius of the circle through the nodes, m.
        edges: Number of edges.
        center: Centre, m; the origin unless given.
        axis: Normal of its plane; z unless given.
        start: Direction from the centre to the first node; x unless given.
        aspect: Second semi-axis over the first, of an ellipse of the same perimeter; 1 unless
            given.
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
        nodes: Positions, m, shape (nodes, 3).
    """

    nodes: Sequence[Vector] | NDArray[Any]


class NodesFile(Part, table="shape"):
    """A shape given by a file.

    Arguments:
        file: A table of numbers: x, y, z in the first three columns, m; further columns and lines
            that start with # are ignored. Relative to the folder of the scene.
    """

    file: str | PathLike[str]


#: Shape of a rod; an array of shape (nodes, 3) is one.
Shape: TypeAlias = Straight | Arc | Helix | Ring | Nodes | NodesFile | Sequence[Vector] | NDArray[Any]


class Along(Part, table="along"):
    """Values along a rod as a table over arc length, linear between its rows: taken in the middle of
    each edge, or at each vertex.

    Arguments:
        table: Rows ``[arc length, value]``, m from the start of the rod, ascending; they must reach
            over all of the rod. For a rest curvature ``[arc length, along m1, along m2]``.
        file: A file with such a table, relative to the folder of the scene. Excludes ``table``.
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
        center: A point of the axis, m; the origin unless given.
        axis: Its direction; z unless given.
        angle: Angle from each copy to the next, rad; a full turn over their number unless given.
    """

    center: Vector | None = None
    axis: Vector | None = None
    angle: Quantity | None = None


class RandomPlace(Part, table="repeat.random"):
    """What is random of the place of each copy, the same in every run.

    Arguments:
        size: Sides of the box around its place in which each copy is put, m, shape (3,).
        turn: ``"any"`` for any rotation about the middle of its nodes, or the axis of one by any
            angle; not turned unless given.
    """

    size: Vector | None = None
    turn: str | Vector | None = None


class Repeat(Part, table="repeat"):
    """Copies of a rod. Texts of the rod may hold expressions of ``i``, ``j``, ``k`` (its place in the
    grid), ``copy``, ``n`` and ``random``, as in ``"0.1*i mm"``.

    Arguments:
        count: How many, or how many along x, y and z: ``[10, 5]``.
        step: Displacement from each copy to the next, m, shape (3,).
        spacing: Distances of a grid, m, one for each number of ``count``.
        ring: Copies around an axis.
        random: What is random of their places.
        seed: Which random numbers; 0 unless given.
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
        radius: Radius, m, or an array of shape (edges,).
    """

    radius: AlongRod


class Ellipse(Part, table="section", choice="ellipse"):
    """A solid ellipse.

    Arguments:
        a: Semi-axis along the material director m1, m, or an array of shape (edges,).
        b: Semi-axis along m2, m, or an array of shape (edges,).
    """

    a: AlongRod
    b: AlongRod


class Rectangle(Part, table="section", choice="rectangle"):
    """A solid rectangle.

    Arguments:
        a: Full width along the material director m1, m, or an array of shape (edges,).
        b: Full width along m2, m, or an array of shape (edges,).
    """

    a: AlongRod
    b: AlongRod


class Stiffness(Part, table="section", choice="stiffness"):
    """A section given by its stiffnesses and masses, which needs no material. Each may be an array
    of shape (edges,).

    Arguments:
        ea: Against stretch, N.
        ei1: Against curvature along the material director m1, N m^2.
        gj: Against twist, N m^2.
        mass_per_length: kg/m.
        radius: For contact, fluid and pictures, m.
        ei2: Against curvature along m2, N m^2; ``ei1`` unless given.
        inertia_per_length: rho (I1 + I2), kg m; that of a solid circle of this radius unless given.
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
        young: Young's modulus, Pa.
        density: kg/m^3.
        poisson: Poisson's ratio, above -1 and at most 0.5. Excludes ``shear``.
        shear: Shear modulus, Pa.
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
        edge: Which edge.
        motion: How it moves; not at all unless given.
        half_edge: Whether half of the edge lies behind the stated end of the rod, so that lengths
            count from the clamp; first and last edges only. No unless given.
    """

    edge: End
    motion: Motion | None = None
    half_edge: bool | None = None


class Held(Part, table="held"):
    """A node of which some coordinates are held.

    Arguments:
        node: Which node.
        axes: Which coordinates: letters of ``"xyz"``; all unless given.
        motion: How they move; not at all unless given.
    """

    node: End
    axes: str | None = None
    motion: Motion | None = None


class HeldAngle(Part, table="held_angles"):
    """An edge whose angle about its tangent is held.

    Arguments:
        edge: Which edge.
        angle: Angle relative to the start, rad, constant or in time; 0 unless given.
    """

    edge: End
    angle: InTime | None = None


class Force(Part, table="forces"):
    """A force on a node.

    Arguments:
        node: Which node.
        force: Components, N, shape (3,): of space, or along m1, m2 and the tangent of the edge that
            it follows.
        amplitude: Factor in time; 1 unless given.
        follows: Edge whose frame the force turns with; without it the force keeps its direction.
    """

    node: End
    force: Vector
    amplitude: InTime | None = None
    follows: End | None = None


class Moment(Part, table="moments"):
    """A moment on an edge.

    Arguments:
        edge: Which edge.
        moment: Components, N m, shape (3,): of space, or along m1, m2 and the tangent of the edge.
        amplitude: Factor in time; 1 unless given.
        follows: Whether it turns with the frame of the edge; no unless given.
    """

    edge: End
    moment: Vector
    amplitude: InTime | None = None
    follows: bool | None = None


class Plane(Part, table="plane"):
    """A plane that a foundation holds a rod on.

    Arguments:
        point: A point of it, m; the origin unless given.
        normal: Its normal; z unless given.
    """

    point: Vector | None = None
    normal: Vector | None = None


class Foundation(Part, table="foundation"):
    """An elastic foundation (Winkler): springs along a rod, which pull as they push.

    Arguments:
        normal: Stiffness per length across the rod as it began, or from the plane, N/m^2; 0 unless
            given.
        tangential: Stiffness per length along it, or in the plane, N/m^2; 0 unless given.
        edges: First and last edge of the part that is held; all of the rod unless given.
        plane: The plane that holds it; where it began unless given.
    """

    normal: Quantity | None = None
    tangential: Quantity | None = None
    edges: Sequence[int] | None = None
    plane: Plane | None = None


class LineLoad(Part, table="line_loads"):
    """A force per length on a whole rod that follows it: a pressure in a plane, or a force that turns
    with the material frame.

    Arguments:
        pressure: Pressure to the left of the rod in a plane, N/m; excludes ``force``.
        normal: Normal of that plane, towards whoever looks; z unless given.
        force: Along m1, m2 and the tangent of each edge, N/m, shape (3,).
        amplitude: Factor in time; 1 unless given.
    """

    pressure: Quantity | None = None
    normal: Vector | None = None
    force: Vector | None = None
    amplitude: InTime | None = None


class Driven(Part, table="driven"):
    """A strain at rest that is driven, on top of that of the rest shape: as a wave that travels to the
    end of the rod, or by a table over time and arc length.

    Arguments:
        strain: ``"curvature1"`` or ``"curvature2"`` (along m1 and m2, 1/m), ``"twist"`` (rad/m) or
            ``"stretch"`` (a part of the length).
        amplitude: Largest value of the wave, in the unit of the strain. Excludes ``table``, ``file``.
        wavelength: m; negative where the wave travels to the start of the rod. All of the rod goes in
            step unless given.
        period: s; it stands still unless given.
        phase: Phase at the start of the rod, rad; 0 unless given.
        envelope: Factors at equally spaced places from the start of the rod to its end, linear between
            them; 1 unless given.
        ramp: Time over which the wave grows from nothing, s; 0 unless given.
        table: A row of arc lengths ``[0, place, ..]``, m, then rows ``[time, value, ..]``, s and the unit
            of the strain; linear between, constant outside.
        file: The same as a table of numbers; lines that start with # are ignored. Relative to the
            folder of the scene.
    """

    strain: str
    amplitude: Quantity | None = None
    wavelength: Quantity | None = None
    period: Quantity | None = None
    phase: Quantity | None = None
    envelope: Sequence[Quantity] | NDArray[Any] | None = None
    ramp: Quantity | None = None
    table: Sequence[Sequence[float]] | NDArray[Any] | None = None
    file: str | PathLike[str] | None = None


class Viscous(Part, table="viscous"):
    """Retardation times of dashpots beside the springs of a rod (Kelvin and Voigt).

    Arguments:
        bending: s; 0 unless given.
        twisting: s; 0 unless given.
        stretching: s; 0 unless given.
    """

    bending: Quantity | None = None
    twisting: Quantity | None = None
    stretching: Quantity | None = None


class Relaxing(Part, table="relaxing"):
    """Parts of the stiffness of a rod in series with dashpots, which relax (Maxwell).

    Arguments:
        time: Relaxation time, s.
        bending: Part of the stiffness against bending that relaxes, 0 to 1; 0 unless given.
        twisting: Part against twisting; 0 unless given.
        stretching: Part against stretching; 0 unless given.
    """

    time: Quantity
    bending: Quantity | None = None
    twisting: Quantity | None = None
    stretching: Quantity | None = None


class Rod(Part, table="rods"):
    """A rod: shape, section, material, supports, loads.

    An array of shape (edges,) in the section or the material gives each edge its own value; in the
    scene file these are overrides.

    Arguments:
        shape: Initial shape, or an array of nodes, m, shape (nodes, 3).
        section: Cross section.
        material: Material; not needed with `Stiffness`.
        name: What it is called in reports, and for welds; copies are called ``name[0]``, ``name[1]``,
            and so on, and the name means all of them.
        rest: Rest shape: ``"initial"``, ``"straight"``, or a shape with as many edges; the initial
            one unless given.
        rest_curvature: Curvature at rest along m1 and m2 in place of that of the rest shape, 1/m,
            shape (vertices, 2): a row for each node but the ends of an open rod, from the second on.
            Or a table over arc length.
        rest_twist: Twist at rest in place of that of the rest shape, rad/m, shape (vertices,), or a
            table over arc length.
        closed: Whether the last node is joined to the first; rings are closed, others not unless
            given.
        twist: Initial twist on top of the rest shape's, spread evenly, rad; 0 unless given.
        first_director: Material director m1 of the first edge; any unless given.
        edge_mass: Mass of every edge, kg, in place of density times volume.
        repeat: Number of copies, or where they stand too; each has supports and loads of its own.
        overrides: Edges that differ.
        clamps: Clamped edges.
        held: Held nodes.
        held_angles: Held angles.
        forces: Forces on nodes.
        moments: Moments on edges.
        foundation: Springs along it.
        line_loads: Forces per length that follow the rod.
        driven: Strains at rest that are driven.
        viscous: Retardation times of dashpots beside its springs.
        relaxing: Parts of its stiffness that relax.
        magnetisation: Along m1, m2 and the tangent, A/m, shape (parts, 3): a row for each of as many
            equal parts of the rod.
    """

    shape: Shape
    section: Section
    material: Material | None = None
    name: str | None = None
    rest: str | Shape | None = None
    rest_curvature: Sequence[Sequence[Quantity]] | NDArray[Any] | Along | None = None
    rest_twist: Sequence[Quantity] | NDArray[Any] | Along | None = None
    closed: bool | None = None
    twist: Quantity | None = None
    first_director: Vector | None = None
    edge_mass: Quantity | None = None
    repeat: int | Repeat | None = None
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
    magnetisation: Sequence[Vector] | NDArray[Any] | None = None

    def to_dict(self) -> dict[str, Any]:
        """What is given, under the keys of the scene file: numbers, texts, lists and dicts."""
        rod = super().to_dict()
        for key in ("shape", "rest"):
            # Nodes may stand alone.
            if isinstance(rod.get(key), list):
                rod[key] = {"nodes": rod[key]}
        return spread(rod)
