//! A run as a page for the browser.

mod flow;
mod movie;
mod parameters;
mod surroundings;

pub use movie::{Movie, Page, Wanted};
