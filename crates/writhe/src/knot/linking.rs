//! Linking numbers of closed polygons, as integers.
//!
//! In any diagram the crossings where a lies over b have signs that add up to the linking number,
//! and so have those where b lies over a: both are counted and must agree.

use glam::DVec3;

use super::error::KnotError;
use super::kind::{MOST_VIEWS, lattice_polygons};
use super::projection::{Crossing, View, crossings};

/// Linking number of two closed polygons; positive when they cross right-handed.
///
/// # Errors
/// See [`KnotError`].
pub fn linking_number(first: &[DVec3], second: &[DVec3]) -> Result<i64, KnotError> {
    linking_numbers(&[first, second]).map(|numbers| numbers[0])
}

/// Linking numbers of all pairs of closed polygons: (0, 1), (0, 2), ..., (1, 2), ...
///
/// # Errors
/// See [`KnotError`].
pub fn linking_numbers(curves: &[&[DVec3]]) -> Result<Vec<i64>, KnotError> {
    if curves.len() < 2 {
        return Ok(Vec::new());
    }
    let polygons = lattice_polygons(curves)?;
    let polygons: Vec<_> = polygons.iter().map(Vec::as_slice).collect();
    let crossings = (0..MOST_VIEWS)
        .find_map(|index| crossings(&polygons, View::nth(index)))
        .ok_or(KnotError::NoClearView { views: MOST_VIEWS })?;
    let pairs = (0..curves.len()).flat_map(|i| (i + 1..curves.len()).map(move |j| (i, j)));
    pairs
        .map(|(i, j)| {
            // Signs where i lies over j, and where j lies over i: each sum is the linking number.
            let [first, second] = [(i, j), (j, i)].map(|(over, under)| {
                let of_pair = |c: &&Crossing| c.over.curve == over && c.under.curve == under;
                let signs = crossings.iter().filter(of_pair).map(|c| i64::from(c.sign));
                signs.sum::<i64>()
            });
            if first == second {
                Ok(first)
            } else {
                Err(KnotError::Inconsistent {
                    first: first.into(),
                    second: second.into(),
                })
            }
        })
        .collect()
}
