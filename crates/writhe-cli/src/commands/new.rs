//! `writhe new`: a commented scene to start from.

use crate::args::NewArgs;
use crate::console;
use crate::report::Result;
use crate::scene;

/// Prints the scene of this name, or the names.
///
/// # Errors
/// When there is no scene of this name.
pub fn run(args: &NewArgs) -> Result<()> {
    match &args.name {
        Some(name) => console::print(&scene::template(name)?),
        None => console::print(&scene::list()),
    }
}
