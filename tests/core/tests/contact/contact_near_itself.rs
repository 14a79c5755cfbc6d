//! Where along a rod contact with itself begins: half the circumference of the section away, the
//! shorter way round a ring (decision 0005).

use std::f64::consts::PI;

use glam::DVec3;
use writhe::contact::{ContactModel, ImcSettings};
use writhe::model::{Model, ModelBuilder};
use writhe::observe::{Observables, observe};
use writhe::rod::{Material, Rod, Section};

const RADIUS: f64 = 1e-3;
/// Edges in a half circle, and in a straight part.
const ARC: usize = 16;
const LEG: usize = 20;
/// Distance of the two legs over that of touching.
const CLOSE: f64 = 0.999;

fn seen(nodes: Vec<DVec3>, closed: bool) -> (Model, Observables) {
    let section = Section::circle(Material::new(1e6, 0.5, 1000.0), RADIUS);
    let rod = if closed {
        Rod::closed(nodes, section)
    } else {
        Rod::open(nodes, section)
    };
    let (model, state) = ModelBuilder::new()
        .rod(rod.unwrap())
        .contact(ContactModel::Imc(ImcSettings::default()))
        .build()
        .unwrap();
    let seen = observe(&model, &state).unwrap();
    (model, seen)
}

/// A half circle of the radius of the rod, from `from`, rad, on, about `(x, 0, 0)`.
fn half_circle(x: f64, from: f64) -> impl Iterator<Item = DVec3> {
    (0..=ARC).map(move |i| {
        let angle = from + PI * i as f64 / ARC as f64;
        DVec3::new(
            x + CLOSE * RADIUS * angle.cos(),
            CLOSE * RADIUS * angle.sin(),
            0.0,
        )
    })
}

/// Length of an edge of a half circle, m.
fn edge() -> f64 {
    2.0 * CLOSE * RADIUS * (0.5 * PI / ARC as f64).sin()
}

/// Nodes of a leg between the ends of two half circles, `y` its height over the middle.
fn leg(from: f64, to: f64, y: f64) -> impl Iterator<Item = DVec3> {
    (1..LEG).map(move |i| {
        let x = from + (to - from) * i as f64 / LEG as f64;
        DVec3::new(x, CLOSE * RADIUS * y, 0.0)
    })
}

#[test]
fn a_hairpin_touches_itself_from_half_its_circumference_on() {
    let length = LEG as f64 * edge();
    let mut nodes: Vec<DVec3> = leg(-length, 0.0, -1.0).collect();
    nodes.extend(half_circle(0.0, -0.5 * PI));
    nodes.extend(leg(0.0, -length, 1.0));
    let (_, seen) = seen(nodes, false);
    let apart = seen
        .contact_points
        .iter()
        .map(|c| (c.arcs[1] - c.arcs[0]).abs());
    let nearest = apart.fold(f64::INFINITY, f64::min);
    let half = PI * RADIUS;
    assert!(
        nearest > half - edge() && nearest < half + 2.0 * edge(),
        "contact from {nearest:.3e} m on, half the circumference is {half:.3e} m"
    );
    // Legs touch all along.
    assert!(
        seen.contact_points.len() > LEG,
        "{}",
        seen.contact_points.len()
    );
}

/// The same at both ends of a flat ring, one of which the first node lies in: where arc lengths
/// begin again.
#[test]
fn a_flat_ring_touches_itself_alike_at_both_ends() {
    let length = LEG as f64 * edge();
    let mut nodes: Vec<DVec3> = half_circle(length, -0.5 * PI).collect();
    nodes.extend(leg(length, 0.0, 1.0));
    nodes.extend(half_circle(0.0, 0.5 * PI));
    nodes.extend(leg(0.0, length, -1.0));
    nodes.rotate_left(ARC / 2);
    let (model, seen) = seen(nodes, true);
    let round = model.rod_length[0];
    let half = PI * RADIUS;
    let mut at_ends = [0, 0];
    for contact in &seen.contact_points {
        let apart = (contact.arcs[1] - contact.arcs[0]).abs();
        let apart = apart.min(round - apart);
        assert!(apart > half - edge(), "{contact:?}: {apart:.3e} m apart");
        assert!(contact.at.y.abs() < 0.1 * RADIUS, "{contact:?}");
        if apart < half + 2.0 * edge() {
            at_ends[usize::from(contact.at.x > 0.5 * length)] += 1;
        }
    }
    assert!(at_ends[0] > 0 && at_ends[0] == at_ends[1], "{at_ends:?}");
}
