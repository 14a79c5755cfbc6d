//! `writhe export`: the results of a run in another format.

use std::path::{Path, PathBuf};

use writhe_rundir::{
    RunReader, export_csv, export_gltf, export_npz, export_obj, export_usd, export_vtk,
};

use crate::args::{ExportArgs, ExportFormat};
use crate::console;
use crate::files::refuse_run_files;
use crate::format::count;
use crate::printable::printable;
use crate::report::Result;
use crate::scene::RunnableScene;

/// Writes the run in the format asked for.
///
/// # Errors
/// When the directory is no run, or the export cannot be written.
pub fn run(args: &ExportArgs) -> Result<()> {
    let directory = &args.directory;
    let reader = RunReader::open(directory)?;
    let frames = reader.frames();
    let out = args
        .out
        .clone()
        .unwrap_or_else(|| default_out(directory, args.to));
    refuse_run_files(directory, "--out", &out)?;
    let what = match args.to {
        ExportFormat::Csv => {
            export_csv(directory, &out)?;
            format!(
                "{}, with observables.csv and the contacts",
                out.join("nodes.csv").display()
            )
        }
        ExportFormat::Npz => {
            export_npz(directory, &out)?;
            out.display().to_string()
        }
        ExportFormat::Vtk => {
            export_vtk(directory, &out, rest_lengths(reader.scene_toml())?)?;
            out.join("run.pvd").display().to_string()
        }
        ExportFormat::Gltf => {
            export_gltf(directory, &out)?;
            out.display().to_string()
        }
        ExportFormat::Usd => {
            export_usd(directory, &out, rest_lengths(reader.scene_toml())?)?;
            out.display().to_string()
        }
        ExportFormat::Obj => {
            export_obj(directory, &out)?;
            out.display().to_string()
        }
    };
    console::print(&format!("Wrote {} to {what}\n", count(frames, "frame")))
}

/// Rest length of each edge of a run, m; none, with a notice, where its scene cannot be read.
fn rest_lengths(scene_toml: &str) -> Result<Option<Vec<f64>>> {
    match RunnableScene::of_run(scene_toml).and_then(|scene| scene.simulation()) {
        Ok(simulation) => Ok(Some(simulation.model.rest_length)),
        Err(failure) => {
            console::print(&format!(
                "Stretch counts from the first frame, because the scene of this run cannot be read: {}\n",
                printable(failure.message())
            ))?;
            Ok(None)
        }
    }
}

fn default_out(directory: &Path, format: ExportFormat) -> PathBuf {
    match format {
        ExportFormat::Csv => directory.join("csv"),
        ExportFormat::Npz => directory.join("trajectory.npz"),
        ExportFormat::Vtk => directory.join("vtk"),
        ExportFormat::Gltf => directory.join("run.glb"),
        ExportFormat::Usd => directory.join("run.usda"),
        ExportFormat::Obj => directory.join("obj"),
    }
}
