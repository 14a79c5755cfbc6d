//! Claims of B08 on small rods: localized buckling (Fig. 7), the twisted ring (Fig. 8), the twisted
//! straight rod.

use std::f64::consts::TAU;

use writhe::model::BendingModel;
use writhe_validate::reference::localized_buckling::Imposed;
use writhe_validate::setup::localized_buckling::{
    Envelope, edge_lengths, equilibrium, total_twist,
};
use writhe_validate::setup::{twisted_ring, twisted_rod};

#[test]
fn localized_buckling_comes_to_theory() {
    let imposed = Imposed::FIG_7;
    let theory = imposed.shape();
    for graded in [false, true] {
        let mut before = f64::INFINITY;
        let off = [40, 110, 180, 360].map(|n| {
            let lengths = edge_lengths(imposed.length, n, graded);
            let total: f64 = lengths.iter().sum();
            let ends = 0.5 * (lengths[0] + lengths[n - 1]);
            assert!((total - ends - imposed.length).abs() < 1e-12);
            let simulation = equilibrium(&imposed, &lengths, BendingModel::PerEdge).unwrap();
            let envelope = Envelope::of(&simulation, &lengths, theory.envelope_length());
            let [largest, _] = envelope.errors();
            assert!(largest < before, "n = {n}: {largest} after {before}");
            before = largest;
            // 27 turns less what the rod writhes, 4.3 rad an edge with 40 edges: nothing wraps.
            let written = 27.0 - total_twist(&simulation) / TAU;
            assert!((0.1..0.31).contains(&written), "n = {n}: {written}");
            1.0 - envelope.phi0 / theory.phi0
        });
        // The helix turns by .28 rad an edge with 180 edges: its error is of second order in that,
        // and not small.
        let order = (off[2] / off[3]).log2();
        assert!((1.7..2.1).contains(&order), "{off:?}");
        assert!(off[3] < 0.022, "{off:?}");
    }
}

#[test]
fn the_ring_leaves_its_plane_at_the_discrete_threshold() {
    // Of an independent program, 50 edges, beta = alpha: 11.01978464 rad.
    let threshold = twisted_ring::threshold(50, 1.0, 1e-6).unwrap();
    assert!(
        (threshold / 11.019_784_64 - 1.0).abs() < 1e-4,
        "{threshold}"
    );
    for beta in [0.5, 1.0] {
        let critical = 11.019_784_64 / beta;
        assert!(twisted_ring::is_stable(50, beta, 0.99 * critical).unwrap());
        assert!(!twisted_ring::is_stable(50, beta, 1.01 * critical).unwrap());
    }
    let growth = |twist: f64| twisted_ring::growth(50, 1.0, twist, 10.0).unwrap();
    assert!(growth(10.5) < 1.0 && growth(11.5) > 1.0);
}

#[test]
fn the_rod_buckles_at_the_discrete_threshold() {
    let smooth = twisted_rod::smooth_threshold(1.0);
    let found = twisted_rod::threshold(25, 1.0, BendingModel::PerEdge).unwrap();
    // Of an independent program.
    assert!(
        (found / smooth - 1.011_462).abs() < 1e-6,
        "{}",
        found / smooth
    );
}
