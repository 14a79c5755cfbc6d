//! `writhe import`: a scene from a file of another program.

use std::io;
use std::path::{Path, PathBuf};

use serde_json::json;
use writhe_scenes::{
    ImportError, Imported, Scene, ShapeUse, import_options, import_shape, is_options,
};

use crate::args::{ImportArgs, ShapeKind};
use crate::console;
use crate::files::{read_text, replace_file};
use crate::printable::printable;
use crate::report::{Failure, Result};
use crate::shell;
use crate::written::written;

/// Where shapes lie beside an option file.
const SHAPES: &str = "knot_configurations";

/// Makes the scene and writes it, with what could not be carried over.
///
/// # Errors
/// When the file cannot be read or used, or the scene not be written.
pub fn run(args: &ImportArgs) -> Result<()> {
    let file = &args.file;
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
        let mut told = json!({ "file": file, "notes": imported.notes });
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

fn import(args: &ImportArgs, text: &str) -> std::result::Result<Imported, ImportError> {
    let file = &args.file;
    let name = file.display().to_string();
    if !is_options(text) {
        return import_shape(text, &name, used(args.used.unwrap_or(ShapeKind::Knot)));
    }
    if args.used.is_some() {
        return Err(ImportError {
            message: format!("`--as` is for shapes, rows of x y z; {name} is an option file"),
            remedy: "leave --as out, or give the shape".to_owned(),
        });
    }
    import_options(text, &name, |config| shape_beside(file, config))
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
    read_text(place).map_err(|error| ImportError {
        message: format!("cannot read {}: {error}", place.display()),
        remedy: "give a text file with rows x y z, in metres".to_owned(),
    })
}

fn unreadable(file: &Path, error: &io::Error) -> Failure {
    let remedy = match error.kind() {
        io::ErrorKind::NotFound => "check the name and the folder",
        io::ErrorKind::InvalidData => "give a text file: an option file, or rows of x y z",
        _ => "check that it is a file that you may read",
    };
    Failure::bad_input(format!("cannot read `{}`: {error}", file.display())).help(remedy)
}
