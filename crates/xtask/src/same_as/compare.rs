//! Two runs, compared byte by byte; numbers that differ are told.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::versions::Made;

/// What came of a case.
#[derive(Debug, Default)]
pub struct Comparison {
    /// What differs, in words.
    pub differences: Vec<String>,
    /// Accepted steps of this version.
    pub steps: Option<u64>,
    /// Its linear solves.
    pub solves: Option<u64>,
    /// Processor time of the other and of this version, s.
    pub processor_time: [Option<f64>; 2],
}

impl Comparison {
    /// In a word.
    pub fn verdict(&self) -> String {
        match self.differences.len() {
            0 => "same".to_owned(),
            n => format!("{n} differences"),
        }
    }
}

/// Compares what two versions made of a case.
pub fn compare(base: &Made, this: &Made) -> Result<Comparison, String> {
    let mut differences = Vec::from_iter(lines("what is printed", &base.told, &this.told));
    let both = [&base.folder, &this.folder];
    for table in ["observables.csv", "contacts.csv"] {
        differences.extend(columns(table, both.map(|f| read(&f.join(table)))));
    }
    let [a, b] = both.map(|f| read(&f.join("summary.json")).map(|text| without_times(&text)));
    differences.extend(lines(
        "summary.json",
        &a.unwrap_or_default(),
        &b.unwrap_or_default(),
    ));
    differences.extend(arrays(both.map(|f| f.join("trajectory.zarr")))?);
    Ok(Comparison {
        differences,
        steps: this.count("steps"),
        solves: this.count("newton_iterations"),
        processor_time: [None; 2],
    })
}

fn read(file: &Path) -> Option<String> {
    fs::read_to_string(file).ok()
}

/// The first line that differs.
fn lines(what: &str, a: &str, b: &str) -> Option<String> {
    if a == b {
        return None;
    }
    let (mut a, mut b) = (a.lines(), b.lines());
    loop {
        match (a.next(), b.next()) {
            (None, None) => return Some(format!("{what}: the ends of lines")),
            (x, y) if x == y => {}
            (x, y) => {
                let [x, y] = [x, y].map(|l| l.unwrap_or("(nothing)").trim());
                return Some(format!("{what}: `{x}` and `{y}`"));
            }
        }
    }
}

/// A summary without what its run took, and the version that made it.
fn without_times(text: &str) -> String {
    let mut kept = String::new();
    let mut phases = false;
    for line in text.lines() {
        let words = line.trim_start();
        phases |= words.starts_with("\"phases_s\"");
        let taken = [
            "\"cpu_s\"",
            "\"wall_s\"",
            "\"version\"",
            "\"steps_by_one_thread_s\"",
        ];
        if !phases && !taken.iter().any(|key| words.starts_with(key)) {
            kept += line;
            kept.push('\n');
        }
        phases &= !words.starts_with('}');
    }
    kept
}

/// Tables: the columns that both have, row by row; and columns that one has not.
fn columns(what: &str, tables: [Option<String>; 2]) -> Vec<String> {
    let (a, b) = match tables {
        [Some(a), Some(b)] => (a, b),
        [None, None] => return Vec::new(),
        _ => return vec![format!("{what}: only one version wrote it")],
    };
    if a == b {
        return Vec::new();
    }
    let [a, b] = [&a, &b].map(|t| {
        let rows = t.lines().filter(|line| !line.starts_with('#'));
        rows.map(|row| row.split(',').collect::<Vec<_>>())
            .collect::<Vec<_>>()
    });
    let [head_a, head_b] = [&a, &b].map(|t| t.first().cloned().unwrap_or_default());
    let mut found = Vec::new();
    let names = |head: &[&str]| {
        head.iter()
            .map(|n| (*n).to_owned())
            .collect::<BTreeSet<_>>()
    };
    for name in names(&head_a).symmetric_difference(&names(&head_b)) {
        found.push(format!("{what}: only one version has the column `{name}`"));
    }
    if a.len() != b.len() {
        found.push(format!("{what}: {} and {} rows", a.len(), b.len()));
    }
    for (i, name) in head_a.iter().enumerate() {
        let Some(j) = head_b.iter().position(|other| other == name) else {
            continue;
        };
        let pairs = a.iter().zip(&b).skip(1);
        let first = pairs
            .enumerate()
            .map(|(row, (x, y))| (row, x.get(i), y.get(j)))
            .find(|(_, x, y)| x != y);
        if let Some((row, x, y)) = first {
            let [x, y] = [x, y].map(|v| v.copied().unwrap_or("(nothing)"));
            found.push(format!("{what}: `{name}` in row {row}: {x} and {y}"));
        }
    }
    if found.is_empty() {
        found.push(format!("{what}: its first lines"));
    }
    found
}

/// The arrays of both trajectories.
fn arrays(stores: [PathBuf; 2]) -> Result<Vec<String>, String> {
    let [a, b] = [files(&stores[0])?, files(&stores[1])?];
    let mut found = Vec::new();
    for file in a.symmetric_difference(&b) {
        found.push(format!("only one version wrote {}", file.display()));
    }
    for file in a.intersection(&b) {
        let bytes = |store: &Path| {
            fs::read(store.join(file)).map_err(|e| format!("{}: {e}", file.display()))
        };
        let [x, y] = [bytes(&stores[0])?, bytes(&stores[1])?];
        if x != y {
            found.push(format!("{}: {}", file.display(), by_how_much(&x, &y)));
        }
    }
    Ok(found)
}

/// Chunks of doubles: the largest difference, and the first place that differs.
fn by_how_much(x: &[u8], y: &[u8]) -> String {
    if x.len() != y.len() || !x.len().is_multiple_of(8) {
        return "other bytes".to_owned();
    }
    let numbers = |bytes: &[u8]| -> Vec<f64> {
        let eights = bytes.chunks_exact(8);
        eights
            .map(|eight| f64::from_le_bytes(eight.try_into().unwrap_or_default()))
            .collect()
    };
    let [x, y] = [numbers(x), numbers(y)];
    let apart = x.iter().zip(&y).map(|(x, y)| (x - y).abs());
    let largest = apart.fold(0.0, f64::max);
    let scale = x.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
    let first = x
        .iter()
        .zip(&y)
        .position(|(x, y)| x.to_bits() != y.to_bits());
    format!(
        "differs by up to {largest:.1e} (largest {scale:.1e}), first in its value {}",
        first.unwrap_or(0)
    )
}

/// Files below a folder, relative to it; none where there is no folder.
fn files(folder: &Path) -> Result<BTreeSet<PathBuf>, String> {
    let mut found = BTreeSet::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(here) = open.pop() {
        let Ok(entries) = fs::read_dir(&here) else {
            continue;
        };
        for entry in entries {
            let path = entry
                .map_err(|e| format!("{}: {e}", here.display()))?
                .path();
            if path.is_dir() {
                open.push(path);
            } else if let Ok(inner) = path.strip_prefix(folder) {
                found.insert(inner.to_path_buf());
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(name: &str, value: f64, told: &str) -> Made {
        let folder = std::env::temp_dir().join(format!("same-as-{}-{name}", std::process::id()));
        let chunk = folder.join("trajectory.zarr/positions/c");
        fs::create_dir_all(&chunk).unwrap();
        let bytes: Vec<u8> = [1.0, value]
            .iter()
            .flat_map(|v: &f64| v.to_le_bytes())
            .collect();
        fs::write(chunk.join("0"), bytes).unwrap();
        let table = format!("time [s],gap [m]\n0,1\n1,{value}\n");
        fs::write(folder.join("observables.csv"), table).unwrap();
        let summary = format!(
            "{{\n  \"steps\": 7,\n  \"cpu_s\": {},\n  \"phases_s\": {{\n    \"solve\": {}\n  }},\n  \"newton_iterations\": 9\n}}\n",
            name.len(),
            name.len()
        );
        fs::write(folder.join("summary.json"), summary).unwrap();
        Made {
            folder,
            told: told.to_owned(),
        }
    }

    #[test]
    fn one_bit_is_noticed_in_states_and_tables_and_words() {
        let next = 2.0_f64.next_up();
        let base = made("base", 2.0, "done\n");
        for (name, value, told, differences) in [
            ("same", 2.0, "done\n", 0),
            ("bit", next, "done\n", 2),
            ("words", 2.0, "failed\n", 1),
        ] {
            let other = made(name, value, told);
            let found = compare(&base, &other).unwrap();
            assert_eq!(found.differences.len(), differences, "{name}: {found:?}");
            assert_eq!([found.steps, found.solves], [Some(7), Some(9)]);
            fs::remove_dir_all(&other.folder).unwrap();
        }
        fs::remove_dir_all(&base.folder).unwrap();
    }

    #[test]
    fn columns_that_come_or_go_are_told_and_others_compared() {
        let table = |text: &str| Some(text.to_owned());
        let found = columns("t", [table("a,b\n1,2\n"), table("b,c\n3,4\n")]);
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found[2].contains("`b` in row 0: 2 and 3"), "{found:?}");
        assert!(columns("t", [None, None]).is_empty());
        assert_eq!(columns("t", [table("a\n"), None]).len(), 1);
    }
}
