//! Types of closed polygons: known knots, and what must not change them.

use proptest::prelude::*;
use writhe::glam::DVec3;
use writhe::knot::{KnotError, KnotType, knot_type};
use writhe_tests::knot_support::deform::{crumpled, moved, sheared, subdivided};
use writhe_tests::knot_support::{
    Random, braid, connected_sum, figure_eight, mirrored, torus_knot,
};

fn kind(points: &[DVec3]) -> KnotType {
    knot_type(points).unwrap()
}

fn mirror_image(of: &KnotType) -> KnotType {
    KnotType {
        signature: -of.signature,
        ..of.clone()
    }
}

// ---- Closed forms
// --------------------------------------------------------------------------------------------------------

/// (t^pq - 1)(t - 1) / ((t^p - 1)(t^q - 1)), all coefficients.
fn torus_polynomial(p: usize, q: usize) -> Vec<i64> {
    // Dividing by t^n - 1 from the low end: c_k = -(r_k) + c_{k-n}.
    let divide = |numerator: &[i64], n: usize| -> Vec<i64> {
        let mut quotient = vec![0_i64; numerator.len() - n];
        for k in 0..quotient.len() {
            let carried = if k >= n { quotient[k - n] } else { 0 };
            quotient[k] = carried - numerator[k];
        }
        quotient
    };
    let mut numerator = vec![0; p * q + 2];
    for (power, sign) in [(p * q + 1, 1), (p * q, -1), (1, -1), (0, 1)] {
        numerator[power] += sign;
    }
    divide(&divide(&numerator, p), q)
}

/// Signature of the right-handed T(p, q) (Brieskorn 1966): pairs with 1/2 < i/p + j/q < 3/2 count
/// -1, the others +1.
fn torus_signature(p: i64, q: i64) -> i64 {
    let pairs = (1..p).flat_map(|i| (1..q).map(move |j| 2 * (i * q + j * p)));
    pairs
        .map(|twice| {
            if p * q < twice && twice < 3 * p * q {
                -1
            } else {
                1
            }
        })
        .sum()
}

#[test]
fn torus_knots_have_their_polynomial_and_signature() {
    for (p, q) in [
        (2, 3),
        (3, 2),
        (2, 5),
        (5, 2),
        (2, 7),
        (2, 9),
        (2, 31),
        (3, 4),
        (4, 3),
        (3, 5),
        (3, 7),
        (4, 5),
        (5, 6),
        (5, 7),
        (1, 4),
        (6, 1),
    ] {
        let found = kind(&torus_knot(p, q, 60 * (p + q) as usize));
        let full = torus_polynomial(p as usize, q as usize);
        assert_eq!(found.alexander, full[full.len() / 2..], "T({p},{q})");
        let signature = torus_signature(p.into(), q.into());
        assert_eq!(found.signature, signature, "T({p},{q})");
        let left = kind(&torus_knot(p, -q, 60 * (p + q) as usize));
        assert_eq!(left, mirror_image(&found), "T({p},-{q})");
    }
}

/// Knot, word of a braid, signature: KnotInfo (Livingston and Moore).
const BRAIDS: &[(&str, &[i32], i64)] = &[
    ("3_1", &[1, 1, 1], -2),
    ("4_1", &[1, -2, 1, -2], 0),
    ("5_1", &[1, 1, 1, 1, 1], -4),
    ("5_2", &[1, 1, 1, 2, -1, 2], -2),
    ("6_1", &[1, 1, 2, -1, -3, 2, -3], 0),
    ("6_2", &[1, 1, 1, -2, 1, -2], -2),
    ("6_3", &[1, 1, -2, 1, -2, -2], 0),
    ("7_1", &[1, 1, 1, 1, 1, 1, 1], -6),
    ("7_2", &[1, 1, 1, 2, -1, 2, 3, -2, 3], -2),
    ("7_3", &[1, 1, 1, 1, 1, 2, -1, 2], -4),
    ("7_4", &[1, 1, 2, -1, 2, 2, 3, -2, 3], -2),
    ("7_5", &[1, 1, 1, 1, 2, -1, 2, 2], -4),
    ("7_6", &[1, 1, -2, 1, 3, -2, 3], -2),
    ("7_7", &[-1, 2, -1, 2, -3, 2, -3], 0),
    ("8_1", &[1, 1, 2, -1, 2, 3, -2, -4, 3, -4], 0),
    ("8_2", &[1, 1, 1, 1, 1, -2, 1, -2], -4),
    ("8_3", &[1, 1, 2, -1, -3, 2, -3, -4, 3, -4], 0),
    ("8_4", &[-1, -1, -1, 2, -1, 2, 3, -2, 3], 2),
    ("8_5", &[1, 1, 1, -2, 1, 1, 1, -2], -4),
    ("8_6", &[1, 1, 1, 1, 2, -1, -3, 2, -3], -2),
    ("8_7", &[-1, -1, -1, -1, 2, -1, 2, 2], 2),
    ("8_8", &[-1, -1, -1, -2, 1, 3, -2, 3, 3], 0),
    ("8_9", &[1, 1, 1, -2, 1, -2, -2, -2], 0),
    ("8_10", &[-1, -1, -1, 2, -1, -1, 2, 2], 2),
    ("8_11", &[1, 1, 2, -1, 2, 2, -3, 2, -3], -2),
    ("8_12", &[1, -2, 1, 3, -2, -4, 3, -4], 0),
    ("8_13", &[1, 1, -2, 1, -2, -2, -3, 2, -3], 0),
    ("8_14", &[1, 1, 1, 2, -1, 2, -3, 2, -3], -2),
    ("8_15", &[1, 1, -2, 1, 3, 2, 2, 2, 3], -4),
    ("8_16", &[-1, -1, 2, -1, -1, 2, -1, 2], 2),
    ("8_17", &[1, 1, -2, 1, -2, 1, -2, -2], 0),
    ("8_18", &[1, -2, 1, -2, 1, -2, 1, -2], 0),
    ("8_19", &[1, 1, 1, 2, 1, 1, 1, 2], -6),
    ("8_20", &[1, 1, 1, -2, -1, -1, -1, -2], 0),
    ("8_21", &[1, 1, 1, 2, -1, -1, 2, 2], -2),
    ("9_46", &[-1, 2, -1, 2, -3, -2, 1, -2, -3], 0),
    ("10_124", &[1, 1, 1, 1, 1, 2, 1, 1, 1, 2], -8),
];

#[test]
fn small_knots_are_called_by_their_names() {
    for (name, word, signature) in BRAIDS {
        let components = braid(word);
        assert_eq!(components.len(), 1, "{name}");
        let found = kind(&components[0]);
        assert_eq!(found.signature, *signature, "{name}");
        let names = found.names();
        let called = |n: &String| n.split(' ').next() == Some(*name);
        assert!(names.iter().any(called), "{name}: {names:?}");
        let image = kind(&mirrored(&components[0]));
        assert_eq!(image, mirror_image(&found), "{name}");
    }
    let found = kind(&figure_eight(150));
    assert_eq!(found.names(), ["4_1"]);
}

/// Same polynomial, told apart by the signature: 5_1 and 10_132.
#[test]
fn knots_with_one_polynomial_may_differ_in_signature() {
    let word = [1, 1, 1, -2, -1, -1, -2, -3, 2, -3, -3];
    let [first, second] = [kind(&torus_knot(2, 5, 200)), kind(&braid(&word)[0])];
    assert_eq!(first.alexander, second.alexander);
    assert_eq!((first.signature, second.signature.abs()), (-4, 0));
}

#[test]
fn sums_of_knots_multiply_and_add() {
    let trefoil = torus_knot(2, 3, 120);
    let granny = kind(&connected_sum(&trefoil, &trefoil));
    let square = kind(&connected_sum(&trefoil, &mirrored(&trefoil)));
    assert_eq!(
        (granny.alexander.as_slice(), granny.signature),
        (&[3, -2, 1][..], -4)
    );
    assert_eq!(
        (square.alexander.as_slice(), square.signature),
        (&[3, -2, 1][..], 0)
    );
    assert_eq!(granny.names(), ["granny knot 3_1#3_1"]);
    assert_eq!(square.names(), ["square knot 3_1#m3_1", "8_20", "10_140"]);
    let sum = kind(&connected_sum(&figure_eight(150), &torus_knot(2, 5, 200)));
    // (3 - t - 1/t)(1 - t - 1/t + t^2 + 1/t^2), from the middle: 5, -5, 4, -1.
    assert_eq!(
        (sum.alexander.as_slice(), sum.signature),
        (&[5, -5, 4, -1][..], -4)
    );
    assert_eq!(sum.determinant(), 25);
}

// ---- Invariance
// ----------------------------------------------------------------------------------------------------------

fn samples() -> Vec<(Vec<DVec3>, KnotType)> {
    let curves = [
        torus_knot(2, 1, 40),
        torus_knot(2, 3, 60),
        figure_eight(60),
        torus_knot(2, -7, 90),
        torus_knot(3, 4, 90),
        connected_sum(&torus_knot(2, 3, 50), &torus_knot(2, 3, 50)),
        braid(&[1, 1, 2, -1, -3, 2, -3]).remove(0),
    ];
    curves
        .into_iter()
        .map(|curve| {
            let kind = kind(&curve);
            (curve, kind)
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn motions_and_new_nodes_change_nothing(seed: u64) {
        let mut random = Random(seed);
        for (curve, expected) in samples() {
            let same = moved(&subdivided(&curve, 4, &mut random), &mut random);
            prop_assert_eq!(kind(&same), expected.clone());
            // Neither does the direction in which the curve runs.
            let back: Vec<DVec3> = same.into_iter().rev().collect();
            prop_assert_eq!(kind(&back), expected);
        }
    }

    #[test]
    fn shears_of_all_space_change_nothing(seed: u64) {
        let mut random = Random(seed);
        for (curve, expected) in [
            (torus_knot(1, 0, 2000), KnotType { alexander: vec![1], signature: 0 }),
            (torus_knot(2, 3, 2000), KnotType { alexander: vec![-1, 1], signature: -2 }),
            (figure_eight(2000), KnotType { alexander: vec![3, -1], signature: 0 }),
        ] {
            prop_assert_eq!(kind(&sheared(&curve, 4, &mut random)), expected);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn deformations_without_crossing_change_nothing(seed: u64) {
        let mut random = Random(seed);
        for (curve, expected) in samples() {
            let same = crumpled(&curve, 3000, &mut random);
            prop_assert_eq!(kind(&same), expected);
        }
    }
}

/// A crossing that is reversed makes another knot: the certificate must see it.
#[test]
fn a_reversed_crossing_is_seen() {
    let word = [1, 1, 1, 1, 1];
    for at in 0..word.len() {
        let mut other = word;
        other[at] = -1;
        assert_eq!(kind(&braid(&other)[0]).names(), ["3_1"]);
    }
    assert!(kind(&braid(&[1, 1, -1])[0]).is_trivial());
}

#[test]
fn polynomials_are_written_out() {
    let of = |points: &[DVec3]| kind(points).polynomial();
    assert_eq!(of(&torus_knot(2, 3, 60)), "t^-1 - 1 + t");
    assert_eq!(of(&figure_eight(60)), "-t^-1 + 3 - t");
    assert_eq!(of(&braid(&[1, 1, 1, 2, -1, 2])[0]), "2 t^-1 - 3 + 2 t");
    assert_eq!(of(&torus_knot(1, 0, 20)), "1");
    let trefoil = kind(&torus_knot(2, 3, 60)).to_string();
    assert_eq!(trefoil, "3_1 (determinant 3, signature -2)");
    assert_eq!(kind(&torus_knot(1, 0, 20)).to_string(), "unknot");
}

// ---- What has no type
// ----------------------------------------------------------------------------------------------------

#[test]
fn curves_without_a_type_are_refused() {
    let ring = torus_knot(1, 0, 30);
    let nodes = |count: usize| knot_type(&ring[..count]);
    assert_eq!(nodes(2), Err(KnotError::TooFewNodes { nodes: 2 }));
    assert!(nodes(3).unwrap().is_trivial());
    for bad in [f64::NAN, f64::INFINITY] {
        let mut ring = ring.clone();
        ring[4].y = bad;
        assert_eq!(knot_type(&ring), Err(KnotError::NoExtent));
    }
    assert_eq!(knot_type(&[DVec3::ONE; 5]), Err(KnotError::NoExtent));
}

#[test]
fn a_curve_that_meets_itself_is_refused() {
    let x = |x: f64, y: f64, z: f64| DVec3::new(x, y, z);
    // A figure of eight in a plane, at heights that differ by less and less.
    let crossed = |gap: f64| {
        [
            x(-1.0, -1.0, 0.0),
            x(1.0, 1.0, 0.0),
            x(1.0, -1.0, gap),
            x(-1.0, 1.0, gap),
        ]
    };
    for gap in [1e-3, 1e-8] {
        assert!(kind(&crossed(gap)).is_trivial());
    }
    for gap in [1e-10, 0.0] {
        let error = knot_type(&crossed(gap)).unwrap_err();
        let KnotError::Touching {
            edges, distance, ..
        } = error
        else {
            panic!("{error}");
        };
        assert!(edges == [0, 2] && distance <= gap);
    }
    // An edge that runs back upon its neighbour.
    let folded = [
        x(0.0, 0.0, 0.0),
        x(2.0, 0.0, 0.0),
        x(1.0, 0.0, 0.0),
        x(0.0, 3.0, 1.0),
    ];
    let error = knot_type(&folded).unwrap_err();
    assert!(
        matches!(error, KnotError::Touching { edges: [0, 1], .. }),
        "{error}"
    );
    // A straight rod there and back is too near itself; with room between it is a ring.
    let straight = |gap: f64| {
        let there = (0..20).map(|i| x(f64::from(i), 0.0, 0.0));
        let back = (0..20).rev().map(move |i| x(f64::from(i), gap, 0.0));
        there.chain(back).collect::<Vec<_>>()
    };
    assert!(kind(&straight(1e-3)).is_trivial());
    assert!(knot_type(&straight(0.0)).is_err());
}
