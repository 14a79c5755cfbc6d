//! Whatever rods, bodies and obstacles do, candidates contain all that is within the range of
//! forces: compared with all pairs.

use glam::DVec3;

use crate::assembly::Trial;
use crate::bodies::Body;
use crate::contact::obstacle::contact::Part;
use crate::contact::{Beginning, ContactFrame, ContactSet};
use crate::contact_model::{ContactModel, ImcSettings};
use crate::kernels::testing::Random;
use crate::model::pairs::{exclusion, nearest};
use crate::model::{Model, ModelBuilder};
use crate::obstacle::Obstacle;
use crate::obstacle::surface::Instants;
use crate::rod::kinematics::position;
use crate::rod::{Kinematics, Material, Rod, Section};
use crate::state::State;

const EDGE: f64 = 0.01;
const BALL: f64 = 0.01;
/// Range of forces over the radius.
const RANGE: f64 = 0.3;

/// Six rods of several radii in a small box, above a floor, with a ball that is free to move.
fn tangle(random: &mut Random, contact: &ContactModel) -> (Model, State) {
    loop {
        let mut builder = ModelBuilder::new().contact(*contact);
        for _ in 0..6 {
            let radius = random.range(0.5e-3, 2e-3);
            let section = Section::circle(Material::new(1e6, 0.5, 1000.0), radius);
            let (mut x, mut along) = (0.04 * random.vector(), random.unit());
            let mut nodes = vec![x];
            for _ in 0..8 {
                along = (along + 0.3 * random.vector()).normalize();
                x += EDGE * along;
                nodes.push(x);
            }
            builder = builder.rod(Rod::open(nodes, section).expect("nodes that are apart"));
        }
        let at = 0.06 * random.vector();
        let built = builder
            .body(Body::sphere(1e-3, BALL, at))
            .obstacle(Obstacle::sphere(at, BALL).on_body(0))
            .obstacle(Obstacle::half_space(-0.1 * DVec3::Z, DVec3::Z))
            .build();
        // What overlaps is refused.
        if let Ok(built) = built {
            return built;
        }
    }
}

/// `q` with every rod and the ball moved by up to `apart`, m, all by the same `together`, and every
/// node by up to `noise`, m.
fn moved(
    random: &mut Random,
    model: &Model,
    q: &[f64],
    [together, apart, noise]: [f64; 3],
) -> Vec<f64> {
    let mut to = q.to_vec();
    let mut shift = |dof: usize, by: DVec3| {
        for k in 0..3 {
            to[dof + k] += by[k];
        }
    };
    let all = together * random.vector();
    for rod in &model.topology.rods {
        let own = apart * random.vector();
        for n in rod.first_node..rod.first_node + rod.nodes {
            let by = all + own + noise * random.vector();
            shift(model.topology.node_dof[n], by);
        }
    }
    shift(model.topology.body_dof[0], all + apart * random.vector());
    to
}

/// The beginning of a step of 1 ms that is expected to end at `predicted`.
fn towards<'a>(model: &Model, state: &'a State, predicted: &'a [f64]) -> Beginning<'a> {
    Beginning {
        predicted,
        ..Beginning::new(model, state, Instants::ending(1e-3, 1e-3))
    }
}

/// Every pair of edges, and every node at the ball or the floor, that is within the range of forces
/// at `q` is known there.
fn assert_complete(
    model: &Model,
    (frame, contact): (&ContactFrame, &ContactSet),
    q: &[f64],
) -> usize {
    let (edges, mut near) = (model.topology.edges(), 0);
    for (i, j) in (0..edges).flat_map(|i| (i + 1..edges).map(move |j| (i, j))) {
        let radii = 0.5 * (model.radius[i] + model.radius[j]);
        let within = nearest::Nearest::of_pair(model, q, [i, j]).gap < RANGE * radii;
        if exclusion::may_touch(model, i, j) && within {
            near += 1;
            let known = frame.candidates().contains(&(i as u32, j as u32));
            assert!(known, "edges {i} and {j} are near and not candidates");
            let acts = contact.pairs().iter().any(|pair| pair.edges == [i, j]);
            assert!(acts, "edges {i} and {j} are near and do not act");
        }
    }
    let ball = position(q, model.topology.body_dof[0]);
    for (n, dof) in model.topology.node_dof.iter().enumerate() {
        let (x, radius) = (
            position(q, *dof),
            model.radius[model.topology.node_rod[n] * 8],
        );
        for (o, gap) in [x.distance(ball) - BALL, x.z + 0.1].into_iter().enumerate() {
            if gap - radius < RANGE * radius {
                near += 1;
                let found = contact.obstacles().contacts().iter();
                let acts = found.filter(|c| c.obstacle == o).any(|c| match c.part {
                    Part::Node(node) => node == n,
                    Part::Edge(_) => false,
                });
                assert!(acts, "node {n} is near obstacle {o} and does not act");
            }
        }
    }
    near
}

#[test]
fn candidates_contain_all_that_is_near() {
    let mut random = Random(31);
    let imc = ContactModel::Imc(ImcSettings {
        tolerance: RANGE,
        ..ImcSettings::default()
    });
    let mut near = 0;
    let mut kept = 0;
    for _ in 0..320 {
        let (model, state) = tangle(&mut random, &imc);
        let reach = |random: &mut Random| 0.1 * random.range(-12.0, 0.0).exp2();
        let mut way = || [reach(&mut random), reach(&mut random), 0.0];
        let way = way();
        let predicted = moved(&mut random, &model, &state.q, way);
        let mut frame = ContactFrame::new(&model, &towards(&model, &state, &predicted));
        let mut contact = ContactSet::default();
        let (mut kinematics, mut force) = (Kinematics::default(), vec![0.0; state.q.len()]);
        let mut q = predicted.clone();
        for trial in 0..8 {
            q = match trial {
                0 => state.q.clone(),
                1 => predicted.clone(),
                // On the way, and a little beside it.
                2 | 3 => {
                    let t = random.range(0.0, 1.0);
                    let way = state.q.iter().zip(&predicted);
                    let on: Vec<f64> = way.map(|(from, to)| from + t * (to - from)).collect();
                    moved(&mut random, &model, &on, [0.0, 0.0, 5e-5])
                }
                // Somewhere else, as corrections lead.
                _ => {
                    let noise = 0.1 * EDGE * random.range(-8.0, 0.0).exp2();
                    let apart = reach(&mut random);
                    moved(&mut random, &model, &q, [0.0, apart, noise])
                }
            };
            if kinematics
                .update(&model.topology, &state.frames, &q)
                .is_err()
            {
                break;
            }
            let at = Trial {
                topology: &model.topology,
                kinematics: &kinematics,
                time: 1e-3,
                q: &q,
                velocity: &state.velocity,
                rate: 1e3,
            };
            contact.find(&mut frame, &model, &at, 1.0, &mut force);
            kept += usize::from(trial > 0 && trial < 4);
            near += assert_complete(&model, (&frame, &contact), &q);
        }
    }
    assert!(near > 1_000 && kept > 900, "only {near} near, {kept} kept");
}

/// Rods that fall side by side need no more candidates than rods at rest, however far they fall.
#[test]
fn a_common_motion_makes_no_candidates() {
    let mut random = Random(5);
    let imc = ContactModel::Imc(ImcSettings::default());
    let (model, state) = tangle(&mut random, &imc);
    let count = |way: [f64; 3]| {
        let predicted = moved(&mut Random(9), &model, &state.q, way);
        let frame = ContactFrame::new(&model, &towards(&model, &state, &predicted));
        frame.candidates().len()
    };
    let (resting, falling) = (count([0.0; 3]), count([1.0, 0.0, 0.0]));
    assert_eq!(resting, falling);
    assert!(count([0.0, 1.0, 0.0]) > 100);
}
