//! `writhe check`: what will be simulated, in words and numbers.

use crate::args::CheckArgs;
use crate::console;
use crate::report::Result;
use crate::scene;

/// Prints the description of a scene; building the model makes every check that a run would make.
///
/// # Errors
/// What is wrong with the scene.
pub fn run(args: &CheckArgs) -> Result<()> {
    let scene = scene::read(&args.scene, None)?;
    console::print(&scene.describe()?)
}
