//! How a convergence is told: as text and as JSON.

use serde_json::{Value, json};
use writhe_results::table::Table;

use super::Found;
use super::cheapest::Choice;
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

    fn edges_after(&self, halvings: f64) -> f64 {
        // Rounding must not add an edge.
        (self.edges as f64 * halvings.exp2() * (1.0 - 1e-12)).ceil()
    }
}

/// Everything, for people.
pub fn text(base: Base, found: &[Found], wish: Option<(Wanted, Option<Choice>)>) -> String {
    let mut out = String::new();
    for one in found {
        out += &observable(base, one);
    }
    if let Some((wanted, choice)) = wish {
        out += &proposed(base, wanted, choice);
    }
    out
}

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
                number(limit, 8),
                number(error, 2),
                number(off, 3),
            );
        }
        None => out += "  no limit: an order is not clean\n",
    }
    out + "\n"
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
        Trend::Still(_) => "the value does not depend on it".to_owned(),
        Trend::Unclean(why) => format!("no order: {why}"),
    };
    format!("  {name}: {told}\n{table}")
}

fn proposed(base: Base, wanted: Wanted, choice: Option<Choice>) -> String {
    let error = match wanted {
        Wanted::Relative(part) => format!("{} %", number(100.0 * part, 4)),
        Wanted::Absolute(error) => number(error, 4),
    };
    match choice {
        Some(choice) => format!(
            "Cheapest for an error of {error}: steps of {} with {} edges\n",
            short_time(base.step_after(choice.step)),
            base.edges_after(choice.mesh),
        ),
        None => format!(
            "For an error of {error} nothing can be proposed: an order is not clean, or it takes far more halvings than were run\n"
        ),
    }
}

/// Everything, for programs.
pub fn json(base: Base, found: &[Found], wish: Option<(Wanted, Option<Choice>)>) -> Value {
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
        })
    };
    let choice = wish.and_then(|(_, choice)| choice);
    json!({
        "step_s": base.step,
        "edges": base.edges,
        "observables": found.iter().map(one).collect::<Vec<_>>(),
        "cheapest": choice.map(|choice| json!({
            "step_s": base.step_after(choice.step),
            "edges": base.edges_after(choice.mesh),
        })),
    })
}
