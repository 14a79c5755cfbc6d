//! What of the material and of the rest shape changes in time: checks, and flat arrays.

use glam::DVec3;

use crate::error::check;
use crate::loads::{FollowerLoad, Magnetism};
use crate::model::builder::ModelBuilder;
use crate::model::{BendingModel, ModelError};
use crate::rest_shape::RestStrain;
use crate::rod::Topology;

/// Stretch at rest up to which an edge keeps a length.
const MOST_SHORTENED: f64 = 0.9;

impl ModelBuilder {
    /// Refuses driven rest shapes, viscous rods, magnets and forces per length that make no sense.
    pub(super) fn check_materials(&self) -> Result<(), ModelError> {
        let rods = self.rods.len();
        let exists = |what, rod: usize| match rod < rods {
            true => Ok(()),
            false => Err(ModelError::NoSuchRod {
                what,
                rod,
                last: rods - 1,
            }),
        };
        let mut shortened = vec![0.0; rods];
        for driven in &self.driven {
            exists("a driven rest shape", driven.rod)?;
            if let Some((value, need)) = driven.law.fault() {
                return check("a driven rest shape", value, false, need);
            }
            if driven.strain == RestStrain::Stretch {
                shortened[driven.rod] += driven.law.largest();
                let sum: f64 = shortened[driven.rod];
                let need = "at most 0.9 in sum, so that edges keep a length";
                check("driven stretch", sum, sum <= MOST_SHORTENED, need)?;
            }
        }
        for (rod, law) in &self.viscoelasticity {
            exists("a viscous rod", *rod)?;
            if let Some((key, value, need)) = law.fault() {
                return check(key, value, false, need);
            }
        }
        let first = match (self.driven.is_empty(), self.viscoelasticity.is_empty()) {
            (true, true) => None,
            (false, _) => Some("a driven rest shape"),
            (true, false) => Some("a viscous rod"),
        };
        if let (Some(first), true) = (first, self.bending != BendingModel::HalfEdges) {
            return Err(ModelError::Pairing {
                first,
                second: "bending that is averaged or per edge",
                remedy: "take bending of half edges",
            });
        }
        for (rod, moments) in &self.magnets {
            exists("a magnetised rod", *rod)?;
            let (count, edges) = (moments.len(), self.rods[*rod].edges());
            let need = "one for each edge of its rod";
            check(
                "count of magnetic moments",
                count as f64,
                count == edges,
                need,
            )?;
            let bad = moments.iter().find(|m| !m.is_finite());
            let value = bad.map_or(0.0, |m| m.x + m.y + m.z);
            check("a magnetic moment", value, bad.is_none(), "finite")?;
        }
        for (rod, force, _) in &self.distributed {
            exists("a force per length", *rod)?;
            let (value, good) = match force {
                FollowerLoad::Pressure { pressure, normal } => {
                    let unit = (normal.length() - 1.0).abs() < 1e-9;
                    (*pressure, pressure.is_finite() && unit)
                }
                FollowerLoad::Frame(f) => (f.x + f.y + f.z, f.is_finite()),
            };
            check(
                "a force per length",
                value,
                good,
                "finite, with a unit normal",
            )?;
        }
        if let Some(field) = &self.magnetic_field {
            let g = field.gradient;
            let (skew, trace) = (g - g.transpose(), g.x_axis.x + g.y_axis.y + g.z_axis.z);
            let size = g
                .to_cols_array()
                .iter()
                .fold(0.0_f64, |a, v| a.max(v.abs()));
            let curl = skew
                .to_cols_array()
                .iter()
                .fold(0.0_f64, |a, v| a.max(v.abs()));
            let small = 1e-9 * size;
            check(
                "trace of the field's gradient",
                trace,
                trace.abs() <= small,
                "0",
            )?;
            let need = "0: the gradient is symmetric";
            check("curl of the field's gradient", curl, curl <= small, need)?;
            let numbers = field.uniform.is_finite() && g.is_finite() && field.rate.is_finite();
            let need = "a field of finite numbers";
            check("magnetic field", field.uniform.length(), numbers, need)?;
        }
        Ok(())
    }

    /// The magnets in their field, if there are any and one.
    pub(super) fn flat_magnets(&mut self, topology: &Topology) -> Option<Magnetism> {
        let field = self.magnetic_field.take()?;
        if self.magnets.is_empty() {
            return None;
        }
        let mut moment = vec![DVec3::ZERO; topology.edges()];
        for (rod, moments) in &self.magnets {
            let first = topology.rods[*rod].first_edge;
            for (edge, own) in moments.iter().enumerate() {
                moment[first + edge] += *own;
            }
        }
        Some(Magnetism { moment, field })
    }
}
