//! `writhe validate`: the catalogue's cases, measured and judged.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use writhe_results::provenance;
use writhe_results::sources::{Checkout, Origin};
use writhe_results::table::Table;
use writhe_rundir::processor_time;
use writhe_validate::case::{Case, CaseError, Context};
use writhe_validate::catalogue::{CASES, find};
use writhe_validate::row::{Judged, Row, Verdict};

use crate::args::ValidateArgs;
use crate::console;
use crate::files;
use crate::format::{beside, count, exact, number};
use crate::report::{Failure, Result};

/// Runs the cases and prints their tables.
///
/// # Errors
/// A case that does not exist, a file that cannot be written, or any row that fails.
pub fn run(args: &ValidateArgs) -> Result<()> {
    let cases = chosen(&args.cases)?;
    if args.list && args.json {
        return console::print_json(&Value::Array(
            cases.iter().map(|case| listed(case)).collect(),
        ));
    }
    if args.list {
        return console::print(&list(&cases));
    }
    check_places(args, &cases)?;
    let mut csv = format!("{CSV_HEADER}\n");
    let checkout = Checkout::of_program(provenance::COMMIT).ok();
    let mut failures = Vec::new();
    let mut told = Vec::new();
    let mut passed = 0;
    for case in &cases {
        let clock = processor_time();
        let outcome = (case.run)(&context(args.quick));
        let cpu = processor_time() - clock;
        let text = case_text(case, &outcome);
        let lines = csv_lines(case, &outcome);
        if args.json {
            told.push(json(case, &outcome));
        } else {
            console::print(&format!("{text}\n"))?;
        }
        if let Some(folder) = &args.record {
            let sources = checkout
                .as_ref()
                .and_then(|c| c.hash(Origin::Case(case.name)));
            let made = made(cpu, sources.as_deref());
            record(folder, case, args.quick, &made, &text, &lines)?;
        }
        csv += &lines;
        let failed = outcome
            .as_ref()
            .map_or(1, |rows| judged(rows, Verdict::Fail));
        passed += outcome
            .as_ref()
            .map_or(0, |rows| judged(rows, Verdict::Pass));
        if failed > 0 {
            failures.push(format!("{} ({failed})", case.name));
        }
    }
    if let Some(file) = &args.csv {
        files::write_file(file, &csv)?;
    }
    if args.json {
        console::print_json(&json!(told))?;
    }
    let total = format!("{}, {}", count(cases.len(), "case"), count(passed, "row"));
    if failures.is_empty() {
        return match args.json {
            true => Ok(()),
            false => console::print(&format!("All pass: {total}.\n")),
        };
    }
    Err(Failure::failed(format!(
        "rows that fail: {}; {} pass",
        failures.join(", "),
        count(passed, "row")
    )))
}

fn chosen(names: &[String]) -> Result<Vec<&'static Case>> {
    if names.is_empty() {
        return Ok(CASES.iter().collect());
    }
    names
        .iter()
        .map(|name| find(name).ok_or_else(|| unknown(name)))
        .collect()
}

/// Endings of the files of a record.
const ENDINGS: [&str; 2] = ["txt", "csv"];

/// Tries the places of what is to be written: measurements may take hours, and are not to be lost.
fn check_places(args: &ValidateArgs, cases: &[&Case]) -> Result<()> {
    if let Some(file) = &args.csv {
        files::check_place(file)?;
    }
    let mut places = (args.record.iter())
        .flat_map(|folder| cases.iter().map(move |case| (folder, case)))
        .flat_map(|(folder, case)| ENDINGS.map(|ending| recorded(folder, case, ending)));
    places.try_for_each(|file| files::check_place(&file))
}

/// A file of the record of a case.
fn recorded(folder: &Path, case: &Case, ending: &str) -> PathBuf {
    folder.join(format!("{}.{ending}", case.name))
}

fn unknown(name: &str) -> Failure {
    let near = |case: &&Case| strsim::jaro_winkler(name, case.name);
    let nearest = CASES.iter().max_by(|a, b| near(a).total_cmp(&near(b)));
    let guess = nearest.filter(|case| near(case) > 0.7);
    let help = guess.map_or_else(
        || "`writhe validate --list` shows them".to_owned(),
        |case| {
            format!(
                "did you mean `{}`? `writhe validate --list` shows all",
                case.name
            )
        },
    );
    Failure::bad_input(format!("there is no case `{name}`")).help(help)
}

fn context(quick: bool) -> Context<'static> {
    Context {
        quick,
        progress: &|line| {
            console::print_progress(&format!("  {line}\n"));
        },
        processor_time,
    }
}

/// Widest name of a row, characters.
const NAME_WIDTH: usize = 84;

/// What is known of a case before it is run.
fn listed(case: &Case) -> Value {
    json!({
        "case": case.name,
        "section": case.section,
        "reference": case.source.to_string(),
        "origin": case.origin,
        "measures": case.measures,
    })
}

fn list(cases: &[&Case]) -> String {
    let mut table = Table::new(&["case", "section", "reference", "measures"]).with_text(4);
    for case in cases {
        table.row([
            case.name.to_owned(),
            case.section.to_owned(),
            case.source.to_string(),
            case.measures.to_owned(),
        ]);
    }
    table.to_string()
}

fn judged(rows: &[Row], verdict: Verdict) -> usize {
    rows.iter().filter(|row| row.verdict() == verdict).count()
}

fn case_text(case: &Case, outcome: &std::result::Result<Vec<Row>, CaseError>) -> String {
    let mut text = format!(
        "{} (catalogue {}): {}\nreference: {}, {}\n",
        case.name, case.section, case.measures, case.source, case.origin
    );
    match outcome {
        Err(error) => {
            let _ = writeln!(text, "  FAIL: {error}");
        }
        Ok(rows) => {
            let header = [
                "",
                "measured",
                "reference",
                "unit",
                "error",
                "order",
                "bound",
                "verdict",
            ];
            let mut table = Table::new(&header).with_text(1);
            for row in rows {
                let mut lines = wrapped(&row.what);
                let last = lines.pop().unwrap_or_default();
                for line in lines {
                    let mut cells = [const { String::new() }; 8];
                    cells[0] = line;
                    table.row(cells);
                }
                table.row([
                    last,
                    measured(row),
                    row.reference.map_or_else(String::new, |r| number(r, 7)),
                    row.unit.to_owned(),
                    error(row),
                    order(row),
                    bound(row.judged),
                    row.verdict().to_string(),
                ]);
            }
            let _ = write!(text, "{table}");
        }
    }
    text
}

/// A row's name in lines of at most [`NAME_WIDTH`] characters where its words allow it.
fn wrapped(name: &str) -> Vec<String> {
    let mut lines = vec![String::from(" ")];
    for word in name.split(' ') {
        let line = lines
            .last_mut()
            .filter(|line| line.len() + word.len() < NAME_WIDTH);
        match line {
            Some(line) => {
                line.push(' ');
                line.push_str(word);
            }
            None => lines.push(format!("      {word}")),
        }
    }
    lines
}

/// The measured number, on the side of its bound on which it is.
fn measured(row: &Row) -> String {
    let value = row.measured;
    match row.judged {
        Judged::AtMost(bound) | Judged::AtLeast(bound) => {
            beside(value, bound, |n| number(value, n.max(7)))
        }
        Judged::Relative(_) | Judged::Absolute(_) | Judged::Shown => number(value, 7),
    }
}

/// The error, on the side of its bound on which it is.
fn error(row: &Row) -> String {
    let Some(value) = row.error() else {
        return String::new();
    };
    let shown = |digits: usize| format!("{value:.*e}", digits - 1);
    match row.judged {
        Judged::Relative(bound) | Judged::Absolute(bound) => beside(value, bound, shown),
        Judged::AtMost(_) | Judged::AtLeast(_) | Judged::Shown => shown(2),
    }
}

fn order(row: &Row) -> String {
    let orders: Vec<String> = row.order.iter().map(|o| format!("{o:.2}")).collect();
    orders.join(" ")
}

fn bound(judged: Judged) -> String {
    match judged {
        Judged::Relative(bound) => format!("{bound:e} rel"),
        Judged::Absolute(bound) => format!("{bound:e} abs"),
        Judged::AtMost(bound) => format!("<= {}", exact(bound)),
        Judged::AtLeast(bound) => format!(">= {}", exact(bound)),
        Judged::Shown => String::new(),
    }
}

fn json(case: &Case, outcome: &std::result::Result<Vec<Row>, CaseError>) -> Value {
    let row = |row: &Row| {
        json!({
            "what": row.what,
            "measured": row.measured,
            "reference": row.reference,
            "unit": row.unit,
            "error": row.error(),
            "order": row.order,
            "bound": bound(row.judged),
            "verdict": row.verdict().to_string(),
        })
    };
    let (rows, failure) = match outcome {
        Ok(rows) => (rows.iter().map(row).collect(), None),
        Err(error) => (Vec::new(), Some(error.to_string())),
    };
    json!({
        "case": case.name,
        "section": case.section,
        "measures": case.measures,
        "source": case.source.to_string(),
        "failure": failure,
        "rows": rows,
    })
}

const CSV_HEADER: &str =
    "case,section,what,measured,reference,unit,error,order,bound,verdict,source";

fn csv_lines(case: &Case, outcome: &std::result::Result<Vec<Row>, CaseError>) -> String {
    let mut text = String::new();
    match outcome {
        Err(error) => {
            let (name, section) = (case.name, case.section);
            let _ = writeln!(
                text,
                "{name},{section},{},,,,,,,FAIL,{}",
                quoted(&error.to_string()),
                case.source
            );
        }
        Ok(rows) => {
            for row in rows {
                let _ = writeln!(
                    text,
                    "{},{},{},{},{},{},{},{},{},{},{}",
                    case.name,
                    case.section,
                    quoted(&row.what),
                    row.measured,
                    row.reference.map_or_else(String::new, |r| r.to_string()),
                    row.unit,
                    row.error().map_or_else(String::new, |e| format!("{e:e}")),
                    order(row),
                    bound(row.judged),
                    row.verdict(),
                    case.source,
                );
            }
        }
    }
    text
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

/// Who made a record, when, what it took and of which sources.
fn made(cpu: f64, sources: Option<&str>) -> String {
    let names = provenance::COLUMNS.into_iter().chain(provenance::RECORDED);
    let values = provenance::values().into_iter();
    let values = values.chain(provenance::recorded(cpu, sources));
    let made: Vec<String> = names
        .zip(values)
        .map(|(name, value)| format!("{name} {value}"))
        .collect();
    made.join(", ")
}

fn record(
    folder: &Path,
    case: &Case,
    quick: bool,
    made: &str,
    text: &str,
    lines: &str,
) -> Result<()> {
    let command = format!(
        "writhe validate {}{}",
        case.name,
        if quick { " --quick" } else { "" }
    );
    let header = format!("# {command}\n# {made}\n");
    let [table, rows] = ENDINGS.map(|ending| recorded(folder, case, ending));
    files::write_file(&table, format!("{header}\n{text}"))?;
    files::write_file(&rows, format!("{header}{CSV_HEADER}\n{lines}"))
}
