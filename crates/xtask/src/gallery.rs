//! Makes the pictures that README and the book show: `cargo xtask gallery`.
//!
//! Each is a command on runs of scenes (`pictures.rs`). Runs go to a folder under `target` that is
//! removed afterwards. Results and pictures do not depend on threads or time, so making them again
//! gives the same bytes; `--check` says whether it does.

mod pictures;
mod screenshot;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::python;
use pictures::{PICTURES, Picture, RUNS, Run};

/// What the user asks for.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Names of pictures to make: their files' names without the ending; all if empty.
    only: Vec<String>,
    /// Compare with what is there instead of replacing it.
    check: bool,
    /// List them.
    list: bool,
}

impl Options {
    /// From the words after `gallery`.
    pub fn parse(words: &[&str]) -> Result<Self, String> {
        let mut options = Self::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match *word {
                "--check" => options.check = true,
                "--list" => options.list = true,
                "--only" => {
                    let name = words.next().ok_or("`--only` needs the name of a picture")?;
                    if !PICTURES.iter().any(|p| p.name() == *name) {
                        return Err(format!(
                            "there is no picture `{name}`: `cargo xtask gallery --list` lists them"
                        ));
                    }
                    options.only.push((*name).to_owned());
                }
                other => return Err(format!("`gallery` does not know `{other}`")),
            }
        }
        Ok(options)
    }

    fn wants(&self, picture: &Picture) -> bool {
        self.only.is_empty() || self.only.iter().any(|name| name == picture.name())
    }
}

/// Makes the pictures, or compares them with those there.
pub fn make(root: &Path, options: &Options) -> Result<(), String> {
    if options.list {
        for picture in PICTURES {
            println!("{:<22} {}", picture.name(), picture.command);
        }
        return Ok(());
    }
    let wanted: Vec<&Picture> = PICTURES.iter().filter(|p| options.wants(p)).collect();
    let mut studio = Studio::open(root)?;
    let mut different = Vec::new();
    for picture in wanted {
        let clock = Instant::now();
        let made = studio.make(picture)?;
        let seconds = clock.elapsed().as_secs_f64();
        let file = root.join(picture.file);
        let same = match (&made, fs::read(&file)) {
            (Some(made), Ok(there)) => *made == there,
            _ => false,
        };
        let what = match &made {
            None => "left as it is: no browser (CHROMIUM names one)",
            Some(_) if same => "as it was",
            // A browser draws other bytes from version to version.
            Some(_) if options.check && picture.is_screenshot() => "drawn anew, not compared",
            Some(_) if options.check => {
                different.push(picture.file);
                "differs"
            }
            Some(made) => {
                write(&file, made)?;
                "written"
            }
        };
        println!("{:<44} {what}, {seconds:.1} s", picture.file);
    }
    studio.close()?;
    if different.is_empty() {
        Ok(())
    } else {
        Err(format!(
            "pictures are not those of the table: {}; make them with `cargo xtask gallery` and look at them",
            different.join(", ")
        ))
    }
}

fn write(file: &Path, bytes: &[u8]) -> Result<(), String> {
    let folder = file.parent().unwrap_or(file);
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(file, bytes))
        .map_err(|e| format!("cannot write {}: {e}", file.display()))
}

/// Where pictures are made.
struct Studio {
    root: PathBuf,
    /// The program.
    writhe: PathBuf,
    /// Of all runs, removed in the end.
    folder: PathBuf,
    /// Runs that are done.
    done: BTreeSet<&'static str>,
}

impl Studio {
    fn open(root: &Path) -> Result<Self, String> {
        // A folder of its own for each process: two may be at work.
        let name = format!("gallery-{}", std::process::id());
        let folder = root.join("target").join(name);
        fs::create_dir_all(&folder)
            .map_err(|e| format!("cannot make {}: {e}", folder.display()))?;
        Ok(Self {
            root: root.to_path_buf(),
            writhe: program(root)?,
            folder,
            done: BTreeSet::new(),
        })
    }

    fn close(self) -> Result<(), String> {
        fs::remove_dir_all(&self.folder)
            .map_err(|e| format!("cannot remove {}: {e}", self.folder.display()))
    }

    /// The bytes of a picture; `None` where it needs what is not installed.
    fn make(&mut self, picture: &Picture) -> Result<Option<Vec<u8>>, String> {
        if picture.is_screenshot() && screenshot::browser().is_none() {
            return Ok(None);
        }
        for run in runs_of(picture) {
            self.simulate(run)?;
        }
        let name = Path::new(picture.file).file_name().unwrap_or_default();
        let out = self.folder.join(name);
        if picture.is_screenshot() {
            screenshot::take(self, picture.command, &out)?;
        } else {
            let words = self.words(picture.command, &out);
            self.run_writhe(&words)?;
        }
        let bytes = fs::read(&out).map_err(|e| format!("{}: no picture: {e}", picture.file))?;
        Ok(Some(bytes))
    }

    /// Runs a scene, once.
    fn simulate(&mut self, run: &'static Run) -> Result<(), String> {
        if !self.done.insert(run.name) {
            return Ok(());
        }
        let out = self.folder.join(run.name);
        let command = if run.vary.is_empty() { "run" } else { "follow" };
        let mut words = vec![command.to_owned(), run.scene.to_owned(), "--out".to_owned()];
        words.push(out.to_string_lossy().into_owned());
        words.extend(run.vary.split_whitespace().map(str::to_owned));
        for set in run.set.split_whitespace() {
            words.extend(["--set".to_owned(), set.to_owned()]);
        }
        self.run_writhe(&words)
    }

    /// A command with the runs and the picture in their places.
    fn words(&self, command: &str, out: &Path) -> Vec<String> {
        let path = |path: &Path| path.to_string_lossy().into_owned();
        command
            .split_whitespace()
            .map(|word| match word.strip_prefix('@') {
                Some("out") => path(out),
                Some(run) => path(&self.folder.join(run)),
                None => word.to_owned(),
            })
            .collect()
    }

    fn run_writhe(&self, words: &[String]) -> Result<(), String> {
        run(Command::new(&self.writhe)
            .args(words)
            .current_dir(&self.root))
    }
}

/// Runs a command without a word; the error has what it said.
fn run(command: &mut Command) -> Result<(), String> {
    let output = command.stdin(Stdio::null()).output();
    let output = output.map_err(|e| format!("cannot start {command:?}: {e}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("{command:?} failed ({}):\n{said}", output.status))
}

/// `writhe`: the one that WRITHE names, or built with optimisation.
pub(crate) fn program(root: &Path) -> Result<PathBuf, String> {
    if let Some(given) = std::env::var_os("WRITHE") {
        return Ok(root.join(given));
    }
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let words = ["build", "--release", "--locked", "--package", "writhe-cli"];
    run(Command::new(cargo).args(words).current_dir(root))?;
    let name = format!("writhe{}", std::env::consts::EXE_SUFFIX);
    Ok(python::target(root).join("release").join(name))
}

/// The runs that a picture shows.
fn runs_of(picture: &Picture) -> Vec<&'static Run> {
    let named = |word: &str| {
        let name = word.strip_prefix('@')?;
        RUNS.iter().find(|run| run.name == name)
    };
    picture
        .command
        .split_whitespace()
        .filter_map(named)
        .collect()
}

#[cfg(test)]
mod tests;
