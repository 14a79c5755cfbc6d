//! How a convergence is told: as text and as JSON.

use serde_json::{Value, json};
use writhe_results::table::Table;

use super::Found;
use super::cheapest::Choice;
use super::mesh::edges_after;
use super::series::Trend;
use crate::format::{number, short_time};
use crate::wanted::Wanted;

/// The scene that was halved.
#[derive(Debug, Clone, Copy)]
pub struct Base {
    /// Size of its steps, s.
    pub step: f64,
    /// Its edges.
    pub edges: usize,
}

impl Base {
    fn step_after(&self, halvings: f64) -> f64 {
        self.step * (-halvings).exp2()
    }

    fn edges_after(&self, halvings: f64) -> usize {
        edges_after(self.edges, halvings)
    }
}

/// What is proposed for an error.
#[derive(Debug, Clone)]
pub struct Proposal {
    /// The error.
    pub wanted: Wanted,
    /// The cheapest step and mesh; `None` if there is none within reach.
    pub choice: Option<Choice>,
    /// What makes the scene so, as for `--set`.
    pub sets: Vec<String>,
}

/// What makes a scene as it was chosen, `key=value` each, from the keys of its mesh with their
/// edges.
pub fn sets(base: Base, choice: Choice, mesh: Result<Vec<(String, usize)>, String>) -> Vec<String> {
    let mut sets = Vec::new();
    if choice.step > 0.0 {
        // Downwards, as a longer step might be too long.
        let step = base.step_after(choice.step);
        let unit = 10.0_f64.powf(step.log10().floor() - 2.0);
        sets.push(format!(
            "time.step={}",
            number((step / unit).floor() * unit, 3)
        ));
    }
    if choice.mesh > 0.0 {
        let edges = mesh.unwrap_or_default().into_iter();
        sets.extend(edges.map(|(key, edges)| format!("{key}={edges}")));
    }
    sets
}

/// Everything, for people.
pub fn text(base: Base, found: &[Found], proposal: Option<&Proposal>) -> String {
    let mut out = String::new();
    for one in found {
        out += &observable(base, one);
    }
    if found.iter().any(|one| one.limit.is_none()) {
        out += ADVICE;
    }
    if let Some(proposal) = proposal {
        if !out.ends_with("\n\n") {
            out += "\n";
        }
        out += &proposed(base, proposal);
    }
    out
}

const ADVICE: &str = "\
Where there is no order, steps or edges are too coarse for one yet, or what
happens changes with them, as where contact begins. Begin with finer ones
(--set time.step=...), or take a fourth run (--steps 4, --meshes 4).
";

fn observable(base: Base, found: &Found) -> String {
    let unit = match found.unit.as_str() {
        "1" => String::new(),
        unit => format!(" {unit}"),
    };
    let mut out = format!(
        "{}{}\n",
        found.observable,
        match unit.as_str() {
            "" => String::new(),
            unit => format!(", {}", unit.trim()),
        }
    );
    let step_of = |k: usize| short_time(base.step_after(k as f64));
    let edges_of = |k: usize| format!("{} edges", base.edges_after(k as f64));
    let (by_step, by_mesh) = (&found.by_step, &found.by_mesh);
    out += &series("step", by_step, found.step.as_ref(), &step_of);
    out += &series("mesh", by_mesh, found.mesh.as_ref(), &edges_of);
    match found.limit {
        Some((limit, error)) => {
            let off = found.by_step.first().copied().unwrap_or(f64::NAN) - limit;
            let part = if limit == 0.0 {
                String::new()
            } else {
                format!(" ({} %)", number(100.0 * off / limit, 2))
            };
            out += &format!(
                "  limit {} ± {}{unit}; the scene is off by {}{unit}{part}\n",
                known(limit, error),
                number(error, 2),
                number(off, 3),
            );
        }
        None => {
            out += "  no order: no limit";
            if let Some((value, spread)) = found.finest() {
                out += &format!(
                    "; finest runs {} ± {}{unit}, as the last two differ",
                    known(value, spread),
                    number(spread, 2),
                );
            }
            out += "\n";
        }
    }
    out + "\n"
}

/// `value` to the second digit of its error.
fn known(value: f64, error: f64) -> String {
    let place = |x: f64| x.abs().log10().floor();
    let digits = place(value) - place(error) + 2.0;
    number(
        value,
        if digits.is_finite() {
            digits.clamp(2.0, 12.0) as usize
        } else {
            8
        },
    )
}

/// Values and differences of one series, and what they come to.
fn series(
    name: &str,
    values: &[f64],
    trend: Option<&Trend>,
    label: &dyn Fn(usize) -> String,
) -> String {
    let Some(trend) = trend else {
        return format!("  {name}: not halved\n");
    };
    let header = ["", "value", "difference"];
    let mut table = Table::new(&header).with_text(1);
    for (k, value) in values.iter().enumerate() {
        let before = k.checked_sub(1).map(|k| values[k]);
        let difference = before.map_or(String::new(), |before| number(value - before, 3));
        table.row([format!("    {}", label(k)), number(*value, 9), difference]);
    }
    let told = match trend {
        Trend::Clean(limit) => format!("order {:.2}", limit.order),
        Trend::Still(0.0) => "it changes nothing".to_owned(),
        Trend::Still(largest) => format!("it changes {} at most", number(*largest, 2)),
        Trend::Unclean(why) => format!("no order: {why}"),
    };
    format!("  {name}: {told}\n{table}")
}

fn proposed(base: Base, proposal: &Proposal) -> String {
    let error = match proposal.wanted {
        Wanted::Relative(part) => format!("{} %", number(100.0 * part, 4)),
        Wanted::Absolute(error) => number(error, 4),
    };
    let Some(choice) = proposal.choice else {
        return format!(
            "For an error of {error} nothing can be proposed: a limit is missing, or it takes far\n\
             more halvings than were run.\n"
        );
    };
    let chosen = format!(
        "steps of {} with {} edges",
        short_time(base.step_after(choice.step)),
        base.edges_after(choice.mesh),
    );
    if choice.step == 0.0 && choice.mesh == 0.0 {
        return format!(
            "For an error of {error} the scene will do as it is: {chosen}.\n\
             Coarser ones were not run.\n"
        );
    }
    let mut out = format!("Cheapest for an error of {error}: {chosen}.\n");
    // Of a scene with many rods a list would not be read.
    if (1..=FEW).contains(&proposal.sets.len()) {
        for set in &proposal.sets {
            out += &format!("  --set {set}\n");
        }
    }
    out
}

/// Settings that are told at most.
const FEW: usize = 4;

/// Everything, for programs.
pub fn json(base: Base, found: &[Found], proposal: Option<&Proposal>) -> Value {
    let trend = |trend: &Option<Trend>| match trend {
        None => Value::Null,
        Some(Trend::Clean(limit)) => {
            json!({"order": limit.order, "limit": limit.value, "error": limit.error})
        }
        Some(Trend::Still(largest)) => json!({"still": true, "largest_difference": largest}),
        Some(Trend::Unclean(why)) => json!({"no_order": why}),
    };
    let one = |found: &Found| {
        json!({
            "observable": found.observable.to_string(),
            "unit": found.unit,
            "by_step": found.by_step,
            "by_mesh": found.by_mesh,
            "step": trend(&found.step),
            "mesh": trend(&found.mesh),
            "limit": found.limit.map(|(limit, _)| limit),
            "error": found.limit.map(|(_, error)| error),
            "finest": found.finest().map(|(value, _)| value),
            "spread": found.finest().map(|(_, spread)| spread),
        })
    };
    let choice = proposal.and_then(|proposal| Some((proposal.choice?, &proposal.sets)));
    json!({
        "step_s": base.step,
        "edges": base.edges,
        "observables": found.iter().map(one).collect::<Vec<_>>(),
        "cheapest": choice.map(|(choice, sets)| json!({
            "step_s": base.step_after(choice.step),
            "edges": base.edges_after(choice.mesh),
            "set": sets,
        })),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_the_digits_that_are_known() {
        for (value, error, text) in [
            (-0.058_098_39, 4.8e-6, "-0.0580984"),
            (0.010_000_49, 9.0e-6, "0.0100005"),
            (3.0, 7.0, "3"),
            (1.234_567_89, 0.0, "1.2345679"),
        ] {
            assert_eq!(known(value, error), text);
        }
    }

    #[test]
    fn what_is_chosen_is_set_with_a_step_that_is_no_longer() {
        let base = Base {
            step: 4e-3,
            edges: 8,
        };
        let choice = Choice {
            step: 0.5,
            mesh: 0.5,
        };
        let mesh = Ok(vec![("scene.edges".to_owned(), 12)]);
        let all = sets(base, choice, mesh.clone());
        assert_eq!(all, ["time.step=0.00282", "scene.edges=12"]);
        let none = Choice {
            step: 0.0,
            mesh: 0.0,
        };
        assert!(sets(base, none, mesh).is_empty());
    }
}
