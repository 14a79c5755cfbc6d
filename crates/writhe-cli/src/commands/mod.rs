//! What each command does.

pub mod bench;
pub mod check;
pub mod compare;
pub mod completions;
pub mod converge;
pub mod export;
pub mod follow;
pub mod import;
pub mod new;
pub mod plot;
pub mod render;
pub mod reproduce;
pub mod run;
pub mod settle;
pub mod sweep;
pub mod validate;
pub mod view;
