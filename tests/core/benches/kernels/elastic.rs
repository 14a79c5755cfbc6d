//! Kinematics, elastic gradient and Hessian of one rod.

use std::hint::black_box;

use divan::Bencher;
use writhe::forces::add_elastic;
use writhe::model::Model;
use writhe::rod::Kinematics;

use crate::support;

/// A cantilever, bent and twisted a little since the start of the step, and what is known of its
/// edges.
fn wiggled(nodes: usize) -> (Model, Vec<f64>, Kinematics) {
    let (model, state) = support::cantilever(nodes);
    let wiggled = state.q.iter().enumerate();
    let q: Vec<f64> = wiggled
        .map(|(i, q)| q + 5e-4 * (0.37 * i as f64).sin())
        .collect();
    let mut kinematics = Kinematics::default();
    kinematics
        .update(&model.topology, &state.frames, &q)
        .expect("edges with a direction");
    (model, q, kinematics)
}

#[divan::bench(args = support::NODES)]
fn kinematics(bencher: Bencher, nodes: usize) {
    let (model, q, mut kinematics) = wiggled(nodes);
    let frames = support::cantilever(nodes).1.frames;
    bencher.bench_local(|| kinematics.update(&model.topology, &frames, black_box(&q)));
}

#[divan::bench(args = support::NODES)]
fn gradient(bencher: Bencher, nodes: usize) {
    let (model, q, kinematics) = wiggled(nodes);
    let mut gradient = vec![0.0; q.len()];
    bencher.bench_local(|| add_elastic(&model, &kinematics, black_box(&q), &mut gradient, None));
}

#[divan::bench(args = support::NODES)]
fn gradient_and_hessian_into_a_matrix(bencher: Bencher, nodes: usize) {
    let (model, q, kinematics) = wiggled(nodes);
    let mut gradient = vec![0.0; q.len()];
    let mut rods = support::Rods::new(&model);
    bencher.bench_local(|| {
        rods.0.set_zero();
        let q = black_box(&q);
        add_elastic(&model, &kinematics, q, &mut gradient, Some(&mut rods))
    });
}
