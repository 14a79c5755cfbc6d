//! Rigid bodies in Stokes flow, and the rods of published experiments.

use std::f64::consts::TAU;

use faer::Mat;
use faer::linalg::solvers::Solve;
use glam::DVec3;
use writhe::fluid::stokeslet_segments::mobility::DenseMobility;
use writhe::fluid::stokeslet_segments::segments::{EndWeights, RodNodes, StokesModel};

use crate::case::CaseError;

/// One open rod through `nodes` nodes with one regularisation `epsilon`, m, half weights at its
/// ends.
///
/// # Errors
/// A regularisation or viscosity that is not positive.
pub fn open_rod(nodes: usize, epsilon: f64, viscosity: f64) -> Result<StokesModel, CaseError> {
    open_rods(&[nodes], epsilon, viscosity, EndWeights::Voronoi)
}

/// Open rods through so many nodes each, with one regularisation `epsilon`, m, for all edges.
///
/// # Errors
/// A regularisation or viscosity that is not positive.
pub fn open_rods(
    nodes: &[usize],
    epsilon: f64,
    viscosity: f64,
    weights: EndWeights,
) -> Result<StokesModel, CaseError> {
    let mut total = 0;
    let rods = nodes.iter().map(|&n_nodes| {
        let first_node = total;
        total += n_nodes;
        RodNodes {
            first_node,
            n_nodes,
            closed: false,
        }
    });
    let rods: Vec<RodNodes> = rods.collect();
    let epsilon = vec![epsilon; total - rods.len()];
    Ok(StokesModel::new(rods, epsilon, viscosity, weights)?)
}

/// Nodal forces on the fluid, N, for each velocity field over the nodes, by LU of the dense
/// mobility.
///
/// # Errors
/// Nodes in one place.
pub fn forces(
    model: &StokesModel,
    positions: &[DVec3],
    fields: &[&dyn Fn(DVec3) -> DVec3],
) -> Result<Vec<Vec<DVec3>>, CaseError> {
    let mobility = DenseMobility::new(model, positions)?;
    let velocity = Mat::from_fn(3 * positions.len(), fields.len(), |i, j| {
        fields[j](positions[i / 3])[i % 3]
    });
    let solution = mobility.dense().partial_piv_lu().solve(&velocity);
    let node = |i: usize, j: usize| DVec3::from_array([0, 1, 2].map(|k| solution[(3 * i + k, j)]));
    let of_field = |j: usize| (0..positions.len()).map(|i| node(i, j)).collect();
    Ok((0..fields.len()).map(of_field).collect())
}

/// Total force and total torque about the origin.
pub fn resultant(positions: &[DVec3], forces: &[DVec3]) -> (DVec3, DVec3) {
    let torque = positions.iter().zip(forces).map(|(x, f)| x.cross(*f)).sum();
    (forces.iter().sum(), torque)
}

/// Rigid helices of Rodenborn et al. 2013 (PNAS 110, E338).
pub mod rodenborn {
    use super::{DVec3, TAU};

    /// Helix radius R, m.
    pub const RADIUS: f64 = 6.3e-3;
    /// Axial length, m.
    pub const LENGTH: f64 = 0.130;
    /// Radius of the rod, m.
    pub const ROD_RADIUS: f64 = 0.397e-3;
    /// Pitch over R, and the number of edges of length 5 rod radii.
    pub const PITCHES: [(f64, usize); 3] = [(2.226, 196), (6.509, 91), (15.241, 71)];

    /// Thrust/(mu Omega R^2), torque/(mu Omega R^3), drag/(mu U R) of the experiment at these
    /// pitches, digitised from its Fig. 2.
    pub const EXPERIMENT: [[f64; 3]; 3] =
        [[6.26, 131.9, 52.1], [11.03, 81.9, 39.4], [7.84, 68.1, 34.1]];

    /// Thrust, torque and drag, and the thrust coefficient from translation (torque by drag),
    /// dimensionless, of force and torque by unit rotation and by unit translation at unit
    /// viscosity. A right-handed helix that turns by +x pushes fluid towards -x.
    pub fn coefficients(turning: (DVec3, DVec3), pulled: (DVec3, DVec3)) -> ([f64; 3], f64) {
        let found = [
            -turning.0.x / RADIUS.powi(2),
            turning.1.x / RADIUS.powi(3),
            pulled.0.x / RADIUS,
        ];
        (found, -pulled.1.x / RADIUS.powi(2))
    }

    /// Nodes on the curve, axis +x, phase 0 at the start.
    pub fn helix(pitch: f64, edges: usize) -> Vec<DVec3> {
        let node = |i: usize| {
            let x = LENGTH * i as f64 / edges as f64;
            let angle = TAU * x / (pitch * RADIUS);
            DVec3::new(x, RADIUS * angle.cos(), RADIUS * angle.sin())
        };
        (0..=edges).map(node).collect()
    }
}

/// One flagellum of Tong et al. 2022 as their program builds it.
pub mod tong {
    use super::{DVec3, TAU};

    /// Rod radius h, m.
    pub const RADIUS: f64 = 1e-3;
    /// Radius of the helix, m.
    pub const HELIX_RADIUS: f64 = 0.01;
    /// Pitch, m.
    pub const PITCH: f64 = 0.05;
    /// Axial length, m.
    pub const AXIAL: f64 = 0.2;
    /// Edges of the helix.
    pub const EDGES: usize = 64;

    /// 68 nodes, m, rotation axis +x: a clamped edge on the axis, a lead-in of two edges at 45
    /// degrees, a helix of four turns.
    pub fn flagellum() -> Vec<DVec3> {
        flagellum_with(EDGES)
    }

    /// The same with so many edges in the helix; clamped edge and lead-in as with 64.
    pub fn flagellum_with(edges: usize) -> Vec<DVec3> {
        let (a, rise) = (HELIX_RADIUS, PITCH / TAU);
        let turns = AXIAL / rise;
        let edge = turns * rise.hypot(a) / EDGES as f64;
        let mut nodes = vec![DVec3::new(-edge - a, 0.0, 0.0), DVec3::new(-a, 0.0, 0.0)];
        nodes.push(DVec3::new(-0.5 * a, 0.5 * a, 0.0));
        nodes.extend((0..=edges).map(|i| {
            let s = turns * i as f64 / edges as f64;
            DVec3::new(rise * s, a * s.cos(), a * s.sin())
        }));
        nodes
    }
}
