//! Contacts as arrows: the normal force on each rod, as long as it is strong.

use glam::{DQuat, DVec3};
use writhe::obstacle::Obstacle;
use writhe_render::{Color, Scene, Solid};
use writhe_rundir::surroundings::Pose;
use writhe_rundir::{Contact, Rods};

use crate::obstacles;

/// Length of the arrow of a strong force, as a part of the size of all rods, and over the radius of
/// the rod; the smaller counts.
const LONGEST: f64 = 0.16;
const OVER_RADIUS: f64 = 5.0;
/// Length of the shortest arrow that is drawn, over the longest.
const SHORTEST: f64 = 0.03;
/// Radius of a shaft over that of the rod.
const THIN: f64 = 0.13;
/// Part of all contacts that are not stronger than a strong one.
const USUAL: f64 = 0.995;

/// The colour of arrows.
pub fn color() -> Color {
    Color::srgb(194, 24, 91)
}

/// Force that all but a few of these contacts stay below, N; `None` without force.
pub fn strong(contacts: &[&[Contact]]) -> Option<f64> {
    let mut forces: Vec<f64> = contacts
        .iter()
        .copied()
        .flatten()
        .map(|c| c.force)
        .collect();
    forces.retain(|force| *force > 0.0 && force.is_finite());
    forces.sort_by(f64::total_cmp);
    let index = (USUAL * forces.len().checked_sub(1)? as f64).ceil();
    forces.get(index as usize).copied()
}

/// How large arrows are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Arrows {
    /// Force of the longest arrow, N.
    pub strong: f64,
    /// Size of all rods, m.
    pub size: f64,
    /// Mean radius of the rods, m.
    pub radius: f64,
}

impl Arrows {
    /// Length of the longest arrow, m.
    pub fn longest(&self) -> f64 {
        (0.5 * LONGEST * self.size).min(OVER_RADIUS * self.radius)
    }
}

/// Adds an arrow for the force of each contact on each rod.
///
/// A contact with an obstacle or a body acts along its normal there, of which `around` is asked: all
/// obstacles of the scene, at a time, s, and where bodies are.
pub fn add(
    scene: &mut Scene,
    arrows: Arrows,
    contacts: &[Contact],
    rods: &Rods,
    positions: &[[f64; 3]],
    (around, bodies): ((&[Obstacle], f64), &[Pose]),
) {
    let Arrows { strong, radius, .. } = arrows;
    let longest = arrows.longest();
    let mut arrow = |at: DVec3, direction: DVec3, force: f64| {
        let length = longest * (force / strong).min(1.0);
        let good = direction.try_normalize().filter(|_| at.is_finite());
        let Some(direction) = good.filter(|_| length > SHORTEST * longest) else {
            return;
        };
        let head = (0.45 * length).min(0.75 * radius);
        let wide = (2.6 * THIN * radius).min(0.6 * head);
        let drawn = Solid::arrow(length, head, [THIN * radius, wide], color());
        let turn = DQuat::from_rotation_arc(DVec3::Z, direction);
        scene
            .solids
            .push(drawn.placed(turn, at + radius * direction));
    };
    for contact in contacts {
        let (first, second) = rods.touches(positions, contact);
        if let Some(second) = second {
            let apart = first.point - second.point;
            arrow(first.point, apart, contact.force);
            arrow(second.point, -apart, contact.force);
        } else if let Some(normal) = obstacles::normal(contact.with, first.point, around, bodies) {
            arrow(first.point, normal, contact.force);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use writhe_rundir::{RodLayout, RunLayout, Touched};

    fn rods() -> (Rods, Vec<[f64; 3]>) {
        let rod = RodLayout {
            nodes: 2,
            closed: false,
        };
        let layout = RunLayout {
            rods: vec![rod, rod],
            ..RunLayout::default()
        };
        let at = |z: f64| [[0.0, 0.0, z], [1.0, 0.0, z]];
        let positions: Vec<_> = at(0.0).into_iter().chain(at(0.2)).collect();
        (Rods::new(&layout, vec![1.0; 2]), positions)
    }

    fn contact(with: Touched, force: f64) -> Contact {
        Contact {
            rod: 1,
            arc: 0.5,
            with,
            gap: 0.0,
            force,
        }
    }

    /// The ends of the arrows along z.
    fn drawn(contacts: &[Contact], obstacles: &[Obstacle]) -> Vec<(f64, f64)> {
        let (rods, positions) = rods();
        let mut scene = Scene::new(Vec::new());
        let arrows = Arrows {
            strong: 2.0,
            size: 1.0,
            radius: 0.1,
        };
        let around = ((obstacles, 0.0), [Pose::IDENTITY].as_slice());
        add(&mut scene, arrows, contacts, &rods, &positions, around);
        let z = |solid: &Solid| {
            let z = solid.vertices.iter().map(|v| v.z);
            let low = z.clone().fold(f64::INFINITY, f64::min);
            (low, z.fold(f64::NEG_INFINITY, f64::max))
        };
        scene.solids.iter().map(z).collect()
    }

    #[test]
    fn arrows_push_rods_apart_and_off_obstacles() {
        let pair = contact(Touched::Rod { rod: 0, arc: 0.5 }, 1.0);
        let close = |found: (f64, f64), wanted: (f64, f64)| {
            assert!((found.0 - wanted.0).abs() < 1e-9 && (found.1 - wanted.1).abs() < 1e-9)
        };
        let found = drawn(&[pair], &[]);
        // Half as long as the longest, which is .08 of the size, from the surfaces on.
        close(found[0], (0.3, 0.34));
        close(found[1], (-0.14, -0.1));
        let floor = Obstacle::half_space(DVec3::Z * 0.1, DVec3::Z);
        let floor = [floor];
        let found = drawn(&[contact(Touched::Obstacle(0), 8.0)], &floor);
        close(found[0], (0.3, 0.38));
        assert!(drawn(&[contact(Touched::Body(0), 8.0)], &floor).is_empty());
        let body = floor.map(|mut floor| {
            floor.on = Some(0);
            floor
        });
        assert_eq!(drawn(&[contact(Touched::Body(0), 8.0)], &body), found);
        assert!(drawn(&[contact(Touched::Obstacle(3), 8.0)], &[]).is_empty());
    }

    #[test]
    fn a_strong_force_is_no_outlier() {
        let of = |force: f64| contact(Touched::Body(0), force);
        let mut all = vec![of(1.0); 999];
        all.push(of(50.0));
        assert_eq!(strong(&[&all]), Some(1.0));
        assert_eq!(strong(&[&[of(0.0)]]), None);
        assert_eq!(strong(&[]), None);
    }
}
