"""How steps are made, what is written when, what ends a run."""

from __future__ import annotations

from collections.abc import Sequence

from writhe._part import Part, Quantity


class Time(Part, table="time"):
    """Time stepping.

    Arguments:
        duration: Simulated time, s; 1 s unless given.
        step: Largest step, s, with ``accuracy`` the first; 1 ms unless given.
        accuracy: What the errors of all steps may sum to, in radii: ``"bdf2"`` and
            ``"fitted-bdf2"`` choose their steps by it.
        largest_step: Largest step with ``accuracy``, s; the duration unless given.
        smallest_step: Step below which the run is given up, s; 1 ns unless given.
        integrator: ``"implicit"`` or ``"symplectic-projected"``; implicit unless given.
        engine: What moves rigid bodies in explicit steps: ``"free"`` or ``"rapier"``.
        scheme: ``"bdf2"``, ``"backward-euler"``, ``"fitted-bdf2"`` or ``"implicit-midpoint"``.
        rate: Rate of the fitted scheme, rad/s; the rotation of the scene unless given.
        tolerance: Newton's method stops when no node moves by more radii ...
        residual_tolerance: ... and the residual is below this part of the largest force.
        max_iterations: Iterations before a step is given up; 40 unless given.
        line_search: ``"automatic"``, ``"goldstein"`` or ``"none"``.
        adaptive: Whether a failed step is tried again with half its size; yes unless given.
        settle: Whether the run starts from static equilibrium; no unless given.
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
        force: Force of a support that is not exceeded, N.
        loop_radius: Radius of the loop of a knot that is not fallen short of, m.
        stretch: Strain of a rod that is not exceeded.
        at_rest: True to end the run when only swings of a thousandth of the radius are left, or the
            speed, m/s, that nothing reaches any more.
    """

    force: Quantity | None = None
    loop_radius: Quantity | None = None
    stretch: Quantity | None = None
    at_rest: bool | Quantity | None = None


class Output(Part, table="output"):
    """What a run directory holds.

    Arguments:
        every: Simulated time between frames, s; a 200th of the duration unless given.
        checkpoint_every: Between checkpoints, s, beside the one every 10 s of the clock.
        certify: Whether outputs carry types of knots, linking numbers, twist and writhe: True,
            False or ``"automatic"``.
        joined: Open rods that certificates take for one closed curve, such as ``[[0, 1]]``.
        supports: Whether the table of observables has what each support exerts; with at most 12
            supports unless given.
    """

    every: Quantity | None = None
    checkpoint_every: Quantity | None = None
    certify: bool | str | None = None
    joined: Sequence[Sequence[int]] | None = None
    supports: bool | None = None
