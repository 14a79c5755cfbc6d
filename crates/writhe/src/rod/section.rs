//! Cross sections: stiffness, mass and contact radius per edge.

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

/// Isotropic linear elastic material.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Material {
    /// Young's modulus E, Pa.
    pub young: f64,
    /// Shear modulus G, Pa.
    pub shear: f64,
    /// Density rho, kg/m^3.
    pub density: f64,
}

impl Material {
    /// The material of Young's modulus (Pa), Poisson's ratio and density (kg/m^3): `G = E / 2(1 +
    /// nu)`.
    pub fn new(young: f64, poisson: f64, density: f64) -> Self {
        Self {
            young,
            shear: young / (2.0 * (1.0 + poisson)),
            density,
        }
    }
}

/// What one edge of a rod is made of.
///
/// Curvature component 1 is along the material director `m1`, so a section that is wide along
/// `m1` has a large `ei1`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Section {
    /// Stretching stiffness EA, N.
    pub ea: f64,
    /// Bending stiffness against curvature along `m1`, N m^2.
    pub ei1: f64,
    /// Bending stiffness against curvature along `m2`, N m^2.
    pub ei2: f64,
    /// Twisting stiffness GJ, N m^2.
    pub gj: f64,
    /// Mass per length rho A, kg/m.
    pub mass_per_length: f64,
    /// Rotational inertia about the tangent per length, rho (I1 + I2), kg m.
    pub inertia_per_length: f64,
    /// Radius h used by contact, hydrodynamics and pictures, m.
    pub radius: f64,
}

/// A section that no rod can have.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{name} must be {need}, but it is {value}")]
pub struct SectionError {
    /// Name of the quantity.
    pub name: &'static str,
    /// Value that was given.
    pub value: f64,
    /// Requirement on it, in words.
    pub need: &'static str,
}

impl Section {
    /// Solid circle of radius `r`, m.
    pub fn circle(material: Material, r: f64) -> Self {
        Self::solid(
            material,
            PI * r * r,
            [PI * r.powi(4) / 4.0; 2],
            PI * r.powi(4) / 2.0,
            r,
        )
    }

    /// Solid ellipse with semi-axes `a` along `m1` and `b` along `m2`, m.
    ///
    /// Torsion constant `pi a^3 b^3 / (a^2 + b^2)`; the contact radius is that of the circle of
    /// equal area.
    pub fn ellipse(material: Material, a: f64, b: f64) -> Self {
        // EI1 resists curvature along m1: the integral of the square of the coordinate along m1.
        let inertia = [PI * a.powi(3) * b / 4.0, PI * a * b.powi(3) / 4.0];
        let torsion = PI * (a * b).powi(3) / (a * a + b * b);
        Self::solid(material, PI * a * b, inertia, torsion, (a * b).sqrt())
    }

    /// Solid rectangle with full widths `a` along `m1` and `b` along `m2`, m.
    ///
    /// The torsion constant is Saint-Venant's series (Timoshenko and Goodier, Theory of Elasticity,
    /// art. 109); the contact radius is that of the circle of equal area.
    pub fn rectangle(material: Material, a: f64, b: f64) -> Self {
        // As for the ellipse, the extent along m1 enters EI1 with its third power.
        let inertia = [a.powi(3) * b / 12.0, a * b.powi(3) / 12.0];
        let radius = (a * b / PI).sqrt();
        Self::solid(material, a * b, inertia, rectangle_torsion(a, b), radius)
    }

    fn solid(material: Material, area: f64, inertia: [f64; 2], torsion: f64, radius: f64) -> Self {
        Self {
            ea: material.young * area,
            ei1: material.young * inertia[0],
            ei2: material.young * inertia[1],
            gj: material.shear * torsion,
            mass_per_length: material.density * area,
            inertia_per_length: material.density * (inertia[0] + inertia[1]),
            radius,
        }
    }

    /// Checks that every stiffness, the mass and the radius are finite and positive.
    ///
    /// # Errors
    /// [`SectionError`] with the name of the first quantity out of range.
    pub fn check(&self) -> Result<(), SectionError> {
        let need = "finite and greater than zero";
        for (name, value) in [
            ("EA", self.ea),
            ("EI1", self.ei1),
            ("EI2", self.ei2),
            ("GJ", self.gj),
            ("mass per length", self.mass_per_length),
            ("rotational inertia per length", self.inertia_per_length),
            ("radius", self.radius),
        ] {
            if !(value.is_finite() && value > 0.0) {
                return Err(SectionError { name, value, need });
            }
        }
        Ok(())
    }
}

/// Saint-Venant torsion constant of a rectangle with full widths `a` and `b`.
fn rectangle_torsion(a: f64, b: f64) -> f64 {
    let (long, short) = if a >= b { (a, b) } else { (b, a) };
    // Terms fall like n^-5; forty odd terms reach rounding.
    let sum: f64 = (0..40)
        .map(|k| {
            let n = f64::from(2 * k + 1);
            (n * PI * long / (2.0 * short)).tanh() / n.powi(5)
        })
        .sum();
    long * short.powi(3) / 3.0 * (1.0 - 192.0 * short / (PI.powi(5) * long) * sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn square_torsion_constant_is_saint_venants() {
        // Timoshenko and Goodier, table for a/b = 1: 0.1406 (2a)^4.
        assert!((rectangle_torsion(1.0, 1.0) - 0.140_577).abs() < 1e-5);
    }

    #[test]
    fn ellipse_with_equal_axes_is_a_circle() {
        let m = Material::new(3e6, 0.5, 1000.0);
        let (c, e) = (Section::circle(m, 1e-3), Section::ellipse(m, 1e-3, 1e-3));
        for (a, b) in [(c.ea, e.ea), (c.ei1, e.ei1), (c.ei2, e.ei2), (c.gj, e.gj)] {
            assert!((a - b).abs() < 1e-14 * a);
        }
        // T22's rod: EI = 2.356194e-6 N m^2, EA = 9.424778 N, GJ = 1.570796e-6 N m^2.
        assert!((c.ei1 - 2.356_194_490_192_345e-6).abs() < 1e-18);
        assert!((c.gj - 1.570_796_326_794_896_6e-6).abs() < 1e-18);
    }
}
