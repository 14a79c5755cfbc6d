"""What acts on all rods: gravity, damping, wind, a fluid, contact."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from numpy.typing import NDArray

from writhe._part import Part, Quantity, Vector
from writhe.motion import InTime


class Perturbation(Part, table="perturbation"):
    """How far rods deviate from their shapes, initial and at rest.

    Arguments:
        amplitude: Largest distance of a node from its place. In m, greater than zero.
        seed: Chooses among such shapes. 0 unless given.
    """

    amplitude: Quantity
    seed: int | None = None


class Gravity(Part, table="gravity"):
    """Uniform gravity.

    Arguments:
        acceleration: Acceleration of everything that is free, such as ``[0, 0, -9.81]``. In m/s^2,
            shape (3,); ``[0, 0, 0]`` unless given.
    """

    acceleration: Vector | None = None


class Damping(Part, table="damping"):
    """A damping force ``-viscosity x length x velocity`` on every node.

    Arguments:
        viscosity: Force per length and speed. In Pa s, zero or greater; 0 unless given.
    """

    viscosity: Quantity | None = None


class Gusts(Part, table="wind.gusts"):
    """Wind that rises and falls irregularly, the same in every run.

    Arguments:
        strength: Largest change of the speed, as a part of it. Zero or greater.
        period: Period of the slowest of three waves. In s, greater than zero.
    """

    strength: Quantity
    period: Quantity


class QuadraticDrag(Part, table="wind.drag", choice="quadratic"):
    """Drag of air: ``density coefficient diameter / 2`` times the square of the speed across the
    rod, per length.

    Arguments:
        density: Density of the air. In kg/m^3, zero or greater; 1.2 unless given.
        coefficient: Drag coefficient. Zero or greater; 1.2 unless given.
    """

    density: Quantity | None = None
    coefficient: Quantity | None = None


class LinearDrag(Part, table="wind.drag", choice="linear"):
    """Drag in proportion to the speed.

    Arguments:
        coefficient: Force per length and speed. In Pa s, zero or greater.
    """

    coefficient: Quantity


#: Drag of the wind.
Drag: TypeAlias = QuadraticDrag | LinearDrag


class Wind(Part, table="wind"):
    """Wind that blows everywhere with the same velocity; rods feel it, rigid bodies do not.

    Arguments:
        velocity: Velocity. In m/s, shape (3,); must be given, unless a named scene has one unless
            given.
        amplitude: Factor in time. 1 unless given.
        gusts: Gusts on top of it.
        drag: How rods feel it. As air at 20 degrees C flows past a cylinder unless given.
    """

    velocity: Vector | None = None
    amplitude: InTime | None = None
    gusts: Gusts | None = None
    drag: Drag | None = None


class MagneticField(Part, table="magnetic_field"):
    """A magnetic field, which magnetised rods feel.

    Arguments:
        field: B at the origin, T (numbers alone). Shape (3,).
        gradient: Rows dB_i/dx_j, T/m: symmetric and without trace; 0 unless given. Shape (3, 3).
        amplitude: Factor in time. 1 unless given.
        axis: Axis about which it turns. Shape (3,); ``[0, 0, 1]`` unless given.
        speed: Rate at which it turns. In rad/s; 0 unless given.
    """

    field: Vector
    gradient: Sequence[Vector] | NDArray[Any] | None = None
    amplitude: InTime | None = None
    axis: Vector | None = None
    speed: Quantity | None = None


class Fluid(Part, table="fluid"):
    """A fluid around the rods; `StokesletSegments` and `ResistiveForce` are the two that there are.

    Arguments:
        model: Which drag the rods feel. ``"none"``, ``"stokeslet-segments"`` or
            ``"resistive-force"``; ``"none"`` unless given.
        viscosity: Viscosity of the fluid; needed but with ``rule = "explicit"``. In Pa s, greater
            than zero.
        regularisation: Regularisation length over the radius (Stokeslet segments). Greater than
            zero; 1.649 unless given.
        coupling: How drag enters a step (Stokeslet segments). ``"implicit"`` or ``"lagged"``;
            ``"implicit"`` unless given.
        rule: Where the drag coefficients come from (resistive force). ``"gray-hancock"``,
            ``"lighthill"`` or ``"explicit"``; ``"gray-hancock"`` unless given.
        wavelength: Wavelength of the rod's shape (``"gray-hancock"``, ``"lighthill"``). In m,
            greater than zero.
        helix_radius: Radius of the helix (``"lighthill"``). In m, greater than zero.
        tangential: Drag per length and speed along the rod (``"explicit"``). In Pa s, greater than
            zero.
        normal: Drag per length and speed across the rod (``"explicit"``). In Pa s, greater than
            zero.
    """

    model: str | None = None
    viscosity: Quantity | None = None
    regularisation: Quantity | None = None
    coupling: str | None = None
    rule: str | None = None
    wavelength: Quantity | None = None
    helix_radius: Quantity | None = None
    tangential: Quantity | None = None
    normal: Quantity | None = None


class StokesletSegments(Fluid, table="fluid"):
    """A Stokes flow that couples all nodes: regularised Stokeslet segments. Its arguments are those
    of `Fluid`: model, viscosity, regularisation, coupling; those of other models (rule, wavelength,
    helix_radius, tangential, normal) are kept and not used."""

    model: str | None = "stokeslet-segments"


class ResistiveForce(Fluid, table="fluid"):
    """Local drag by resistive-force theory. Its arguments are those of `Fluid`: model, viscosity,
    rule, wavelength, helix_radius, tangential, normal; those of other models (regularisation,
    coupling) are kept and not used."""

    model: str | None = "resistive-force"


class LargestForce(Part, table="contact.stiffness"):
    """A contact stiffness in proportion to the largest force on a node.

    Arguments:
        largest_force: Stiffness over the largest force on a node without contact (the rule of T22).
            In m.
    """

    largest_force: Quantity


class Lagged(Part, table="contact.friction_solve"):
    """Friction that takes the normal forces of the solve before.

    Arguments:
        lagged: Solves of a step, each with the normal forces of the one before.
    """

    lagged: int


class Hybrid(Part, table="contact.jacobian"):
    """Derivatives of contact forces that enter Newton's matrix late.

    Arguments:
        hybrid: Iterations without them.
    """

    hybrid: int


class Contact(Part, table="contact"):
    """Contact between rods, and with obstacles. A value that means nothing with the model is an
    error.

    Arguments:
        model: Which contact model. ``"imc"``, ``"ipc"``, ``"imc-smooth"``, ``"spillmann-teschner"``
            or ``"none"``; ``"imc"`` unless given.
        tolerance: Gap at which contact begins, over the radius. Greater than zero and below 0.5 (it
            is a fraction of the radius); ``0.01`` with imc, ipc, none; ``0.15`` with imc-smooth;
            ``1e-4`` with spillmann-teschner unless given.
        friction: Coefficient of friction of rods that have none of their own. From 0 to 100 (dry
            surfaces have 0.1 to 2); 0 unless given.
        stiffness: Penalty stiffness: ``"automatic"`` raises it until rods penetrate by less than
            0.3 % of the radius, a number in N m is kept, and ``{ largest_force = .. }`` is in
            proportion to the largest force on a node. In N m, greater than zero; ``"automatic"``
            unless given.
        slip_tolerance: Slip speed below which friction is less than the full one. In m/s, greater
            than zero; 1e-4 unless given.
        friction_on_twist: Whether friction acts on surfaces, which spin; otherwise on axes. Yes
            unless given.
        static_friction: How friction holds what sticks. ``"creep"`` or ``"anchor"``; ``"creep"``
            unless given.
        presliding: Slip at which an anchor slides, over the radius. Greater than zero and below 0.5
            (it is a fraction of the radius); 0.001 unless given.
        friction_solve: How friction enters the equations of a step; or ``{ lagged = n }``, n solves
            of a step, each with the normal forces of the one before. From 1 to 100, or
            ``"implicit"``; ``"implicit"`` with imc, none; ``{ lagged = 1 }`` with ipc unless given.
        energy_sharpness: How sharply the energy of contact turns on, times the radius: ce of C21.
            At least 5; 50 unless given.
        distance_sharpness: How sharply closest points are clamped to their edges: k of C21. At
            least 5; 50 unless given.
        jacobian: When Newton's matrix holds the derivatives of contact forces; or ``{ hybrid = n
            }``, after n iterations without them. From 0 to 1000; ``"full"`` unless given.
        slip_limit: Slip speed at which half the friction acts, radii per second: c of C21. Greater
            than zero; 0.15 unless given.
        slip_sharpness: How sharply friction turns on, seconds per radius: K of C21. Greater than
            zero; 50 unless given.
    """

    model: str | None = None
    tolerance: Quantity | None = None
    friction: Quantity | None = None
    stiffness: str | Quantity | LargestForce | None = None
    slip_tolerance: Quantity | None = None
    friction_on_twist: bool | None = None
    static_friction: str | None = None
    presliding: Quantity | None = None
    friction_solve: str | Lagged | None = None
    energy_sharpness: Quantity | None = None
    distance_sharpness: Quantity | None = None
    jacobian: str | Hybrid | None = None
    slip_limit: Quantity | None = None
    slip_sharpness: Quantity | None = None
