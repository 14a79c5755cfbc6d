//! `writhe bench`: what Writhe costs, beside other programs, other versions and what is aimed at.

use std::path::{Path, PathBuf};

use serde_json::json;
use writhe_bench::measure::{Measured, Settings, measure, measure_scene};
use writhe_bench::program::{Program, ProgramError};
use writhe_bench::report::{self, Heading};
use writhe_bench::row::Row;
use writhe_bench::rows;

use crate::args::{Assignment, BenchArgs, GeneralArgs};
use crate::console;
use crate::files;
use crate::report::{Failure, Result};
use crate::scene::RunnableScene;

/// Measures the rows and prints their table.
///
/// # Errors
/// A row that does not exist, a program that is not writhe, a run that fails, a file that cannot be
/// written.
pub fn run(args: &BenchArgs, general: &GeneralArgs) -> Result<()> {
    if let Some(file) = &args.file {
        return scene(file, args, general);
    }
    refuse_what_has_no_effect(args)?;
    let rows = chosen(&args.only)?;
    if args.list && args.json {
        let all = rows
            .iter()
            .map(|row| json!({ "name": row.name, "what": row.what }));
        return console::print_json(&all.collect());
    }
    if args.list {
        let lines = rows
            .iter()
            .map(|row| format!("{:18}{}\n", row.name, row.what));
        return console::print(&lines.collect::<String>());
    }
    let mut places = (args.record.iter()).flat_map(|folder| recorded(folder));
    places.try_for_each(|file| files::check_place(&file))?;
    let settings = settings(args, general);
    let (own, against) = programs(args)?;
    let mut measured = Vec::new();
    for row in &rows {
        console::print_progress(&format!("  {}: {}\n", row.name, row.what));
        measured.push(measure(row, &own, against.as_ref(), &settings).map_err(failed)?);
    }
    tell(args, (&own, against.as_ref(), &settings), &measured)
}

/// Refuses changes of a scene where none is measured.
fn refuse_what_has_no_effect(args: &BenchArgs) -> Result<()> {
    match args.set.first() {
        None => Ok(()),
        Some(set) => Err(Failure::bad_input(format!(
            "`--set {set}` has no effect on rows of the table: it changes a scene, and none is named"
        ))
        .help("leave `--set` out, or name a scene: `writhe bench my.toml --set time.duration=2`")),
    }
}

/// Measures a scene of the user's.
fn scene(file: &Path, args: &BenchArgs, general: &GeneralArgs) -> Result<()> {
    let changes: Vec<String> = args.set.iter().map(Assignment::to_string).collect();
    let scene = RunnableScene::read(file, &changes)?;
    let duration = scene.spec().time.duration.si();
    let what = format!("{} to {} s", file.display(), (1e6 * duration).round() / 1e6);
    let row = Row::of_file(
        (file.to_path_buf(), changes),
        (scene.name().to_owned(), what),
        scene.step(),
        duration,
    );
    let settings = settings(args, general);
    let (own, against) = programs(args)?;
    console::print_progress(&format!("  {}: {}\n", row.name, row.what));
    let measured = measure_scene(&row, &own, against.as_ref(), &settings).map_err(failed)?;
    tell(args, (&own, against.as_ref(), &settings), &measured)
}

fn settings(args: &BenchArgs, general: &GeneralArgs) -> Settings {
    Settings {
        whole: args.whole,
        threads: general.threads.unwrap_or(1),
        place: std::env::temp_dir().join(format!("writhe-bench-{}", std::process::id())),
    }
}

/// The files of a record.
fn recorded(folder: &Path) -> [PathBuf; 2] {
    ["bench.txt", "bench.json"].map(|name| folder.join(name))
}

/// This program, and the other one if there is any.
fn programs(args: &BenchArgs) -> Result<(Program, Option<Program>)> {
    let against = args.against.as_deref().map(program).transpose()?;
    let own = std::env::current_exe()
        .map_err(|error| Failure::failed(format!("this program cannot find itself: {error}")))?;
    Ok((program(&own)?, against))
}

fn tell(
    args: &BenchArgs,
    (program, against, settings): (&Program, Option<&Program>, &Settings),
    measured: &[Measured],
) -> Result<()> {
    let heading = Heading {
        program,
        against,
        settings,
    };
    let text = report::text(&heading, measured);
    let json = format!("{:#}\n", report::json(&heading, measured));
    if let Some(folder) = &args.record {
        let [table, numbers] = recorded(folder);
        files::write_file(&table, &text)?;
        files::write_file(&numbers, &json)?;
    }
    console::print(if args.json { &json } else { &text })
}

fn chosen(names: &[String]) -> Result<Vec<Row>> {
    if names.is_empty() {
        return Ok(rows::all());
    }
    let mut chosen: Vec<Row> = Vec::new();
    for name in names {
        let found = rows::named(name);
        if found.is_empty() {
            return Err(Failure::bad_input(format!("there is no row `{name}`"))
                .help("`writhe bench --list` shows them; the first letters of several will do"));
        }
        chosen.extend(found);
    }
    Ok(chosen)
}

fn program(path: &Path) -> Result<Program> {
    Program::new(path).map_err(failed)
}

fn failed(error: ProgramError) -> Failure {
    match error {
        ProgramError::NotWrithe { .. } => Failure::bad_input(error.to_string())
            .help("give the path of a binary `writhe`, such as that of another version"),
        error => Failure::failed(error.to_string()),
    }
}
