//! The balance of energy in the summary, and the warnings that follow from it.

use std::path::Path;

use serde_json::{Value, json};
use writhe::kinetic::rounding;
use writhe::ledger::Ledger;
use writhe::model::Model;
use writhe_rundir::RunSummary;

use crate::format::number;
use crate::shell;

/// Key of the balance in `summary.json`, and its name in words.
pub const KEY: &str = "energy";

/// Part of the scale that the time scheme may make without a warning.
const GAIN: f64 = 0.01;
/// Part of the scale that it may lose.
const LOSS: f64 = 0.1;

/// The balance of a run, J.
pub fn value(model: &Model, ledger: &Ledger) -> Value {
    let works = &ledger.works;
    json!({
        "largest_J": ledger.largest,
        "work_loads_J": works.loads,
        "work_supports_J": works.supports,
        "work_motors_J": works.motors,
        "work_contact_J": works.contact,
        "heat_drag_J": works.drag,
        "heat_damping_J": works.damping,
        "heat_friction_J": works.friction,
        "scheme_J": ledger.scheme,
        "scheme_largest_gain_J": ledger.gain,
        "scheme_largest_loss_J": ledger.loss,
        "scale_J": ledger.scale(),
        "rounding_J": rounding(model),
    })
}

/// Gains and losses of the time scheme that are too large to pass unsaid. They are compared with
/// the largest energy and the sizes of all works, never with the energy at the start, which may be
/// nothing.
pub fn warnings(summary: &RunSummary, directory: &Path) -> Vec<String> {
    let Some(balance) = summary.extra.get(KEY) else {
        return Vec::new();
    };
    let of = |key: &str| balance[key].as_f64().unwrap_or(f64::NAN);
    let scale = of("scale_J");
    // What is not above rounding is no gain of anything.
    let part = |key: &str| match of(key) > of("rounding_J") {
        true => of(key) / scale,
        false => 0.0,
    };
    let told = |part: f64, key: &str| {
        let joules = [of(key), scale].map(|joules| number(joules, 3));
        format!(
            "{} J, {} % of the largest energy and all works ({} J)",
            joules[0],
            number(100.0 * part, 2),
            joules[1]
        )
    };
    let [gain, loss] = ["scheme_largest_gain_J", "scheme_largest_loss_J"];
    let mut lines = Vec::new();
    if part(gain) > GAIN {
        lines.push(format!(
            "WARNING: the time scheme made {}: results may be wrong, take a smaller `time.step`",
            told(part(gain), gain)
        ));
    }
    if part("work_contact_J") > GAIN {
        lines.push(format!(
            "WARNING: raising the contact stiffness made {}: results may be wrong, take a smaller `time.step` or give `contact.stiffness`",
            told(part("work_contact_J"), "work_contact_J")
        ));
    }
    if part(loss) > LOSS {
        lines.push(format!(
            "the time scheme lost {}: motion dies faster than it should; a smaller `time.step` loses less, and so does `time.scheme = \
             \"implicit-midpoint\"` in scenes without a barrier",
            told(part(loss), loss)
        ));
    }
    if !lines.is_empty() {
        let directory = shell::path(directory);
        lines.push(format!("where it went: writhe plot {directory} energy"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn told(gain: f64, loss: f64, scale: f64) -> Vec<String> {
        let balance = json!({
            "scheme_largest_gain_J": gain,
            "scheme_largest_loss_J": loss,
            "scale_J": scale,
            "rounding_J": 1e-14,
        });
        let summary = RunSummary {
            extra: BTreeMap::from([(KEY.to_owned(), balance)]),
            ..RunSummary::default()
        };
        warnings(&summary, Path::new("runs/a"))
    }

    #[test]
    fn gains_above_a_hundredth_and_losses_above_a_tenth_are_told() {
        assert!(told(0.009, 0.09, 1.0).is_empty());
        assert!(told(1e-16, 1e-16, 1e-16).is_empty());
        let gain = told(0.02, 0.0, 1.0);
        assert!(
            gain[0].starts_with("WARNING: the time scheme made 0.02 J, 2 %"),
            "{gain:?}"
        );
        assert!(gain[1].ends_with("writhe plot runs/a energy"), "{gain:?}");
        let both = told(0.02, 0.2, 1.0);
        assert_eq!(both.len(), 3, "{both:?}");
        assert!(
            both[1].starts_with("the time scheme lost 0.2 J, 20 %"),
            "{both:?}"
        );
    }

    #[test]
    fn what_raises_of_the_contact_stiffness_make_is_told() {
        let told = |work: f64| {
            let balance = json!({ "work_contact_J": work, "scale_J": 1.0, "rounding_J": 1e-14 });
            let summary = RunSummary {
                extra: BTreeMap::from([(KEY.to_owned(), balance)]),
                ..RunSummary::default()
            };
            warnings(&summary, Path::new("runs/a"))
        };
        assert!(told(0.009).is_empty() && told(-0.5).is_empty());
        let made = told(0.22);
        assert!(
            made[0].starts_with("WARNING: raising the contact stiffness made 0.22 J, 22 %"),
            "{made:?}"
        );
    }
}
