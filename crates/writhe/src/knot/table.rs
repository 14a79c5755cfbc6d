//! Names of small knots by their invariants.
//!
//! Polynomials and signatures are those of KnotInfo (Livingston and Moore), where all knots of up
//! to 10 crossings that share both with one of the table were looked up; sums follow by
//! multiplication and addition.

use super::kind::KnotType;

/// Alexander polynomial from the middle outwards, size of the signature, knots.
type Entry = (&'static [i64], i64, &'static [&'static str]);

const TABLE: &[Entry] = &[
    (&[1], 0, &["unknot"]),
    (&[3, -1], 0, &["4_1"]),
    (&[-3, 2], 2, &["5_2"]),
    (&[5, -2], 0, &["6_1", "9_46"]),
    (&[-3, 3, -1], 2, &["6_2"]),
    (&[5, -3, 1], 0, &["6_3"]),
    (&[3, -2, 1], 0, &["square knot 3_1#m3_1", "8_20", "10_140"]),
    (&[3, -2, 1], 4, &["granny knot 3_1#3_1"]),
    (&[-5, 3], 2, &["7_2"]),
    (&[3, -3, 2], 4, &["7_3"]),
    (&[-7, 4], 2, &["7_4", "9_2"]),
    (&[5, -4, 2], 4, &["7_5"]),
    (&[-7, 5, -1], 2, &["7_6", "10_133"]),
    (&[9, -5, 1], 0, &["7_7"]),
    (&[-5, 4, -1], 2, &["3_1#4_1", "8_21", "10_136"]),
    (&[7, -3], 0, &["8_1"]),
    (&[3, -3, 3, -1], 4, &["8_2"]),
    (&[9, -4], 0, &["8_3", "10_1"]),
    (&[-5, 5, -2], 2, &["8_4"]),
    (&[5, -4, 3, -1], 4, &["8_5"]),
    (&[-7, 6, -2], 2, &["8_6"]),
    (&[-5, 5, -3, 1], 2, &["8_7"]),
    (&[9, -6, 2], 0, &["8_8", "10_129"]),
    (&[7, -5, 3, -1], 0, &["8_9", "10_155"]),
    (&[-7, 6, -3, 1], 2, &["8_10", "10_143"]),
    (&[-9, 7, -2], 2, &["8_11", "10_147"]),
    (&[13, -7, 1], 0, &["8_12"]),
    (&[11, -7, 2], 0, &["8_13"]),
    (&[-11, 8, -2], 2, &["8_14", "9_8", "10_131"]),
    (&[11, -8, 3], 4, &["8_15"]),
    (&[-9, 8, -4, 1], 2, &["8_16", "10_156"]),
    (&[11, -8, 4, -1], 0, &["8_17"]),
    (&[13, -10, 5, -1], 0, &["8_18", "9_24"]),
    (&[1, 0, -1, 1], 6, &["8_19 = T(3,4)"]),
    (&[11, -6, 1], 0, &["4_1#4_1", "10_137"]),
    (&[-3, 3, -2, 1], 6, &["3_1#5_1"]),
    (&[-3, 3, -2, 1], 2, &["3_1#m5_1"]),
    (&[7, -5, 2], 4, &["3_1#5_2"]),
    (&[7, -5, 2], 0, &["3_1#m5_2"]),
    (&[-1, 1, 0, -1, 1], 8, &["10_124 = T(3,5)"]),
];

/// The knots of the table with these invariants, and T(2, p) of any p.
pub(crate) fn names(kind: &KnotType) -> Vec<String> {
    let torus = two_strand_torus(kind).map(|p| match p {
        3 | 5 | 7 | 9 => format!("{p}_1"),
        p => format!("T(2,{p})"),
    });
    let in_table = TABLE
        .iter()
        .filter(|(polynomial, signature, _)| {
            *polynomial == kind.alexander && *signature == kind.signature.abs()
        })
        .flat_map(|(.., names)| names.iter().map(|name| (*name).to_owned()));
    torus.into_iter().chain(in_table).collect()
}

/// p of the torus knot T(2, p): coefficients are 1 and -1 by turns, the signature is p - 1 in size.
fn two_strand_torus(kind: &KnotType) -> Option<usize> {
    let degree = kind.alexander.len() - 1;
    let alternate = |(i, a): (usize, &i64)| {
        *a == if (degree - i).is_multiple_of(2) {
            1
        } else {
            -1
        }
    };
    let matches = degree > 0
        && kind.alexander.iter().enumerate().all(alternate)
        && kind.signature.unsigned_abs() == 2 * degree as u64;
    matches.then_some(2 * degree + 1)
}
