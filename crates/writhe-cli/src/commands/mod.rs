//! What each command does.

pub mod check;
pub mod compare;
pub mod export;
pub mod import;
pub mod new;
pub mod plot;
pub mod render;
pub mod reproduce;
pub mod run;
pub mod validate;
pub mod view;
