//! A run to look at: its frames as scenes to draw, and all of it as a page for the browser, what
//! surrounds its rods for other programs. Command line and Python show the same.
//!
//! [`picture::Pictures`] reads frames with what surrounds the rods, as `writhe-render` draws them.
//! [`page::Movie`] reads the frames of a page, which `writhe-viewer` writes.
//! [`surroundings::of_run`] reads what surrounds the rods, for the exports of `writhe-rundir`.

pub mod fixtures;
pub mod joints;
pub mod obstacles;
pub mod page;
pub mod picture;
pub mod pose;
pub mod sampling;
pub mod surroundings;
pub mod up;

use writhe_session::failure::Failure;
use writhe_session::printable::printable;

/// What is told where the scene of a run cannot be read or built.
pub fn unreadable_scene(failure: &Failure) -> String {
    format!(
        "Obstacles, bodies and supports are not shown, because the scene of this run cannot be read: {}.",
        printable(failure.message())
    )
}
