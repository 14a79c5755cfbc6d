"""Two rods on a slope: the one that lies along it slides, the one that lies across it rolls.

Coulomb: the sliding rod has the acceleration g (sin a - mu cos a). A cylinder that rolls has
2/3 g sin a. Both begin at rest.
"""

import numpy as np

import writhe

SLOPE, FRICTION, GRAVITY, RADIUS, LENGTH, DURATION = np.radians(20), 0.3, 9.81, 4e-3, 0.1, 0.5


def rod(start: list[float], end: list[float]) -> writhe.Rod:
    """A rod that touches the plane z = 0."""
    lift = np.array([0, 0, RADIUS])
    return writhe.Rod(
        shape=writhe.Straight(from_=start + lift, to=end + lift, edges=20),
        section=writhe.Circle(radius=RADIUS),
        material=writhe.Material(young="1 MPa", poisson=0.5, density="1000 kg/m^3"),
    )


def main() -> float:
    """The way of the sliding rod over the closed form."""
    scene = writhe.Scene(
        rods=[rod([0, 0, 0], [LENGTH, 0, 0]), rod([0, 0.03, 0], [0, 0.03 + LENGTH, 0])],
        obstacles=[writhe.Obstacle(shape=writhe.HalfSpace())],
        # The plane lies flat, gravity is turned.
        gravity=writhe.Gravity(
            acceleration=[GRAVITY * np.sin(SLOPE), 0, -GRAVITY * np.cos(SLOPE)]
        ),
        contact=writhe.Contact(friction=FRICTION),
        time=writhe.Time(duration=DURATION, step="2 ms"),
    )
    sim = scene.simulation()
    starts = [rod.positions.mean(axis=0) for rod in sim.rods]
    sim.run()
    slides, rolls = (
        float(rod.positions.mean(axis=0)[0] - start[0])
        for rod, start in zip(sim.rods, starts, strict=True)
    )
    fall = GRAVITY * DURATION**2 / 2
    expected = fall * float(np.sin(SLOPE) - FRICTION * np.cos(SLOPE))
    rolling = fall * 2 / 3 * float(np.sin(SLOPE))
    print(f"slides {slides:.5f} m, closed form {expected:.5f} m")
    print(f"rolls  {rolls:.5f} m, closed form {rolling:.5f} m")
    return slides / expected


if __name__ == "__main__":
    main()
