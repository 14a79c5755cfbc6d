//! Where a run begins that begins where another one stood: `runs/first`, or `runs/first@2 s`.

use std::fmt;
use std::path::{Path, PathBuf};

use glam::DVec3;
use serde::{Deserialize, Serialize};
use writhe::model::{Model, Place};
use writhe::state::State;
use writhe_rundir::{RunDirError, RunDirectory, RunReader};
use writhe_scenes::units::Time;

use crate::checkpoint::Checkpoint;
use crate::failure::{Failure, Result};
use crate::follow::Over;
use crate::format::{count, number};
use crate::names::Names;

/// Part of the run's time by which what is there may miss the wanted time.
const FAR: f64 = 0.05;

/// Another run, and when.
#[derive(Debug, Clone, PartialEq)]
pub struct Origin {
    /// Its directory.
    pub directory: PathBuf,
    /// The time wanted, s; its last state unless given.
    pub time: Option<f64>,
}

/// Where a run began that began where another one stood: what `start.bin` holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Start {
    /// Configuration and velocities.
    pub place: Place,
    /// From which run, as it was asked for.
    pub from: String,
    /// What to know of it, a line each.
    pub notes: Vec<String>,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.directory.display())?;
        self.time.map_or(Ok(()), |time| write!(f, "@{time}"))
    }
}

impl Origin {
    /// Reads `DIR` or `DIR@TIME`.
    ///
    /// # Errors
    /// A time that is none.
    pub fn parse(text: &str) -> Result<Self> {
        let whole = |directory: &str| Self {
            directory: PathBuf::from(directory),
            time: None,
        };
        let Some((directory, time)) = text.rsplit_once('@') else {
            return Ok(whole(text));
        };
        // A directory may be called so.
        if Path::new(text).exists() {
            return Ok(whole(text));
        }
        let time = Time::parse(time).map_err(|error| {
            Failure::bad_input(format!(
                "--from `{text}` names no moment of a run: behind the @, {error}"
            ))
            .help("write the directory, and a time of that run if it is not the last: --from runs/first@2.5 or --from \"runs/first@20 ms\"; without @ it is the last state")
        })?;
        Ok(Self {
            directory: PathBuf::from(directory.trim_end()),
            time: Some(time.si()),
        })
    }

    /// Whether both are the same moment of the same run, however its directory is written.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        let real = |origin: &Self| origin.directory.canonicalize().ok();
        let is_one = real(self).is_some_and(|place| Some(place) == real(other));
        self.time == other.time && (self.directory == other.directory || is_one)
    }

    /// Reads where the run stood, for a run of `model`.
    ///
    /// # Errors
    /// A directory that cannot be read, a time that it does not have, other rods.
    pub fn read(&self, model: &Model, names: &Names) -> Result<Start> {
        if self.directory.as_os_str().is_empty() {
            return Err(Failure::bad_input("--from names no directory")
                .help("name the directory of a run: --from runs/first"));
        }
        if self.directory.is_file() {
            let shown = self.directory.display();
            return Err(
                Failure::bad_input(format!("`{shown}` is a file and not a run"))
                    .help("name the directory of a run: --from runs/first"),
            );
        }
        let reader = RunReader::open(&self.directory).map_err(unreadable)?;
        self.check_rods(&reader, model, names)?;
        let (what, time, place, left) = self.nearest(&reader, model)?;
        let missed = match self.time {
            Some(wanted) if (wanted - time).abs() > 1e-9 * wanted.abs() => {
                format!(", the nearest to t = {} s that it keeps", number(wanted, 6))
            }
            _ => String::new(),
        };
        let directory = self.directory.display();
        let is_followed = reader
            .summary()
            .is_some_and(|summary| Over::of(summary).is_some());
        let mut notes = vec![match (is_followed, self.time) {
            // The time of a frame is its number.
            (true, Some(_)) => format!(
                "it begins from equilibrium {time} of `{directory}`, at rest; its own time begins at 0"
            ),
            (true, None) => format!(
                "it begins from the last equilibrium of `{directory}`, at rest; its own time begins at 0"
            ),
            (false, _) => format!(
                "it begins from the state of `{directory}` at t = {} s ({what}{missed}), with the velocities of that time; its own time begins at 0",
                number(time, 6)
            ),
        }];
        if !model.constraints.list().is_empty() {
            let supports = "supports hold nodes and edges where that state has them, and their motions continue from there";
            notes.push(supports.to_owned());
        }
        notes.push(format!("what does not carry over: {}", left.join("; ")));
        Ok(Start {
            place,
            from: self.to_string(),
            notes,
        })
    }

    /// Rods and bodies must be as many as those of the model.
    fn check_rods(&self, reader: &RunReader, model: &Model, names: &Names) -> Result<()> {
        let directory = self.directory.display();
        let refuse = |message: String| {
            Err(Failure::bad_input(message).help(format!(
                "keep the numbers of rods, nodes and bodies: `{directory}/scene.toml` is the scene of that run, with every default"
            )))
        };
        let (theirs, ours) = (&reader.layout().rods, &model.topology.rods);
        if theirs.len() != ours.len() {
            return refuse(format!(
                "the run in `{directory}` has {}, this scene has {}: a run cannot begin from that state",
                count(theirs.len(), "rod"),
                count(ours.len(), "rod")
            ));
        }
        for (index, (a, b)) in theirs.iter().zip(ours).enumerate() {
            let shape = |closed: bool| if closed { "closed" } else { "open" };
            if (a.nodes, a.closed) != (b.nodes, b.closed) {
                return refuse(names.tell(&format!(
                    "rod {index} is {} with {} in the run in `{directory}`, and {} with {} in this scene: a run cannot begin from that state",
                    shape(a.closed),
                    count(a.nodes, "node"),
                    shape(b.closed),
                    count(b.nodes, "node")
                )));
            }
        }
        let bodies = reader.bodies(0).map_err(Failure::from)?.len();
        if bodies != model.bodies.list.len() {
            return refuse(format!(
                "the run in `{directory}` has {bodies} rigid bodies, this scene has {}: a run cannot begin from that state",
                model.bodies.list.len()
            ));
        }
        Ok(())
    }

    /// The state nearest to the wanted time: of a checkpoint, or else a frame. What it is, its time,
    /// s, and what is left behind.
    fn nearest(
        &self,
        reader: &RunReader,
        model: &Model,
    ) -> Result<(&'static str, f64, Place, Vec<String>)> {
        let states = RunDirectory::checkpoints::<Checkpoint>(&self.directory);
        let Some(wanted) = self.time else {
            let state = &states?[0].state;
            return self.of_checkpoint("its last checkpoint", model, state);
        };
        let times = reader.times()?;
        let (first, last) = (
            times.first().copied().unwrap_or(0.0),
            times.last().copied().unwrap_or(0.0),
        );
        let far = FAR * (last - first);
        if wanted < first - far || wanted > last + far {
            return Err(Failure::bad_input(format!(
                "the run in `{}` has nothing at t = {} s: it goes from {} to {} s",
                self.directory.display(),
                number(wanted, 6),
                number(first, 6),
                number(last, 6)
            ))
            .help("take a time between these, or leave @TIME out for its last state"));
        }
        let distance = |time: f64| (time - wanted).abs();
        let frame = times
            .iter()
            .enumerate()
            .min_by(|a, b| distance(*a.1).total_cmp(&distance(*b.1)));
        let states = states.unwrap_or_default();
        let state = states
            .iter()
            .map(|c| &c.state)
            .min_by(|a, b| distance(a.time).total_cmp(&distance(b.time)));
        match (state, frame) {
            // A checkpoint knows more.
            (Some(state), Some((_, time))) if distance(state.time) <= distance(*time) => {
                self.of_checkpoint("a checkpoint", model, state)
            }
            (_, Some((index, time))) => self.of_frame(reader, model, (index, *time)),
            (Some(state), None) => self.of_checkpoint("a checkpoint", model, state),
            (None, None) => Err(RunDirError::NoCheckpoint {
                path: self.directory.clone(),
            }
            .into()),
        }
    }

    fn of_checkpoint(
        &self,
        what: &'static str,
        model: &Model,
        state: &State,
    ) -> Result<(&'static str, f64, Place, Vec<String>)> {
        let unknowns = model.mass.len();
        // Counts of nodes and bodies are the same; joints have unknowns, too.
        if state.q.len() != unknowns {
            return Err(Failure::bad_input(format!(
                "the state of the run in `{}` has {} unknowns, this scene has {unknowns}: bodies are joined otherwise",
                self.directory.display(),
                state.q.len()
            ))
            .help("give this scene the joints of that run"));
        }
        Ok((
            what,
            state.time,
            Place::of_state(model, state),
            left_behind(state),
        ))
    }

    fn of_frame(
        &self,
        reader: &RunReader,
        model: &Model,
        (index, time): (usize, f64),
    ) -> Result<(&'static str, f64, Place, Vec<String>)> {
        if !model.bodies.list.is_empty() {
            return Err(Failure::bad_input(format!(
                "the run in `{}` has no checkpoint near t = {} s, and a frame does not hold how rigid bodies move",
                self.directory.display(),
                number(time, 6)
            ))
            .help("leave @TIME out, for its last state, or run it to that time in a directory of its own"));
        }
        let vectors = |values: Vec<[f64; 3]>| -> Vec<DVec3> {
            values.into_iter().map(DVec3::from_array).collect()
        };
        let positions = vectors(reader.positions(index)?);
        let velocities = reader.velocities(index)?;
        let velocities = velocities.map_or_else(|| vec![DVec3::ZERO; positions.len()], vectors);
        let directors = vectors(reader.directors(index)?);
        let vertices = model.topology.vertices();
        let place = Place::of_frame(positions, velocities, directors, vertices);
        let mut left = vec![
            "the spin of edges about themselves, and twist of more than half a turn between neighbouring edges: a frame holds neither"
                .to_owned(),
        ];
        left.push(BEFORE.to_owned());
        left.push("what contact, friction, a fluid and the balance of energy remember".to_owned());
        Ok(("a frame", time, place, left))
    }
}

/// What a scheme of two steps remembers.
const BEFORE: &str = "the step before: a two-step scheme begins with a step of backward Euler";

/// What a state remembers that is of the forces which acted there.
fn left_behind(state: &State) -> Vec<String> {
    let contact = &state.contact;
    let anchors = contact.anchors.len() + contact.obstacle_anchors.len();
    let forces = contact.forces.len() + contact.obstacle_forces.len();
    let mut left = Vec::new();
    if state.history.is_some() {
        left.push(BEFORE.to_owned());
    }
    if anchors > 0 {
        left.push(format!(
            "the anchors of friction ({anchors} contacts that could stick have none at first)"
        ));
    }
    if forces > 0 {
        left.push("forces of contact, which the first step finds anew".to_owned());
    }
    if contact.stiffness > 0.0 {
        left.push("the stiffness of contact, which is found anew".to_owned());
    }
    if !state.hydrodynamic_force.is_empty() {
        left.push("the force of the fluid, which the first step finds anew".to_owned());
    }
    if !state.strains.dashpot.edges.is_empty() {
        left.push("the strains of dashpots in rods that relax: at first all of the stiffness carries again".to_owned());
    }
    if !state.engine.is_empty() {
        left.push("what the rigid-body engine remembers".to_owned());
    }
    left.push("works and heat, which count from here".to_owned());
    left
}

fn unreadable(error: RunDirError) -> Failure {
    let message = error.to_string();
    let what = Failure::from(error);
    let what = what
        .remedy()
        .map_or(String::new(), |what| format!("{what}; "));
    Failure::bad_input(message).help(format!(
        "{what}name the directory of a run: --from runs/first"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_and_a_moment() {
        let origin = Origin::parse("runs/a@20 ms").unwrap();
        assert_eq!(origin.time, Some(0.02));
        assert_eq!(origin.directory, Path::new("runs/a"));
        assert_eq!(Origin::parse("runs/a").unwrap().time, None);
        let error = Origin::parse("runs/a@2 kg").unwrap_err();
        let told = "--from `runs/a@2 kg` names no moment of a run: behind the @, `2 kg` is a mass (kg), where a time (s) is wanted";
        assert_eq!(error.message(), told);
        assert!(error.remedy().unwrap().contains("--from runs/first@2.5"));
        let error = Origin::parse("runs/a@").unwrap_err();
        assert!(error.message().ends_with("it is empty"), "{error}");
        let origin = Origin::parse("runs/a @ 5 ms").unwrap();
        assert_eq!(origin.directory, Path::new("runs/a"));
    }
}
