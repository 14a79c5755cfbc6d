//! Drag and Stokes flow.

mod dynamics_drag;
mod flagella_coupling;
mod flagella_order;
mod hydrodynamic_torque;
mod lagged_drag;
mod swimming;
