"""A beam with a small force on its tip, beside Euler and Bernoulli's deflection."""

import numpy as np

import writhe

LENGTH, RADIUS, YOUNG, FORCE = 0.2, 2e-3, 1e9, 1e-3


def main() -> float:
    """The deflection of the tip over the closed form."""
    rod = writhe.Rod(
        shape=writhe.Straight(to=[LENGTH, 0, 0], edges=50),
        section=writhe.Circle(radius=RADIUS),
        material=writhe.Material(young=YOUNG, poisson=0.5, density=1000),
        # Half of the clamped edge lies behind the clamp: lengths count from there.
        clamps=[writhe.Clamp(edge="first", half_edge=True)],
        forces=[writhe.Force(node="last", force=[0, 0, -FORCE])],
    )
    sim = writhe.Scene(rods=[rod]).simulation()
    sim.settle()
    inertia = np.pi / 4 * RADIUS**4
    expected = FORCE * LENGTH**3 / (3 * YOUNG * inertia)
    found = float(-sim.rods[0].positions[-1, 2])
    moment = float(np.linalg.norm(sim.rods[0].internal_moment[1]))
    print(f"deflection {found:.4e} m, closed form {expected:.4e} m")
    print(f"moment near the clamp {moment:.4e} N m, force x length {FORCE * LENGTH:.4e} N m")
    return found / expected


if __name__ == "__main__":
    main()
