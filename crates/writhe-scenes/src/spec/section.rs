//! Material and cross section.

use serde::Serialize;

use crate::error::{Problem, SceneError};
use crate::tree::{At, Keys, Read};
use crate::units::{
    Density, Force, InertiaPerLength, Length, MassPerLength, Number, Pressure, Rigidity,
};

/// Isotropic linear elastic material.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MaterialSpec {
    /// Young's modulus, Pa.
    pub young: Pressure,
    /// Poisson's ratio; excludes `shear`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub poisson: Option<Number>,
    /// Shear modulus, Pa; excludes `poisson`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shear: Option<Pressure>,
    /// Density, kg/m^3.
    pub density: Density,
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

/// Checks Poisson's ratio: above -1, at most 0.5.
pub(crate) fn check_poisson(keys: &Keys, poisson: Number) -> Result<(), SceneError> {
    let nu = poisson.si();
    keys.check(
        "poisson",
        nu,
        nu > -1.0 && nu <= 0.5,
        "greater than -1 and at most 0.5",
    )
}

impl Read for MaterialSpec {
    fn wanted() -> String {
        "a table such as { young = \"3 MPa\", poisson = 0.5, density = \"1000 kg/m^3\" }".into()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        let keys = Keys::new(at, &["young", "poisson", "shear", "density"])?;
        let young: Pressure = keys.required("young")?;
        keys.positive("young", young.si())?;
        let density: Density = keys.required("density")?;
        keys.positive("density", density.si())?;
        let poisson: Option<Number> = keys.optional("poisson")?;
        let shear: Option<Pressure> = keys.optional("shear")?;
        if let (Some(_), Some(_)) = (poisson, shear) {
            let message = "`poisson` and `shear` say the same thing twice".into();
            let remedy = "keep one of them".into();
            return keys.conflict("shear", Problem::Conflict { message, remedy });
        }
        poisson.map_or(Ok(()), |nu| check_poisson(&keys, nu))?;
        shear.map_or(Ok(()), |g| keys.positive("shear", g.si()))?;
        if poisson.is_none() && shear.is_none() {
            return Err(keys.missing(
                "poisson",
                "Poisson's ratio, such as 0.5 (or `shear`)".into(),
            ));
        }
        Ok(Self {
            young,
            poisson,
            shear,
            density,
        })
    }
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

const KINDS: &[&str] = &["circle", "ellipse", "rectangle", "stiffness"];
const DIRECT: &[&str] = &[
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
        let length = |keys: &Keys, name: &str| -> Result<Length, SceneError> {
            let value: Length = keys.required(name)?;
            keys.positive(name, value.si())?;
            Ok(value)
        };
        match kind {
            "circle" => {
                let keys = Keys::new(&inner, &["radius"])?;
                Ok(Self::Circle {
                    radius: length(&keys, "radius")?,
                })
            }
            "ellipse" => {
                let keys = Keys::new(&inner, &["a", "b"])?;
                Ok(Self::Ellipse {
                    a: length(&keys, "a")?,
                    b: length(&keys, "b")?,
                })
            }
            "rectangle" => {
                let keys = Keys::new(&inner, &["a", "b"])?;
                Ok(Self::Rectangle {
                    a: length(&keys, "a")?,
                    b: length(&keys, "b")?,
                })
            }
            _ => read_stiffness(&inner),
        }
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
