//! Contact of two rods wound around each other: candidates, forces, derivatives, and the crossing
//! check of a step.

use std::hint::black_box;

use divan::Bencher;
use writhe::assembly::Trial;
use writhe::contact::pair::HessianPart;
use writhe::contact::sweep::Sweep;
use writhe::contact::{Beginning, ContactFrame, ContactSet};
use writhe::model::Model;
use writhe::obstacle::surface::Instants;
use writhe::rod::Kinematics;
use writhe::state::State;

use crate::support;

const FRICTION: f64 = 0.3;

/// Two rods that touch all along, in motion.
struct Touching {
    model: Model,
    state: State,
    kinematics: Kinematics,
    velocity: Vec<f64>,
}

impl Touching {
    fn new(nodes: usize, friction: f64) -> Self {
        let (model, state) = support::double_helix(nodes, friction);
        let mut kinematics = Kinematics::default();
        kinematics
            .update(&model.topology, &state.frames, &state.q)
            .expect("edges with a direction");
        let velocity = (0..state.q.len()).map(|i| (i as f64).sin()).collect();
        Self {
            model,
            state,
            kinematics,
            velocity,
        }
    }

    fn trial(&self) -> Trial<'_> {
        Trial {
            topology: &self.model.topology,
            kinematics: &self.kinematics,
            time: 0.0,
            q: &self.state.q,
            velocity: &self.velocity,
            rate: 1e3,
        }
    }

    fn frame(&self) -> ContactFrame {
        ContactFrame::new(
            &self.model,
            &Beginning::new(&self.model, &self.state, Instants::still(0.0)),
        )
    }

    /// The contacts, and the forces of them all.
    fn contacts(&self, frame: &mut ContactFrame) -> (ContactSet, Vec<f64>) {
        let mut contact = ContactSet::default();
        let mut force = vec![0.0; self.state.q.len()];
        let stiffness = self.state.contact.stiffness;
        contact.find(frame, &self.model, &self.trial(), stiffness, &mut force);
        let (pairs, nodes) = (contact.pairs().len(), self.model.topology.node_dof.len());
        assert!(pairs * 3 > nodes, "only {pairs} pairs touch");
        (contact, force)
    }
}

fn find(bencher: Bencher, nodes: usize, friction: f64) {
    let rods = Touching::new(nodes, friction);
    let mut frame = rods.frame();
    let (mut contact, mut force) = rods.contacts(&mut frame);
    let (at, stiffness) = (rods.trial(), rods.state.contact.stiffness);
    bencher.bench_local(|| {
        contact.find(
            &mut frame,
            &rods.model,
            black_box(&at),
            stiffness,
            &mut force,
        );
    });
}

#[divan::bench(args = support::NODES)]
fn forces(bencher: Bencher, nodes: usize) {
    find(bencher, nodes, 0.0);
}

#[divan::bench(args = support::NODES)]
fn forces_with_friction(bencher: Bencher, nodes: usize) {
    find(bencher, nodes, FRICTION);
}

fn derive(bencher: Bencher, nodes: usize, friction: f64) {
    let rods = Touching::new(nodes, friction);
    let mut frame = rods.frame();
    let (contact, _) = rods.contacts(&mut frame);
    let at = rods.trial();
    let mut sum = support::Sum::default();
    bencher.bench_local(|| {
        let part = HessianPart::Exact;
        contact.add_stiffness(&frame, &rods.model, black_box(&at), part, &mut sum);
    });
    black_box(sum.0);
}

#[divan::bench(args = support::NODES)]
fn derivatives(bencher: Bencher, nodes: usize) {
    derive(bencher, nodes, 0.0);
}

#[divan::bench(args = support::NODES)]
fn derivatives_with_friction(bencher: Bencher, nodes: usize) {
    derive(bencher, nodes, FRICTION);
}

#[divan::bench(args = support::NODES)]
fn candidates(bencher: Bencher, nodes: usize) {
    let (model, state) = support::double_helix(nodes, 0.0);
    let beginning = Beginning::new(&model, &state, Instants::still(0.0));
    bencher.bench_local(|| ContactFrame::new(&model, black_box(&beginning)));
}

#[divan::bench(args = support::NODES)]
fn crossing_check(bencher: Bencher, nodes: usize) {
    let (model, state) = support::double_helix(nodes, 0.0);
    // Turned about the common axis, which keeps the rods apart.
    let (sin, cos) = 0.05_f64.sin_cos();
    let mut end = state.q.clone();
    for dof in &model.topology.node_dof {
        let (y, z) = (state.q[dof + 1], state.q[dof + 2]);
        end[dof + 1] = cos * y - sin * z;
        end[dof + 2] = sin * y + cos * z;
    }
    let mut sweep = Sweep::default();
    bencher.bench_local(|| sweep.crossing(&model, black_box(&state.q), &end));
}
