//! Equilibria of a scene that follow one of its keys, or the time, as a run directory with a frame
//! for each.

mod effect;

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::json;
use writhe::follow::{
    Branch, Equilibrium, Event, Family, FollowError, InTime, Member, Settings, follow,
};
use writhe::model::Model;
use writhe::observe::{Entry, ObservableSink, Observer, observe};
use writhe::simulation::Simulation;
use writhe::step::{Phases, SharedTime};
use writhe_rundir::{Recording, RunDirError, RunSummary, outcome};

use crate::checkpoint::Checkpoint;
use crate::failure::{Failure, Result};
use crate::findings::Findings;
use crate::format::{count, number, with_prefix};
use crate::interrupt::Interrupt;
use crate::scene::RunnableScene;
use crate::shell;
use crate::summary;
use crate::usage::{Meter, Usage};

/// What is followed where it is the time of motions and loads.
pub const TIME: &str = "time";
/// What the run directory of a branch says of its end.
const REASON: &str = "equilibria that follow a parameter";
/// The same where someone asked to stop.
const BY_USER: &str = "stopped by the user";
/// The same as long as the way goes on, and where it was killed.
const UNENDED: &str = "the way has not come to its end";
/// Time on the clock between two saves.
const BETWEEN_SAVES: Duration = Duration::from_secs(10);
/// Key of the summary for what was followed.
const OVER: &str = "followed";
/// What the columns of energies begin with.
const ENERGY: &str = "energy_";

/// What is to be followed, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct Way {
    /// Key of the scene, or [`TIME`].
    pub key: String,
    /// Its first value, as a scene writes it; that of the scene, or the time 0, unless given.
    pub from: Option<String>,
    /// Its last value.
    pub to: String,
    /// Bifurcations whose branches are followed.
    pub branches: usize,
    /// Longest step along a branch; the core's own unless given.
    pub step: Option<f64>,
    /// Largest number of equilibria on a branch.
    pub most: usize,
}

/// An equilibrium in numbers: what its row of `observables.csv` has.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Its frame: the time of its row, s.
    pub frame: usize,
    /// Its branch.
    pub branch: usize,
    /// The parameter, SI.
    pub parameter: f64,
    /// Length of the branch up to here.
    pub length: f64,
    /// Number of negative eigenvalues of the stiffness, where it is known.
    pub negative: Option<usize>,
    /// What is special about it.
    pub event: Event,
    /// Sum of all energies, that of loads among them, J.
    pub energy: f64,
    /// Observables: name, unit, value.
    pub observables: Vec<(String, String, f64)>,
}

/// The equilibria that were found.
#[derive(Debug)]
pub struct Followed {
    /// What was followed.
    pub over: Over,
    /// One for each equilibrium.
    pub rows: Vec<Row>,
    /// The branches.
    pub branches: Vec<Branch>,
    /// What it took.
    pub usage: Usage,
    /// What is not as it was asked for, a line each.
    pub warnings: Vec<String>,
}

/// What the summary of a run of equilibria says of what was followed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Over {
    /// Key of the scene, or [`TIME`].
    pub key: String,
    /// Unit of the column `parameter`.
    pub unit: String,
    /// Its values at both ends of the way, SI.
    pub ends: [f64; 2],
}

impl Over {
    /// That of a run that follows something.
    pub fn of(summary: &RunSummary) -> Option<Self> {
        serde_json::from_value(summary.extra.get(OVER)?.clone()).ok()
    }

    /// A value of the parameter: `time = 14.3 s`, `force[0] = -31 mN`.
    pub fn told(&self, value: f64) -> String {
        let name = self.key.rsplit('.').next().unwrap_or(&self.key);
        let value = match self.unit.as_str() {
            "1" => number(value, 4),
            unit if unit.contains(['/', ' ', '^']) => format!("{} {unit}", number(value, 4)),
            unit => with_prefix(value, unit),
        };
        format!("{name} = {value}")
    }
}

/// Columns of an equilibrium.
#[derive(Debug, Clone)]
struct Shown {
    unit: String,
    parameter: f64,
    branch: usize,
    length: f64,
    negative: Option<usize>,
    event: Event,
}

impl Shown {
    fn of(equilibrium: &Equilibrium, unit: &str) -> Self {
        Self {
            unit: unit.to_owned(),
            parameter: equilibrium.parameter,
            branch: equilibrium.branch,
            length: equilibrium.length,
            negative: equilibrium.negative,
            event: equilibrium.event,
        }
    }
}

impl Observer for Shown {
    fn observe(&self, _: &Simulation, sink: &mut dyn ObservableSink) {
        let event = match self.event {
            Event::Regular => 0.0,
            Event::Fold => 1.0,
            Event::Bifurcation(_) => 2.0,
        };
        sink.visit(&"parameter", &self.unit, self.parameter);
        for (name, value) in [
            ("branch", self.branch as f64),
            ("branch_length", self.length),
            ("negative", self.negative.map_or(f64::NAN, |n| n as f64)),
            ("event", event),
        ] {
            sink.visit(&name, "1", value);
        }
    }
}

/// The scene over one of its keys.
struct OverKey<'a> {
    scene: &'a RunnableScene,
    key: &'a str,
    /// The model last asked for.
    last: RefCell<Option<(f64, Member)>>,
}

impl Family for OverKey<'_> {
    fn at(&self, parameter: f64) -> std::result::Result<Member, FollowError> {
        if let Some((value, member)) = &*self.last.borrow()
            && *value == parameter
        {
            return Ok(member.clone());
        }
        let made = set(self.scene, self.key, parameter).and_then(|scene| scene.simulation());
        let simulation = made.map_err(|failure| FollowError::NoModel {
            parameter,
            why: failure.message().to_owned(),
        })?;
        let member = Member {
            model: Rc::new(simulation.model),
            time: simulation.state.time,
        };
        self.last.replace(Some((parameter, member.clone())));
        Ok(member)
    }
}

/// The scene with a number for a key, SI.
fn set(scene: &RunnableScene, key: &str, value: f64) -> Result<RunnableScene> {
    scene.changed(&[format!("{key}={value:?}")])
}

/// The number that stands at a key of a scene with every default, SI.
fn number_at(scene: &RunnableScene, key: &str) -> Option<f64> {
    let root: toml::Table = scene.toml().parse().ok()?;
    let mut at = toml::Value::Table(root);
    for part in key.split('.') {
        let mut words = part.split('[');
        at = at.get(words.next()?)?.clone();
        for index in words {
            let index: usize = index.strip_suffix(']')?.parse().ok()?;
            at = at.get(index)?.clone();
        }
    }
    // Whole numbers, which are written as such, count things: there is nothing between two of them.
    at.as_float()
}

/// A value of the key as the scene writes it, SI.
fn value(scene: &RunnableScene, key: &str, text: Option<&str>) -> Result<f64> {
    if key == TIME {
        return match text {
            None => Ok(0.0),
            Some(text) => writhe_scenes::units::Time::parse(text)
                .map(|time| time.si())
                .map_err(|error| {
                    Failure::bad_input(format!("`{text}` is not a time of the scene: {error}"))
                        .help("write a number of seconds, or such as \"20 ms\", behind --from and --to")
                }),
        };
    }
    let changed = match text {
        Some(text) => Some(scene.changed(&[format!("{key}={text}")])?),
        None => None,
    };
    number_at(changed.as_ref().unwrap_or(scene), key).ok_or_else(|| {
        let message = match text {
            Some(_) => format!(
                "`{key}` is not a number that could change smoothly, and only such a one can be followed"
            ),
            None => format!("the scene has no number at `{key}` to begin at"),
        };
        Failure::bad_input(message).at_key(key).help(
            "name the key of one number, such as rods[0].forces[0].force[2], give the first value with --from, or follow `time`, which moves supports and loads as the scene says",
        )
    })
}

/// Follows the equilibria of `scene` along `way` from that which is found at its beginning, writes
/// each as a frame of a run in the new directory `path`, and shows its row. The time of a frame is its
/// number; the scene of the run is that of the beginning.
///
/// # Errors
/// What is wrong with the scene or the way; that there is no equilibrium to begin at; that someone
/// asked to stop; a directory that cannot be made. The equilibria that were found before are in the
/// directory all the same.
pub fn follow_into(
    scene: &RunnableScene,
    way: &Way,
    path: &Path,
    interrupt: &Interrupt,
    shown: &mut dyn FnMut(&Row),
) -> Result<Followed> {
    let key = way.key.as_str();
    if let Some((name, value)) = key.split_once('=') {
        let message = format!("`{key}` has a value, and --vary of `follow` takes the key alone");
        let remedy = format!("write --vary {name} --from START --to {value}");
        return Err(Failure::bad_input(message).help(remedy));
    }
    let to = value(scene, key, Some(&way.to))?;
    let from = value(scene, key, way.from.as_deref())?;
    if key == TIME && from.min(to) < 0.0 {
        let message = format!("the time would go from {from} to {to} s, and scenes begin at 0");
        let remedy = "give times from 0 on with --from and --to";
        return Err(Failure::bad_input(message).help(remedy));
    }
    if path.read_dir().is_ok_and(|mut all| all.next().is_some()) {
        return Err(Failure::bad_input(format!(
            "the run directory `{}` exists and is not empty",
            path.display()
        ))
        .help(
            "choose another directory with `--out DIR`, or replace the run in it with `--force`",
        ));
    }
    let is_time = key == TIME;
    let first = match is_time {
        true => scene.changed::<&str>(&[])?,
        false => set(scene, key, from)?,
    };
    if is_time && first.simulation()?.model.changes_until() == 0.0 {
        return Err(
            Failure::bad_input("no load, motion or strain of the scene changes in time")
                .at_key(key)
                .help("give one of them a `motion`, an `amplitude` or an `angle` in time, or follow a key of the scene"),
        );
    }
    let unit = match is_time {
        true => Some("s".to_owned()),
        false => scene.unit_of(key),
    };
    let over = Over {
        key: key.to_owned(),
        unit: unit.unwrap_or_else(|| "1".to_owned()),
        ends: [from, to],
    };
    let meter = Meter::start(Usage::default());
    let (settled, _) = first.settled(&interrupt.poll())?;
    let start = settled.state.clone();
    let over_key = OverKey {
        scene,
        key,
        last: RefCell::new(None),
    };
    let in_time = InTime(Rc::new(first.simulation()?.model));
    let family: &dyn Family = if is_time { &in_time } else { &over_key };
    let mut warnings = Vec::new();
    if effect::has_none(family, &start, [from, to]) {
        warnings.push(without_effect(key, &in_time.0));
    }
    let mut settings = Settings {
        branches: way.branches,
        most: way.most,
        poll: interrupt.poll(),
        ..Settings::new(from, to)
    };
    if let Some(step) = way.step {
        settings.largest_step = step;
        settings.first_step = settings.first_step.min(step);
    }
    let mut recording: Option<Recording<Shown>> = None;
    let mut settled = Some(settled);
    let mut rows = Vec::new();
    let mut kept: Option<Instant> = None;
    let followed = follow(
        family,
        &start,
        &settings,
        &mut |equilibrium: Equilibrium| {
            let own = Shown::of(&equilibrium, &over.unit);
            // Recordings own their model.
            let model = match (is_time, &mut recording) {
                (true, _) => None,
                (false, _) => Some(set(scene, key, equilibrium.parameter)?.simulation()?.model),
            };
            let recording = match &mut recording {
                Some(recording) => recording,
                none => {
                    let Some(mut simulation) = settled.take() else {
                        return Err(Failure::failed("there is no first equilibrium").into());
                    };
                    simulation.state = equilibrium.state.clone();
                    let outputs = first.outputs();
                    none.insert(Recording::create(
                        path,
                        first.toml(),
                        simulation,
                        outputs,
                        own.clone(),
                    )?)
                }
            };
            recording.own = own.clone();
            if let Some(model) = model {
                recording.simulation.model = model;
            }
            recording.simulation.state = equilibrium.state;
            recording.output_as(rows.len() as f64)?;
            let row = row(&recording.simulation, rows.len(), &own)?;
            shown(&row);
            rows.push(row);
            // A kill costs what came after, and leaves a directory that says what it holds.
            if kept.is_none_or(|kept| kept.elapsed() > BETWEEN_SAVES) {
                let told = (outcome::INTERRUPTED, UNENDED);
                keep(recording, scene, (&over, &Usage::default()), told)?;
                kept = Some(Instant::now());
            }
            Ok::<(), Stop>(())
        },
    );
    let usage = meter.read(&Phases::default(), &SharedTime::default());
    let is_interrupted = matches!(followed, Err(Stop::Follow(FollowError::Interrupted)));
    let names = scene.names(&in_time.0);
    let found = (path, rows.len());
    let followed = followed.map_err(|stop| stop.told(&names, key, found));
    let (how, reason) = match &followed {
        Ok(_) => (outcome::FINISHED, REASON),
        Err(_) if is_interrupted => (outcome::INTERRUPTED, BY_USER),
        Err(failure) => (outcome::FAILED, failure.message()),
    };
    let kept = match &mut recording {
        Some(recording) => keep(recording, scene, (&over, &usage), (how, reason)),
        None => Ok(()),
    };
    let branches = match followed {
        // What went wrong first is told.
        Err(failure) if !is_interrupted => return Err(failure),
        // Whoever asked to stop is told that all is saved, which has to be true.
        followed => {
            kept?;
            followed?
        }
    };
    let crossed = |row: &&Row| row.branch == 0 && matches!(row.event, Event::Bifurcation(_));
    let crossings = rows.iter().filter(crossed).count();
    if crossings < way.branches {
        warnings.push(format!(
            "{} asked for with --branch, and the first branch has {crossings}: try another --to, or a smaller --step",
            count(way.branches, "bifurcation")
        ));
    }
    Ok(Followed {
        over,
        rows,
        branches,
        usage,
        warnings,
    })
}

/// Puts the equilibria that were found on disk, with a summary that says why there are no more of
/// them: hours of work are not lost with the one that was not found.
fn keep(
    recording: &mut Recording<Shown>,
    scene: &RunnableScene,
    (over, usage): (&Over, &Usage),
    (outcome, reason): (&str, &str),
) -> Result<()> {
    let frames = recording.directory().frames();
    recording.simulation.state.time = frames as f64;
    let next = recording.next();
    let none = Findings::default();
    let checkpoint = Checkpoint::of(&recording.simulation, next, usage.clone(), None, none);
    recording.save(&checkpoint)?;
    let (findings, surroundings) = (Findings::default(), scene.surroundings());
    let told = (&findings, &surroundings);
    let simulation = &recording.simulation;
    let mut done = summary::of(simulation, usage.clone(), None, told, outcome, reason);
    // Nothing moves: the time of a frame is its number.
    done.simulated_s = 0.0;
    done.extra.insert(OVER.to_owned(), json!(over));
    recording.directory().finish(&done)?;
    Ok(())
}

/// That the parameter changes nothing, and what may be meant.
fn without_effect(key: &str, model: &Model) -> String {
    if key == TIME {
        return "nothing changes along the way: the equilibrium is the same at every time"
            .to_owned();
    }
    let remedy = match model.changes_until() > 0.0 {
        true => {
            "; a load or motion that is 0 at t = 0 and grows later is followed with --vary time, or give it a constant amplitude"
        }
        false => "; name a key that loads the rods, moves them or changes their shape at rest",
    };
    format!("`{key}` changes nothing at t = 0: all equilibria are the same{remedy}")
}

fn row(simulation: &Simulation, frame: usize, own: &Shown) -> Result<Row> {
    let Simulation { model, state, .. } = simulation;
    let time = state.time;
    let seen =
        observe(model, state).map_err(|source| RunDirError::StateNotShown { time, source })?;
    let mut columns: Vec<Entry> = Vec::new();
    seen.visit(model, &mut columns);
    own.observe(simulation, &mut columns);
    let energies = columns
        .iter()
        .filter(|entry| entry.name.starts_with(ENERGY));
    Ok(Row {
        frame,
        branch: own.branch,
        parameter: own.parameter,
        length: own.length,
        negative: own.negative,
        event: own.event,
        energy: energies.map(|entry| entry.value).sum(),
        observables: columns
            .into_iter()
            .map(|entry| (entry.name.clone(), entry.unit.to_string(), entry.value))
            .collect(),
    })
}

/// Why following stopped.
enum Stop {
    Follow(FollowError),
    Failure(Failure),
}

impl From<FollowError> for Stop {
    fn from(error: FollowError) -> Self {
        Self::Follow(error)
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl From<RunDirError> for Stop {
    fn from(error: RunDirError) -> Self {
        Self::Failure(error.into())
    }
}

impl Stop {
    /// `found` is where equilibria are, and how many.
    fn told(self, names: &crate::names::Names, key: &str, found: (&Path, usize)) -> Failure {
        let error = match self {
            Self::Failure(failure) => return failure,
            Self::Follow(error) => error,
        };
        let message = names.tell(&error.to_string());
        match error {
            FollowError::Interrupted => {
                let anew = "the same command with `--force` follows all anew in their place";
                let help = match found {
                    // One has no curve.
                    (_, 0 | 1) => anew.to_owned(),
                    (path, _) => format!(
                        "draw them with `writhe plot {} energy_bend --against parameter`; {anew}",
                        shell::path(path)
                    ),
                };
                Failure::failed("interrupted; the equilibria found so far are saved").help(help)
            }
            FollowError::NoWay { .. } => {
                Failure::bad_input(message).help("give another value with --to or --from")
            }
            FollowError::NoModel { .. } | FollowError::OtherUnknowns { .. } => {
                Failure::bad_input(message).at_key(key).help(
                    "follow a key that keeps the numbers of rods, edges and supports, over values that the scene accepts",
                )
            }
            FollowError::Obstacles => Failure::bad_input(message).help(
                "set contact.model = \"imc\" and every friction to 0, or let it move: `writhe run`, `writhe sweep`",
            ),
            FollowError::Shapes => Failure::bad_input(message).at_key(key).help(
                "follow a key that moves the obstacle, or give it a `motion` and follow `time`",
            ),
            FollowError::Statics(_) => Failure::bad_input(message).help(
                "take what the message names out of the scene, or let it move: `writhe run`, `writhe sweep`",
            ),
            FollowError::Solve(_) | FollowError::NoStart { .. } => Failure::failed(message).help(
                "hold what is free to move, or begin at another value with --from",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Over;

    #[test]
    fn the_parameter_is_told_with_its_unit() {
        let told = |key: &str, unit: &str, value: f64| {
            let (key, unit) = (key.to_owned(), unit.to_owned());
            let ends = [0.0, 1.0];
            Over { key, unit, ends }.told(value)
        };
        assert_eq!(told("time", "s", 14.3), "time = 14.3 s");
        assert_eq!(
            told("rods[0].forces[0].force[0]", "N", -0.031),
            "force[0] = -31 mN"
        );
        assert_eq!(
            told("rods[0].forces[0].amplitude", "1", 0.75),
            "amplitude = 0.75"
        );
        assert_eq!(
            told("gravity.acceleration[2]", "m/s^2", -9.81),
            "acceleration[2] = -9.81 m/s^2"
        );
    }
}
