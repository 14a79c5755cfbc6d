"""A ring that two opposite forces pull apart, beside the closed form for thin rings.

Timoshenko, Strength of Materials II: along the forces the diameter grows by
(pi/4 - 2/pi) F R^3 / (E I), across them it shrinks by (2/pi - 1/2) F R^3 / (E I).
"""

import numpy as np

import writhe

RADIUS, THICKNESS, YOUNG, FORCE, EDGES = 0.1, 1e-3, 1e9, 1e-3, 200


def main() -> float:
    """The growth of the diameter along the forces over the closed form."""
    rod = writhe.Rod(
        shape=writhe.Ring(radius=RADIUS, edges=EDGES),
        section=writhe.Circle(radius=THICKNESS),
        material=writhe.Material(young=YOUNG, poisson=0.5, density=1000),
        # Two nodes across from each other stay on the axis y, so that the ring does not drift.
        held=[
            writhe.Held(node=EDGES // 4, axes="xz"),
            writhe.Held(node=3 * EDGES // 4, axes="xz"),
            writhe.Held(node=0, axes="yz"),
        ],
        forces=[
            writhe.Force(node=0, force=[FORCE, 0, 0]),
            writhe.Force(node=EDGES // 2, force=[-FORCE, 0, 0]),
        ],
    )
    sim = writhe.Scene(rods=[rod]).simulation()
    before = sim.rods[0].positions
    sim.settle()
    after = sim.rods[0].positions
    scale = FORCE * RADIUS**3 / (YOUNG * np.pi / 4 * THICKNESS**4)
    grown = [
        float(np.ptp(after[:, axis]) - np.ptp(before[:, axis])) / scale for axis in (0, 1)
    ]
    expected = [np.pi / 4 - 2 / np.pi, 0.5 - 2 / np.pi]
    print(f"along the forces {grown[0]:.5f} F R^3/EI, closed form {expected[0]:.5f}")
    print(f"across them     {grown[1]:.5f} F R^3/EI, closed form {expected[1]:.5f}")
    return grown[0] / expected[0]


if __name__ == "__main__":
    main()
