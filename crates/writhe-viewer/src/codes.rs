//! Numbers as whole numbers, and whole numbers as bytes that compress well.
//!
//! Neighbours in space and time are alike. Of an array over frames and items, such as nodes, what
//! is kept is the difference from a prediction: the item before, plus what the frame before had at
//! this item, minus what it had at the item before. Differences are small: their first bytes are
//! told apart from their second, third and fourth, and bytes that are all zero at the end are left
//! out.

/// Steps of an even scale over its ratio e: values far from zero are good to half of a thousandth.
const STEPS: f64 = 1000.0;
/// Part of the greatest value below which steps are even.
const LEAST: f64 = 1e-6;

/// A scale of even ratios far from zero and even steps about it: `code = steps asinh(value /
/// least)`.
///
/// Codes stay within 14,509: from a millionth of the greatest value on, an error is at most 5e-4
/// of the value, about zero 5e-10 of the greatest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Scale {
    /// Unit of values about zero.
    pub least: f64,
    /// Codes over which a value far from zero grows by the factor e.
    pub steps: f64,
}

impl Scale {
    /// The scale for these values; what is not finite does not count.
    pub fn of(values: impl IntoIterator<Item = f32>) -> Self {
        let size = |x: f32| if x.is_finite() { x.abs() } else { 0.0 };
        let most = values.into_iter().map(size).fold(0.0, f32::max);
        Self {
            least: LEAST * f64::from(most),
            steps: STEPS,
        }
    }

    /// Code of a value; 0 for what is not finite.
    pub fn code(&self, value: f32) -> i32 {
        if value.is_finite() && self.least > 0.0 {
            (self.steps * (f64::from(value) / self.least).asinh()).round() as i32
        } else {
            0
        }
    }
}

/// Bits of a number as an integer that grows with it, of which the numbers next to it are the
/// neighbours.
pub(crate) fn ordered(value: f32) -> i32 {
    let bits = value.to_bits() as i32;
    if bits < 0 { bits ^ i32::MAX } else { bits }
}

/// Byte planes of what is left over from prediction, and how many there are; `codes` are by frame,
/// item and part of it, the last fastest.
pub(crate) fn planes(codes: &[i32], items: usize, parts: usize) -> (Vec<u8>, usize) {
    let row = items * parts;
    let rest: Vec<u32> = (0..codes.len())
        .map(|i| {
            let along = i % row >= parts;
            let mut guess = 0_i32;
            if along {
                guess = guess.wrapping_add(codes[i - parts]);
            }
            if i >= row {
                guess = guess.wrapping_add(codes[i - row]);
                if along {
                    guess = guess.wrapping_sub(codes[i - row - parts]);
                }
            }
            zigzag(codes[i].wrapping_sub(guess))
        })
        .collect();
    let most = rest.iter().copied().max().unwrap_or(0);
    let count = (4 - most.leading_zeros() as usize / 8).min(4);
    let mut bytes = Vec::with_capacity(count * rest.len());
    for plane in 0..count {
        bytes.extend(rest.iter().map(|r| (r >> (8 * plane)) as u8));
    }
    (bytes, count)
}

/// Whole numbers near zero as small ones without a sign: 0, -1, 1, -2, ...
fn zigzag(x: i32) -> u32 {
    ((x << 1) ^ (x >> 31)) as u32
}

/// Numbers that came from [`planes`].
#[cfg(test)]
pub(crate) fn decoded(bytes: &[u8], count: usize, items: usize, parts: usize) -> Vec<i32> {
    let planes = bytes.len().checked_div(count).unwrap_or(0);
    let row = items * parts;
    let mut codes: Vec<i32> = Vec::new();
    for i in 0..count {
        let bits = (0..planes).fold(0_u32, |bits, p| {
            bits | u32::from(bytes[p * count + i]) << (8 * p)
        });
        let mut code = (bits >> 1) as i32 ^ -((bits & 1) as i32);
        let along = i % row >= parts;
        if along {
            code = code.wrapping_add(codes[i - parts]);
        }
        if i >= row {
            code = code.wrapping_add(codes[i - row]);
            if along {
                code = code.wrapping_sub(codes[i - row - parts]);
            }
        }
        codes.push(code);
    }
    codes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_come_back_whatever_they_are() {
        let mixed = |i: i32| i.wrapping_mul(0x9e37_79b9_u32 as i32) >> (i % 32);
        let codes: Vec<i32> = (0..3 * 7 * 2).map(mixed).collect();
        let (bytes, planes) = planes(&codes, 7, 2);
        assert_eq!(bytes.len(), planes * codes.len());
        assert_eq!(decoded(&bytes, codes.len(), 7, 2), codes);
        assert_eq!(super::planes(&[0; 6], 3, 1), (vec![], 0));
        assert_eq!(super::planes(&[], 0, 3), (vec![], 0));
        let extremes = [i32::MIN, i32::MAX, -1, 0, i32::MIN];
        let (bytes, _) = super::planes(&extremes, 5, 1);
        assert_eq!(decoded(&bytes, 5, 5, 1), extremes);
    }

    #[test]
    fn what_moves_evenly_takes_one_byte() {
        // A line that turns and moves: 100 nodes over 20 frames, with codes up to 10,000.
        let code = |frame: i32, node: i32| 200 * frame + 60 * node + frame * node;
        let codes: Vec<i32> = (0..20)
            .flat_map(|frame| (0..100).map(move |node| code(frame, node)))
            .collect();
        let (bytes, planes) = planes(&codes, 100, 1);
        assert!(planes <= 2, "{planes}");
        // The very first differences are larger.
        let large = bytes[codes.len()..].iter().filter(|b| **b != 0).count();
        assert!(large <= 20, "{large}");
    }

    #[test]
    fn values_keep_three_digits_over_six_decades() {
        let values: Vec<f32> = (0..200)
            .map(|i| (0.13 * i as f32).sin() * 10_f32.powi(i % 6 - 3))
            .collect();
        let scale = Scale::of(values.iter().copied());
        for value in values {
            let back = scale.least * (f64::from(scale.code(value)) / scale.steps).sinh();
            let error = (back - f64::from(value)).abs();
            let most = 5.1e-4 * f64::from(value).abs() + 0.51e-3 * scale.least;
            assert!(error <= most, "{value}: {back}");
        }
        assert_eq!(scale.code(f32::NAN), 0);
        assert_eq!(Scale::of([0.0, f32::INFINITY]).code(0.0), 0);
    }

    #[test]
    fn bits_in_order_grow_with_the_number() {
        let numbers = [f32::NEG_INFINITY, -2.5, -1e-30, -0.0, 0.0, 1e-30, 2.5];
        let found = numbers.map(ordered);
        assert!(found.is_sorted(), "{found:?}");
    }
}
