//! Observables as a row of numbers with names and units.

use std::f64::consts::TAU;

use glam::DVec3;

use super::{Observables, ends, rod_loop};
use crate::bodies::Link;
use crate::constraints::Constraint;
use crate::model::Model;

/// Name and unit of each entry of [`Observables::row`].
pub fn columns(model: &Model) -> Vec<(String, &'static str)> {
    let mut out: Vec<(String, &'static str)> = [
        ("energy_stretch", "J"),
        ("energy_bend", "J"),
        ("energy_twist", "J"),
        ("energy_kinetic", "J"),
        ("energy_loads", "J"),
        ("energy_contact", "J"),
        ("contacts", "1"),
        ("contact_force", "N"),
        ("sticking", "1"),
        ("creep", "m/s"),
        ("smallest_gap", "m"),
        ("hover", "m"),
        ("penetration", "m"),
        ("work_loads", "J"),
        ("work_supports", "J"),
        ("work_motors", "J"),
        ("work_contact", "J"),
        ("heat_drag", "J"),
        ("heat_damping", "J"),
        ("heat_friction", "J"),
        ("scheme_gain", "J"),
    ]
    .map(|(name, unit)| (name.to_owned(), unit))
    .into();
    let mut vector = |name: String, unit: &'static str| {
        for axis in ["x", "y", "z"] {
            out.push((format!("{name}_{axis}"), unit));
        }
    };
    vector("momentum".into(), "kg m/s");
    vector("angular_momentum".into(), "kg m^2/s");
    for (i, constraint) in model.constraints.list().iter().enumerate() {
        let kind = match constraint {
            Constraint::Clamp { .. } => "clamp",
            Constraint::Node { .. } => "held_node",
            Constraint::Angle { .. } => "held_angle",
            Constraint::Body { .. } => "moved_body",
            Constraint::BodyAxes { .. } => "guided_body",
        };
        vector(format!("{kind}{i}_force"), "N");
        vector(format!("{kind}{i}_torque"), "N m");
    }
    for obstacle in 0..model.obstacles.len() {
        vector(format!("obstacle{obstacle}_force"), "N");
        vector(format!("obstacle{obstacle}_torque"), "N m");
    }
    for body in 0..model.bodies.list.len() {
        for (name, unit) in [("", "m"), ("_velocity", "m/s"), ("_spin", "rad/s")] {
            vector(format!("body{body}{name}"), unit);
        }
    }
    for joint in 0..model.joints.len() {
        vector(format!("joint{joint}_force"), "N");
        vector(format!("joint{joint}_torque"), "N m");
    }
    if model.fluid.is_some() {
        for rod in 0..model.topology.rods.len() {
            vector(format!("rod{rod}_hydrodynamic_force"), "N");
            vector(format!("rod{rod}_hydrodynamic_torque"), "N m");
        }
    }
    for body in 0..model.bodies.list.len() {
        for part in ["x", "y", "z", "w"] {
            out.push((format!("body{body}_quaternion_{part}"), "1"));
        }
        out.push((format!("body{body}_kinetic"), "J"));
    }
    if model.joints.iter().any(Link::can_break) {
        out.push(("joints_broken".to_owned(), "1"));
    }
    if !model.obstacles.is_empty() {
        out.push(("obstacle_gap".to_owned(), "m"));
    }
    for rod in 0..model.topology.rods.len() {
        out.push((format!("rod{rod}_end_distance"), "m"));
    }
    for (index, rod) in model.topology.rods.iter().enumerate() {
        if !rod.closed {
            out.push((format!("rod{index}_shortening"), "m"));
            out.push((format!("rod{index}_shortening_radius"), "m"));
        }
        if ends::held_at_both_ends(model, rod) {
            out.push((format!("rod{index}_pull_force"), "N"));
        }
        if rod_loop::is_told(model, index) {
            out.push((format!("rod{index}_loop_length"), "m"));
            out.push((format!("rod{index}_loop_radius"), "m"));
        }
    }
    out
}

impl Observables {
    /// All values in the order of [`columns`]; what does not exist is NaN.
    pub fn row(&self, model: &Model) -> Vec<f64> {
        let mut out = vec![
            self.elastic.stretch,
            self.elastic.bend,
            self.elastic.twist,
            self.kinetic,
            self.load_potential,
            self.contact_energy,
            self.contacts as f64,
            self.contact_force,
            self.sticking.contacts as f64,
            self.sticking.creep,
            self.nearest.map_or(f64::NAN, |n| n.gap),
            self.clearance.hover.unwrap_or(f64::NAN),
            self.clearance.penetration,
            self.ledger.works.loads,
            self.ledger.works.supports,
            self.ledger.works.motors,
            self.ledger.works.contact,
            self.ledger.works.drag,
            self.ledger.works.damping,
            self.ledger.works.friction,
            self.ledger.scheme,
        ];
        let mut vector = |v: DVec3| out.extend(v.to_array());
        vector(self.momentum);
        vector(self.angular_momentum);
        for reaction in &self.reactions {
            vector(reaction.force);
            vector(reaction.torque);
        }
        for load in &self.obstacles {
            vector(load.force);
            vector(load.torque);
        }
        for body in &self.bodies {
            vector(body.position);
            vector(body.velocity);
            vector(body.spin);
        }
        for load in &self.joints {
            vector(load.force);
            vector(load.torque);
        }
        for (force, torque) in &self.hydrodynamic {
            vector(*force);
            vector(*torque);
        }
        for body in &self.bodies {
            out.extend(body.orientation.to_array());
            out.push(body.kinetic);
        }
        if model.joints.iter().any(Link::can_break) {
            out.push(self.joints_broken as f64);
        }
        if !self.obstacles.is_empty() {
            out.push(self.obstacle_gap.unwrap_or(f64::NAN));
        }
        out.extend(&self.end_distance);
        for (index, rod) in model.topology.rods.iter().enumerate() {
            if let Some(end) = self.ends.iter().find(|end| end.rod == index) {
                // C21 speaks of the radius of a circle of the circumference e.
                out.extend([end.shortening, end.shortening / TAU]);
            }
            if ends::held_at_both_ends(model, rod) {
                let end = self.ends.iter().find(|end| end.rod == index);
                out.push(end.and_then(|end| end.pull).unwrap_or(f64::NAN));
            }
            if rod_loop::is_told(model, index) {
                let length = self.loops.get(index).copied().flatten();
                let length = length.unwrap_or(f64::NAN);
                out.extend([length, length / TAU]);
            }
        }
        out
    }
}
