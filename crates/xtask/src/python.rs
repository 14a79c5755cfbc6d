//! A Python environment under `target/`, made once.

use std::fs;
use std::path::{Path, PathBuf};

use crate::step::{Step, run};

/// Packages that read what Writhe writes.
const PACKAGES: [&str; 8] = [
    "zarr>=3",
    "xarray",
    "numpy",
    "vtk",
    "pygltflib",
    "usd-core",
    "trimesh",
    "pypdf",
];

/// Interpreter of a virtual environment that has [`PACKAGES`].
pub fn environment(root: &Path) -> Result<PathBuf, String> {
    let folder = root.join("target").join("foreign-readers");
    let interpreter = if cfg!(windows) {
        folder.join("Scripts").join("python.exe")
    } else {
        folder.join("bin").join("python")
    };
    let marker = folder.join("packages.txt");
    let wanted = PACKAGES.join("\n");
    if interpreter.is_file() && fs::read_to_string(&marker).is_ok_and(|have| have == wanted) {
        return Ok(interpreter);
    }
    let base = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let at = folder.to_string_lossy();
    run(
        root,
        &Step::new("Python environment", &base, &["-m", "venv", &at])
            .remedy("install Python 3 with venv, or name one in PYTHON"),
    )?;
    let mut arguments = vec!["-m", "pip", "install", "--quiet"];
    arguments.extend(PACKAGES);
    run(
        root,
        &Step::new(
            "Python packages",
            &interpreter.to_string_lossy(),
            &arguments,
        )
        .remedy("pip needs network access, or an index in PIP_INDEX_URL"),
    )?;
    fs::write(&marker, wanted).map_err(|e| format!("cannot write {}: {e}", marker.display()))?;
    Ok(interpreter)
}
