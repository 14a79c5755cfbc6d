//! Knots: their types, numbers and certificates.

mod certificates;
mod knot_numbers;
mod knots;
