"""Writhe simulates slender elastic rods that bend, twist, touch, tangle and swim.

A `Scene` says what is simulated, under the names of the scene file; numbers are SI, and texts carry
units::

    import writhe

    rod = writhe.Rod(
        shape=writhe.Straight(to=["0.2 m", 0, 0], edges=40),
        section=writhe.Circle(radius="1 mm"),
        material=writhe.Material(young="3 MPa", poisson=0.5, density="1000 kg/m^3"),
        clamps=[writhe.Clamp(edge="first")],
    )
    scene = writhe.Scene(rods=[rod], gravity=writhe.Gravity(acceleration=[0, 0, -9.81]))
    print(scene.check())
"""

from writhe._core import __version__
from writhe._part import Part
from writhe.bodies import (
    Body,
    Box,
    Capsule,
    Cylinder,
    Guide,
    HalfSpace,
    Hinge,
    Joint,
    Mesh,
    Obstacle,
    Orientation,
    SolidBox,
    SolidCylinder,
    SolidSphere,
    Sphere,
    Weld,
)
from writhe.drives import DrivenAngle, DrivenMotion, DrivenTorque, PointLoad
from writhe.errors import SceneError, SimulationError, StepWarning
from writhe.motion import Combined, Path, Rotation, Schedule, Velocity
from writhe.page import Page
from writhe.rods import (
    Arc,
    Circle,
    Clamp,
    Ellipse,
    Force,
    Held,
    HeldAngle,
    Helix,
    Material,
    Moment,
    Nodes,
    NodesFile,
    Override,
    Rectangle,
    Ring,
    Rod,
    Stiffness,
    Straight,
)
from writhe.run import RecordedRod, Run, open_run
from writhe.scene import Scene, named, names, template
from writhe.settings import Output, Stop, Time
from writhe.simulation import (
    Bodies,
    Energies,
    ObstacleContacts,
    RodContacts,
    SimulatedRod,
    Simulation,
    Step,
)
from writhe.statics import Modes, Statics, Unknowns
from writhe.surroundings import (
    Contact,
    Damping,
    Fluid,
    Gravity,
    Gusts,
    Hybrid,
    Lagged,
    LargestForce,
    LinearDrag,
    Perturbation,
    QuadraticDrag,
    ResistiveForce,
    StokesletSegments,
    Wind,
)
from writhe.sweeps import sweep

__all__ = [
    "Arc",
    "Bodies",
    "Body",
    "Box",
    "Capsule",
    "Circle",
    "Clamp",
    "Combined",
    "Contact",
    "Cylinder",
    "Damping",
    "DrivenAngle",
    "DrivenMotion",
    "DrivenTorque",
    "Ellipse",
    "Energies",
    "Fluid",
    "Force",
    "Gravity",
    "Guide",
    "Gusts",
    "HalfSpace",
    "Held",
    "HeldAngle",
    "Helix",
    "Hinge",
    "Hybrid",
    "Joint",
    "Lagged",
    "LargestForce",
    "LinearDrag",
    "Material",
    "Mesh",
    "Modes",
    "Moment",
    "Nodes",
    "NodesFile",
    "Obstacle",
    "ObstacleContacts",
    "Orientation",
    "Output",
    "Override",
    "Page",
    "Part",
    "Path",
    "Perturbation",
    "PointLoad",
    "QuadraticDrag",
    "RecordedRod",
    "Rectangle",
    "ResistiveForce",
    "Ring",
    "Rod",
    "RodContacts",
    "Rotation",
    "Run",
    "Scene",
    "SceneError",
    "Schedule",
    "SimulatedRod",
    "Simulation",
    "SimulationError",
    "SolidBox",
    "SolidCylinder",
    "SolidSphere",
    "Sphere",
    "Step",
    "StepWarning",
    "Statics",
    "Stiffness",
    "StokesletSegments",
    "Stop",
    "Straight",
    "Time",
    "Unknowns",
    "Velocity",
    "Weld",
    "Wind",
    "named",
    "names",
    "open_run",
    "sweep",
    "template",
    "__version__",
]
