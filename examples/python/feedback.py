"""A controller in the loop: a force on the tip of a hanging rod that is told where the tip shall be."""

import numpy as np
from numpy.typing import NDArray

import writhe

Floats = NDArray[np.float64]
TARGET = np.array([0.15, 0.05, -0.05])


class Controller:
    """Proportional, integral and differential, of the place of the tip."""

    def __init__(self) -> None:
        """Without an error yet."""
        self.sum = np.zeros(3)
        self.force = np.zeros(3)

    def see(self, tip: Floats, velocity: Floats, dt: float) -> None:
        """Sets the force after a step of dt, s."""
        error = TARGET - tip
        self.sum += error * dt
        self.force = 0.1 * error + 0.5 * self.sum - 0.01 * velocity

    def __call__(self, time: float, positions: Floats, velocities: Floats) -> Floats:
        """The force on every node, N."""
        force = np.zeros_like(positions)
        force[-1] = self.force
        return force


def main() -> float:
    """Distance of the tip from its target, m."""
    rod = writhe.Rod(
        shape=writhe.Straight(to=[0.2, 0, 0], edges=40),
        section=writhe.Circle(radius="1 mm"),
        material=writhe.Material(young="3 MPa", poisson=0.5, density="1000 kg/m^3"),
        clamps=[writhe.Clamp(edge="first")],
    )
    scene = writhe.Scene(
        rods=[rod],
        gravity=writhe.Gravity(acceleration=[0, 0, -9.81]),
        damping=writhe.Damping(viscosity=0.05),
        time=writhe.Time(duration=6, step="5 ms"),
    )
    sim, controller = scene.simulation(), Controller()
    [simulated] = sim.rods
    simulated.add_force(controller)
    for step in sim.steps():
        controller.see(simulated.positions[-1], simulated.velocities[-1], step.dt)
    distance = float(np.linalg.norm(simulated.positions[-1] - TARGET))
    print(f"t = {sim.time:g} s: the tip is {1e3 * distance:.3f} mm from its target")
    return distance


if __name__ == "__main__":
    main()
