//! The scenes that experiments change: named scenes of Writhe by their templates, and the knots
//! that C21's authors publish.

use std::io::{Error, ErrorKind};

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
        let text = shape(&path.to_string_lossy());
        text.map(|text| text.as_bytes().to_vec())
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
}
