//! What programs of others read of run directories and of exports.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/swinging.rs"]
mod swinging;

mod exports;
mod zarr;
