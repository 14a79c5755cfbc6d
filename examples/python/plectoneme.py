"""A rod under constant tension that is twisted until it winds about itself.

In the wound part both strands are helices of the rod's own radius R, at an angle alpha to their axis.
At the tension F, with the bending stiffness B, the least energy has (Clauvelin, Audoly and Neukirch,
Macromolecules 41, 2008)

    F = B sin(alpha)^4 / R^2 (1/2 + 1 / cos(2 alpha)),
    M = 2 B sin(alpha)^3 cos(alpha) / (R cos(2 alpha)),

where M is the twisting moment: it does not depend on the turns.
"""

import numpy as np

import writhe

LENGTH, RADIUS, BENDING, TENSION, TURNS, EDGES = 1.0, 4e-3, 1e-4, 0.5, 13, 300


def closed_form() -> float:
    """The twisting moment, N m."""
    alpha = np.linspace(1e-3, 0.78, 1_000_000)
    force = BENDING * np.sin(alpha) ** 4 / RADIUS**2 * (0.5 + 1 / np.cos(2 * alpha))
    angle = alpha[np.argmin(np.abs(force - TENSION))]
    return float(2 * BENDING * np.sin(angle) ** 3 * np.cos(angle) / (RADIUS * np.cos(2 * angle)))


def turning(turns: float) -> writhe.Schedule:
    """An angle that grows by so many turns within 5 s."""
    return writhe.Schedule(table=[[0, 0], [5, 2 * np.pi * turns]])


def main() -> float:
    """The twisting moment over the closed form."""
    rod = writhe.Rod(
        shape=writhe.Straight(to=[LENGTH, 0, 0], edges=EDGES),
        # As stiff against twist, for its bending, as DNA.
        section=writhe.Stiffness(
            ea=500, ei1=BENDING, gj=2 * BENDING, mass_per_length=0.02, radius=RADIUS
        ),
        # Both ends turn about the axis, and the last may move along it.
        held=[
            writhe.Held(node=0),
            writhe.Held(node=1, axes="yz"),
            writhe.Held(node=EDGES - 1, axes="yz"),
            writhe.Held(node=EDGES, axes="yz"),
        ],
        held_angles=[
            writhe.HeldAngle(edge="first", angle=turning(-TURNS / 2)),
            writhe.HeldAngle(edge="last", angle=turning(TURNS / 2)),
        ],
        forces=[
            writhe.Force(node="last", force=[TENSION, 0, 0]),
            # Leads the first loop out of the middle, and then lets go.
            writhe.Force(
                node=EDGES // 2,
                force=[0, TENSION / 10, 0],
                amplitude=writhe.Schedule(table=[[5, 1], [6, 0]]),
            ),
        ],
    )
    scene = writhe.Scene(
        rods=[rod],
        damping=writhe.Damping(viscosity=0.5),
        time=writhe.Time(duration=9, step="10 ms"),
    )
    sim = scene.simulation()
    sim.run()
    wound = 1 - sim.rods[0].positions[-1, 0] / LENGTH
    # Of the twist that the rod keeps; the rest of the turns has become coils.
    found = float(2 * BENDING * sim.rods[0].twist[1:-1].mean())
    expected = closed_form()
    print(f"{wound:.0%} of the rod are wound up, {len(sim.contacts)} contacts")
    print(f"twisting moment {found:.4e} N m, closed form {expected:.4e} N m")
    return found / expected


if __name__ == "__main__":
    main()
