//! The type of a knot, as far as its Alexander polynomial and its signature tell it.

use std::fmt;

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::alexander::alexander;
use super::diagram::Diagram;
use super::error::KnotError;
use super::goeritz::goeritz;
use super::lattice::{Lattice, Point};
use super::projection::{View, crossings};
use super::separation::{self, Moved};
use super::shorten::shorten;
use super::table;

/// Clear views of which the one with the fewest crossings is taken.
const VIEWS: usize = 6;
/// Views after which a curve is given up.
pub(super) const MOST_VIEWS: usize = 60;

/// Invariants of a knot: equal for equal knots, different only for different ones.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct KnotType {
    /// Alexander polynomial from the middle outwards: D(t) = a_0 + sum over k of a_k (t^k + t^-k),
    /// D(1) = 1.
    pub alexander: Vec<i64>,
    /// Signature; -2 for the right-handed trefoil, 0 for knots that equal their mirror image.
    pub signature: i64,
}

impl KnotType {
    /// The determinant |D(-1)|, odd.
    pub fn determinant(&self) -> i128 {
        let alternating = |(k, a): (usize, &i64)| {
            // D(-1) = a_0 + 2 sum (-1)^k a_k
            let term = i128::from(*a) * if k == 0 { 1 } else { 2 };
            if k % 2 == 0 { term } else { -term }
        };
        let sum: i128 = self.alexander.iter().enumerate().map(alternating).sum();
        sum.abs()
    }

    /// Whether nothing tells the knot from a plain ring.
    pub fn is_trivial(&self) -> bool {
        self.alexander == [1] && self.signature == 0
    }

    /// The knots of the table that have these invariants, the simplest first, with the handedness
    /// that the signature shows: prime knots of up to 8 crossings, what shares their invariants up
    /// to 10, torus knots T(2, p), and sums of the smallest. Others may share them too.
    pub fn names(&self) -> Vec<String> {
        table::names(self)
    }

    /// The polynomial in words, as `t^-1 - 1 + t`.
    pub fn polynomial(&self) -> String {
        let degree = self.alexander.len().saturating_sub(1) as i64;
        let mut out = String::new();
        for power in -degree..=degree {
            let a = self.alexander[power.unsigned_abs() as usize];
            if a == 0 {
                continue;
            }
            let sign = match (out.is_empty(), a < 0) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            let size = match (a.unsigned_abs(), power) {
                (1, p) if p != 0 => String::new(),
                (size, 0) => size.to_string(),
                (size, _) => format!("{size} "),
            };
            let variable = match power {
                0 => String::new(),
                1 => "t".to_owned(),
                p => format!("t^{p}"),
            };
            out += sign;
            out += &size;
            out += &variable;
        }
        out
    }
}

impl fmt::Display for KnotType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.names().as_slice() {
            [] => write!(f, "a knot with Alexander polynomial {}", self.polynomial())?,
            names => write!(f, "{}", names.join(" or "))?,
        }
        if !self.is_trivial() {
            let determinant = self.determinant();
            write!(
                f,
                " (determinant {determinant}, signature {})",
                self.signature
            )?;
        }
        Ok(())
    }
}

/// The type of a closed polygon; its last node is joined to the first.
///
/// # Errors
/// See [`KnotError`].
pub fn knot_type(points: &[DVec3]) -> Result<KnotType, KnotError> {
    tell(points).map(|told| told.kind)
}

/// A type, and the number of crossings of the diagram that it was told from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Told {
    pub kind: KnotType,
    pub crossings: usize,
}

/// As [`knot_type`].
pub(super) fn tell(points: &[DVec3]) -> Result<Told, KnotError> {
    let mut polygon = lattice_polygons(&[points])?.remove(0);
    shorten(&mut polygon);
    let diagram = simplest_diagram(&polygon, |_| false)?;
    Ok(Told {
        kind: of_diagram(&diagram)?,
        crossings: diagram.crossings(),
    })
}

/// Lattice polygons of the same type as these closed ones.
pub(super) fn lattice_polygons(curves: &[&[DVec3]]) -> Result<Vec<Vec<Point>>, KnotError> {
    if let Some(short) = curves.iter().find(|points| points.len() < 3) {
        let nodes = short.len();
        return Err(KnotError::TooFewNodes { nodes });
    }
    let lattice = Lattice::around(curves.iter().copied().flatten()).ok_or(KnotError::NoExtent)?;
    let still: Vec<Moved> = curves.iter().copied().map(Moved::still).collect();
    separation::check(&still, lattice.displacement())?;
    let polygons = curves.iter().enumerate();
    Ok(polygons
        .map(|(i, points)| lattice.polygon(points, i))
        .collect())
}

/// The diagram with the fewest crossings of some views of a lattice polygon, or the first that is
/// known.
pub(super) fn simplest_diagram(
    polygon: &[Point],
    is_known: impl Fn(&Diagram) -> bool,
) -> Result<Diagram, KnotError> {
    let mut best: Option<Diagram> = None;
    let mut clear = 0;
    for index in 0..MOST_VIEWS {
        let found = crossings(&[polygon], View::nth(index));
        let Some(mut diagram) = found.and_then(|c| Diagram::new(&c)) else {
            continue;
        };
        diagram.simplify();
        if is_known(&diagram) {
            return Ok(diagram);
        }
        clear += 1;
        if best
            .as_ref()
            .is_none_or(|b| diagram.crossings() < b.crossings())
        {
            best = Some(diagram);
        }
        // No diagram is simpler than one without crossings.
        if clear == VIEWS || best.as_ref().is_some_and(|b| b.crossings() == 0) {
            break;
        }
    }
    best.ok_or(KnotError::NoClearView { views: MOST_VIEWS })
}

/// The type of the knot in a diagram.
pub(super) fn of_diagram(diagram: &Diagram) -> Result<KnotType, KnotError> {
    let goeritz = goeritz(diagram)?;
    let kind = KnotType {
        alexander: alexander(diagram)?,
        signature: goeritz.signature,
    };
    // |D(-1)| and |det G|, by different ways, must agree (decision 0020).
    let (first, second) = (kind.determinant(), goeritz.determinant);
    if first != second {
        return Err(KnotError::Inconsistent { first, second });
    }
    Ok(kind)
}
