//! Explicit steps.

mod scheme_figures;
mod symplectic;
mod symplectic_agreement;
mod symplectic_bodies;
mod symplectic_contact;
mod symplectic_joints;
mod symplectic_obstacles;
