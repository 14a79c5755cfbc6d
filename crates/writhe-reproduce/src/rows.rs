//! Finished rows, in a CSV file that grows row by row.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use writhe_results::provenance;

use crate::csv;
use crate::error::{ReproduceError, Result};

const COST: &str = provenance::RECORDED[0];
const SOURCES: &str = provenance::RECORDED[1];

/// The finished rows of an experiment.
#[derive(Debug)]
pub struct Rows {
    path: PathBuf,
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Rows {
    /// The rows in the file `path`, which need not exist; `columns` are those of the experiment,
    /// the row's name first.
    ///
    /// # Errors
    /// When the file cannot be read or has other columns.
    pub fn open(path: &Path, columns: &[&str]) -> Result<Self> {
        let made = provenance::COLUMNS.into_iter().chain(provenance::RECORDED);
        let columns = columns.iter().copied().chain(made);
        let mut all = Self {
            path: path.to_path_buf(),
            columns: columns.map(str::to_owned).collect(),
            rows: Vec::new(),
        };
        all.read()?;
        Ok(all)
    }

    fn read(&mut self) -> Result<()> {
        let text = match fs::read_to_string(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            Err(error) => return Err(ReproduceError::io("reading", &self.path, error)),
        };
        let mut lines = csv::parse(&text).into_iter();
        let width = self.columns.len();
        // Rows of versions that recorded neither processor time nor sources are old ones.
        let before = width - provenance::RECORDED.len();
        match lines.next() {
            None => self.rows.clear(),
            Some(header) if header == self.columns || header == self.columns[..before] => {
                let wide = lines.filter(|row| row.len() == header.len());
                self.rows = wide
                    .map(|mut row| {
                        row.resize(width, String::new());
                        row
                    })
                    .collect();
            }
            Some(_) => {
                return Err(ReproduceError::OtherColumns {
                    path: self.path.clone(),
                });
            }
        }
        Ok(())
    }

    /// Adds a row made now, for which `cpu` s of processor time were spent, of these sources, and
    /// writes the file; rows that another process added meanwhile stay.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn add(&mut self, values: Vec<String>, cpu: f64, sources: Option<&str>) -> Result<()> {
        let failed = |path: &Path| {
            let path = path.to_path_buf();
            move |error| ReproduceError::io("writing", &path, error)
        };
        let lock_path = self.path.with_extension("lock");
        let lock = File::create(&lock_path).map_err(failed(&lock_path))?;
        // A file system without locks is no reason to lose a row.
        let _ = lock.lock();
        self.read()?;
        let mut row = values;
        row.extend(provenance::values());
        row.extend(provenance::recorded(cpu, sources));
        self.rows.retain(|old| old.first() != row.first());
        self.rows.push(row);
        let lines = std::iter::once(&self.columns).chain(&self.rows);
        let text: String = lines.map(|line| csv::line(line) + "\n").collect();
        let temporary = self.path.with_extension("tmp");
        fs::write(&temporary, text)
            .and_then(|()| fs::rename(&temporary, &self.path))
            .map_err(failed(&self.path))?;
        let _ = fs::remove_file(&lock_path);
        Ok(())
    }

    /// Whether the row of this name is there.
    pub fn has(&self, name: &str) -> bool {
        self.row(name).is_some()
    }

    /// Whether the row of this name is there and of some of these sources.
    pub fn is_current(&self, name: &str, sources: &[String]) -> bool {
        let made = self.text(name, SOURCES);
        made.is_some_and(|made| sources.iter().any(|sources| sources == made))
    }

    /// Processor time that the row took when it was recorded, s.
    pub fn cost(&self, name: &str) -> Option<f64> {
        self.number(name, COST)
    }

    fn row(&self, name: &str) -> Option<&Vec<String>> {
        self.rows
            .iter()
            .find(|row| row.first().is_some_and(|first| first == name))
    }

    /// A value of a row; `None` if the row or column is not there.
    pub fn text(&self, name: &str, column: &str) -> Option<&str> {
        let index = self.columns.iter().position(|c| c == column)?;
        self.row(name)?.get(index).map(String::as_str)
    }

    /// A number of a row; `None` if it is not there or none.
    pub fn number(&self, name: &str, column: &str) -> Option<f64> {
        self.text(name, column)?.parse().ok()
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_survive_the_process() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("x.csv");
        let columns = ["row", "value"];
        let mut rows = Rows::open(&path, &columns).unwrap();
        rows.add(vec!["a".into(), "1.5".into()], 3.0, Some("x1"))
            .unwrap();
        rows.add(vec!["b".into(), "x, y".into()], f64::NAN, None)
            .unwrap();
        rows.add(vec!["a".into(), "2.5".into()], 4.0, Some("x2"))
            .unwrap();
        let again = Rows::open(&path, &columns).unwrap();
        assert_eq!(again.number("a", "value"), Some(2.5));
        assert_eq!(again.text("b", "value"), Some("x, y"));
        assert!(!again.has("c"));
        assert!(
            again.is_current("a", &["x2".to_owned()]) && !again.is_current("a", &["x1".to_owned()])
        );
        assert!(!again.is_current("b", &["x2".to_owned()]));
        assert_eq!((again.cost("a"), again.cost("b")), (Some(4.0), None));
        assert!(matches!(
            Rows::open(&path, &["row", "other"]),
            Err(ReproduceError::OtherColumns { .. })
        ));
    }

    #[test]
    fn rows_of_before_are_kept_and_old() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("x.csv");
        let made = provenance::COLUMNS.join(",");
        fs::write(&path, format!("row,value,{made}\na,1,d,c,m,2\n")).unwrap();
        let mut rows = Rows::open(&path, &["row", "value"]).unwrap();
        assert_eq!(rows.number("a", "value"), Some(1.0));
        assert!(!rows.is_current("a", &["x1".to_owned()]) && rows.cost("a").is_none());
        rows.add(vec!["b".into(), "2".into()], 1.0, Some("x1"))
            .unwrap();
        let again = Rows::open(&path, &["row", "value"]).unwrap();
        assert!(again.has("a") && again.is_current("b", &["x1".to_owned()]));
    }

    #[test]
    fn rows_of_another_process_stay() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("x.csv");
        let mut first = Rows::open(&path, &["row"]).unwrap();
        let mut second = Rows::open(&path, &["row"]).unwrap();
        first.add(vec!["a".into()], 0.0, None).unwrap();
        second.add(vec!["b".into()], 0.0, None).unwrap();
        assert!(second.has("a") && second.has("b"));
    }
}
