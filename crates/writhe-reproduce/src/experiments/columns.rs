//! Columns that tables share, and how they are to be read.

use writhe::simulation::Statistics;
use writhe_results::table::number;
use writhe_rundir::{RunSummary, outcome};

/// What is counted and when Newton's method stops, for the notes of a table.
pub(super) const COUNTING: &str = "\
An iteration is one linear solve; averages are over accepted steps that end in contact (the CSV has the number of tries that were
rejected). The paper counts its last check as one more: that is the column `+ check`. Newton stops when the last correction moved no
surface by more than `tolerance` radii, or the next one is foreseen to be below a twentieth of that, and the residual is below `tolerance` of
the largest force (decision 0009). Each step was swept for crossings and made again where rods crossed: no accepted step has any.
";

/// Linear solves of a step in contact, and the same as the paper counts them.
pub(super) fn iterations_per_contact_step(counts: &Statistics) -> [String; 2] {
    let mean = counts.contact_newton_iterations as f64 / counts.contact_steps as f64;
    [number(mean, 4), number(mean + 1.0, 4)]
}

/// Nearest and farthest contact, mm.
pub(super) fn contact_mm(contact: Option<(f64, f64)>) -> [String; 2] {
    [
        number(contact.map(|(from, _)| 1e3 * from), 4),
        number(contact.map(|(_, to)| 1e3 * to), 4),
    ]
}

/// How a run ended.
pub(super) fn ending(summary: &RunSummary) -> String {
    match summary.outcome.as_str() {
        outcome::FINISHED => outcome::FINISHED.to_owned(),
        _ => format!(
            "stopped at {} s: {}",
            number(summary.simulated_s, 6),
            summary.reason
        ),
    }
}
