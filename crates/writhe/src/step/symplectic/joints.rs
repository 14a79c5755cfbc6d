//! Joints of bodies in the projection: constraints beside the lengths of edges.

use glam::{DQuat, DVec3};

use super::coupling::six;
use super::projection::{Configuration, TOLERANCE};
use crate::bodies::Link;
use crate::model::Model;
use crate::rod::kinematics::position;
use crate::step::StepError;

/// A body, and dC by its six.
type Pull = (usize, [f64; 6]);

/// Disposable storage.
#[derive(Debug, Default)]
pub(super) struct Joints {
    /// C of each constraint in one iteration, then its multiplier, joint after joint.
    pub lambda: Vec<f64>,
    /// What it pulls at.
    by: Vec<[Option<Pull>; 2]>,
    /// Sum over the iterations of a step of the multipliers, kg m^2.
    pull: Vec<f64>,
    /// Time at which they hold, s.
    time: f64,
    /// Which have let go, `(joints)`; empty where none has.
    broken: Vec<bool>,
}

impl Joints {
    /// Prepares for a step: nothing has been pulled.
    pub fn begin(&mut self, model: &Model, time: f64, broken: &[bool]) {
        let rows = model.joints.iter().map(Link::unknowns).sum();
        self.lambda.clear();
        self.lambda.resize(rows, 0.0);
        self.pull.clear();
        self.pull.resize(rows, 0.0);
        self.by.clear();
        self.by.resize(rows, [None; 2]);
        self.time = time;
        self.broken.clear();
        self.broken.extend_from_slice(broken);
    }

    /// Takes the constraints as they are now; those that have let go are none.
    pub fn update(&mut self, model: &Model, to: &Configuration) {
        let mut first = 0;
        for link in &model.joints {
            let own = first..first + link.unknowns();
            first = own.end;
            if !link.holds(&self.broken) {
                continue;
            }
            let rows = link.rows(poses(model, link, to.q, to.orientation), self.time);
            for (k, row) in own.zip(rows) {
                self.lambda[k] = row.value;
                self.by[k] = [0, 1].map(|side| {
                    let [linear, angular] = row.by[side];
                    let six = |body| (body, six(model, body, linear, angular));
                    link.bodies[side].map(six)
                });
            }
        }
    }

    /// Every constraint at every body that it pulls at: its place, the body, and dC by its six.
    pub fn at_bodies(&self) -> impl Iterator<Item = (usize, usize, &[f64; 6])> {
        let rows = self.by.iter().enumerate();
        rows.flat_map(|(row, by)| by.iter().flatten().map(move |(body, by)| (row, *body, by)))
    }

    /// Takes as C what displacements, `(dofs)`, change of it.
    pub fn differentiate(&mut self, model: &Model, x: &[f64]) {
        for (lambda, by) in self.lambda.iter_mut().zip(&self.by) {
            let of_body = |(body, by): &Pull| -> f64 {
                let dof = model.topology.body_dof[*body];
                by.iter().zip(&x[dof..]).map(|(by, x)| by * x).sum()
            };
            *lambda = by.iter().flatten().map(of_body).sum();
        }
    }

    /// Adds what the multipliers pull with.
    pub fn count(&mut self) {
        for (pull, lambda) in self.pull.iter_mut().zip(&self.lambda) {
            *pull += lambda;
        }
    }

    /// The joint that is farthest off, with its largest `|C|`, at the unknowns `q`, `(dofs)`.
    pub fn worst(&self, model: &Model, q: &[f64], orientation: &[DQuat]) -> (usize, f64) {
        let mut worst = (0, 0.0_f64);
        for (index, link) in model.joints.iter().enumerate() {
            if !link.holds(&self.broken) {
                continue;
            }
            for row in link.rows(poses(model, link, q, orientation), self.time) {
                // What is no number is worst.
                if row.value.is_nan() || row.value.abs() > worst.1 {
                    worst = (index, row.value.abs());
                }
            }
        }
        worst
    }

    /// Fails if a joint is farther off than it may be after `iterations`.
    pub fn check(
        &self,
        model: &Model,
        q: &[f64],
        orientation: &[DQuat],
        iterations: u32,
    ) -> Result<(), StepError> {
        match self.worst(model, q, orientation) {
            (_, apart) if apart < TOLERANCE => Ok(()),
            (joint, apart) => Err(StepError::JointApart {
                joint,
                apart,
                iterations,
            }),
        }
    }

    /// Writes the multipliers of a step of `dt`, s, among the unknowns, `(dofs)`; returns which
    /// joints have let go, `(joints)`, empty where none has.
    pub fn finish(&self, model: &Model, dt: f64, q: &mut [f64]) -> Vec<bool> {
        let mut first = 0;
        let mut broken = Vec::with_capacity(model.joints.len());
        for link in &model.joints {
            let own = first..first + link.unknowns();
            first = own.end;
            let pulls = self.pull[own].iter().map(|pull| pull / (dt * dt));
            link.set_multipliers(&pulls.collect::<Vec<f64>>(), q);
            broken.push(!link.holds(&self.broken) || link.is_torn(q));
        }
        match broken.contains(&true) {
            true => broken,
            false => Vec::new(),
        }
    }
}

fn poses(model: &Model, link: &Link, q: &[f64], orientation: &[DQuat]) -> [(DVec3, DQuat); 2] {
    link.bodies.map(|body| match body {
        Some(body) => (
            position(q, model.topology.body_dof[body]),
            orientation[body],
        ),
        None => (DVec3::ZERO, DQuat::IDENTITY),
    })
}
