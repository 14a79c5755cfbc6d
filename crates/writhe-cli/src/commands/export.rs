//! `writhe export`: the results of a run in another format.

use std::path::{Path, PathBuf};

use serde_json::json;
use writhe_render::ColorMap;
use writhe_rundir::{
    Colouring, ExportOptions, RunReader, export_csv, export_gltf, export_npz, export_obj,
    export_usd, export_vtk,
};
use writhe_show::surroundings;

use crate::args::{ExportArgs, ExportFormat};
use crate::console;
use crate::files::{behind_links, refuse_run_files, refuse_to_replace};
use crate::format::count;
use crate::printable::printable;
use crate::report::{Failure, Result};
use crate::scene::RunnableScene;
use crate::written::written;

/// Writes the run in the format asked for.
///
/// # Errors
/// When the directory is no run, an option is not for this format, there is no such field or frame,
/// or the export cannot be written.
pub fn run(args: &ExportArgs) -> Result<()> {
    console::set_json(args.json);
    let directory = &args.directory;
    refuse_what_has_no_effect(args)?;
    let reader = RunReader::open(directory)?;
    let frames = reader.frames();
    let out = args.out.clone();
    let out = out.unwrap_or_else(|| default_out(directory, args.to));
    refuse_run_files(directory, "--out", &out)?;
    refuse_to_replace(&out)?;
    let place = behind_links(&out);
    match args.to {
        ExportFormat::Csv => export_csv(directory, &place)?,
        ExportFormat::Npz => export_npz(directory, &place)?,
        ExportFormat::Vtk => export_vtk(directory, &place, &options(args, &reader)?)?,
        ExportFormat::Gltf => export_gltf(directory, &place, &options(args, &reader)?)?,
        ExportFormat::Usd => export_usd(directory, &place, &options(args, &reader)?)?,
        ExportFormat::Obj => export_obj(directory, &place, &options(args, &reader)?)?,
    }
    if args.json {
        return console::print_json(&json!({
            "run": directory.to_string_lossy(),
            "format": name(args.to),
            "frames": frames,
            "written": [written(name(args.to), &out)],
        }));
    }
    let what = match args.to {
        ExportFormat::Csv => {
            let nodes = out.join("nodes.csv");
            format!("{}, with observables.csv and the contacts", nodes.display())
        }
        ExportFormat::Vtk => out.join("run.pvd").display().to_string(),
        _ => out.display().to_string(),
    };
    console::print(&format!("Wrote {} to {what}\n", count(frames, "frame")))
}

/// Refuses options that the format knows nothing of.
fn refuse_what_has_no_effect(args: &ExportArgs) -> Result<()> {
    let table = matches!(args.to, ExportFormat::Csv | ExportFormat::Npz);
    let refused = [
        (
            "--colour",
            table && args.colour.is_some(),
            "vtk, gltf, usd or obj",
        ),
        ("--smooth", table && args.smooth, "vtk, gltf, usd or obj"),
        (
            "--at",
            args.at.is_some() && args.to != ExportFormat::Gltf,
            "gltf",
        ),
    ];
    match refused.into_iter().find(|(_, refused, _)| *refused) {
        None if args.at.is_some() && args.colour.is_none() => Err(Failure::bad_input(
            "`--at` is the time of the colours, and nothing is coloured",
        )
        .help("say what the colours show, as in `--colour curvature`, or leave `--at` out")),
        None => Ok(()),
        Some((option, _, formats)) => Err(Failure::bad_input(format!(
            "`{option}` has no effect on the format {}",
            name(args.to)
        ))
        .help(format!(
            "leave `{option}` out, or export with `--to` {formats}"
        ))),
    }
}

/// What the export shows. What of the scene is left out, because it cannot be read, is told.
fn options(args: &ExportArgs, reader: &RunReader) -> Result<ExportOptions> {
    let colour = args.colour.as_ref().map(|field| Colouring {
        field: field.clone(),
        at: args.at,
        sequential: |x| ColorMap::Sequential.color(x).rgb,
        diverging: |x| ColorMap::Diverging.color(x).rgb,
    });
    let mut options = ExportOptions {
        colour,
        smooth: args.smooth,
        ..ExportOptions::default()
    };
    let read = RunnableScene::of_run(reader.scene_toml())
        .and_then(|scene| Ok((scene.simulation()?, scene)));
    match read {
        Ok((simulation, scene)) => {
            options.surroundings = surroundings::of_run(reader, &scene, &simulation.model)?;
            options.rest = Some(simulation.model.rest_length);
        }
        Err(failure) => console::print_error(&format!(
            "note: obstacles, bodies, joints and clamps are left out and stretch counts from the first frame, because the scene of this run cannot be read: {}\n",
            printable(failure.message())
        )),
    }
    Ok(options)
}

fn name(format: ExportFormat) -> &'static str {
    match format {
        ExportFormat::Csv => "csv",
        ExportFormat::Npz => "npz",
        ExportFormat::Vtk => "vtk",
        ExportFormat::Gltf => "gltf",
        ExportFormat::Usd => "usd",
        ExportFormat::Obj => "obj",
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
