//! Rods alone: derivatives, strains, loads, what drives them.

mod derivatives;
mod drives;
mod followers;
mod half_edges;
mod invariants;
mod invariants_twist;
mod junctions;
mod kinematics_errors;
mod loads_known_values;
mod materials;
mod observables;
mod section_loads;
mod strips;
