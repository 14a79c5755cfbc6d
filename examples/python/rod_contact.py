"""Two beams that cross at right angles: a force on the upper one is shared by both.

Each beam rests on its ends, and at its middle it is a spring of stiffness 48 E I / length^3 (Euler and
Bernoulli). The springs move together, so the contact carries the part of the lower one.
"""

import numpy as np

import writhe

RADIUS, YOUNG, FORCE = 2e-3, 1e9, 0.1
UPPER, LOWER = 0.2, 0.3


def beam(direction: list[float], length: float, height: float) -> writhe.Rod:
    """A beam about the z axis, along a direction, that rests on its ends."""
    half = length / 2 * np.array(direction)
    lift = np.array([0, 0, height])
    return writhe.Rod(
        shape=writhe.Straight(from_=lift - half, to=lift + half, edges=40),
        section=writhe.Circle(radius=RADIUS),
        material=writhe.Material(young=YOUNG, poisson=0.5, density=1000),
        # The first end stays where it is, the last may slide along the beam.
        held=[
            writhe.Held(node="first"),
            writhe.Held(node="last", axes="yz" if direction[0] else "xz"),
        ],
        held_angles=[writhe.HeldAngle(edge="first")],
    )


def main() -> float:
    """The force of the contact over the closed form."""
    upper = beam([1, 0, 0], UPPER, 2 * RADIUS)
    upper.forces = [writhe.Force(node=20, force=[0, 0, -FORCE])]
    lower = beam([0, 1, 0], LOWER, 0)
    sim = writhe.Scene(rods=[upper, lower]).simulation()
    sim.settle()
    stiffness = [1 / UPPER**3, 1 / LOWER**3]
    expected = FORCE * stiffness[1] / sum(stiffness)
    found = float(sim.contacts.force.sum())
    inertia = np.pi / 4 * RADIUS**4
    sag = FORCE / (48 * YOUNG * inertia * sum(stiffness))
    print(f"force across the contact {found:.4e} N, closed form {expected:.4e} N")
    for name, rod, height in zip(("upper", "lower"), sim.rods, (2 * RADIUS, 0), strict=True):
        print(f"sag of the {name} beam {height - rod.positions[20, 2]:.4e} m, closed form {sag:.4e} m")
    return found / expected


if __name__ == "__main__":
    main()
