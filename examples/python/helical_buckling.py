"""A straight rod, twisted by 27 turns, whose ends approach: it buckles into a helix in its middle.

The closed form is that of a long rod (van der Heijden and Thompson, Nonlinear Dynamics 21, 2000)
with the numbers of Bergou et al. 2008, Fig. 7: the largest angle between the tangent and the axis
is .9185 rad.
"""

import numpy as np

import writhe

LENGTH, BENDING, TWISTING, SHORTENING = 9.29, 1.345, 0.789, 0.3
ROTATION = 27 * 2 * np.pi


def closed_form() -> float:
    """The largest angle phi, rad.

    With the twisting moment M, the ends of a long rod turn by M length / twisting + 2 phi, and they
    approach by 4 bending sin(phi) / M.
    """
    low, high = 0.0, np.pi / 2
    for _ in range(60):
        phi = (low + high) / 2
        moment = (ROTATION - 2 * phi) * TWISTING / LENGTH
        if 4 * BENDING * np.sin(phi) / moment < SHORTENING:
            low = phi
        else:
            high = phi
    return phi


def main() -> float:
    """The largest angle over the closed form."""
    scene = writhe.named(
        "localized-buckling",
        length=LENGTH,
        bending=BENDING,
        twisting=TWISTING,
        turned=ROTATION,
        shortening=SHORTENING,
    )
    scene.time = writhe.Time(duration=60, step=0.05)
    sim = scene.simulation()
    sim.run()
    # The balance of forces without what still moves.
    sim.settle()
    axis = np.ptp(sim.rods[0].positions, axis=0).argmax()
    along = sim.rods[0].directors[:, 2, axis]
    found = float(np.arccos(np.abs(along)).max())
    expected = closed_form()
    print(f"largest angle to the axis {found:.4f} rad, closed form {expected:.4f} rad")
    return found / expected


if __name__ == "__main__":
    main()
