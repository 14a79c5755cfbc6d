//! What the core refuses comes back under the key that causes it.

use glam::DVec3;
use writhe::contact::Overlap;
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
fn resistive_coefficients_follow_their_rules() {
    // Rodenborn's helix: R = 6.3 mm, h = 0.063 R, pitch 2.226 R; theta from the pitch.
    let read = |rule: &str| {
        let text = format!(
            "[scene]\nname = \"ring\"\n[fluid]\nmodel = \"resistive-force\"\nrule = \"{rule}\"\nviscosity = 1\n\
             wavelength = 0.0140238\nhelix_radius = 0.0063"
        );
        ResistiveForce::from_spec(&scene(&text).spec.fluid, 0.000_396_9)
    };
    // Thrust/(mu Omega R^2) of a helix of axial length 20.63 R: 18.9 and 29.4.
    let thrust = |r: ResistiveForce| {
        let theta = (std::f64::consts::TAU / 2.226_f64).atan();
        (r.normal - r.tangential) * theta.sin() * 20.63
    };
    let hancock = read("gray-hancock").map_or(0.0, thrust);
    let lighthill = read("lighthill").map_or(0.0, thrust);
    assert!((hancock - 18.9).abs() < 0.1, "{hancock}");
    assert!((lighthill - 29.4).abs() < 0.1, "{lighthill}");
}
