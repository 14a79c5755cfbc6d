//! Scene files to models: what is read, described and refused.

#[path = "../common/mod.rs"]
mod common;

mod absurd;
mod accuracy;
mod along;
mod crossings;
mod describe;
mod errors;
mod errors_rods;
mod fuzz;
mod import;
mod in_time;
mod named_keys;
mod obstacles;
mod perturbation;
mod repeat;
mod scene_bodies;
mod tables;
mod templates;
