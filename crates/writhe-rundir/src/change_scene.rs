//! A run that goes on by another scene than it began with.

use std::path::Path;

use serde::de::DeserializeOwned;

use crate::atomic;
use crate::checkpoint;
use crate::crc::crc64;
use crate::directory::{RunDirectory, SCENE_FILE, read_scene};
use crate::error::{Result, RunDirError};
use crate::lock::WriterLock;
use crate::summary::SUMMARY_FILE;

impl RunDirectory {
    /// What the checkpoints hold that are intact, the newest first: one or two.
    ///
    /// # Errors
    /// When there is none, or one is of another version.
    pub fn checkpoints<S: DeserializeOwned>(path: impl AsRef<Path>) -> Result<Vec<S>> {
        let found = checkpoint::find_all(path.as_ref())?;
        found.iter().map(checkpoint::Found::decode_state).collect()
    }

    /// Lets the run go on by another scene, from the checkpoint of this index in
    /// [`checkpoints`](Self::checkpoints): whoever [resumes](Self::resume) it has that scene, and a
    /// run that had ended has not. That the new scene fits what was recorded is the caller's to
    /// know.
    ///
    /// A kill in the middle leaves a run of the old scene, or one to which
    /// [`restore_scene`](Self::restore_scene) gives the new one.
    ///
    /// # Errors
    /// When the directory holds no such checkpoint, is in use, or cannot be written.
    pub fn change_scene(path: impl AsRef<Path>, scene_toml: &str, from: usize) -> Result<()> {
        let path = path.as_ref();
        let before = read_scene(path)?;
        let _lock = WriterLock::acquire(path)?;
        let found = checkpoint::find_all(path)?.into_iter().nth(from);
        let mut found = found.ok_or_else(|| RunDirError::NoCheckpoint {
            path: path.to_path_buf(),
        })?;
        if found.files.scene != crc64(before.as_bytes()) {
            return Err(RunDirError::SceneChanged {
                path: path.join(SCENE_FILE),
            });
        }
        // Before anything else: what it tells is of the old scene.
        atomic::remove_file(&path.join(SUMMARY_FILE))?;
        found.files.scene = crc64(scene_toml.as_bytes());
        checkpoint::write_found(path, found)?;
        atomic::write(&path.join(SCENE_FILE), scene_toml.as_bytes())
    }
}
