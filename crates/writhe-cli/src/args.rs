//! What a user types.

mod numbers;
mod pictures;
mod plot;
mod render;

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::observable::Observable;
use crate::wanted::Wanted;

pub use pictures::ViewArgs;
pub use plot::{LegendPlace, Limits, Most, PlotArgs, PlotFormat, PlotStyle, ValueOf};
pub use render::{ColourRange, Direction, Fit, MOVIE_FPS, MOVIE_FRAMES, PictureSize, RenderArgs};

/// Simulates slender elastic rods that bend, twist, touch, tangle and swim.
#[derive(Debug, Parser)]
#[command(
    name = "writhe",
    version,
    disable_help_subcommand = true,
    max_term_width = 100
)]
#[command(after_help = "Start here:
  writhe new flagella > my.toml      a commented scene to edit
  writhe check my.toml               what it will simulate, with warnings
  writhe run my.toml                 simulate it
  writhe view runs/flagella          look at it in the browser
  writhe render runs/flagella        pictures of the result
  writhe plot runs/flagella          curves of the result

`writhe COMMAND --help` shows the options and an example of each command.
With --json only JSON goes to standard output.
Experiments of the papers, ours beside theirs: the program `writhe-papers`.
Exit codes: 0 done, 1 a run that failed or was interrupted, 2 bad input. What
has nothing to save, such as bench, is ended by Ctrl-C at once (130 in a shell).")]
pub struct Arguments {
    /// What goes with every command.
    #[command(flatten)]
    pub general: GeneralArgs,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What goes with every command.
#[derive(Debug, Args)]
pub struct GeneralArgs {
    /// Number of threads [default: one for each core; `bench`: 1]; results do not depend on it.
    #[arg(long, value_name = "N", global = true, value_parser = numbers::count, allow_hyphen_values = true)]
    pub threads: Option<usize>,
    /// Print only results, warnings and errors: no progress, no hints.
    #[arg(short, long, global = true)]
    pub quiet: bool,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Print a commented scene to start from; without a name, list them.
    #[command(after_help = "Example:
  writhe new flagella > my.toml")]
    New(NewArgs),
    /// Tell in words and numbers what a scene will simulate, with warnings.
    #[command(after_help = "Example:
  writhe check my.toml --set contact.friction=0.3")]
    Check(CheckArgs),
    /// Make a scene from a file of the authors' programs: option.txt of knots or flagella, or a
    /// shape.
    #[command(after_help = "Examples:
  writhe import option.txt -o my.toml
      the knot or the flagella of an option file of the programs of Choi et
      al. 2021 and Tong et al. 2022; the shape that it names is looked for
      beside it, and in knot_configurations there
  writhe import n1 --as knot > my.toml
      a shape alone: rows of x y z in metres, more columns ignored; its ends
      are pulled as in Choi et al. 2021

What the file says and a scene cannot, and keys that are not known, are told
on standard error and at the head of the scene.")]
    Import(ImportArgs),
    /// Simulate a scene.
    #[command(after_help = "Examples:
  writhe run my.toml --set contact.friction=0.3 --out runs/rough
  writhe run my.toml --resume --duration \"2 h\"
      a finished run becomes longer
  writhe run next.toml --from runs/first@2.5
      begins where another run stood at 2.5 s, with other loads, contact or
      steps; what does not carry over is told

Ctrl-C stops within seconds, in the middle of a step too, and saves; a second
Ctrl-C stops at once.
Either way, and after a crash, the same command with --resume goes on and
ends with the same bytes as a run that was never interrupted.

The run directory holds scene.toml (with every default), trajectory.zarr,
observables.csv, summary.json, the last two checkpoints and log.txt.")]
    Run(RunArgs),
    /// Find the static equilibrium of a scene, without simulating any time.
    #[command(after_help = "Example:
  writhe settle my.toml --out runs/hanging

Fluid and other dissipation are left out, loads are those of t = 0. The run
directory holds the equilibrium as its one frame: look at it with `writhe
view`, begin a run there with `writhe run my.toml --from runs/hanging`.")]
    Settle(SettleArgs),
    /// Follow the equilibria of a scene over a key, past folds and bifurcations.
    #[command(after_help = "Examples:
  writhe follow arch.toml --vary time --to 3
      what the scene moves or loads in time, without inertia: an arch that
      snaps turns back in time, and goes on
  writhe follow column.toml --vary rods[0].forces[0].force[0] --from 0 \\
      --to \"-2 N\" --branch 1 --show rod0_end_distance
      a load; where the column buckles, both ways that it can go
  writhe plot runs/column-followed rod0_end_distance --against parameter

KEY is a number of the scene, as --set names it, or `time`. The run directory
has a frame for each equilibrium, whose time is its number, and the columns
parameter, branch, negative (eigenvalues of the stiffness: 0 is stable) and
event (1 a fold, 2 a bifurcation) beside the usual ones. Contact is followed
with contact.model = \"imc\" and without friction; with other contact a branch
ends where rods touch.")]
    Follow(FollowArgs),
    /// Run a scene over values of its keys, and make a table of what comes out.
    #[command(after_help = "Examples:
  writhe sweep my.toml --vary contact.friction=0.1:0.8:0.1 \\
      --vary scene.count=2,3,5 -j 2 --out sweeps/mu
  writhe sweep my.toml --vary scene.rod_radius=5mm:10mm:1mm
  writhe sweep my.toml --vary scene.young=1kPa:1MPa:log4
  writhe plot sweeps/mu pull_force --against contact.friction

VALUES is a list, a range START:END:STEP, or N values that are even in the
logarithm, START:END:logN; all combinations are run. Each is a run directory
below the folder, called by its values. The same command again, after Ctrl-C,
a crash or a kill, does what is missing: what is over is not run again, and
what was begun goes on from its checkpoint. results.csv and results.json have
outcome, reason, counts and the last value of each observable.")]
    Sweep(SweepArgs),
    /// Write the results of a run in another format.
    #[command(after_help = "Example:
  writhe export runs/flagella --to csv

csv: a folder with nodes.csv (a row for each time and node) and
     observables.csv (a row for each time), with units in the header
npz: one NumPy archive; numpy.load(\"trajectory.npz\")[\"positions\"] has the
     shape (times, nodes, 3), in m
vtk: a folder for ParaView: run.pvd, in blocks: rods as tubes and centrelines
     with curvature, twist, stretch, speed and contact force at each point,
     obstacles, bodies, joints, clamps, contacts with their forces
gltf: one animated file (.glb) for Blender and web viewers, also with
     obstacles, bodies and so on; contacts are arrows. --colour FIELD colours
     the rods by their values at one time, --at SECONDS
usd: one file (.usda) of curves, meshes and points that change in time; so do
     the colours of a field
obj: a folder of surfaces, one for each frame")]
    Export(ExportArgs),
    /// Look at a run in the browser: one HTML file with the rods in motion, curves and parameters.
    #[command(after_help = "Examples:
  writhe view runs/flagella
      writes view.html into the run directory and opens it; the file needs
      no network and can be sent to others
  writhe view runs/flagella --serve
      follows a run in progress; only this computer can see it

Keys in the page are listed by `?`; a link to the moment shown is copied by
`L`.")]
    View(ViewArgs),
    /// Draw pictures of a run: a contact sheet over time, stills, movies.
    #[command(after_help = render::EXAMPLES)]
    Render(RenderArgs),
    /// Draw curves: observables of a run over time, or of several runs over each other.
    #[command(after_help = plot::EXAMPLES)]
    Plot(PlotArgs),
    /// Compare two runs of the same rods over time: how far apart they are.
    #[command(after_help = "Example:
  writhe compare runs/imc runs/ipc --csv difference.csv

The mean over all nodes of their distance between the two runs, in metres and
in radii (Tong et al. 2022, Eq. 22), at each time that both runs have, and
the node that differs most.")]
    Compare(CompareArgs),
    /// Run a scene with halved steps and edges: limits, orders, and the cheapest step and mesh for
    /// an error.
    #[command(after_help = "Examples:
  writhe converge my.toml --observable rod0_tip_z --error 1%
      three steps and three meshes: what the height of the rod's end comes to,
      how far the scene is off, and the cheapest step and mesh that are off by
      one per cent
  writhe converge my.toml --observable energy_bend@2 \\
      --observable clamp0_force_x@1..2 --meshes 1
      two observables, one at 2 s and one as its mean from 1 to 2 s, by halved
      steps alone

Columns of observables.csv can be observed; rod0_tip_x, rod0_tip_y, rod0_tip_z
are the place of the last node of a rod. A limit is told where the order of
convergence is near that of the method, or where four runs (--steps 4) have
the same order twice; otherwise the last difference is told. No files are
written.")]
    Converge(ConvergeArgs),
    /// Check the simulator against closed forms and published figures.
    #[command(after_help = "Examples:
  writhe validate --list
  writhe validate heavy-cantilever 1.3
  writhe validate --quick
      all cases, with fewer parameters and shorter runs

Each row shows what was measured, its reference, the error, the order of
convergence where three resolutions were run, and the bound that the
verdict is by. Exit code 1 if any row fails.")]
    Validate(ValidateArgs),
    /// Measure processor times of a table of scenes, or of one of yours, also beside another
    /// version.
    #[command(after_help = "Examples:
  writhe bench
      all rows, each by a window of some seconds, ten minutes together; where a
      number is of a whole run it is an estimate, and told as one
  writhe bench --only flagella-2 --only knot --whole
      whole runs of these
  writhe bench --only newton --against ../other/target/debug/writhe
      another version and this one in turn
  writhe bench my.toml --set time.duration=2 --against ../other/target/debug/writhe
      a scene of yours: all of its run, a step, a Newton iteration
  writhe bench --record validation/bench
      bench.txt and bench.json, with date, commit and processor

Times are processor times, with one thread unless --threads says more. They
are also told in kernels, so that machines compare: a kernel of fixed work is
timed between the runs. `docs/performance.md` says what limits each row.")]
    Bench(BenchArgs),
    /// Print what a shell needs to complete commands and options.
    #[command(after_help = "Examples:
  writhe completions bash > ~/.local/share/bash-completion/completions/writhe
  writhe completions zsh > ~/.zfunc/_writhe
  writhe completions fish > ~/.config/fish/completions/writhe.fish")]
    Completions(CompletionsArgs),
    /// Print the manual page, or write those of all commands into a folder.
    #[command(after_help = "Examples:
  writhe man | man -l -
  writhe man --out ~/.local/share/man/man1")]
    Man(ManArgs),
    /// The papers' experiments, which are a program of their own now.
    #[command(hide = true, disable_help_flag = true)]
    Reproduce(MovedArgs),
}

/// Arguments of `writhe new`.
#[derive(Debug, Args)]
pub struct NewArgs {
    /// Name of the scene; leave it out for a list.
    pub name: Option<String>,
    /// Print the list as JSON.
    #[arg(long, conflicts_with = "name")]
    pub json: bool,
}

/// Arguments of `writhe import`.
#[derive(Debug, Args)]
pub struct ImportArgs {
    /// Option file or shape.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Scene file to write [default: standard output].
    #[arg(short, long, value_name = "SCENE")]
    pub out: Option<PathBuf>,
    /// How a list of nodes becomes a scene [default: knot].
    #[arg(long = "as", value_enum, value_name = "KIND")]
    pub used: Option<ShapeKind>,
    /// Replace SCENE if it exists.
    #[arg(long)]
    pub force: bool,
    /// Print as JSON what was written, or the scene itself, with what could not be carried over.
    #[arg(long)]
    pub json: bool,
}

/// How a list of nodes becomes a scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ShapeKind {
    /// A rod whose ends are clamped and pulled apart.
    Knot,
    /// A rod that nothing holds, at rest in this shape.
    Rod,
    /// A closed rod: its last node is joined to the first.
    Ring,
}

/// A scene file and changes to it.
#[derive(Debug, Args)]
pub struct SceneArgs {
    /// Scene file (TOML).
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Change a value of the scene, e.g. `contact.friction=0.3` or `"fluid.viscosity=1 Pa s"`; may
    /// be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE", allow_hyphen_values = true)]
    pub set: Vec<Assignment>,
}

/// Arguments of `writhe check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// What to check.
    #[command(flatten)]
    pub scene: SceneArgs,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `writhe run`.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// What to simulate.
    #[command(flatten)]
    pub scene: SceneArgs,
    /// Run directory to create [default: runs/NAME_OF_SCENE].
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Go on with an interrupted run from its last checkpoint, or with a finished one for a longer
    /// --duration; starts anew where there is none yet.
    #[arg(long)]
    pub resume: bool,
    /// Begin from the state of another run: its last one, or that nearest to a time, e.g. runs/first@2.5.
    #[arg(long, value_name = "DIR[@TIME]")]
    pub from: Option<String>,
    /// Simulated time, e.g. 10 (s) or "2 min": the same as `--set time.duration=TIME`.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub duration: Option<String>,
    /// Watch the run in the browser while it goes on (see `writhe view --serve`).
    #[arg(long)]
    pub live: bool,
    /// With --live, print the address and open no browser.
    #[arg(long, requires = "live")]
    pub no_open: bool,
    /// Replace the run that DIR holds, with all that is in DIR.
    #[arg(long, conflicts_with = "resume")]
    pub force: bool,
    /// Print the summary as JSON; what else is told goes to standard error.
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `writhe settle`.
#[derive(Debug, Args)]
pub struct SettleArgs {
    /// What settles.
    #[command(flatten)]
    pub scene: SceneArgs,
    /// Run directory to create [default: runs/NAME_OF_SCENE-settled].
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Replace the run that DIR holds, with all that is in DIR.
    #[arg(long)]
    pub force: bool,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `writhe follow`.
#[derive(Debug, Args)]
pub struct FollowArgs {
    /// What is in equilibrium.
    #[command(flatten)]
    pub scene: SceneArgs,
    /// What to change: the key of a number, or `time`.
    #[arg(long, value_name = "KEY")]
    pub vary: String,
    /// Where to begin [default: the scene's value; time: 0].
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    pub from: Option<String>,
    /// Where to end.
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    pub to: String,
    /// Leave the first branch at its N-th bifurcation and follow both sides of all these.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = numbers::count, allow_hyphen_values = true)]
    pub branch: usize,
    /// Longest step along a branch, where 1 is the whole way from --from to --to [default: 0.05].
    #[arg(long, value_name = "LENGTH", value_parser = numbers::positive, allow_hyphen_values = true)]
    pub step: Option<f64>,
    /// Largest number of equilibria on a branch.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = numbers::count, allow_hyphen_values = true)]
    pub points: usize,
    /// Observable to show in the table; may be repeated.
    #[arg(long, value_name = "OBSERVABLE")]
    pub show: Vec<String>,
    /// Run directory to create [default: runs/NAME_OF_SCENE-followed].
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Replace the run that DIR holds, with all that is in DIR.
    #[arg(long)]
    pub force: bool,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `writhe sweep`.
#[derive(Debug, Args)]
pub struct SweepArgs {
    /// What to simulate.
    #[command(flatten)]
    pub scene: SceneArgs,
    /// A key and its values; may be repeated, for all combinations.
    #[arg(long, value_name = "KEY=VALUES", required = true)]
    pub vary: Vec<String>,
    /// Folder of the sweep [default: sweeps/NAME_OF_SCENE].
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Number of runs at a time, which share the cores [default: one for each core].
    #[arg(short, long, value_name = "N", value_parser = numbers::count, allow_hyphen_values = true)]
    pub jobs: Option<usize>,
    /// Simulated time, e.g. 10 (s) or "2 min": the same as `--set time.duration=TIME`.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub duration: Option<String>,
    /// Observable to show in the table; may be repeated [default: energies and forces that differ].
    #[arg(long, value_name = "OBSERVABLE")]
    pub show: Vec<String>,
    /// Print the results as JSON, as results.json; what else is told goes to standard error.
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `writhe export`.
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// Run directory.
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
    /// Format.
    #[arg(long, value_enum)]
    pub to: ExportFormat,
    /// Folder (csv, vtk, obj) or file (npz, gltf, usd) to write [default: one in DIR].
    #[arg(long, value_name = "PATH")]
    pub out: Option<PathBuf>,
    /// Colour the rods by a field: curvature, twist, stretch, speed or contact_force.
    #[arg(long, visible_alias = "color", value_name = "FIELD")]
    pub colour: Option<String>,
    /// With --to gltf --colour: time from which the colours are taken, in s or with a unit [default:
    /// that of the last frame].
    #[arg(
        long,
        value_name = "TIME",
        value_parser = numbers::seconds,
        allow_hyphen_values = true
    )]
    pub at: Option<f64>,
    /// Draw rods as smooth curves through the nodes, in place of the straight edges that were
    /// simulated.
    #[arg(long)]
    pub smooth: bool,
    /// Print as JSON what was written; what else is told goes to standard error.
    #[arg(long)]
    pub json: bool,
}

/// Formats of `writhe export`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// Comma-separated values, for spreadsheets.
    Csv,
    /// A NumPy archive.
    Npz,
    /// Surfaces with data, for ParaView.
    Vtk,
    /// An animated scene, for Blender and web viewers.
    Gltf,
    /// Curves with time samples, for programs of Universal Scene Description.
    Usd,
    /// Surfaces, for anything.
    Obj,
}

/// Arguments of `writhe compare`.
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// A run directory.
    #[arg(value_name = "DIR1")]
    pub first: PathBuf,
    /// Another run of the same rods.
    #[arg(value_name = "DIR2")]
    pub second: PathBuf,
    /// Also write every common time to this file.
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `writhe validate`.
#[derive(Debug, Args)]
pub struct ValidateArgs {
    /// Names of cases, or of sections of the catalogue [default: all cases].
    #[arg(value_name = "CASE")]
    pub cases: Vec<String>,
    /// List the cases and what they measure.
    #[arg(long)]
    pub list: bool,
    /// Fewer parameters and shorter runs; the bounds stay.
    #[arg(long)]
    pub quick: bool,
    /// Also write all rows to this file.
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Write the table of each case to DIR/CASE.txt and DIR/CASE.csv, with date, commit and
    /// machine.
    #[arg(long, value_name = "DIR")]
    pub record: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `writhe converge`.
#[derive(Debug, Args)]
pub struct ConvergeArgs {
    /// What to simulate.
    #[command(flatten)]
    pub scene: SceneArgs,
    /// What to look at: NAME at the end, NAME@TIME, or NAME@FROM..TO as a mean, times in s or with a
    /// unit ("NAME@50 ms"); may be repeated [default: energy_bend].
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    pub observable: Vec<Observable>,
    /// Runs with the step of the scene, half of it, and so on: 3 to 8, or 1 for the scene's alone.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = numbers::count, allow_hyphen_values = true)]
    pub steps: usize,
    /// Runs with the edges of the scene, edges half as long, and so on: 3 to 8, or 1 for the scene's
    /// alone.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = numbers::count, allow_hyphen_values = true)]
    pub meshes: usize,
    /// Propose the cheapest step and mesh with this error: a part of the limit, such as 1%, or a
    /// number in the unit of the observable.
    #[arg(long, value_name = "ERROR", allow_hyphen_values = true)]
    pub error: Option<Wanted>,
    /// Simulated time, e.g. 10 (s) or "2 min": the same as `--set time.duration=TIME`.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub duration: Option<String>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `writhe bench`.
#[derive(Debug, Args)]
pub struct BenchArgs {
    /// Scene file (TOML) to measure in place of the table: all of its run, a step, and a Newton
    /// iteration.
    #[arg(value_name = "FILE", conflicts_with_all = ["only", "list", "whole"])]
    pub file: Option<PathBuf>,
    /// Change a value of the scene, e.g. `time.duration=2`; may be repeated.
    #[arg(
        long = "set",
        value_name = "KEY=VALUE",
        allow_hyphen_values = true,
        requires = "file"
    )]
    pub set: Vec<Assignment>,
    /// Rows to measure, by name or first letters; may be repeated [default: all].
    #[arg(long, value_name = "ROW")]
    pub only: Vec<String>,
    /// List the rows.
    #[arg(long)]
    pub list: bool,
    /// Time whole runs, which takes hours, in place of a part of each.
    #[arg(long)]
    pub whole: bool,
    /// Another program `writhe`, which is measured alternately with this one.
    #[arg(long, value_name = "BINARY")]
    pub against: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
    /// Also write the table to DIR/bench.txt and DIR/bench.json.
    #[arg(long, value_name = "DIR")]
    pub record: Option<PathBuf>,
}

/// Arguments of `writhe completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// Shell.
    #[arg(value_enum)]
    pub shell: Shell,
}

/// Arguments of `writhe man`.
#[derive(Debug, Args)]
pub struct ManArgs {
    /// Folder for the pages writhe.1, writhe-run.1 and so on [default: one page on standard output].
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// Arguments of a command that went elsewhere: whatever they are.
#[derive(Debug, Args)]
pub struct MovedArgs {
    /// Words after the command.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub words: Vec<OsString>,
}

/// `key=value` of `--set`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    /// Dotted key.
    pub key: String,
    /// Value as typed.
    pub value: String,
}

impl fmt::Display for Assignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.key, self.value)
    }
}

impl FromStr for Assignment {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((key, value)) if !key.trim().is_empty() && !value.trim().is_empty() => Ok(Self {
                key: key.trim().to_owned(),
                value: value.trim().to_owned(),
            }),
            _ => Err("write it as KEY=VALUE, e.g. contact.friction=0.3".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn definition_is_consistent() {
        Arguments::command().debug_assert();
    }

    /// A value such as `-5x60` must reach whoever says how to write it, and not be taken for an
    /// option that there is not.
    #[test]
    fn values_that_are_no_words_may_begin_with_a_hyphen() {
        use std::any::TypeId;
        let words = [TypeId::of::<String>(), TypeId::of::<PathBuf>()];
        let mut commands = vec![Arguments::command()];
        let mut looked_at = 0;
        while let Some(command) = commands.pop() {
            commands.extend(command.get_subcommands().cloned());
            for option in command.get_opts() {
                let parser = option.get_value_parser();
                let is_choice = parser.possible_values().is_some();
                if is_choice || words.iter().any(|word| parser.type_id() == *word) {
                    continue;
                }
                looked_at += 1;
                assert!(
                    option.is_allow_hyphen_values_set(),
                    "{}: {option}",
                    command.get_name()
                );
            }
        }
        assert!(looked_at > 20, "{looked_at}");
    }

    #[test]
    fn values() {
        let assignment: Assignment = "a.b = 1 = 2".parse().unwrap();
        assert_eq!(
            (assignment.key.as_str(), assignment.value.as_str()),
            ("a.b", "1 = 2")
        );
        assert!("a".parse::<Assignment>().is_err());
        assert!("=1".parse::<Assignment>().is_err());
    }
}
