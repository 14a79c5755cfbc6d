//! Contact of two rods wound around each other: candidates, forces, derivatives, and the crossing
//! check of a step.

use crate::support;
use criterion::{BenchmarkId, Criterion, criterion_group};
use std::hint::black_box;
use writhe::assembly::Trial;
use writhe::contact::pair::HessianPart;
use writhe::contact::sweep::Sweep;
use writhe::contact::{Beginning, ContactFrame, ContactSet};
use writhe::obstacle::surface::Instants;
use writhe::rod::Kinematics;

fn contact(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("contact");
    for nodes in support::NODES {
        for (name, friction) in [("", 0.0), (" with friction", 0.3)] {
            let (model, state) = support::double_helix(nodes, friction);
            let mut kinematics = Kinematics::default();
            kinematics
                .update(&model.topology, &state.frames, &state.q)
                .expect("edges with a direction");
            let velocity: Vec<f64> = (0..state.q.len()).map(|i| (i as f64).sin()).collect();
            let at = Trial {
                topology: &model.topology,
                kinematics: &kinematics,
                time: 0.0,
                q: &state.q,
                velocity: &velocity,
                rate: 1e3,
            };
            let stiffness = state.contact.stiffness;
            let mut contact = ContactSet::default();
            let mut force = vec![0.0; state.q.len()];
            let beginning = Beginning::new(&model, &state, Instants::still(0.0));
            let mut frame = ContactFrame::new(&model, &beginning);
            contact.find(&mut frame, &model, &at, stiffness, &mut force);
            let pairs = contact.pairs().len();
            assert!(pairs * 3 > nodes, "only {pairs} pairs touch");
            let id = |part: &str| BenchmarkId::new(format!("{part}{name}"), nodes);
            group.bench_function(id("forces"), |bencher| {
                bencher.iter(|| {
                    contact.find(&mut frame, &model, black_box(&at), stiffness, &mut force);
                });
            });
            let mut sum = support::Sum::default();
            group.bench_function(id("derivatives"), |bencher| {
                bencher.iter(|| {
                    let part = HessianPart::Exact;
                    contact.add_stiffness(&frame, &model, black_box(&at), part, &mut sum);
                });
            });
            black_box(sum.0);
        }
        let (model, state) = support::double_helix(nodes, 0.0);
        group.bench_function(BenchmarkId::new("candidates", nodes), |bencher| {
            let beginning = Beginning::new(&model, &state, Instants::still(0.0));
            bencher.iter(|| ContactFrame::new(&model, black_box(&beginning)));
        });
        // Turned about the common axis, which keeps the rods apart.
        let (sin, cos) = 0.05_f64.sin_cos();
        let mut end = state.q.clone();
        for dof in &model.topology.node_dof {
            let (y, z) = (state.q[dof + 1], state.q[dof + 2]);
            end[dof + 1] = cos * y - sin * z;
            end[dof + 2] = sin * y + cos * z;
        }
        let mut sweep = Sweep::default();
        group.bench_function(BenchmarkId::new("crossing check", nodes), |bencher| {
            bencher.iter(|| sweep.crossing(&model, black_box(&state.q), &end));
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = support::criterion();
    targets = contact
}
