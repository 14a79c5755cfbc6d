//! Catalogue 1.8: a naturally curved rod hangs in a plane until it curls out of it (after Romero et
//! al. 2021, "Bend-Twist").
//!
//! The rod is clamped at its top, tangent down, with natural curvature kappa (phi = kappa L) in a
//! vertical plane. For a given Gamma = w L^3/B the planar branch is followed from phi = 0; the
//! threshold is the first phi at which the Hessian over what leaves the plane turns indefinite.

use glam::DVec3;
use writhe::model::{Model, ModelBuilder};
use writhe::rod::{Rod, Section};
use writhe::schedule::Motion;
use writhe::simulation::Simulation;
use writhe::state::State;
use writhe::step::{Scheme, StepSettings};

use crate::case::{Case, CaseError, Context, Source};
use crate::row::Row;
use crate::setup::extremes::largest;
use crate::setup::stability::{elastic_hessian, positive_definite};
use crate::setup::statics::{positions, section, settle_from};

/// The case.
pub const CASE: Case = Case {
    name: "bend-twist",
    section: "1.8",
    measures: "natural curvature phi at which a hanging curved rod leaves its plane, by Gamma and C/B",
    source: Source::OtherProgram,
    origin: "catalogue 1.8, second variation of the planar branch of an independent program; setup after Romero et al. 2021",
    run,
};

/// Stretching stiffness: the reference holds the branch inextensible.
const STIFF: f64 = 1e7;
/// Step along the branch.
const STEP: f64 = 0.5;

/// Gamma, C/B, edges, threshold (none up to 20), bound on it.
const TABLE: [(f64, f64, usize, Option<f64>, f64); 9] = [
    (100.0, 2.0 / 3.0, 50, Some(7.5761), 1e-3),
    (10.0, 2.0 / 3.0, 50, None, 0.0),
    (100.0, 2.0 / 3.0, 100, Some(7.5759), 1e-3),
    (100.0, 1.0 / 1.45, 50, Some(7.6947), 1e-3),
    (1000.0, 2.0 / 3.0, 50, Some(16.0361), 1e-2),
    (1000.0, 1.0 / 1.45, 50, Some(16.2878), 1e-2),
    (1.0, 2.0 / 3.0, 50, None, 0.0),
    (1.0, 1.0 / 1.45, 50, None, 0.0),
    (10.0, 1.0 / 1.45, 50, None, 0.0),
];

/// One point of the planar branch.
struct Branch {
    gamma: f64,
    gj: f64,
    edges: usize,
    phi: f64,
    nodes: Vec<DVec3>,
}

impl Branch {
    /// Straight down.
    fn new(gamma: f64, gj: f64, edges: usize) -> Self {
        let l = 1.0 / edges as f64;
        Self {
            gamma,
            gj,
            edges,
            phi: 0.0,
            nodes: (0..=edges).map(|i| DVec3::NEG_Y * (l * i as f64)).collect(),
        }
    }

    /// The rod here, with the natural curvature `phi`. Directors m1 point along z, and so does the
    /// binormal of curvature in the plane: it is the second component.
    fn model(&self, phi: f64) -> Result<ModelBuilder, CaseError> {
        let section = Section {
            gj: self.gj,
            ..section(STIFF)
        };
        let l = 1.0 / self.edges as f64;
        let mut rod = Rod::at_rest(self.nodes.clone(), section, false, Some(DVec3::Z))?;
        rod.rest_lengths.fill(l);
        rod.rest_twist.fill(0.0);
        rod.rest_curvature.fill([0.0, 2.0 * (0.5 * phi * l).tan()]);
        Ok(ModelBuilder::new()
            .rod(rod)
            .clamp(0, 0, Motion::Still)
            .gravity(DVec3::NEG_Y * self.gamma))
    }

    /// The equilibrium at `phi` that continues this one, kept in the plane.
    fn continued(&self, phi: f64) -> Result<Self, CaseError> {
        let mut builder = self.model(phi)?;
        for node in 2..=self.edges {
            builder = builder.hold_node(0, node, [false, false, true], Motion::Still);
        }
        let (model, state) = builder.build()?;
        let nodes = positions(&settle_from(model, state)?);
        Ok(Self {
            phi,
            nodes,
            ..*self
        })
    }

    /// Whether the equilibrium is stable against leaving the plane.
    fn stable(&self) -> Result<bool, CaseError> {
        let (model, state) = self.model(self.phi)?.build()?;
        let fixed = model.constraints.fixed();
        let out = |dof: &usize| !fixed[*dof] && (dof % 4 == 2 || dof % 4 == 3);
        let unknowns: Vec<usize> = (0..model.topology.dofs).filter(out).collect();
        Ok(positive_definite(
            &elastic_hessian(&model, &state)?,
            &unknowns,
        ))
    }
}

/// First phi at which the planar branch loses stability, up to `end`, and the last stable point of
/// it.
fn threshold(
    gamma: f64,
    gj: f64,
    edges: usize,
    end: f64,
) -> Result<(Option<f64>, Branch), CaseError> {
    let mut at = Branch::new(gamma, gj, edges);
    while at.phi < end {
        let next = at.continued(at.phi + STEP)?;
        if next.stable()? {
            at = next;
            continue;
        }
        let mut high = next.phi;
        while high - at.phi > 1e-5 {
            let middle = at.continued(0.5 * (at.phi + high))?;
            if middle.stable()? {
                at = middle;
            } else {
                high = middle.phi;
            }
        }
        return Ok((Some(0.5 * (at.phi + high)), at));
    }
    Ok((None, at))
}

fn run(context: &Context) -> Result<Vec<Row>, CaseError> {
    let mut rows = Vec::new();
    for &(gamma, gj, edges, expected, bound) in context.some(&TABLE, 1) {
        let (found, last) = threshold(gamma, gj, edges, 20.0)?;
        let what = format!("phi_c, Gamma = {gamma}, C/B = {gj:.4}, {edges} edges");
        match expected {
            Some(expected) => {
                let found = found.unwrap_or(f64::INFINITY);
                rows.push(Row::relative(what, found, expected, bound));
                let what =
                    format!("Gamma^(1/3)/phi_c, Gamma = {gamma}, C/B = {gj:.4}, {edges} edges");
                rows.push(Row::relative(
                    what,
                    gamma.cbrt() / found,
                    gamma.cbrt() / expected,
                    bound,
                ));
            }
            None => rows.push(Row::at_least(
                format!("{what}: stable up to"),
                found.unwrap_or(last.phi),
                20.0,
            )),
        }
    }
    rows.extend(perturbed(7.5761)?);
    Ok(rows)
}

/// A small push out of the plane decays below the threshold and grows to a curl beyond.
fn perturbed(threshold: f64) -> Result<Vec<Row>, CaseError> {
    let mut at = Branch::new(100.0, 2.0 / 3.0, 50);
    let mut rows = Vec::new();
    for part in [0.95, 1.05] {
        let phi = part * threshold;
        while at.phi < phi {
            at = at.continued(phi.min(at.phi + STEP))?;
        }
        let (model, mut state) = at.model(phi)?.viscous_damping(1.0).build()?;
        push_out_of_plane(&model, &mut state, 1e-6);
        let settings = StepSettings {
            dt: 0.02,
            scheme: Scheme::BackwardEuler,
            ..StepSettings::default()
        };
        let mut simulation = Simulation::new(model, state, settings);
        simulation.run_until(20.0, |_, _| true)?;
        let out = largest(positions(&simulation).iter().map(|x| x.z.abs()));
        let what = format!("distance from the plane after a push of 1e-6 L, phi = {part} phi_c");
        rows.push(
            if part < 1.0 {
                Row::at_most(what, out, 1e-7)
            } else {
                Row::at_least(what, out, 1e-2)
            }
            .unit("L"),
        );
    }
    Ok(rows)
}

/// Moves every free node by up to `size` out of the plane, most at the tip.
fn push_out_of_plane(model: &Model, state: &mut State, size: f64) {
    let nodes = model.topology.nodes();
    for node in 2..nodes {
        state.q[model.topology.node_dof[node] + 2] +=
            size * (node as f64 / (nodes - 1) as f64).powi(2);
    }
}
