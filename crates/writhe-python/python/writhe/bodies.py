"""Rigid bodies, the joints between them, and rigid obstacles."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Any, TypeAlias

from numpy.typing import NDArray

from writhe._part import Part, Quantity, Vector
from writhe.motion import InTime, Motion
from writhe.rods import End


class SolidSphere(Part, table="solid", choice="sphere"):
    """A ball as the shape of a body.

    Arguments:
        radius: m.
    """

    radius: Quantity


class SolidBox(Part, table="solid", choice="box"):
    """A box as the shape of a body.

    Arguments:
        size: Sides along its own axes, m, shape (3,).
    """

    size: Vector


class SolidCylinder(Part, table="solid", choice="cylinder"):
    """A cylinder along its own z as the shape of a body.

    Arguments:
        radius: m.
        length: m.
    """

    radius: Quantity
    length: Quantity


#: Shape of a body around its centre of mass.
Solid: TypeAlias = SolidSphere | SolidBox | SolidCylinder


class Orientation(Part, table="orientation"):
    """A turn about an axis.

    Arguments:
        axis: Direction of the axis, shape (3,).
        angle: Angle of the turn, rad.
    """

    axis: Vector
    angle: Quantity


class Weld(Part, table="welds"):
    """An edge that moves with a body.

    Arguments:
        edge: Which edge.
        rod: The rod, by number from 0 or by name; the first unless given.
    """

    edge: End
    rod: int | str | None = None


class Guide(Part, table="guide"):
    """What a body does not do.

    Arguments:
        position: Coordinates that its centre keeps: letters of ``"xyz"``; none unless given.
        turn: Axes of the scene that it does not turn about; none unless given.
    """

    position: str | None = None
    turn: str | None = None


class Body(Part, table="bodies"):
    """A rigid body that moves with rods, or a joint of rods.

    Arguments:
        name: What it is called in reports, and for joints.
        solid: Its shape.
        mass: kg, or give ``density``.
        density: Of the solid, kg/m^3.
        inertia: Moments about its own axes, kg m^2, shape (3,); those of the solid unless given.
        joint: Whether it only joins rods, without mass of its own; no unless given.
        position: Centre of mass, m; the origin unless given.
        velocity: Of the centre at the start, m/s; 0 unless given.
        angular_velocity: In the axes of the scene at the start, rad/s; 0 unless given.
        orientation: How its own axes are turned at the start.
        welds: Edges that move with it.
        motion: How it moves, if that is prescribed. Excludes ``guide``.
        guide: What it does not do.
        touch: Whether rods touch its solid; no unless given.
        friction: Coefficient of rods on it, that of `Contact` unless given; of other bodies, 0
            unless given.
        collide: Whether its solid meets those of other bodies; no unless given.
        restitution: Speed after such a collision over that before; 0 unless given.
    """

    name: str | None = None
    solid: Solid | None = None
    mass: Quantity | None = None
    density: Quantity | None = None
    inertia: Vector | None = None
    joint: bool | None = None
    position: Vector | None = None
    velocity: Vector | None = None
    angular_velocity: Vector | None = None
    orientation: Orientation | None = None
    welds: Sequence[Weld] | None = None
    motion: Motion | None = None
    guide: Guide | None = None
    touch: bool | None = None
    friction: Quantity | None = None
    collide: bool | None = None
    restitution: Quantity | None = None


class Hinge(Part, table="hinge"):
    """The axis of a hinge, and what turns the first body about it.

    Arguments:
        axis: Its direction at the start, shape (3,).
        torque: Of a motor, N m. Excludes ``angle``.
        amplitude: Factor of the torque in time; 1 unless given.
        angle: Angle that a motor follows, rad, 0 at the start.
    """

    axis: Vector
    torque: Quantity | None = None
    amplitude: InTime | None = None
    angle: InTime | None = None


class WeldCrossings(Part, table="weld_crossings"):
    """Joints of rods wherever two of them cross, as in a net.

    Arguments:
        rods: Which rods, by number or name; all unless given.
        within: Distance of two centrelines, m, up to which they cross; a tenth more than their radii
            together unless given.
    """

    rods: Sequence[int | str] | None = None
    within: Quantity | None = None


class Joint(Part, table="joints"):
    """A joint of one body to another, or to the scene: a ball, a hinge or a weld.

    Arguments:
        bodies: Two bodies, or one that is joined to the scene; by number or name.
        at: The point in common at the start, m, shape (3,).
        hinge: The axis in common, if it is a hinge.
        weld: Whether it keeps all directions in common, too; no unless given.
        strength: Largest force that it bears, N; beyond it lets go for good.
    """

    bodies: Sequence[int | str]
    at: Vector
    hinge: Hinge | None = None
    weld: bool | None = None
    strength: Quantity | None = None


class HalfSpace(Part, table="obstacles.shape", choice="half_space"):
    """All points behind a plane.

    Arguments:
        point: A point of the plane, m; the origin unless given.
        normal: Its normal, towards the rods; z unless given.
    """

    point: Vector | None = None
    normal: Vector | None = None


class Sphere(Part, table="obstacles.shape", choice="sphere"):
    """A ball in the way of rods.

    Arguments:
        radius: m.
        center: m; the origin unless given.
    """

    radius: Quantity
    center: Vector | None = None


class Capsule(Part, table="obstacles.shape", choice="capsule"):
    """A cylinder with round ends.

    Arguments:
        to: End of the axis, m.
        radius: m.
        from_: Start of the axis, m; the origin unless given.
    """

    to: Vector
    radius: Quantity
    from_: Vector | None = None


class Cylinder(Part, table="obstacles.shape", choice="cylinder"):
    """A cylinder with flat ends.

    Arguments:
        to: End of the axis, m.
        radius: m.
        from_: Start of the axis, m; the origin unless given.
    """

    to: Vector
    radius: Quantity
    from_: Vector | None = None


class Box(Part, table="obstacles.shape", choice="box"):
    """A box in the way of rods.

    Arguments:
        size: Sides along x, y, z before it is turned, m.
        center: m; the origin unless given.
        axis: Axis through the centre about which it is turned; z unless given.
        angle: Angle of that turn, rad; 0 unless given.
    """

    size: Vector
    center: Vector | None = None
    axis: Vector | None = None
    angle: Quantity | None = None


class Mesh(Part, table="obstacles.shape", choice="mesh"):
    """A closed triangle mesh, from a file or from arrays.

    Arguments:
        file: An STL or OBJ file, relative to the folder of the scene. Excludes ``vertices``.
        unit: Unit of the file, m; 1 m unless given.
        vertices: m, shape (vertices, 3).
        triangles: Three vertices each, from 0, shape (triangles, 3).
        center: Where the origin of the mesh goes, m; the origin unless given.
        axis: Axis through that point about which it is turned; z unless given.
        angle: Angle of that turn, rad; 0 unless given.
    """

    file: str | PathLike[str] | None = None
    unit: Quantity | None = None
    vertices: Sequence[Vector] | NDArray[Any] | None = None
    triangles: Sequence[Sequence[int]] | NDArray[Any] | None = None
    center: Vector | None = None
    axis: Vector | None = None
    angle: Quantity | None = None


class Tube(Part, table="obstacles.shape", choice="tube"):
    """The thin wall of a tube, open at both ends: a rod may lie in it, or beside it.

    Every rod of the scene must be thinner than it.

    Arguments:
        to: End of the axis, m.
        radius: Radius of the wall, m.
        from_: Start of the axis, m; the origin unless given.
    """

    to: Vector
    radius: Quantity
    from_: Vector | None = None


class Funnel(Part, table="obstacles.shape", choice="funnel"):
    """The thin wall of a funnel, open at both ends: a rod may lie in it, or beside it.

    Every rod of the scene must be thinner than its narrower end.

    Arguments:
        to: End of the axis, m.
        radii: Radii of the wall at start and end of the axis, m.
        from_: Start of the axis, m; the origin unless given.
    """

    to: Vector
    radii: Vector
    from_: Vector | None = None


class Cavity(Part, table="obstacles.shape", choice="cavity"):
    """A thin spherical wall: a rod may lie in it, or beside it.

    Every rod of the scene must be thinner than it.

    Arguments:
        radius: Radius of the wall, m.
        center: m; the origin unless given.
    """

    radius: Quantity
    center: Vector | None = None


class FrictionByDirection(Part, table="friction_by_direction"):
    """Friction that differs along, against and across a rod, as of a snake's scales.

    Arguments:
        forward: Coefficient where the rod slides towards its last node.
        backward: Coefficient where it slides towards its first node.
        across: Coefficient where it slides across.
    """

    forward: Quantity
    backward: Quantity
    across: Quantity


class Obstacle(Part, table="obstacles"):
    """A rigid obstacle.

    Arguments:
        shape: Its shape and place.
        name: What it is called in reports.
        motion: How it moves; not at all unless given.
        friction: Coefficient with rods; that of `Contact` unless given.
        friction_by_direction: Coefficients by the direction in which a rod slides, in place of
            ``friction``.
    """

    shape: HalfSpace | Sphere | Capsule | Cylinder | Box | Mesh | Tube | Funnel | Cavity
    name: str | None = None
    motion: Motion | None = None
    friction: Quantity | None = None
    friction_by_direction: FrictionByDirection | None = None
