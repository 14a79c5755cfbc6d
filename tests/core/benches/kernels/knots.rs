//! What a certificate costs: a rod of 301 nodes, as those of knot experiments, and one of 2000.

use std::f64::consts::TAU;
use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group};
use writhe::glam::DVec3;
use writhe::knot::closure::open_type;
use writhe::knot::gauss::writhe;
use writhe::knot::{knot_type, linking_number};

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

fn knots(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("knots");
    for nodes in [301, 2000] {
        for n in [1, 4] {
            let curve = overhand(nodes, n, 0.0);
            let id = |part: &str| BenchmarkId::new(format!("{part}, n = {n}"), nodes);
            group.bench_function(id("type"), |bencher| {
                bencher.iter(|| knot_type(black_box(&curve)).expect("a knot"));
            });
            group.bench_function(id("type of an open rod"), |bencher| {
                bencher.iter(|| open_type(black_box(&curve[5..])).expect("a rod"));
            });
        }
        let [first, second] = [0.0, 0.5].map(|phase| overhand(nodes, 1, phase));
        group.bench_function(BenchmarkId::new("writhe", nodes), |bencher| {
            bencher.iter(|| writhe(black_box(&first), true));
        });
        group.bench_function(BenchmarkId::new("linking number", nodes), |bencher| {
            bencher.iter(|| linking_number(black_box(&first), &second).expect("a link"));
        });
    }
    group.finish();
}

criterion_group!(benches, knots);
