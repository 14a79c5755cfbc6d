//! Interactive pictures of rods: one self-contained HTML file, made from plain arrays.
//!
//! A [`Setting`] says what stays over a run, a [`Block`] holds frames in binary form, and [`page`]
//! puts both and the program that shows them into one file that needs neither network nor server.
//! The program is JavaScript, made from the folder `viewer` of the repository; what is made of it
//! stands in `bundle`, so that building this crate needs Rust alone.
//!
//! ```
//! use writhe_viewer::{Block, Frame, Rod, Setting, page};
//!
//! let setting = Setting {
//!     title: "three nodes".into(),
//!     rods: vec![Rod { nodes: 3, closed: false }],
//!     radius: vec![0.1; 2],
//!     ..Setting::default()
//! };
//! let mut block = Block::new(&setting);
//! block.push(&Frame {
//!     time: 0.0,
//!     positions: &[[0.0, 0.0, 0.0], [0.5, 0.0, 0.0], [1.0, 0.0, 0.0]],
//!     directors: &[[0.0, 1.0, 0.0]; 2],
//!     ..Frame::default()
//! });
//! let html = page(&setting, Some(&block.pack()));
//! assert!(html.starts_with("<!doctype html>") && !html.contains("https://"));
//! ```

mod base64;
mod block;
mod codes;
mod page;
mod plane;
mod setting;

pub use block::{Block, Frame, MARK_BYTES, Mark, flow_bytes, frame_bytes};
pub use page::page;
pub use plane::Plane;
pub use setting::{
    Collar, Column, Field, Fixture, Joint, Mesh, Obstacle, Rod, Section, Setting, Shape,
};
