//! Contact of rods with rods, with and without friction.

mod contact_energy;
mod contact_known_values;
mod contact_models;
mod contact_near_itself;
mod contact_scene;
mod friction_directions;
mod friction_directions_rods;
mod friction_static;
mod friction_twist;
mod heap;
mod jam;
mod lagged_friction;
mod line_searches;
mod parallel_edges;
mod side_by_side;
mod squeezed;
