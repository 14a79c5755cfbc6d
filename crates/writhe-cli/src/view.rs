//! A run as a page for the browser.

pub mod browser;
mod flow;
mod movie;
mod parameters;
pub mod server;
mod surroundings;

pub use movie::{Movie, Wanted, unreadable_scene};
