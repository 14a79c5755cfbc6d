//! The worst of many: not a number where one of them is none, which keeps no bound. `f64::max`
//! would pass over it.

/// The larger of two; NaN if either is.
pub fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() {
        f64::NAN
    } else {
        a.max(b)
    }
}

/// The largest of sizes, 0 for none; NaN if one is.
pub fn largest(sizes: impl IntoIterator<Item = f64>) -> f64 {
    sizes.into_iter().fold(0.0, larger)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lost_number_is_the_worst() {
        assert_eq!(largest([0.5, 2.0, 1.0]), 2.0);
        for place in 0..3 {
            let mut sizes = [0.5, 2.0, 1.0];
            sizes[place] = f64::NAN;
            assert!(largest(sizes).is_nan());
        }
    }
}
