//! Rigid bodies, their joints and contacts; rods that spin as bodies do.

mod bodies;
mod body_contact;
mod joints;
mod spin_inertia;
