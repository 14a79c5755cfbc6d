//! `writhe check`: what will be simulated, in words and numbers.

use serde_json::json;
use writhe_scenes::Level;

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
    let text = scene.describe()?;
    if !args.json {
        return console::print(&text);
    }
    let remarks = scene.remarks()?;
    console::print_json(&json!({
        "scene": scene.name(),
        "description": text.lines().collect::<Vec<_>>(),
        "remarks": remarks
            .iter()
            .map(|remark| json!({
                "warning": remark.level == Level::Warning,
                "key": remark.key,
                "message": remark.message,
            }))
            .collect::<Vec<_>>(),
    }))
}
