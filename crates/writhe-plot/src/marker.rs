//! Shapes of marks, about as large as the disc of the same radius.

use std::f64::consts::{PI, TAU};

use crate::color::Color;
use crate::drawing::Mark;
use crate::figure::Marker;

/// Half the breadth of the strokes of a cross, in radii.
const STROKE: f64 = 0.34;
/// Radius of the inner corners of a star, in that of its points.
const INNER: f64 = 0.45;

/// A mark of this shape around a point.
pub(crate) fn mark(shape: Marker, at: [f64; 2], radius: f64, color: Color) -> Mark {
    let corners = match shape {
        Marker::Disc => return Mark::Disc { at, radius, color },
        Marker::Square => regular(4, 1.25, PI / 4.0),
        Marker::Triangle => regular(3, 1.35, PI / 2.0),
        Marker::Diamond => regular(4, 1.3, 0.0),
        Marker::Wedge => regular(3, 1.35, -PI / 2.0),
        Marker::Cross => cross(1.25),
        Marker::Star => star(1.5),
    };
    let points = corners.into_iter().map(|[x, y]| {
        // Corners have y upwards.
        [at[0] + radius * x, at[1] - radius * y]
    });
    Mark::Polygon {
        points: points.collect(),
        color,
    }
}

/// Corners of a regular polygon, the first at this angle.
fn regular(count: u32, radius: f64, first: f64) -> Vec<[f64; 2]> {
    let corner = |i: u32| {
        let angle = first + TAU * f64::from(i) / f64::from(count);
        [radius * angle.cos(), radius * angle.sin()]
    };
    (0..count).map(corner).collect()
}

/// Corners of two strokes across each other, turned by an eighth.
fn cross(reach: f64) -> Vec<[f64; 2]> {
    let quarter = [[STROKE, STROKE], [STROKE, reach], [-STROKE, reach]];
    let turned = |k: u32| {
        let (sin, cos) = (PI / 4.0 + PI / 2.0 * f64::from(k)).sin_cos();
        quarter.map(|[x, y]| [cos * x - sin * y, sin * x + cos * y])
    };
    (0..4).flat_map(turned).collect()
}

fn star(reach: f64) -> Vec<[f64; 2]> {
    let corner = |i: u32| {
        let radius = if i.is_multiple_of(2) {
            reach
        } else {
            INNER * reach
        };
        let angle = PI / 2.0 + PI / 5.0 * f64::from(i);
        [radius * angle.cos(), radius * angle.sin()]
    };
    (0..10).map(corner).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Area by the shoelace formula; positive if the corners go round to the left.
    fn area(points: &[[f64; 2]]) -> f64 {
        let next = points.iter().cycle().skip(1);
        let twice = points.iter().zip(next);
        0.5 * twice.map(|(a, b)| a[0] * b[1] - b[0] * a[1]).sum::<f64>()
    }

    #[test]
    fn shapes_are_about_as_large_as_a_disc() {
        for shape in (1..7).map(Marker::of_few) {
            let Mark::Polygon { points, .. } = mark(shape, [5.0, 7.0], 2.0, Color::INK) else {
                panic!("{shape:?} is a polygon");
            };
            // Seen with y downwards, all go round to the right.
            let area = -area(&points) / (4.0 * PI);
            assert!((0.6..1.15).contains(&area), "{shape:?}: {area}");
        }
    }
}
