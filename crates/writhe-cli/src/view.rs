//! A page in the browser.

pub mod browser;
pub mod server;
