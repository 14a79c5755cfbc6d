//! Obstacles in scene files: shapes, motion, friction, meshes from files, errors.

use glam::DVec3;
use writhe::obstacle::{Hollow, Solid};
use writhe_scenes::{Files, Scene};

const ROD: &str = "[[rods]]\nshape = { straight = { from = [0, 0, \"10 cm\"], to = [\"20 cm\", 0, \"10 cm\"], edges = 10 } }\n\
    section = { circle = { radius = \"1 mm\" } }\nmaterial = { young = \"3 MPa\", poisson = 0.5, density = 1000 }\n";

fn text(obstacles: &str) -> String {
    format!("{ROD}[contact]\nfriction = 0.2\n{obstacles}")
}

/// A tetrahedron of 1 in the file's unit, as STL.
fn stl() -> Vec<u8> {
    let corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]];
    let mut text = "solid tetrahedron\n".to_owned();
    for face in [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]] {
        text += "facet normal 0 0 0\nouter loop\n";
        for corner in face {
            let [x, y, z]: [i32; 3] = corners[corner];
            text += &format!("vertex {x} {y} {z}\n");
        }
        text += "endloop\nendfacet\n";
    }
    (text + "endsolid\n").into_bytes()
}

fn parse(obstacles: &str) -> Result<Scene, String> {
    let files = Files::new("/parts", |path| {
        assert!(path.starts_with("/parts"));
        match path.file_name().and_then(|n| n.to_str()) {
            Some("part.stl") => Ok(stl()),
            Some("cut.stl") => Ok(stl()[..200].to_vec()),
            Some("flat.obj") => Ok(b"v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n".to_vec()),
            _ => Err(std::io::Error::from(std::io::ErrorKind::NotFound)),
        }
    });
    Scene::parse_with(&text(obstacles), "test", files).map_err(|e| e.to_string())
}

const ALL: &str = r#"
[[obstacles]]
name = "floor"
shape = { half_space = {} }
friction = 0.5
[[obstacles]]
shape = { sphere = { center = ["5 cm", 0, "5 cm"], radius = "1 cm" } }
motion = { velocity = [0, "1 mm/s", 0] }
[[obstacles]]
shape = { capsule = { from = [0, "-1 cm", "5 cm"], to = [0, "1 cm", "5 cm"], radius = "1 cm" } }
[[obstacles]]
shape = { cylinder = { from = [0, 0, 0], to = [0, "1 cm", 0], radius = "2 cm" } }
motion = { rotation = { axis = [0, 1, 0], speed = "10 rpm" } }
[[obstacles]]
shape = { box = { center = [0, 0, "2 cm"], size = ["1 cm", "2 cm", "3 cm"], axis = [1, 0, 0], angle = "30 deg" } }
[[obstacles]]
name = "part"
shape = { mesh = { file = "part.stl", unit = "10 mm", center = [1, 0, 0] } }
"#;

#[test]
fn every_shape_builds_is_described_and_survives() {
    let scene = parse(ALL).unwrap();
    let model = scene.build().unwrap().model;
    let solids: Vec<Option<Solid>> = model.obstacles.iter().map(|o| o.body.solid).collect();
    let length = 0.01;
    assert_eq!(solids[0], Some(Solid::HalfSpace));
    assert_eq!(solids[1], Some(Solid::Sphere { radius: length }));
    assert_eq!(
        solids[4],
        Some(Solid::Box {
            half: DVec3::new(0.005, 0.01, 0.015)
        })
    );
    assert_eq!(model.obstacles[0].friction, Some(0.5));
    assert_eq!(model.obstacles[1].friction, None);
    let moved = model.obstacles[1].pose(2.0).translation;
    assert!(moved.distance(DVec3::new(0.05, 2e-3, 0.05)) < 1e-15);
    let mesh = model.obstacles[5].body.mesh.as_ref().unwrap();
    assert!(mesh.is_closed() && mesh.vertices().len() == 4);
    assert!((mesh.bounds()[1] - DVec3::splat(length)).length() < 1e-15);
    assert_eq!(model.obstacles[5].pose(0.0).translation, DVec3::X);
    // The resolved scene needs no file.
    let resolved = scene.resolved().unwrap();
    let again = Scene::parse(&resolved, "resolved").unwrap_or_else(|e| panic!("{e}\n{resolved}"));
    assert_eq!(again.spec, scene.spec);
    let report = scene.describe().unwrap().to_string();
    for words in [
        "Obstacle 0: floor",
        "half-space behind the plane through (0, 0, 0) m with normal (0, 0, 1)",
        "0.5 with rods",
        "0.2, as between rods",
        "sphere of radius 10 mm",
        "turns at 1.047 rad/s (10 rpm)",
        "box 10 mm x 20 mm x 30 mm",
        "closed mesh of 4 triangles, 10 mm x 10 mm x 10 mm",
    ] {
        assert!(report.contains(words), "{words} is not in\n{report}");
    }
}

const HOLLOW: &str = r#"
[[obstacles]]
shape = { tube = { from = ["-1 m", 0, "10 cm"], to = ["1 m", 0, "10 cm"], radius = "1 cm" } }
friction_by_direction = { forward = 0.1, backward = 0.2, across = 0.3 }
[[obstacles]]
shape = { funnel = { from = ["-1 m", 0, "10 cm"], to = ["1 m", 0, "10 cm"], radii = ["2 cm", "3 cm"] } }
[[obstacles]]
shape = { cavity = { center = [0, 0, "10 cm"], radius = "50 cm" } }
"#;

#[test]
fn walls_are_built_described_and_survive() {
    let scene = parse(HOLLOW).unwrap();
    let model = scene.build().unwrap().model;
    let walls: Vec<Option<Hollow>> = model.obstacles.iter().map(|o| o.body.hollow).collect();
    let funnel = |radii| {
        Some(Hollow::Funnel {
            radii,
            half_length: 1.0,
        })
    };
    assert_eq!(walls[0], funnel([0.01; 2]));
    assert_eq!(walls[1], funnel([0.02, 0.03]));
    assert_eq!(walls[2], Some(Hollow::Cavity { radius: 0.5 }));
    let scales = model.obstacles[0].directions.unwrap();
    assert_eq!(
        [scales.forward, scales.backward, scales.across],
        [0.1, 0.2, 0.3]
    );
    let narrow = parse(&HOLLOW.replace("\"1 cm\"", "\"1 mm\"")).unwrap();
    let message = narrow.build().unwrap_err().to_string();
    assert!(
        message.contains("obstacles[0].shape: obstacle 0 is narrower than rod 0"),
        "{message}"
    );
    assert!(
        message.contains("make the obstacle wider or the rod thinner"),
        "{message}"
    );
    let resolved = scene.resolved().unwrap();
    let again = Scene::parse(&resolved, "resolved").unwrap_or_else(|e| panic!("{e}\n{resolved}"));
    assert_eq!(again.spec, scene.spec);
    let report = scene.describe().unwrap().to_string();
    for words in [
        "tube, open at both ends, of radius 10 mm",
        "funnel, open at both ends, of radius 20 mm at (-1, 0, 0.1) m and 30 mm at (1, 0, 0.1) m",
        "spherical wall of radius 500 mm",
        "0.1 towards a rod's last node, 0.2 towards its first, 0.3 across",
    ] {
        assert!(report.contains(words), "{words} is not in\n{report}");
    }
}

#[test]
fn what_is_wrong_is_named() {
    let one = |shape: &str| format!("[[obstacles]]\nshape = {{ {shape} }}\n");
    for (obstacles, words) in [
        (one("ball = {}"), "`ball`"),
        (one("sphere = { radius = 0 }"), "greater than zero"),
        (one("sphere = { radius = \"1 s\" }"), "1 s"),
        (
            one("half_space = { normal = [0, 0, 0] }"),
            "length greater than zero",
        ),
        (
            one("cylinder = { to = [0, 0, 0], radius = 1 }"),
            "different from `from`",
        ),
        (
            one("box = { size = [1, 0, 1] }"),
            "3 numbers, each greater than zero",
        ),
        (
            one("tube = { to = [1, 0, 0], radius = 0 }"),
            "greater than zero",
        ),
        (
            one("funnel = { to = [1, 0, 0], radii = [1, 0] }"),
            "2 numbers, each greater than zero",
        ),
        (
            one("funnel = { to = [0, 0, 0], radii = [1, 1] }"),
            "different from `from`",
        ),
        (one("cavity = { radius = -1 }"), "greater than zero"),
        (
            one("half_space = {}")
                + "friction = 0.1\nfriction_by_direction = { forward = 1, backward = 1, across = 1 }",
            "exclude each other",
        ),
        (
            one("half_space = {}") + "friction_by_direction = { forward = 1, backward = 1 }",
            "`across` is missing",
        ),
        (
            one("half_space = {}")
                + "friction_by_direction = { forward = -1, backward = 1, across = 1 }",
            "from 0 to 100",
        ),
        (one("mesh = {}"), "`file` is missing"),
        (
            one("mesh = { file = \"gone.stl\" }"),
            "cannot read `gone.stl`",
        ),
        (one("mesh = { file = \"part.ply\" }"), "cannot read"),
        (
            one("mesh = { file = \"cut.stl\" }"),
            "cut off: it has no `endsolid`",
        ),
        (
            one("mesh = { file = \"part.stl\", vertices = [] }"),
            "exclude each other",
        ),
        (
            one("sphere = { radius = 1, centre = [0, 0, 0] }"),
            "`centre`",
        ),
        (
            one("sphere = { radius = 1 }") + "friction = -0.1",
            "from 0 to 100",
        ),
    ] {
        let message = parse(&obstacles).unwrap_err();
        assert!(message.contains(words), "{obstacles}: {message}");
    }
    for (obstacles, words) in [
        (
            one("mesh = { file = \"flat.obj\" }"),
            "no triangle with an area",
        ),
        (
            one("half_space = { point = [0, 0, \"9.99 cm\"] }"),
            "obstacle 0 overlap",
        ),
        (
            one("mesh = { vertices = [[0, 0, 0]], triangles = [[0, 1, 2]] }"),
            "names vertex 1",
        ),
    ] {
        let scene = parse(&obstacles).unwrap();
        let message = scene.build().map(|_| ()).unwrap_err().to_string();
        assert!(message.contains(words), "{obstacles}: {message}");
    }
    let mut scene = parse(&one("sphere = { radius = \"1 mm\" }")).unwrap();
    scene.set("contact.model=none").unwrap();
    let message = scene.build().map(|_| ()).unwrap_err().to_string();
    assert!(
        message.contains("contact.model") && message.contains("no contact"),
        "{message}"
    );
}
