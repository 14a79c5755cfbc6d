"""The static problem at a state: what is out of balance, its derivative, and vibrations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from writhe.errors import SceneError, SimulationError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from writhe._rod import RodLayout
    from writhe.simulation import SimulatedRod

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: Unbalanced force over the largest force up to which a state is in equilibrium.
_BALANCED = 1e-2
#: Part of a coordinate that rounding may take.
_DIGITS = 64 * 2.0**-52
#: Unknowns up to which modes are found without scipy.
_DENSE = 6000
#: Squared frequencies below minus this part of the largest are those of an unstable equilibrium.
_ROUNDING = 1e-14
#: Part of the largest entry of a stiffness that rounding may take from its symmetry.
_ROUNDING_OF_ENTRIES = 1e-12


@dataclass(frozen=True)
class Unknowns:
    """The free unknowns, ``n`` of them, in the order of `Statics.residual`: what is clamped or held is
    not among them. Arrays of integers, copies.

    Attributes:
        rod: Rod of each, from 0, shape (n,).
        node: Node of that rod, from 0, shape (n,); -1 for an angle.
        edge: Edge of that rod, from 0, shape (n,); -1 for a position.
        component: 0, 1, 2 for x, y, z in the axes of the scene, shape (n,); -1 for an angle.
    """

    rod: Integers
    node: Integers
    edge: Integers
    component: Integers

    def __len__(self) -> int:
        """Number of unknowns."""
        return len(self.rod)


@dataclass(frozen=True)
class Statics:
    """Forces and their derivative at a state, at rest, of the ``n`` free unknowns. Arrays are copies.

    Attributes:
        unknowns: Which they are.
        residual: Derivative of the elastic energy less the forces of loads and contacts, N for
            positions and N m for angles, shape (n,): 0 in equilibrium.
        rows, columns, values: The stiffness, derivative of the residual by the unknowns, as triplets:
            N/m, N and N m, each place once, sorted by column, then row.
        mass: Lumped masses, kg, and moments of inertia of the angles, kg m^2, shape (n,).
        unbalanced: Largest residual as a force, N.
        largest_force: Largest force inside of rods, of a load or a contact, N.
        has_potential: Whether the forces have a potential, and so the stiffness is symmetric.
    """

    unknowns: Unknowns
    residual: Floats
    rows: Integers
    columns: Integers
    values: Floats
    mass: Floats
    unbalanced: float
    largest_force: float
    has_potential: bool

    @property
    def dense(self) -> Floats:
        """The stiffness as an array, shape (n, n)."""
        n = len(self.residual)
        matrix = np.zeros((n, n))
        matrix[self.rows, self.columns] = self.values
        return matrix

    @property
    def sparse(self) -> Any:
        """The stiffness as a ``scipy.sparse.csc_array``, shape (n, n).

        Raises:
            ModuleNotFoundError: Without scipy: ``rows``, ``columns``, ``values`` hold the same.
        """
        try:
            from scipy.sparse import csc_array
        except ModuleNotFoundError as error:
            raise ModuleNotFoundError(
                "a sparse matrix needs scipy (pip install scipy); sim.statics() has rows, columns and values"
            ) from error
        n = len(self.residual)
        return csc_array((self.values, (self.rows, self.columns)), shape=(n, n))


@dataclass(frozen=True)
class Modes:
    """Vibrations about an equilibrium, ``k`` of them, the slowest first. Arrays are copies.

    Attributes:
        frequencies: Hz, shape (k,); 0 for motions that nothing holds.
        shapes: Motion of the nodes of each rod, an array of shape (k, nodes, 3) each, in the axes of
            the scene: scaled so that masses times squares of all unknowns add up to 1 kg m^2.
        angles: Turn of the edges about their tangents in the same scale, rad, an array of shape (k,
            edges) for each rod.
    """

    frequencies: Floats
    shapes: list[Floats]
    angles: list[Floats]

    def __len__(self) -> int:
        """Number of modes."""
        return len(self.frequencies)


def statics_of(found: dict[str, Any]) -> Statics:
    """From the arrays of the core."""
    unknowns = Unknowns(*(found[name] for name in ("rod", "node", "edge", "component")))
    return Statics(
        unknowns=unknowns,
        **{
            name: found[name]
            for name in (
                "residual",
                "rows",
                "columns",
                "values",
                "mass",
                "unbalanced",
                "largest_force",
                "has_potential",
            )
        },
    )


def modes_of(statics: Statics, rods: Sequence[SimulatedRod], count: int) -> Modes:
    """The slowest vibrations of the problem ``K u = omega^2 M u``."""
    n = len(statics.residual)
    if n == 0:
        remedy = "let a node or an edge be free: clamps and held nodes leave nothing here"
        raise SceneError("nothing is free to move, so there are no modes", "count", remedy)
    if not 1 <= count <= n:
        remedy = f"ask for 1 to {n}, the number of unknowns that are free"
        raise SceneError(f"there are no {count} modes", "count", remedy)
    if not _is_symmetric(statics):
        raise SimulationError(
            "vibrations are those of forces with a potential, and the stiffness is not symmetric: a load "
            "follows the rod or is a moment, or a function says such a stiffness",
            remedy="forces that keep their direction, and a symmetric stiffness",
        )
    # Where nothing bears on anything forces are rounding: that of coordinates, times the stiffness.
    positions = statics.unknowns.node[statics.rows] >= 0
    stiffest = float(np.abs(statics.values[positions]).max(initial=0.0))
    reach = max(float(np.abs(rod.positions).max()) for rod in rods)
    rounding = _DIGITS * stiffest * reach
    if statics.unbalanced > _BALANCED * statics.largest_force + rounding:
        raise SimulationError(
            f"this state is no equilibrium: {statics.unbalanced:.3e} N are out of balance, with forces of "
            f"{statics.largest_force:.3e} N",
            remedy="sim.settle() before",
        )
    squares, shapes, largest = _slowest(statics, count)
    if squares[0] < -_ROUNDING * largest:
        raise SimulationError(
            f"this equilibrium is unstable: a motion grows at {np.sqrt(-squares[0]):.4g} per second",
            remedy="a stable equilibrium: perturb the rods, and settle",
        )
    # Below rounding nothing holds.
    squares = np.where(squares < _ROUNDING * largest, 0.0, squares)
    return Modes(np.sqrt(squares) / (2.0 * np.pi), *_spread(statics.unknowns, rods, shapes))


def _is_symmetric(statics: Statics) -> bool:
    """Whether the stiffness is its transpose, but for rounding: what acts with nothing, or with a
    symmetric stiffness, has a potential as far as vibrations know."""
    if statics.has_potential:
        return True
    n = len(statics.residual)
    order = np.argsort(statics.rows * n + statics.columns)
    other = np.argsort(statics.columns * n + statics.rows)
    places = statics.rows[order] * n + statics.columns[order]
    mirrored = statics.columns[other] * n + statics.rows[other]
    if not np.array_equal(places, mirrored):
        return False
    skew = np.abs(statics.values[order] - statics.values[other]).max(initial=0.0)
    return bool(skew <= _ROUNDING_OF_ENTRIES * np.abs(statics.values).max(initial=0.0))


def _slowest(statics: Statics, count: int) -> tuple[Floats, Floats, float]:
    """Squared frequencies, 1/s^2, ascending, mass-normalised shapes (n, count), and a bound of the
    largest."""
    root = np.sqrt(statics.mass)
    n = len(root)
    # M^-1/2 K M^-1/2, whose rows bound the largest eigenvalue (Gershgorin).
    scaled = statics.values / (root[statics.rows] * root[statics.columns])
    largest = float(np.bincount(statics.rows, np.abs(scaled), minlength=n).max())
    if n <= 400 or count > n // 4 or not _has_scipy():
        if n > _DENSE:
            raise ModuleNotFoundError(
                f"modes of {n} unknowns need scipy (pip install scipy); without it up to {_DENSE} can be"
            )
        matrix = np.zeros((n, n))
        matrix[statics.rows, statics.columns] = scaled
        squares, vectors = np.linalg.eigh(0.5 * (matrix + matrix.T))
        squares, vectors = squares[:count], vectors[:, :count]
    else:
        from scipy.sparse import csc_array
        from scipy.sparse.linalg import eigsh

        matrix = csc_array((scaled, (statics.rows, statics.columns)), shape=(n, n))
        # Behind a shift, so that what nothing holds can be solved with too.
        shift = -1e-12 * largest
        start = np.cos(np.arange(n))
        squares, vectors = eigsh(matrix, k=count, sigma=shift, which="LM", v0=start)
        order = np.argsort(squares)
        squares, vectors = squares[order], vectors[:, order]
    return squares, vectors / root[:, None], largest


def _has_scipy() -> bool:
    try:
        import scipy.sparse.linalg  # noqa: F401
    except ModuleNotFoundError:
        return False
    return True


def _spread(
    unknowns: Unknowns, rods: Sequence[RodLayout], vectors: Floats
) -> tuple[list[Floats], list[Floats]]:
    """Motions of unknowns as those of nodes and edges; what is held does not move."""
    count = vectors.shape[1]
    shapes = [np.zeros((count, rod.nodes, 3)) for rod in rods]
    angles = [np.zeros((count, rod.edges)) for rod in rods]
    for index in range(len(rods)):
        own = (unknowns.rod == index) & (unknowns.node >= 0)
        shapes[index][:, unknowns.node[own], unknowns.component[own]] = vectors[own].T
        own = (unknowns.rod == index) & (unknowns.edge >= 0)
        angles[index][:, unknowns.edge[own]] = vectors[own].T
    return shapes, angles
