//! Cantilevers beyond the catalogue's: hair in SI units, following forces, end moments.

use std::f64::consts::{PI, TAU};

use crate::support::{assert_second_order, settle, settle_from, straight_rod};
use glam::DVec3;
use writhe::model::ModelBuilder;
use writhe::rod::{Material, Section};
use writhe::schedule::{Motion, Schedule};
use writhe::simulation::Simulation;
use writhe_validate::reference::elastica::{Tip, bisect, following_end_force, heavy_cantilever};
use writhe_validate::setup::cantilever::{STIFF, tip};
use writhe_validate::setup::polygons::{clamped_nodes, edge_length};
use writhe_validate::setup::statics::{positions, section};

fn cantilever(edges: usize) -> ModelBuilder {
    writhe_validate::setup::cantilever::cantilever(edges).expect("a rod")
}

/// Daviet 2023's hair, edges of 2.5 mm and at least 16 of them.
#[test]
fn heavy_hair_in_si_units() {
    let material = Material::new(3e9, 0.45, 1300.0);
    let section = Section::circle(material, 5e-5);
    let weight = section.mass_per_length * 9.81;
    // Lengths with w L^3/B = 8.5e-4, 1, 100, 1e4.
    let of_load = |load: f64| (load * section.ei1 / weight).cbrt();
    for length in [5e-3, of_load(1.0), of_load(100.0), of_load(1e4)] {
        let load = weight * length.powi(3) / section.ei1;
        let edges = ((length / 2.5e-3) as usize).max(16);
        let nodes = clamped_nodes(edges).into_iter().map(|x| x * length);
        let builder = ModelBuilder::new()
            .rod(straight_rod(nodes.collect(), section))
            .clamp(0, 0, Motion::Still)
            .gravity(DVec3::NEG_Y * 9.81);
        let error = tip(&settle(builder)).aspect() / heavy_cantilever(load).aspect() - 1.0;
        println!("hair of {length:.4} m, {edges} edges, load {load:.3e}: {error:.3e}");
        assert!(error.abs() < 0.01, "{length} m: {error}");
    }
}

fn check_tip(what: &str, exact: Tip, solve: impl Fn(usize) -> Tip) {
    let found = [25, 50, 100].map(solve);
    type Part = fn(&Tip) -> f64;
    let parts: [(&str, Part); 3] = [("x", |t| t.x), ("drop", |t| t.drop), ("angle", |t| t.angle)];
    for (name, part) in parts {
        let error = found.map(|tip| part(&tip) - part(&exact));
        assert_second_order(&format!("{what}, {name}"), 5e-3, error);
    }
}

#[test]
fn following_end_force_tip() {
    for force in [1.0, 5.0, 10.0] {
        let exact = following_end_force(force);
        let solve = |edges| {
            let builder = cantilever(edges);
            // The component of -y in the last edge's material frame.
            let director = builder.rods()[0].directors[edges - 1];
            let m2 = DVec3::X.cross(director);
            let along = DVec3::new(-director.y, -m2.y, 0.0) * force;
            let one = Schedule::Constant(1.0);
            tip(&settle(builder.following_force(
                0,
                edges,
                edges - 1,
                along,
                one,
            )))
        };
        check_tip(&format!("following force {force}"), exact, solve);
    }
}

/// A load of 3.2 times Euler's along the tip: dead it bends the rod, following the tangent it does
/// not (Beck 1952: no buckling, flutter beyond 20.05 B/L^2).
#[test]
fn following_compression_does_not_buckle() {
    let tip_height = |follows: bool| {
        let edges = 30;
        let mut builder = cantilever(edges);
        let one = Schedule::Constant(1.0);
        builder = if follows {
            builder.following_force(0, edges, edges - 1, DVec3::NEG_Z * 8.0, one)
        } else {
            builder.force(0, edges, DVec3::NEG_X * 8.0, one)
        };
        let (model, mut state) = builder.build().unwrap();
        for (i, dof) in model.topology.node_dof.iter().enumerate().skip(2) {
            state.q[dof + 1] += 1e-3 * (i as f64 / edges as f64).powi(2);
        }
        tip(&settle_from(model, state)).drop.abs()
    };
    let (dead, following) = (tip_height(false), tip_height(true));
    println!("dead {dead:e}, following {following:e}");
    assert!(dead > 0.3 && following < 1e-9, "{dead} {following}");
}

/// Length 1 between the middles of the first and the last edge, moment on the last edge about z.
fn under_end_moment(edges: usize, moment: f64, follows: bool) -> Simulation {
    let l = 1.0 / (edges - 1) as f64;
    let nodes = (0..=edges).map(|i| DVec3::X * (l * i as f64)).collect();
    // No edge bears tension: the stretching stiffness does not matter.
    let rod = straight_rod(nodes, section(1e5));
    let m1 = rod.directors[edges - 1];
    let m2 = DVec3::X.cross(m1);
    let components = if follows {
        DVec3::new(m1.z, m2.z, 0.0)
    } else {
        DVec3::Z
    };
    let builder = ModelBuilder::new().rod(rod).clamp(0, 0, Motion::Still);
    let amplitude = Schedule::Constant(1.0);
    settle(builder.moment(0, edges - 1, components * moment, amplitude, follows))
}

/// Middle of the last edge from that of the first: that of a polygon with equal turns. The energy
/// `B/2l f^2` of a vertex, `f = 2/3 tan(turn/2) + 4/3 sin(turn/2)`, gives the discrete law `f df/dturn
/// = M l/B`.
fn polygon(edges: usize, moment: f64) -> DVec3 {
    let l = 1.0 / (edges - 1) as f64;
    let law = |turn: f64| {
        let (sin, cos) = (0.5 * turn).sin_cos();
        let strain = (2.0 * sin / cos + 4.0 * sin) / 3.0;
        strain * (1.0 / (cos * cos) + 2.0 * cos) / 3.0
    };
    let turn = bisect(0.0, 1.0, |turn| law(turn) - moment * l);
    let edge = |i: usize| {
        let (sin, cos) = (turn * i as f64).sin_cos();
        DVec3::new(cos, sin, 0.0) * l
    };
    let inner: DVec3 = (1..edges - 1).map(edge).sum();
    0.5 * edge(0) + inner + 0.5 * edge(edges - 1)
}

fn end_middle(simulation: &Simulation) -> DVec3 {
    let x = positions(simulation);
    let n = x.len();
    0.5 * (x[n - 1] + x[n - 2]) - 0.5 * (x[0] + x[1])
}

/// A moment bends a rod into a polygon with the discrete law, dead or following (it stays normal to
/// the plane).
#[test]
fn end_moment_bends_into_an_arc() {
    for moment in [0.1, 1.0, PI, TAU] {
        let error = [25, 50, 100].map(|edges| {
            let [dead, following] =
                [false, true].map(|f| end_middle(&under_end_moment(edges, moment, f)));
            let law = dead.distance(polygon(edges, moment));
            assert!(
                law < 1e-9,
                "{moment}, {edges} edges: off the law by {law:e}"
            );
            let difference = dead.distance(following);
            assert!(difference < 1e-9, "{moment}, {edges} edges: {difference:e}");
            // The smooth arc of curvature M/B.
            let arc = DVec3::new(moment.sin(), 1.0 - moment.cos(), 0.0) / moment;
            (dead - arc).length()
        });
        if moment < TAU {
            assert_second_order(&format!("arc of moment {moment}"), 1e-3, error);
        } else {
            // Chords of a closed polygon end where they begin: only the law is left, of fourth
            // order in the angle at a vertex.
            let falls = [error[0] / error[1], error[1] / error[2]];
            println!("closed: {error:?}, falls by {falls:?}");
            assert!(error[1] < 1e-5 && falls.iter().all(|f| (f - 16.0).abs() < 2.0));
        }
    }
}

/// A torque about the tangent twists a straight rod by `M L / GJ` and does not bend it.
#[test]
fn end_torque_twists() {
    let edges = 20;
    let rod = straight_rod(clamped_nodes(edges), section(STIFF));
    let length = edge_length(edges, 1) * (edges - 1) as f64;
    for follows in [false, true] {
        let components = if follows { DVec3::Z } else { DVec3::X };
        let builder = ModelBuilder::new().rod(rod.clone());
        let builder = builder.clamp(0, 0, Motion::Still);
        let one = Schedule::Constant(2.0);
        let s = settle(builder.moment(0, edges - 1, components, one, follows));
        let angle = s.state.q[s.model.topology.edge_dof[edges - 1]];
        assert!((angle - 2.0 * length).abs() < 1e-9, "{angle}");
        let bent = positions(&s)
            .iter()
            .fold(0.0_f64, |a, x| a.max(x.y.hypot(x.z)));
        assert!(bent < 1e-12, "{bent}");
    }
}
