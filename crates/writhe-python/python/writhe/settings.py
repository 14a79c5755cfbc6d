"""How steps are made, what is written when, what ends a run."""

from __future__ import annotations

from collections.abc import Sequence

from writhe._part import Part, Quantity


class Time(Part, table="time"):
    """Time stepping.

    Arguments:
        duration: Simulated time. In s, greater than zero; 1 unless given.
        step: Largest step; the first one where ``accuracy`` is given. In s, greater than zero;
            0.001 unless given.
        accuracy: What the errors of all steps may sum to, in radii: steps of ``bdf2`` and
            ``fitted-bdf2`` choose their size by it. Steps are as large as ``step`` says unless
            given. From 1e-9 to 1 (the sum of the errors of all steps, in radii).
        largest_step: Largest step where ``accuracy`` is given; the duration unless given. In s.
        smallest_step: Step below which the run is given up. In s, greater than zero; 1e-9 unless
            given.
        integrator: How a step is made. ``"implicit"`` or ``"symplectic-projected"``; ``"implicit"``
            unless given.
        engine: What moves rigid bodies in explicit steps. ``"free"`` or ``"rapier"``; ``"free"``
            unless given.
        scheme: Time scheme of implicit steps. ``"backward-euler"``, ``"bdf2"``, ``"fitted-bdf2"``
            or ``"implicit-midpoint"``; ``"bdf2"`` unless given.
        rate: Rate of the fitted scheme; that at which the scene is turned unless given. In rad/s,
            greater than zero.
        tolerance: Newton's method stops when no node moves by more radii than this, and the
            residual is small, too; 0.005 of ``accuracy`` where that is given. Greater than zero and
            at most 1 (a part of the radius, and of the largest force); 1e-6 unless given.
        residual_tolerance: Largest residual with which Newton's method stops, over the largest
            force. Greater than zero and at most 1 (a part of the radius, and of the largest force);
            1e-6 unless given.
        max_iterations: Iterations of Newton's method before a step is given up. From 1 to 100000;
            40 unless given.
        line_search: How a correction of Newton's method is shortened. ``"automatic"``,
            ``"goldstein"`` or ``"none"``; ``"automatic"`` unless given.
        adaptive: Whether a failed step is tried again with half its size. Yes unless given.
        settle: Whether the run starts from static equilibrium: before it, rods move to where forces
            balance. No unless given.
    """

    duration: Quantity | None = None
    step: Quantity | None = None
    accuracy: Quantity | None = None
    largest_step: Quantity | None = None
    smallest_step: Quantity | None = None
    integrator: str | None = None
    engine: str | None = None
    scheme: str | None = None
    rate: Quantity | None = None
    tolerance: Quantity | None = None
    residual_tolerance: Quantity | None = None
    max_iterations: int | None = None
    line_search: str | None = None
    adaptive: bool | None = None
    settle: bool | None = None


class Stop(Part, table="stop"):
    """Conditions of which any ends a run; none unless given.

    Arguments:
        force: Ends the run with the step in which a support comes to need more force. In N, greater
            than zero.
        loop_radius: Ends the run with a step in which the loop of a knot comes to a smaller radius;
            looked at after every tenth. In m, greater than zero.
        stretch: Ends the run with the step in which a rod comes to be stretched by more of its
            length. Greater than zero.
        at_rest: Ends the run at rest: true when what moves has a thousandth of the radius to go at
            most, or when nothing reaches this speed any more; not before loads and motions have
            come to their ends. In m/s, greater than zero.
    """

    force: Quantity | None = None
    loop_radius: Quantity | None = None
    stretch: Quantity | None = None
    at_rest: bool | Quantity | None = None


class Output(Part, table="output"):
    """What a run directory holds.

    Arguments:
        every: Simulated time between frames. In s, greater than zero; a 200th of the duration, a
            step at least unless given.
        checkpoint_every: Simulated time between checkpoints, beside the one every 10 s of the
            clock. In s, greater than zero.
        certify: Whether outputs carry certificates: types of knots, linking numbers, twist and
            writhe. ``"automatic"`` unless given.
        joined: Open rods that certificates take for one closed curve, the last end of each joined
            to the first of the next, such as ``[[0, 1]]``.
        supports: Whether the table of observables has what each support exerts, six columns each;
            with at most 12 supports unless given.
    """

    every: Quantity | None = None
    checkpoint_every: Quantity | None = None
    certify: bool | str | None = None
    joined: Sequence[Sequence[int]] | None = None
    supports: bool | None = None
