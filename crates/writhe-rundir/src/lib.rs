//! The run directory of Writhe: everything a simulation leaves on disk, safe against a kill at any
//! moment.
//!
//! ```text
//! DIR/scene.toml                the resolved scene, as given
//! DIR/trajectory.zarr/          Zarr v3 group, little-endian, uncompressed: opens in xarray, zarr, Dask
//!     time (time)               positions (time, node, xyz)      directors (time, edge, xyz)
//!     velocities (time, node, xyz)
//!     hydrodynamic_forces (time, node, xyz)                      of a run in a fluid whose flow couples all nodes
//!     body_positions (time, body, xyz)                           of a run with rigid bodies
//!     body_orientations (time, body, quaternion)
//!     joint_broken (time, joint)                                 of a run whose joints can break
//!     radius (edge)             rod_first_node, rod_nodes, rod_edges, rod_closed (rod)
//! DIR/observables.csv           one row per output time, numbers that read back exactly
//! DIR/contacts.csv              one row per output time and contact of a rod with a rod, an obstacle or a body (a run with contact)
//! DIR/checkpoint.bin            the state to restart from, as named arrays; the one before is checkpoint.previous.bin
//! DIR/start.bin                 where a run began that began where another one stood
//! DIR/summary.json              written when the run ends
//! DIR/log.txt                   lines, as they came
//! DIR/.lock                     empty; locked while a process writes the run
//! ```
//!
//! A run writes through [`RunDirectory`]:
//!
//! ```
//! use writhe_rundir::{Column, Frame, RodLayout, RunDirectory, RunLayout, RunReader, RunSummary};
//!
//! # let place = tempfile::tempdir()?;
//! # let path = place.path().join("run");
//! let layout = RunLayout {
//!     rods: vec![RodLayout { nodes: 3, closed: false }],
//!     radius: vec![1e-3; 2],
//!     observables: vec![Column::new("energy_stretch", "J")],
//!     ..RunLayout::default()
//! };
//! let mut run = RunDirectory::create(&path, &layout, "# the scene\n")?;
//! run.append(
//!     &Frame {
//!         time: 0.0,
//!         positions: &[[0.0, 0.0, 0.0], [0.5, 0.0, 0.0], [1.0, 0.0, 0.0]],
//!         directors: &[[0.0, 1.0, 0.0]; 2],
//!         extra: &[],
//!         contacts: &[],
//!     },
//!     &[0.0],
//! )?;
//! run.checkpoint(&"any serde type")?;
//! run.finish(&RunSummary { outcome: "finished".into(), ..RunSummary::default() })?;
//!
//! let reader = RunReader::open(&path)?;
//! assert_eq!(reader.positions(0)?[2], [1.0, 0.0, 0.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Recording`] does this for a [`Simulation`](writhe::simulation::Simulation): its frames and
//! observables at the times of [`Outputs`], and the pauses for checkpoints; with columns from
//! outside beside those of the core:
//!
//! ```
//! use writhe::observe::ObservableSink;
//! use writhe::simulation::Simulation;
//! # use writhe::{glam::DVec3, step::StepSettings, model::ModelBuilder, rod::{Material, Rod, Section}};
//! use writhe_rundir::{Outputs, Recording};
//!
//! # let place = tempfile::tempdir()?;
//! # let path = place.path().join("run");
//! # let rod = Rod::open(vec![DVec3::ZERO, DVec3::X, 2.0 * DVec3::X], Section::circle(Material::new(1e6, 0.5, 1e3), 0.01))?;
//! # let (model, state) = ModelBuilder::new().rod(rod).build()?;
//! # let simulation = Simulation::new(model, state, StepSettings::default());
//! let height = |simulation: &Simulation, sink: &mut dyn ObservableSink| {
//!     let first = simulation.model.positions(&simulation.state)[0];
//!     sink.visit(&"height", "m", first.z);
//! };
//! let outputs = Outputs::new(0.1, 0.0, 1.0);
//! let mut run = Recording::create(&path, "# the scene\n", simulation, outputs, height)?;
//! run.output()?;
//! # run.save(&())?;
//! # assert!(std::fs::read_to_string(path.join("observables.csv"))?.contains(",height [m]\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **The promise.** Kill the process at any moment, call [`RunDirectory::resume`] and go on from
//! the state it returns: the finished trajectory, observables and checkpoints are byte for byte
//! those of a run that nobody killed. Two rules make it true. Files are replaced whole (temporary
//! file, fsync, rename), save `observables.csv` and `contacts.csv`, which only grow. And a
//! checkpoint is written last: after the chunks, after the shapes that announce them, after
//! contacts and observables; so what it counts is on the disk, and whatever is beyond its counts is
//! cut off on resume.

mod atomic;
mod bytes;
mod change_scene;
mod checkpoint;
mod compare;
mod contacts;
mod crc;
mod directory;
mod error;
mod export;
mod fault;
mod fields;
mod growing;
mod inside;
mod layout;
mod lock;
mod observables;
pub mod outcome;
mod outputs;
mod reader;
mod recording;
mod schema;
mod spans;
mod start;
mod state_arrays;
mod summary;
mod trajectory;
mod unstarted;
mod usage;
mod zarr;

#[cfg(test)]
mod kill_tests;

pub use compare::{Comparison, Difference, NodeDifference};
pub use contacts::{Contact, Touched};
pub use directory::{FUNCTIONS_FILE, Frame, RUN_FILES, RunDirectory};
pub use error::{Result, RunDirError};
pub use export::{
    Colouring, ExportOptions, Surroundings, export_csv, export_gltf, export_npz, export_obj,
    export_usd, export_vtk, surroundings,
};
pub use fields::{NodeFields, Rods, Touch, speeds};
pub use layout::{Axis, Column, ExtraArray, RodLayout, RunLayout};
pub use observables::Observable;
pub use outputs::Outputs;
pub use reader::{RunReader, StoredFrame};
pub use recording::{Pause, Recording};
pub use summary::RunSummary;
pub use usage::processor_time;
