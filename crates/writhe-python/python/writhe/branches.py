"""Equilibria that follow a key of the scene."""

from __future__ import annotations

import os
import warnings
from typing import TYPE_CHECKING

from writhe import _core
from writhe.errors import SceneError
from writhe.run import Run
from writhe.scene import Scene

if TYPE_CHECKING:
    from writhe._part import Quantity


def follow(
    scene: Scene,
    key: str,
    *,
    end: Quantity,
    to: str | os.PathLike[str],
    start: Quantity | None = None,
    branches: int = 0,
    step: float | None = None,
    points: int = 1000,
) -> Run:
    """Follows the equilibria of a scene over one of its keys, past the points where the key turns back,
    as ``writhe follow`` does, with the same bytes in the run directory.

    Arguments:
        scene: What is in equilibrium; at rest, without its motions.
        key: Dotted key of one number of the scene file, such as ``"rods[0].forces[0].force[0]"``, or
            ``"time"``, which moves supports and loads as the scene says.
        end: Where the key ends: a number in SI, or a text with a unit.
        to: Directory of the run: a new one, or an empty one.
        start: Where the key begins; at the value of the scene, or at the time 0, unless given.
        branches: The number of bifurcations, counted from the start, at which the branches that leave
            are followed, too; the first branch ends at the last of them.
        step: Longest step along a branch, from 0 to 1; 0.05 unless given.
        points: Largest number of equilibria on a branch.

    Returns:
        The run, with a frame for each equilibrium. Beside the usual observables it has ``parameter``
        (the key, in SI), ``branch``, ``branch_length``, ``negative`` (how many ways an equilibrium is
        unstable) and ``event`` (1 a fold, 2 a bifurcation). What is not as it was asked for is told by
        a warning.

    Raises:
        SceneError: When the key cannot be followed, or the directory is not empty.
        SimulationError: When there is no equilibrium to begin at.
    """
    if step is not None and not 0 < step <= 1:
        raise SceneError(f"step is {step}", "step", "take a length along a branch, from 0 to 1, or leave it out")
    for name, count in (("branches", branches), ("points", points)):
        if count < 0:
            raise SceneError(f"{name} is {count}", name, "take 0 or more")
    ends = (None if start is None else _text(start), _text(end))
    told = _core.follow(scene._made(), key, ends, (branches, step, points), os.fspath(to))
    for line in told:
        warnings.warn(line, stacklevel=2)
    return Run(to)


def _text(value: Quantity) -> str:
    """A value as ``--to`` takes it."""
    return value if isinstance(value, str) else repr(float(value))
