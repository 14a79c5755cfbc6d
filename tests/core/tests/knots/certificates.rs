//! Certificates of states: Lk = Tw + Wr, knots and links of rods, and whether a change is seen.

use std::f64::consts::TAU;

use writhe::certificate::{Certificate, Change, Knot};
use writhe::contact::{ContactModel, Friction, ImcSettings};
use writhe::glam::DVec3;
use writhe::knot::linking_number;
use writhe::model::{Model, ModelBuilder};
use writhe::observe::Entry;
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::{Motion, Schedule};
use writhe::simulation::Simulation;
use writhe::state::State;
use writhe::step::StepSettings;
use writhe_tests::knot_support::{Random, braid, figure_eight, torus_knot, torus_link};

fn section() -> Section {
    Section::circle(Material::new(1e6, 0.5, 1000.0), 1e-3)
}

/// Polygons in units of 1 cm.
fn in_centimetres(points: &[DVec3]) -> Vec<DVec3> {
    points.iter().map(|x| *x * 0.01).collect()
}

fn certificate(model: &Model, state: &State) -> Certificate {
    Certificate::of(model, state).unwrap()
}

/// The ribbon between the centreline of a closed rod and the line along m1: its linking number,
/// counted by crossings.
fn linking_of_ribbon(model: &Model, state: &State) -> i64 {
    let (nodes, directors) = (model.positions(state), model.directors(state));
    let count = nodes.len();
    // One director at a node, halfway between those of its edges.
    let edge: Vec<DVec3> = (0..count)
        .map(|i| {
            let director = directors[(i + count - 1) % count] + directors[i];
            nodes[i] + 1e-5 * director.normalize()
        })
        .collect();
    linking_number(&nodes, &edge).unwrap()
}

/// Calugareanu, White, Fuller: twist and writhe are no integers, their sum is the linking number of
/// the ribbon.
#[test]
fn twist_and_writhe_add_up_to_the_linking_number_of_the_ribbon() {
    for (curve, name) in [
        (torus_knot(1, 0, 120), "unknot"),
        (torus_knot(2, 3, 240), "3_1"),
        (torus_knot(2, -5, 300), "5_1"),
        (figure_eight(240), "4_1"),
    ] {
        for turns in [0.0, 3.3, -7.0, 12.0] {
            let nodes = curve.len();
            let mut rod = Rod::closed(in_centimetres(&curve), section()).unwrap();
            rod.twist_directors(&vec![TAU * turns / nodes as f64; nodes - 1]);
            let (model, state) = ModelBuilder::new().rod(rod).build().unwrap();
            let found = certificate(&model, &state);
            let rod = &found.rods[0];
            let sum = rod.linking_number().unwrap();
            println!("{name}: Tw {:.3} + Wr {:.3} = {sum}", rod.twist, rod.writhe);
            assert!((sum - sum.round()).abs() < 1e-9, "{sum}");
            assert_eq!(sum.round() as i64, linking_of_ribbon(&model, &state));
            // The seam takes up what a whole number of turns leaves.
            let whole = (rod.twist - turns).abs();
            assert!(whole < 1.0, "{} for {turns} turns", rod.twist);
            let Knot::Certain(kind) = &rod.knot else {
                panic!("{}", rod.knot);
            };
            assert_eq!(kind.names()[0], name);
        }
    }
}

/// A ring with eight turns of twist, bent a little so that it buckles.
fn coiling_ring(contact: ContactModel) -> Simulation {
    let (nodes, turns) = (60, 8.0);
    let node = |i: usize| {
        let a = TAU * i as f64 / nodes as f64;
        let lift = 5e-4 * (2.0 * a).sin() + 2e-4 * (3.0 * a).cos();
        DVec3::new(0.04 * a.cos(), 0.04 * a.sin(), lift)
    };
    let rod = Rod::closed((0..nodes).map(node).collect(), section()).unwrap();
    let mut rod = rod.straight_at_rest().unwrap();
    rod.twist_directors(&vec![TAU * turns / nodes as f64; nodes - 1]);
    let (model, state) = ModelBuilder::new()
        .rod(rod)
        .viscous_damping(0.02)
        .contact(contact)
        .build()
        .unwrap();
    let settings = StepSettings {
        dt: 2e-3,
        ..StepSettings::default()
    };
    Simulation::new(model, state, settings)
}

fn implicit() -> ContactModel {
    ContactModel::Imc(ImcSettings {
        friction: Friction::coulomb(0.2),
        ..ImcSettings::default()
    })
}

#[test]
fn a_run_with_contact_keeps_its_certificate() {
    let mut simulation = coiling_ring(implicit());
    let first = certificate(&simulation.model, &simulation.state);
    let mut largest = 0.0_f64;
    simulation
        .run_until(0.15, |simulation, _| {
            let now = certificate(&simulation.model, &simulation.state);
            assert_eq!(now.changes_since(&first), []);
            let rod = &now.rods[0];
            let sum = rod.linking_number().unwrap();
            assert!((sum - 8.0).abs() < 1e-9, "{sum}");
            largest = largest.max(rod.writhe.abs());
            true
        })
        .unwrap();
    assert!(
        simulation.statistics.contact_steps > 10,
        "{:?}",
        simulation.statistics
    );
    assert!(largest > 1.5, "writhe only {largest}");
}

/// Without contact the ring passes through itself, which the certificate sees and nothing else.
#[test]
fn a_run_without_contact_is_found_out() {
    let mut simulation = coiling_ring(ContactModel::None);
    let first = certificate(&simulation.model, &simulation.state);
    let mut changes = Vec::new();
    simulation
        .run_until(0.15, |simulation, _| {
            let now = certificate(&simulation.model, &simulation.state);
            changes.extend(now.changes_since(&first));
            changes.is_empty()
        })
        .unwrap();
    let ribbon = changes.iter().find_map(|change| match change {
        Change::Ribbon {
            rod: 0,
            from: 8,
            to,
        } => Some((*to, change.to_string())),
        _ => None,
    });
    let (to, words) = ribbon.unwrap_or_else(|| panic!("{changes:?}"));
    // Each passage takes two turns.
    assert_eq!((to - 8).abs() % 2, 0, "{changes:?}");
    let expected = format!("Tw + Wr of rod 0 was 8 and is {to}: it passed through itself");
    assert!(words.starts_with(&expected), "{words}");
}

#[test]
fn knots_and_links_are_told_of_all_rods() {
    let link = torus_link(2, 3, 2, 240);
    let overhand = {
        let mut points = braid(&[1, 1, 1]).remove(0);
        let corner = (0..points.len()).find(|i| points[*i].x == -2.0).unwrap();
        points.rotate_left(corner + 1);
        let last = points.len() - 1;
        points[0] = DVec3::new(-20.0, -2.0, 0.0);
        points[last] = DVec3::new(-20.0, 5.0, 0.0);
        points
            .iter()
            .map(|x| *x + 30.0 * DVec3::Z)
            .collect::<Vec<_>>()
    };
    let model_of = |second: &[DVec3], third: &[DVec3]| {
        let closed = |points: &[DVec3]| Rod::closed(in_centimetres(points), section()).unwrap();
        ModelBuilder::new()
            .rod(closed(&link[0]))
            .rod(Rod::open(in_centimetres(third), section()).unwrap())
            .rod(closed(second))
            .build()
            .unwrap()
    };
    let (model, state) = model_of(&link[1], &overhand);
    let found = certificate(&model, &state);
    let told: Vec<String> = found.rods.iter().map(|rod| rod.knot.to_string()).collect();
    assert_eq!(told, ["3_1 (determinant 3, signature -2)"; 3]);
    assert_eq!(
        (found.links[0].rods, found.links[0].number),
        ([0, 2], Ok(6))
    );
    assert!(found.is_certain() && found.is_telling());
    let mut all: Vec<Entry> = Vec::new();
    found.visit(&mut all);
    let value = |name: &str| all.iter().find(|e| e.name == name).unwrap().value;
    assert_eq!(value("rod1_knot_determinant"), 3.0);
    assert_eq!(value("rod2_knot_signature"), -2.0);
    assert_eq!(value("rod0_rod2_linking_number"), 6.0);
    assert!(!all.iter().any(|e| e.name == "rod1_linking_number"));
    assert!(
        (value("rod0_twist") + value("rod0_writhe") - value("rod0_linking_number")).abs() < 1e-12
    );

    // Another second ring, and the overhand knot straightened.
    let ring: Vec<DVec3> = torus_knot(1, 0, 240).iter().map(|x| *x * 3.0).collect();
    let mut random = Random(4);
    let straight: Vec<DVec3> = (0..overhand.len())
        .map(|i| DVec3::new(i as f64, 0.1 * random.next(), 40.0))
        .collect();
    let (model, state) = model_of(&ring, &straight);
    let other = certificate(&model, &state);
    let changes = other.changes_since(&found);
    let undone = "rod 1 was 3_1 (determinant 3, signature -2) and is unknot: it came undone over an end, or passed through itself";
    let words: Vec<String> = changes.iter().map(Change::to_string).collect();
    assert!(words.iter().any(|w| w == undone), "{words:?}");
    assert!(
        changes.contains(&Change::Link {
            rods: [0, 2],
            from: 6,
            to: 0
        }),
        "{words:?}"
    );
}

#[test]
fn what_is_uncertain_is_said_and_not_compared() {
    let mut random = Random(1);
    let knots: Vec<Knot> = (0..10)
        .map(|_| {
            let tangle: Vec<DVec3> = (0..30).map(|_| random.vector()).collect();
            let rod = Rod::open(tangle, section()).unwrap();
            let (model, state) = ModelBuilder::new().rod(rod).build().unwrap();
            let found = certificate(&model, &state);
            if !found.is_certain() {
                let mut row: Vec<f64> = Vec::new();
                found.visit(&mut row);
                assert!(row[3].is_nan() && row[4].is_nan());
                assert!(!found.is_telling());
            }
            assert_eq!(found.changes_since(&found), []);
            found.rods[0].knot.clone()
        })
        .collect();
    let uncertain = knots.iter().filter(|knot| {
        let words = knot.to_string();
        words.starts_with("uncertain: ") && words.contains(" closures")
    });
    assert!(uncertain.count() > 2, "{knots:?}");
    // A ring that meets itself has no type.
    let mut ring = torus_knot(1, 0, 41);
    let (a, b) = (ring[10], ring[11]);
    ring[30] = 0.5 * (a + b);
    let rod = Rod::closed(ring, section()).unwrap();
    let (model, state) = ModelBuilder::new().rod(rod).build().unwrap();
    let found = certificate(&model, &state);
    assert!(
        found.rods[0]
            .knot
            .to_string()
            .starts_with("unknown: edge 10 of curve 0"),
        "{}",
        found.rods[0].knot
    );
}

/// Twist and writhe of an open rod, closed up along its end tangents: as long as those stay on one
/// line, their sum changes by the turns of the ends and by nothing else, however the rod coils.
#[test]
fn twist_and_writhe_of_a_clamped_rod_add_up_to_the_turns_of_its_ends() {
    let (edges, length) = (60, 0.3);
    let node = |i: usize| {
        let u = i as f64 / edges as f64;
        // The end edges lie on the axis.
        let within = (2..edges - 1).contains(&i);
        let bow = if within {
            4e-3 * (std::f64::consts::PI * u).sin()
        } else {
            0.0
        };
        DVec3::new(length * u, bow, 0.3 * bow * (TAU * u).sin())
    };
    let rod = Rod::open((0..=edges).map(node).collect(), section()).unwrap();
    let last = DVec3::X * length;
    // Five turns in .3 s while the ends come nearer: the rod buckles into a loop and winds about
    // itself.
    let turns = |t: f64| 5.0 * (t / 0.3).min(1.0);
    let motion = Motion::Sequence(vec![
        Motion::Rotation {
            point: last,
            axis: DVec3::X,
            angle: Schedule::Table(vec![(0.0, 0.0), (0.3, 5.0 * TAU)]),
        },
        Motion::Path(vec![(0.0, DVec3::ZERO), (0.3, -0.12 * DVec3::X)]),
    ]);
    let (model, state) = ModelBuilder::new()
        .rod(rod.straight_at_rest().unwrap())
        .clamp(0, 0, Motion::Still)
        .clamp(0, edges - 1, motion)
        .viscous_damping(0.02)
        .contact(implicit())
        .build()
        .unwrap();
    let settings = StepSettings {
        dt: 2e-3,
        ..StepSettings::default()
    };
    let first = certificate(&model, &state).rods[0].clone();
    let sum = first.closed_up_linking().unwrap();
    let mut simulation = Simulation::new(model, state, settings);
    let mut largest = 0.0_f64;
    simulation
        .run_until(0.4, |simulation, _| {
            let now = certificate(&simulation.model, &simulation.state).rods[0].clone();
            let gained = now.closed_up_linking().unwrap() - sum;
            let turned = turns(simulation.state.time);
            assert!(
                (gained - turned).abs() < 1e-6,
                "{gained} after {turned} turns"
            );
            largest = largest.max((now.writhe - first.writhe).abs());
            true
        })
        .unwrap();
    assert!(largest > 1.0, "it must coil: writhe changed by {largest}");
}
