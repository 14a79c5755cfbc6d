//! Physics that needs a reference: closed forms, other programs' figures, energies, random tangles.

mod bergou2008;
mod cantilever;
mod cases;
mod follow;
mod made_energy;
mod released_modes;
mod ring;
mod settle;
mod stokes_flagellum;
mod stokes_helix;
mod stokes_straight_rod;
mod support;
