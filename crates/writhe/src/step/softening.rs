//! A penalty that has become much stiffer than the forces that it carries is made softer, where
//! friction acts.
//!
//! An impact asks for a stiffness in the step in which it happens, and contacts that are deep
//! already for springs a hundred times as stiff. Kept for good, it lets contacts that touch later
//! open and close within a millionth of a radius, and steps become as short. Without friction Newton's
//! method has a potential to descend along, and copes; and what a bounce asks for the next one asks
//! for again, so there the stiffness stays.

use super::contact::AIMED_PENETRATION;
use super::problem::Problem;
use super::residual::Residual;

/// The least stiffness that contacts need holds all of them at the depth that raises aim at, and is at
/// least the first one. So many times that is too stiff ...
const TOO_STIFF: f64 = 64.0;
/// ... and falls to so many times that.
const KEPT: f64 = 16.0;
/// Largest fall from step to step.
const LARGEST_FALL: f64 = 4.0;

/// Stiffness to go on with after a step whose last trial is accepted, N m; 0 for the same.
pub(super) fn next_stiffness(residual: &Residual) -> f64 {
    let Problem {
        model,
        contact_stiffness: stiffness,
        ..
    } = residual.problem;
    let first = model.first_contact_stiffness();
    // Where nothing touches there is nothing to judge by.
    if stiffness <= first || residual.at.contact.count() == 0 || !model.has_friction() {
        return 0.0;
    }
    // F = k f(gap), f the force of the law at unit stiffness.
    let least = residual.at.contact.penetrations().filter_map(|contact| {
        let law = model.contact.law(contact.scale, 1.0)?;
        let unit = law.evaluate(-AIMED_PENETRATION * contact.scale).force;
        Some(contact.force / unit)
    });
    let least = least.fold(first, f64::max);
    if stiffness <= TOO_STIFF * least {
        return 0.0;
    }
    (KEPT * least).max(stiffness / LARGEST_FALL)
}
