//! Regularised Stokeslet segments (Cortez 2018).

pub mod coefficients;
pub mod mobility;
