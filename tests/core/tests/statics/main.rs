//! Equilibria: found, judged, followed.

mod follow;
mod follow_contact;
mod quasistatic;
mod stability;
mod statics;
