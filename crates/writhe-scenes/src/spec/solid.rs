//! Shapes of bodies, and that of a body of which only mass and inertia are known.

use crate::tree::{POSITIVE, choice};
use crate::units::Length;

/// Moments of inertia that differ by less than this part count as equal.
const SAME_MOMENT: f64 = 1e-6;
/// A side is at least this part of the longest: a plate has a thickness that its inertia does not
/// tell.
const THINNEST: f64 = 0.02;

choice! {
    /// Shape of a body around its centre of mass.
    pub enum SolidSpec:
        "a table such as { sphere = { radius = \"1 cm\" } }, or box = { size = [..] }, cylinder = { radius = .., length = .. }"
    {
        /// A ball.
        Sphere = "sphere" {
            /// Radius.
            radius: Length => POSITIVE,
        },
        /// A box.
        Box = "box" {
            /// Sides along its own axes.
            size: [Length; 3] => POSITIVE,
        },
        /// A cylinder along its own z.
        Cylinder = "cylinder" {
            /// Radius.
            radius: Length => POSITIVE,
            /// Length.
            length: Length => POSITIVE,
        },
    }
}

impl SolidSpec {
    /// Volume, m^3.
    pub fn volume(&self) -> f64 {
        use std::f64::consts::PI;
        match self {
            Self::Sphere { radius } => 4.0 / 3.0 * PI * radius.si().powi(3),
            Self::Box { size } => size.iter().map(|s| s.si()).product(),
            Self::Cylinder { radius, length } => PI * radius.si().powi(2) * length.si(),
        }
    }

    /// The homogeneous ball, cylinder along z or box that has this `mass`, kg, and these moments of
    /// `inertia` about its axes, kg m^2: a ball where all are equal, a cylinder where the first two
    /// are.
    ///
    /// A ball has `I = 2/5 m r^2`; a cylinder `Iz = m r^2/2, Ix = m (3 r^2 + l^2)/12`; a box of
    /// sides a, b, c `Ia = m (b^2 + c^2)/12`.
    pub fn of_inertia(mass: f64, inertia: [f64; 3]) -> Self {
        let [x, y, z] = inertia;
        let same = |a: f64, b: f64| (a - b).abs() <= SAME_MOMENT * a.max(b);
        if same(x, y) && same(y, z) {
            return Self::Sphere {
                radius: Length::new((2.5 * x / mass).sqrt()),
            };
        }
        if same(x, y) {
            let radius = (2.0 * z / mass).sqrt();
            let length = ((6.0 * (x + y) - 6.0 * z) / mass).max(0.0).sqrt();
            return Self::Cylinder {
                radius: Length::new(radius.max(THINNEST * length)),
                length: Length::new(length.max(THINNEST * radius)),
            };
        }
        let side = |own: f64| (6.0 * (x + y + z - 2.0 * own) / mass).max(0.0).sqrt();
        let sides = inertia.map(side);
        let thinnest = THINNEST * sides.iter().copied().fold(0.0, f64::max);
        Self::Box {
            size: sides.map(|s| Length::new(s.max(thinnest))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::body;
    use crate::spec::BodySpec;
    use crate::units::{Inertia, Mass};

    /// What is drawn of a body with a solid's own mass and inertia is that solid.
    #[test]
    fn the_solid_of_an_inertia_has_it() {
        let l = Length::new;
        let thin = SolidSpec::Cylinder {
            radius: l(0.03),
            length: l(0.004),
        };
        for solid in [
            SolidSpec::Sphere { radius: l(0.02) },
            SolidSpec::Box {
                size: [l(0.1), l(0.2), l(0.05)],
            },
            thin,
        ] {
            let spec = BodySpec {
                mass: Some(Mass::new(0.7)),
                solid: Some(solid),
                ..BodySpec::new()
            };
            let j = body(&spec).inertia;
            let moments = [j.x_axis.x, j.y_axis.y, j.z_axis.z];
            let alone = BodySpec {
                solid: None,
                inertia: Some(moments.map(Inertia::new)),
                ..spec
            };
            let numbers = |solid: SolidSpec| match solid {
                SolidSpec::Sphere { radius } => vec![radius.si()],
                SolidSpec::Box { size } => size.map(Length::si).to_vec(),
                SolidSpec::Cylinder { radius, length } => vec![radius.si(), length.si()],
            };
            let (found, wanted) = (numbers(alone.shape().unwrap()), numbers(solid));
            assert_eq!(found.len(), wanted.len());
            for (found, wanted) in found.iter().zip(&wanted) {
                assert!((found / wanted - 1.0).abs() < 1e-12, "{found} {wanted}");
            }
        }
    }

    #[test]
    fn plates_needles_and_joints() {
        let plate = SolidSpec::of_inertia(1.0, [1.0, 2.0, 3.0]);
        let SolidSpec::Box { size } = plate else {
            panic!("{plate:?}");
        };
        assert_eq!(size[2].si(), 0.02 * size[0].si());
        let needle = SolidSpec::of_inertia(1.0, [1.0, 1.0, 1e-12]);
        assert!(
            matches!(needle, SolidSpec::Cylinder { radius, length } if radius.si() == 0.02 * length.si())
        );
        assert_eq!(
            BodySpec::of_joint(Default::default(), Vec::new()).shape(),
            None
        );
    }
}
