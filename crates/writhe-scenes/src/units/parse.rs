//! Reads a number with a unit: `1e-6 N m^2`, `15 rpm`, `1000 kg/m^3`.

use super::{Dimension, table};

/// A text that is not a quantity.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum UnitError {
    /// Nothing is written.
    #[error("it is empty")]
    Empty,
    /// It does not start with a number.
    #[error("it does not start with a number")]
    NoNumber,
    /// The number is infinite or not a number.
    #[error("its number is not finite")]
    NotFinite,
    /// No such unit.
    #[error("`{unit}` is not a unit{}", nearest.as_ref().map_or(String::new(), |n| format!("; did you mean `{n}`?")))]
    UnknownUnit {
        /// As written.
        unit: String,
        /// The unit that was perhaps meant.
        nearest: Option<String>,
    },
    /// `a/b c`.
    #[error("`{text}` can be read in two ways; use brackets after the slash, as in `N/(m s)`")]
    Ambiguous {
        /// The unit as written.
        text: String,
    },
    /// Hertz says neither radians nor turns.
    #[error(
        "Hz says neither radians nor turns; write rad/s, rpm or rev/s (or 1/s for a plain rate)"
    )]
    Hertz,
    /// Of magnetism there are plain numbers alone.
    #[error(
        "`{unit}` is not a unit here; a magnetic field is a plain number in T, a magnetisation in A/m"
    )]
    Magnetic {
        /// As written.
        unit: String,
    },
    /// Something else is wrong with the unit.
    #[error("`{text}` behind the number is no unit{}",
        if text.starts_with(',') { ": numbers have a decimal point, as in 0.1" } else { "" })]
    Malformed {
        /// The unit as written.
        text: String,
    },
}

/// Largest power that a unit may have.
const MAX_POWER: i32 = 12;
/// Deepest nesting of brackets.
const MAX_DEPTH: u32 = 8;

/// A number in SI and its dimension; `None` where no unit is written.
///
/// # Errors
/// See [`UnitError`].
pub fn parse_quantity(text: &str) -> Result<(f64, Option<Dimension>), UnitError> {
    let text = text.trim();
    if text.is_empty() {
        return Err(UnitError::Empty);
    }
    let (number, unit) = text.split_at(number_length(text));
    let number: String = number.chars().filter(|c| *c != '_').collect();
    let value: f64 = number.parse().map_err(|_| UnitError::NoNumber)?;
    let unit = unit.trim();
    let (factor, dimension) = if unit.is_empty() {
        (1.0, None)
    } else {
        let (factor, dimension) = parse_unit(unit)?;
        (factor, Some(dimension))
    };
    let value = scaled(value, factor);
    if value.is_finite() {
        Ok((value, dimension))
    } else {
        Err(UnitError::NotFinite)
    }
}

/// `value * factor`; by division where the factor is one over a whole number, so that "0.1 mm" is
/// the same number as 1e-4.
pub(crate) fn scaled(value: f64, factor: f64) -> f64 {
    let whole = (1.0 / factor).round();
    if factor < 1.0 && (whole * factor - 1.0).abs() < 1e-15 {
        value / whole
    } else {
        value * factor
    }
}

/// Length of the number at the start of `text`, bytes. An `e` belongs to it only if digits follow.
pub(crate) fn number_length(text: &str) -> usize {
    let b = text.as_bytes();
    let digits = |mut i: usize| {
        while b.get(i).is_some_and(|c| c.is_ascii_digit() || *c == b'_') {
            i += 1;
        }
        i
    };
    let sign = |i: usize| i + usize::from(b.get(i).is_some_and(|c| matches!(c, b'+' | b'-')));
    let mut end = digits(sign(0));
    if b.get(end) == Some(&b'.') {
        end = digits(end + 1);
    }
    if b.get(end).is_some_and(|c| matches!(c, b'e' | b'E')) {
        let start = sign(end + 1);
        if digits(start) > start {
            end = digits(start);
        }
    }
    end
}

/// Size in SI and dimension of a unit such as `kg/m^3`.
pub(crate) fn parse_unit(text: &str) -> Result<(f64, Dimension), UnitError> {
    let mut parser = Parser { text, rest: text };
    let unit = parser.product(0)?;
    if parser.rest.is_empty() {
        Ok(unit)
    } else {
        Err(parser.malformed())
    }
}

struct Parser<'a> {
    text: &'a str,
    rest: &'a str,
}

impl Parser<'_> {
    fn malformed(&self) -> UnitError {
        UnitError::Malformed {
            text: self.text.to_owned(),
        }
    }

    fn take(&mut self, token: &str) -> bool {
        let rest = self.rest.trim_start();
        match rest.strip_prefix(token) {
            Some(after) => {
                self.rest = after.trim_start();
                true
            }
            None => false,
        }
    }

    /// Factors joined by blanks, `*`, `·` and `/`, from left to right.
    fn product(&mut self, depth: u32) -> Result<(f64, Dimension), UnitError> {
        let (mut factor, mut dimension) = self.factor(depth)?;
        let mut divided = false;
        loop {
            self.rest = self.rest.trim_start();
            if self.rest.is_empty() || self.rest.starts_with(')') {
                return Ok((factor, dimension));
            }
            if self.take("/") {
                divided = true;
                let (f, d) = self.factor(depth)?;
                (factor, dimension) = (factor / f, dimension.times(d.power(-1)));
            } else {
                let explicit = self.take("*") || self.take("·");
                if divided && !explicit {
                    return Err(UnitError::Ambiguous {
                        text: self.text.to_owned(),
                    });
                }
                let (f, d) = self.factor(depth)?;
                (factor, dimension) = (factor * f, dimension.times(d));
            }
        }
    }

    /// A unit, a bracket or the number 1, with an optional power.
    fn factor(&mut self, depth: u32) -> Result<(f64, Dimension), UnitError> {
        let (factor, dimension) = if self.take("(") {
            if depth >= MAX_DEPTH {
                return Err(self.malformed());
            }
            let inner = self.product(depth + 1)?;
            if !self.take(")") {
                return Err(self.malformed());
            }
            inner
        } else if self.take("1") {
            (1.0, Dimension::NONE)
        } else {
            self.symbol()?
        };
        let n = self.power()?;
        Ok((factor.powi(n), dimension.power(n)))
    }

    fn symbol(&mut self) -> Result<(f64, Dimension), UnitError> {
        let end = self
            .rest
            .find(|c: char| !(c.is_alphabetic() || c == '°' || c == '%'))
            .unwrap_or(self.rest.len());
        let (symbol, rest) = self.rest.split_at(end);
        if symbol.is_empty() {
            return Err(self.malformed());
        }
        if symbol.ends_with("Hz") {
            return Err(UnitError::Hertz);
        }
        self.rest = rest;
        let unit = symbol.to_owned();
        table::find(symbol).ok_or_else(|| {
            match symbol.trim_start_matches(['n', 'u', 'µ', 'μ', 'm', 'k', 'M']) {
                "T" | "A" => UnitError::Magnetic { unit },
                _ => UnitError::UnknownUnit {
                    unit,
                    nearest: table::nearest(symbol),
                },
            }
        })
    }

    /// `^2`, `**2`, `2` (directly behind the unit), `²`, `³`, or nothing.
    fn power(&mut self) -> Result<i32, UnitError> {
        for (sign, n) in [("²", 2), ("³", 3)] {
            if let Some(rest) = self.rest.strip_prefix(sign) {
                self.rest = rest;
                return Ok(n);
            }
        }
        let marked = self.rest.starts_with(['^', '*']) && (self.take("^") || self.take("**"));
        let signed = usize::from(self.rest.starts_with(['-', '+']));
        let digits = self.rest[signed..]
            .bytes()
            .take_while(u8::is_ascii_digit)
            .count();
        if digits == 0 {
            return if marked { Err(self.malformed()) } else { Ok(1) };
        }
        let (number, rest) = self.rest.split_at(signed + digits);
        match number.parse::<i32>() {
            Ok(n) if n.abs() <= MAX_POWER => {
                self.rest = rest;
                Ok(n)
            }
            _ => Err(self.malformed()),
        }
    }
}
