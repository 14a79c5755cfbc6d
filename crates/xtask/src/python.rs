//! Python: environments under `target/`, made once; the package of `crates/writhe-python` and its
//! tests.

use std::fs;
use std::path::{Path, PathBuf};

use crate::step::{Step, check, run};

/// Packages that read what Writhe writes.
const READERS: [&str; 8] = [
    "zarr>=3",
    "xarray",
    "numpy",
    "vtk",
    "pygltflib",
    "usd-core",
    "trimesh",
    "pypdf",
];

/// Packages that the tests of the Python package need.
const TESTERS: [&str; 12] = [
    "numpy",
    "dask",
    "dask-jobqueue",
    "distributed",
    "matplotlib",
    "pytest",
    "mypy",
    "pandas",
    "pandas-stubs",
    "scipy",
    "xarray",
    "zarr>=3",
];

/// What makes the source distribution.
const BUILDERS: [&str; 1] = ["maturin>=1.9,<2"];

/// Interpreter that has what reads what Writhe writes.
pub fn readers(root: &Path) -> Result<PathBuf, String> {
    environment(root, "foreign-readers", &READERS)
}

/// Builds the Python module, and the command line to compare with, as the tests of Rust are built.
pub fn module() -> Step {
    // The whole workspace, with an example: so it is built with the features of all packages and of
    // what their tests need, as the tests have built it.
    Step::cargo(
        "Python module, and the command line to compare with",
        "build --workspace --lib --bin writhe --example large_page --locked",
    )
    .linted()
}

/// Runs the tests of the Python package.
pub fn test_package(root: &Path) -> Result<(), String> {
    let python = environment(root, "python-tests", &TESTERS)?;
    run(root, &module())?;
    let program = target(root).join("debug").join("writhe");
    let package = target(root).join("python-package");
    check("Python package", || assemble(root, &package))?;
    let (python, package) = (python.to_string_lossy(), package.to_string_lossy());
    let here = "crates/writhe-python";
    run(
        root,
        &Step::new(
            "tests of the Python package",
            &python,
            &["-m", "pytest", "--quiet", here],
        )
        .env("PYTHONPATH", &package)
        .env("WRITHE", &program.to_string_lossy()),
    )?;
    let sources = format!("{here}/python/writhe");
    let (tests, reference, settings) = (
        format!("{here}/tests"),
        format!("{here}/api.py"),
        format!("--config-file={here}/pyproject.toml"),
    );
    run(
        root,
        &Step::new(
            "types of the Python package",
            &python,
            &[
                "-m",
                "mypy",
                &settings,
                &sources,
                &tests,
                &reference,
                "examples/python",
            ],
        )
        .env("MYPYPATH", &format!("{here}/python")),
    )
}

/// Interpreter that has what makes the source distribution.
pub fn builders(root: &Path) -> Result<PathBuf, String> {
    environment(root, "python-build", &BUILDERS)
}

/// Puts the sources of the package and the module beside each other, as an installation does.
fn assemble(root: &Path, package: &Path) -> Result<(), String> {
    let to = package.join("writhe");
    let failed = |e: std::io::Error| format!("{}: {e}", to.display());
    if package.exists() {
        fs::remove_dir_all(package).map_err(failed)?;
    }
    fs::create_dir_all(&to).map_err(failed)?;
    let sources = root.join("crates/writhe-python/python/writhe");
    for entry in fs::read_dir(&sources).map_err(failed)? {
        let from = entry.map_err(failed)?.path();
        if let (true, Some(name)) = (from.is_file(), from.file_name()) {
            fs::copy(&from, to.join(name)).map_err(failed)?;
        }
    }
    let (built, module) = if cfg!(windows) {
        ("_core.dll", "_core.pyd")
    } else if cfg!(target_os = "macos") {
        ("lib_core.dylib", "_core.abi3.so")
    } else {
        ("lib_core.so", "_core.abi3.so")
    };
    let built = target(root).join("debug").join(built);
    fs::copy(&built, to.join(module)).map_err(|e| format!("{}: {e}", built.display()))?;
    Ok(())
}

/// Where cargo builds.
pub fn target(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from)
}

/// Interpreter of the virtual environment `target/name`, which has these packages.
pub fn environment(root: &Path, name: &str, packages: &[&str]) -> Result<PathBuf, String> {
    let folder = target(root).join(name);
    let interpreter = if cfg!(windows) {
        folder.join("Scripts").join("python.exe")
    } else {
        folder.join("bin").join("python")
    };
    let marker = folder.join("packages.txt");
    let wanted = packages.join("\n");
    if interpreter.is_file() && fs::read_to_string(&marker).is_ok_and(|have| have == wanted) {
        return Ok(interpreter);
    }
    let base = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let at = folder.to_string_lossy();
    run(
        root,
        &Step::new("Python environment", &base, &["-m", "venv", &at])
            .remedy("install Python 3.11 or later with venv, or name one in PYTHON"),
    )?;
    let mut arguments = vec!["-m", "pip", "install", "--quiet"];
    arguments.extend(packages);
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
