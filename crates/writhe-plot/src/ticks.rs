//! Where an axis has ticks, and what stands at them.

use writhe_lettering::{prefixed, thousands};

use crate::figure::{Axis, Scale};

/// An axis with its ends, unit and ticks.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ruler {
    scale: Scale,
    reversed: bool,
    /// Ends, in the unit of the values; the smaller one first.
    pub ends: [f64; 2],
    /// Values with a label, and the labels.
    pub labelled: Vec<(f64, String)>,
    /// Values with a short tick.
    pub minor: Vec<f64>,
    /// Label of the axis with its unit.
    pub title: String,
}

/// Room that curves leave on each side of a linear axis, of their extent.
const MARGIN: f64 = 0.04;
/// Values whose extent is this part of the largest are one.
pub(crate) const CONSTANT: f64 = 1e-9;

impl Ruler {
    /// The axis of curves whose values, that it can show, lie between `least` and `most`; with
    /// about `count` labels.
    pub fn new(axis: &Axis, [least, most]: [f64; 2], count: f64) -> Self {
        let [a, b] = axis.range.unwrap_or_else(|| match axis.words.len() {
            0 => widened(axis.scale, least, most),
            words => [-0.5, words as f64 - 0.5],
        });
        let ends = [a.min(b), a.max(b)];
        let mut ruler = Self {
            scale: axis.scale,
            reversed: axis.reversed,
            ends,
            labelled: Vec::new(),
            minor: Vec::new(),
            title: String::new(),
        };
        if !axis.words.is_empty() {
            ruler.words(axis, count);
            return ruler;
        }
        match axis.scale {
            Scale::Linear if axis.range.is_none() && least == 0.0 && most == 0.0 => {
                ruler.title = titled(&axis.label, &axis.unit);
                ruler.labelled.push((0.0, "0".to_owned()));
            }
            Scale::Linear => ruler.linear(axis, count),
            Scale::Logarithmic => ruler.logarithmic(axis, count),
        }
        ruler
    }

    /// Place of a value from 0 (left or bottom) to 1; beyond for values beyond the ends.
    pub fn place(&self, value: f64) -> f64 {
        let [from, to] = self.ends;
        let part = match self.scale {
            Scale::Linear => (value - from) / (to - from),
            Scale::Logarithmic => (value / from).ln() / (to / from).ln(),
        };
        if self.reversed { 1.0 - part } else { part }
    }

    /// Words at whole numbers; some of them where there are many.
    fn words(&mut self, axis: &Axis, count: f64) {
        /// Words for each number that there is room for.
        const ROOM: f64 = 1.5;
        self.title.clone_from(&axis.label);
        let every = (axis.words.len() as f64 / (ROOM * count)).ceil().max(1.0) as usize;
        for (index, word) in axis.words.iter().enumerate() {
            match index % every {
                0 => self.labelled.push((index as f64, word.clone())),
                _ => self.minor.push(index as f64),
            }
        }
    }

    fn linear(&mut self, axis: &Axis, count: f64) {
        let [from, to] = self.ends;
        let (step, parts) = nice_step((to - from) / count);
        let largest = from.abs().max(to.abs());
        let power = thousands(largest);
        let (factor, unit) = match prefixed(&axis.unit, power) {
            Some(unit) => (1e3_f64.powi(power), unit),
            None if (1e-3..1e5).contains(&largest) => (1.0, axis.unit.clone()),
            None => {
                let power = largest.log10().floor() as i32;
                let power_of_ten = format!("10^{{{}}}", signed(power));
                let unit = match pure(&axis.unit) {
                    true => power_of_ten,
                    false => format!("{power_of_ten} {}", axis.unit),
                };
                (10_f64.powi(power), unit)
            }
        };
        self.title = titled(&axis.label, &unit);
        let decimals = (-(step / factor * (1.0 + 1e-9)).log10().floor()).max(0.0) as usize;
        for i in whole(from / step, to / step) {
            let value = i * step;
            self.labelled.push((value, plain(value / factor, decimals)));
        }
        let minor = step / parts;
        self.minor = whole(from / minor, to / minor).map(|i| i * minor).collect();
    }

    fn logarithmic(&mut self, axis: &Axis, count: f64) {
        let [from, to] = self.ends.map(f64::log10);
        let middle = 10_f64.powf(0.5 * (from + to));
        let power = (middle.log10() / 3.0).round() as i32;
        let (shift, unit) = match prefixed(&axis.unit, power) {
            Some(unit) => (3 * power, unit),
            None => (0, axis.unit.clone()),
        };
        self.title = titled(&axis.label, &unit);
        let decades: Vec<i32> = whole(from, to).map(|i| i as i32).collect();
        let plainly = from >= f64::from(shift) - 2.01 && to <= f64::from(shift) + 3.01;
        let label = |digit: u32, power: i32| {
            let power = power - shift;
            if plainly {
                plain(
                    f64::from(digit) * 10_f64.powi(power),
                    (-power).max(0) as usize,
                )
            } else if digit == 1 {
                format!("10^{{{}}}", signed(power))
            } else {
                format!("{digit}·10^{{{}}}", signed(power))
            }
        };
        // Few decades: 1, 2, 5; many: every so many.
        let every = (decades.len() as f64 / count).round().max(1.0) as i32;
        let digits: &[u32] = match decades.len() as f64 {
            n if n <= 1.0 => &[1, 2, 3, 5, 7],
            n if 3.0 * n <= count + 1.0 => &[1, 2, 5],
            _ => &[1],
        };
        for decade in from.floor() as i32..=to.floor() as i32 {
            for digit in 1..=9 {
                let value = f64::from(digit) * 10_f64.powi(decade);
                if !(from - 1e-9..=to + 1e-9).contains(&value.log10()) {
                    continue;
                }
                if digits.contains(&digit) && decade.rem_euclid(every) == 0 {
                    self.labelled.push((value, label(digit, decade)));
                } else {
                    self.minor.push(value);
                }
            }
        }
    }
}

/// Ends a little beyond the values.
fn widened(scale: Scale, least: f64, most: f64) -> [f64; 2] {
    match scale {
        Scale::Linear => {
            let (extent, largest) = (most - least, least.abs().max(most.abs()));
            if largest == 0.0 {
                return [-1.0, 1.0];
            }
            // A constant still gets an axis; what differs in the tenth digit is one.
            let extent = if extent > CONSTANT * largest {
                extent
            } else {
                largest
            };
            // Zero is an end of what begins near it.
            let low = if least >= 0.0 && least < 0.1 * extent {
                0.0
            } else {
                least - MARGIN * extent
            };
            [low, most + MARGIN * extent]
        }
        Scale::Logarithmic => {
            let factor = (most / least).powf(MARGIN).max(1.05);
            [least / factor, most * factor]
        }
    }
}

/// The step 1, 2 or 5 times a power of ten nearest by ratio, and in how many parts short ticks cut
/// it.
fn nice_step(rough: f64) -> (f64, f64) {
    let power = 10_f64.powf(rough.log10().floor());
    match rough / power {
        r if r < 1.4 => (power, 5.0),
        r if r < 3.2 => (2.0 * power, 4.0),
        r if r < 7.1 => (5.0 * power, 5.0),
        _ => (10.0 * power, 5.0),
    }
}

/// Whole numbers between two numbers, up to rounding.
fn whole(from: f64, to: f64) -> impl Iterator<Item = f64> {
    let (first, last) = ((from - 1e-9).ceil() as i64, (to + 1e-9).floor() as i64);
    (first..=last).map(|i| i as f64)
}

fn pure(unit: &str) -> bool {
    matches!(unit, "" | "1")
}

/// A label with its unit; exponents of units are raised.
fn titled(label: &str, unit: &str) -> String {
    if pure(unit) {
        return label.to_owned();
    }
    let mut raised = String::new();
    let mut characters = unit.chars().peekable();
    while let Some(c) = characters.next() {
        raised.push(c);
        if c == '^' && characters.peek().is_some_and(|c| *c != '{') {
            raised.push('{');
            while let Some(digit) = characters.next_if(|c| c.is_ascii_digit() || *c == '-') {
                raised.push(if digit == '-' { '−' } else { digit });
            }
            raised.push('}');
        }
    }
    format!("{label} ({raised})")
}

/// A number with a true minus.
fn plain(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(zero) if zero.chars().all(|c| matches!(c, '0' | '.')) => zero.to_owned(),
        Some(rest) => format!("−{rest}"),
        None => text,
    }
}

fn signed(power: i32) -> String {
    plain(f64::from(power), 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(ruler: &Ruler) -> Vec<&str> {
        ruler
            .labelled
            .iter()
            .map(|(_, text)| text.as_str())
            .collect()
    }

    #[test]
    fn small_forces_are_millinewtons() {
        let ruler = Ruler::new(&Axis::new("Force", "N"), [1e-4, 0.0437], 5.0);
        assert_eq!(ruler.title, "Force (mN)");
        assert_eq!(labels(&ruler), ["0", "10", "20", "30", "40"]);
        assert!((ruler.labelled[1].0 - 0.01).abs() < 1e-15);
        assert_eq!(ruler.place(0.0), 0.0);
    }

    #[test]
    fn zero_is_zero_on_both_sides() {
        let ruler = Ruler::new(&Axis::new("x", "m").between(-0.2, 0.2), [0.0, 0.0], 5.0);
        assert_eq!(labels(&ruler), ["−200", "−100", "0", "100", "200"]);
        assert_eq!(ruler.title, "x (mm)");
        assert_eq!(ruler.minor.len(), 21);
    }

    #[test]
    fn pure_numbers_have_powers_of_ten() {
        let ruler = Ruler::new(&Axis::new("ratio", ""), [0.0, 2.1e-4], 5.0);
        assert_eq!(ruler.title, "ratio (10^{−4})");
        assert_eq!(labels(&ruler), ["0.0", "0.5", "1.0", "1.5", "2.0"]);
    }

    #[test]
    fn decades() {
        let axis = Axis::new("Force", "N").logarithmic();
        let ruler = Ruler::new(&axis.clone().between(1e-5, 1e-1), [1e-5, 0.1], 6.0);
        assert_eq!(labels(&ruler), ["0.01", "0.1", "1", "10", "100"]);
        assert_eq!(ruler.title, "Force (mN)");
        assert!((ruler.place(1e-3) - 0.5).abs() < 1e-12);
        let wide = Ruler::new(&axis.between(1e-9, 1e3), [1e-9, 1e3], 6.0);
        assert!(labels(&wide).iter().all(|label| label.starts_with("10^{")));
        assert!(wide.labelled.len() <= 7);
    }

    #[test]
    fn exponents_of_units_are_raised() {
        let ruler = Ruler::new(&Axis::new("g", "m/s^2"), [0.0, 9.81], 5.0);
        assert_eq!(ruler.title, "g (m/s^{2})");
        let turned = Ruler::new(&Axis::new("x", "").reversed(), [0.0, 1.0], 5.0);
        assert!(turned.place(0.0) > turned.place(1.0));
    }

    #[test]
    fn words_stand_at_whole_numbers() {
        let words = |count: usize| (0..count).map(|i| format!("w{i}")).collect();
        let ruler = Ruler::new(&Axis::of_words("model", words(2)), [0.0, 1.0], 5.0);
        assert_eq!(labels(&ruler), ["w0", "w1"]);
        assert_eq!((ruler.place(0.0), ruler.place(1.0)), (0.25, 0.75));
        assert_eq!(ruler.title, "model");
        let many = Ruler::new(&Axis::of_words("model", words(20)), [0.0, 19.0], 5.0);
        assert_eq!(labels(&many), ["w0", "w3", "w6", "w9", "w12", "w15", "w18"]);
        assert_eq!(many.minor.len(), 13);
    }

    #[test]
    fn constants_have_an_axis() {
        for value in [0.0, 3.0, -2e-9] {
            let ruler = Ruler::new(&Axis::new("c", "N"), [value, value], 5.0);
            assert!(
                ruler.ends[0] < ruler.ends[1] && !ruler.labelled.is_empty(),
                "{ruler:?}"
            );
        }
        let rounded = Ruler::new(&Axis::new("c", "N"), [1.0, 1.0 + 1e-11], 5.0);
        assert!(rounded.ends[1] - rounded.ends[0] > 0.05, "{rounded:?}");
        let nothing = Ruler::new(&Axis::new("c", "N"), [0.0, 0.0], 5.0);
        assert_eq!((labels(&nothing), &nothing.title[..]), (vec!["0"], "c (N)"));
        assert_eq!(nothing.place(0.0), 0.5);
    }
}
