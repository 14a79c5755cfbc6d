//! Steps in time: schemes, energy, what is kept between steps.

mod accuracy;
mod decisions;
mod determinism;
mod dynamics_schemes;
mod energy_balance;
mod energy_works;
mod jump_starts;
mod loads_that_jump;
mod named_arrays;
mod restart_memory;
