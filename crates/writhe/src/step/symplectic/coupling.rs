//! Rigid bodies in the projection.
//!
//! A body with mass and inertia `M_b` moves by `(dX, dphi)`, dphi a spin in the axes of the scene,
//! and the nodes welded to it with it: `dx = dX + dphi x r`. With T the matrix of free nodes alone
//! and the rows `u = (s g, r x s g)` of edges at welded nodes (g = dC/de, s = 1 at the edge's end,
//! -1 at its start), the multipliers of all rods are the solution of
//!
//! ```text
//! (T + U M^-1 U^T) lambda = C
//! ```
//!
//! which `schur.rs` finds directly. Joints of bodies are constraints of the same kind, with rows of
//! U alone (`joints.rs`).

use glam::{DMat3, DQuat, DVec3};

use super::joints::Joints;
use super::projection::{Configuration, RodConstraints};
use super::schur::{AtBody, Row, Schur};
use crate::assembly::add3;
use crate::model::Model;
use crate::rod::RodLayout;
use crate::rod::kinematics::position;
use crate::solve::SolveError;

/// A body at an edge of a rod, which is not itself welded.
#[derive(Debug)]
pub(super) struct Touch {
    /// Edge of the rod.
    pub edge: usize,
    /// The body.
    pub body: usize,
    /// dC by the body's six.
    by: [f64; 6],
}

/// Disposable storage.
#[derive(Debug, Default)]
pub(super) struct Coupling {
    /// Body of each node and its arm in the body's axes, m; empty without bodies.
    owner: Vec<Option<(usize, DVec3)>>,
    /// `M^-1` of each body's turn, in the axes of the scene.
    turning: Vec<DMat3>,
    /// Welded nodes.
    welded: Vec<WeldedNow>,
    /// Joints of bodies.
    pub joints: Joints,
    /// Displacement of each body, six each.
    delta: Vec<f64>,
    /// Made in the first projection of a model that needs it.
    schur: Option<Schur>,
}

/// A welded node where its body is now.
#[derive(Debug)]
struct WeldedNow {
    /// First unknown of the node, and of the body.
    dofs: [usize; 2],
    /// From the body's centre, m, in the axes of the scene.
    arm: DVec3,
}

impl Coupling {
    /// Prepares for a model, at whose time, s, joints hold but for those that have let go,
    /// `(joints)`.
    pub fn begin(&mut self, model: &Model, time: f64, broken: &[bool]) {
        self.owner.clear();
        self.joints.begin(model, time, broken);
        if model.bodies.is_empty() {
            return;
        }
        self.owner.resize(model.topology.nodes(), None);
        for (body, assembly) in model.bodies.list.iter().enumerate() {
            for welded in &assembly.nodes {
                self.owner[welded.node] = Some((body, welded.arm));
            }
        }
    }

    /// Takes the bodies as they are now.
    pub fn update(&mut self, model: &Model, to: &Configuration) {
        let bodies = 0..model.bodies.list.len();
        let turning = |body: usize| turning(model, body, to.orientation[body]);
        self.turning.clear();
        self.turning.extend(bodies.map(turning));
        self.welded.clear();
        let topology = &model.topology;
        for (body, assembly) in model.bodies.list.iter().enumerate() {
            self.welded.extend(assembly.nodes.iter().map(|w| WeldedNow {
                dofs: [topology.node_dof[w.node], topology.body_dof[body]],
                arm: to.orientation[body] * w.arm,
            }));
        }
        self.joints.update(model, to);
    }

    /// Finds where bodies touch a rod.
    pub fn touch(
        &self,
        model: &Model,
        rod: &RodLayout,
        to: &Configuration,
        system: &mut RodConstraints,
    ) {
        let mut touches = Vec::new();
        if !self.owner.is_empty() {
            for edge in 0..rod.edges {
                let flat = rod.first_edge + edge;
                if model.bodies.follows(model.topology.edge_dof[flat]) {
                    continue;
                }
                let nodes = model.topology.edge_nodes[flat];
                let [a, b] = nodes.map(|node| self.owner[node].map(|(body, _)| body));
                if a.is_some() && a == b {
                    // Both of its nodes move with one body: it is as long as it is.
                    continue;
                }
                for (node, sign) in nodes.into_iter().zip([-1.0, 1.0]) {
                    let Some((body, arm)) = self.owner[node] else {
                        continue;
                    };
                    // u = (s g, r x s g)
                    let force = system.gradient(edge) * sign;
                    let torque = (to.orientation[body] * arm).cross(force);
                    let by = six(model, body, force, torque);
                    touches.push(Touch { edge, body, by });
                }
            }
        }
        system.touches = touches;
    }

    /// Factorises the matrix of the multipliers of all rods and joints.
    pub fn factor(&mut self, model: &Model, rods: &mut [RodConstraints]) -> Result<(), SolveError> {
        if self.owner.is_empty() {
            return Ok(());
        }
        let mut schur = match self.schur.take() {
            Some(schur) => schur,
            None => made(model, rods)?,
        };
        // U M^-1 U^T, body by body.
        let products: Vec<_> = self
            .by_body(model, rods)
            .iter()
            .enumerate()
            .map(|(body, rows)| self.products(model, body, rows))
            .collect();
        let outcome = schur.factor(rods, products.into_iter());
        self.schur = Some(schur);
        outcome
    }

    /// Finds the multipliers of all rods, whose `lambda` holds C, and those of the joints, by the
    /// factor.
    pub fn solve(&mut self, rods: &mut [RodConstraints]) -> Result<(), SolveError> {
        match &mut self.schur {
            Some(schur) if !self.owner.is_empty() => schur.solve(rods, &mut self.joints.lambda),
            _ => {
                rods.iter_mut().for_each(RodConstraints::solve_alone);
                Ok(())
            }
        }
    }

    /// What pulls at a body, and `u M^-1 u^T` of all pairs, row by row.
    fn products(&self, model: &Model, body: usize, rows: &[(Row, [f64; 6])]) -> AtBody {
        let values = rows.iter().flat_map(|(_, a)| {
            // M^-1 u^T
            let moved = self.inverse(model, body, a);
            rows.iter().map(move |(_, b)| dot(b, &moved))
        });
        (rows.iter().map(|(row, _)| *row).collect(), values.collect())
    }

    /// What pulls at each body, by its six.
    fn by_body(&self, model: &Model, rods: &[RodConstraints]) -> Vec<Vec<(Row, [f64; 6])>> {
        let mut all = vec![Vec::new(); model.bodies.list.len()];
        for (rod, system) in rods.iter().enumerate() {
            for touch in &system.touches {
                all[touch.body].push((Row::Edge(rod, touch.edge), touch.by));
            }
        }
        for (row, body, by) in self.joints.at_bodies() {
            all[body].push((Row::Joint(row), *by));
        }
        all
    }

    /// Displacements of the bodies that multipliers pull with: `-M^-1 U^T lambda`.
    pub fn pull(&mut self, model: &Model, rods: &[RodConstraints]) {
        self.delta.clear();
        self.delta.resize(6 * model.bodies.list.len(), 0.0);
        for rod in rods {
            for touch in &rod.touches {
                let sums = self.delta[6 * touch.body..].iter_mut();
                for (sum, by) in sums.zip(&touch.by) {
                    // -U^T lambda
                    *sum -= by * rod.lambda[touch.edge];
                }
            }
        }
        for (row, body, by) in self.joints.at_bodies() {
            let lambda = self.joints.lambda[row];
            for (sum, by) in self.delta[6 * body..].iter_mut().zip(by) {
                *sum -= by * lambda;
            }
        }
        for body in 0..model.bodies.list.len() {
            let impulse: [f64; 6] = std::array::from_fn(|k| self.delta[6 * body + k]);
            let moved = self.inverse(model, body, &impulse);
            self.delta[6 * body..6 * body + 6].copy_from_slice(&moved);
        }
    }

    /// `M^-1` of a body.
    fn inverse(&self, model: &Model, body: usize, impulse: &[f64; 6]) -> [f64; 6] {
        let mass = model.bodies.list[body].mass;
        let turn = self.turning[body] * DVec3::from_slice(&impulse[3..]);
        let [a, b, c] = turn.to_array();
        [
            impulse[0] / mass,
            impulse[1] / mass,
            impulse[2] / mass,
            a,
            b,
            c,
        ]
    }

    /// Moves bodies by the displacements that multipliers pull with.
    pub fn move_pulled(&self, model: &Model, to: &mut Configuration) {
        move_bodies(model, to, |body| &self.delta[6 * body..6 * body + 6]);
    }

    /// Adds to displacements, `(dofs)`, those of the bodies that multipliers pull with.
    pub fn add_pulled(&self, model: &Model, x: &mut [f64]) {
        for (body, dof) in model.topology.body_dof.iter().enumerate() {
            for (x, d) in x[*dof..]
                .iter_mut()
                .zip(&self.delta[6 * body..6 * body + 6])
            {
                *x += d;
            }
        }
    }

    /// Turns forces on bodies and what is welded to them, N and N m by spin, among `(dofs)`, into
    /// `M^-1` times them; displacements of welded nodes stay to be set.
    pub fn respond(&self, model: &Model, x: &mut [f64]) {
        for welded in &self.welded {
            let [node, body] = welded.dofs;
            let f = position(x, node);
            add3(x, body, f);
            add3(x, body + 3, welded.arm.cross(f));
        }
        for (body, dof) in model.topology.body_dof.iter().enumerate() {
            let six = six(model, body, position(x, *dof), position(x, dof + 3));
            x[*dof..dof + 6].copy_from_slice(&self.inverse(model, body, &six));
        }
    }

    /// Of unknowns that move with a body, `(dofs)`, the body's first unknown, and dt times the root
    /// of the body's answer to a unit of force, 1/sqrt(N/m): their products are its answers. Empty
    /// without bodies.
    pub fn carried(&self, model: &Model, dt: f64) -> Vec<Option<(usize, [f64; 6])>> {
        if self.owner.is_empty() {
            return Vec::new();
        }
        let mut carried = vec![None; model.topology.dofs];
        let root = |body: usize, linear: DVec3, angular: DVec3| {
            let by = six(model, body, linear, angular);
            let [force, torque] = [0, 3].map(|k| DVec3::from_slice(&by[k..]));
            let linear = force / model.bodies.list[body].mass.sqrt();
            // M^-1 = L L^T, so u M^-1 u = |L^T u|^2
            let angular = lower_root(self.turning[body]).transpose() * torque;
            let [linear, angular] = [dt * linear, dt * angular].map(|v| v.to_array());
            let all = [linear, angular].concat();
            std::array::from_fn(|k| all[k])
        };
        for (body, dof) in model.topology.body_dof.iter().enumerate() {
            for (k, axis) in DVec3::AXES.into_iter().enumerate() {
                carried[dof + k] = Some((*dof, root(body, axis, DVec3::ZERO)));
                carried[dof + 3 + k] = Some((*dof, root(body, DVec3::ZERO, axis)));
            }
        }
        for welded in &self.welded {
            let [node, dof] = welded.dofs;
            let body = model
                .topology
                .body_dof
                .partition_point(|first| *first < dof);
            for (k, axis) in DVec3::AXES.into_iter().enumerate() {
                carried[node + k] = Some((dof, root(body, axis, welded.arm.cross(axis))));
            }
        }
        carried
    }

    /// Moves welded nodes with the displacements of their bodies, all among `(dofs)`.
    pub fn carry(&self, x: &mut [f64]) {
        for welded in &self.welded {
            let [node, body] = welded.dofs;
            let moved = position(x, body) + position(x, body + 3).cross(welded.arm);
            x[node..node + 3].copy_from_slice(&moved.to_array());
        }
    }
}

/// Moves all unknowns but angles by displacements, `(dofs)`, of bodies' turns by spin.
pub(super) fn displace(model: &Model, to: &mut Configuration, by: &[f64]) {
    let rods = model.topology.body_dof.first();
    let rods = rods.map_or(by.len(), |dof| *dof);
    for ((q, moved), by) in to.q.iter_mut().zip(&mut *to.moved).zip(&by[..rods]) {
        *q += by;
        *moved += by;
    }
    move_bodies(model, to, |body| &by[model.topology.body_dof[body]..][..6]);
}

/// Moves bodies by displacements, six of each, and all that is welded to them.
pub(super) fn move_bodies<'a>(
    model: &Model,
    to: &mut Configuration,
    delta: impl Fn(usize) -> &'a [f64],
) {
    for (body, dof) in model.topology.body_dof.iter().enumerate() {
        let delta = delta(body);
        for (sum, d) in to.moved[*dof..].iter_mut().zip(delta) {
            *sum += d;
        }
        for (x, d) in to.q[*dof..].iter_mut().zip(&delta[..3]) {
            *x += d;
        }
        // dphi in the axes of the scene, after the turn so far.
        let turn = DQuat::from_scaled_axis(DVec3::from_slice(&delta[3..]));
        to.orientation[body] = (turn * to.orientation[body]).normalize();
        place_nodes(model, body, to.orientation[body], to.q);
    }
}

/// Puts the nodes welded to a body where it has them.
pub(super) fn place_nodes(model: &Model, body: usize, orientation: DQuat, q: &mut [f64]) {
    let x = position(q, model.topology.body_dof[body]);
    for welded in &model.bodies.list[body].nodes {
        let dof = model.topology.node_dof[welded.node];
        q[dof..dof + 3].copy_from_slice(&(x + orientation * welded.arm).to_array());
    }
}

/// L of a positive definite matrix `L L^T`, lower triangular (Cholesky).
fn lower_root(m: DMat3) -> DMat3 {
    let xx = m.x_axis.x.sqrt();
    let (yx, zx) = (m.x_axis.y / xx, m.x_axis.z / xx);
    let yy = (m.y_axis.y - yx * yx).sqrt();
    let zy = (m.y_axis.z - yx * zx) / yy;
    let zz = (m.z_axis.z - zx * zx - zy * zy).sqrt();
    DMat3::from_cols(
        DVec3::new(xx, yx, zx),
        DVec3::new(0.0, yy, zy),
        DVec3::new(0.0, 0.0, zz),
    )
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn made(model: &Model, rods: &[RodConstraints]) -> Result<Schur, SolveError> {
    let all = rods.iter().enumerate();
    let touches: Vec<_> = all
        .flat_map(|(rod, system)| system.touches.iter().map(move |t| (rod, t.edge, t.body)))
        .collect();
    let joints = model
        .joints
        .iter()
        .map(|link| (link.bodies, link.unknowns()));
    let joints: Vec<_> = joints.collect();
    Schur::new(model.topology.rods.len(), &touches, &joints)
}

/// A row of six, without what is prescribed.
pub(super) fn six(model: &Model, body: usize, linear: DVec3, angular: DVec3) -> [f64; 6] {
    let dof = model.topology.body_dof[body];
    let fixed = model.constraints.fixed();
    let all = [
        linear.x, linear.y, linear.z, angular.x, angular.y, angular.z,
    ];
    std::array::from_fn(|k| if fixed[dof + k] { 0.0 } else { all[k] })
}

/// Inverse of the inertia in the axes of the scene; what is prescribed is coupled with nothing.
fn turning(model: &Model, body: usize, orientation: DQuat) -> DMat3 {
    let mut inertia = model.bodies.list[body].inertia_at(orientation);
    let fixed = &model.constraints.fixed()[model.topology.body_dof[body] + 3..];
    for k in (0..3).filter(|k| fixed[*k]) {
        for other in (0..3).filter(|other| *other != k) {
            inertia.col_mut(k)[other] = 0.0;
            inertia.col_mut(other)[k] = 0.0;
        }
    }
    inertia.inverse()
}
