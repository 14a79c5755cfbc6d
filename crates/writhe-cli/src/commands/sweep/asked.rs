//! What is asked of a sweep, looked at before anything runs.

use writhe_session::session::columns_of;
use writhe_sweep::results::COUNTS;
use writhe_sweep::{Parameter, Sweep};

use crate::args::SweepArgs;
use crate::report::{Failure, Result};
use crate::scene::RunnableScene;

/// A key has one value in each run.
///
/// # Errors
/// A key that is swept over and set, too.
pub fn once(args: &SweepArgs, parameters: &[Parameter]) -> Result<()> {
    for parameter in parameters {
        let key = &parameter.key;
        let option = match () {
            () if args.scene.set.iter().any(|set| set.key == *key) => "--set",
            () if args.duration.is_some() && key == "time.duration" => "--duration",
            () => continue,
        };
        let message = format!("`{key}` is swept over, and `{option}` gives it one value");
        return Err(Failure::bad_input(message).help(format!("leave out `{option}` or `--vary`")));
    }
    Ok(())
}

/// Names of columns to show are those of a run.
///
/// # Errors
/// A name that no run can have.
pub fn shown(names: &[String], scene: &RunnableScene, sweep: &Sweep) -> Result<()> {
    let mut known: Vec<String> = COUNTS.iter().map(|(name, _)| (*name).to_owned()).collect();
    let is_known = |known: &[String]| names.iter().all(|name| known.contains(name));
    for point in sweep.points() {
        if is_known(&known) {
            return Ok(());
        }
        // A point that cannot be run is a row with its reason.
        let made = scene.changed(&point.changes(sweep.parameters()));
        let columns = made
            .and_then(|scene| columns_of(&scene))
            .unwrap_or_default();
        known.extend(columns);
    }
    let Some(name) = names.iter().find(|name| !known.contains(name)) else {
        return Ok(());
    };
    let likeness = |known: &str| strsim::jaro_winkler(name, known);
    let near = known
        .iter()
        .max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    let near = near.map_or("", String::as_str);
    Err(
        Failure::bad_input(format!("no run has a column `{name}` for `--show`")).help(format!(
            "did you mean `{near}`? `--show` takes columns of observables.csv, such as energy_bend and rod0_tip_z"
        )),
    )
}
