//! `writhe export`: the results of a run in another format.

use std::path::{Path, PathBuf};

use writhe_rundir::{RunReader, export_csv, export_npz};

use crate::args::{ExportArgs, ExportFormat};
use crate::console;
use crate::files::refuse_run_files;
use crate::format::count;
use crate::report::Result;

/// Writes the run in the format asked for.
///
/// # Errors
/// When the directory is no run, or the export cannot be written.
pub fn run(args: &ExportArgs) -> Result<()> {
    let directory = &args.directory;
    let frames = RunReader::open(directory)?.frames();
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
    };
    console::print(&format!("Wrote {} to {what}\n", count(frames, "frame")))
}

fn default_out(directory: &Path, format: ExportFormat) -> PathBuf {
    match format {
        ExportFormat::Csv => directory.join("csv"),
        ExportFormat::Npz => directory.join("trajectory.npz"),
    }
}
