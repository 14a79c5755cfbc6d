//! Option files: on each line a key and its values, separated by blanks; `#` begins a comment line.

use super::ImportError;

/// Larger numbers are a typing error, in whatever unit.
const LARGEST: f64 = 1e30;

/// An option file, and which of its keys were used.
#[derive(Debug)]
pub(super) struct Options {
    file: String,
    entries: Vec<Entry>,
    notes: Vec<String>,
}

#[derive(Debug)]
struct Entry {
    key: String,
    values: Vec<String>,
    line: usize,
    used: bool,
}

impl Options {
    pub fn read(text: &str, file: &str) -> Result<Self, ImportError> {
        let mut options = Self {
            file: file.to_owned(),
            entries: Vec::new(),
            notes: Vec::new(),
        };
        for (i, content) in text.lines().enumerate() {
            let mut words = content.split_whitespace().map(str::to_owned);
            let Some(key) = words.next().filter(|key| !key.starts_with('#')) else {
                continue;
            };
            let (values, line): (Vec<String>, usize) = (words.collect(), i + 1);
            if values.is_empty() {
                return Err(ImportError::new(
                    format!("{file}, line {line}: `{key}` has no value"),
                    "write the value after the key, or remove the line",
                ));
            }
            // As those programs do, the last one counts.
            if let Some(earlier) = options.entries.iter().position(|e| e.key == key) {
                let was = options.entries.remove(earlier);
                options.notes.push(format!(
                    "`{key}` stands on lines {} and {line}: the last one counts",
                    was.line
                ));
            }
            options.entries.push(Entry {
                key,
                values,
                line,
                used: false,
            });
        }
        Ok(options)
    }

    pub fn has(&self, key: &str) -> bool {
        self.entries.iter().any(|e| e.key == key)
    }

    /// Says something about the file that its reader should know.
    pub fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    /// Says why a key has no counterpart, if it is there and nothing asked for it.
    pub fn unused(&mut self, key: &str, why: &str) {
        if self.entries.iter().any(|e| e.key == key && e.used) {
            return;
        }
        if let Some(words) = self.take(key) {
            self.note(format!(
                "`{key} {}` is not carried over: {why}",
                words.join(" ")
            ));
        }
    }

    fn take(&mut self, key: &str) -> Option<Vec<String>> {
        let entry = self.entries.iter_mut().find(|e| e.key == key)?;
        entry.used = true;
        Some(entry.values.clone())
    }

    /// The first value as a word.
    pub fn word(&mut self, key: &str) -> Result<String, ImportError> {
        match self.take(key) {
            Some(words) => Ok(words[0].clone()),
            None => Err(self.missing(key)),
        }
    }

    /// The first value as a number, if the key is there.
    pub fn number(&mut self, key: &str) -> Result<Option<f64>, ImportError> {
        Ok(self.numbers::<1>(key)?.map(|[x]| x))
    }

    pub fn required(&mut self, key: &str) -> Result<f64, ImportError> {
        self.number(key)?.ok_or_else(|| self.missing(key))
    }

    /// A number that must be greater than zero.
    pub fn positive(&mut self, key: &str) -> Result<f64, ImportError> {
        let x = self.required(key)?;
        if x > 0.0 {
            return Ok(x);
        }
        Err(self.wrong(key, &x.to_string(), "a number greater than zero"))
    }

    /// A number that must not be negative, 0 if the key is not there.
    pub fn not_negative(&mut self, key: &str) -> Result<f64, ImportError> {
        let x = self.number(key)?.unwrap_or(0.0);
        if x >= 0.0 {
            return Ok(x);
        }
        Err(self.wrong(key, &x.to_string(), "zero or greater"))
    }

    /// The first values, if the key is there.
    pub fn numbers<const N: usize>(&mut self, key: &str) -> Result<Option<[f64; N]>, ImportError> {
        let Some(words) = self.take(key) else {
            return Ok(None);
        };
        let mut out = [0.0; N];
        for (i, x) in out.iter_mut().enumerate() {
            let number = words.get(i).and_then(|w| w.parse::<f64>().ok());
            match number.filter(|x| x.abs() <= LARGEST) {
                Some(number) => *x = number,
                None => {
                    let need = match N {
                        1 => "a finite number".to_owned(),
                        n => format!("{n} finite numbers"),
                    };
                    return Err(self.wrong(key, &words.join(" "), &need));
                }
            }
        }
        Ok(Some(out))
    }

    /// The error that a value cannot be used.
    pub fn wrong(&self, key: &str, value: &str, need: &str) -> ImportError {
        let entry = self.entries.iter().find(|e| e.key == key);
        let line = entry.map_or(String::new(), |e| format!(", line {}", e.line));
        ImportError::new(
            format!("{}{line}: `{key}` is {value}: it must be {need}", self.file),
            format!("change `{key}`"),
        )
    }

    fn missing(&self, key: &str) -> ImportError {
        ImportError::new(
            format!("{} has no `{key}`", self.file),
            format!("add a line such as `{key} VALUE`; that program cannot do without it either"),
        )
    }

    /// What was said about the file, and the keys that nothing asked for.
    pub fn left_over(self) -> Vec<String> {
        let unknown = self.entries.into_iter().filter(|e| !e.used);
        let unknown = unknown.map(|e| {
            format!(
                "unknown key `{}` on line {} (value {}): it is not carried over",
                e.key,
                e.line,
                e.values.join(" ")
            )
        });
        self.notes.into_iter().chain(unknown).collect()
    }
}
