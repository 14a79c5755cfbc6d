//! What a certificate costs: a rod of 301 nodes, as those of knot experiments, and one of 2000.

use std::f64::consts::TAU;
use std::hint::black_box;

use divan::Bencher;
use writhe::glam::DVec3;
use writhe::knot::closure::open_type;
use writhe::knot::{self, gauss, knot_type};

const NODES: [usize; 2] = [301, 2000];
/// Nodes, and unknotting number.
const KNOTS: [(usize, usize); 4] = [(301, 1), (301, 4), (2000, 1), (2000, 4)];

/// The torus knot T(2, 2 n + 1), the overhand knot of unknotting number n with its ends joined.
fn overhand(nodes: usize, n: usize, phase: f64) -> Vec<DVec3> {
    let node = |i: usize| {
        let s = TAU * i as f64 / nodes as f64;
        let along = (2 * n + 1) as f64 * s + phase;
        let r = 2.0 + 0.7 * along.cos();
        DVec3::new(r * (2.0 * s).cos(), r * (2.0 * s).sin(), 0.7 * along.sin())
    };
    (0..nodes).map(node).collect()
}

#[divan::bench(name = "type", args = KNOTS)]
fn of_a_loop(bencher: Bencher, (nodes, n): (usize, usize)) {
    let curve = overhand(nodes, n, 0.0);
    bencher.bench_local(|| knot_type(black_box(&curve)).expect("a knot"));
}

#[divan::bench(args = KNOTS)]
fn type_of_an_open_rod(bencher: Bencher, (nodes, n): (usize, usize)) {
    let curve = overhand(nodes, n, 0.0);
    bencher.bench_local(|| open_type(black_box(&curve[5..])).expect("a rod"));
}

#[divan::bench(args = NODES)]
fn writhe(bencher: Bencher, nodes: usize) {
    let curve = overhand(nodes, 1, 0.0);
    bencher.bench_local(|| gauss::writhe(black_box(&curve), true));
}

#[divan::bench(args = NODES)]
fn linking_number(bencher: Bencher, nodes: usize) {
    let [first, second] = [0.0, 0.5].map(|phase| overhand(nodes, 1, phase));
    bencher.bench_local(|| knot::linking_number(black_box(&first), &second).expect("a link"));
}
