//! The scenes that experiments change: named scenes of Writhe by their templates, and the knots that C21's authors publish.

use std::io::{Error, ErrorKind};

use writhe_scenes::{Files, Scene, SceneError, template};

/// C21's rod in one of the authors' initial shapes. Its ends rest until a plan moves them.
const CHOI2021: &str = "\
title = \"Overhand knot of Choi et al. 2021\"

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

/// The scene `name`: `choi2021`, or one that has a template.
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
        "choi2021" => CHOI2021,
        name => template(name).unwrap_or_default(),
    };
    Scene::parse_with(text, &file, files)
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
