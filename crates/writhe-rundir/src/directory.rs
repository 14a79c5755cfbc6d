//! The run directory as its writer sees it.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use writhe::model::Model;
use writhe::state::State;

use crate::atomic;
use crate::checkpoint::{self, Files};
use crate::contacts::{self, CONTACTS_FILE, Contact};
use crate::crc::crc64;
use crate::error::{Result, RunDirError};
use crate::growing::GrowingFile;
use crate::inside;
use crate::layout::RunLayout;
use crate::lock::{LOCK_FILE, WriterLock};
use crate::observables::{self, OBSERVABLES_FILE};
use crate::schema::{self, BUILT_IN};
use crate::summary::{self, RunSummary, SUMMARY_FILE};
use crate::trajectory::{TRAJECTORY, Trajectory};
use crate::zarr::GroupMetadata;

/// Name of the scene in the run directory.
pub(crate) const SCENE_FILE: &str = "scene.toml";
pub(crate) const LOG_FILE: &str = "log.txt";
/// Where a run began that did not begin where its scene says.
pub(crate) const START_FILE: &str = "start.bin";

/// What of a program led a run, which then cannot be gone on with; runs of a scene alone have none.
pub const FUNCTIONS_FILE: &str = "functions.json";

/// Names of all that a run writes into its directory.
pub const RUN_FILES: [&str; 11] = [
    SCENE_FILE,
    TRAJECTORY,
    OBSERVABLES_FILE,
    CONTACTS_FILE,
    "checkpoint.bin",
    "checkpoint.previous.bin",
    START_FILE,
    SUMMARY_FILE,
    LOG_FILE,
    LOCK_FILE,
    FUNCTIONS_FILE,
];

/// What a run records at one output time.
#[derive(Debug, Clone, Copy)]
pub struct Frame<'a> {
    /// Simulated time, s.
    pub time: f64,
    /// Node positions of all rods, m, shape (nodes, 3).
    pub positions: &'a [[f64; 3]],
    /// Material director m1 of each edge, a unit vector, shape (edges, 3).
    pub directors: &'a [[f64; 3]],
    /// The extra arrays in the order of [`RunLayout::extra`], flat, last axis fastest.
    pub extra: &'a [&'a [f64]],
    /// Where rods touch; left out by a run that records no contact.
    pub contacts: &'a [Contact],
}

/// A run directory open for writing, by one process at a time.
///
/// Appended frames wait in memory until their chunk is full or the next
/// [`checkpoint`](Self::checkpoint). After a failed operation (a full disk, say) nothing that a
/// checkpoint covers is lost, and the same call may be repeated.
#[derive(Debug)]
pub struct RunDirectory {
    path: PathBuf,
    layout: RunLayout,
    /// CRC-64 of the scene.
    scene: u64,
    trajectory: Trajectory,
    observables: GrowingFile,
    contacts: Option<GrowingFile>,
    _lock: WriterLock,
}

impl RunDirectory {
    /// Creates the directory of a new run; it must not exist, or be empty.
    pub fn create(path: impl AsRef<Path>, layout: &RunLayout, scene_toml: &str) -> Result<Self> {
        let path = path.as_ref();
        layout.check(&BUILT_IN)?;
        create_empty(path)?;
        let lock = WriterLock::acquire(path)?;
        atomic::write(&path.join(SCENE_FILE), scene_toml.as_bytes())?;
        Ok(Self {
            path: path.to_path_buf(),
            layout: layout.clone(),
            scene: crc64(scene_toml.as_bytes()),
            contacts: match layout.contacts {
                true => Some(contacts::create(path)?),
                false => None,
            },
            observables: observables::create(path, &layout.observables)?,
            trajectory: Trajectory::create(path, layout)?,
            _lock: lock,
        })
    }

    /// Opens a run that was interrupted, cuts all files off at its last intact checkpoint, and
    /// returns the state saved there. A run that had ended is open again: its summary is removed.
    pub fn resume<S: DeserializeOwned>(path: impl AsRef<Path>) -> Result<(Self, S)> {
        let path = path.as_ref();
        let scene = read_scene(path)?;
        let lock = WriterLock::acquire(path)?;
        let found = checkpoint::find(path)?;
        let (mut run, state) = Self::at_checkpoint(path, &scene, lock, &found)?;

        // All is there: from here on the files change.
        checkpoint::promote(path, &found)?;
        run.trajectory.restore(&found.files.trajectory)?;
        let contacts = run.contacts.as_ref();
        contacts.map_or(Ok(()), GrowingFile::truncate)?;
        run.observables.truncate()?;
        atomic::remove_file(&path.join(SUMMARY_FILE))?;
        atomic::remove_leftover(&path.join(SUMMARY_FILE))?;
        Ok((run, state))
    }

    /// Fails unless `state`, which the checkpoint held, has the sizes that `model` gives it.
    ///
    /// # Errors
    /// When it is that of another model.
    pub fn check_fit(&self, state: &State, model: &Model) -> Result<()> {
        let fit = state.check_fit(model);
        fit.map_err(|misfit| checkpoint::incompatible(&self.path, &misfit))
    }

    /// Whether a run that has ended is all there, as far as its last checkpoint knows: there is
    /// nothing that [`resume`](Self::resume) would write again or miss. A run without a checkpoint
    /// that can be read is taken for whole.
    pub fn is_intact<S: DeserializeOwned>(path: impl AsRef<Path>) -> bool {
        let path = path.as_ref();
        let look = || {
            let (scene, found) = (read_scene(path)?, checkpoint::find(path)?);
            let lock = WriterLock::acquire(path)?;
            let (run, _) = Self::at_checkpoint::<S>(path, &scene, lock, &found)?;
            run.trajectory.is_intact(&found.files.trajectory)
        };
        use RunDirError::{CheckpointDamaged, CheckpointIncompatible, NoCheckpoint};
        match look() {
            Ok(intact) => intact,
            Err(error) => matches!(
                error,
                NoCheckpoint { .. } | CheckpointDamaged { .. } | CheckpointIncompatible { .. }
            ),
        }
    }

    /// Writes `scene.toml` again where it is missing or changed and the checkpoint was saved by a
    /// run of this scene.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn restore_scene(path: impl AsRef<Path>, scene_toml: &str) -> Result<()> {
        let (path, scene) = (path.as_ref(), scene_toml.as_bytes());
        let file = path.join(SCENE_FILE);
        let of_this = |found: checkpoint::Found| found.files.scene == crc64(scene);
        if checkpoint::find(path).is_ok_and(of_this)
            && !fs::read(&file).is_ok_and(|found| found == scene)
        {
            atomic::write(&file, scene)?;
        }
        Ok(())
    }

    /// The run as its checkpoint found it, and the state. Changes nothing.
    fn at_checkpoint<S: DeserializeOwned>(
        path: &Path,
        scene: &str,
        lock: WriterLock,
        found: &checkpoint::Found,
    ) -> Result<(Self, S)> {
        let scene = crc64(scene.as_bytes());
        let saved = &found.files;
        if saved.scene != scene {
            return Err(RunDirError::SceneChanged {
                path: path.join(SCENE_FILE),
            });
        }
        let state = found.decode_state()?;
        let observables = observables::open(path, saved.observables)?;
        let contacts = saved.contacts.map(|rows| contacts::open(path, rows));
        let contacts = contacts.transpose()?;

        // Whatever the documents on disk say: the checkpoint holds them.
        let root = path.join(TRAJECTORY);
        let record = &saved.trajectory;
        let group = GroupMetadata::from_json(&root, &record.group)?;
        let constant = |name: &str| {
            let bytes = record.constant(name).map(<[u8]>::to_vec);
            bytes.ok_or_else(|| RunDirError::damaged(&found.path, format!("it lacks `{name}`")))
        };
        let columns = observables::read_columns(path)?;
        let layout = schema::layout_of(&root, &group, constant, columns, contacts.is_some())?;
        let run = Self {
            path: path.to_path_buf(),
            scene,
            trajectory: Trajectory::open(&root, group, &layout, record)?,
            layout,
            observables,
            contacts,
            _lock: lock,
        };
        Ok((run, state))
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the run records.
    pub fn layout(&self) -> &RunLayout {
        &self.layout
    }

    /// Frames appended since the run began, those of earlier processes included.
    pub fn frames(&self) -> usize {
        self.trajectory.frames()
    }

    /// Adds a frame and its row of observables, in the order of [`RunLayout::observables`]. On an
    /// error the frame is not added.
    pub fn append(&mut self, frame: &Frame<'_>, observables: &[f64]) -> Result<()> {
        self.check_lengths(frame, observables)?;
        if self.trajectory.is_full() {
            self.flush()?;
        }
        if let Some(file) = &mut self.contacts {
            contacts::push(file, self.trajectory.frames(), frame.time, frame.contacts);
        }
        let extra = self.layout.extra.iter().zip(frame.extra);
        self.trajectory.push(|name| match name {
            schema::TIME => std::slice::from_ref(&frame.time),
            schema::POSITIONS => frame.positions.as_flattened(),
            schema::DIRECTORS => frame.directors.as_flattened(),
            _ => extra
                .clone()
                .find(|(array, _)| array.name == name)
                .map_or(&[], |(_, values)| values),
        });
        observables::push(&mut self.observables, frame.time, observables);
        Ok(())
    }

    /// Puts all frames and rows on disk, then `state` as named arrays, from which
    /// [`resume`](Self::resume) will go on. The last two checkpoints are kept.
    pub fn checkpoint<S: Serialize>(&mut self, state: &S) -> Result<()> {
        let state = checkpoint::arrays_of(&self.path, state)?;
        self.flush()?;
        let files = Files {
            scene: self.scene,
            trajectory: self.trajectory.record(&self.layout)?,
            observables: self.observables.written(),
            contacts: self.contacts.as_ref().map(GrowingFile::written),
        };
        checkpoint::write(&self.path, &files, state)
    }

    /// Puts all frames and rows on disk and writes the summary: the end of the run.
    pub fn finish(&mut self, summary: &RunSummary) -> Result<()> {
        // The summary says what happened even where the last frames could not be written.
        let flushed = self.flush();
        summary::write(&self.path, summary).and(flushed)
    }

    /// Writes down what led the run, beside its scene: a text in JSON.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn led_by(&self, functions: &str) -> Result<()> {
        atomic::write(&self.path.join(FUNCTIONS_FILE), functions.as_bytes())
    }

    /// Appends a line to `log.txt`, which is never cut off.
    pub fn log(&self, line: &str) -> Result<()> {
        let path = self.path.join(LOG_FILE);
        let file = OpenOptions::new().create(true).append(true).open(&path);
        file.and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()))
            .map_err(|error| RunDirError::io("appending to", &path, error))
    }

    fn flush(&mut self) -> Result<()> {
        self.trajectory.flush()?;
        // Readers count a frame when its row of observables is there: all else comes before.
        self.contacts.as_mut().map_or(Ok(()), GrowingFile::flush)?;
        self.observables.flush()
    }

    fn check_lengths(&self, frame: &Frame<'_>, observables: &[f64]) -> Result<()> {
        let layout = &self.layout;
        for (array, expected, found) in [
            (schema::POSITIONS, layout.nodes(), frame.positions.len()),
            (schema::DIRECTORS, layout.edges(), frame.directors.len()),
            ("observables", layout.observables.len(), observables.len()),
            ("extra", layout.extra.len(), frame.extra.len()),
        ] {
            check_length(array, expected, found)?;
        }
        for (array, values) in layout.extra.iter().zip(frame.extra) {
            check_length(&array.name, layout.extra_length(array), values.len())?;
        }
        Ok(())
    }
}

fn check_length(array: &str, expected: usize, found: usize) -> Result<()> {
    if expected == found {
        return Ok(());
    }
    Err(RunDirError::WrongLength {
        array: array.to_owned(),
        expected,
        found,
    })
}

/// Creates the directory, or accepts an empty one.
fn create_empty(path: &Path) -> Result<()> {
    if path.exists() && !path.is_dir() {
        return Err(RunDirError::NotADirectory {
            path: path.to_path_buf(),
        });
    }
    atomic::create_directories(path)?;
    let mut entries =
        fs::read_dir(path).map_err(|error| RunDirError::io("reading", path, error))?;
    if entries.next().is_some() {
        return Err(RunDirError::AlreadyExists {
            path: path.to_path_buf(),
        });
    }
    Ok(())
}

/// The scene of a run directory; a directory without one is no run.
pub(crate) fn read_scene(directory: &Path) -> Result<String> {
    let path = directory.join(SCENE_FILE);
    inside::check(directory, &path)?;
    match fs::read_to_string(&path) {
        Ok(scene) => Ok(scene),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(RunDirError::NotARun {
            path: directory.to_path_buf(),
            missing: SCENE_FILE.to_owned(),
        }),
        Err(error) => Err(RunDirError::io("reading", &path, error)),
    }
}
