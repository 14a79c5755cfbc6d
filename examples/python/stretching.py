"""A rod pulled by its end, beside Hooke's law."""

import numpy as np

import writhe

LENGTH, RADIUS, YOUNG, FORCE = 0.1, 1e-3, 1e6, 0.01


def main() -> float:
    """The elongation over the closed form."""
    rod = writhe.Rod(
        shape=writhe.Straight(to=[LENGTH, 0, 0], edges=20),
        section=writhe.Circle(radius=RADIUS),
        material=writhe.Material(young=YOUNG, poisson=0.5, density=1000),
        held=[writhe.Held(node="first")],
        held_angles=[writhe.HeldAngle(edge="first")],
        forces=[writhe.Force(node="last", force=[FORCE, 0, 0])],
    )
    sim = writhe.Scene(rods=[rod]).simulation()
    sim.settle()
    expected = FORCE * LENGTH / (YOUNG * np.pi * RADIUS**2)
    found = float(sim.rods[0].positions[-1, 0]) - LENGTH
    tension = sim.rods[0].internal_force[:, 0]
    print(f"elongation {found:.6e} m, closed form {expected:.6e} m")
    print(f"tension {tension.min():.6e} to {tension.max():.6e} N, force {FORCE:.6e} N")
    return found / expected


if __name__ == "__main__":
    main()
