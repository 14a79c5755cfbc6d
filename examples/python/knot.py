"""Overhand knots without friction in a thin rod, beside theory.

Audoly, Clauvelin and Neukirch, Physical Review Letters 99 (2007): where the rod is thin, the loop of
the knot is a circle of radius R, and the pull that keeps it from opening is F = B / (2 R^2), with the
bending stiffness B. The rod's radius h corrects that by the order of sqrt(h / R).
"""

import numpy as np

import writhe

LENGTH, RADIUS, YOUNG, EDGES = 2.0, 0.5e-3, 1e7, 1600
LOOPS = [0.05, 0.08, 0.14]


def pull(loop: float) -> float:
    """The pull on a knot whose loop has this radius, m, over B / (2 R^2)."""
    scene = writhe.named(
        "knot",
        length=LENGTH,
        # What the loop takes of the rod.
        end_distance=LENGTH - 2 * np.pi * loop,
        rod_radius=RADIUS,
        young=YOUNG,
        edges=EDGES,
    )
    scene.contact = writhe.Contact(friction=0)
    scene.time = writhe.Time(settle=True)
    sim = scene.simulation()
    bending = YOUNG * np.pi / 4 * RADIUS**4
    return sim.observables["rod0_pull_force"] * 2 * loop**2 / bending


def main() -> float:
    """The pull over the theory, in the limit of a thin rod."""
    orders = [float(np.sqrt(RADIUS / loop)) for loop in LOOPS]
    pulls = [pull(loop) for loop in LOOPS]
    for order, found in zip(orders, pulls, strict=True):
        print(f"sqrt(h/R) = {order:.3f}: pull {found:.4f} B / (2 R^2)")
    slope, limit = np.polyfit(orders, pulls, 1)
    print(f"sqrt(h/R) = 0: by the line through these {limit:.4f}, theory 1")
    return float(limit)


if __name__ == "__main__":
    main()
