//! What a run came to: `summary.json`, and the same in words.

mod energy;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use writhe::certificate::Watch;
use writhe::model::Model;
use writhe::simulation::Simulation;
use writhe_rundir::{RunSummary, outcome};

use crate::findings::{Findings, Surroundings};
use crate::format::{count as counted, duration, length, number};
use crate::shell;
use crate::usage::Usage;

/// Why a run ends that nothing ends before.
pub const END: &str = "the end of the simulated time";

/// Parts of a step that take less than this part of the time are not named.
const NEGLIGIBLE: f64 = 0.005;

/// The summary of a run that ended with this outcome for this reason.
pub fn of(
    simulation: &Simulation,
    usage: Usage,
    watch: Option<&Watch>,
    (findings, surroundings): (&Findings, &Surroundings),
    outcome: &str,
    reason: &str,
) -> RunSummary {
    let counts = &simulation.statistics;
    let details = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "simplified_corrections": counts.simplified,
        "krylov_iterations": counts.krylov_iterations,
        "contact_steps": counts.contact_steps,
        "contact_newton_iterations": counts.contact_newton_iterations,
        "contact_stiffness_raises": counts.stiffness_raises,
        "lagged_friction_steps": counts.lagged_steps,
        "deepest_penetration_over_radius": counts.deepest_penetration,
        "time_error_radii": simulation.settings.accuracy.map(|_| counts.time_error),
        "time_accuracy_radii": simulation.settings.accuracy.map(|wanted| wanted.error),
        "touching_distance_m": touching_distance(&simulation.model),
    });
    let crossings_prevented = json!(counts.crossings_prevented);
    let mut extra = BTreeMap::from([
        ("crossings_prevented".to_owned(), crossings_prevented),
        ("details".to_owned(), details),
        (
            energy::KEY.to_owned(),
            energy::value(&simulation.model, &simulation.state.ledger),
        ),
    ]);
    extra.insert("watched".to_owned(), findings.numbers());
    if usage.by_one > 0.0 {
        extra.insert(BY_ONE.to_owned(), json!(usage.by_one));
    }
    let warnings = findings.warnings(simulation, surroundings);
    if !warnings.is_empty() {
        extra.insert(WARNINGS.to_owned(), json!(warnings));
    }
    extra.extend(watch.map(|watch| (CERTIFICATE.to_owned(), certificate(watch))));
    RunSummary {
        cpu_s: usage.cpu,
        wall_s: usage.wall,
        phases_s: usage.phases,
        extra,
        ..RunSummary::of(simulation, outcome, reason)
    }
}

/// Key of the time on the clock of steps that one thread made, since others did not pay, s.
const BY_ONE: &str = "steps_by_one_thread_s";
/// Part of a run that such steps take from which they are named: more than what comparisons of a short
/// run may take.
const MUCH: f64 = 0.25;

/// Key of the list of warnings, texts.
const WARNINGS: &str = "warnings";

/// Key of the certificate.
const CERTIFICATE: &str = "certificate";

/// What the watch over the certificate found.
fn certificate(watch: &Watch) -> Value {
    let record = &watch.record;
    let changes: Vec<Value> = record
        .changes
        .iter()
        .map(|change| json!({ "time_s": change.time, "what": change.what }))
        .collect();
    json!({
        "at_start": watch.at_start().lines(),
        "checked_outputs": record.checked,
        "uncertain_outputs": record.uncertain,
        "changes": changes,
    })
}

/// The certificate in words: what was certified, and whether it held.
fn certificate_lines(certificate: &Value) -> Vec<String> {
    let count = |key: &str| certificate[key].as_u64().unwrap_or(0);
    let list = |key: &str| certificate[key].as_array().cloned().unwrap_or_default();
    let start = list("at_start");
    let mut lines: Vec<String> = start
        .iter()
        .filter_map(|line| line.as_str().map(str::to_owned))
        .collect();
    let checked = counted(count("checked_outputs") as usize, "output");
    let changes = list("changes");
    for change in &changes {
        let time = number(change["time_s"].as_f64().unwrap_or(f64::NAN), 4);
        let what = change["what"].as_str().unwrap_or_default();
        lines.push(format!("CHANGED, seen at t = {time} s: {what}"));
    }
    if changes.is_empty() {
        lines.push(format!("unchanged in {checked}"));
    }
    let uncertain = count("uncertain_outputs");
    if uncertain > 0 {
        lines.push(format!("not certain in {uncertain} of {checked}"));
    }
    lines
}

/// Writes `summary.json` alone, for a run whose results could not be written.
///
/// # Errors
/// When not even this can be written.
pub fn write_alone(summary: &RunSummary, directory: &Path) -> std::io::Result<()> {
    let json = serde_json::to_vec_pretty(summary)?;
    let temporary = directory.join(".summary.json.tmp");
    fs::write(&temporary, json)?;
    fs::rename(&temporary, directory.join("summary.json"))
}

/// Distance of two centrelines that touch, m, where it is the same for all.
fn touching_distance(model: &Model) -> Option<f64> {
    let thickest = model.radius.iter().copied().fold(0.0, f64::max);
    let thinnest = model.length_scale();
    (thickest - thinnest <= 1e-12 * thickest).then_some(2.0 * thinnest)
}

/// What the summary warns of, for those who do not read all of it.
pub fn warnings(summary: &RunSummary, directory: &Path) -> Vec<String> {
    let of_energy = energy::warnings(summary, directory);
    let of_energy = of_energy
        .iter()
        .filter_map(|line| line.strip_prefix("WARNING: "));
    listed(summary)
        .chain(of_energy)
        .map(str::to_owned)
        .collect()
}

fn listed(summary: &RunSummary) -> impl Iterator<Item = &str> {
    let warnings = summary.extra.get(WARNINGS).and_then(Value::as_array);
    warnings.into_iter().flatten().filter_map(Value::as_str)
}

/// The summary in words.
pub fn text(summary: &RunSummary, directory: &Path) -> String {
    let mut out = headline(summary);
    let mut line = |name: &str, value: String| {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "  {name:<22}{value}");
    };
    line("steps", steps(summary));
    line("iterations per step", iterations(summary));
    if let Some(lagged) = detail(summary, "lagged_friction_steps").filter(|n| *n > 0.0) {
        let why = "solving for friction had failed";
        let steps = counted(lagged as usize, "step");
        line("lagged friction", format!("{steps}: {why}"));
    }
    match summary.first_contact_s {
        Some(time) => line("first contact", format!("{} s", number(time, 4))),
        None => line("first contact", "none".to_owned()),
    }
    for (i, text) in time_error(summary).into_iter().enumerate() {
        line(if i == 0 { "time error" } else { "" }, text);
    }
    if let Some(gap) = summary.smallest_gap_m {
        line("smallest gap", smallest_gap(gap, summary));
    }
    if let Some(certificate) = summary.extra.get(CERTIFICATE) {
        let lines = certificate_lines(certificate);
        for (i, text) in lines.into_iter().enumerate() {
            line(if i == 0 { CERTIFICATE } else { "" }, text);
        }
    }
    if let Some(text) = stability(summary) {
        line("stability", text);
    }
    for warning in listed(summary) {
        line("WARNING", warning.to_owned());
    }
    for (i, text) in energy::warnings(summary, directory).into_iter().enumerate() {
        line(if i == 0 { energy::KEY } else { "" }, text);
    }
    let [wall, cpu] = [summary.wall_s, summary.cpu_s].map(duration);
    line(
        "time",
        format!("{wall} ({cpu} of processor){}", by_one(summary)),
    );
    for (name, seconds, percent) in phases(summary) {
        line(&format!("  {name}"), format!("{seconds} ({percent:.0} %)"));
    }
    let typed = shell::path(directory);
    line("in motion", format!("writhe view {typed}"));
    line("pictures", format!("writhe render {typed}"));
    line("numbers", format!("writhe export {typed} --to csv"));
    line("everything", directory.display().to_string());
    out
}

/// How long one thread made the steps, in words, where that is much.
fn by_one(summary: &RunSummary) -> String {
    let seconds = summary.extra.get(BY_ONE).and_then(Value::as_f64);
    seconds
        .filter(|seconds| *seconds > MUCH * summary.wall_s)
        .map_or(String::new(), |seconds| {
            let lasted = duration(seconds);
            format!(", {lasted} of it with one thread, since more were no faster")
        })
}

fn headline(summary: &RunSummary) -> String {
    let time = number(summary.simulated_s, 6);
    match summary.outcome.as_str() {
        outcome::FINISHED if [END, ""].contains(&summary.reason.as_str()) => {
            format!("Finished: {time} s simulated\n")
        }
        outcome::FINISHED => format!("Finished at t = {time} s: {}\n", summary.reason),
        outcome::INTERRUPTED => format!("Interrupted at t = {time} s, all saved\n"),
        outcome::STOPPED => format!("Stopped at t = {time} s: {}\n", summary.reason),
        _ => format!("Failed at t = {time} s\n"),
    }
}

/// Where equilibria could not be judged, and why.
fn stability(summary: &RunSummary) -> Option<String> {
    let watched = summary.extra.get("watched")?;
    let left_out = watched.get("left_out").and_then(Value::as_u64).unwrap_or(0);
    let why = watched.get("left_out_because").and_then(Value::as_str)?;
    let looks = watched.get("looks").and_then(Value::as_u64).unwrap_or(0);
    let looks = counted(looks as usize, "look");
    (left_out > 0).then(|| format!("not known in {left_out} of {looks}: {why}"))
}

fn detail(summary: &RunSummary, name: &str) -> Option<f64> {
    summary
        .extra
        .get("details")?
        .get(name)
        .and_then(Value::as_f64)
}

fn steps(summary: &RunSummary) -> String {
    let prevented = summary
        .extra
        .get("crossings_prevented")
        .and_then(Value::as_u64)
        .unwrap_or(0);
    let crossings = match prevented {
        0 => String::new(),
        n => format!(", {n} of them to prevent a crossing"),
    };
    format!(
        "{} ({} rejected{crossings})",
        summary.steps, summary.rejected_steps
    )
}

/// What the errors of steps sum to where they choose their size by an accuracy, and why that may be
/// more.
fn time_error(summary: &RunSummary) -> Vec<String> {
    let (error, wanted) = (
        detail(summary, "time_error_radii"),
        detail(summary, "time_accuracy_radii"),
    );
    let (Some(error), Some(wanted)) = (error, wanted) else {
        return Vec::new();
    };
    let shown = number(error, 2);
    let mut lines = vec![format!(
        "about {shown} radii in all steps without contact, {} wanted",
        number(wanted, 2)
    )];
    if error > wanted {
        lines.push(
            "more: steps below a quarter of time.step may err as if they were as long;".into(),
        );
        lines.push("a smaller time.step allows them less".into());
    }
    lines
}

fn iterations(summary: &RunSummary) -> String {
    let mean = |iterations: f64, steps: f64| number(iterations / steps.max(1.0), 3);
    let all = mean(summary.newton_iterations as f64, summary.steps as f64);
    let solves = match (
        detail(summary, "contact_newton_iterations"),
        detail(summary, "contact_steps"),
    ) {
        (Some(iterations), Some(steps)) if steps > 0.0 => {
            format!("{all} ({} in contact)", mean(iterations, steps))
        }
        _ => all,
    };
    match detail(summary, "simplified_corrections") {
        Some(more) if more > 0.0 => {
            let more = mean(more, summary.steps as f64);
            format!("{solves}, and {more} further corrections with the same matrix")
        }
        _ => solves,
    }
}

fn smallest_gap(gap: f64, summary: &RunSummary) -> String {
    let relative = detail(summary, "touching_distance_m").map_or(String::new(), |distance| {
        format!(
            " between surfaces (centrelines at {} of the touching distance)",
            number(1.0 + gap / distance, 5)
        )
    });
    format!("{}{relative}", length(gap))
}

/// Parts of a run, their time and their share of it in percent, the largest first.
fn phases(summary: &RunSummary) -> Vec<(&str, String, f64)> {
    let mut parts: Vec<(&str, f64)> = summary
        .phases_s
        .iter()
        .map(|(name, seconds)| (name.as_str(), *seconds))
        .collect();
    // Where the system tells no processor time, parts are times on the clock, too.
    let whole = match summary.cpu_s.is_finite() {
        true => summary.cpu_s,
        false => summary.wall_s,
    };
    let rest = whole - parts.iter().map(|(_, seconds)| seconds).sum::<f64>();
    parts.push(("other", rest.max(0.0)));
    parts.sort_by(|a, b| b.1.total_cmp(&a.1));
    parts
        .iter()
        .filter(|(_, seconds)| *seconds > NEGLIGIBLE * whole)
        .map(|(name, seconds)| (*name, duration(*seconds), 100.0 * seconds / whole))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_by_one_thread_are_named_where_they_took_long() {
        let told = |seconds: Option<f64>| {
            let mut summary = RunSummary {
                wall_s: 20.0,
                ..RunSummary::default()
            };
            let value = seconds.map(|seconds| (BY_ONE.to_owned(), json!(seconds)));
            summary.extra.extend(value);
            by_one(&summary)
        };
        assert!(told(None).is_empty() && told(Some(1.0)).is_empty());
        assert!(told(Some(12.5)).contains("12.5 s of it with one thread"));
    }
}
