//! The scene that is run: read from a file or a text, changed by assignments, converted once.

use std::path::Path;

use glam::DVec3;
use writhe::certificate::Certify;
use writhe::model::{self, Model};
use writhe::simulation::{SettleReport, Simulation, SimulationError};
use writhe::solve::Poll;
use writhe::state::State;
use writhe::stop::Stop;
use writhe_rundir::Outputs;
use writhe_scenes::spec::{BodySpec, FluidKind, RodSpec};
use writhe_scenes::{
    FREE, Files, Level, Remark, Scene, SceneError, SceneSpec, Setup, names, template as template_of,
};

use crate::failure::{Failure, Place, Result};
use crate::files::{read_regular, read_text};
use crate::findings::Surroundings;
use crate::names::Names;
use crate::shell;

/// A scene that is ready to run.
#[derive(Debug)]
pub struct RunnableScene {
    scene: Scene,
    /// Text of the file, for excerpts.
    text: String,
    /// With every default.
    resolved: String,
    name: String,
}

/// The commented scene of this name.
///
/// # Errors
/// When there is none.
pub fn template(name: &str) -> Result<String> {
    template_of(name).map(str::to_owned).ok_or_else(|| {
        let known: Vec<String> = all_names().map(|name| format!("`{name}`")).collect();
        let guess = nearest(name).map_or(String::new(), |name| format!("did you mean `{name}`? "));
        Failure::bad_input(format!("there is no scene `{name}`")).help(format!(
            "{guess}the scenes are {}; more stand in examples/problems of the sources",
            known.join(", ")
        ))
    })
}

/// The scenes with their first line.
pub fn list() -> String {
    let mut text = "Scenes to start from:\n".to_owned();
    for (name, about) in abouts() {
        let mut first = name;
        for line in lines(&about, 58) {
            text += &format!("  {first:<18} {line}\n");
            first = "";
        }
    }
    text
}

/// What to do with the list.
pub const AFTER_LIST: &str = "Print one with `writhe new NAME > my.toml`. Problems of many kinds,\n\
    each of at most 25 lines, stand in examples/problems of the sources.\n";

/// The scenes and what each is of, a sentence.
pub fn abouts() -> impl Iterator<Item = (&'static str, String)> {
    all_names().map(|name| (name, first_sentence(template_of(name).unwrap_or_default())))
}

/// The first sentence of the comment at the head of a scene, without its full stop.
fn first_sentence(template: &str) -> String {
    let comment = template.lines().take_while(|line| line.starts_with('#'));
    let comment: Vec<&str> = comment
        .map(|line| line.trim_start_matches('#').trim())
        .collect();
    let comment = comment.join(" ");
    // A stop before a digit is one of `et al. 2008` or `Fig. 7`.
    let ends = comment.match_indices(". ").map(|(at, _)| at);
    let end = ends
        .into_iter()
        .find(|at| comment[at + 2..].starts_with(char::is_uppercase));
    comment[..end.unwrap_or(comment.len())]
        .trim_end_matches('.')
        .to_owned()
}

/// The words of a text in lines of at most `width` characters.
fn lines(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

fn all_names() -> impl Iterator<Item = &'static str> {
    names().iter().copied().chain(FREE.iter().copied())
}

/// The known name that is spelt most like `found`, if any is near.
fn nearest(found: &str) -> Option<&'static str> {
    let found = found.to_lowercase();
    let distance = |name: &&str| strsim::damerau_levenshtein(&found, name);
    all_names()
        .min_by_key(distance)
        .filter(|name| distance(name) <= 3)
}

impl RunnableScene {
    /// Reads the file and makes the changes, each as [`Scene::set`] takes it.
    ///
    /// # Errors
    /// What is wrong with the file or a change.
    pub fn read(file: &Path, changes: &[String]) -> Result<Self> {
        let text = read_text(file).map_err(|error| unreadable(file, &error))?;
        let base = file.parent().map(Path::to_path_buf).unwrap_or_default();
        Self::of_text(&text, file, &base, changes)
    }

    /// The scene of a text. Messages call it `file`; files that it names are relative to `base`.
    ///
    /// # Errors
    /// What is wrong with the text or a change.
    pub fn of_text(text: &str, file: &Path, base: &Path, changes: &[String]) -> Result<Self> {
        let files = Files::new(base, read_regular);
        let name = file.display().to_string();
        let in_file = |error: SceneError| failure(&error, text);
        let mut scene = Scene::parse_with(text, &name, files).map_err(in_file)?;
        scene.set_all(changes).map_err(in_file)?;
        Self::new(scene, text.to_owned(), file)
    }

    /// The scene that a run directory holds.
    ///
    /// # Errors
    /// When it is of another version, say.
    pub fn of_run(text: &str) -> Result<Self> {
        let file = Path::new("scene.toml");
        let scene = Scene::parse(text, "scene.toml").map_err(|error| failure(&error, text))?;
        Self::new(scene, text.to_owned(), file)
    }

    fn new(scene: Scene, text: String, file: &Path) -> Result<Self> {
        let resolved = scene.resolved().map_err(|error| failure(&error, &text))?;
        let name = name_in(&resolved).unwrap_or_else(|| {
            let stem = file.file_stem().unwrap_or_default();
            stem.to_string_lossy().into_owned()
        });
        Ok(Self {
            scene,
            text,
            resolved,
            name,
        })
    }

    /// The scene with these changes, each as [`Scene::set`] takes it.
    ///
    /// # Errors
    /// What is wrong with a change.
    pub fn changed<S: AsRef<str>>(&self, changes: &[S]) -> Result<Self> {
        let mut scene = self.scene.clone();
        let changed = scene.set_all(changes);
        changed.map_err(|mut error| {
            // Nobody wrote `--set`: a sweep, a branch or a program sets the value.
            error.file = error.file.replacen("--set ", "with ", 1);
            failure(&error, &self.text)
        })?;
        let made = Self::new(scene, self.text.clone(), Path::new(&self.name))?;
        // The name of a file lost its ending when the scene was read.
        let name = name_in(&made.resolved).unwrap_or_else(|| self.name.clone());
        Ok(Self { name, ..made })
    }

    /// Whether its file, or a change, holds this key.
    pub fn says(&self, key: &str) -> bool {
        self.scene.has(key)
    }

    /// Name of the scene; of the file where the scene has none.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The SI unit of the number at a key, `1` of a pure one; `None` where there is no number, or a whole
    /// one that takes no unit.
    pub fn unit_of(&self, key: &str) -> Option<String> {
        Some(self.scene.dimension_of(key)?.to_string())
    }

    /// The scene with every default, TOML.
    pub fn toml(&self) -> &str {
        &self.resolved
    }

    /// What will be simulated, in words and numbers, with warnings.
    ///
    /// # Errors
    /// What is wrong with the scene.
    pub fn describe(&self) -> Result<String> {
        // A run makes more checks than a description, such as for rods that overlap.
        self.ready()?;
        let report = self.scene.describe();
        Ok(report.map_err(|error| self.failure(&error))?.to_string())
    }

    /// What `check` remarks on, key by key.
    ///
    /// # Errors
    /// What is wrong with the scene.
    pub fn remarks(&self) -> Result<Vec<Remark>> {
        self.scene.remarks().map_err(|error| self.failure(&error))
    }

    /// What `check` warns of, a line each.
    ///
    /// # Errors
    /// What is wrong with the scene.
    pub fn warnings(&self) -> Result<Vec<String>> {
        let remarks = self.remarks()?;
        let warnings = remarks.iter().filter(|r| r.level == Level::Warning);
        Ok(warnings
            .map(|r| format!("warning: {}: {}", r.key, r.message))
            .collect())
    }

    /// What it says, with every default.
    pub fn spec(&self) -> &SceneSpec {
        &self.scene.spec
    }

    /// Size of a step, s.
    pub fn step(&self) -> f64 {
        self.scene.spec.time.step.si()
    }

    /// When frames are written.
    pub fn outputs(&self) -> Outputs {
        let spec = &self.scene.spec;
        let times = Outputs::new(spec.output.every.si(), 0.0, spec.time.duration.si());
        match spec.output.supports {
            Some(wanted) => times.with_supports(wanted),
            None => times,
        }
    }

    /// Outputs between two checkpoints, where the scene says; the clock has its own.
    pub fn checkpoint_every(&self) -> Option<u64> {
        let output = &self.scene.spec.output;
        let every = output.checkpoint_every?;
        Some((every.si() / output.every.si()).round().max(1.0) as u64)
    }

    /// Whether outputs carry certificates.
    pub fn certify(&self) -> Certify {
        self.scene.spec.output.certify.into()
    }

    /// What the summary needs to know to warn of what the run came to.
    pub fn surroundings(&self) -> Surroundings {
        let spec = &self.scene.spec;
        let rods = spec.all_rods().into_iter().enumerate();
        let called = |(i, (_, rod)): (usize, (String, RodSpec))| match rod.name {
            Some(name) => format!("rod {i} ({name})"),
            None => format!("rod {i}"),
        };
        let flows = spec.fluid.model != FluidKind::None;
        Surroundings {
            rods: rods.map(called).collect(),
            viscosity: spec.fluid.viscosity.filter(|_| flows).map(|mu| mu.si()),
        }
    }

    /// What ends the run before its time.
    pub fn stop(&self) -> Stop {
        self.scene.spec.stop.into()
    }

    /// What the user calls the parts of a model that this scene made.
    pub fn names(&self, model: &Model) -> Names {
        Names::new(&self.scene.spec, model.obstacles.iter().map(|o| o.on))
    }

    /// The rigid bodies, in the order of the model.
    pub fn bodies(&self) -> Vec<BodySpec> {
        let all = self.scene.spec.all_bodies();
        all.into_iter().map(|(_, body)| body).collect()
    }

    /// Gravity, m/s^2, if there is any.
    pub fn gravity(&self) -> Option<DVec3> {
        let gravity = &self.scene.spec.gravity;
        gravity
            .is_on()
            .then(|| DVec3::from_array(gravity.acceleration.map(|a| a.si())))
    }

    /// The simulation at its start.
    ///
    /// # Errors
    /// What is wrong with the scene.
    pub fn simulation(&self) -> Result<Simulation> {
        let setup = self.scene.build().map_err(|error| self.failure(&error))?;
        Ok(Simulation::new(setup.model, setup.state, setup.step))
    }

    /// The simulation where a run of it begins: settled, if the scene asks for it. It asks `poll`
    /// whether to go on.
    ///
    /// # Errors
    /// What is wrong with the scene, that no equilibrium was found, or that `poll` said stop.
    pub fn beginning(&self, poll: &Poll) -> Result<Simulation> {
        self.beginning_at(None, poll)
    }

    /// The same at another place than the scene says, if one is given.
    ///
    /// # Errors
    /// Those of [`beginning`](Self::beginning), and a place that is none for this scene.
    pub fn beginning_at(&self, place: Option<&model::Place>, poll: &Poll) -> Result<Simulation> {
        let setup = self.ready_at(place)?;
        let interrupted =
            || Failure::failed("interrupted before the first step; nothing was written");
        // A thousand rods take seconds to get ready.
        if poll.stopped() {
            return Err(interrupted());
        }
        let names = self.names(&setup.model);
        setup.begin_asking(poll).map_err(|error| match error {
            SimulationError::Interrupted { .. } => interrupted(),
            error => no_equilibrium(&names.tell(&error.to_string())),
        })
    }

    /// The simulation in static equilibrium, and how that was found. It asks `poll` whether to go
    /// on.
    ///
    /// # Errors
    /// What is wrong with the scene, that no equilibrium was found, or that `poll` said stop.
    pub fn settled(&self, poll: &Poll) -> Result<(Simulation, SettleReport)> {
        let setup = self.ready()?;
        let names = self.names(&setup.model);
        let mut simulation = Simulation::new(setup.model, setup.state, setup.step);
        simulation.ask(poll.clone());
        match simulation.settle() {
            Ok(report) => Ok((simulation, report)),
            Err(SimulationError::Interrupted { .. }) => Err(Failure::failed(
                "interrupted before an equilibrium was found; nothing was written",
            )),
            Err(error) => {
                let why = names.tell(&error.to_string());
                Err(
                    Failure::failed(format!("the rods found no equilibrium: {why}")).help(
                        "let the scene move to rest instead: `writhe run SCENE --set stop.at_rest=true`, with some damping and a long duration",
                    ),
                )
            }
        }
    }

    /// All that a run begins with, after every check that is made before an equilibrium is sought
    /// or a step is made: those of `check` and of `run` alike.
    fn ready(&self) -> Result<Setup> {
        self.ready_at(None)
    }

    /// Puts a simulation of this scene that is at its start to another place.
    ///
    /// # Errors
    /// A place that is none for this scene.
    pub fn place(&self, simulation: &mut Simulation, place: &model::Place) -> Result<()> {
        let Simulation { model, state, .. } = simulation;
        self.put(model, state, place)
    }

    fn put(&self, model: &mut Model, state: &mut State, place: &model::Place) -> Result<()> {
        let put = model.begin_at(place, state);
        put.map_err(|error| {
            let told = self.names(model).tell(&error.to_string());
            Failure::bad_input(format!(
                "the state of the other run is no beginning for this scene: {told}"
            ))
            .help("begin from another time of it, or change what is in its way")
        })
    }

    fn ready_at(&self, place: Option<&model::Place>) -> Result<Setup> {
        let mut setup = self.scene.build().map_err(|error| self.failure(&error))?;
        if let Some(place) = place {
            self.put(&mut setup.model, &mut setup.state, place)?;
        }
        setup.check().map_err(|error| {
            let told = self.names(&setup.model).tell(&error.to_string());
            match error {
                SimulationError::NoStatics => no_equilibrium(&told),
                SimulationError::Flows { .. } => {
                    Failure::bad_input(told).help("set time.settle = false")
                }
                _ => Failure::bad_input(told)
                    .help("set time.integrator = \"implicit\", or change what the message names"),
            }
        })?;
        Ok(setup)
    }

    fn failure(&self, error: &SceneError) -> Failure {
        let spec = &self.scene.spec;
        let names = Names::new(spec, spec.obstacles.iter().map(|_| None));
        failure_with(error, &self.text, &names)
    }
}

fn no_equilibrium(why: &str) -> Failure {
    Failure::failed(format!(
        "the rods found no equilibrium to start from: {why}"
    ))
    .help("start from where they are with `--set time.settle=false`")
}

fn unreadable(file: &Path, error: &std::io::Error) -> Failure {
    let shown = file.display();
    if file.join("scene.toml").is_file() {
        let typed = shell::path(file);
        return Failure::bad_input(format!("`{shown}` is a run and not a scene")).help(format!(
            "go on with it: `writhe run {typed}/scene.toml --out {typed} --resume`"
        ));
    }
    if file.is_dir() {
        return Failure::bad_input(format!("`{shown}` is a folder and not a scene"))
            .help(format!("name the file of a scene, such as {shown}/my.toml"));
    }
    let reason = match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
        std::io::ErrorKind::InvalidData => "it is not a text".to_owned(),
        _ => error.to_string(),
    };
    Failure::bad_input(format!("cannot read the scene `{shown}`: {reason}"))
        .help("start from `writhe new flagella > my.toml`; `writhe new` lists more")
}

/// Name of the named scene that a resolved scene is.
fn name_in(resolved: &str) -> Option<String> {
    let table: toml::Table = toml::from_str(resolved).ok()?;
    Some(table.get("scene")?.get("name")?.as_str()?.to_owned())
}

/// File, key, line and remedy of what is wrong with a scene.
fn failure(error: &SceneError, text: &str) -> Failure {
    failure_with(error, text, &Names::default())
}

/// The same with what the user calls things.
fn failure_with(error: &SceneError, text: &str, names: &Names) -> Failure {
    let key = match error.key.as_str() {
        "" => String::new(),
        key => format!("{key}: "),
    };
    let span = error.span.clone().and_then(|span| {
        // The whole file is no place.
        let inner = text.get(span.clone())?;
        let whole = inner.trim().len() == text.trim().len();
        let first_line = inner.lines().next().unwrap_or_default().len();
        let nowhere = span.is_empty() && span.start == 0;
        (!whole && !nowhere).then_some(span.start..span.start + first_line)
    });
    let message = names.tell(&error.message());
    let place = span.map(|span| Place {
        file: error.file.clone(),
        text: text.to_owned(),
        span,
    });
    // A scene that stands in no file has nothing to be called by.
    let file = match error.file.as_str() {
        "" => String::new(),
        file => format!("{file}: "),
    };
    Failure::bad_input(format!("{file}{key}{message}"))
        .help(error.remedy())
        .at_key(&error.key)
        .at_place(place)
}

#[cfg(test)]
mod tests {
    use super::{abouts, list};

    #[test]
    fn scenes_are_told_in_whole_sentences_of_80_columns() {
        for (name, about) in abouts() {
            assert!(about.len() > 10, "{name}: {about}");
            let open = about.matches('(').count();
            assert_eq!(open, about.matches(')').count(), "{name}: {about}");
            assert!(!about.ends_with([',', ':', '(', ';']), "{name}: {about}");
        }
        let list = list();
        let words = list.split_whitespace().collect::<Vec<_>>().join(" ");
        let whole = "into a helix whose amplitude is modulated (Bergou et al. 2008, Fig. 7)";
        assert!(words.contains(whole), "{list}");
        assert!(
            list.lines().all(|line| line.chars().count() <= 80),
            "{list}"
        );
    }
}
