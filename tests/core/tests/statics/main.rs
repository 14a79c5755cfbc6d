//! Equilibria: found, judged, followed.

mod follow;
mod quasistatic;
mod stability;
mod statics;
