//! Which equilibria are unstable, against closed forms: columns, rings, masts, masses on springs.

use std::f64::consts::{PI, TAU};

use glam::DVec3;
use writhe::bodies::Body;
use writhe::contact::{ContactModel, Friction, ImcSettings};
use writhe::model::{BendingModel, Model, ModelBuilder};
use writhe::obstacle::Obstacle;
use writhe::rod::{Rod, Section};
use writhe::schedule::{Motion, Schedule};
use writhe::simulation::Simulation;
use writhe::stability::{Kind, LeftOut, Shape, Stability, stability};
use writhe::state::State;
use writhe::step::StepSettings;

/// Unit bending and twisting stiffness and mass per length; so stiff along itself that critical
/// loads change by 1e-4 at most.
fn section() -> Section {
    Section {
        ea: 1e6,
        ei1: 1.0,
        ei2: 1.0,
        gj: 1.0,
        mass_per_length: 1.0,
        inertia_per_length: 1e-4,
        radius: 0.01,
    }
}

/// A straight rod along x, from `first`, whose edges are `l` long.
fn straight(first: f64, l: f64, edges: usize) -> Rod {
    let nodes = (0..=edges).map(|i| DVec3::X * (first + l * i as f64));
    Rod::open(nodes.collect(), section()).unwrap()
}

fn settled(builder: ModelBuilder) -> Simulation {
    let (model, state) = builder.build().unwrap();
    let mut simulation = Simulation::new(model, state, StepSettings::default());
    simulation.settle().unwrap();
    simulation
}

fn shape(found: &Stability) -> Shape {
    match found {
        Stability::Unstable(found) => {
            assert!(found.eigenvalue < -1e-6, "{}", found.eigenvalue);
            found.shape
        }
        other => panic!("{other:?}"),
    }
}

const FIXED: [bool; 3] = [true; 3];
const ACROSS: [bool; 3] = [false, true, true];
const EDGES: usize = 40;

/// How a column's ends are held, and k L of the sine that it buckles to.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Ends {
    ClampedFree,
    Pinned,
    Clamped,
}

/// A straight column under this load at its far end, with every edge as short as the load makes it.
/// The columns are clamped at the middle of their end edges.
fn column(ends: Ends, load: f64, edges: usize) -> (Model, State) {
    let clamps = match ends {
        Ends::ClampedFree => 1.0,
        Ends::Pinned => 0.0,
        Ends::Clamped => 2.0,
    };
    let l = 1.0 / (edges as f64 - 0.5 * clamps);
    let mut rod = straight(0.0, l, edges);
    let short = 1.0 - load / section().ea;
    rod.positions.iter_mut().for_each(|x| *x *= short);
    let last = edges;
    let still = || Motion::Still;
    let builder = ModelBuilder::new().rod(rod);
    let builder = match ends {
        Ends::ClampedFree => builder.clamp(0, 0, still()),
        Ends::Pinned => builder
            .hold_node(0, 0, FIXED, still())
            .hold_node(0, last, ACROSS, still()),
        Ends::Clamped => builder
            .clamp(0, 0, still())
            .hold_node(0, last - 1, ACROSS, still())
            .hold_node(0, last, ACROSS, still()),
    };
    let push = Schedule::Constant(1.0);
    let builder = builder.force(0, last, DVec3::X * -load, push);
    builder.build().unwrap()
}

#[test]
fn columns_are_unstable_from_the_load_of_the_discrete_rod_on() {
    for (ends, wave, half_waves) in [
        (Ends::ClampedFree, 0.5 * PI, 1),
        (Ends::Pinned, PI, 1),
        (Ends::Clamped, 2.0 * PI, 1),
    ] {
        let clamps = [1.0, 0.0, 2.0][ends as usize];
        let x: f64 = 0.5 * wave / (EDGES as f64 - 0.5 * clamps);
        // Euler's load, and what the discrete rod makes of it.
        let critical = wave * wave * (x.sin() / x).powi(2);
        let at = |part: f64| {
            let (model, state) = column(ends, part * critical, EDGES);
            stability(&model, &state)
        };
        assert_eq!(at(0.99), Stability::Stable, "{ends:?}");
        let found = shape(&at(1.01));
        assert_eq!((found.kind, found.rod), (Kind::Bend, 0), "{ends:?}");
        assert_eq!(found.changes + 1, half_waves, "{ends:?}");
        let middle = if ends == Ends::ClampedFree { 1.0 } else { 0.5 };
        assert!(
            (found.part - middle).abs() < 0.03,
            "{ends:?}: {}",
            found.part
        );
    }
}

/// Of a radius over the length of a ten-thousandth, and of a millionth, whose stiffness in stretching
/// leaves of bending hardly a digit (decision 0104).
#[test]
fn slender_columns_are_judged_where_rounding_lets_them() {
    let column = |radius: f64, edges: usize, part: f64| {
        let section = Section {
            ea: 4.0 / (radius * radius),
            radius,
            ..section()
        };
        let load = part * (0.5 * PI).powi(2);
        let l = 1.0 / (edges as f64 - 0.5);
        let nodes = (0..=edges).map(|i| DVec3::X * (l * i as f64));
        let mut rod = Rod::open(nodes.collect(), section).unwrap();
        let short = 1.0 - load / section.ea;
        rod.positions.iter_mut().for_each(|x| *x *= short);
        let builder = ModelBuilder::new().rod(rod).clamp(0, 0, Motion::Still);
        let push = Schedule::Constant(1.0);
        let (model, state) = (builder.force(0, edges, DVec3::X * -load, push))
            .build()
            .unwrap();
        stability(&model, &state)
    };
    for edges in [100, 1000] {
        assert_eq!(column(1e-4, edges, 0.8), Stability::Stable, "{edges}");
        let found = shape(&column(1e-4, edges, 1.2));
        assert_eq!((found.kind, found.changes), (Kind::Bend, 0), "{edges}");
    }
    for part in [0.5, 1.2] {
        let hidden = Stability::LeftOut(LeftOut::Rounding);
        assert_eq!(column(1e-6, 1000, part), hidden, "{part}");
    }
}

#[test]
fn far_beyond_the_threshold_a_column_leaves_by_the_wave_that_grows_fastest() {
    // sigma^2 = (P k^2 - EI k^4) / m is largest for k^2 = P / 2 EI: here five half-waves.
    let (model, state) = column(Ends::Pinned, 2.0 * (5.0 * PI).powi(2), 100);
    let found = stability(&model, &state);
    assert_eq!(shape(&found).changes + 1, 5);
    let words = shape(&found).to_string();
    assert!(
        words.contains("bend out in 5 half-waves, most at node"),
        "{words}"
    );
    let Stability::Unstable(found) = found else {
        unreachable!()
    };
    // (P / 2)^2 / (EI pi^4): 25^2 over the lowest bending eigenvalue.
    assert!(
        (found.eigenvalue / -625.0 - 1.0).abs() < 0.02,
        "{}",
        found.eigenvalue
    );
}

#[test]
fn a_buckled_column_is_stable() {
    let (model, mut state) = column(Ends::Pinned, 1.2 * PI * PI, EDGES);
    assert_eq!(shape(&stability(&model, &state)).changes, 0);
    for node in 0..=EDGES {
        state.q[4 * node + 1] += 1e-3 * (PI * node as f64 / EDGES as f64).sin();
    }
    let mut simulation = Simulation::new(model, state, StepSettings::default());
    simulation.settle().unwrap();
    let height = simulation.state.q[4 * (EDGES / 2) + 1];
    assert!(height > 0.2, "{height}");
    assert_eq!(simulation.stability(), Stability::Stable);
}

/// A mast, clamped at its foot, along `up`, of the weight that makes w L^3 / EI this.
fn mast(up: DVec3, weight: f64) -> ModelBuilder {
    let l = 1.0 / (EDGES as f64 - 0.5);
    let rod = straight(-0.5 * l, l, EDGES);
    ModelBuilder::new()
        .rod(rod)
        .clamp(0, 0, Motion::Still)
        .gravity(up * -weight)
}

#[test]
fn a_mast_stands_up_to_greenhills_height_and_always_hangs() {
    // w L^3 / EI = (9/4) j^2, with the first zero j of the Bessel function J of order -1/3.
    let critical = 7.837_347;
    assert_eq!(
        settled(mast(DVec3::X, 0.98 * critical)).stability(),
        Stability::Stable
    );
    let found = settled(mast(DVec3::X, 1.02 * critical)).stability();
    let found = shape(&found);
    assert_eq!(
        (found.kind, found.changes, found.at),
        (Kind::Bend, 0, EDGES)
    );
    assert_eq!(
        settled(mast(-DVec3::X, 1.02 * critical)).stability(),
        Stability::Stable
    );
}

/// A ring of length 2 pi, straight at rest, with this twist, rad.
fn ring(edges: usize, twist: f64) -> ModelBuilder {
    let radius = PI / edges as f64 / (PI / edges as f64).sin();
    let corner = |i: usize| {
        let (y, x) = (TAU * i as f64 / edges as f64).sin_cos();
        DVec3::new(x, y, 0.0) * radius
    };
    let nodes: Vec<DVec3> = (0..edges).map(corner).collect();
    let mut rod = Rod::closed(nodes, section())
        .unwrap()
        .straight_at_rest()
        .unwrap();
    rod.rest_twist.fill(-twist / edges as f64);
    ModelBuilder::new().rod(rod).bending(BendingModel::PerEdge)
}

#[test]
fn a_twisted_ring_leaves_its_plane_at_michells_twist() {
    // 2 pi sqrt(3) EI/GJ; that of a ring of 100 edges is .3147 % higher (catalogue 1.5).
    let critical = 1.003_147 * TAU * 3.0_f64.sqrt();
    assert_eq!(
        settled(ring(100, 0.99 * critical)).stability(),
        Stability::Stable
    );
    let found = settled(ring(100, 1.01 * critical)).stability();
    let found = shape(&found);
    assert_eq!((found.kind, found.closed), (Kind::Bend, true));
    assert_eq!(found.changes, 4, "two waves around: {found}");
}

#[test]
fn what_nothing_holds_is_stable() {
    let (model, state) = ModelBuilder::new()
        .rod(straight(0.0, 0.1, 10))
        .rod({
            let mut other = straight(0.0, 0.1, 10);
            other
                .positions
                .iter_mut()
                .for_each(|x| *x = DVec3::new(0.3, x.x, 1.0));
            Rod::open(other.positions, section()).unwrap()
        })
        .build()
        .unwrap();
    assert_eq!(stability(&model, &state), Stability::Stable);
    // A bent ring, and one that is held at a node, or by two.
    assert_eq!(settled(ring(50, 0.0)).stability(), Stability::Stable);
    let held = |node: usize| ring(50, 0.0).hold_node(0, node, FIXED, Motion::Still);
    assert_eq!(settled(held(0)).stability(), Stability::Stable);
    let hinged = held(0).hold_node(0, 25, FIXED, Motion::Still);
    assert_eq!(settled(hinged).stability(), Stability::Stable);
}

#[test]
fn a_rod_on_a_floor_rests_and_one_on_its_end_falls() {
    let contact = ContactModel::Imc(ImcSettings::default());
    let lying = |friction: f64| {
        let floor = Obstacle::half_space(DVec3::new(0.0, 0.0, -0.010_05), DVec3::Z);
        ModelBuilder::new()
            .rod(straight(0.0, 0.1, 10))
            .contact(ContactModel::Imc(ImcSettings {
                friction: Friction::coulomb(friction),
                ..ImcSettings::default()
            }))
            .obstacle(floor)
            .gravity(DVec3::Z * -0.1)
    };
    assert_eq!(settled(lying(0.0)).stability(), Stability::Stable);
    let (model, state) = lying(0.3).build().unwrap();
    let mut rubbing = Simulation::new(model, state, StepSettings::default());
    rubbing.settle().unwrap();
    let found = rubbing.stability();
    assert_eq!(found, Stability::LeftOut(LeftOut::Friction));
    // On its end: a rod that nothing but the floor carries tips over.
    let floor = Obstacle::half_space(DVec3::X * -0.010_05, DVec3::X);
    let standing = ModelBuilder::new()
        .rod(straight(0.0, 0.1, 10))
        .contact(contact)
        .obstacle(floor)
        .gravity(DVec3::X * -0.5);
    let found = settled(standing).stability();
    assert_eq!(shape(&found).kind, Kind::Rigid, "{found:?}");
}

#[test]
fn a_mass_on_a_mast_is_stable_up_to_eulers_load() {
    let clamped = |part: f64| {
        let l = 1.0 / (EDGES as f64 - 1.0);
        let x: f64 = 0.25 * PI / (EDGES as f64 - 1.0);
        let load = 0.25 * PI * PI * (x.sin() / x).powi(2);
        // The middle of the last edge bears the body, which may turn.
        let top = DVec3::X * (l * (EDGES as f64 - 1.0) + 0.5 * l);
        ModelBuilder::new()
            .rod(straight(0.0, l, EDGES))
            .clamp(0, 0, Motion::Still)
            .body(Body::new(1e3, DVec3::splat(1e-3), top))
            .weld(0, 0, EDGES - 1)
            .gravity(DVec3::X * (-part * load / 1e3))
    };
    // The rod's own weight is a thousandth of the body's.
    assert_eq!(settled(clamped(0.98)).stability(), Stability::Stable);
    let found = settled(clamped(1.02)).stability();
    assert_eq!((shape(&found).kind, shape(&found).changes), (Kind::Bend, 0));
}

#[test]
fn what_moves_or_has_no_potential_is_not_judged() {
    let (model, mut state) = column(Ends::Pinned, 1.2 * PI * PI, EDGES);
    state.velocity[4 * (EDGES / 2) + 1] = 1.0;
    assert_eq!(stability(&model, &state), Stability::Moving);
    // On its way out, too.
    let (model, mut state) = column(Ends::Pinned, 1.2 * PI * PI, EDGES);
    for node in 0..=EDGES {
        state.q[4 * node + 1] += 1e-4 * (PI * node as f64 / EDGES as f64).sin();
    }
    let frames = Simulation::new(model, state, StepSettings::default());
    assert_eq!(frames.stability(), Stability::Moving);
    let rod = straight(0.0, 0.1, 10);
    let push = Schedule::Constant(1.0);
    let builder = ModelBuilder::new()
        .rod(rod)
        .clamp(0, 0, Motion::Still)
        .following_force(0, 10, 9, DVec3::X * -1.0, push);
    let (model, state) = builder.build().unwrap();
    assert_eq!(stability(&model, &state), Stability::LeftOut(LeftOut::Load));
}
