//! `writhe new`: a commented scene to start from.

use serde_json::json;

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
        Some(name) => console::print_file(&scene::template(name)?),
        None if args.json => console::print_json(&json!(
            scene::abouts()
                .map(|(name, about)| json!({ "name": name, "about": about }))
                .collect::<Vec<_>>()
        )),
        None => {
            console::print(&scene::list())?;
            console::tell(scene::AFTER_LIST)
        }
    }
}
