//! Section axes along the centreline, and where m1 lies in them.

use std::f64::consts::{PI, TAU};

use glam::DVec3;

use crate::curve::Station;
use crate::piecewise::Piecewise;

/// Parallel transport of `u` from the unit tangent `from` to the unit tangent `to` (Bergou 2008,
/// Section 4.2.2).
pub(crate) fn transport(u: DVec3, from: DVec3, to: DVec3) -> DVec3 {
    let (axis, cosine) = (from.cross(to), from.dot(to));
    if cosine < -1.0 + 1e-9 {
        return u;
    }
    // Rodrigues: R u = cos u + b x u + b (b . u) / (1 + cos), b = from x to.
    let moved = u * cosine + axis.cross(u) + axis * (axis.dot(u) / (1.0 + cosine));
    // Rounding must not tilt the axis over thousands of steps.
    (moved - to * moved.dot(to)).normalize_or(to.any_orthonormal_vector())
}

/// First section axis of every station: transported without twist, and for closed tubes turned
/// evenly so that the last axis is the first.
pub(crate) fn section_axes(stations: &[Station], closed: bool) -> Vec<DVec3> {
    let mut axes = Vec::with_capacity(stations.len());
    let mut axis = stations[0].tangent.any_orthonormal_vector();
    let mut tangent = stations[0].tangent;
    for station in stations {
        axis = transport(axis, tangent, station.tangent);
        tangent = station.tangent;
        axes.push(axis);
    }
    if closed {
        let mismatch = angle_in_section(axes[0], axis, tangent);
        let last = (stations.len() - 1) as f64;
        for (i, (axis, station)) in axes.iter_mut().zip(stations).enumerate() {
            *axis = turn(*axis, station.tangent, mismatch * i as f64 / last);
        }
    }
    axes
}

/// Angle of m1 against the section axis along the rod, radians, without jumps of a full turn;
/// linear between the middles of the edges.
pub(crate) fn director_angle(
    stations: &[Station],
    axes: &[DVec3],
    m1: &[DVec3],
    closed: bool,
) -> Piecewise {
    let mut angles: Vec<f64> = Vec::with_capacity(m1.len() + 2);
    let middles = stations
        .iter()
        .zip(axes)
        .filter(|(s, _)| (s.param.fract() - 0.5).abs() < 1e-9);
    for ((station, &axis), &director) in middles.zip(m1) {
        let angle = angle_in_section(director, axis, station.tangent);
        let previous = angles.last().copied().unwrap_or(angle);
        angles.push(previous + wrap(angle - previous));
    }
    if closed && let (Some(&first), Some(&last)) = (angles.first(), angles.last()) {
        let next = last + wrap(first - last);
        angles.insert(0, first - (next - last));
        angles.push(next);
        return Piecewise::new(-0.5, angles);
    }
    Piecewise::new(0.5, angles)
}

/// Angle of `direction` from `axis` about `tangent`, radians.
fn angle_in_section(direction: DVec3, axis: DVec3, tangent: DVec3) -> f64 {
    direction
        .dot(tangent.cross(axis))
        .atan2(direction.dot(axis))
}

/// `axis`, normal to the unit vector `tangent`, turned about it.
fn turn(axis: DVec3, tangent: DVec3, angle: f64) -> DVec3 {
    axis * angle.cos() + tangent.cross(axis) * angle.sin()
}

/// The angle in -pi to pi.
pub(crate) fn wrap(angle: f64) -> f64 {
    (angle + PI).rem_euclid(TAU) - PI
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::Color;
    use crate::curve::stations;
    use crate::tube::Tube;

    #[test]
    fn axes_of_a_closed_space_curve_join_up() {
        let nodes = (0..60)
            .map(|i| TAU * f64::from(i) / 60.0)
            .map(|a| DVec3::new(a.cos(), a.sin(), 0.4 * (2.0 * a).sin()))
            .collect();
        let stations = stations(&Tube::new(nodes, 0.1, Color::WHITE).closed(), true);
        let axes = section_axes(&stations, true);
        assert!((axes[0] - axes[axes.len() - 1]).length() < 1e-9);
        for (axis, station) in axes.iter().zip(&stations) {
            assert!(axis.dot(station.tangent).abs() < 1e-9 && (axis.length() - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn angle_of_a_twisted_straight_rod_grows_by_the_twist() {
        let nodes = (0..=20).map(|i| DVec3::X * f64::from(i)).collect();
        let m1: Vec<DVec3> = (0..20)
            .map(|e| 0.7 * f64::from(e))
            .map(|a| DVec3::new(0.0, a.cos(), a.sin()))
            .collect();
        let stations = stations(
            &Tube::new(nodes, 0.1, Color::WHITE).with_directors(m1.clone()),
            true,
        );
        let angle = director_angle(&stations, &section_axes(&stations, false), &m1, false);
        assert!((angle.at(19.5) - angle.at(0.5) - 19.0 * 0.7).abs() < 1e-9);
    }
}
