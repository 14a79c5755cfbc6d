//! The error that a user wants a quantity to have.

/// An error that is wanted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Wanted {
    /// Relative to the limit.
    Relative(f64),
    /// In the unit of the observable.
    Absolute(f64),
}

impl Wanted {
    /// The error of a quantity with this limit.
    pub fn of(self, limit: f64) -> f64 {
        match self {
            Self::Relative(part) => part * limit.abs(),
            Self::Absolute(error) => error,
        }
    }
}

impl std::str::FromStr for Wanted {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (digits, relative) = match text.trim().strip_suffix('%') {
            Some(digits) => (digits, true),
            None => (text.trim(), false),
        };
        match digits.trim().parse::<f64>() {
            Ok(value) if value > 0.0 && value.is_finite() => Ok(match relative {
                true => Self::Relative(value / 100.0),
                false => Self::Absolute(value),
            }),
            _ => Err("write a part of the limit, e.g. 1%, or a number in the unit of the observable, e.g. 1e-5".to_owned()),
        }
    }
}
