//! `writhe-papers pages`: a page of the book for each paper, from what is recorded.
//!
//! A page holds no number that is not in a recorded file: tables and sentences are those of
//! `validation/NAME/NAME.txt`, counts of claims are counted in it.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use writhe_cli::console;
use writhe_cli::files::write_file;
use writhe_cli::format::count;
use writhe_cli::report::{Failure, Result};
use writhe_reproduce::Experiment;
use writhe_reproduce::bench::Span;
use writhe_reproduce::rows::Rows;
use writhe_reproduce::runner::recorded;

use crate::args::PagesArgs;

/// A paper: how names of its experiments begin, the title of its page, what it is.
const PAPERS: [(&str, &str, &str); 3] = [
    (
        "bergou2008",
        "Bergou et al. 2008: Discrete Elastic Rods",
        "M. Bergou, M. Wardetzky, S. Robinson, B. Audoly, E. Grinspun, ACM Transactions on Graphics 27(3), 2008; B08 below.",
    ),
    (
        "choi2021",
        "Choi et al. 2021: knots",
        "A. Choi, D. Tong, M. K. Jawed, J. Joo, Journal of Applied Mechanics 88(5), 2021; C21 below.",
    ),
    (
        "tong2022",
        "Tong et al. 2022: flagella and friction",
        "D. Tong, A. Choi, J. Joo, M. K. Jawed, Extreme Mechanics Letters 58, 2023; T22 below.",
    ),
];

/// Writes the pages.
///
/// # Errors
/// When a recorded file cannot be read or a page written.
pub fn run(args: &PagesArgs) -> Result<()> {
    for (paper, title, reference) in PAPERS {
        let page = page(paper, title, reference, &args.from)?;
        let file = args.out.join(format!("papers-{paper}.md"));
        write_file(&file, page)?;
        console::print(&format!("{}\n", file.display()))?;
    }
    Ok(())
}

/// A paper's page.
fn page(paper: &str, title: &str, reference: &str, from: &Path) -> Result<String> {
    let mut sections = String::new();
    let mut table = "| result | rows | claims met | not met |\n|---|---|---|---|\n".to_owned();
    let all = writhe_reproduce::all().iter();
    let mut of_paper: Vec<_> = all
        .filter(|e| e.name().split('-').next() == Some(paper))
        .collect();
    of_paper.sort_by_key(|experiment| place(&heading(**experiment)));
    for experiment in of_paper {
        let name = experiment.name();
        let folder = from.join(name);
        let rows =
            recorded(*experiment, &folder).map_err(|error| Failure::failed(error.to_string()))?;
        let text = fs::read_to_string(folder.join(format!("{name}.txt"))).unwrap_or_default();
        let told = Told::of(&text);
        let heading = heading(*experiment);
        let wanted = experiment.rows(Span::Full);
        let there = rows.as_ref().map(|rows| {
            let there = wanted.iter().filter(|row| rows.has(row.name())).count();
            format!("{there} of {}", wanted.len())
        });
        let _ = writeln!(
            table,
            "| [{heading}](#{}) | {} | {} | {} |",
            anchor(&heading),
            there.as_deref().unwrap_or("of an earlier form"),
            told.met,
            told.not_met
        );
        sections += &section(*experiment, rows.as_ref(), &told, &folder);
    }
    Ok(format!(
        "# {title}\n\n{reference}\n\n\
         Made by `writhe-papers pages` from the files in [validation](../../../validation/README.md); \
         each section names the command that measures it again. Ours stand beside the paper's figures; \
         a claim is met or not, as its line says.\n\n{table}{sections}"
    ))
}

/// What a section is about: `Fig. 1` of `.. (B08 Fig. 1)`, or what the experiment's name says.
fn heading(experiment: &dyn Experiment) -> String {
    let about = experiment.about();
    let inner = ["(B08 ", "(C21 ", "(T22 ", "(T22a "]
        .iter()
        .find_map(|paper| about.split_once(paper));
    let words = match inner {
        Some((_, inner)) => inner.split([')', ':', ',']).next().unwrap_or(inner),
        None => experiment.name().split('-').next_back().unwrap_or_default(),
    };
    capitalised(words)
}

/// Where a section stands: figures by their number, then what has none.
fn place(heading: &str) -> (bool, u32, String) {
    let digits: String = heading.chars().filter(char::is_ascii_digit).collect();
    let is_figure = heading.starts_with("Fig.");
    (!is_figure, digits.parse().unwrap_or(0), heading.to_owned())
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// The address of a heading within its page.
fn anchor(heading: &str) -> String {
    let letters = heading.chars().filter_map(|c| match c {
        ' ' => Some('-'),
        c if c.is_alphanumeric() || c == '-' => Some(c.to_ascii_lowercase()),
        _ => None,
    });
    letters.collect()
}

/// A recorded text, taken apart.
#[derive(Debug, Default, PartialEq, Eq)]
struct Told {
    /// The table, as it is printed.
    table: String,
    /// How to read it.
    notes: String,
    /// Claims, a line each.
    claims: Vec<String>,
    /// Files of figures and pictures.
    figures: Vec<String>,
    met: usize,
    not_met: usize,
}

impl Told {
    fn of(text: &str) -> Self {
        let mut told = Self::default();
        // The first paragraph is the title, the second the table.
        for (at, paragraph) in text.split("\n\n").enumerate().skip(1) {
            if at == 1 {
                paragraph.trim_end().clone_into(&mut told.table);
                continue;
            }
            for line in paragraph.lines() {
                let figure = ["Figure: ", "Picture: "]
                    .into_iter()
                    .find_map(|kind| line.strip_prefix(kind));
                match (figure, line.strip_prefix("  ")) {
                    (Some(file), _) => told.figures.push(file.to_owned()),
                    (_, Some(claim)) => told.claims.push(claim.to_owned()),
                    _ => told.notes += &format!("{line}\n"),
                }
            }
            told.notes += "\n";
        }
        told.notes.truncate(told.notes.trim_end().len());
        told.met = text.matches("(met)").count();
        told.not_met = text.matches("(NOT met)").count();
        told
    }
}

/// The part of a page about one table or figure.
fn section(experiment: &dyn Experiment, rows: Option<&Rows>, told: &Told, folder: &Path) -> String {
    let name = experiment.name();
    let mut text = format!(
        "\n## {}\n\n{}.\n\n`writhe-papers {name} --out validation/{name}`{}\n",
        heading(experiment),
        capitalised(experiment.about()),
        origin(experiment, rows),
    );
    for figure in told.figures.iter().filter(|file| is_shown(folder, file)) {
        let _ = write!(
            text,
            "\n![{}](../../../validation/{name}/{figure})\n",
            experiment.about()
        );
    }
    if !told.table.is_empty() {
        let _ = write!(text, "\n```text\n{}\n```\n", told.table);
    }
    if !told.notes.is_empty() {
        let _ = write!(text, "\n{}\n", told.notes);
    }
    if !told.claims.is_empty() {
        text += "\n";
        for claim in &told.claims {
            let _ = writeln!(text, "- {}", claim.replace("NOT met", "**not met**"));
        }
    }
    text
}

/// Whether a figure is there and a picture that pages show.
fn is_shown(folder: &Path, file: &str) -> bool {
    let ending = Path::new(file).extension().and_then(|e| e.to_str());
    matches!(ending, Some("png" | "svg")) && folder.join(file).is_file()
}

/// When the rows were recorded, and of which commits.
fn origin(experiment: &dyn Experiment, rows: Option<&Rows>) -> String {
    let Some(rows) = rows else {
        return "; recorded in an earlier form, which this version cannot read.".to_owned();
    };
    let wanted = experiment.rows(Span::Full);
    let of = |column| {
        let values = wanted
            .iter()
            .filter_map(|row| rows.text(row.name(), column));
        values.map(str::to_owned).collect::<BTreeSet<String>>()
    };
    let days: BTreeSet<String> = of("date")
        .iter()
        .map(|date| date.split('T').next().unwrap_or(date).to_owned())
        .collect();
    let (Some(first), Some(last)) = (days.first(), days.last()) else {
        return ". Nothing is recorded yet.".to_owned();
    };
    let when = match first == last {
        true => first.clone(),
        false => format!("{first} to {last}"),
    };
    let commits: Vec<String> = of("commit").into_iter().collect();
    format!(
        "; recorded {when}, of {}: {}.",
        count(commits.len(), "commit"),
        commits.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recorded_texts_are_taken_apart() {
        let text = "x: about\n\nrow  a\nr1   2\n\nHow to read\nit.\n  r1: a: 2 (met); b (NOT met)\n\nFigure: x.svg\n";
        let told = Told::of(text);
        assert_eq!(told.table, "row  a\nr1   2");
        assert_eq!(told.notes, "How to read\nit.");
        assert_eq!(told.claims, ["r1: a: 2 (met); b (NOT met)"]);
        assert_eq!(told.figures, ["x.svg"]);
        assert_eq!((told.met, told.not_met), (1, 1));
        assert_eq!(Told::of(""), Told::default());
    }

    #[test]
    fn sections_are_called_as_in_the_paper() {
        let titles: Vec<String> = writhe_reproduce::all()
            .iter()
            .map(|e| heading(*e))
            .collect();
        for wanted in ["Table 1", "Fig. 4d", "Fig. C.7", "Section 3.3", "Theory"] {
            assert!(titles.iter().any(|t| t == wanted), "{wanted}: {titles:?}");
        }
        assert_eq!(anchor("Fig. C.7"), "fig-c7");
        assert!(place("Fig. 9") < place("Fig. 10"));
        assert!(place("Fig. 12") < place("Table 1"));
    }

    #[test]
    fn every_experiment_is_of_a_paper() {
        for experiment in writhe_reproduce::all() {
            let paper = experiment.name().split('-').next().unwrap();
            assert!(PAPERS.iter().any(|(name, ..)| *name == paper), "{paper}");
        }
    }
}
