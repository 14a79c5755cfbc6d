//! Whether this version computes what another one did, bit for bit: `cargo xtask same-as COMMIT`.
//!
//! Both versions are built on this machine and run the cases of `same_as/cases.rs`, most of 30 to
//! 60 steps, with an output after every one or so. States, observables, counts of iterations, and
//! what the program prints are compared. Scenes and node tables are those of this version
//! (`crates/xtask/cases`): they are read by the command line, whose interface changes least.

mod cases;
mod compare;
mod versions;

use std::fs;
use std::path::Path;

use cases::{CASES, Case};
use compare::{Comparison, compare};
use versions::{Version, build};

/// What the user asks for.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The version to compare with; none when cases are only listed.
    commit: Option<String>,
    /// Names of cases; all if empty.
    only: Vec<String>,
    /// Run this version with a modulus that is larger by a part of 1e-12: every case that runs must
    /// tell.
    plant: bool,
    /// Run both this often, in turn, for the processor times.
    times: usize,
    list: bool,
}

impl Options {
    /// From the words after `same-as`.
    pub fn parse(words: &[&str]) -> Result<Self, String> {
        let mut options = Self {
            times: 1,
            ..Self::default()
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match *word {
                "--list" => options.list = true,
                "--plant" => options.plant = true,
                "--times" => {
                    let times = words.next().and_then(|n| n.parse().ok());
                    options.times = times
                        .filter(|n| *n > 0)
                        .ok_or("`--times` needs a number above 0")?;
                }
                "--only" => {
                    let name = words.next().ok_or("`--only` needs the name of a case")?;
                    if !CASES.iter().any(|case| case.name == *name) {
                        return Err(format!(
                            "there is no case `{name}`: `cargo xtask same-as --list` lists them"
                        ));
                    }
                    options.only.push((*name).to_owned());
                }
                other if other.starts_with('-') => {
                    return Err(format!("`same-as` does not know `{other}`"));
                }
                commit if options.commit.is_none() => options.commit = Some(commit.to_owned()),
                other => return Err(format!("one commit is enough: `{other}`")),
            }
        }
        if options.commit.is_none() && !options.list {
            return Err("`same-as` needs a commit to compare with".to_owned());
        }
        Ok(options)
    }

    fn wants(&self, case: &Case) -> bool {
        self.only.is_empty() || self.only.iter().any(|name| name == case.name)
    }
}

/// Runs the cases with both versions and prints what differs.
pub fn run(root: &Path, options: &Options) -> Result<(), String> {
    let Some(commit) = options.commit.as_deref().filter(|_| !options.list) else {
        for case in CASES {
            println!("{:<26} {}", case.name, case.line());
        }
        return Ok(());
    };
    let [base, this] = build(root, commit)?;
    let folder = root.join("target/same-as/runs");
    let _ = fs::remove_dir_all(&folder);
    let mut rows = Vec::new();
    for case in CASES.iter().filter(|case| options.wants(case)) {
        let comparison = compare_case(case, [&base, &this], &folder, options)?;
        println!("{:<26} {}", case.name, comparison.verdict());
        for difference in comparison.differences.iter().take(4) {
            println!("    {difference}");
        }
        rows.push((case, comparison));
    }
    println!("\n{}", table(&rows));
    let (different, same): (Vec<_>, Vec<_>) =
        (rows.iter()).partition(|(_, c)| !c.differences.is_empty());
    let names = |rows: &[&(&Case, Comparison)]| -> String {
        let names: Vec<&str> = rows.iter().map(|(case, _)| case.name).collect();
        names.join(", ")
    };
    if options.plant {
        // What is refused has no states in which to notice anything.
        let deaf: Vec<_> = same
            .into_iter()
            .filter(|(_, c)| c.steps.is_some())
            .collect();
        if !deaf.is_empty() {
            return Err(format!(
                "a planted part of 1e-12 was not noticed in {}",
                names(&deaf)
            ));
        }
        println!(
            "the planted part of 1e-12 was noticed in all {} cases that run",
            different.len()
        );
        return Ok(());
    }
    if !different.is_empty() {
        return Err(format!(
            "{} of {} cases differ: {}; outputs are in {}",
            different.len(),
            rows.len(),
            names(&different),
            folder.display()
        ));
    }
    println!("all {} cases are the same, bit for bit", rows.len());
    Ok(())
}

/// Both versions in turn, as often as asked for; the states of the first time are compared.
fn compare_case(
    case: &Case,
    versions: [&Version; 2],
    folder: &Path,
    options: &Options,
) -> Result<Comparison, String> {
    let mut times = [Vec::new(), Vec::new()];
    let mut first = None;
    for time in 0..options.times {
        let mut made = Vec::new();
        for (which, version) in versions.into_iter().enumerate() {
            let planted = options.plant && which == 1;
            let place = folder.join(format!("{}-{which}-{time}", case.name));
            let run = version.run(case, &place, planted)?;
            times[which].extend(run.processor_time());
            made.push(run);
        }
        first.get_or_insert(made);
    }
    let made = first.ok_or("nothing was run")?;
    let mut comparison = compare(&made[0], &made[1])?;
    comparison.processor_time = times.map(median);
    Ok(comparison)
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

/// The table for a decision.
fn table(rows: &[(&Case, Comparison)]) -> String {
    let mut text = String::from(
        "| case | steps | solves | processor time, s | then and now | |\n|---|---|---|---|---|---|\n",
    );
    let mut sums = [0.0; 2];
    for (case, comparison) in rows {
        let count = |n: Option<u64>| n.map_or("-".to_owned(), |n| n.to_string());
        let time = |t: Option<f64>| t.map_or("-".to_owned(), |t| format!("{t:.3}"));
        let [before, now] = comparison.processor_time;
        let ratio = before.zip(now).map_or("-".to_owned(), |(before, now)| {
            sums[0] += before;
            sums[1] += now;
            format!("{:.2}", now / before)
        });
        text += &format!(
            "| {} | {} | {} | {} | {ratio} | {} |\n",
            case.name,
            count(comparison.steps),
            count(comparison.solves),
            time(now),
            comparison.verdict()
        );
    }
    text + &format!(
        "| all | | | {:.2} | {:.3} | |\n",
        sums[1],
        sums[1] / sums[0]
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_understood_or_refused() {
        let options = Options::parse(&["abc", "--plant", "--times", "3", "--only", "snap-bdf2"]);
        let options = options.unwrap();
        assert_eq!(options.commit.as_deref(), Some("abc"));
        assert!(options.plant && options.times == 3 && options.only == ["snap-bdf2"]);
        for wrong in [
            &["--only", "nothing", "abc"][..],
            &[],
            &["a", "b"],
            &["a", "--times", "0"],
            &["a", "--loud"],
        ] {
            assert!(Options::parse(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn cases_have_names_of_their_own_and_scenes_that_exist() {
        let mut names: Vec<_> = CASES.iter().map(|case| case.name).collect();
        assert!(names.len() >= 40, "{}", names.len());
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), CASES.len());
        for case in CASES {
            assert!(case.scene_file().exists(), "{}", case.name);
            assert!(case.planted().is_ok(), "{}", case.name);
        }
    }

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(Vec::new()), None);
    }
}
