//! Material and cross section.

use serde::Serialize;
use writhe::rod::{Material, Section};

use crate::error::{Problem, SceneError};
use crate::tree::{At, Given, Keys, Read, positive, table};
use crate::units::{
    Density, Force, InertiaPerLength, Length, MassPerLength, Number, Pressure, Rigidity,
};

table! {
    /// Isotropic linear elastic material.
    #[derive(Copy)]
    pub struct MaterialSpec:
        "a table such as { young = \"3 MPa\", poisson = 0.5, density = \"1000 kg/m^3\" }"
    {
        /// Young's modulus, Pa.
        pub young: Pressure => positive,
        /// Poisson's ratio; excludes `shear`.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub poisson: Option<Number> => poisson_ratio,
        /// Shear modulus, Pa; excludes `poisson`.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub shear: Option<Pressure> => positive,
        /// Density, kg/m^3.
        pub density: Density => positive,
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
                keys.conflict("shear", Problem::conflict(message, remedy))
            }
            (None, None) => Err(keys.missing(
                "poisson",
                "Poisson's ratio, such as 0.5 (or `shear`)".into(),
            )),
            _ => Ok(()),
        }
    }
}

/// Refuses a Poisson's ratio that no material has: it is above -1 and at most 0.5.
pub(crate) fn poisson_ratio(keys: &Keys, name: &str, ratio: &impl Given) -> Result<(), SceneError> {
    let nu = ratio.given().unwrap_or_default();
    let good = nu > -1.0 && nu <= 0.5;
    keys.check(name, nu, good, "greater than -1 and at most 0.5")
}

/// Cross section of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SectionSpec {
    /// Solid circle.
    Circle {
        /// Radius, m.
        radius: Length,
    },
    /// Solid ellipse.
    Ellipse {
        /// Semi-axis along m1, m.
        a: Length,
        /// Semi-axis along m2, m.
        b: Length,
    },
    /// Solid rectangle.
    Rectangle {
        /// Full width along m1, m.
        a: Length,
        /// Full width along m2, m.
        b: Length,
    },
    /// Stiffnesses and masses given directly.
    Stiffness {
        /// EA, N.
        ea: Force,
        /// Against curvature along m1, N m^2.
        ei1: Rigidity,
        /// Against curvature along m2, N m^2.
        ei2: Rigidity,
        /// GJ, N m^2.
        gj: Rigidity,
        /// rho A, kg/m.
        mass_per_length: MassPerLength,
        /// rho (I1 + I2), kg m.
        inertia_per_length: InertiaPerLength,
        /// Radius for contact, hydrodynamics and pictures, m.
        radius: Length,
    },
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

pub(crate) const KINDS: &[&str] = &["circle", "ellipse", "rectangle", "stiffness"];
pub(crate) const CIRCLE: &[&str] = &["radius"];
/// Of an ellipse and of a rectangle.
pub(crate) const SIDES: &[&str] = &["a", "b"];
pub(crate) const DIRECT: &[&str] = &[
    "ea",
    "ei1",
    "ei2",
    "gj",
    "mass_per_length",
    "inertia_per_length",
    "radius",
];

impl Read for SectionSpec {
    fn wanted() -> String {
        "a table such as { circle = { radius = \"1 mm\" } }, or ellipse, rectangle, stiffness"
            .into()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        let (kind, inner) = at.kind(KINDS)?;
        let known: &[&str] = match kind {
            "circle" => CIRCLE,
            "ellipse" | "rectangle" => SIDES,
            _ => return read_stiffness(&inner),
        };
        let keys = Keys::new(&inner, known)?;
        let length = |name: &str| -> Result<Length, SceneError> {
            let value = keys.required(name)?;
            positive(&keys, name, &value)?;
            Ok(value)
        };
        Ok(match kind {
            "circle" => Self::Circle {
                radius: length("radius")?,
            },
            "ellipse" => Self::Ellipse {
                a: length("a")?,
                b: length("b")?,
            },
            _ => Self::Rectangle {
                a: length("a")?,
                b: length("b")?,
            },
        })
    }
}

fn read_stiffness(at: &At) -> Result<SectionSpec, SceneError> {
    let keys = Keys::new(at, DIRECT)?;
    let ea: Force = keys.required("ea")?;
    let ei1: Rigidity = keys.required("ei1")?;
    let ei2 = keys.or("ei2", ei1)?;
    let gj: Rigidity = keys.required("gj")?;
    let radius: Length = keys.required("radius")?;
    let mass_per_length: MassPerLength = keys.required("mass_per_length")?;
    // That of a solid circle of this radius: rho A h^2 / 2.
    let circle = 0.5 * mass_per_length.si() * radius.si() * radius.si();
    let inertia_per_length = keys.or("inertia_per_length", InertiaPerLength::new(circle))?;
    for (name, value) in [
        ("ea", ea.si()),
        ("ei1", ei1.si()),
        ("ei2", ei2.si()),
        ("gj", gj.si()),
        ("radius", radius.si()),
        ("mass_per_length", mass_per_length.si()),
        ("inertia_per_length", inertia_per_length.si()),
    ] {
        keys.positive(name, value)?;
    }
    Ok(SectionSpec::Stiffness {
        ea,
        ei1,
        ei2,
        gj,
        mass_per_length,
        inertia_per_length,
        radius,
    })
}
