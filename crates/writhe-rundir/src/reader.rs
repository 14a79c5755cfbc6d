//! The run directory as its readers see it, while the run goes on or after it.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use writhe::state::arrays::Arrays;

use crate::bytes::floats;
use crate::checkpoint;
use crate::contacts::{self, Contact};
use crate::directory::{RunDirectory, SCENE_FILE, read_scene};
use crate::error::{Result, RunDirError};
use crate::inside;
use crate::layout::{Column, RunLayout};
use crate::observables::{self, Observable};
use crate::outcome;
use crate::schema;
use crate::state_arrays;
use crate::summary::{self, RunSummary};
use crate::trajectory::TRAJECTORY;
use crate::zarr::{GroupMetadata, METADATA_FILE};

/// A run open for reading.
///
/// It shows the frames that were whole when it was opened; open it again to see those that a run in
/// progress has added since.
#[derive(Debug)]
pub struct RunReader {
    path: PathBuf,
    root: PathBuf,
    group: GroupMetadata,
    layout: RunLayout,
    frames: usize,
    observables: Vec<Observable>,
    scene_toml: String,
    summary: Option<RunSummary>,
}

/// A frame as read back.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredFrame {
    /// Simulated time, s.
    pub time: f64,
    /// Node positions of all rods, m, shape (nodes, 3).
    pub positions: Vec<[f64; 3]>,
    /// Material director m1 of each edge, shape (edges, 3).
    pub directors: Vec<[f64; 3]>,
    /// The extra arrays by name, flat, last axis fastest.
    pub extra: BTreeMap<String, Vec<f64>>,
}

impl RunReader {
    /// Opens the run in this directory.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let scene_toml = read_scene(path).map_err(|error| match error {
            // The name of a file, such as a scene's.
            RunDirError::NotADirectory { .. } if path.is_file() => RunDirError::NotARun {
                path: path.to_path_buf(),
                missing: SCENE_FILE.to_owned(),
            },
            error => error,
        })?;
        let root = path.join(TRAJECTORY);
        if !root.join(METADATA_FILE).exists() {
            return Err(RunDirError::NotARun {
                path: path.to_path_buf(),
                missing: TRAJECTORY.to_owned(),
            });
        }
        inside::check(path, &root)?;
        inside::check(&root, &root.join(METADATA_FILE))?;
        let group = GroupMetadata::read(&root)?;
        let ended = summary::read(path)?;
        let mut observables = observables::read(path)?;
        let columns = observables
            .iter()
            .skip(1)
            .map(|column| Column::new(&column.name, &column.unit))
            .collect();
        let layout = schema::read_layout(&root, &group, columns, contacts::are_recorded(path))?;

        // A run in progress adds frames first, then rows.
        let rows = observables
            .iter()
            .map(|column| column.values.len())
            .min()
            .unwrap_or(0);
        let written = schema::array(&root, &group, schema::TIME)?.frames();
        let summary = summary::read(path)?;
        // A run that another process goes on with at this moment has no end any more.
        if rows != written
            && is_over(summary.as_ref())
            && summary == ended
            && !RunDirectory::is_busy(path)
        {
            return Err(observables::lacks_rows(path, rows, written));
        }
        let frames = written.min(rows);
        observables
            .iter_mut()
            .for_each(|column| column.values.truncate(frames));
        Ok(Self {
            path: path.to_path_buf(),
            root,
            group,
            layout,
            frames,
            observables,
            scene_toml,
            summary,
        })
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Rods, radii, columns and extra arrays of the run.
    pub fn layout(&self) -> &RunLayout {
        &self.layout
    }

    /// Number of whole frames.
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// The scene with every default, TOML.
    pub fn scene_toml(&self) -> &str {
        &self.scene_toml
    }

    /// How the run ended; `None` while it goes on, or after a kill.
    pub fn summary(&self) -> Option<&RunSummary> {
        self.summary.as_ref()
    }

    /// The state that the newest intact checkpoint holds. Changes nothing, unlike
    /// [`RunDirectory::resume`](crate::RunDirectory::resume).
    pub fn checkpoint<S: DeserializeOwned>(&self) -> Result<S> {
        checkpoint::find(&self.path)?.decode_state()
    }

    /// All that the newest intact checkpoint holds, as named arrays; of any schema that has names,
    /// later ones too.
    pub fn checkpoint_arrays(&self) -> Result<Arrays> {
        checkpoint::newest_intact(&self.path).map(|(_, arrays)| arrays)
    }

    /// The columns of observables, the time `t` first, each of shape (frames).
    pub fn observables(&self) -> &[Observable] {
        &self.observables
    }

    /// The column of this name.
    pub fn observable(&self, name: &str) -> Option<&Observable> {
        self.observables.iter().find(|column| column.name == name)
    }

    /// Time of each frame, s, shape (frames).
    pub fn times(&self) -> Result<Vec<f64>> {
        let per_chunk = schema::array(&self.root, &self.group, schema::TIME)?.frames_per_chunk();
        let mut times = Vec::with_capacity(self.frames);
        while times.len() < self.frames {
            let count = per_chunk.min(self.frames - times.len());
            times.extend(self.read_values(schema::TIME, times.len(), count)?);
        }
        Ok(times)
    }

    /// Node positions of frame `index`, m, shape (nodes, 3).
    pub fn positions(&self, index: usize) -> Result<Vec<[f64; 3]>> {
        self.vectors(schema::POSITIONS, index)
    }

    /// Material directors m1 of frame `index`, shape (edges, 3).
    pub fn directors(&self, index: usize) -> Result<Vec<[f64; 3]>> {
        self.vectors(schema::DIRECTORS, index)
    }

    /// Velocity of each node in frame `index`, m/s, shape (nodes, 3); `None` in a directory of a
    /// version that did not record it.
    pub fn velocities(&self, index: usize) -> Result<Option<Vec<[f64; 3]>>> {
        self.recorded_vectors(state_arrays::VELOCITIES, index)
    }

    /// Force of the fluid on each node in frame `index`, N, shape (nodes, 3), with lagged drag that
    /// of the last step; `None` without a fluid whose flow couples all nodes, or in a directory of
    /// a version that did not record it.
    pub fn hydrodynamic_forces(&self, index: usize) -> Result<Option<Vec<[f64; 3]>>> {
        self.recorded_vectors(state_arrays::HYDRODYNAMIC_FORCES, index)
    }

    /// Centre of mass, m, and orientation (quaternion x, y, z, w) of each rigid body in frame
    /// `index`. A directory of a version that did not record them as arrays has them in the columns
    /// of its observables.
    pub fn bodies(&self, index: usize) -> Result<Vec<([f64; 3], [f64; 4])>> {
        let Some(positions) = self.recorded_vectors(state_arrays::BODY_POSITIONS, index)? else {
            return Ok(self.bodies_in_columns(index));
        };
        let turns = self.array(state_arrays::BODY_ORIENTATIONS, index)?;
        let turns = turns.as_chunks().0.iter().copied();
        Ok(positions.into_iter().zip(turns).collect())
    }

    /// Whether each joint has let go in frame `index`, shape (joints); empty where none can, or
    /// where a version did not record it.
    pub fn broken_joints(&self, index: usize) -> Result<Vec<bool>> {
        if !self.has(state_arrays::JOINT_BROKEN) {
            return Ok(Vec::new());
        }
        let broken = self.array(state_arrays::JOINT_BROKEN, index)?;
        Ok(broken.iter().map(|x| *x != 0.0).collect())
    }

    fn bodies_in_columns(&self, index: usize) -> Vec<([f64; 3], [f64; 4])> {
        let value = |name: String| self.observable(&name)?.values.get(index).copied();
        let body = |body: usize| {
            let [x, y, z] = ["x", "y", "z"].map(|axis| value(format!("body{body}_{axis}")));
            let turn = ["x", "y", "z", "w"];
            let [a, b, c, d] = turn.map(|part| value(format!("body{body}_quaternion_{part}")));
            Some(([x?, y?, z?], [a?, b?, c?, d?]))
        };
        (0..).map_while(body).collect()
    }

    /// An array of frame `index` by name, flat, last axis fastest.
    pub fn array(&self, name: &str, index: usize) -> Result<Vec<f64>> {
        if index >= self.frames {
            return Err(RunDirError::NoSuchFrame {
                index,
                frames: self.frames,
            });
        }
        self.read_values(name, index, 1)
    }

    /// Where rods touch in each frame, `(frames)`; `None` if the run records no contact.
    pub fn contacts(&self) -> Result<Option<Vec<Vec<Contact>>>> {
        contacts::read(&self.path, self.frames)
    }

    /// All of frame `index`.
    pub fn frame(&self, index: usize) -> Result<StoredFrame> {
        let extra = self
            .layout
            .extra
            .iter()
            .map(|extra| Ok((extra.name.clone(), self.array(&extra.name, index)?)));
        Ok(StoredFrame {
            time: self
                .array(schema::TIME, index)?
                .first()
                .copied()
                .unwrap_or(f64::NAN),
            positions: self.positions(index)?,
            directors: self.directors(index)?,
            extra: extra.collect::<Result<_>>()?,
        })
    }

    /// Vectors of frame `index`, if the run has this array.
    fn recorded_vectors(&self, name: &str, index: usize) -> Result<Option<Vec<[f64; 3]>>> {
        self.has(name)
            .then(|| self.vectors(name, index))
            .transpose()
    }

    fn has(&self, name: &str) -> bool {
        self.layout.extra.iter().any(|array| array.name == name)
    }

    fn vectors(&self, name: &str, index: usize) -> Result<Vec<[f64; 3]>> {
        Ok(self.array(name, index)?.as_chunks().0.to_vec())
    }

    /// The values of `count` frames from `first` on, all in one chunk.
    fn read_values(&self, name: &str, first: usize, count: usize) -> Result<Vec<f64>> {
        let unknown = || RunDirError::NoSuchArray {
            name: name.to_owned(),
            known: self
                .group
                .per_frame()
                .map(|(name, _)| name.clone())
                .collect(),
        };
        let array = self
            .group
            .arrays()
            .get(name)
            .filter(|array| array.is_per_frame())
            .ok_or_else(unknown)?;
        let frame_bytes = size_of::<f64>() * array.values_per_frame();
        if frame_bytes == 0 {
            return Ok(Vec::new());
        }
        let path = array.chunk_file(&self.root.join(name), first / array.frames_per_chunk());
        inside::check(&self.root, &path)?;
        let offset = (first % array.frames_per_chunk()) * frame_bytes;
        let bytes = read_range(&path, offset as u64, count * frame_bytes)?;
        Ok(floats(&bytes).collect())
    }
}

/// Whether a run has all of its frames; one that failed may have lost some to a full disk.
fn is_over(summary: Option<&RunSummary>) -> bool {
    summary
        .is_some_and(|summary| [outcome::FINISHED, outcome::STOPPED].contains(&&*summary.outcome))
}

fn read_range(path: &Path, offset: u64, length: usize) -> Result<Vec<u8>> {
    let read = || {
        let mut bytes = vec![0; length];
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(offset))?;
        file.read_exact(&mut bytes)?;
        Ok(bytes)
    };
    read().map_err(|error: std::io::Error| match error.kind() {
        std::io::ErrorKind::UnexpectedEof => {
            let size = fs::metadata(path).map_or(0, |metadata| metadata.len());
            RunDirError::damaged(path, format!("it ends after {size} bytes"))
        }
        _ => RunDirError::io("reading", path, error),
    })
}
