//! Checks of the whole workspace, and the pictures of its documents.
//!
//! ```text
//! cargo xtask test            everything that needs Rust alone
//! cargo xtask test --python   and the Python package: built, its tests, its types
//! cargo xtask test --all      and what needs npm and a browser; other programs read what Writhe writes
//! cargo xtask keys            writes what says the keys of scene files: a page of the book, Python's classes
//! cargo xtask gallery         makes the pictures of README and book again
//! cargo xtask lines           counts lines of code
//! cargo xtask book            the book as a site on which every link works
//! cargo xtask results         tells what is recorded of older sources
//! cargo xtask release         archive with the program, completions, manual, checksum
//! cargo xtask sdist           source distribution of the Python package
//! cargo xtask same-as C       whether commit C computed the same, bit for bit
//! cargo xtask outputs         what outputs cost beside the steps between them
//! ```
//!
//! Every step of a check is an ordinary command that is printed, so that it can be repeated by
//! hand. The first one that fails ends the whole; documentation is made while tests run, and what
//! has begun is waited for. Lints are found as the tests are built.

mod archive;
mod book;
mod browser;
mod documentation;
mod gallery;
mod lines;
mod manifest;
mod outputs;
mod python;
mod release;
mod same_as;
mod sdist;
mod step;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use step::{Step, run, run_beside};

const USAGE: &str = "usage: cargo xtask test [--python | --all]
       cargo xtask keys
       cargo xtask gallery [--only NAME].. [--check] [--list]
       cargo xtask lines [CRATE]..
       cargo xtask book [--repository URL]
       cargo xtask results
       cargo xtask release
       cargo xtask sdist
       cargo xtask same-as COMMIT [--only CASE].. [--times N] [--plant] [--list]
       cargo xtask outputs [EXAMPLE]..

  test          format, lints, tests, documentation: Rust alone
  test --python also the Python package, which needs Python 3.11 or later with
                venv and pip (PYTHON names it; default python3)
  test --all    also the Python package as it is installed (pyright, notebooks),
                what other programs read of what is written, and what
                needs npm and Chromium (CHROMIUM names it;
                .ci/install-browser gets it)
  gallery       makes the pictures that README and book show, or some of them;
                --check compares with those there, --list lists them (WRITHE
                names the program; default: built with optimisation)
  book          makes the site of the book, decisions and results in it:
                target/book; --repository is where folders can be seen. Needs
                mdbook (`cargo install mdbook`)
  results       tells which recorded results are of older sources than these
  release       makes an archive with the stripped program, completions and
                manual pages, its checksum and its changes: target/dist
  sdist         makes the source distribution of the Python package, which
                builds under its own lock file: target/sdist
  keys          writes the tables of the book's page of keys and the arguments of
                the Python package's classes anew, from the readers of scenes
  lines         counts lines of code without blank lines, comments and tests
  same-as       builds COMMIT and this version, runs the same cases with both
                and tells every bit that differs; --times runs each N times for
                the processor times, --plant makes a modulus of this version larger
                by a part of 1e-12, which every case that runs must notice
  outputs       counts the instructions of outputs of examples, and of the steps
                between them: needs valgrind (WRITHE names the program)";

fn main() -> ExitCode {
    if let Some(done) = documentation::as_rustdoc() {
        return done;
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let extent = match arguments.as_slice() {
        ["test"] => Extent::Rust,
        ["test", "--python"] => Extent::Python,
        ["test", "--all"] => Extent::All,
        ["keys"] => return perform(Ok(()), |root, ()| keys(root)),
        ["gallery", words @ ..] => return perform(gallery::Options::parse(words), gallery::make),
        ["lines", crates @ ..] => {
            return perform(Ok(crates), |root, crates| lines::print(root, crates));
        }
        ["book", words @ ..] => return perform(book::Options::parse(words), book::make),
        ["results"] => return perform(Ok(()), |root, ()| results(root, |build| build)),
        ["release"] => return perform(Ok(()), |root, ()| archive::make(root)),
        ["sdist"] => return perform(Ok(()), |root, ()| sdist::make(root).map(|_| ())),
        ["outputs", words @ ..] => return perform(outputs::Options::parse(words), outputs::count),
        ["same-as", words @ ..] => return perform(same_as::Options::parse(words), same_as::run),
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    let start = Instant::now();
    match test(&root(), extent) {
        Ok(()) => {
            println!(
                "\nall checks passed in {:.0} s",
                start.elapsed().as_secs_f64()
            );
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!(
                "\nxtask: {message}\nxtask: stopped after {:.0} s; later checks were not run",
                start.elapsed().as_secs_f64()
            );
            ExitCode::FAILURE
        }
    }
}

/// What is tested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Extent {
    /// What needs Rust alone.
    Rust,
    /// The Python package, too.
    Python,
    /// Everything.
    All,
}

/// Does what `options` ask for, or says what is wrong with them.
fn perform<O>(
    options: Result<O, String>,
    work: impl FnOnce(&Path, &O) -> Result<(), String>,
) -> ExitCode {
    let options = match options {
        Ok(options) => options,
        Err(message) => {
            eprintln!("xtask: {message}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match work(&root(), &options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Writes what is made from the keys of scene files.
fn keys(root: &Path) -> Result<(), String> {
    let write = Step::cargo(
        "keys of scene files, in the book and in Python",
        "test --workspace --test keys --locked",
    );
    run(root, &write.env("WRITHE_WRITE_KEYS", "1"))
}

/// The workspace: two folders above this package.
fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_path_buf()
}

fn test(root: &Path, extent: Extent) -> Result<(), String> {
    let this = documentation::this_program()?;
    step::check("minimum Rust version is stated", || {
        manifest::check_rust_version(root)
    })?;
    for step in rust_steps() {
        run(root, &step)?;
    }
    let tests = Step::cargo("tests", TESTS).linted();
    run_beside(root, &tests, &steps_beside_tests(root, &this))?;
    // A copy without its history names no sources.
    if root.join(".git").exists() {
        results(root, Step::linted)?;
    }
    if extent >= Extent::Python {
        python::test_package(root)?;
    }
    if extent == Extent::All {
        release::test(root)?;
        let python = python::readers(root)?;
        run(root, &foreign_readers(&python))?;
        for step in browser::steps(root) {
            run(root, &step)?;
        }
    }
    Ok(())
}

/// Tells what is recorded of older sources than these, which is no failure. The program that knows is
/// built by what `built` makes of an ordinary step.
fn results(root: &Path, built: impl Fn(Step) -> Step) -> Result<(), String> {
    // With an example: so all is built with the features that the tests have.
    let build = Step::cargo(
        "the papers' program",
        "build --quiet --workspace --bin writhe-papers --example large_page --locked",
    );
    run(root, &built(build))?;
    let program = python::target(root).join("debug").join("writhe-papers");
    let program = program.to_string_lossy();
    run(
        root,
        &Step::new("results of older sources", &program, &["outdated"]),
    )
}

/// Benches run once each, without measuring. Not `--all-targets`, which would make a test of the
/// Python module, and that links to no Python.
const TESTS: &str = "test --workspace --tests --examples --benches --locked";

/// What comes before the tests are run.
fn rust_steps() -> Vec<Step> {
    vec![
        Step::cargo(
            "lock file is up to date",
            "metadata --locked --quiet --format-version 1",
        )
        .silent()
        .remedy("run `cargo check` and commit Cargo.lock"),
        Step::cargo("format", "fmt --all --check").remedy("run `cargo fmt --all`"),
        Step::cargo("lints, and tests are built", &format!("{TESTS} --no-run")).linted(),
    ]
}

/// What is done while tests run.
fn steps_beside_tests(root: &Path, this: &Path) -> [Step; 2] {
    [documentation::step(root, this), python::module()]
}

fn foreign_readers(python: &Path) -> Step {
    Step::cargo(
        "zarr, xarray, numpy, VTK, glTF, USD, OBJ and PDF readers of others read what is written",
        // The whole workspace, not -p writhe-rundir, whose dependencies would be built again with
        // fewer features.
        "test --workspace --test export_foreign_readers --test pdf_foreign_reader --locked",
    )
    .linted()
    .env("WRITHE_FOREIGN_READERS", "1")
    .env("PYTHON", &python.to_string_lossy())
}
