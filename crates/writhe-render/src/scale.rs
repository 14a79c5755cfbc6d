//! Scale bars and colour bars.

use writhe_lettering::{prefixed, thousands};

use crate::color::Color;
use crate::image::Image;
use crate::palette::ColorMap;
use crate::text::{Anchor, TextStyle, text_width};

/// A bar of a known length.
#[derive(Debug, Clone, PartialEq)]
pub struct ScaleBar {
    /// Length, scene length.
    pub length: f64,
    /// What is written below it.
    pub label: String,
}

impl ScaleBar {
    /// A bar of `metres`, in scenes whose unit is the metre, labelled like "50 mm".
    pub fn metres(metres: f64) -> Self {
        const UNITS: [(f64, &str); 5] = [
            (1e3, "km"),
            (1.0, "m"),
            (1e-3, "mm"),
            (1e-6, "µm"),
            (1e-9, "nm"),
        ];
        let (unit, name) = *UNITS
            .iter()
            .find(|(unit, _)| metres >= 0.999 * unit)
            .unwrap_or(&UNITS[4]);
        Self {
            length: metres,
            label: format!("{} {name}", round_to_six_digits(metres / unit)),
        }
    }

    /// The largest bar of 1, 2 or 5 times a power of ten metres that is not longer than `longest`
    /// metres; `None` if that is not a positive number.
    pub fn at_most(longest: f64) -> Option<Self> {
        if !(longest > 0.0 && longest.is_finite()) {
            return None;
        }
        let power = 10f64.powi(longest.log10().floor() as i32);
        let digit = [5.0, 2.0, 1.0]
            .into_iter()
            .find(|digit| digit * power <= longest * (1.0 + 1e-9))
            .unwrap_or(1.0);
        Some(Self::metres(digit * power))
    }

    /// Draws the bar with its right end at `(right, y)` and the label below; `pixels` is its
    /// length.
    pub(crate) fn draw(
        &self,
        image: &mut Image,
        right: f64,
        y: f64,
        pixels: f64,
        style: TextStyle,
    ) {
        let thick = (0.16 * style.size).round().max(2.0);
        let (left, right) = ((right - pixels).round(), right.round());
        image.fill_box(left, y.round(), right - left, thick, style.color);
        let middle = 0.5 * (left + right);
        image.draw_text(
            &self.label,
            middle,
            y.round() + thick + 1.15 * style.size,
            Anchor::Center,
            style,
        );
    }

    /// Width of the drawing of a bar of `pixels`.
    pub(crate) fn width(&self, pixels: f64, size: f64) -> f64 {
        pixels.max(text_width(&self.label, size))
    }
}

/// The legend of a scalar shown as colour.
#[derive(Debug, Clone, PartialEq)]
pub struct ColorBar {
    /// The map.
    pub map: ColorMap,
    /// Values at its two ends.
    pub range: (f64, f64),
    /// Name of the quantity.
    pub label: String,
    /// Its unit, which may take a prefix: `N`; empty for a pure number.
    pub unit: String,
}

impl ColorBar {
    /// What is written at its two ends and beside it: in a unit with a prefix that suits the ends,
    /// if it takes one.
    pub(crate) fn labels(&self) -> ([String; 2], String) {
        let (low, high) = self.range;
        let power = thousands(low.abs().max(high.abs()));
        let (size, unit) = match prefixed(&self.unit, power) {
            Some(unit) => (1e3_f64.powi(power), unit),
            None => (1.0, self.unit.clone()),
        };
        let ends = [low, high].map(|value| value_label(value / size));
        let label = match unit.as_str() {
            "" => self.label.clone(),
            unit => format!("{} ({unit})", self.label),
        };
        (ends, label)
    }

    /// Length of its drawing, pixels, with letters of `size` pixels an em: so many em, or as many as the
    /// values at its ends take.
    pub(crate) fn length(&self, em: f64, size: f64) -> f64 {
        let ([low, high], _) = self.labels();
        let both = text_width(&low, size) + text_width(&high, size);
        (em * size).max(both + size)
    }

    /// Draws the bar with its left end at `(x, y)` with a length in pixels, the ends' values below,
    /// the label to its right.
    pub(crate) fn draw(&self, image: &mut Image, x: f64, y: f64, pixels: f64, style: TextStyle) {
        let (x, y, thick) = (x.round(), y.round(), (0.6 * style.size).round());
        let columns = pixels.round().max(2.0);
        for column in 0..columns as usize {
            let color = self.map.color(column as f64 / (columns - 1.0));
            image.fill_box(x + column as f64, y, 1.0, thick, color);
        }
        let below = y + thick + 1.05 * style.size;
        let ([low, high], label) = self.labels();
        image.draw_text(&low, x, below, Anchor::Left, style);
        image.draw_text(&high, x + columns, below, Anchor::Right, style);
        image.draw_text(
            &label,
            x + columns + 0.7 * style.size,
            y + thick,
            Anchor::Left,
            style,
        );
    }
}

/// A number with a real minus sign and three digits at most: what a bar of colours tells is no more
/// exact. A power of ten where it is very large or small.
fn value_label(value: f64) -> String {
    let rounded = format!("{value:.2e}");
    if value == 0.0 || (1e-3..1e5).contains(&value.abs()) {
        let text = rounded.parse().unwrap_or(value).to_string();
        return text.replace('-', "−");
    }
    let (mantissa, exponent) = rounded.split_once('e').unwrap_or((&rounded, "0"));
    let mantissa: f64 = mantissa.parse().unwrap_or(value);
    let raised = exponent.chars().map(raised);
    format!("{mantissa}·10{}", raised.collect::<String>()).replace('-', "−")
}

/// A character of an exponent, raised.
fn raised(character: char) -> char {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digit = character.to_digit(10).and_then(|d| DIGITS.get(d as usize));
    digit.copied().unwrap_or('⁻')
}

/// The number without the last digits that rounding errors leave.
fn round_to_six_digits(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}

/// Ink for labels on a background.
pub(crate) fn label_style(size: f64, color: Color) -> TextStyle {
    TextStyle {
        size,
        color,
        bold: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn automatic_bars_are_round_lengths() {
        let label = |longest: f64| ScaleBar::at_most(longest).unwrap().label;
        assert_eq!(label(0.0734), "50 mm");
        assert_eq!(label(0.2), "200 mm");
        assert_eq!(label(1.0), "1 m");
        assert_eq!(label(3.1e-6), "2 µm");
        assert_eq!(label(1.5e-7), "100 nm");
        assert!(ScaleBar::at_most(f64::NAN).is_none());
    }

    #[test]
    fn values_are_short() {
        assert_eq!(value_label(-0.1 - 0.2), "−0.3");
        assert_eq!(value_label(52.1407), "52.1");
        assert_eq!(value_label(0.0), "0");
        assert_eq!(value_label(-1.5e-5), "−1.5·10⁻⁵");
        assert_eq!(value_label(3.204e12), "3.2·10¹²");
    }

    #[test]
    fn values_at_the_ends_of_a_bar_do_not_meet() {
        let bar = |range| ColorBar {
            map: ColorMap::Sequential,
            range,
            label: "stretch".into(),
            unit: String::new(),
        };
        assert_eq!(bar((0.0, 1.0)).length(8.0, 10.0), 80.0);
        let long = bar((-8.26e-5, 8.26e-5));
        let ([low, high], _) = long.labels();
        let both = text_width(&low, 10.0) + text_width(&high, 10.0);
        assert!(both > 80.0 && long.length(8.0, 10.0) >= both + 10.0);
    }

    #[test]
    fn small_forces_are_told_in_a_small_unit() {
        let labels = |range, unit: &str| {
            let bar = ColorBar {
                map: ColorMap::Sequential,
                range,
                label: "force".into(),
                unit: unit.into(),
            };
            let ([low, high], label) = bar.labels();
            format!("{low} to {high}, {label}")
        };
        assert_eq!(labels((0.0, 3.97e-6), "N"), "0 to 3.97, force (µN)");
        assert_eq!(labels((-0.02, 0.5), "m/s"), "−20 to 500, force (mm/s)");
        assert_eq!(labels((0.0, 12.0), "1/m"), "0 to 12, force (1/m)");
        assert_eq!(labels((0.0, 2e-7), ""), "0 to 2·10⁻⁷, force");
    }
}
