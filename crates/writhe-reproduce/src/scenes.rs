//! The scenes that experiments change: named scenes of Writhe by their templates, and the knots
//! that C21's authors publish.

use std::io::{Error, ErrorKind};

use glam::DVec3;
use writhe_scenes::{Files, ImportError, Scene, SceneError, import_options, template};

/// C21's rod in one of the authors' initial shapes. Its ends rest until a plan moves them.
const CHOI2021: &str = "\
title = \"Overhand knot of Choi et al. 2021\"
bending = \"averaged\"

[[rods]]
name = \"knot\"
shape = { file = \"n1\" }
# The authors' edges are 1/300 m long at rest.
rest = { straight = { to = [0, \"1 m\", 0], edges = 300 } }
section = { circle = { radius = \"1.6 mm\" } }
material = { young = \"0.18 MPa\", poisson = 0.5, density = \"1180 kg/m^3\" }
clamps = [{ edge = \"first\" }, { edge = \"last\" }]

[contact]
friction = 0.1

[damping]
viscosity = \"0.01 Pa s\"

[time]
duration = \"62 s\"
step = \"2.5 ms\"
scheme = \"bdf2\"
settle = true
";

/// What C21's authors run their knot n = 3 with, as an option file of their program says it.
const OPTIONS: &str = "\
RodLength 1.0
numVertices 301
rodRadius 1.6e-3
density 1180
youngM 0.18e6
Poisson 0.5
gVector 0 0 0
viscosity 0
waitTime 2
pullTime 60
releaseTime 0
pullSpeed 6e-3
deltaTime 2.5e-3
delta 5e-4
mu 0.1
nu 1e-4
knotConfig n3
";

/// The scene that `writhe import` makes of [`OPTIONS`].
fn imported() -> String {
    let n3 = |name: &str| {
        let text = shape(name).map(str::to_owned);
        text.ok_or_else(|| ImportError {
            message: format!("there is no shape `{name}`"),
            remedy: String::new(),
        })
    };
    // A test reads it: it is never empty.
    import_options(OPTIONS, "option.txt", n3).map_or(String::new(), |made| made.toml)
}

/// The scene `name`: `choi2021`, the same as imported, or one that has a template.
///
/// # Errors
/// When this version of the program does not know it.
pub(crate) fn scene(name: &str) -> Result<Scene, SceneError> {
    let file = format!("{name}.toml");
    let files = Files::new("", |path| {
        let name = path.to_string_lossy();
        let text = match name.strip_suffix(HALF_MESH) {
            None => shape(&name).map(str::to_owned),
            Some(coarse) => shape(coarse).map(with_midpoints),
        };
        text.map(String::into_bytes)
            .ok_or(Error::from(ErrorKind::NotFound))
    });
    let text = match name {
        "choi2021" => CHOI2021.to_owned(),
        "choi2021-imported" => imported(),
        // T22's own elasticity; the scene has ours.
        "flagella" => {
            let ours = template(name).unwrap_or_default();
            format!("bending = \"averaged\"\n{ours}")
        }
        name => template(name).unwrap_or_default().to_owned(),
    };
    Scene::parse_with(&text, &file, files)
}

/// What the name of a shape ends with whose edges are half as long.
const HALF_MESH: &str = "-half-mesh";

/// A shape with a node in the middle of each edge, on the cubic through the four nodes around it.
fn with_midpoints(text: &str) -> String {
    let number = |word: &str| word.parse().unwrap_or(f64::NAN);
    let node = |line: &str| {
        let mut words = line.split_whitespace().map(number);
        DVec3::from_array([0; 3].map(|_| words.next().unwrap_or(f64::NAN)))
    };
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let nodes: Vec<DVec3> = lines
        .filter(|line| !line.starts_with('#'))
        .map(node)
        .collect();
    let mut out = String::new();
    let mut write = |at: DVec3| out += &format!("{} {} {}\n", at.x, at.y, at.z);
    for (i, pair) in nodes.windows(2).enumerate() {
        // Beyond an end the rod goes on straight.
        let before = i
            .checked_sub(1)
            .map_or(2.0 * pair[0] - pair[1], |i| nodes[i]);
        let after = nodes.get(i + 2).copied().unwrap_or(2.0 * pair[1] - pair[0]);
        write(pair[0]);
        write((9.0 * (pair[0] + pair[1]) - before - after) / 16.0);
    }
    nodes.last().copied().map(write);
    out
}

/// Nodes of the knot `n1` ... `n4` of C21's authors: x y z in m, a node a line.
fn shape(name: &str) -> Option<&'static str> {
    match name {
        "n1" => Some(include_str!("../data/choi2021/n1.txt")),
        "n2" => Some(include_str!("../data/choi2021/n2.txt")),
        "n3" => Some(include_str!("../data/choi2021/n3.txt")),
        "n4" => Some(include_str!("../data/choi2021/n4.txt")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_authors_knots_are_what_they_should_be() {
        for n in 1..=4 {
            let mut scene = scene("choi2021").unwrap();
            scene
                .set(&format!("rods[0].shape={{ file = \"n{n}\" }}"))
                .unwrap();
            let setup = scene.build().unwrap();
            let nodes = setup.model.positions(&setup.state);
            assert_eq!(nodes.len(), 301);
            let ends = nodes[0].distance(nodes[300]);
            let wanted = if n == 1 { 0.280 } else { 0.330 };
            assert!((ends - wanted).abs() < 1e-3, "{ends}");
            assert!((setup.model.rod_length[0] - 1.0).abs() < 1e-12);
            let found = writhe::knot::closure::open_type(&nodes).unwrap();
            let kind = found.certain().unwrap();
            // T(2, 2n + 1).
            assert_eq!(kind.determinant(), 2 * n + 1);
            assert_eq!(kind.signature.abs(), 2 * n as i64);
        }
    }

    #[test]
    fn half_the_mesh_has_the_nodes_of_the_whole_one_and_as_many_between() {
        let at = |text: &str| -> Vec<Vec<f64>> {
            let lines = text.lines().filter(|line| !line.starts_with('#'));
            let words = |line: &str| {
                line.split_whitespace()
                    .map(|w| w.parse().unwrap())
                    .collect()
            };
            lines.map(words).collect()
        };
        // On a parabola midpoints are exact but for the edges at the ends.
        let parabola: String = (0..6).map(|i| format!("{i} {} 0\n", i * i)).collect();
        let fine = at(&with_midpoints(&parabola));
        assert_eq!(fine.len(), 11);
        for (i, node) in fine.iter().enumerate() {
            let x = 0.5 * i as f64;
            if i % 2 == 0 || (3..9).contains(&i) {
                assert_eq!(node, &[x, x * x, 0.0]);
            }
        }
    }
}
