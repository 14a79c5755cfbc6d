//! What the folder of a sweep is of: `sweep.json`, so that no other sweep mixes with it.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use writhe_session::differences::differences;
use writhe_session::failure::{Failure, Result};

use crate::parameter::Parameter;

/// Name of the file.
pub const RECORD: &str = "sweep.json";

/// What a folder is the sweep of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Keys and values.
    pub parameters: Vec<Parameter>,
    /// The scene of the first point, with every default.
    pub scene: String,
}

impl Record {
    /// That of a folder; `None` if it is no sweep's.
    ///
    /// # Errors
    /// A file that cannot be read, or holds something else.
    pub fn read(folder: &Path) -> Result<Option<Self>> {
        let file = folder.join(RECORD);
        let text = match fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if is_absent(error.kind()) => return Ok(None),
            Err(error) => return Err(unusable(&file, &error.to_string())),
        };
        let read = serde_json::from_str(&text);
        read.map(Some)
            .map_err(|error| unusable(&file, &error.to_string()))
    }

    /// Makes the folder that of this sweep, unless it is so already.
    ///
    /// # Errors
    /// A folder of another sweep, or of anything else; one that cannot be made.
    pub fn keep(&self, folder: &Path) -> Result<()> {
        match Self::read(folder)? {
            Some(before) if before == *self => return Ok(()),
            Some(before) => return Err(self.other(&before, folder)),
            None => {}
        }
        let is_empty = !folder.exists()
            || fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none());
        if !is_empty {
            return Err(Failure::bad_input(format!(
                "`{}` is not empty and holds no sweep",
                folder.display()
            ))
            .help("choose another folder with `--out DIR`"));
        }
        let text = serde_json::to_string_pretty(self).unwrap_or_default() + "\n";
        fs::create_dir_all(folder)
            .map_err(|error| unusable(folder, &error.to_string()))
            .and_then(|()| replace(&folder.join(RECORD), &text))
    }

    /// In what another sweep differs that is in the folder already.
    fn other(&self, before: &Self, folder: &Path) -> Failure {
        let mut message = format!("`{}` holds another sweep", folder.display());
        let shown = |parameters: &[Parameter]| -> String {
            let each = parameters.iter();
            let each = each.map(|p| format!("{}={}", p.key, p.values.join(",")));
            each.collect::<Vec<_>>().join(" ")
        };
        if before.parameters != self.parameters {
            message += &format!(
                "\n  over {} there, over {} now",
                shown(&before.parameters),
                shown(&self.parameters)
            );
        } else {
            for line in differences(&before.scene, &self.scene) {
                message += &format!("\n  {}", line.replace(" in the run, ", " there, "));
            }
        }
        Failure::bad_input(message)
            .help("choose another folder with `--out DIR`, or sweep as before")
    }
}

/// Writes a file whole: a kill leaves the one before, or this.
///
/// # Errors
/// When it cannot be written.
pub fn replace(file: &Path, text: &str) -> Result<()> {
    let mut temporary = PathBuf::from(file).into_os_string();
    temporary.push(".tmp");
    fs::write(&temporary, text)
        .and_then(|()| fs::rename(&temporary, file))
        .map_err(|error| {
            Failure::failed(format!("writing `{}` failed: {error}", file.display()))
                .help("free some space, or check the permissions; the runs themselves are safe")
        })
}

/// Whether there is no such file: also where its folder is a file.
fn is_absent(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::NotFound | ErrorKind::NotADirectory)
}

fn unusable(file: &Path, why: &str) -> Failure {
    Failure::bad_input(format!(
        "`{}` cannot be used for a sweep: {why}",
        file.display()
    ))
    .help("choose another folder with `--out DIR`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_of_one_sweep() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("sweep");
        let of = |values: &str, scene: &str| Record {
            parameters: vec![Parameter::parse(values).unwrap()],
            scene: scene.to_owned(),
        };
        let record = of("k=1,2", "x = 1");
        record.keep(&folder).unwrap();
        record.keep(&folder).unwrap();
        let error = of("k=1,3", "x = 1").keep(&folder).unwrap_err();
        assert!(
            error.message().contains("over k=1,2 there, over k=1,3 now"),
            "{error}"
        );
        let error = of("k=1,2", "x = 2").keep(&folder).unwrap_err();
        assert!(error.message().contains("x: 1 there, 2 now"), "{error}");
        assert!(error.remedy().unwrap().contains("--out DIR"));
        let error = record.keep(place.path()).unwrap_err();
        assert!(
            error.message().ends_with("is not empty and holds no sweep"),
            "{error}"
        );
    }
}
