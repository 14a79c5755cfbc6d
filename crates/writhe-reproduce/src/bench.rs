//! What an experiment may ask for: runs, and a place for files.

use std::fs;
use std::path::PathBuf;

use writhe_rundir::{RunReader, RunSummary};

use crate::csv;
use crate::error::{ReproduceError, Result};
use crate::plan::RunPlan;
use crate::run::{self, FinishedRun};
use crate::watch::Watch;

/// How long an experiment takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Span {
    /// As in the paper.
    Full,
    /// Shortened to a minute or so, to see that it works: its figures mean little.
    Quick,
}

impl Span {
    /// What names of files and runs end with.
    pub fn suffix(self) -> &'static str {
        match self {
            Self::Full => "",
            Self::Quick => "-quick",
        }
    }

    /// One value for each span.
    pub fn choose<T>(self, full: T, quick: T) -> T {
        match self {
            Self::Full => full,
            Self::Quick => quick,
        }
    }
}

/// What to do and where.
#[derive(Debug, Clone)]
pub struct Options {
    /// How long.
    pub span: Span,
    /// Folder of the results.
    pub out: PathBuf,
    /// Folder of the run directories, shared by all experiments.
    pub runs: PathBuf,
    /// Only these rows, if any are named.
    pub only: Vec<String>,
    /// Hashes of sources whose rows count as current, if they are known: that of this program, which rows
    /// that it records name, and those of others that compute the same.
    pub sources: Vec<String>,
    /// Whether rows of other sources are measured again.
    pub again: bool,
}

/// Where an experiment works.
pub struct Bench<'a> {
    /// How long.
    pub span: Span,
    options: &'a Options,
    watch: &'a mut dyn Watch,
}

impl<'a> Bench<'a> {
    pub(crate) fn new(options: &'a Options, watch: &'a mut dyn Watch) -> Self {
        Self {
            span: options.span,
            options,
            watch,
        }
    }

    /// Completes a run, or finds it complete.
    ///
    /// # Errors
    /// When the scene is not known to this version, the directory cannot be used, or the user stops
    /// it.
    pub fn run(&mut self, plan: &RunPlan) -> Result<FinishedRun> {
        run::complete(plan, &self.options.runs, self.watch)
    }

    /// The frames of a run, completed if need be, and how it ended.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn frames(&mut self, plan: &RunPlan) -> Result<(RunReader, RunSummary)> {
        match self.look_at(plan) {
            Some(found) => Ok(found),
            None => self.run(plan).map(|run| (run.reader, run.summary)),
        }
    }

    /// The frames of a run if it is complete, and how it ended; runs nothing.
    pub fn look_at(&self, plan: &RunPlan) -> Option<(RunReader, RunSummary)> {
        run::frames(plan, &self.options.runs).ok().flatten()
    }

    /// A line for the user.
    pub fn say(&mut self, line: &str) {
        self.watch.say(line);
    }

    /// Path of a result file.
    pub fn file(&self, name: &str) -> PathBuf {
        self.options.out.join(name)
    }

    /// Writes a result file of columns and rows; returns its path.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_csv(&self, name: &str, header: &[&str], rows: &[Vec<String>]) -> Result<PathBuf> {
        let mut text = csv::line(header) + "\n";
        for row in rows {
            text += &csv::line(row);
            text.push('\n');
        }
        self.write(name, text.as_bytes())
    }

    /// Writes the curve behind a row to `EXPERIMENT-ROW.csv`.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_curve(
        &self,
        experiment: &str,
        row: &str,
        header: &[&str],
        lines: &[Vec<String>],
    ) -> Result<()> {
        let name = format!("{experiment}-{row}{}.csv", self.span.suffix());
        self.write_csv(&name, header, lines)?;
        Ok(())
    }

    /// Columns of the curve behind a row, by the names in its header; what is no number is NaN.
    /// `None` where it is not recorded.
    pub fn read_curve(&self, experiment: &str, row: &str, names: &[&str]) -> Option<Vec<Vec<f64>>> {
        let path = self.file(&format!("{experiment}-{row}{}.csv", self.span.suffix()));
        let lines = csv::parse(&fs::read_to_string(path).ok()?);
        let (header, lines) = lines.split_first()?;
        let column = |name: &&str| {
            let index = header.iter().position(|h| h == name)?;
            let value = |line: &Vec<String>| line.get(index).and_then(|v| v.parse().ok());
            Some(lines.iter().map(|l| value(l).unwrap_or(f64::NAN)).collect())
        };
        names.iter().map(column).collect()
    }

    /// Writes a result file; returns its path.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<PathBuf> {
        let path = self.file(name);
        fs::write(&path, bytes).map_err(|error| ReproduceError::io("writing", &path, error))?;
        Ok(path)
    }
}
