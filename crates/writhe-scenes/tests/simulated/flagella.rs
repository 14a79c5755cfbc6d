//! Geometry and motion of the flagella against the authors' shipped shape.

use glam::DVec3;
use std::f64::consts::{PI, TAU};
use writhe_scenes::{NamedScene, Scene};

fn scene(extra: &str) -> Scene {
    Scene::parse(&format!("[scene]\nname = \"flagella\"\n{extra}"), "test").expect("parses")
}

#[test]
fn one_flagellum_has_the_shipped_nodes() {
    let setup = scene("").build().expect("builds");
    let x = setup.model.positions(&setup.state);
    assert_eq!(x.len(), 2 * 68);
    let length = |i: usize| (x[i + 1] - x[i]).length();
    assert!((length(0) - 5.018_653e-3).abs() < 1e-9);
    assert!((length(1) - 7.071_068e-3).abs() < 1e-9 && (length(2) - 7.071_068e-3).abs() < 1e-9);
    for edge in 3..67 {
        assert!(
            (length(edge) - 4.999e-3).abs() < 1e-6,
            "{edge}: {}",
            length(edge)
        );
    }
    let polyline: f64 = (0..67).map(length).sum();
    assert!((polyline - 0.339_095_0).abs() < 1e-7, "{polyline}");
    // First row of the shipped positions.
    assert!((x[0] - DVec3::new(-0.015_018_653_39, 0.0, 0.0)).length() < 5e-12);
    assert!((x[67] - DVec3::new(0.2, 0.01, 0.0)).length() < 1e-12);
    // Two axes, 30 mm apart.
    assert!((x[68] - x[0] - DVec3::new(0.0, 0.03, 0.0)).length() < 1e-15);
}

/// What a mesh stands for does not depend on it: the clamp plane, which is the middle of the first
/// edge, and the lead-in; edges of the root are about as long as those of the helix, or all of it.
#[test]
fn every_mesh_has_its_clamp_and_its_lead_in_in_one_place() {
    for edges in [8, 32, 64, 100, 128, 256, 300] {
        for (more, plane, lead_in) in [
            ("", -0.01 - 0.321_193_8 / 128.0, 0.01),
            ("clamp_plane = \"-5 cm\"\nlead_in = \"2 cm\"", -0.05, 0.02),
        ] {
            let setup = scene(&format!("count = 1\nedges = {edges}\n{more}"))
                .build()
                .expect("builds");
            let x = setup.model.positions(&setup.state);
            assert!((0.5 * (x[0] + x[1]) - DVec3::X * plane).length() < 1e-9);
            let first = x
                .iter()
                .position(|x| x.x > -lead_in - 1e-12)
                .expect("a lead-in");
            assert!((x[first] - DVec3::NEG_X * lead_in).length() < 1e-12);
            let helix = 0.321_193_8 / edges as f64;
            let mut root = x[..=first].windows(2).map(|x| x[0].distance(x[1]));
            let whole = first == 1;
            let good = |l: f64| whole || (l > 0.6 * helix && l < 2.01 * helix);
            assert!(root.all(good), "{edges}");
        }
    }
}

#[test]
fn contour_and_stiffness_are_the_published_ones() {
    let scene = scene("");
    let Some(NamedScene::Flagella(f)) = scene.spec.named else {
        panic!("not flagella")
    };
    assert!((f.helix_contour() - 0.321_193_8).abs() < 5e-8);
    let model = scene.build().expect("builds").model;
    assert!((model.bending_stiffness[0] - 2.356_194e-6).abs() < 1e-12);
    assert!((model.stretching[0] - 9.424_778).abs() < 1e-6);
    assert_eq!(model.topology.dofs, 2 * (3 * 68 + 67));
}

#[test]
fn masses_are_honest_unless_asked_otherwise() {
    let area = PI * 1e-6;
    let first_node = |extra: &str| {
        let setup = scene(extra).build().expect("builds");
        setup.model.mass[setup.model.topology.node_dof[0]]
    };
    let honest = 0.5 * 1e4 * area * 5.018_653_39e-3;
    assert!((first_node("") / honest - 1.0).abs() < 1e-8);
    let contour = 0.321_193_8 * (1.0 + 1.0 / 64.0) + 0.01 * 2_f64.sqrt();
    let equal = 0.5 * 1e4 * area * contour / 67.0;
    assert!((first_node("equal_masses = true") / equal - 1.0).abs() < 1e-6);
}

#[test]
fn flagella_stand_on_a_regular_polygon() {
    for count in 2..8 {
        let Some(NamedScene::Flagella(f)) = scene(&format!("count = {count}")).spec.named else {
            panic!("not flagella")
        };
        let axes = f.axes();
        assert_eq!(axes[0], DVec3::ZERO);
        for i in 0..count {
            let side = (axes[(i + 1) % count] - axes[i]).length();
            assert!((side - 0.03).abs() < 1e-15, "{count}: {side}");
        }
    }
    let Some(NamedScene::Flagella(f)) = scene("count = 1").spec.named else {
        panic!("not flagella")
    };
    assert_eq!(f.axes(), [DVec3::ZERO]);
}

#[test]
fn the_first_edge_turns_backwards_about_its_own_axis() {
    let setup = scene("count = 3").build().expect("builds");
    let (model, state) = (&setup.model, &setup.state);
    let mut q = state.q.clone();
    let dt = 0.02;
    model.constraints.apply(
        &model.topology,
        &state.frames,
        &state.q,
        [state.time, dt],
        &mut q,
    );
    let omega = 15.0 * TAU / 60.0;
    for edge in model.topology.rods.iter().map(|r| r.first_edge) {
        let dof = model.topology.edge_dof[edge];
        assert!((q[dof] + omega * dt).abs() < 1e-12, "{}", q[dof]);
        for node in model.topology.edge_nodes[edge] {
            let dof = model.topology.node_dof[node];
            let moved = q[dof..dof + 3].iter().zip(&state.q[dof..dof + 3]);
            assert!(moved.into_iter().all(|(a, b)| (a - b).abs() < 1e-15));
        }
    }
}

#[test]
fn literal_numbers_differ_where_the_paper_does() {
    let literal = Scene::parse("[scene]\nname = \"flagella-literal\"", "test").expect("parses");
    let run = scene("");
    assert_eq!(literal.spec.time.rate.map(|r| r.si()), Some(15.0));
    assert_eq!(literal.spec.time.step.si(), 5e-3);
    assert_eq!(literal.spec.fluid.viscosity.map(|v| v.si()), Some(0.1));
    assert_eq!(run.spec.fluid.viscosity.map(|v| v.si()), Some(1.0));
    assert_eq!(run.spec.fluid.regularisation.si(), 1.02);
    assert!((run.spec.time.rate.map_or(0.0, |r| r.si()) - 15.0 * TAU / 60.0).abs() < 1e-15);
    let re = literal.describe().expect("described").to_string();
    assert!(re.contains("Reynolds number         1.5 "), "{re}");
}
