//! A fluid: beads at the nodes that drag each other by the tensor of Rotne, Prager and Yamakawa.

use std::f64::consts::PI;

use glam::{DMat3, DVec3};
use writhe::fluid::{FluidError, Medium, Mobility, Resistance, Rods};

/// Beads of one radius in a viscous fluid.
#[derive(Debug, Clone, Copy)]
pub struct Beads {
    /// Viscosity, Pa s.
    pub viscosity: f64,
    /// Radius of a bead, m.
    pub radius: f64,
}

impl Beads {
    /// Mobility of a single bead, m/(N s), by Stokes's law.
    pub fn alone(&self) -> f64 {
        1.0 / (6.0 * PI * self.viscosity * self.radius)
    }

    /// How a force on a bead moves another at `way`, m, from it.
    pub fn pair(&self, way: DVec3) -> DMat3 {
        let (r, a) = (way.length(), self.radius);
        let along = outer(way / r);
        if r > 2.0 * a {
            let far = 2.0 * a * a / (r * r);
            let scale = 1.0 / (8.0 * PI * self.viscosity * r);
            scale * ((1.0 + far / 3.0) * DMat3::IDENTITY + (1.0 - far) * along)
        } else {
            let near = 9.0 * r / (32.0 * a);
            self.alone() * ((1.0 - near) * DMat3::IDENTITY + near / 3.0 * along)
        }
    }
}

impl Medium for Beads {
    fn mobility(&self) -> Box<dyn Mobility> {
        Box::new(Assembled {
            beads: *self,
            positions: Vec::new(),
            resistance: Resistance::default(),
        })
    }

    fn resolution(&self, _: Rods) -> f64 {
        self.radius
    }
}

/// The beads somewhere.
#[derive(Debug)]
struct Assembled {
    beads: Beads,
    positions: Vec<DVec3>,
    resistance: Resistance,
}

impl Mobility for Assembled {
    fn assemble(&mut self, _: Rods, positions: &[DVec3]) -> Result<(), FluidError> {
        if let Some(node) = positions.iter().position(|x| !x.is_finite()) {
            return Err(FluidError::Other(format!("bead {node} is nowhere")));
        }
        self.positions = positions.to_vec();
        let alone = DMat3::IDENTITY * self.beads.alone().recip();
        self.resistance = Resistance::local(vec![alone; positions.len()]);
        Ok(())
    }

    fn apply(&self, force: &[f64], velocity: &mut [f64]) -> Result<(), FluidError> {
        let forces: Vec<DVec3> = force.chunks_exact(3).map(DVec3::from_slice).collect();
        for (i, u) in velocity.chunks_exact_mut(3).enumerate() {
            let others = (0..forces.len()).filter(|j| *j != i);
            let pair = |j: usize| self.beads.pair(self.positions[i] - self.positions[j]);
            let dragged: DVec3 = others.map(|j| pair(j) * forces[j]).sum();
            let sum = self.beads.alone() * forces[i] + dragged;
            u.copy_from_slice(&sum.to_array());
        }
        Ok(())
    }

    fn resistance(&self) -> &Resistance {
        &self.resistance
    }
}

fn outer(e: DVec3) -> DMat3 {
    DMat3::from_cols(e * e.x, e * e.y, e * e.z)
}
