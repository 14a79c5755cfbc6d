//! All cases, in the order of the catalogue.

use crate::case::Case;
use crate::cases;

/// All cases.
pub const CASES: &[Case] = &[
    cases::heavy_cantilever::CASE,
    cases::loaded_cantilever::CASE,
    cases::buckling::CASE,
    cases::ring::CASE,
    cases::catenary::CASE,
];

/// The case of this name or section.
pub fn find(name: &str) -> Option<&'static Case> {
    CASES
        .iter()
        .find(|c| c.name == name || c.section == name && name != "-")
}
