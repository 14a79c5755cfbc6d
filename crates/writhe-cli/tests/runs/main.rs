//! Commands that run scenes, go on with runs, and judge them.

#[path = "../common/mod.rs"]
mod common;

mod bad_input;
mod bench;
mod certificate;
mod commands;
mod converge;
mod damage;
mod directories;
mod failure;
mod follow;
mod from;
mod import;
mod knot_examples;
mod longer;
mod nasty;
mod options;
mod stop;
mod sweep;
mod warnings;
