//! Equilibria that follow a key, which are those of the command line.

use std::path::Path;

use pyo3::prelude::*;
use writhe_session::follow::{Way, follow_into};
use writhe_session::interrupt::Interrupt;

use crate::errors::{apart, of_failure};
use crate::scene::Scene;
use crate::signals::Signals;

/// Where a key begins, if that is not the scene's own value, and where it ends, as texts.
type Ends = (Option<String>, String);

/// Follows the equilibria of a scene over a key into a new run directory; what is not as it was asked
/// for, a line each.
#[pyfunction]
pub fn follow(
    py: Python<'_>,
    scene: &Scene,
    key: &str,
    ends: Ends,
    bounds: (usize, Option<f64>, usize),
    directory: &str,
) -> PyResult<Vec<String>> {
    let ((from, to), (branches, step, most)) = (ends, bounds);
    let way = Way {
        key: key.to_owned(),
        from,
        to,
        branches,
        step,
        most,
    };
    let signals = Signals::default();
    signals.reset();
    let interrupt = Interrupt::of(signals.poll());
    let directory = Path::new(directory);
    let followed = apart(py, || {
        let followed = follow_into(&scene.runnable, &way, directory, &interrupt, &mut |_| ());
        followed.map(|found| found.warnings)
    })?;
    // Ctrl-C says more than that it was interrupted.
    signals.take().map_or(Ok(()), Err)?;
    followed.map_err(|failure| of_failure(py, &failure))
}
