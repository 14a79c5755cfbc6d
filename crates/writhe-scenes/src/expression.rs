//! Expressions of the number of a copy: `10 mm + 0.3*i mm`, `360*i/n deg`, `2*random mm`.
//!
//! A sum, product or power of numbers, names and functions, and behind it a unit, which holds for
//! all of it: `1 + 2*i mm` is `(1 + 2*i) mm`. Further parts with units of their own may be added.

use std::cell::Cell;
use std::f64::consts::{PI, TAU};

use crate::error::{Problem, nearest};
use crate::random::Random;
use crate::units::{
    Dimension, QuantityError, UnitError, number_length, parse_quantity, parse_unit, scaled,
};

/// What expressions of a copy know.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RodCopy {
    /// Its number, from 0.
    pub number: usize,
    /// Its place along each side of a grid, from 0.
    pub index: [usize; 3],
    /// How many there are.
    pub count: usize,
    /// What chooses its random numbers.
    pub seed: u64,
}

const NAMES: [&str; 8] = ["i", "j", "k", "n", "copy", "random", "pi", "tau"];
const FUNCTIONS: [&str; 13] = [
    "sin", "cos", "tan", "atan2", "sqrt", "exp", "log", "abs", "floor", "min", "max", "mod",
    "random",
];
/// Functions of two values.
const OF_TWO: [&str; 4] = ["atan2", "min", "max", "mod"];
/// Copies for which a text is tried that stands where there are none.
const TRIED: usize = 8;
/// Deepest nesting of brackets and signs.
const MAX_DEPTH: u32 = 32;

/// The value of `text` in SI, where `wanted` belongs.
pub(crate) fn evaluate(text: &str, copy: &RodCopy, wanted: Dimension) -> Result<f64, Problem> {
    let mut parser = Parser {
        text,
        rest: text,
        copy,
        has_no_value: Cell::new(false),
    };
    parser.all(wanted)
}

/// Whether `text` is an expression where `wanted` belongs; and what keeps it from having a value for
/// one of the first copies, if anything does.
pub(crate) fn is_expression(text: &str, wanted: Dimension) -> (bool, Option<String>) {
    if parse_quantity(text) == Err(UnitError::NotFinite) {
        return (false, None);
    }
    let mut is_one = false;
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    let is_of_grid = words.any(|word| word == "j" || word == "k");
    for number in 0..TRIED {
        let copy = RodCopy {
            number,
            index: if is_of_grid {
                [number; 3]
            } else {
                [number, 0, 0]
            },
            count: TRIED,
            seed: 0,
        };
        let mut parser = Parser {
            text,
            rest: text,
            copy: &copy,
            has_no_value: Cell::new(false),
        };
        match parser.all(wanted) {
            Ok(_) => is_one = true,
            Err(problem) if parser.has_no_value.get() => {
                let told = problem.to_string();
                let what = told.strip_prefix(&format!("`{text}` ")).unwrap_or(&told);
                return (true, Some(what.to_owned()));
            }
            Err(_) => return (false, None),
        }
    }
    (is_one, None)
}

struct Parser<'a> {
    text: &'a str,
    rest: &'a str,
    copy: &'a RodCopy,
    /// Whether it is an expression, and has no value.
    has_no_value: Cell<bool>,
}

impl Parser<'_> {
    /// The value of the whole text in SI, where `wanted` belongs.
    fn all(&mut self, wanted: Dimension) -> Result<f64, Problem> {
        let text = self.text;
        let mut parts = vec![self.part(1.0, true)?];
        loop {
            let sign = match () {
                () if self.take("+") => 1.0,
                () if self.take("-") => -1.0,
                () => break,
            };
            parts.push(self.part(sign, false)?);
        }
        let wrong = |found| {
            Err(Problem::Quantity(QuantityError::Dimension {
                text: text.to_owned(),
                found,
                wanted,
            }))
        };
        let several = parts.len() > 1;
        for (_, dimension) in &parts {
            match dimension {
                Some(found) if !found.fits(wanted) => return wrong(*found),
                None if several && wanted != Dimension::NONE => return wrong(Dimension::NONE),
                _ => {}
            }
        }
        let sum: f64 = parts.iter().map(|(value, _)| value).sum();
        self.finite(sum, text)
    }

    /// An error about what is written, for which copy, and what to do.
    fn wrong<T>(&self, what: &str, remedy: impl Into<String>) -> Result<T, Problem> {
        let [i, j, k] = &self.copy.index;
        let place = if *j > 0 || *k > 0 {
            format!("i = {i}, j = {j}, k = {k}")
        } else {
            format!("i = {i}")
        };
        let message = format!("`{}` {what} at {place}", self.text);
        Err(Problem::conflict(message, remedy))
    }

    fn finite(&self, value: f64, what: &str) -> Result<f64, Problem> {
        if value.is_finite() {
            return Ok(value);
        }
        self.has_no_value.set(true);
        let part = match what.trim() {
            all if all == self.text.trim() => String::new(),
            part => format!(" in `{part}`"),
        };
        self.wrong(
            &format!("has no finite value{part}"),
            "write an expression that is finite for every copy",
        )
    }

    fn peek(&self) -> Option<char> {
        self.rest.trim_start().chars().next()
    }

    fn take(&mut self, token: &str) -> bool {
        let after = self.rest.trim_start().strip_prefix(token);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    /// A value with the unit behind it, in SI.
    fn part(&mut self, sign: f64, sum: bool) -> Result<(f64, Option<Dimension>), Problem> {
        let value = if sum { self.sum(0) } else { self.product(0) }?;
        // Signs between blanks add another part; others belong to powers of the unit.
        let unit = [" + ", " - "]
            .iter()
            .filter_map(|s| self.rest.find(s))
            .min();
        let (unit, rest) = self.rest.split_at(unit.unwrap_or(self.rest.len()));
        let unit = unit.trim();
        self.rest = rest;
        if unit.is_empty() {
            return Ok((sign * value, None));
        }
        let word = unit.find(|c: char| !c.is_alphabetic());
        let word = &unit[..word.unwrap_or(unit.len())];
        if NAMES.contains(&word)
            || !unit.starts_with(|c: char| c.is_alphabetic() || "1°%(µ".contains(c))
        {
            let what = format!("goes on with `{unit}` where an operator or a unit belongs");
            let remedy = match unit.starts_with(',') {
                true => "write numbers with a decimal point, as in \"0.1*i mm\"",
                false => "write `*` between factors, as in \"0.1*i mm\"",
            };
            return self.wrong(&what, remedy);
        }
        match parse_unit(unit) {
            Ok((factor, dimension)) => Ok((sign * scaled(value, factor), Some(dimension))),
            Err(source) => self.unit(source),
        }
    }

    fn unit<T>(&self, source: UnitError) -> Result<T, Problem> {
        if let UnitError::UnknownUnit { unit, .. } = &source
            && NAMES.contains(&unit.as_str())
        {
            let what = format!("has `{unit}` behind its unit");
            return self.wrong(&what, "write the unit last, as in \"0.1*i mm\"");
        }
        let what = format!("is no quantity: {source}");
        self.wrong(&what, "write an expression and a unit, as in \"0.1*i mm\"")
    }

    fn sum(&mut self, depth: u32) -> Result<f64, Problem> {
        let mut value = self.product(depth)?;
        loop {
            if self.take("+") {
                value += self.product(depth)?;
            } else if self.take("-") {
                value -= self.product(depth)?;
            } else {
                return Ok(value);
            }
        }
    }

    fn product(&mut self, depth: u32) -> Result<f64, Problem> {
        let mut value = self.signed(depth)?;
        loop {
            if self.rest.trim_start().starts_with("**") {
                return Ok(value);
            } else if self.take("*") {
                value *= self.signed(depth)?;
            } else if self.take("/") {
                let divisor = self.signed(depth)?;
                if divisor == 0.0 {
                    self.has_no_value.set(true);
                    let remedy = "write a divisor that is not zero for any copy, as in 1/(i + 1): i begins with 0";
                    return self.wrong("divides by zero", remedy);
                }
                value /= divisor;
            } else {
                return Ok(value);
            }
        }
    }

    fn signed(&mut self, depth: u32) -> Result<f64, Problem> {
        if depth > MAX_DEPTH {
            return self.wrong("is nested too deeply", "write it with fewer brackets");
        }
        if self.take("-") {
            return Ok(-self.signed(depth + 1)?);
        }
        let base = self.atom(depth)?;
        if self.take("**") || self.take("^") {
            let power = self.signed(depth + 1)?;
            return self.finite(base.powf(power), &format!("{base}^{power}"));
        }
        Ok(base)
    }

    fn atom(&mut self, depth: u32) -> Result<f64, Problem> {
        if self.take("(") {
            let value = self.sum(depth + 1)?;
            return self.close().map(|()| value);
        }
        self.rest = self.rest.trim_start();
        match self.peek() {
            Some(c) if c.is_ascii_digit() || c == '.' => {
                let (number, rest) = self.rest.split_at(number_length(self.rest));
                let digits: String = number.chars().filter(|c| *c != '_').collect();
                match digits.parse() {
                    Ok(value) => {
                        self.rest = rest;
                        self.finite(value, number)
                    }
                    Err(_) => self.no_value(),
                }
            }
            Some(c) if c.is_alphabetic() => self.name(depth),
            _ => self.no_value(),
        }
    }

    fn no_value<T>(&self) -> Result<T, Problem> {
        let what = match self.peek() {
            Some(c) => format!("has no value before `{c}`"),
            None => "ends where a value belongs".to_owned(),
        };
        self.wrong(&what, "write an expression and a unit, as in \"0.1*i mm\"")
    }

    fn close(&mut self) -> Result<(), Problem> {
        if self.take(")") {
            return Ok(());
        }
        self.wrong("has an open bracket", "add `)`")
    }

    fn name(&mut self, depth: u32) -> Result<f64, Problem> {
        let end = self.rest.find(|c: char| !(c.is_alphanumeric() || c == '_'));
        let (name, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        if self.take("(") {
            return self.function(name, depth);
        }
        let [i, j, k] = self.copy.index.map(|index| index as f64);
        Ok(match name {
            "i" => i,
            "j" => j,
            "k" => k,
            "n" => self.copy.count as f64,
            "copy" => self.copy.number as f64,
            "random" => self.random(0.0)?,
            "pi" => PI,
            "tau" => TAU,
            _ if FUNCTIONS.contains(&name) => {
                let what = format!("names the function `{name}` without brackets");
                return self.wrong(
                    &what,
                    format!("write what it is of in brackets: {name}(..)"),
                );
            }
            _ if parse_unit(name).is_ok() => {
                let what = format!("has the unit `{name}` where a value belongs");
                return self.wrong(&what, "write the unit last, as in \"0.1*i mm\"");
            }
            _ => return self.unknown(name, &NAMES, "expressions know"),
        })
    }

    fn unknown<T>(&self, name: &str, known: &[&'static str], what: &str) -> Result<T, Problem> {
        let near = nearest(name, known).map_or(String::new(), |n| format!("did you mean `{n}`? "));
        let listed = known.join(", ");
        let remedy = format!("{near}{what} {listed}");
        let message = format!("`{}` has an unknown name, `{name}`", self.text);
        Err(Problem::conflict(message, remedy))
    }

    fn function(&mut self, name: &str, depth: u32) -> Result<f64, Problem> {
        if !FUNCTIONS.contains(&name) {
            return self.unknown(name, &FUNCTIONS, "functions are");
        }
        let mut values = vec![self.sum(depth + 1)?];
        while self.take(",") {
            values.push(self.sum(depth + 1)?);
        }
        self.close()?;
        let value = match (name, values.as_slice()) {
            ("sin", [x]) => x.sin(),
            ("cos", [x]) => x.cos(),
            ("tan", [x]) => x.tan(),
            ("atan2", [y, x]) => y.atan2(*x),
            ("sqrt", [x]) => x.sqrt(),
            ("exp", [x]) => x.exp(),
            ("log", [x]) => x.ln(),
            ("abs", [x]) => x.abs(),
            ("floor", [x]) => x.floor(),
            ("min", [x, y]) => x.min(*y),
            ("max", [x, y]) => x.max(*y),
            ("mod", [x, y]) => x.rem_euclid(*y),
            ("random", [x]) => self.random(*x)?,
            _ => {
                let many = values.len();
                let values = if many == 1 { "value" } else { "values" };
                let what = format!("gives {many} {values} to `{name}`");
                let remedy = match OF_TWO.contains(&name) {
                    true => format!("give it two: {name}(a, b)"),
                    false => format!("give it one: {name}(a)"),
                };
                return self.wrong(&what, remedy);
            }
        };
        self.finite(value, name)
    }

    /// The random number of this copy in a stream, 0 to 1.
    fn random(&self, stream: f64) -> Result<f64, Problem> {
        if stream < 0.0 || stream.fract() != 0.0 || stream > 1e9 {
            let what = format!("asks for the random number {stream}");
            return self.wrong(&what, "count them from 0: random(0), random(1), ..");
        }
        let RodCopy { seed, number, .. } = *self.copy;
        Ok(Random::of_copy(seed, number as u64, stream as u64).part())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str, i: usize, wanted: Dimension) -> Result<f64, String> {
        let copy = RodCopy {
            number: i,
            index: [i, 2, 0],
            count: 10,
            seed: 1,
        };
        let told = |p: Problem| format!("{p}; {}", p.remedy());
        evaluate(text, &copy, wanted).map_err(told)
    }

    const LENGTH: Dimension = Dimension::new(1, 0, 0, 0);
    const ANGLE: Dimension = Dimension::new(0, 0, 0, 1);

    #[test]
    fn values_are_those_of_arithmetic() {
        for (text, wanted, value) in [
            ("0.1*i mm", LENGTH, 0.3e-3),
            ("10 mm + 2*i mm - 1 cm", LENGTH, 6e-3),
            ("1 + 2*i mm", LENGTH, 7e-3),
            ("-(i - 5)^2*2 mm", LENGTH, -8e-3),
            ("2^-1", LENGTH, 0.5),
            ("2**3**1", Dimension::NONE, 8.0),
            ("360*i/n deg", ANGLE, 0.6 * PI),
            ("cos(tau*i/6)", Dimension::NONE, -1.0),
            ("mod(copy, 2) + j*max(i, 4)", Dimension::NONE, 9.0),
            ("2e-3*i", LENGTH, 6e-3),
            ("i m", LENGTH, 3.0),
        ] {
            let found = at(text, 3, wanted).unwrap_or_else(|e| panic!("{e}"));
            assert!((found - value).abs() < 1e-15, "{text}: {found}");
        }
    }

    #[test]
    fn random_numbers_are_of_the_copy_and_the_stream() {
        let number = |text, i| at(text, i, Dimension::NONE).unwrap();
        assert_eq!(number("random", 3), number("random(0)", 3));
        assert_ne!(number("random", 3), number("random", 4));
        assert_ne!(number("random", 3), number("random(1)", 3));
    }

    #[test]
    fn expressions_are_known_where_they_have_no_value() {
        let zero = |i: usize| (true, Some(format!("divides by zero at i = {i}")));
        assert_eq!(is_expression("0.1*i mm", LENGTH), (true, None));
        assert_eq!(is_expression("1/3 mm", LENGTH), (true, None));
        assert_eq!(is_expression("1/(i-3) cm", LENGTH), zero(3));
        let (is_one, why) = is_expression("1/0 mm", LENGTH);
        assert!(is_one && why.is_some());
        for text in ["mm", "1..3 mm", "0,1 mm", "first", "0.1*i s", "1e400 mm"] {
            assert_eq!(is_expression(text, LENGTH), (false, None), "{text}");
        }
    }

    #[test]
    fn what_has_no_value_says_why() {
        for (text, wanted, parts) in [
            (
                "1/i mm",
                LENGTH,
                &["`1/i mm` divides by zero at i = 0", "not zero for any copy"][..],
            ),
            ("2*q mm", LENGTH, &["unknown name, `q`", "know i, j, k"]),
            ("radnom mm", LENGTH, &["did you mean `random`?"]),
            ("sine(i)", LENGTH, &["did you mean `sin`?", "functions are"]),
            ("min(i)", LENGTH, &["gives 1 value to `min`", "min(a, b)"]),
            ("sin(i, 1)", LENGTH, &["gives 2 values to `sin`", "sin(a)"]),
            ("sin 3 mm", LENGTH, &["`sin` without brackets", "sin(..)"]),
            ("rand() mm", LENGTH, &["did you mean `random`?"]),
            (
                "1/ cm",
                LENGTH,
                &["has the unit `cm` where a value belongs", "unit last"],
            ),
            ("1 cm*i", LENGTH, &["has `i` behind its unit", "unit last"]),
            ("i,5 mm", LENGTH, &["decimal point"]),
            (
                "10^400 mm",
                LENGTH,
                &["has no finite value in `10^400` at i = 0"],
            ),
            (
                "1e300*1e300 mm",
                LENGTH,
                &["`1e300*1e300 mm` has no finite value at i = 0"],
            ),
            ("2 i mm", LENGTH, &["goes on with `i mm`", "`*` between"]),
            ("0.1*i mmm", LENGTH, &["`mmm` is not a unit"]),
            ("0.1*i s", LENGTH, &["a time (s)", "a length (m)"]),
            ("10 mm + 2*i", LENGTH, &["a plain number", "a length"]),
            ("sqrt(i - 1)", LENGTH, &["no finite value"]),
            ("(i", LENGTH, &["open bracket"]),
            ("2*", LENGTH, &["ends where a value belongs"]),
            ("", LENGTH, &["ends where a value belongs"]),
            ("random(0.5)", LENGTH, &["count them from 0"]),
        ] {
            let told = at(text, 0, wanted).unwrap_err();
            for part in parts {
                assert!(told.contains(part), "`{part}` is not in: {told}");
            }
        }
        let deep = "(".repeat(10_000);
        assert!(at(&deep, 0, LENGTH).unwrap_err().contains("too deeply"));
        let deep = "-".repeat(10_000);
        assert!(at(&deep, 0, LENGTH).unwrap_err().contains("too deeply"));
    }
}
