"""A thin rod that hangs from two points, beside the catenary."""

import numpy as np

import writhe

LENGTH, SPAN, EDGES = 1.0, 0.8, 100


def main() -> float:
    """The sag over that of the catenary of the same length."""
    # Begins as an arc of its length between the two points.
    angles = np.linspace(0.1, np.pi, 100_000)
    angle = angles[np.argmin(np.abs(np.sin(angles / 2) / (angles / 2) - SPAN / LENGTH))]
    radius = LENGTH / angle
    along = np.linspace(-angle / 2, angle / 2, EDGES + 1)
    arc = np.stack([radius * np.sin(along), 0 * along, -radius * np.cos(along)], axis=1)
    rod = writhe.Rod(
        shape=arc - [0, 0, arc[0, 2]],
        rest="straight",
        section=writhe.Circle(radius="0.5 mm"),
        material=writhe.Material(young="10 MPa", poisson=0.5, density="2000 kg/m^3"),
        held=[writhe.Held(node="first"), writhe.Held(node="last")],
        held_angles=[writhe.HeldAngle(edge="first")],
    )
    sim = writhe.Scene(rods=[rod], gravity=writhe.Gravity(acceleration=[0, 0, -9.81])).simulation()
    sim.settle()
    # z = a cosh(x / a): the length is 2 a sinh(span / 2 a).
    scales = np.linspace(0.1, 2.0, 1_000_000)
    a = scales[np.argmin(np.abs(2 * scales * np.sinh(SPAN / (2 * scales)) - LENGTH))]
    expected = float(a * (np.cosh(SPAN / (2 * a)) - 1))
    found = float(-sim.rods[0].positions[:, 2].min())
    print(f"sag {found:.4f} m, catenary {expected:.4f} m")
    return found / expected


if __name__ == "__main__":
    main()
