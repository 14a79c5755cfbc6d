"""A flexible pendulum: a thin rod hangs from one end and swings, beside Bernoulli's hanging chain.

Its slowest mode is J0(2 w sqrt(z / g)) at the height z above the free end, with the frequency
w = j / 2 sqrt(g / length), where j = 2.404826 is the first zero of the Bessel function J0.
"""

import math

import numpy as np
from numpy.typing import NDArray

import writhe

LENGTH, GRAVITY, SWING, EDGES = 1.0, 9.81, 0.01, 60
ZERO_OF_J0 = 2.404825557695773


def j0(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """The Bessel function J0, by its power series."""
    value = np.zeros_like(x)
    for k in range(20):
        value += (-1) ** k * (x / 2) ** (2 * k) / math.factorial(k) ** 2
    return value


def main() -> float:
    """A quarter of the period over the closed form."""
    z = np.linspace(LENGTH, 0, EDGES + 1)
    mode = SWING * j0(ZERO_OF_J0 * np.sqrt(z / LENGTH))
    rod = writhe.Rod(
        shape=np.stack([mode, 0 * z, z], axis=1),
        rest="straight",
        # A chain in all but name: it does not stretch, and hardly resists bending.
        section=writhe.Stiffness(
            ea=100, ei1=1e-10, gj=1e-10, mass_per_length=2e-3, radius=5e-4
        ),
        held=[writhe.Held(node="first")],
        held_angles=[writhe.HeldAngle(edge="first")],
    )
    scene = writhe.Scene(
        rods=[rod],
        gravity=writhe.Gravity(acceleration=[0, 0, -GRAVITY]),
        time=writhe.Time(duration=1, step="1 ms"),
    )
    sim = scene.simulation()
    before = (0.0, SWING)
    for _ in sim.steps():
        tip = float(sim.rods[0].positions[-1, 0])
        if tip < 0:
            break
        before = (sim.time, tip)
    # Where the line through both steps passes the middle.
    found = before[0] + (sim.time - before[0]) * before[1] / (before[1] - tip)
    expected = math.pi / 2 / (ZERO_OF_J0 / 2 * math.sqrt(GRAVITY / LENGTH))
    print(f"quarter of the period {found:.4f} s, closed form {expected:.4f} s")
    return found / expected


if __name__ == "__main__":
    main()
