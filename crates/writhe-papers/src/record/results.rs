//! What is recorded, and of which sources.

use std::fs;
use std::path::Path;

use writhe_cli::report::{Failure, Result};
use writhe_reproduce::bench::Span;
use writhe_reproduce::rows::Rows;
use writhe_reproduce::runner::recorded;
use writhe_results::provenance::RECORDED;
use writhe_results::sources::{Checkout, Origin, SameBits};
use writhe_validate::catalogue::CASES;

/// What a row that was never timed is taken to cost, s.
pub const NEVER_TIMED: f64 = 60.0;
/// Folder of the cases, below that of all results.
pub const CASES_FOLDER: &str = "cases";

/// A table, figure or case, as it is recorded.
#[derive(Debug, Clone)]
pub struct Recorded {
    /// Name on the command line.
    pub name: String,
    /// Whether it is a case of `writhe validate`.
    pub is_case: bool,
    /// Rows that it has when it is whole.
    pub rows: usize,
    /// Rows that are missing or of other sources, each with the processor time that it took when it
    /// was recorded last, s.
    pub outdated: Vec<(String, Option<f64>)>,
    /// Rows that are missing.
    pub missing: usize,
    /// Hash of the sources that its runs would be of now: others of the paper may share them.
    pub runs: String,
}

impl Recorded {
    /// Processor time of the outdated rows that were timed, s, and how many were not; `None` where
    /// none was.
    pub fn timed(&self) -> Option<(f64, usize)> {
        let known: Vec<f64> = self.outdated.iter().filter_map(|(_, cost)| *cost).collect();
        let others = self.outdated.len() - known.len();
        (!known.is_empty()).then(|| (known.iter().sum(), others))
    }

    /// About what it costs to record it, s of processor time.
    pub fn estimate(&self) -> f64 {
        let cost = |(_, cost): &(String, Option<f64>)| cost.unwrap_or(NEVER_TIMED);
        self.outdated.iter().map(cost).sum()
    }

    /// What shares runs with others: a paper, or the case alone. Two processes must not make the
    /// same run.
    pub fn group(&self) -> &str {
        match self.is_case {
            true => &self.name,
            false => self.name.split('-').next().unwrap_or(&self.name),
        }
    }
}

/// All experiments and cases, as they are recorded in `out`.
///
/// # Errors
/// When a file cannot be read, or git not asked.
pub fn all(out: &Path, checkout: &Checkout) -> Result<Vec<Recorded>> {
    let same = checkout.same_bits();
    let mut results = Vec::new();
    for experiment in writhe_reproduce::all() {
        let name = experiment.name();
        let sources = hashes(checkout, Origin::Experiment(name), &same)?;
        let rows = recorded(*experiment, &out.join(name))
            .map_err(|error| Failure::failed(error.to_string()))?;
        let wanted: Vec<String> = experiment
            .rows(Span::Full)
            .iter()
            .map(|row| row.name().to_owned())
            .collect();
        // Rows of another form are there, and old.
        let is = |test: &dyn Fn(&Rows) -> bool| rows.as_ref().is_some_and(test);
        let old = wanted
            .iter()
            .filter(|row| !is(&|rows| rows.is_current(row, &sources)));
        let cost = |row: &str| rows.as_ref().and_then(|rows| rows.cost(row));
        let missing = wanted.iter().filter(|row| is(&|rows| !rows.has(row)));
        results.push(Recorded {
            name: name.to_owned(),
            is_case: false,
            rows: wanted.len(),
            outdated: old.map(|row| (row.clone(), cost(row))).collect(),
            missing: missing.count(),
            runs: hash(checkout, Origin::Runs(name))?,
        });
    }
    for case in CASES {
        let sources = hashes(checkout, Origin::Case(case.name), &same)?;
        let file = out.join(CASES_FOLDER).join(format!("{}.csv", case.name));
        let text = fs::read_to_string(&file).ok();
        let made = |what: &str| made(text.as_deref()?, what);
        let current = made(RECORDED[1]).is_some_and(|of| sources.iter().any(|s| s == of));
        let cost = made(RECORDED[0]).and_then(|cost| cost.parse().ok());
        let old = (!current).then(|| (case.name.to_owned(), cost));
        results.push(Recorded {
            name: case.name.to_owned(),
            is_case: true,
            rows: 1,
            outdated: old.into_iter().collect(),
            missing: usize::from(text.is_none()),
            runs: hash(checkout, Origin::Case(case.name))?,
        });
    }
    Ok(results)
}

/// Hashes of the sources of which a result counts as current, those of the checkout first.
fn hashes(checkout: &Checkout, origin: Origin, same: &[SameBits]) -> Result<Vec<String>> {
    checkout.hashes(origin, same).ok_or_else(no_git)
}

fn hash(checkout: &Checkout, origin: Origin) -> Result<String> {
    checkout.hash(origin).ok_or_else(no_git)
}

fn no_git() -> Failure {
    Failure::failed("git cannot be asked for a hash").help("is it on the PATH?")
}

/// What the head of a case's file says of `what`: its second line is
/// `# date .., commit .., .., sources ..`.
fn made<'a>(text: &'a str, what: &str) -> Option<&'a str> {
    let head = text.lines().nth(1)?.strip_prefix("# ")?;
    let mut parts = head.split(", ");
    parts.find_map(|part| part.strip_prefix(what)?.strip_prefix(' '))
}

/// Keeps those that are named, if any are.
///
/// # Errors
/// A name that no experiment and no case has.
pub fn keep_only(results: &mut Vec<Recorded>, only: &[String]) -> Result<()> {
    let experiments = writhe_reproduce::all().iter().map(|e| e.name());
    let known: Vec<&str> = experiments.chain(CASES.iter().map(|c| c.name)).collect();
    if let Some(name) = only.iter().find(|name| !known.contains(&name.as_str())) {
        return Err(
            Failure::bad_input(format!("there is no experiment and no case `{name}`"))
                .help(format!("there are {}", known.join(", "))),
        );
    }
    results.retain(|result| only.is_empty() || only.contains(&result.name));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_read() {
        let text = "# writhe validate floor\n# date x, cores 2, recording_cpu_s 3.50, sources ab12\ncase\n";
        assert_eq!(made(text, "sources"), Some("ab12"));
        assert_eq!(made(text, "recording_cpu_s"), Some("3.50"));
        assert_eq!(made(text, "commit"), None);
        assert_eq!(made("", "sources"), None);
    }

    #[test]
    fn costs_are_known_or_assumed() {
        let mut result = Recorded {
            name: "tong2022-c6".into(),
            is_case: false,
            rows: 2,
            outdated: vec![("a".into(), Some(10.0)), ("b".into(), None)],
            missing: 1,
            runs: String::new(),
        };
        assert_eq!(result.timed(), Some((10.0, 1)));
        assert_eq!(result.estimate(), 10.0 + NEVER_TIMED);
        assert_eq!(result.group(), "tong2022");
        result.outdated.clear();
        assert_eq!((result.timed(), result.estimate()), (None, 0.0));
    }

    #[test]
    fn unknown_names_are_told() {
        let mut results = Vec::new();
        assert!(keep_only(&mut results, &["floor".into()]).is_ok());
        assert!(keep_only(&mut results, &["flor".into()]).is_err());
    }
}
