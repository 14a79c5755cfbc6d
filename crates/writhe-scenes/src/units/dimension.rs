//! Dimensions as powers of metre, kilogram, second and radian.

use std::fmt;

/// Powers of metre, kilogram, second and radian.
///
/// Angles have a dimension of their own here, so that a rotation speed given as `15 1/s` (turns or
/// radians?) is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Dimension {
    /// Power of the metre.
    pub metre: i32,
    /// Power of the kilogram.
    pub kilogram: i32,
    /// Power of the second.
    pub second: i32,
    /// Power of the radian.
    pub radian: i32,
}

/// Name, example and powers of every dimension that a scene asks for.
const KNOWN: [(&str, &str, Dimension); 21] = [
    ("a plain number", "0.3", Dimension::new(0, 0, 0, 0)),
    ("a length", "\"1 mm\"", Dimension::new(1, 0, 0, 0)),
    ("a time", "\"20 ms\"", Dimension::new(0, 0, 1, 0)),
    ("a mass", "\"1 g\"", Dimension::new(0, 1, 0, 0)),
    ("an angle", "\"30 deg\"", Dimension::new(0, 0, 0, 1)),
    ("a speed", "\"6 mm/s\"", Dimension::new(1, 0, -1, 0)),
    (
        "a rotation speed",
        "\"15 rpm\"",
        Dimension::new(0, 0, -1, 1),
    ),
    (
        "an acceleration",
        "\"9.81 m/s^2\"",
        Dimension::new(1, 0, -2, 0),
    ),
    ("a force", "\"2 mN\"", Dimension::new(1, 1, -2, 0)),
    (
        "a force per length",
        "\"2 N/m\"",
        Dimension::new(0, 1, -2, 0),
    ),
    ("a moment", "\"1e-4 N m\"", Dimension::new(2, 1, -2, 0)),
    ("a pressure", "\"3 MPa\"", Dimension::new(-1, 1, -2, 0)),
    ("a viscosity", "\"0.1 Pa s\"", Dimension::new(-1, 1, -1, 0)),
    ("a density", "\"1000 kg/m^3\"", Dimension::new(-3, 1, 0, 0)),
    (
        "a bending or twisting stiffness",
        "\"1e-6 N m^2\"",
        Dimension::new(3, 1, -2, 0),
    ),
    (
        "a mass per length",
        "\"3 g/m\"",
        Dimension::new(-1, 1, 0, 0),
    ),
    (
        "an inertia per length",
        "\"1e-9 kg m\"",
        Dimension::new(1, 1, 0, 0),
    ),
    ("a rate", "\"0.5 1/s\"", Dimension::new(0, 0, -1, 0)),
    ("a curvature", "\"20 1/m\"", Dimension::new(-1, 0, 0, 0)),
    (
        "an angle per length",
        "\"90 deg/m\"",
        Dimension::new(-1, 0, 0, 1),
    ),
    (
        "a moment of inertia",
        "\"1e-5 kg m^2\"",
        Dimension::new(2, 1, 0, 0),
    ),
];

/// Units with a name of their own, and their powers.
const NAMED: [(&str, Dimension); 6] = [
    ("N", Dimension::new(1, 1, -2, 0)),
    ("N/m", Dimension::new(0, 1, -2, 0)),
    ("N m", Dimension::new(2, 1, -2, 0)),
    ("N m^2", Dimension::new(3, 1, -2, 0)),
    ("Pa", Dimension::new(-1, 1, -2, 0)),
    ("Pa s", Dimension::new(-1, 1, -1, 0)),
];

impl Dimension {
    /// A plain number.
    pub const NONE: Self = Self::new(0, 0, 0, 0);

    /// From the powers of metre, kilogram, second and radian.
    pub const fn new(metre: i32, kilogram: i32, second: i32, radian: i32) -> Self {
        Self {
            metre,
            kilogram,
            second,
            radian,
        }
    }

    /// Dimension of a product.
    pub fn times(self, other: Self) -> Self {
        Self::new(
            self.metre.saturating_add(other.metre),
            self.kilogram.saturating_add(other.kilogram),
            self.second.saturating_add(other.second),
            self.radian.saturating_add(other.radian),
        )
    }

    /// Dimension of a power.
    pub fn power(self, n: i32) -> Self {
        Self::new(
            self.metre.saturating_mul(n),
            self.kilogram.saturating_mul(n),
            self.second.saturating_mul(n),
            self.radian.saturating_mul(n),
        )
    }

    /// Whether a quantity of this dimension may stand where `wanted` is asked for: equal, or
    /// different only by an angle (`N m/rad` is a moment) where no angle is asked for.
    pub fn fits(self, wanted: Self) -> bool {
        let without_angle = Self { radian: 0, ..self };
        self == wanted || (wanted.radian == 0 && wanted != Self::NONE && without_angle == wanted)
    }

    /// What it is called, with its article: "a length".
    pub fn name(self) -> Option<&'static str> {
        KNOWN
            .iter()
            .find(|(_, _, d)| *d == self)
            .map(|(name, ..)| *name)
    }

    /// How a user may write one.
    pub fn example(self) -> &'static str {
        KNOWN
            .iter()
            .find(|(_, _, d)| *d == self)
            .map_or("a number in SI", |(_, example, _)| *example)
    }

    /// "a length (m)", or "something in m^4" where it has no name.
    pub fn describe(self) -> String {
        match self.name() {
            Some(name) if self == Self::NONE => name.to_owned(),
            Some(name) => format!("{name} ({self})"),
            None => format!("something in {self}"),
        }
    }
}

impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((unit, _)) = NAMED.iter().find(|(_, d)| d == self) {
            return f.write_str(unit);
        }
        let powers = [
            ("kg", self.kilogram),
            ("m", self.metre),
            ("rad", self.radian),
            ("s", self.second),
        ];
        let part = |sign: i32| -> Vec<String> {
            let chosen = powers.iter().filter(|(_, n)| n.signum() == sign);
            chosen
                .map(|(unit, n)| match n.unsigned_abs() {
                    1 => (*unit).to_owned(),
                    n => format!("{unit}^{n}"),
                })
                .collect()
        };
        let (above, below) = (part(1), part(-1));
        let above = if above.is_empty() {
            "1".to_owned()
        } else {
            above.join(" ")
        };
        match below.as_slice() {
            [] => write!(f, "{above}"),
            [one] => write!(f, "{above}/{one}"),
            many => write!(f, "{above}/({})", many.join(" ")),
        }
    }
}
