//! Rigid bodies in Stokes flow, shared by the integration tests of the fluid.
#![allow(dead_code)]

use faer::Mat;
use faer::linalg::solvers::Solve;
use glam::DVec3;
use writhe::loads::stokeslet_segments::mobility::Mobility;
use writhe::loads::stokeslet_segments::segments::{EndWeights, RodNodes, StokesModel};

/// Open rods of the given numbers of nodes, one regularisation for all edges.
pub fn open_rods(
    n_nodes: &[usize],
    epsilon: f64,
    viscosity: f64,
    weights: EndWeights,
) -> StokesModel {
    let mut first_node = 0;
    let mut rods = Vec::new();
    for &n_nodes in n_nodes {
        rods.push(RodNodes {
            first_node,
            n_nodes,
            closed: false,
        });
        first_node += n_nodes;
    }
    StokesModel::new(
        rods,
        vec![epsilon; first_node - n_nodes.len()],
        viscosity,
        weights,
    )
    .unwrap()
}

/// Nodal forces on the fluid (N) for each velocity field over the nodes, by LU of the dense mobility.
pub fn forces(
    model: &StokesModel,
    positions: &[DVec3],
    fields: &[&dyn Fn(DVec3) -> DVec3],
) -> Vec<Vec<DVec3>> {
    let mobility = Mobility::new(model, positions).unwrap();
    let velocity = Mat::from_fn(3 * positions.len(), fields.len(), |i, j| {
        fields[j](positions[i / 3])[i % 3]
    });
    let solution = mobility.dense().partial_piv_lu().solve(&velocity);
    (0..fields.len())
        .map(|j| {
            (0..positions.len())
                .map(|i| DVec3::from_array([0, 1, 2].map(|k| solution[(3 * i + k, j)])))
                .collect()
        })
        .collect()
}

/// Total force and total torque about the origin.
pub fn resultant(positions: &[DVec3], forces: &[DVec3]) -> (DVec3, DVec3) {
    let torque = positions.iter().zip(forces).map(|(x, f)| x.cross(*f)).sum();
    (forces.iter().sum(), torque)
}

pub fn relative(a: f64, b: f64) -> f64 {
    ((a - b) / b).abs()
}

/// One flagellum of Tong et al. 2022 as their program builds it, 68 nodes, rotation axis +x: a clamped edge on the
/// axis, a lead-in of two edges at 45 degrees, a helix (radius 1 cm, pitch 5 cm) of four turns in 64 edges. `shift`
/// moves it off the axis.
pub fn flagellum(shift: DVec3) -> Vec<DVec3> {
    let (radius, pitch, axial_length, n_helix) = (0.01, 0.05, 0.2, 64);
    let rise: f64 = pitch / std::f64::consts::TAU;
    let turns = axial_length / rise;
    let edge = turns * rise.hypot(radius) / f64::from(n_helix);
    let mut nodes = vec![
        DVec3::new(-edge - radius, 0.0, 0.0),
        DVec3::new(-radius, 0.0, 0.0),
    ];
    nodes.push(DVec3::new(-0.5 * radius, 0.5 * radius, 0.0));
    nodes.extend((0..=n_helix).map(|i| {
        let s = turns * f64::from(i) / f64::from(n_helix);
        DVec3::new(rise * s, radius * s.cos(), radius * s.sin())
    }));
    nodes.iter().map(|x| *x + shift).collect()
}

/// Flagella of a bundle with `n` rods on a regular polygon of side 3 cm.
pub fn bundle(n: usize) -> Vec<DVec3> {
    let m = n as f64;
    let pi = std::f64::consts::PI;
    let circumradius = 0.015 / ((m - 2.0) * pi / (2.0 * m)).cos();
    (0..n)
        .flat_map(|i| {
            let angle = 2.0 * pi * i as f64 / m;
            flagellum(circumradius * DVec3::new(0.0, 1.0 - angle.cos(), angle.sin()))
        })
        .collect()
}
