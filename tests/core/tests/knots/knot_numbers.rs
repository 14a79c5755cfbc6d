//! Writhe, linking numbers, and the types of open curves.

use std::f64::consts::TAU;

use proptest::prelude::*;
use writhe::glam::DVec3;
use writhe::knot::closure::{Closure, close, directional_types, open_type};
use writhe::knot::gauss::{gauss_integral, gauss_linking, writhe};
use writhe::knot::{KnotError, knot_type, linking_number, linking_numbers};
use writhe_tests::knot_support::deform::{crumpled, moved, subdivided};
use writhe_tests::knot_support::{Random, braid, figure_eight, mirrored, torus_knot, torus_link};
use writhe_tests::support::writhe_number;

// ---- Writhe
// --------------------------------------------------------------------------------------------------------------

#[test]
fn writhe_is_that_of_the_plain_double_sum() {
    let mut random = Random(1);
    for curve in [
        torus_knot(2, 3, 100),
        figure_eight(120),
        torus_knot(5, -3, 300),
    ] {
        let curve = moved(&subdivided(&curve, 2, &mut random), &mut random);
        let wanted = writhe_number::writhe_number(&curve);
        assert!((writhe(&curve, true) - wanted).abs() < 1e-11 * (1.0 + wanted.abs()));
        assert!((writhe(&mirrored(&curve), true) + wanted).abs() < 1e-11 * (1.0 + wanted.abs()));
        // A closed curve is an open one that ends where it began.
        let mut open = curve.clone();
        open.push(curve[0]);
        assert!((writhe(&open, false) - wanted).abs() < 1e-11 * (1.0 + wanted.abs()));
    }
}

/// Writhe of a helix of n turns, radius r, pitch p, closed far away along its axis: n (1 - p /
/// sqrt(p^2 + 4 pi^2 r^2)) for large n (Fuller 1971).
#[test]
fn a_long_helix_writhes_as_fuller_says() {
    let (radius, pitch, turns) = (1.0, 3.0, 200);
    let nodes = 40 * turns;
    let helix: Vec<DVec3> = (0..=nodes)
        .map(|i| {
            let s = i as f64 / 40.0;
            let (sin, cos) = (TAU * s).sin_cos();
            DVec3::new(radius * cos, radius * sin, pitch * s)
        })
        .collect();
    let of_turn = 1.0 - pitch / pitch.hypot(TAU * radius);
    let found = writhe(&helix, false) / f64::from(turns);
    // The ends miss their neighbours, the polygon is a little smaller than the helix.
    assert!((found / of_turn - 1.0).abs() < 0.01, "{found} {of_turn}");
}

#[test]
fn curves_in_a_plane_or_on_a_sphere_do_not_writhe() {
    let mut random = Random(2);
    let plane: Vec<DVec3> = (0..60)
        .map(|i| {
            let s = TAU * f64::from(i) / 60.0;
            DVec3::new((1.0 + 0.4 * (5.0 * s).sin()) * s.cos(), s.sin(), 0.0)
        })
        .collect();
    assert_eq!(writhe(&plane, true), 0.0);
    // In any plane only to rounding.
    assert!(writhe(&moved(&plane, &mut random), true).abs() < 1e-12);
    // On a sphere, for smooth curves: the polygon's error falls with the square of its edges.
    let of_sphere = |nodes: u32| {
        let curve: Vec<DVec3> = (0..nodes)
            .map(|i| {
                let s = TAU * f64::from(i) / f64::from(nodes);
                let z = 0.5 * (3.0 * s).sin() + 0.4 * (2.0 * s + 0.5).cos();
                DVec3::new(s.cos(), s.sin() + 0.3 * (2.0 * s).cos(), z).normalize()
            })
            .collect();
        writhe(&curve, true).abs()
    };
    let (coarse, fine) = (of_sphere(100), of_sphere(400));
    println!("writhe on a sphere: {coarse:.1e}, {fine:.1e}");
    assert!(coarse > 1e-9, "{coarse:e}: this curve tests nothing");
    assert!(coarse < 1e-3 && fine < coarse / 12.0, "{coarse:e} {fine:e}");
}

#[test]
fn segments_that_touch_are_parallel_or_share_a_point_give_numbers() {
    let x = |x: f64, y: f64, z: f64| DVec3::new(x, y, z);
    let p = [x(-1.0, 0.0, 0.0), x(1.0, 0.0, 0.0)];
    for q in [
        [x(0.0, -1.0, 0.0), x(0.0, 1.0, 0.0)],
        [x(1.0, 0.0, 0.0), x(1.0, 1.0, 0.0)],
        [x(-1.0, 1.0, 0.0), x(1.0, 1.0, 0.0)],
        [x(2.0, 0.0, 0.0), x(3.0, 0.0, 0.0)],
        [x(0.5, 0.0, 0.0), x(3.0, 0.0, 0.0)],
        p,
        [x(0.2, 0.0, 0.0), x(0.2, 0.0, 5.0)],
    ] {
        assert_eq!(gauss_integral(p, q), 0.0, "{q:?}");
    }
    // Just above and just below: nearly all directions in which they cross, with opposite signs.
    for gap in [1e-2, 1e-6, 1e-10, 1e-14] {
        let q = |z: f64| [x(0.0, -1.0, z), x(0.0, 1.0, z)];
        let [above, below] = [gap, -gap].map(|z| gauss_integral(q(z), p));
        assert!((above.abs() - 0.5).abs() < gap + 1e-12, "{above}");
        assert_eq!(above, -below);
    }
    // Right-handed: the upper strand turns counterclockwise onto the lower one.
    assert!(
        gauss_integral(
            [x(-1.0, 0.0, 1.0), x(1.0, 0.0, 1.0)],
            [x(0.0, -1.0, 0.0), x(0.0, 1.0, 0.0)]
        ) > 0.0
    );
}

// ---- Linking
// -------------------------------------------------------------------------------------------------------------

#[test]
fn links_have_their_numbers() {
    let hopf = braid(&[1, 1]);
    let solomon = braid(&[1, 1, 1, 1]);
    let whitehead = braid(&[1, -2, 1, -2, -2]);
    let borromean = braid(&[1, -2, 1, -2, 1, -2]);
    for (link, number) in [(&hopf, 1), (&solomon, 2), (&whitehead, 0)] {
        assert_eq!(linking_number(&link[0], &link[1]), Ok(number));
        assert_eq!(linking_number(&link[1], &link[0]), Ok(number));
        let image: Vec<_> = link.iter().map(|c| mirrored(c)).collect();
        assert_eq!(linking_number(&image[0], &image[1]), Ok(-number));
        let back: Vec<DVec3> = link[1].iter().rev().copied().collect();
        assert_eq!(linking_number(&link[0], &back), Ok(-number));
    }
    let all: Vec<&[DVec3]> = borromean.iter().map(Vec::as_slice).collect();
    assert_eq!(linking_numbers(&all), Ok(vec![0; 3]));
    assert_eq!(linking_numbers(&all[..1]), Ok(vec![]));
    // T(2, 2k) is linked k times, and pairs of strands of T(3, 3) once.
    for k in [1, 2, 5, 12] {
        let link = torus_link(1, k, 2, 400);
        assert_eq!(linking_number(&link[0], &link[1]), Ok(i64::from(k)));
    }
    let three = torus_link(1, 1, 3, 200);
    let three: Vec<&[DVec3]> = three.iter().map(Vec::as_slice).collect();
    assert_eq!(linking_numbers(&three), Ok(vec![1; 3]));
    // Components of T(4, 6) are trefoils, linked 6 times.
    let trefoils = torus_link(2, 3, 2, 400);
    assert_eq!(linking_number(&trefoils[0], &trefoils[1]), Ok(6));
    assert_eq!(knot_type(&trefoils[1]).unwrap().names(), ["3_1"]);
}

#[test]
fn curves_that_meet_are_not_linked() {
    let ring = torus_knot(1, 0, 40);
    let through: Vec<DVec3> = ring
        .iter()
        .map(|x| *x - ring[0] + 0.5 * (ring[7] + ring[8]))
        .collect();
    let error = linking_number(&ring, &through).unwrap_err();
    assert!(
        matches!(error, KnotError::Touching { curves: [0, 1], .. }),
        "{error}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn linking_number_is_the_gauss_sum(seed: u64) {
        let mut random = Random(seed);
        // Random curves link at random.
        let curve = |random: &mut Random, nodes: usize| -> Vec<DVec3> {
            (0..nodes).map(|_| random.vector()).collect()
        };
        let (first, second) = (curve(&mut random, 40), curve(&mut random, 23));
        let number = linking_number(&first, &second).unwrap();
        let sum = gauss_linking(&first, &second, [true; 2]);
        prop_assert!((sum - number as f64).abs() < 1e-10, "{} {}", sum, number);
    }

    #[test]
    fn linking_number_survives_deformation(seed: u64) {
        let mut random = Random(seed);
        let link = torus_link(1, 2, 2, 30);
        // Each component is crumpled in the tube that the other leaves free.
        let few = 40;
        let first = crumpled(&link[0], few, &mut random);
        prop_assert_eq!(linking_number(&first, &link[1]), Ok(gauss_linking(&first, &link[1], [true; 2]).round() as i64));
    }
}

// ---- Open curves
// ---------------------------------------------------------------------------------------------------------

/// A closed 2-braid cut open at its outermost return, with both ends led away: the overhand knot
/// with `letters` crossings.
fn overhand(letters: usize, sign: i32, tail: f64) -> Vec<DVec3> {
    let mut points = braid(&vec![sign; letters]).remove(0);
    // The strand furthest outside returns along x = -2: its two corners there are the ends.
    let corner = (0..points.len()).find(|i| points[*i].x == -2.0).unwrap();
    points.rotate_left(corner + 1);
    let last = points.len() - 1;
    points[0].y = -2.0;
    points[last].y = letters as f64 + 2.0;
    points[0].x -= tail;
    points[last].x -= tail;
    points
}

#[test]
fn overhand_knots_with_their_ends_outside_are_certain() {
    for n in 1..=6_usize {
        for sign in [1, -1] {
            let open = open_type(&overhand(2 * n + 1, sign, 30.0)).unwrap();
            let found = open.certain().unwrap();
            assert_eq!(found.signature, -2 * n as i64 * i64::from(sign));
            assert_eq!(found.determinant(), 2 * n as i128 + 1);
        }
    }
    // A straight rod, and one that is bent, are not knotted.
    for bend in [0.0, 1.0] {
        let rod: Vec<DVec3> = (0..50)
            .map(|i| DVec3::new(f64::from(i), bend * (0.3 * f64::from(i)).sin(), 0.0))
            .collect();
        assert!(open_type(&rod).unwrap().certain().unwrap().is_trivial());
    }
}

#[test]
fn ends_inside_a_tangle_make_its_type_uncertain() {
    let mut random = Random(3);
    let tangle = |random: &mut Random| -> Vec<DVec3> { (0..30).map(|_| random.vector()).collect() };
    let (mut uncertain, mut spread) = (0, 0);
    for _ in 0..20 {
        let tangle = tangle(&mut random);
        let open = open_type(&tangle).unwrap();
        let is_certain = open.certain().is_some();
        assert_eq!(is_certain, open.found().len() == 1, "{open:?}");
        let shares = directional_types(&tangle, 40).unwrap();
        assert_eq!(shares.iter().map(|(_, n)| n).sum::<usize>(), 40);
        // Where directions disagree so much, no type may be called certain.
        assert!(shares[0].1 >= 20 || !is_certain, "{shares:?}");
        uncertain += usize::from(!is_certain);
        spread += usize::from(shares[0].1 < 30);
    }
    println!(
        "{uncertain} of 20 tangles uncertain, {spread} without a type that most directions see"
    );
    assert!(
        (5..20).contains(&uncertain) && spread > 5,
        "{uncertain} {spread}"
    );
    // With its ends far outside one type has nearly all directions.
    let shares = directional_types(&overhand(5, 1, 30.0), 60).unwrap();
    assert!(
        shares[0].0.names() == ["5_1"] && shares[0].1 > 54,
        "{shares:?}"
    );
}

#[test]
fn the_way_around_stays_outside() {
    let mut random = Random(5);
    for case in 0..200 {
        let open: Vec<DVec3> = (0..12).map(|_| random.vector()).collect();
        let center = open.iter().fold(DVec3::MAX, |l, x| l.min(*x)) * 0.5
            + open.iter().fold(DVec3::MIN, |h, x| h.max(*x)) * 0.5;
        let ball = open.iter().map(|x| x.distance(center)).fold(0.0, f64::max);
        for closure in [
            Closure::Tangents,
            Closure::Axis,
            Closure::Tilted(2),
            Closure::Parallel(random.vector()),
        ] {
            let closed = close(&open, closure).unwrap();
            assert_eq!(closed[..12], open);
            for pair in closed[12..].windows(2) {
                for k in 0..=10 {
                    let at = pair[0].lerp(pair[1], f64::from(k) / 10.0).distance(center);
                    assert!(
                        at > 2.5 * ball && at < 3.0001 * ball,
                        "{case} {closure:?} {at} {ball}"
                    );
                }
            }
            // What is added goes straight on from the ends.
            if closure == Closure::Tangents {
                let angle = (closed[12] - open[11]).angle_between(open[11] - open[10]);
                assert!(angle < 1e-6);
            }
        }
    }
    // Ends in one place, and opposite ways out.
    let mut ring = torus_knot(2, 3, 60);
    ring.push(ring[0]);
    assert!(
        close(&ring, Closure::Axis)
            .unwrap()
            .iter()
            .all(|x| x.is_finite())
    );
    assert_eq!(
        open_type(&[DVec3::ZERO]),
        Err(KnotError::TooFewNodes { nodes: 1 })
    );
    assert_eq!(open_type(&[DVec3::ZERO; 4]), Err(KnotError::NoExtent));
}
