"""Scenes: from classes, from files, and back."""

import math
import tomllib
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT, hanging

import writhe

FILES = sorted((ROOT / "examples").glob("*.toml"))


def test_there_are_examples(examples: list[Path]) -> None:
    assert FILES == examples


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_examples_go_round(file: Path) -> None:
    """Every value of the file comes back as it stands there, and means the same."""
    scene = writhe.Scene.from_toml(file)
    text = scene.to_toml()
    assert tomllib.loads(text) == tomllib.loads(file.read_text())
    again = writhe.Scene.from_toml(text)
    assert again == scene
    assert again.resolved() == scene.resolved()
    assert "rods" in scene.to_dict() or "scene" in scene.to_dict()


@pytest.mark.parametrize("name", [*writhe.names(), "free", "slope", "drum"])
def test_templates_are_scenes(name: str) -> None:
    scene = writhe.Scene.from_toml(writhe.template(name))
    assert scene.resolved() == writhe.Scene.from_toml(scene.resolved()).resolved()


def test_parts_of_files_are_classes() -> None:
    drum = writhe.Scene.from_toml(ROOT / "examples/drum.toml")
    assert drum.rods is not None and drum.obstacles is not None
    assert all(isinstance(rod, writhe.Rod) for rod in drum.rods)
    assert all(isinstance(obstacle, writhe.Obstacle) for obstacle in drum.obstacles)
    assert isinstance(drum.time, writhe.Time)


def test_classes_and_files_mean_the_same() -> None:
    made = writhe.Scene(
        title="A scene of parts",
        rods=[
            writhe.Rod(
                name="string",
                shape=writhe.Helix(radius="1 cm", pitch=0.05, turns=2, edges=20),
                rest="straight",
                section=writhe.Ellipse(a="2 mm", b=1e-3),
                material=writhe.Material(young="3 MPa", shear=1e6, density=1000),
                clamps=[
                    writhe.Clamp(
                        edge="first",
                        motion=writhe.Combined(
                            sequence=[
                                writhe.Rotation(
                                    axis=[1, 0, 0],
                                    angle=writhe.Schedule(table=[[0, 0], ["1 s", "90 deg"]]),
                                ),
                                writhe.Velocity(velocity=[0, 0, "1 mm/s"]),
                                writhe.Path(path=np.array([[0.0, 0, 0, 0], [1, 0.01, 0, 0]])),
                            ]
                        ),
                    )
                ],
                held=[writhe.Held(node="last", axes="xy")],
                held_angles=[writhe.HeldAngle(edge="last", angle=writhe.Schedule(rate="10 rpm"))],
                forces=[writhe.Force(node=3, force=[0, "2 mN", 0], amplitude=0.5)],
                moments=[writhe.Moment(edge=4, moment=[0, 0, 1e-6], follows=True)],
            )
        ],
        obstacles=[
            writhe.Obstacle(name="floor", shape=writhe.HalfSpace(point=[0, 0, -0.1]), friction=0.2)
        ],
        perturbation=writhe.Perturbation(amplitude=1e-5, seed=3),
        gravity=writhe.Gravity(acceleration=(0, 0, -9.81)),
        damping=writhe.Damping(viscosity=0.01),
        wind=writhe.Wind(
            velocity=[1, 0, 0],
            gusts=writhe.Gusts(strength=0.2, period="3 s"),
            drag=writhe.LinearDrag(coefficient="0.01 Pa s"),
        ),
        fluid=writhe.ResistiveForce(viscosity=0.1, wavelength=0.05),
        contact=writhe.Contact(friction=0.1, stiffness=writhe.LargestForce(largest_force=0.01)),
        time=writhe.Time(duration=0.01, step=1e-3),
        stop=writhe.Stop(force=100),
        output=writhe.Output(every=0.005, certify=False),
    )
    text = """
        title = "A scene of parts"
        perturbation = { amplitude = 1e-5, seed = 3 }
        gravity.acceleration = [0, 0, -9.81]
        damping.viscosity = 0.01
        wind = { velocity = [1, 0, 0], gusts = { strength = 0.2, period = "3 s" }, drag = { linear = { coefficient = "0.01 Pa s" } } }
        fluid = { model = "resistive-force", viscosity = 0.1, wavelength = 0.05 }
        contact = { friction = 0.1, stiffness = { largest_force = 0.01 } }
        time = { duration = 0.01, step = 1e-3 }
        stop = { force = 100 }
        output = { every = 0.005, certify = false }
        [[rods]]
        name = "string"
        shape = { helix = { radius = "1 cm", pitch = 0.05, turns = 2, edges = 20 } }
        rest = "straight"
        section = { ellipse = { a = "2 mm", b = 1e-3 } }
        material = { young = "3 MPa", shear = 1e6, density = 1000 }
        clamps = [{ edge = "first", motion = { sequence = [
            { rotation = { axis = [1, 0, 0], angle = { table = [[0, 0], ["1 s", "90 deg"]] } } },
            { velocity = [0, 0, "1 mm/s"] },
            { path = [[0.0, 0, 0, 0], [1, 0.01, 0, 0]] },
        ] } }]
        held = [{ node = "last", axes = "xy" }]
        held_angles = [{ edge = "last", angle = { rate = "10 rpm" } }]
        forces = [{ node = 3, force = [0, "2 mN", 0], amplitude = 0.5 }]
        moments = [{ edge = 4, moment = [0, 0, 1e-6], follows = true }]
        [[obstacles]]
        name = "floor"
        friction = 0.2
        shape = { half_space = { point = [0, 0, -0.1] } }
    """
    read = writhe.Scene.from_toml(text)
    assert made.resolved() == read.resolved()
    assert writhe.Scene.from_toml(made.to_toml()).resolved() == made.resolved()


def test_bodies_and_joints_mean_the_same() -> None:
    rod = writhe.Rod(
        shape=writhe.Straight(to=[0.2, 0, 0], edges=10),
        section=writhe.Stiffness(ea=10, ei1=1e-5, gj=1e-5, mass_per_length="3 g/m", radius="1 mm"),
    )
    made = writhe.Scene(
        rods=[rod],
        bodies=[
            writhe.Body(
                name="bob",
                solid=writhe.SolidCylinder(radius="1 cm", length="2 cm"),
                mass="10 g",
                position=[0.2, 0, 0],
                orientation=writhe.Orientation(axis=[0, 1, 0], angle="30 deg"),
                welds=[writhe.Weld(rod=0, edge="last")],
            ),
            writhe.Body(solid=writhe.SolidBox(size=[0.01, 0.01, 0.01]), density=1000, position=[0.3, 0, 0]),
        ],
        joints=[
            writhe.Joint(
                bodies=["bob", 1],
                at=[0.25, 0, 0],
                hinge=writhe.Hinge(axis=[0, 0, 1], torque="1e-3 N m"),
                strength=5,
            )
        ],
    )
    assert made.resolved() == writhe.Scene.from_toml(made.to_toml()).resolved()
    assert 'name = "bob"' in made.resolved() and "1e-5" in made.to_toml().replace("0.00001", "1e-5")


def test_shapes_are_arrays() -> None:
    s = np.linspace(0, 1, 31)
    nodes = np.stack([s, np.sin(s), 0 * s], axis=1)
    rod = writhe.Rod(
        shape=nodes,
        rest=writhe.Nodes(nodes=nodes),
        section=writhe.Circle(radius=np.float64(0.01)),
        material=writhe.Material(young=1e6, poisson=0.5, density=1e3),
    )
    positions = writhe.Scene(rods=[rod]).simulation().rods[0].positions
    assert np.array_equal(positions, nodes), "with all their bits"


def test_values_may_vary_along_a_rod() -> None:
    edges = 10
    radius = np.linspace(2e-3, 1e-3, edges)
    young = np.where(np.arange(edges) < 5, 1e6, 2e6)
    rod = writhe.Rod(
        shape=writhe.Straight(to=[0.2, 0, 0], edges=edges),
        section=writhe.Circle(radius=radius),
        material=writhe.Material(young=young, poisson=0.5, density=1e3),
    )
    simulation = writhe.Scene(rods=[rod]).simulation()
    assert np.array_equal(simulation.rods[0].radius, radius)
    alone = rod.to_dict()
    assert alone["section"] == {"circle": {"radius": 2e-3}}
    assert [o["edges"] for o in alone["overrides"]] == [[i, i] for i in range(1, edges)]
    steps = writhe.Rod(
        shape=writhe.Straight(to=[0.2, 0, 0], edges=edges),
        section=writhe.Circle(radius=1e-3),
        material=writhe.Material(young=young, poisson=0.5, density=1e3),
    ).to_dict()
    assert [o["edges"] for o in steps["overrides"]] == [[5, 9]]


@pytest.mark.parametrize("length", [1, 9, 11])
def test_arrays_along_a_rod_have_its_edges(length: int) -> None:
    rod = writhe.Rod(
        shape=writhe.Straight(to=[0.2, 0, 0], edges=10),
        section=writhe.Circle(radius=np.full(length, 1e-3)),
        material=writhe.Material(young=1e6, poisson=0.5, density=1e3),
    )
    with pytest.raises(writhe.SceneError, match=f"`section.radius` has {length} values, and the rod has 10 edges"):
        writhe.Scene(rods=[rod]).check()


def test_files_are_found_beside_the_scene(tmp_path: Path) -> None:
    (tmp_path / "nodes.txt").write_text("0 0 0\n0.1 0 0\n0.2 0 0\n")
    scene = hanging()
    assert scene.rods is not None
    scene.rods[0].shape = writhe.NodesFile(file="nodes.txt")
    (tmp_path / "scene.toml").write_text(
        'rods = [{ shape = { file = "nodes.txt" }, section = { circle = { radius = 1e-3 } }, '
        "material = { young = 1e6, poisson = 0.5, density = 1e3 } }]"
    )
    read = writhe.Scene.from_toml(tmp_path / "scene.toml")
    assert read.simulation().rods[0].nodes == 3
    with pytest.raises(writhe.SceneError, match="nodes.txt"):
        scene.check()
    scene.folder = tmp_path
    assert scene.simulation().rods[0].nodes == 3


def test_named_scenes() -> None:
    scene = writhe.named("flagella", count=3, speed="15 rpm")
    assert len(scene.simulation().rods) == 3
    assert "3 rods" in scene.check() or "3" in scene.check()
    scene.time = writhe.Time(duration="1 s")
    assert "duration = 1.0" in scene.resolved()


def test_scenes_tell_what_they_hold() -> None:
    rod = hanging().rods[0]  # type: ignore[index]
    assert repr(rod.section) == "Circle(radius='1 mm')"
    assert rod == hanging().rods[0]  # type: ignore[index]
    assert rod != writhe.Circle(radius=1)
    rod.closed = False
    assert rod != hanging().rods[0]  # type: ignore[index]


def test_numbers_keep_their_bits() -> None:
    scene = hanging()
    third = 1 / 3 * 1e-3
    assert scene.rods is not None
    scene.rods[0].section = writhe.Circle(radius=third)
    assert writhe.Scene.from_toml(scene.to_toml()).rods[0].section == writhe.Circle(radius=third)  # type: ignore[index]
    assert scene.simulation().rods[0].radius[0] == third
    assert math.isclose(third, 1e-3 / 3)
