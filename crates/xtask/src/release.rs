//! The Python package as a user installs it: built with optimisation, in an environment of its own.

use std::fs;
use std::path::{Path, PathBuf};

use crate::step::{Step, run};
use crate::{python, sdist};

/// What looks at an installed package: types by another program, and notebooks.
const LOOKERS: [&str; 4] = ["pyright[nodejs]", "pandas-stubs", "nbclient", "ipykernel"];

/// Runs a notebook in its folder, and says what is wrong with it.
const NOTEBOOK: &str = "import sys, pathlib, nbformat, nbclient; file = pathlib.Path(sys.argv[1]); \
     nbclient.NotebookClient(nbformat.read(file, 4), timeout=600, kernel_name='python3', \
     resources={'metadata': {'path': str(file.parent)}}).execute()";

/// Installs the source distribution under its lock file in an environment of its own, built with
/// optimisation; checks the types of the package with another program, and runs every notebook.
pub fn test(root: &Path) -> Result<(), String> {
    let archive = sdist::make(root)?;
    let folder = python::target(root).join("python-release");
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    }
    let interpreter = python::environment(root, "python-release", &LOOKERS)?;
    let (python, archive) = (interpreter.to_string_lossy(), archive.to_string_lossy());
    let with_extras = format!("{archive}[data,notebook,sparse]");
    let install = [
        "-m",
        "pip",
        "install",
        "-C",
        "build-args=--locked",
        &with_extras,
    ];
    run(
        root,
        &Step::new("installation of the source distribution", &python, &install),
    )?;
    let sources = "crates/writhe-python/python/writhe";
    let types = [
        "-m",
        "pyright",
        "--pythonpath",
        &python,
        sources,
        "examples/python",
    ];
    run(
        root,
        &Step::new("types of the Python package by pyright", &python, &types)
            // These sources, not the copy that is installed.
            .env(
                "PYTHONPATH",
                &root.join("crates/writhe-python/python").to_string_lossy(),
            ),
    )?;
    for notebook in notebooks(&root.join("examples/notebooks"))? {
        let file = notebook.to_string_lossy();
        run(
            root,
            &Step::new("notebook", &python, &["-c", NOTEBOOK, &file]),
        )?;
    }
    Ok(())
}

/// The notebooks below a folder, in order.
fn notebooks(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let failed = |e: std::io::Error| format!("{}: {e}", folder.display());
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_dir() {
            // Copies that an editor has made.
            if !path.ends_with(".ipynb_checkpoints") {
                found.extend(notebooks(&path)?);
            }
        } else if path.extension().is_some_and(|ending| ending == "ipynb") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}
