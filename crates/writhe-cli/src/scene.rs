//! The scene that a command works on: read from a file, changed by `--set`.

pub use writhe_session::scene::{AFTER_LIST, RunnableScene, abouts, list, template};

use crate::args::{Assignment, SceneArgs};
use crate::report::Result;

/// Reads the file and makes the changes, that of the duration last.
///
/// # Errors
/// What is wrong with the file or a change.
pub fn read(args: &SceneArgs, duration: Option<&str>) -> Result<RunnableScene> {
    let mut changes: Vec<String> = args.set.iter().map(Assignment::to_string).collect();
    changes.extend(duration.map(|time| format!("time.duration={time}")));
    Ok(RunnableScene::read(&args.file, &changes)?)
}
