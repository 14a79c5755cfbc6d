"""What acts on all rods: gravity, damping, wind, a fluid, contact."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from writhe._part import Part, Quantity, Vector
from writhe.motion import InTime


class Perturbation(Part, table="perturbation"):
    """How far rods deviate from their shapes, initial and at rest.

    Arguments:
        amplitude: Largest distance of a node from its place, m.
        seed: Which of all deviations of this size; 0 unless given.
    """

    amplitude: Quantity
    seed: int | None = None


class Gravity(Part, table="gravity"):
    """Uniform gravity.

    Arguments:
        acceleration: m/s^2, shape (3,); none unless given.
    """

    acceleration: Vector | None = None


class Damping(Part, table="damping"):
    """A damping force ``-viscosity x length x velocity`` on every node.

    Arguments:
        viscosity: Pa s; 0 unless given.
    """

    viscosity: Quantity | None = None


class Gusts(Part, table="wind.gusts"):
    """Wind that rises and falls irregularly, the same in every run.

    Arguments:
        strength: Largest change of the speed, as a part of it.
        period: Period of the slowest of three waves, s.
    """

    strength: Quantity
    period: Quantity


class QuadraticDrag(Part, table="wind.drag", choice="quadratic"):
    """Drag of air: ``density coefficient diameter / 2`` times the square of the speed across the
    rod, per length.

    Arguments:
        density: Of air, kg/m^3; 1.2 unless given.
        coefficient: Drag coefficient; 1.2 unless given.
    """

    density: Quantity | None = None
    coefficient: Quantity | None = None


class LinearDrag(Part, table="wind.drag", choice="linear"):
    """Drag in proportion to the speed.

    Arguments:
        coefficient: Force per length and speed, Pa s.
    """

    coefficient: Quantity


class Wind(Part, table="wind"):
    """Wind that blows everywhere with the same velocity; rods feel it, rigid bodies do not.

    Arguments:
        velocity: m/s, shape (3,); must be given unless a named scene has one.
        amplitude: Factor in time; 1 unless given.
        gusts: Gusts on top of it.
        drag: How rods feel it; as air unless given.
    """

    velocity: Vector | None = None
    amplitude: InTime | None = None
    gusts: Gusts | None = None
    drag: QuadraticDrag | LinearDrag | None = None


class MagneticField(Part, table="magnetic_field"):
    """A magnetic field, which magnetised rods feel.

    Arguments:
        field: B at the origin, T, shape (3,).
        gradient: Rows dB_i/dx_j, T/m, shape (3, 3): symmetric and without trace; 0 unless given.
        amplitude: Factor in time; 1 unless given.
        axis: Axis about which it turns; z unless given.
        speed: Rate at which it turns, rad/s; 0 unless given.
    """

    field: Vector
    gradient: Sequence[Vector] | NDArray[Any] | None = None
    amplitude: InTime | None = None
    axis: Vector | None = None
    speed: Quantity | None = None


class Fluid(Part, table="fluid"):
    """A fluid around the rods; `StokesletSegments` and `ResistiveForce` are the two that there are.

    Arguments:
        model: ``"none"``, ``"stokeslet-segments"`` or ``"resistive-force"``; none unless given.
        viscosity: Pa s.
        regularisation: Regularisation length over the radius (Stokeslet segments); 1.6487 unless
            given.
        coupling: ``"implicit"``, or ``"lagged"``, which limits the step (Stokeslet segments).
        rule: ``"gray-hancock"``, ``"lighthill"`` or ``"explicit"`` (resistive force).
        wavelength: Of the shape of the rod, m (Gray-Hancock, Lighthill).
        helix_radius: m (Lighthill).
        tangential: Drag per length and speed along the rod, Pa s (explicit).
        normal: The same across the rod, Pa s (explicit).
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
        largest_force: Stiffness over that force, m.
    """

    largest_force: Quantity


class Lagged(Part, table="contact.friction_solve"):
    """Friction that takes the normal forces of the solve before.

    Arguments:
        lagged: Solves of a step.
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
        model: ``"imc"``, ``"ipc"``, ``"imc-smooth"``, ``"spillmann-teschner"`` or ``"none"``; imc
            unless given.
        tolerance: Gap at which contact begins, over the radius.
        friction: Coefficient of friction; 0 unless given.
        stiffness: ``"automatic"``, a number in N m, or `LargestForce`; automatic unless given.
        slip_tolerance: Slip speed below which friction is less than the full one, m/s.
        friction_on_twist: Whether friction acts on surfaces, which spin, or on axes.
        static_friction: ``"creep"`` or ``"anchor"``.
        presliding: Slip at which an anchor slides, over the radius.
        friction_solve: ``"implicit"`` or `Lagged`.
        energy_sharpness: How sharply the energy turns on (imc-smooth).
        distance_sharpness: How sharply closest points are clamped to their edges (imc-smooth).
        jacobian: ``"full"`` or `Hybrid` (imc-smooth).
        slip_limit: Slip speed at which half the friction acts, radii per second.
        slip_sharpness: How sharply friction turns on, seconds per radius.
    """

    model: str | None = None
    tolerance: Quantity | None = None
    friction: Quantity | None = None
    stiffness: Quantity | LargestForce | None = None
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
