"""Rigid bodies, the joints between them, and rigid obstacles."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Any, TypeAlias

from numpy.typing import NDArray

from writhe._part import Part, Quantity, Vector
from writhe.motion import InTime, Motion
from writhe.rods import End, FrictionByDirection


class SolidSphere(Part, table="solid", choice="sphere"):
    """A ball as the shape of a body.

    Arguments:
        radius: Radius. In m, greater than zero.
    """

    radius: Quantity


class SolidBox(Part, table="solid", choice="box"):
    """A box as the shape of a body.

    Arguments:
        size: Sides along its own axes. In m, shape (3,), greater than zero.
    """

    size: Vector


class SolidCylinder(Part, table="solid", choice="cylinder"):
    """A cylinder along its own z as the shape of a body.

    Arguments:
        radius: Radius. In m, greater than zero.
        length: Length. In m, greater than zero.
    """

    radius: Quantity
    length: Quantity


#: Shape of a body around its centre of mass.
Solid: TypeAlias = SolidSphere | SolidBox | SolidCylinder


class Orientation(Part, table="orientation"):
    """A turn about an axis.

    Arguments:
        axis: Axis of the turn. Shape (3,).
        angle: Angle of the turn about it. In rad.
    """

    axis: Vector
    angle: Quantity


class Weld(Part, table="welds"):
    """An edge that moves with a body.

    Arguments:
        edge: Which edge of it. A number from 0, ``"first"`` or ``"last"``.
        rod: The rod, by number from 0 or by name. 0 unless given.
    """

    edge: End
    rod: int | str | None = None


class Guide(Part, table="guide"):
    """What a body does not do.

    Arguments:
        position: Coordinates that its centre of mass, welded edges included, keeps: letters of
            ``"xyz"``. None unless given.
        turn: Axes of the scene that it does not turn about: letters of ``"xyz"``. None unless
            given.
    """

    position: str | None = None
    turn: str | None = None


class Body(Part, table="bodies"):
    """A rigid body that moves with rods, or a joint of rods.

    Arguments:
        name: What it is called in reports, and for joints.
        joint: Whether it only joins rods and has no mass of its own. No unless given.
        mass: Mass; that of the solid unless given. In kg, greater than zero.
        density: Density of the solid, in place of a mass. In kg/m^3, greater than zero.
        inertia: Moments of inertia about its own axes through the centre of mass; those of the
            homogeneous solid unless given. In kg m^2, shape (3,).
        position: Centre of mass. In m, shape (3,); ``[0, 0, 0]`` unless given.
        velocity: Velocity of the centre of mass at the start. In m/s, shape (3,); ``[0, 0, 0]``
            unless given.
        angular_velocity: Angular velocity at the start, in the axes of the scene. In rad/s, shape
            (3,); ``[0, 0, 0]`` unless given.
        orientation: How its own axes are turned from those of the scene at the start. Not turned
            unless given.
        solid: Its shape.
        welds: Edges that move with it.
        motion: How it moves, if that is prescribed; excludes ``guide``. Or ``"still"``.
        guide: Coordinates that it keeps, and axes that it does not turn about.
        touch: Whether rods touch its solid. No unless given.
        friction: Coefficient of friction. Unless given it is, with rods, their own or that of
            ``[contact]``, and 0 with other bodies. From 0 to 100 (dry surfaces have 0.1 to 2).
        collide: Whether its solid meets those of other bodies; with an engine that knows
            collisions. No unless given.
        restitution: Speed after such a collision over that before. From 0 to 1; 0 unless given.
    """

    name: str | None = None
    joint: bool | None = None
    mass: Quantity | None = None
    density: Quantity | None = None
    inertia: Vector | None = None
    position: Vector | None = None
    velocity: Vector | None = None
    angular_velocity: Vector | None = None
    orientation: Orientation | None = None
    solid: Solid | None = None
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
        axis: Direction of the axis at the start. Shape (3,).
        torque: Torque of a motor; excludes ``angle``. In N m.
        amplitude: Factor of the torque in time. 1 unless given.
        angle: Angle that a motor follows, 0 at the start; excludes ``torque``. In rad.
    """

    axis: Vector
    torque: Quantity | None = None
    amplitude: InTime | None = None
    angle: InTime | None = None


class WeldCrossings(Part, table="weld_crossings"):
    """Joints of rods wherever two of them cross, as in a net.

    Arguments:
        rods: Which rods, by number or name; all unless given.
        within: Distance of two centrelines up to which they cross; a tenth more than their radii
            together unless given. In m, greater than zero.
    """

    rods: Sequence[int | str] | None = None
    within: Quantity | None = None


class Joint(Part, table="joints"):
    """A joint of one body to another, or to the scene: a ball, a hinge or a weld.

    Arguments:
        bodies: Two bodies, or one that is joined to the scene; by number or name.
        at: The point in common at the start. In m, shape (3,).
        hinge: The axis in common, if it is a hinge.
        weld: Whether it keeps all directions in common, too. No unless given.
        strength: Largest force that it bears; beyond that it lets go for good. In N, greater than
            zero.
    """

    bodies: Sequence[int | str]
    at: Vector
    hinge: Hinge | None = None
    weld: bool | None = None
    strength: Quantity | None = None


class HalfSpace(Part, table="obstacles.shape", choice="half_space"):
    """All points behind a plane.

    Arguments:
        point: A point of the plane. In m, shape (3,); ``[0, 0, 0]`` unless given.
        normal: Its normal, towards the rods. Shape (3,); ``[0, 0, 1]`` unless given.
    """

    point: Vector | None = None
    normal: Vector | None = None


class Sphere(Part, table="obstacles.shape", choice="sphere"):
    """A ball in the way of rods.

    Arguments:
        radius: Radius. In m, greater than zero.
        center: Centre. In m, shape (3,); ``[0, 0, 0]`` unless given.
    """

    radius: Quantity
    center: Vector | None = None


class Capsule(Part, table="obstacles.shape", choice="capsule"):
    """A cylinder with round ends.

    Arguments:
        to: End of the axis. In m, shape (3,).
        radius: Radius. In m, greater than zero.
        from_: Start of the axis. In m, shape (3,); ``[0, 0, 0]`` unless given.
    """

    to: Vector
    radius: Quantity
    from_: Vector | None = None


class Cylinder(Part, table="obstacles.shape", choice="cylinder"):
    """A cylinder with flat ends.

    Arguments:
        to: End of the axis. In m, shape (3,).
        radius: Radius. In m, greater than zero.
        from_: Start of the axis. In m, shape (3,); ``[0, 0, 0]`` unless given.
    """

    to: Vector
    radius: Quantity
    from_: Vector | None = None


class Box(Part, table="obstacles.shape", choice="box"):
    """A box in the way of rods.

    Arguments:
        size: Sides along x, y, z before it is turned. In m, shape (3,), greater than zero.
        center: Centre. In m, shape (3,); ``[0, 0, 0]`` unless given.
        axis: Axis through the centre about which it is turned. Shape (3,); ``[0, 0, 1]`` unless
            given.
        angle: Angle of that turn. In rad; 0 unless given.
    """

    size: Vector
    center: Vector | None = None
    axis: Vector | None = None
    angle: Quantity | None = None


class Mesh(Part, table="obstacles.shape", choice="mesh"):
    """A closed triangle mesh, from a file or from arrays.

    Arguments:
        center: Where the origin of the mesh goes. In m, shape (3,); ``[0, 0, 0]`` unless given.
        axis: Axis through that point about which it is turned. Shape (3,); ``[0, 0, 1]`` unless
            given.
        angle: Angle of that turn. In rad; 0 unless given.
        vertices: Vertices, in place of a file. In m, shape (.., 3); those of the file unless given.
        triangles: Three vertices each, by number from 0. Shape (.., 3); those of the file unless
            given.
        file: An STL or OBJ file, relative to the folder of the scene.
        unit: Unit of the file. In m, greater than zero; 1 m unless given.
    """

    center: Vector | None = None
    axis: Vector | None = None
    angle: Quantity | None = None
    vertices: Sequence[Vector] | NDArray[Any] | None = None
    triangles: Sequence[Sequence[int]] | NDArray[Any] | None = None
    file: str | PathLike[str] | None = None
    unit: Quantity | None = None


class Tube(Part, table="obstacles.shape", choice="tube"):
    """The thin wall of a tube, open at both ends: a rod may lie in it, or beside it.

    Every rod of the scene must be thinner than it.

    Arguments:
        to: End of the axis. In m, shape (3,).
        radius: Radius. In m, greater than zero.
        from_: Start of the axis. In m, shape (3,); ``[0, 0, 0]`` unless given.
    """

    to: Vector
    radius: Quantity
    from_: Vector | None = None


class Funnel(Part, table="obstacles.shape", choice="funnel"):
    """The thin wall of a funnel, open at both ends: a rod may lie in it, or beside it.

    Every rod of the scene must be thinner than its narrower end.

    Arguments:
        to: End of the axis. In m, shape (3,).
        radii: Radii of the wall at start and end of the axis. In m, shape (2,), greater than zero.
        from_: Start of the axis. In m, shape (3,); ``[0, 0, 0]`` unless given.
    """

    to: Vector
    radii: Vector
    from_: Vector | None = None


class Cavity(Part, table="obstacles.shape", choice="cavity"):
    """A thin spherical wall: a rod may lie in it, or beside it.

    Every rod of the scene must be thinner than it.

    Arguments:
        radius: Radius. In m, greater than zero.
        center: Centre. In m, shape (3,); ``[0, 0, 0]`` unless given.
    """

    radius: Quantity
    center: Vector | None = None


#: Shape and place of an obstacle.
ObstacleShape: TypeAlias = (
    HalfSpace | Sphere | Capsule | Cylinder | Box | Mesh | Tube | Funnel | Cavity
)


class Obstacle(Part, table="obstacles"):
    """A rigid obstacle.

    Arguments:
        shape: Its shape and place.
        name: What it is called in reports.
        friction: Coefficient of friction with rods; unless given a rod's own, or that of
            ``[contact]``. From 0 to 100 (dry surfaces have 0.1 to 2).
        friction_by_direction: Coefficients by the direction in which a rod slides, in place of
            ``friction``.
        motion: How it moves. ``"still"`` unless given.
    """

    shape: ObstacleShape
    name: str | None = None
    friction: Quantity | None = None
    friction_by_direction: FrictionByDirection | None = None
    motion: Motion | None = None
