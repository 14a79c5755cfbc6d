//! What a state shows of open rods and of contact, on geometries whose numbers are known.

use std::f64::consts::{PI, TAU};

use glam::DVec3;
use writhe::contact::{ContactModel, ImcSettings};
use writhe::model::{Model, ModelBuilder};
use writhe::observe::{Entry, observe};
use writhe::obstacle::Obstacle;
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::Motion;
use writhe::state::State;

const RADIUS: f64 = 1e-3;
const YOUNG: f64 = 1e6;

fn section() -> Section {
    Section::circle(Material::new(YOUNG, 0.5, 1000.0), RADIUS)
}

fn clamped(rod: Rod) -> (Model, State) {
    let last = rod.edges() - 1;
    ModelBuilder::new()
        .rod(rod)
        .clamp(0, 0, Motion::Still)
        .clamp(0, last, Motion::Still)
        .contact(ContactModel::Imc(ImcSettings::default()))
        .build()
        .unwrap()
}

/// A rod that passes the origin along x, turns back in three quarters of a circle of this radius,
/// m, and passes the origin again along -y, `apart`, m, higher: its nodes, and the length between
/// its two passages.
fn looped(radius: f64, apart: f64) -> (Vec<DVec3>, f64) {
    const TAIL: usize = 16;
    const ARC: usize = 60;
    let edge = radius / 8.0;
    // The origin is in the middle of an edge.
    let mut nodes: Vec<DVec3> = (0..TAIL + 8)
        .map(|i| DVec3::X * (edge * (i as f64 - TAIL as f64 + 0.5)))
        .collect();
    let arc = (0..=ARC).map(|i| {
        let u = i as f64 / ARC as f64;
        let (sin, cos) = (1.5 * PI * u).sin_cos();
        DVec3::new(radius * (1.0 + sin), radius * (1.0 - cos), apart * u)
    });
    nodes.extend(arc);
    nodes.extend((0..TAIL + 8).map(|i| DVec3::new(0.0, edge * (7.5 - i as f64), apart)));
    let length =
        |a: usize, b: usize| -> f64 { nodes[a..=b].windows(2).map(|e| e[0].distance(e[1])).sum() };
    // From the middle of the edge over the origin to that of the other one.
    let (first, last) = (TAIL - 1, nodes.len() - TAIL);
    let between = length(first, last) - edge;
    (nodes, between)
}

#[test]
fn a_loop_is_as_long_as_the_rod_between_two_crossings() {
    let (radius, gap) = (0.05, 2e-6);
    let (nodes, between) = looped(radius, 2.0 * RADIUS + gap);
    let contour = nodes.windows(2).map(|e| e[0].distance(e[1])).sum::<f64>();
    let ends = nodes[0].distance(nodes[nodes.len() - 1]);
    let (model, state) = clamped(Rod::open(nodes, section()).unwrap());
    let seen = observe(&model, &state).unwrap();

    let [point] = seen.contact_points[..] else {
        panic!("{:?}", seen.contact_points);
    };
    assert_eq!(point.rods, [0, 0]);
    assert!((point.arcs[1] - point.arcs[0] - between).abs() < 1e-12);
    assert!((point.gap - gap).abs() < 1e-15 && point.force > 0.0);
    assert!(point.at.distance(DVec3::Z * (RADIUS + 0.5 * gap)) < 1e-12);
    // The first strand lies below: contact pushes it down.
    assert!(point.normal.distance(DVec3::NEG_Z) < 1e-12);

    assert!((seen.loops[0].unwrap() - between).abs() < 1e-12);
    // Two straight parts and three quarters of a circle, whose chords are a little shorter.
    let smooth = radius * (2.0 + 1.5 * PI);
    assert!((between / smooth - 1.0).abs() < 1e-3, "{between} {smooth}");
    assert!((seen.clearance.hover.unwrap() - gap).abs() < 1e-15);
    assert_eq!(seen.clearance.penetration, 0.0);
    assert!((seen.ends[0].shortening - (contour - ends)).abs() < 1e-12);

    let mut all: Vec<Entry> = Vec::new();
    seen.visit(&model, &mut all);
    let value = |name: &str| all.iter().find(|e| e.name == name).unwrap().value;
    assert!((value("rod0_loop_radius") - between / TAU).abs() < 1e-12);
    assert!((value("rod0_shortening_radius") - (contour - ends) / TAU).abs() < 1e-12);
    assert_eq!(value("hover"), seen.clearance.hover.unwrap());
}

#[test]
fn strands_that_do_not_touch_make_no_loop() {
    let (nodes, _) = looped(0.05, 3.0 * RADIUS);
    let (model, state) = clamped(Rod::open(nodes, section()).unwrap());
    let seen = observe(&model, &state).unwrap();
    assert!(seen.contact_points.is_empty());
    assert_eq!((seen.loops[0], seen.clearance.hover), (None, None));
}

#[test]
fn the_pull_force_is_the_tension_of_a_stretched_rod() {
    for strain in [0.02, -1e-4] {
        // Along no axis, so that all components count.
        let direction = DVec3::new(1.0, -2.0, 0.5).normalize();
        let nodes = (0..=20).map(|i| direction * (0.01 * f64::from(i)));
        let mut rod = Rod::open(nodes.collect(), section()).unwrap();
        rod.rest_lengths.iter_mut().for_each(|l| *l /= 1.0 + strain);
        let (model, state) = clamped(rod);
        let seen = observe(&model, &state).unwrap();
        let tension = YOUNG * PI * RADIUS * RADIUS * strain;
        let pull = seen.ends[0].pull.unwrap();
        assert!((pull / tension - 1.0).abs() < 1e-9, "{pull} {tension}");
        let shorter = 0.2 / (1.0 + strain) - 0.2;
        assert!((seen.ends[0].shortening - shorter).abs() < 1e-12);
    }
}

#[test]
fn a_rod_with_a_free_end_is_not_pulled() {
    let nodes = (0..=20).map(|i| DVec3::X * (0.01 * f64::from(i)));
    let rod = Rod::open(nodes.collect(), section()).unwrap();
    let builder = ModelBuilder::new().rod(rod).clamp(0, 0, Motion::Still);
    let (model, state) = builder.build().unwrap();
    let seen = observe(&model, &state).unwrap();
    assert_eq!(seen.ends[0].pull, None);
    let mut all: Vec<Entry> = Vec::new();
    seen.visit(&model, &mut all);
    assert!(!all.iter().any(|e| e.name.contains("pull")));
}

/// Two rods along x on a plane, one of them closed round: each contact with it is told once, where
/// it is, and all of them add up to what the plane feels.
#[test]
fn contacts_with_an_obstacle_are_told_one_by_one() {
    let height = 1.0005 * RADIUS;
    let line: Vec<DVec3> = (0..=4)
        .map(|i| DVec3::new(0.01 * f64::from(i), 0.0, height))
        .collect();
    let circle = |k: i32| {
        let (sin, cos) = (TAU * f64::from(k) / 12.0).sin_cos();
        DVec3::new(0.1 + 0.02 * cos, 0.1 + 0.02 * sin, height)
    };
    let (model, state) = ModelBuilder::new()
        .rod(Rod::open(line, section()).unwrap())
        .rod(Rod::closed((0..12).map(circle).collect(), section()).unwrap())
        .obstacle(Obstacle::half_space(DVec3::ZERO, DVec3::Z))
        .contact(ContactModel::Imc(ImcSettings::default()))
        .build()
        .unwrap();
    let seen = observe(&model, &state).unwrap();
    assert!(seen.contact_points.is_empty());
    let points = &seen.obstacle_points;
    assert_eq!(points.len(), seen.contacts);
    let sum: DVec3 = points.iter().map(|p| p.normal * p.force).sum();
    assert!(sum.z > 0.0 && (sum + seen.obstacles[0].force).length() < 1e-12 * sum.z);
    for point in points {
        assert_eq!(point.obstacle, 0);
        assert!((point.gap - (height - RADIUS)).abs() < 1e-15 && point.force > 0.0);
        let edge = model.rod_length[point.rod] / [4.0, 12.0][point.rod];
        let nodes = point.arc / edge;
        // Edges that lie flat hand their contact to their nodes.
        assert!((nodes - nodes.round()).abs() < 1e-9, "{point:?}");
        assert!((0.0..=model.rod_length[point.rod] + 1e-12).contains(&point.arc));
    }
    for rod in 0..2 {
        assert!(points.iter().any(|point| point.rod == rod));
    }
}
