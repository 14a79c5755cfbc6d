//! Material and cross section.

use writhe::rod::{Material, Section};

use crate::error::SceneError;
use crate::tree::{Bound, Keys, POSITIVE, choice, table};
use crate::units::{
    Density, Force, InertiaPerLength, Length, MassPerLength, Number, Pressure, Rigidity,
};

table! {
    /// Isotropic linear elastic material.
    #[derive(Copy)]
    pub struct MaterialSpec:
        "a table such as { young = \"3 MPa\", poisson = 0.5, density = \"1000 kg/m^3\" }"
    {
        /// Young's modulus.
        pub young: Pressure => POSITIVE,
        /// Poisson's ratio; excludes `shear`.
        pub poisson: Option<Number> => POISSON,
        /// Shear modulus; excludes `poisson`.
        pub shear: Option<Pressure> => POSITIVE,
        /// Density.
        pub density: Density => POSITIVE,
    }
    check Self::check
}

impl MaterialSpec {
    /// From Young's modulus (Pa), Poisson's ratio and density (kg/m^3).
    pub const fn new(young: f64, poisson: f64, density: f64) -> Self {
        Self {
            young: Pressure::new(young),
            poisson: Some(Number::new(poisson)),
            shear: None,
            density: Density::new(density),
        }
    }

    /// Shear modulus, Pa.
    pub fn shear_modulus(&self) -> f64 {
        match self.shear {
            Some(g) => g.si(),
            None => self.young.si() / (2.0 * (1.0 + self.poisson.unwrap_or_default().si())),
        }
    }
}

impl MaterialSpec {
    fn check(&self, keys: &Keys) -> Result<(), SceneError> {
        match (self.poisson, self.shear) {
            (Some(_), Some(_)) => {
                let message = "`poisson` and `shear` say the same thing twice";
                let remedy = "keep one of them";
                keys.refuse(&Self::shear(), message, remedy)
            }
            (None, None) => Err(keys.missing(
                &Self::poisson(),
                "Poisson's ratio, such as 0.5 (or `shear`)".into(),
            )),
            _ => Ok(()),
        }
    }
}

/// A Poisson's ratio that a material can have.
pub(crate) const POISSON: Bound = Bound::within(-1.0, 0.5).open([true, false]);

choice! {
    /// Cross section of an edge.
    pub enum SectionSpec:
        "a table such as { circle = { radius = \"1 mm\" } }, or ellipse, rectangle, stiffness"
    {
        /// Solid circle.
        Circle = "circle" {
            /// Radius.
            radius: Length => POSITIVE,
        },
        /// Solid ellipse.
        Ellipse = "ellipse" {
            /// Semi-axis along the material director m1.
            a: Length => POSITIVE,
            /// Semi-axis along m2.
            b: Length => POSITIVE,
        },
        /// Solid rectangle.
        Rectangle = "rectangle" {
            /// Full width along the material director m1.
            a: Length => POSITIVE,
            /// Full width along m2.
            b: Length => POSITIVE,
        },
        /// Stiffnesses and masses themselves; no material is needed.
        Stiffness = "stiffness" {
            /// EA, against stretch.
            ea: Force => POSITIVE,
            /// EI1, against curvature along the material director m1.
            ei1: Rigidity => POSITIVE,
            /// EI2, against curvature along m2.
            ei2: Rigidity | "as `ei1`" = ei1 => POSITIVE,
            /// GJ, against twist.
            gj: Rigidity => POSITIVE,
            /// Mass per length.
            mass_per_length: MassPerLength => POSITIVE,
            /// Radius for contact, fluid and pictures.
            radius: Length => POSITIVE,
            /// Inertia per length about the tangent, rho (I1 + I2).
            inertia_per_length: InertiaPerLength | "that of a solid circle of this radius"
                = of_circle(mass_per_length, radius) => POSITIVE,
        },
    }
}

/// rho A h^2 / 2.
fn of_circle(mass_per_length: MassPerLength, radius: Length) -> InertiaPerLength {
    InertiaPerLength::new(0.5 * mass_per_length.si() * radius.si() * radius.si())
}

/// Radius of a section for contact, m.
pub(crate) fn radius(section: &SectionSpec) -> f64 {
    let any = Material {
        young: 1.0,
        shear: 1.0,
        density: 1.0,
    };
    match *section {
        SectionSpec::Circle { radius } | SectionSpec::Stiffness { radius, .. } => radius.si(),
        SectionSpec::Ellipse { a, b } => Section::ellipse(any, a.si(), b.si()).radius,
        SectionSpec::Rectangle { a, b } => Section::rectangle(any, a.si(), b.si()).radius,
    }
}
