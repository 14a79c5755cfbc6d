//! Failures as Python's exceptions, which `writhe.errors` defines.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::prelude::*;
use writhe_session::failure::{Blame, Failure};

/// A `SceneError`.
pub fn scene_error(
    py: Python<'_>,
    message: &str,
    key: Option<&str>,
    remedy: Option<&str>,
    line: Option<usize>,
) -> PyErr {
    raised(py, "SceneError", |class| {
        class.call1((message, key, remedy, line))
    })
}

/// What went wrong with a run's scene, directory or end.
pub fn of_failure(py: Python<'_>, failure: &Failure) -> PyErr {
    match failure.blame() {
        Blame::BadInput => {
            // Texts made from values have lines that nobody wrote.
            let place = failure.place().filter(|place| !place.file.is_empty());
            let line = place.map(|p| 1 + p.text[..p.span.start].matches('\n').count());
            let remedy = failure.remedy().map(in_python);
            let message = failure.message();
            scene_error(py, message, failure.key(), remedy.as_deref(), line)
        }
        Blame::Failed => {
            let remedy = failure.remedy().map(in_python);
            simulation_error(py, failure.message(), remedy.as_deref())
        }
    }
}

/// A remedy that names options of the command line, with the arguments that they are here.
fn in_python(remedy: &str) -> String {
    const SAME: [(&str, &str); 10] = [
        // There is none here: folders are deleted by who calls.
        ("; `--force` replaces it", ""),
        (", or replace the run in it with `--force`", ""),
        ("with --to or --from", "of `end=` or `start=`"),
        (
            "give the first value with --from",
            "give the first value with `start=`",
        ),
        (
            "begin at another value with --from",
            "begin at another value of `start=`",
        ),
        ("`--resume`", "`resume=True`"),
        ("`--out DIR`", "`to=`"),
        ("`--no-flow`", "`flow=False`"),
        ("`--set time.settle=false`", "`Time(settle=False)`"),
        ("`writhe new NAME`", "`template(NAME)`"),
    ];
    let told = remedy.to_owned();
    SAME.iter().fold(told, |told, (option, argument)| {
        told.replace(option, argument)
    })
}

/// A `SimulationError` that is about no step.
pub fn simulation_error(py: Python<'_>, message: &str, remedy: Option<&str>) -> PyErr {
    raised(py, "SimulationError", |class| {
        let nothing = None::<usize>;
        class.call1((message, nothing, nothing, nothing, nothing, remedy))
    })
}

/// An instance of a class of `writhe.errors`, or why there is none.
pub fn raised<'py>(
    py: Python<'py>,
    class: &str,
    make: impl FnOnce(Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>>,
) -> PyErr {
    let class = py
        .import("writhe.errors")
        .and_then(|module| module.getattr(class));
    match class.and_then(make) {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}

/// Does `work` without holding the interpreter; a panic in it is a bug of ours, and told as an
/// exception that programs survive.
///
/// # Errors
/// When it panicked.
pub fn apart<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    py.detach(|| catch_unwind(AssertUnwindSafe(work)))
        .map_err(|payload| bug(py, payload.as_ref()))
}

fn bug(py: Python<'_>, payload: &(dyn Any + Send)) -> PyErr {
    let text = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message");
    let version = env!("CARGO_PKG_VERSION");
    let message =
        format!("this is a bug in Writhe {version}, please report it with the scene: {text}");
    simulation_error(py, &message, None)
}
