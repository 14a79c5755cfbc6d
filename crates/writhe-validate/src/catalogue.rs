//! All cases, in the order of the catalogue.

use crate::case::Case;
use crate::cases;

/// All cases.
pub const CASES: &[Case] = &[
    cases::heavy_cantilever::CASE,
    cases::loaded_cantilever::CASE,
    cases::buckling::CASE,
    cases::ring::CASE,
    cases::michell::CASE,
    cases::greenhill::CASE,
    cases::catenary::CASE,
    cases::bend_twist::CASE,
    cases::stick_slip::CASE,
    cases::frequencies::CASE,
    cases::integrators::CASE,
    cases::momentum::CASE,
    cases::imc_energy::CASE,
    cases::ipc_barrier::CASE,
    cases::friction_weight::CASE,
    cases::segment_distance::CASE,
    cases::crossed_rods::CASE,
    cases::floor::CASE,
    cases::capstan::CASE,
    cases::stokeslet_segments::CASE,
    cases::straight_rod_drag::CASE,
    cases::rotating_helix::CASE,
    cases::single_flagellum::CASE,
    cases::flexible_helix::CASE,
    cases::tangles::CASE,
    cases::fast_tangles::CASE,
    cases::curling::CASE,
    cases::curved_rods::CASE,
    cases::flagella_mesh::CASE,
    cases::gyroscope::CASE,
];

/// The case of this name or section.
pub fn find(name: &str) -> Option<&'static Case> {
    CASES
        .iter()
        .find(|c| c.name == name || c.section == name && name != "-")
}
