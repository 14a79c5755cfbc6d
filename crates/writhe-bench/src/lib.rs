//! What Writhe costs, as one table.
//!
//! A [`row::Row`] has a scene, what its number is per (a step, a Newton iteration, a simulated
//! second, a whole run), and figures of another machine beside it: those of other programs, and
//! what was aimed at. [`rows`] lists them. Every run is a process of a [`program::Program`] with
//! its own processor time, so that another version of Writhe is measured exactly as this one;
//! [`measure`] makes two runs of different lengths, and their difference is free of what a start
//! costs. A scene of the user's is measured alike, as three rows. A [`kernel`] of fixed work is timed in between: times over that of the kernel compare
//! between machines. [`report`] tells all of it as text or JSON.

pub mod kernel;
pub mod measure;
pub mod program;
pub mod report;
pub mod row;
pub mod rows;
mod scenes;
