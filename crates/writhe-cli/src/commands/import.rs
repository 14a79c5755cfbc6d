//! `writhe import`: a scene from a file of another program.

use std::io;
use std::path::{Path, PathBuf};

use serde_json::json;
use writhe_scenes::{
    ImportError, Imported, Scene, ShapeUse, import_options, import_shape, is_options,
};

use crate::args::{ImportArgs, ShapeKind};
use crate::console;
use crate::files::{owner, read_text, replace_file};
use crate::printable::printable;
use crate::report::{Failure, Result};
use crate::shell;
use crate::written::written;

/// Where shapes lie beside an option file.
const SHAPES: &str = "knot_configurations";
/// Largest coordinate of a shape, m.
const LARGEST: f64 = 1e6;

/// Makes the scene and writes it, with what could not be carried over.
///
/// # Errors
/// When the file cannot be read or used, or the scene not be written.
pub fn run(args: &ImportArgs) -> Result<()> {
    let file = &args.file;
    if let Some(out) = &args.out {
        refuse_to_replace(file, out)?;
    }
    if let Some(out) = args.out.as_ref().filter(|out| out.exists() && !args.force) {
        return Err(
            Failure::bad_input(format!("`{}` is there already", out.display()))
                .help("give another name with -o, or replace it with --force"),
        );
    }
    let text = read_text(file).map_err(|error| unreadable(file, &error))?;
    // Some editors begin files with a mark of their encoding.
    let text = text.trim_start_matches('\u{feff}');
    let imported = import(args, text).map_err(|e| Failure::bad_input(e.message).help(e.remedy))?;
    // What a scene refuses, such as a Poisson's ratio of 2, it should refuse now.
    Scene::parse(&imported.toml, "the imported scene").map_err(|error| {
        Failure::bad_input(format!("`{}` makes no scene: {error}", file.display()))
            .help("change that value in the file")
    })?;
    let notes: String = imported
        .notes
        .iter()
        .map(|note| format!("note: {note}\n"))
        .collect();
    if let Some(out) = &args.out {
        replace_file(out, &imported.toml)?;
    }
    if args.json {
        // A name that is no text could not be told.
        let name = file.display().to_string();
        let mut told = json!({ "file": name, "notes": imported.notes });
        match &args.out {
            Some(out) => told["written"] = json!([written("scene", out)]),
            None => told["scene"] = json!(imported.toml),
        }
        return console::print_json(&told);
    }
    match &args.out {
        None => {
            console::print_file(&imported.toml)?;
            console::print_error(&printable(&notes));
            Ok(())
        }
        Some(out) => {
            console::print_error(&printable(&notes));
            console::tell(&format!(
                "Wrote {out}. Look at it with `writhe check {typed}`, simulate it with `writhe run {typed}`.\n",
                out = out.display(),
                typed = shell::path(out)
            ))
        }
    }
}

/// Refuses a place for the scene where it would replace what is imported or a file of a run: no
/// `--force` means these.
fn refuse_to_replace(file: &Path, out: &Path) -> Result<()> {
    let refuse = |what: &str| {
        Err(Failure::bad_input(format!(
            "`{}` is {what}, which the scene would replace",
            out.display()
        ))
        .help("choose another file with -o"))
    };
    let is_own = match (file.canonicalize(), out.canonicalize()) {
        (Ok(file), Ok(out)) => file == out,
        _ => false,
    };
    match owner(out) {
        _ if is_own => refuse("the file that is imported"),
        Some(what) => refuse(what),
        None => Ok(()),
    }
}

fn import(args: &ImportArgs, text: &str) -> std::result::Result<Imported, ImportError> {
    let file = &args.file;
    let name = file.display().to_string();
    if !is_options(text) {
        check_coordinates(text, &name)?;
        return import_shape(text, &name, used(args.used.unwrap_or(ShapeKind::Knot)));
    }
    if let Some(header) = header(text) {
        return Err(ImportError {
            message: format!(
                "{name} is a table with a header, `{header}`, and `import` reads option files and shapes: three coordinates in metres, x y z, on each line"
            ),
            remedy: format!(
                "name the table in a scene, which reads its columns by their titles: shape = {{ file = \"{name}\" }}, as in examples/problems/spring.toml; or leave its header out and put x y z first, in metres"
            ),
        });
    }
    if args.used.is_some() {
        return Err(ImportError {
            message: format!("`--as` is for shapes, rows of x y z; {name} is an option file"),
            remedy: "leave --as out, or give the shape".to_owned(),
        });
    }
    import_options(text, &name, |config| shape_beside(file, config))
}

/// Lines that say something, with their numbers.
fn contents(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().map(str::trim).enumerate();
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// The words of a line, as rows of numbers have them.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let words = line.split(|c: char| c.is_whitespace() || ",;".contains(c));
    words.filter(|word| !word.is_empty())
}

/// The first line of a text whose second one begins with a number, as no line of an option file does.
fn header(text: &str) -> Option<&str> {
    let mut lines = contents(text);
    let ((_, first), (_, second)) = (lines.next()?, lines.next()?);
    let is_digit = |c: char| c.is_ascii_digit() || "+-.".contains(c);
    let number = words(second).next()?;
    (number.starts_with(is_digit) && number.parse::<f64>().is_ok()).then_some(first)
}

/// Fails where a line of a shape has three coordinates, and one of them is too large to be meant.
/// Any other line that is wrong is told by who reads the shape.
fn check_coordinates(text: &str, file: &str) -> std::result::Result<(), ImportError> {
    for (index, line) in contents(text) {
        let read = |word: &str| word.parse::<f64>().ok().filter(|x| !x.is_nan());
        let mut words = words(line);
        let row = [(); 3].map(|()| words.next().and_then(|word| Some((word, read(word)?))));
        let [Some(x), Some(y), Some(z)] = row else {
            continue;
        };
        if let Some((word, _)) = [x, y, z].iter().find(|(_, value)| value.abs() > LARGEST) {
            return Err(ImportError {
                message: format!(
                    "{file}, line {}: the coordinate {word} is too large: coordinates are in metres, {LARGEST} at most",
                    index + 1
                ),
                remedy: "write a node on each line: x y z, in metres".to_owned(),
            });
        }
    }
    Ok(())
}

fn used(kind: ShapeKind) -> ShapeUse {
    match kind {
        ShapeKind::Knot => ShapeUse::Knot,
        ShapeKind::Rod => ShapeUse::Rod,
        ShapeKind::Ring => ShapeUse::Ring,
    }
}

/// Text of the shape that an option file names.
fn shape_beside(options: &Path, config: &str) -> std::result::Result<String, ImportError> {
    let base = options.parent().map(Path::to_path_buf).unwrap_or_default();
    let places: [PathBuf; 2] = [base.join(config), base.join(SHAPES).join(config)];
    let found = places.iter().find(|place| place.is_file());
    let Some(place) = found else {
        let [a, b] = places.map(|place| place.display().to_string());
        return Err(ImportError {
            message: format!(
                "{} names the shape `{config}`, which is neither {a} nor {b}",
                options.display()
            ),
            remedy: format!(
                "put the shape there, or change `knotConfig`; its rows are x y z, in metres, as those of n1 in {SHAPES}"
            ),
        });
    };
    let text = read_text(place).map_err(|error| ImportError {
        message: format!("cannot read {}: {error}", place.display()),
        remedy: "give a text file with rows x y z, in metres".to_owned(),
    })?;
    check_coordinates(&text, &place.display().to_string())?;
    Ok(text)
}

fn unreadable(file: &Path, error: &io::Error) -> Failure {
    let remedy = match error.kind() {
        io::ErrorKind::NotFound => "check the name and the folder",
        io::ErrorKind::InvalidData => "give a text file: an option file, or rows of x y z",
        _ => "check that it is a file that you may read",
    };
    Failure::bad_input(format!("cannot read `{}`: {error}", file.display())).help(remedy)
}
