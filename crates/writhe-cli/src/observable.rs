//! What is looked at while a run converges: a column of the table of observables, at a time or as a
//! mean.

use std::fmt;
use std::str::FromStr;

use writhe::observe::{Entry, observe};
use writhe::simulation::Simulation;

use crate::format::number;
use crate::times::times;

/// A quantity and when it is looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct Observable {
    /// Name of the column.
    pub name: String,
    /// When.
    pub when: When,
}

/// When a quantity is looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum When {
    /// At the end of the run.
    End,
    /// At a time, s.
    At(f64),
    /// As its mean between two times, s, over the outputs by the trapezoidal rule.
    Mean(f64, f64),
}

/// Part of a time up to which two times differ by rounding alone.
const SAME: f64 = 1e-9;

/// Whether two times, s, are the same but for rounding: no step leads from one to the other.
pub fn same(a: f64, b: f64) -> bool {
    (a - b).abs() <= SAME * a.abs().max(b.abs())
}

impl Observable {
    /// Times at which it must be seen, s, in a run that ends at `end` with outputs at `outputs`.
    pub fn times(&self, end: f64, outputs: &[f64]) -> Vec<f64> {
        match self.when {
            When::End => vec![end],
            When::At(time) => vec![time],
            When::Mean(from, to) => {
                let apart = |t: &f64| *t > from && *t < to && !same(*t, from) && !same(*t, to);
                let inside = outputs.iter().copied().filter(apart);
                [from].into_iter().chain(inside).chain([to]).collect()
            }
        }
    }

    /// Its value, from all that was seen: times, s, and values.
    pub fn value(&self, seen: &[(f64, f64)]) -> f64 {
        let at = |time: f64| {
            let found = seen.iter().find(|(t, _)| same(*t, time));
            found.map_or(f64::NAN, |(_, value)| *value)
        };
        match self.when {
            When::End => seen.last().map_or(f64::NAN, |(_, value)| *value),
            When::At(time) => at(time),
            When::Mean(from, to) => {
                let within = |t: f64| (from..=to).contains(&t) || same(t, from) || same(t, to);
                let inside = seen.iter().filter(|(t, _)| within(*t));
                let inside: Vec<&(f64, f64)> = inside.collect();
                let areas = inside.windows(2).map(|pair| {
                    let ((t, a), (s, b)) = (pair[0], pair[1]);
                    0.5 * (a + b) * (s - t)
                });
                areas.sum::<f64>() / (to - from)
            }
        }
    }

    /// Latest time at which it is seen, s; `None` for the end.
    pub fn latest(&self) -> Option<f64> {
        match self.when {
            When::End => None,
            When::At(time) | When::Mean(_, time) => Some(time),
        }
    }
}

impl fmt::Display for Observable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        match self.when {
            When::End => f.write_str(name),
            When::At(time) => write!(f, "{name}@{}", number(time, 9)),
            When::Mean(from, to) => {
                write!(f, "{name}@{}..{}", number(from, 9), number(to, 9))
            }
        }
    }
}

impl FromStr for Observable {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = |why: String| {
            format!(
                "`{text}` is no observable: {why}; write NAME, NAME@TIME or NAME@FROM..TO, times in s or with a unit, e.g. rod0_end_distance@1..2"
            )
        };
        let (name, when) = match text.split_once('@') {
            None => (text, When::End),
            Some((name, behind)) => (name, When::read(behind).map_err(wrong)?),
        };
        let name = name.trim().to_owned();
        if name.is_empty() {
            return Err(wrong("it has no name".to_owned()));
        }
        match when {
            When::Mean(from, to) if from >= to => Err(without_window(text, name, [from, to])),
            _ => Ok(Self { name, when }),
        }
    }
}

impl When {
    /// What stands behind the @: a time, or two.
    fn read(text: &str) -> Result<Self, String> {
        match times(text, "..")?[..] {
            [at] => Ok(Self::At(not_before_0(at)?)),
            [from, to] => Ok(Self::Mean(not_before_0(from)?, not_before_0(to)?)),
            _ => Err("a mean goes from one time to another, e.g. 1..5".to_owned()),
        }
    }
}

/// A time at which there may be something to see.
fn not_before_0(time: f64) -> Result<f64, String> {
    match time < 0.0 {
        true => Err("runs begin at 0 s".to_owned()),
        false => Ok(time),
    }
}

/// That there is nothing to take the mean over between these times, and what may be meant.
fn without_window(text: &str, name: String, [from, to]: [f64; 2]) -> String {
    let (why, when) = match from > to {
        true => ("ends before it begins", When::Mean(to, from)),
        false => ("has no length", When::At(from)),
    };
    let meant = Observable { name, when };
    format!("the window of `{text}` {why}; did you mean `{meant}`?")
}

/// All that can be looked at in a state, by name.
///
/// # Errors
/// When the state cannot be shown.
pub fn look(simulation: &Simulation) -> Result<Vec<Entry>, String> {
    let Simulation { model, state, .. } = simulation;
    let shown = observe(model, state).map_err(|error| error.to_string())?;
    let mut all: Vec<Entry> = Vec::new();
    shown.visit(model, &mut all);
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        for (text, when) in [
            ("energy_bend", When::End),
            ("energy_bend@2.5", When::At(2.5)),
            ("energy_bend@1..2", When::Mean(1.0, 2.0)),
        ] {
            let found: Observable = text.parse().unwrap();
            assert_eq!((found.when, found.to_string().as_str()), (when, text));
        }
        for text in ["", "@1", "a@b", "a@-1", "a@1..", "a@inf", "a@1 kg"] {
            let error = text.parse::<Observable>().unwrap_err();
            assert!(error.contains("NAME@FROM..TO"), "{error}");
        }
    }

    #[test]
    fn times_have_units() {
        for (text, when) in [
            ("a@50 ms", When::At(0.05)),
            ("a@1..2 ms", When::Mean(0.001, 0.002)),
            ("a@100 ms..2", When::Mean(0.1, 2.0)),
        ] {
            assert_eq!(text.parse::<Observable>().unwrap().when, when);
        }
    }

    #[test]
    fn a_window_has_a_length() {
        for (text, told) in [
            (
                "a@0.1..0.05",
                "the window of `a@0.1..0.05` ends before it begins; did you mean `a@0.05..0.1`?",
            ),
            (
                "a@1..1",
                "the window of `a@1..1` has no length; did you mean `a@1`?",
            ),
        ] {
            assert_eq!(text.parse::<Observable>().unwrap_err(), told);
        }
    }

    #[test]
    fn means_are_over_time() {
        let mean: Observable = "a@1..3".parse().unwrap();
        assert_eq!(mean.times(9.0, &[0.0, 1.0, 1.5, 3.0, 4.0]), [1.0, 1.5, 3.0]);
        // Outputs are multiples of the time between two, with its rounding.
        let outputs = [1.0 + 1e-15, 3.0 - 1e-15];
        assert_eq!(mean.times(9.0, &outputs), [1.0, 3.0]);
        let seen = [(1.0 + 1e-15, 2.0), (3.0 + 1e-15, 6.0)];
        assert!((mean.value(&seen) - 4.0).abs() < 1e-14);
        // 2 t, unevenly sampled, with times outside.
        let seen = [(0.0, 0.0), (1.0, 2.0), (1.5, 3.0), (3.0, 6.0), (4.0, 8.0)];
        assert!((mean.value(&seen) - 4.0).abs() < 1e-14);
        let at: Observable = "a@1.5".parse().unwrap();
        assert_eq!(at.value(&seen), 3.0);
    }
}
