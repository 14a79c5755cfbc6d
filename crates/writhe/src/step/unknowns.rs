//! Loops over all unknowns, several at a time.

use pulp::{Arch, Simd, WithSimd};

use crate::lanes::{COLUMN, Column};

/// The larger number of each lane; what is no number is passed over.
#[inline(always)]
fn raise(largest: &mut Column, values: &Column) {
    for (largest, value) in largest.iter_mut().zip(values) {
        *largest = if *value > *largest { *value } else { *largest };
    }
}

#[inline(always)]
fn largest(values: &Column) -> f64 {
    let larger = |known: f64, value: f64| if value > known { value } else { known };
    values
        .iter()
        .fold(0.0, |known, value| larger(known, *value))
}

/// A column of numbers; what is missing of the last one is zero, or `rest`.
#[inline(always)]
fn column<T: Copy>(values: &[T], first: usize, rest: T) -> [T; COLUMN] {
    let values = values.get(first..).unwrap_or_default();
    match values.first_chunk() {
        Some(whole) => *whole,
        None => {
            let mut column = [rest; COLUMN];
            for (own, value) in column.iter_mut().zip(values) {
                *own = *value;
            }
            column
        }
    }
}

/// Largest force on an unknown that is not prescribed: `value / lever` of all that are not `fixed`.
pub(super) fn largest_force(values: &[f64], levers: &[f64], fixed: &[bool]) -> f64 {
    Arch::new().dispatch(LargestForce {
        values,
        levers,
        fixed,
    })
}

struct LargestForce<'a> {
    values: &'a [f64],
    levers: &'a [f64],
    fixed: &'a [bool],
}

impl WithSimd for LargestForce<'_> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> f64 {
        let mut known = [0.0; COLUMN];
        for first in (0..self.values.len()).step_by(COLUMN) {
            let values = column(self.values, first, 0.0);
            let levers = column(self.levers, first, 1.0);
            let fixed = column(self.fixed, first, true);
            let mut forces = [0.0; COLUMN];
            for k in 0..COLUMN {
                let force = (values[k] / levers[k]).abs();
                forces[k] = if fixed[k] { 0.0 } else { force };
            }
            raise(&mut known, &forces);
        }
        largest(&known)
    }
}

/// Whether all forces, `value / lever`, are at most `allowed`; false where one is no number.
pub(super) fn all_within(values: &[f64], levers: &[f64], allowed: f64) -> bool {
    Arch::new().dispatch(AllWithin {
        values,
        levers,
        allowed,
    })
}

struct AllWithin<'a> {
    values: &'a [f64],
    levers: &'a [f64],
    allowed: f64,
}

impl WithSimd for AllWithin<'_> {
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> bool {
        let mut beyond = [0.0; COLUMN];
        for first in (0..self.values.len()).step_by(COLUMN) {
            let values = column(self.values, first, 0.0);
            let levers = column(self.levers, first, 1.0);
            for k in 0..COLUMN {
                let within = (values[k] / levers[k]).abs() <= self.allowed;
                beyond[k] = if within { beyond[k] } else { 1.0 };
            }
        }
        largest(&beyond) == 0.0
    }
}

/// Whether all values are finite.
pub(super) fn all_finite(values: &[f64]) -> bool {
    Arch::new().dispatch(AllFinite(values))
}

struct AllFinite<'a>(&'a [f64]);

impl WithSimd for AllFinite<'_> {
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> bool {
        // What is not finite gives no zero.
        let mut sums = [0.0; COLUMN];
        for first in (0..self.0.len()).step_by(COLUMN) {
            let values = column(self.0, first, 0.0);
            for k in 0..COLUMN {
                sums[k] += 0.0 * values[k];
            }
        }
        sums.iter().all(|sum| *sum == 0.0)
    }
}

/// Largest motion, `value lever`.
pub(super) fn largest_motion(values: &[f64], levers: &[f64]) -> f64 {
    Arch::new().dispatch(Motion { values, levers }).0
}

/// Euclidean norm of all motions.
pub(super) fn norm_of_motion(values: &[f64], levers: &[f64]) -> f64 {
    Arch::new().dispatch(Motion { values, levers }).1
}

struct Motion<'a> {
    values: &'a [f64],
    levers: &'a [f64],
}

impl WithSimd for Motion<'_> {
    type Output = (f64, f64);

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> (f64, f64) {
        let (mut known, mut sums) = ([0.0; COLUMN], [0.0; COLUMN]);
        for first in (0..self.values.len()).step_by(COLUMN) {
            let values = column(self.values, first, 0.0);
            let levers = column(self.levers, first, 1.0);
            let mut moved = [0.0; COLUMN];
            for k in 0..COLUMN {
                moved[k] = (values[k] * levers[k]).abs();
                sums[k] += moved[k] * moved[k];
            }
            raise(&mut known, &moved);
        }
        (largest(&known), sums.iter().sum::<f64>().sqrt())
    }
}

/// Inertia of all unknowns, and the forces on them.
pub(super) struct Inertia<'a> {
    /// Kg, and kg m^2 of angles.
    pub masses: &'a [f64],
    pub acceleration: &'a [f64],
    pub force: &'a [f64],
    pub levers: &'a [f64],
    pub fixed: &'a [bool],
    /// Where inertia less force is added.
    pub residual: &'a mut [f64],
}

impl Inertia<'_> {
    /// Adds `M u' - F`; returns `u' M u' / 2` and the largest force of inertia, both of unknowns that
    /// are not prescribed.
    pub fn add(self) -> (f64, f64) {
        Arch::new().dispatch(self)
    }
}

impl WithSimd for Inertia<'_> {
    type Output = (f64, f64);

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> (f64, f64) {
        let (mut known, mut sums) = ([0.0; COLUMN], [0.0; COLUMN]);
        for first in (0..self.residual.len()).step_by(COLUMN) {
            let masses = column(self.masses, first, 0.0);
            let acceleration = column(self.acceleration, first, 0.0);
            let force = column(self.force, first, 0.0);
            let levers = column(self.levers, first, 1.0);
            let fixed = column(self.fixed, first, true);
            let (mut sizes, mut add) = ([0.0; COLUMN], [0.0; COLUMN]);
            for k in 0..COLUMN {
                // M u', the derivative by y of u' M u' / (2 a^2).
                let inertia = masses[k] * acceleration[k];
                let free = if fixed[k] { 0.0 } else { inertia };
                sums[k] += 0.5 * free * acceleration[k];
                sizes[k] = (free / levers[k]).abs();
                add[k] = inertia - force[k];
            }
            raise(&mut known, &sizes);
            let residual = &mut self.residual[first..];
            for (residual, add) in residual.iter_mut().zip(&add) {
                *residual += add;
            }
        }
        (sums.iter().sum(), largest(&known))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::tests::Noise;

    /// As one after the other, whatever is left of the last column.
    #[test]
    fn columns_give_what_single_unknowns_do() {
        let mut noise = Noise(3);
        for n in [0, 1, 7, 8, 9, 30] {
            let [values, acceleration, force] = [0; 3].map(|_| noise.vector(n));
            let levers: Vec<f64> = noise.vector(n).iter().map(|v| 1.5 + v).collect();
            let masses: Vec<f64> = noise.vector(n).iter().map(|v| 1.5 + v).collect();
            let fixed: Vec<bool> = (0..n).map(|_| noise.next() > 0.5).collect();
            let free = |k: &usize| !fixed[*k];
            let of = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, f64::max);

            let by_lever = |k: usize| (values[k] / levers[k]).abs();
            let expected = of(&mut (0..n).filter(free).map(by_lever));
            assert_eq!(largest_force(&values, &levers, &fixed), expected);

            let all = of(&mut (0..n).map(by_lever));
            assert!(all_within(&values, &levers, all));
            assert_eq!(all_within(&values, &levers, 0.999 * all), n == 0);

            let moved: Vec<f64> = (0..n).map(|k| values[k] * levers[k]).collect();
            let expected = of(&mut moved.iter().map(|v| v.abs()));
            assert_eq!(largest_motion(&values, &levers), expected);
            let norm = moved.iter().map(|v| v * v).sum::<f64>().sqrt();
            assert!((norm_of_motion(&values, &levers) - norm).abs() < 1e-14);

            let mut residual = values.clone();
            let (energy, size) = Inertia {
                masses: &masses,
                acceleration: &acceleration,
                force: &force,
                levers: &levers,
                fixed: &fixed,
                residual: &mut residual,
            }
            .add();
            let ma: Vec<f64> = (0..n).map(|k| masses[k] * acceleration[k]).collect();
            let expected = of(&mut (0..n).filter(free).map(|k| (ma[k] / levers[k]).abs()));
            assert_eq!(size, expected);
            let sum: f64 = (0..n)
                .filter(free)
                .map(|k| 0.5 * ma[k] * acceleration[k])
                .sum();
            assert!((energy - sum).abs() < 1e-14);
            for k in 0..n {
                assert_eq!(residual[k], values[k] + (ma[k] - force[k]));
            }
        }
    }

    #[test]
    fn what_is_no_number_is_within_nothing() {
        for place in [0, 5, 9] {
            let mut values = [0.0; 10];
            assert!(all_finite(&values));
            for value in [f64::NAN, f64::INFINITY] {
                values[place] = value;
                assert!(!all_within(&values, &[1.0; 10], 1.0));
                assert!(!all_finite(&values));
            }
        }
    }
}
