//! `writhe follow`: equilibria over a key of the scene.

use std::path::Path;

use serde_json::{Value, json};
use writhe::follow::{Ending, Event};
use writhe_results::table::{Table, number};
use writhe_session::follow::{Followed, Row, Way, follow_into};

use crate::args::FollowArgs;
use crate::console;
use crate::files;
use crate::format::duration;
use crate::interrupt;
use crate::progress;
use crate::report::{Failure, Result};
use crate::scene::{self, RunnableScene};
use crate::shell;

/// Rows of the table between two events, or ends of branches, at most.
const ROWS: usize = 8;

/// Follows the equilibria, writes them as a run directory, and prints their table.
///
/// # Errors
/// Bad input, no equilibrium to begin at, a directory that cannot be written, an interrupt.
pub fn run(args: &FollowArgs) -> Result<()> {
    console::set_json(args.json);
    let scene = scene::read(&args.scene, None)?;
    let directory = match &args.out {
        Some(directory) => directory.clone(),
        None => Path::new("runs").join(format!("{}-followed", scene.name())),
    };
    if args.step.is_some_and(|step| !(step > 0.0 && step <= 1.0)) {
        return Err(
            Failure::bad_input("--step is a length along a branch, from 0 to 1")
                .help("leave it out, or take 0.02 for a finer branch"),
        );
    }
    let interrupt = interrupt::listen()?;
    if args.force {
        files::remove_run(&scene, &args.scene.file, &directory)?;
    }
    let way = Way {
        key: args.vary.clone(),
        from: args.from.clone(),
        to: args.to.clone(),
        branches: args.branch,
        step: args.step,
        most: args.points,
    };
    let bar = progress::bar(5);
    let mut lines = progress::Lines::new();
    let mut watch = |row: &Row| {
        let line = format!(
            "{} found, {} = {}",
            equilibria(row.frame + 1),
            args.vary,
            number(row.parameter, 5)
        );
        bar.set_message(line.clone());
        lines.tell(|| line);
    };
    let followed = follow_into(&scene, &way, &directory, &interrupt, &mut watch);
    bar.finish_and_clear();
    let followed = followed?;
    check(&followed, &args.show)?;
    for warning in &followed.warnings {
        console::print_error(&format!("warning: {warning}\n"));
    }
    match args.json {
        true => console::print_json(&numbers(args, &scene, &followed, &directory)),
        false => {
            console::print(&text(args, &scene, &followed))?;
            console::tell(&next_steps(args, &directory))
        }
    }
}

/// Names to show that are no columns are refused.
fn check(followed: &Followed, show: &[String]) -> Result<()> {
    let known: Vec<&str> = match followed.rows.first() {
        Some(row) => row
            .observables
            .iter()
            .map(|(name, ..)| name.as_str())
            .collect(),
        None => return Ok(()),
    };
    match show.iter().find(|name| !known.contains(&name.as_str())) {
        None => Ok(()),
        Some(name) => Err(
            Failure::bad_input(format!("no equilibrium has a column `{name}`"))
                .help(format!("there are {}", known.join(", "))),
        ),
    }
}

fn equilibria(count: usize) -> String {
    format!(
        "{count} {}",
        if count == 1 {
            "equilibrium"
        } else {
            "equilibria"
        }
    )
}

fn event(event: Event) -> String {
    match event {
        Event::Regular => String::new(),
        Event::Fold => "fold".to_owned(),
        Event::Bifurcation(1) => "bifurcation".to_owned(),
        Event::Bifurcation(many) => format!("bifurcation of {many}"),
    }
}

fn ending(ending: Ending) -> &'static str {
    match ending {
        Ending::Reached => "to its end",
        Ending::Left => "left at its last wanted bifurcation",
        Ending::CameBack => "back to where it began",
        Ending::Near => {
            "until rods touch each other: contact is followed with contact.model = \"imc\" and contact.friction = 0"
        }
        Ending::Passes => "until a rod would pass through another or into an obstacle",
        Ending::Lost => "until no further equilibrium was found: try a shorter --step",
        Ending::Enough => {
            "for as many equilibria as --points allows: more of them, or a longer --step, lead on"
        }
    }
}

fn numbers(args: &FollowArgs, scene: &RunnableScene, all: &Followed, directory: &Path) -> Value {
    let rows = all.rows.iter().map(|row| {
        let observables = row.observables.iter();
        let observables = observables.map(|(name, _, value)| (name.clone(), json!(value)));
        json!({
            "frame": row.frame,
            "branch": row.branch,
            "parameter": row.parameter,
            "branch_length": row.length,
            "negative_eigenvalues": row.negative,
            "event": event(row.event),
            "energy_j": row.energy,
            "observables": observables.collect::<serde_json::Map<_, _>>(),
        })
    });
    let branches = all
        .branches
        .iter()
        .map(|branch| json!({ "equilibria": branch.count, "ending": ending(branch.ending) }));
    json!({
        "scene": scene.name(),
        "key": args.vary,
        "unit": all.over.unit,
        "from": all.over.ends[0],
        "to": all.over.ends[1],
        // A name that is no text could not be told.
        "directory": directory.display().to_string(),
        "branches": branches.collect::<Vec<_>>(),
        "equilibria": rows.collect::<Vec<_>>(),
        "warnings": all.warnings,
    })
}

fn text(args: &FollowArgs, scene: &RunnableScene, all: &Followed) -> String {
    let unit = |name: &str| {
        let known = all.rows.first().and_then(|row| {
            let mut columns = row.observables.iter();
            columns.find(|(known, ..)| known == name)
        });
        match known {
            Some((_, unit, _)) if unit != "1" => format!("{name} [{unit}]"),
            _ => name.to_owned(),
        }
    };
    let key = match all.over.unit.as_str() {
        "1" => args.vary.clone(),
        unit => format!("{} [{unit}]", args.vary),
    };
    let shown: Vec<String> = args.show.iter().map(|name| unit(name)).collect();
    let header = ["", "frame", "branch", &key, "energy [J]", "negative"];
    let header: Vec<&str> = header
        .into_iter()
        .chain(shown.iter().map(String::as_str))
        .collect();
    let mut table = Table::new(&header).with_text(1);
    for row in told(&all.rows) {
        let negative = row
            .negative
            .map_or_else(|| "?".to_owned(), |n| n.to_string());
        let cells = [
            event(row.event),
            row.frame.to_string(),
            row.branch.to_string(),
            number(row.parameter, 6),
            number(row.energy, 5),
            negative,
        ];
        let columns = args.show.iter().map(|name| {
            let mut columns = row.observables.iter();
            let value = columns.find(|(known, ..)| known == name).map(|(.., v)| *v);
            number(value, 5)
        });
        table.row(cells.into_iter().chain(columns));
    }
    let mut out = format!(
        "Equilibria of {} over {}\n\n{table}\n",
        scene.name(),
        args.vary
    );
    for (index, branch) in all.branches.iter().enumerate() {
        out += &format!(
            "branch {index}: {}, {}\n",
            equilibria(branch.count),
            ending(branch.ending)
        );
    }
    out += &format!(
        "\nnegative: eigenvalues of the stiffness below zero; 0 is stable. {} in all, in {}\n",
        equilibria(all.rows.len()),
        duration(all.usage.wall),
    );
    out
}

/// What can be done with the branches now.
fn next_steps(args: &FollowArgs, directory: &Path) -> String {
    let (typed, directory) = (shell::path(directory), directory.display());
    let name = args.show.first().map_or("energy_bend", String::as_str);
    format!(
        "\x20 curve        writhe plot {typed} {name} --against parameter\n\
         \x20 in motion    writhe view {typed}\n\
         \x20 numbers      {directory}/observables.csv\n"
    )
}

/// Ends of branches, events, and some between.
fn told(rows: &[Row]) -> Vec<&Row> {
    let is_mark = |i: usize| {
        let row = &rows[i];
        let other = |j: usize| rows.get(j).is_none_or(|r| r.branch != row.branch);
        row.event != Event::Regular || i == 0 || other(i - 1) || other(i + 1)
    };
    let marks: Vec<usize> = (0..rows.len()).filter(|i| is_mark(*i)).collect();
    let mut told = Vec::new();
    for (k, mark) in marks.iter().enumerate() {
        told.push(&rows[*mark]);
        let next = marks.get(k + 1).copied().unwrap_or(*mark);
        let every = (next - mark).div_ceil(ROWS).max(1);
        told.extend(
            (mark + 1..next)
                .filter(|i| (i - mark) % every == 0)
                .map(|i| &rows[i]),
        );
    }
    told
}
