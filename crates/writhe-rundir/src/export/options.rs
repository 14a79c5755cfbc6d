//! What an export holds besides the rods, and how it shows them.

use super::surroundings::Surroundings;

/// What an export shows, and how.
#[derive(Debug, Clone, Default)]
pub struct ExportOptions {
    /// Rest length of each edge, m, `(edges)`, by which stretch counts; without, the lengths of the
    /// first frame.
    pub rest: Option<Vec<f64>>,
    /// What is around the rods.
    pub surroundings: Surroundings,
    /// The field that colours the rods; without, each rod has a colour of its own.
    pub colour: Option<Colouring>,
    /// Whether tubes follow a smooth curve through the nodes in place of the straight edges that
    /// were simulated.
    pub smooth: bool,
}

/// Rods coloured by a field.
#[derive(Debug, Clone)]
pub struct Colouring {
    /// Its name: `curvature`, `twist`, `stretch`, `speed`, `contact_force`.
    pub field: String,
    /// The time whose frame a format with one colouring shows, s; without, the last one.
    pub at: Option<f64>,
    /// Colour of a value from 0 to 1 of a field without sign, linear light.
    pub sequential: fn(f64) -> [f64; 3],
    /// The same of a field with a sign; 0 stands at 0.5.
    pub diverging: fn(f64) -> [f64; 3],
}
