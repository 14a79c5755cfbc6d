//! How slowly rods swing: masses, and frequencies by their order of magnitude.

use std::f64::consts::PI;

use super::Model;
use crate::rod::RodLayout;

/// Lowest frequency of a cantilever over that of a rod with pinned ends: 1.8751^2 / pi^2.
const CANTILEVER: f64 = 0.356_25;
/// Mass at the tip of a cantilever against its own, for the lowest frequency: 1.8751^4 / 3.
const TIP: f64 = 4.120_8;

impl Model {
    /// Mass of the nodes of a rod that are not welded to bodies, kg; of the bodies where all are.
    pub(crate) fn rod_mass(&self, rod: &RodLayout) -> f64 {
        let nodes = rod.first_node..rod.first_node + rod.nodes;
        let own: f64 = (nodes.clone())
            .map(|n| self.mass[self.topology.node_dof[n]])
            .sum();
        if own > 0.0 {
            return own;
        }
        let holding = self.bodies.list.iter();
        let holding = holding.filter(|b| b.nodes.iter().any(|w| nodes.contains(&w.node)));
        holding.map(|body| body.mass).sum()
    }

    /// Smallest bending stiffness of a rod, N m^2.
    pub(crate) fn softest(&self, rod: &RodLayout) -> f64 {
        let edges = rod.first_edge..rod.first_edge + rod.edges;
        let all = self.bending_stiffness[edges].iter();
        all.fold(f64::INFINITY, |a, b| a.min(*b))
    }

    /// Square of the lowest bending frequency of a straight rod with pinned ends, `EI pi^4 / (m L^3)`
    /// with its mass m, 1/s^2: the smallest over all rods.
    pub(crate) fn lowest_bending(&self) -> f64 {
        let rods = self.topology.rods.iter().zip(&self.rod_length);
        let of_rod = |(rod, length): (&RodLayout, &f64)| {
            self.softest(rod) * PI.powi(4) / (self.rod_mass(rod) * length.powi(3))
        };
        rods.map(of_rod).fold(f64::INFINITY, f64::min)
    }

    /// Lowest frequency of each rod as a cantilever that carries all moving bodies at its tip, or turns
    /// the one that turns most heavily, 1/s, `(rods)`.
    pub(crate) fn swings(&self) -> Vec<f64> {
        let fixed = self.constraints.fixed();
        let moving = self.bodies.list.iter().zip(&self.topology.body_dof);
        let (mut carried, mut inertia) = (0.0, 0.0_f64);
        for (body, dof) in moving {
            let free = |dofs: std::ops::Range<usize>| dofs.into_iter().any(|dof| !fixed[dof]);
            if free(*dof..dof + 3) {
                carried += body.mass;
            }
            if free(dof + 3..dof + 6) {
                let i = body.inertia;
                let largest = i.x_axis.x.max(i.y_axis.y).max(i.z_axis.z);
                inertia = inertia.max(largest);
            }
        }
        let of_rod = |(rod, length): (&RodLayout, &f64)| {
            let mass = self.rod_mass(rod) + TIP * carried;
            let swing = (CANTILEVER * PI * PI).powi(2) / (mass * length.powi(3));
            let turn = 1.0 / (inertia * length);
            (self.softest(rod) * swing.min(turn)).sqrt()
        };
        let rods = self.topology.rods.iter().zip(&self.rod_length);
        rods.map(of_rod).collect()
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use crate::bodies::Body;
    use crate::model::ModelBuilder;
    use crate::rod::{Material, Rod, Section};
    use crate::schedule::Motion;

    /// A cantilever with nothing, much or all at its tip: `EI (1.8751/L)^4 / mu`, `3 EI / (M L^3)`.
    #[test]
    fn cantilevers_swing_as_slowly_as_told() {
        let (radius, length) = (1e-3, 0.2);
        let rod = |edges: usize| {
            let x = |i: usize| DVec3::new(length * i as f64 / edges as f64, 0.0, 0.0);
            let section = Section::circle(Material::new(1e8, 0.5, 1e3), radius);
            Rod::open((0..=edges).map(x).collect(), section).unwrap()
        };
        let stiffness = 1e8 * std::f64::consts::PI * radius.powi(4) / 4.0;
        let alone = ModelBuilder::new().rod(rod(20)).clamp(0, 0, Motion::Still);
        let (model, _) = alone.build().unwrap();
        let wave: f64 = 1.8751 / length;
        let line = 1e3 * std::f64::consts::PI * radius * radius;
        let told = model.swings()[0];
        let wanted = (stiffness * wave.powi(4) / line).sqrt();
        assert!((told / wanted - 1.0).abs() < 1e-3, "{told} {wanted}");

        for edges in [20, 1] {
            let inertia = DVec3::splat(1e-9);
            let tip = DVec3::new(length, 0.0, 0.0);
            let ball = Body::new(0.5, inertia, tip);
            let (model, _) = ModelBuilder::new()
                .rod(rod(edges))
                .body(ball)
                .weld(0, 0, edges - 1)
                .build()
                .unwrap();
            let told = model.swings()[0];
            let wanted = (3.0 * stiffness / (0.5 * length.powi(3))).sqrt();
            // A single edge is welded as a whole, with its inertia about the ball.
            let allowed = if edges == 1 { 0.2 } else { 2e-3 };
            assert!(
                (told / wanted - 1.0).abs() < allowed,
                "{edges}: {told} {wanted}"
            );
            assert!(model.lowest_bending().is_finite());
        }
    }
}
