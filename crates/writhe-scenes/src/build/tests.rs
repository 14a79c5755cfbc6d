//! What the core refuses comes back under the key that causes it.

use glam::DVec3;
use writhe::error::Overlap;
use writhe::loads::resistive_force::{DragCoefficients, DragLaw};
use writhe::model::ModelError;

use super::*;

fn scene(text: &str) -> Scene {
    Scene::parse(text, "my.toml").unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn an_overlap_is_blamed_on_the_second_rod() {
    let free = crate::template("free").unwrap_or_default();
    let overlap = Overlap {
        rods: [0, 1],
        edges: [3, 7],
        at: DVec3::new(0.1, 0.0, 0.0),
        distance: 1e-3,
        wanted: 3e-3,
        gap: 0.0,
    };
    let error = model_error(&scene(free), ModelError::Overlap(overlap));
    assert_eq!(error.key, "rods[1].shape");
    let message = error.to_string();
    for part in [
        "rod 0 (edge 3) and rod 1 (edge 7)",
        "1.0000e-3 m apart",
        "apart by 2.00e-3 m",
    ] {
        assert!(message.contains(part), "{message}");
    }
    assert!(
        error
            .span
            .is_some_and(|s| free[s].starts_with("{ straight = { from = [\"10 cm\""))
    );
    let named = scene("[scene]\nname = \"flagella\"\nside = \"1 mm\"");
    assert_eq!(
        model_error(&named, ModelError::Overlap(overlap)).key,
        "scene"
    );
}

#[test]
fn settings_are_blamed_on_their_key() {
    let scene = scene("[scene]\nname = \"ring\"\n[contact]\nfriction = 0.5");
    for (key, path) in [
        ("friction coefficient", "contact.friction"),
        ("contact tolerance", "contact.tolerance"),
        ("viscosity", "fluid.viscosity"),
        ("gravity", "gravity.acceleration"),
        ("viscous damping", "damping.viscosity"),
    ] {
        let error = ModelError::Setting {
            key,
            value: -1.0,
            need: "finite",
        };
        let error = model_error(&scene, error);
        assert_eq!(error.key, path);
        assert!(
            error.to_string().contains("is -1: it must be finite"),
            "{error}"
        );
    }
}

#[test]
fn resistive_rules_reach_the_core() {
    let read = |rule: &str| {
        let text = format!(
            "[scene]\nname = \"ring\"\n[fluid]\nmodel = \"resistive-force\"\nrule = \"{rule}\"\nviscosity = 2\n\
             wavelength = 0.0140238\nhelix_radius = 0.0063\ntangential = 3\nnormal = 5"
        );
        let scene = scene(&text);
        let (model, _) = scene
            .builder()
            .and_then(|b| b.build().map_err(|e| model_error(&scene, e)))
            .expect(rule);
        assert!(
            model
                .loads
                .iter()
                .any(|load| load.name() == "resistive-force drag"),
            "{rule}"
        );
        fluid::resistive_force(&scene.spec.fluid)
    };
    let wavelength = 0.014_023_8;
    assert_eq!(
        read("gray-hancock"),
        (2.0, DragLaw::GrayHancock { wavelength })
    );
    let helix_radius = 0.006_3;
    assert_eq!(
        read("lighthill"),
        (
            2.0,
            DragLaw::Lighthill {
                wavelength,
                helix_radius
            }
        )
    );
    let given = DragCoefficients {
        tangential: 3.0,
        normal: 5.0,
    };
    assert_eq!(read("explicit").1, DragLaw::Explicit(given));
}

/// Two rods that `weld_crossings` joins, with these shapes and whatever else is said of the first.
fn crossed([first, second]: [&str; 2], more: &str) -> Scene {
    const ROD: &str = r#"
section = { circle = { radius = "1 mm" } }
material = { young = "1 MPa", poisson = 0.5, density = 1200 }
"#;
    scene(&format!(
        "weld_crossings = true
[[rods]]
shape = {{ straight = {{ {first} }} }}
{more}{ROD}
[[rods]]
shape = {{ straight = {{ {second} }} }}
{ROD}"
    ))
}

#[test]
fn rods_that_cross_at_a_small_angle_are_told_about_their_joint() {
    let shapes = [
        "from = [0, 0, 0], to = [0.1, 0, 0], edges = 20",
        "from = [0.01, -0.008, 0], to = [0.09, 0.008, 0], edges = 20",
    ];
    let error = crossed(shapes, "").build().unwrap_err();
    assert_eq!(error.key, "rods[1].shape");
    assert!(matches!(*error.problem, Problem::OverlapBesideJoint(_)));
}

#[test]
fn a_rod_that_crosses_another_one_where_it_is_clamped_is_told_so() {
    let shapes = [
        "from = [0, 0, 0], to = [0.1, 0, 0], edges = 20",
        "from = [0.0075, -0.05, 0], to = [0.0075, 0.05, 0], edges = 21",
    ];
    let clamps = "clamps = [{ edge = \"first\" }]";
    let error = crossed(shapes, clamps).build().unwrap_err();
    assert_eq!(error.key, "weld_crossings");
    let told = error.to_string();
    assert!(told.contains("crosses another one at its node 1"), "{told}");
    assert!(told.contains("an edge farther"), "{told}");
}
