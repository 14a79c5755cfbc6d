//! The columns of a table of observables: each stated once, by name, unit and value.

use std::f64::consts::TAU;

use super::{ObservableSink, Observables, ends, rod_loop};
use crate::bodies::Link;
use crate::constraints::Constraint;
use crate::model::Model;

/// What names of columns of supports begin with.
const SUPPORTS: [&str; 5] = [
    "clamp",
    "held_node",
    "held_angle",
    "moved_body",
    "guided_body",
];

/// Whether a column of this name shows what a support exerts.
pub fn is_of_support(column: &str) -> bool {
    let number = |kind: &&str| {
        column
            .strip_prefix(*kind)
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    SUPPORTS.iter().any(number)
}

/// What places in rods are called in names of columns.
const PLACES: [&str; 2] = ["middle", "tip"];

/// Whether a column of this name shows where the middle or the last node of a rod is.
pub fn is_of_place(column: &str) -> bool {
    let numbered = column.strip_prefix("rod");
    let name = numbered.map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
    let place = name.and_then(|name| name.strip_prefix('_')).unwrap_or("");
    let (place, _) = place.rsplit_once('_').unwrap_or_default();
    PLACES.contains(&place)
}

impl Observables {
    /// Shows `sink` every observable, in the order of the columns of a run's table; what does not
    /// exist is NaN.
    ///
    /// Which there are follows from the model: the walk over the first state has the names of all
    /// later ones.
    pub fn visit(&self, model: &Model, sink: &mut dyn ObservableSink) {
        let works = &self.ledger.works;
        for (name, unit, value) in [
            ("energy_stretch", "J", self.elastic.stretch),
            ("energy_bend", "J", self.elastic.bend),
            ("energy_twist", "J", self.elastic.twist),
            ("energy_kinetic", "J", self.kinetic),
            ("energy_loads", "J", self.load_potential),
            ("energy_contact", "J", self.contact_energy),
            ("contacts", "1", self.contacts as f64),
            ("contact_force", "N", self.contact_force),
            ("sticking", "1", self.sticking.contacts as f64),
            ("creep", "m/s", self.sticking.creep),
            ("smallest_gap", "m", or_nan(self.nearest.map(|n| n.gap))),
            ("hover", "m", or_nan(self.clearance.hover)),
            ("penetration", "m", self.clearance.penetration),
            ("work_loads", "J", works.loads),
            ("work_supports", "J", works.supports),
            ("work_motors", "J", works.motors),
            ("work_contact", "J", works.contact),
            ("heat_drag", "J", works.drag),
            ("heat_damping", "J", works.damping),
            ("heat_friction", "J", works.friction),
            ("scheme_gain", "J", self.ledger.scheme),
        ] {
            sink.visit(&name, unit, value);
        }
        sink.visit_vector(&"momentum", "kg m/s", self.momentum);
        sink.visit_vector(&"angular_momentum", "kg m^2/s", self.angular_momentum);
        let constraints = model.constraints.list().iter();
        for (i, (constraint, reaction)) in constraints.zip(&self.reactions).enumerate() {
            let kind = SUPPORTS[match constraint {
                Constraint::Clamp { .. } => 0,
                Constraint::Node { .. } => 1,
                Constraint::Angle { .. } => 2,
                Constraint::Body { .. } => 3,
                Constraint::BodyAxes { .. } => 4,
            }];
            sink.visit_vector(&format_args!("{kind}{i}_force"), "N", reaction.force);
            sink.visit_vector(&format_args!("{kind}{i}_torque"), "N m", reaction.torque);
        }
        for (i, load) in self.obstacles.iter().enumerate() {
            sink.visit_vector(&format_args!("obstacle{i}_force"), "N", load.force);
            sink.visit_vector(&format_args!("obstacle{i}_torque"), "N m", load.torque);
        }
        for (i, body) in self.bodies.iter().enumerate() {
            sink.visit_vector(&format_args!("body{i}"), "m", body.position);
            sink.visit_vector(&format_args!("body{i}_velocity"), "m/s", body.velocity);
            sink.visit_vector(&format_args!("body{i}_spin"), "rad/s", body.spin);
        }
        for (i, load) in self.joints.iter().enumerate() {
            sink.visit_vector(&format_args!("joint{i}_force"), "N", load.force);
            sink.visit_vector(&format_args!("joint{i}_torque"), "N m", load.torque);
        }
        for (i, (force, torque)) in self.hydrodynamic.iter().enumerate() {
            sink.visit_vector(&format_args!("rod{i}_hydrodynamic_force"), "N", *force);
            sink.visit_vector(&format_args!("rod{i}_hydrodynamic_torque"), "N m", *torque);
        }
        for (i, body) in self.bodies.iter().enumerate() {
            for (part, value) in ["x", "y", "z", "w"].iter().zip(body.orientation.to_array()) {
                sink.visit(&format_args!("body{i}_quaternion_{part}"), "1", value);
            }
            sink.visit(&format_args!("body{i}_kinetic"), "J", body.kinetic);
        }
        if model.joints.iter().any(Link::can_break) {
            sink.visit(&"joints_broken", "1", self.joints_broken as f64);
        }
        if !model.obstacles.is_empty() {
            sink.visit(&"obstacle_gap", "m", or_nan(self.obstacle_gap));
        }
        for (i, distance) in self.end_distance.iter().enumerate() {
            sink.visit(&format_args!("rod{i}_end_distance"), "m", *distance);
        }
        self.visit_ends_and_loops(model, sink);
        for (i, places) in self.places.iter().enumerate() {
            for (name, place) in PLACES.iter().zip(places) {
                sink.visit_vector(&format_args!("rod{i}_{name}"), "m", *place);
            }
        }
    }

    /// Ends and loop of each rod that has them. C21 speaks of the radii of circles whose
    /// circumferences these lengths are.
    fn visit_ends_and_loops(&self, model: &Model, sink: &mut dyn ObservableSink) {
        for (i, rod) in model.topology.rods.iter().enumerate() {
            let end = self.ends.iter().find(|end| end.rod == i);
            if let Some(end) = end {
                let short = end.shortening;
                sink.visit(&format_args!("rod{i}_shortening"), "m", short);
                sink.visit(&format_args!("rod{i}_shortening_radius"), "m", short / TAU);
            }
            if ends::held_at_both_ends(model, rod) {
                let pull = or_nan(end.and_then(|end| end.pull));
                sink.visit(&format_args!("rod{i}_pull_force"), "N", pull);
            }
            if rod_loop::has_column(model, i) {
                let length = or_nan(self.loops.get(i).copied().flatten());
                sink.visit(&format_args!("rod{i}_loop_length"), "m", length);
                sink.visit(&format_args!("rod{i}_loop_radius"), "m", length / TAU);
            }
        }
    }
}

fn or_nan(value: Option<f64>) -> f64 {
    value.unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::f64::consts::TAU;

    use glam::DVec3;

    use crate::bodies::{Body, Joint, JointKind};
    use crate::contact_model::{ContactModel, ImcSettings};
    use crate::fluid::{Coupling, Fluid, StokesletSegments};
    use crate::model::ModelBuilder;
    use crate::observe::columns::{SUPPORTS, is_of_place, is_of_support};
    use crate::observe::{Entry, observe};
    use crate::obstacle::Obstacle;
    use crate::rod::{Material, Rod, Section};
    use crate::schedule::{Motion, Schedule};
    use crate::simulation::Simulation;
    use crate::step::StepSettings;

    /// An open rod held at both ends and in its middle, a ring, a free rod, bodies that are moved
    /// and guided with a joint that may break, an obstacle, a fluid.
    fn everything() -> Simulation {
        let section = Section::circle(Material::new(1e6, 0.5, 1000.0), 1e-3);
        let line = |y: f64| -> Vec<DVec3> {
            let nodes = (0..8).map(|i| DVec3::new(0.01 * f64::from(i), y, 0.05));
            nodes.collect()
        };
        let ring = (0..12).map(|i| {
            let (sin, cos) = (TAU * f64::from(i) / 12.0).sin_cos();
            DVec3::new(0.3 + 0.02 * cos, 0.02 * sin, 0.05)
        });
        let body = |x: f64| Body::cuboid(0.02, DVec3::splat(0.02), DVec3::new(x, 0.4, 0.1));
        let mut joint = Joint::new([Some(0), Some(1)], body(0.05).position, JointKind::Ball);
        joint.strength = Some(1.0);
        let (model, state) = ModelBuilder::new()
            .rod(Rod::open(line(0.0), section).unwrap())
            .rod(Rod::closed(ring.collect(), section).unwrap())
            .rod(Rod::open(line(0.1), section).unwrap())
            .clamp(0, 0, Motion::Still)
            .hold_node(0, 7, [true; 3], Motion::Still)
            .hold_angle(0, 3, Schedule::Constant(0.0))
            .body(body(0.0))
            .body(body(0.1))
            .body(body(0.3))
            .joint(joint)
            .move_body(0, Motion::Velocity(0.1 * DVec3::X))
            .guide_body(2, [true, false, false], [true, false, false])
            .gravity(-9.81 * DVec3::Z)
            .fluid(Fluid::new(
                StokesletSegments {
                    viscosity: 0.1,
                    regularisation: 1.02,
                },
                Coupling::Lagged,
            ))
            .obstacle(Obstacle::half_space(DVec3::ZERO, DVec3::Z))
            .contact(ContactModel::Imc(ImcSettings::default()))
            .build()
            .unwrap();
        Simulation::new(model, state, StepSettings::default())
    }

    #[test]
    fn the_first_state_has_the_columns_of_all_later_ones() {
        let mut simulation = everything();
        let visited = |simulation: &Simulation| -> (Vec<Entry>, Vec<f64>) {
            let seen = observe(&simulation.model, &simulation.state).unwrap();
            let (mut all, mut row) = (Vec::new(), Vec::new());
            seen.visit(&simulation.model, &mut all);
            seen.visit(&simulation.model, &mut row);
            (all, row)
        };
        let (header, _) = visited(&simulation);
        simulation.step(f64::INFINITY).unwrap();
        let (all, row) = visited(&simulation);
        let columns = |all: &[Entry]| -> Vec<(String, String)> {
            let columns = all.iter().map(|e| (e.name.clone(), e.unit.clone()));
            columns.collect()
        };
        assert_eq!(columns(&header), columns(&all));
        let bits = |value: &f64| value.to_bits();
        let values = all.iter().map(|e| e.value.to_bits());
        assert!(values.eq(row.iter().map(bits)));
        let names: BTreeSet<&str> = all.iter().map(|e| &e.name[..]).collect();
        assert_eq!(names.len(), all.len(), "a name is used twice");
        for entry in &all {
            let (name, mut kinds) = (&entry.name, SUPPORTS.iter());
            assert_eq!(
                is_of_support(name),
                kinds.any(|kind| name.starts_with(kind))
            );
        }
        let is_at = |name: &str, wanted: f64| {
            let entry = all.iter().find(|entry| entry.name == name).unwrap();
            // It has moved a little within the step.
            (entry.value - wanted).abs() < 1e-6
        };
        assert!(is_at("rod2_tip_y", 0.1) && is_at("rod0_middle_x", 0.04));
        let places = all.iter().filter(|entry| is_of_place(&entry.name));
        assert_eq!(places.count(), 3 * 2 * 3);
        for name in [
            "clamp0_force_x",
            "held_node1_force_y",
            "held_angle2_torque_z",
            "moved_body3_force_x",
            "guided_body4_torque_x",
            "obstacle0_torque_y",
            "body2_quaternion_w",
            "joint0_force_z",
            "joints_broken",
            "obstacle_gap",
            "rod1_hydrodynamic_torque_z",
            "rod1_end_distance",
            "rod2_shortening_radius",
            "rod0_pull_force",
            "rod1_loop_radius",
        ] {
            assert!(names.contains(name), "{name} is not in {names:?}");
        }
        assert!(!names.contains("rod1_shortening") && !names.contains("rod2_pull_force"));
    }
}
