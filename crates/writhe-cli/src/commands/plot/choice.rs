//! Which columns are drawn: those that are named one by one, and of groups the largest.

use std::collections::BTreeMap;

use writhe_rundir::RunReader;

use super::Run;
use super::names::Parts;
use crate::args::Most;
use crate::format::count;
use crate::report::{Failure, Result};

/// What is shown unless observables are named, where a run has it: energies and forces.
const USUAL: [&str; 6] = [
    "energy_bend",
    "energy_twist",
    "energy_stretch",
    "energy_kinetic",
    "pull_force",
    "contact_force",
];
/// Values below this part of the largest of their unit are what rounding leaves of 0.
const ROUNDING: f64 = 1e-12;
/// Likeness from which on another name may be meant, 0 to 1.
const ALIKE: f64 = 0.75;
/// Names that are told one by one.
const TOLD: usize = 6;
/// Names that are told where one is not known.
const LISTED: usize = 40;

/// Columns to draw, and what is said of those that are not.
#[derive(Debug, Default)]
pub struct Choice {
    /// Their names.
    pub columns: Vec<String>,
    /// Those of them that are 0 but for rounding, and are drawn as 0.
    pub zeros: Vec<String>,
    /// What was left out, and how to see it.
    pub remarks: Vec<String>,
}

/// A column that may be drawn.
#[derive(Debug, Clone)]
struct Candidate {
    name: String,
    unit: String,
    /// Whether it was named by itself, not as one of a group.
    is_exact: bool,
    /// Its largest value in any run.
    size: f64,
    /// Whether it is 0 but for rounding.
    is_zero: bool,
}

impl Choice {
    /// What the names, or the usual ones where there are none, come to in these runs.
    ///
    /// # Errors
    /// A name that is no column of each run.
    pub fn of(runs: &[Run], names: &[String], most: Most, logarithmic: bool) -> Result<Self> {
        let mut groups = Vec::new();
        match names {
            [] => groups.extend(USUAL.map(|name| matching(&runs[0].reader, name))),
            names => {
                for name in names {
                    groups.push(named(name, runs)?);
                }
            }
        }
        let scales = scales(runs);
        let candidate = |name: String, is_exact: bool| {
            let unit = unit(&runs[0].reader, &name).to_owned();
            let size = size(runs, &name);
            let scale = scales.get(&unit).copied().unwrap_or(0.0);
            Candidate {
                is_exact,
                size,
                // Small values are what logarithmic axes are for.
                is_zero: size == 0.0 || (!logarithmic && size <= ROUNDING * scale),
                name,
                unit,
            }
        };
        let by_name = |group: Vec<String>| {
            let is_exact = !names.is_empty() && group.len() == 1;
            group.into_iter().map(move |name| (name, is_exact))
        };
        let all = groups.into_iter().flat_map(by_name);
        let all = all
            .map(|(name, is_exact)| candidate(name, is_exact))
            .collect();
        Ok(Self::among(all, most))
    }

    fn among(mut all: Vec<Candidate>, most: Most) -> Self {
        let mut seen = Vec::new();
        all.retain(|c| {
            !seen.contains(&c.name) && {
                seen.push(c.name.clone());
                true
            }
        });
        if most == Most::All || all.iter().all(|c| c.is_zero) {
            // Something must be drawn.
            let few = all
                .iter_mut()
                .take(if most == Most::All { usize::MAX } else { 1 });
            few.for_each(|c| c.is_exact = true);
        }
        let (drawable, zeros): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|c| c.is_exact || !c.is_zero);
        let kept = largest_of_each_unit(&drawable, most);
        let (kept, smaller): (Vec<_>, Vec<_>) =
            drawable.into_iter().zip(kept).partition(|(_, kept)| *kept);
        let names = |all: Vec<Candidate>| all.into_iter().map(|c| c.name).collect::<Vec<_>>();
        let first =
            |all: Vec<(Candidate, bool)>| all.into_iter().map(|(c, _)| c).collect::<Vec<_>>();
        let kept = first(kept);
        let zero = |rounded: bool| {
            let zeros = kept
                .iter()
                .filter(|c| c.is_zero && (c.size > 0.0) == rounded);
            names(zeros.cloned().collect())
        };
        let (rounded, nothing) = (zero(true), zero(false));
        let mut choice = Self {
            columns: names(kept.clone()),
            zeros: [rounded.clone(), nothing.clone()].concat(),
            remarks: Vec::new(),
        };
        if !nothing.is_empty() {
            let remark = format!("Zero throughout: {}", list(&nothing));
            choice.remarks.push(remark);
        }
        if !rounded.is_empty() {
            choice.remarks.push(format!(
                "Smaller than rounding errors, so drawn as 0: {}; `--log y` draws the values themselves",
                list(&rounded)
            ));
        }
        choice.remark(&names(zeros), &names(first(smaller)));
        choice
    }

    fn remark(&mut self, zeros: &[String], smaller: &[String]) {
        let mut left = Vec::new();
        if !zeros.is_empty() {
            left.push(format!(
                "{} of zeros ({})",
                count(zeros.len(), "curve"),
                list(zeros)
            ));
        }
        if !smaller.is_empty() {
            let curves = count(smaller.len(), "smaller one");
            left.push(format!("{curves} ({})", list(smaller)));
        }
        if !left.is_empty() {
            self.remarks.push(format!(
                "Left out: {}; `--curves all` draws them",
                left.join(" and ")
            ));
        }
    }
}

/// Which of them are drawn: all that are named by themselves, and of the others the largest until a
/// unit has its most.
fn largest_of_each_unit(all: &[Candidate], most: Most) -> Vec<bool> {
    let Most::Of(most) = most else {
        return vec![true; all.len()];
    };
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by(|a, b| {
        let (a, b) = (&all[*a], &all[*b]);
        b.is_exact.cmp(&a.is_exact).then(b.size.total_cmp(&a.size))
    });
    let mut taken: BTreeMap<&str, usize> = BTreeMap::new();
    let mut kept = vec![false; all.len()];
    for index in order {
        let of_unit = taken.entry(&all[index].unit).or_default();
        if all[index].is_exact || *of_unit < most {
            kept[index] = true;
            *of_unit += 1;
        }
    }
    kept
}

/// The columns of a name: the one that is called so; or those of all things that have such a
/// quantity, or its components; or those that end so, as `bend`.
fn matching(run: &RunReader, name: &str) -> Vec<String> {
    if run.observable(name).is_some() {
        return vec![name.to_owned()];
    }
    let asked = Parts::of(name);
    let is_of = |column: &&str| {
        let parts = Parts::of(column);
        parts.quantity == asked.quantity
            && (asked.thing.is_none() || parts.thing == asked.thing)
            && (asked.component.is_none() || parts.component == asked.component)
    };
    if asked.quantity.is_empty() && asked.thing.is_none() {
        return Vec::new();
    }
    let columns = || run.observables().iter().map(|o| o.name.as_str());
    let found: Vec<String> = columns().filter(is_of).map(str::to_owned).collect();
    if !found.is_empty() {
        return found;
    }
    let ending = format!("_{name}");
    let ends_so = columns().filter(|column| Parts::of(column).quantity.ends_with(&ending));
    ends_so.map(str::to_owned).collect()
}

/// The columns of a name that all runs have.
fn named(name: &str, runs: &[Run]) -> Result<Vec<String>> {
    let mut columns = matching(&runs[0].reader, name);
    for run in runs {
        columns.retain(|column| run.reader.observable(column).is_some());
        if columns.is_empty() {
            let message = format!(
                "`{name}` is neither a directory nor an observable of the run in `{}`",
                run.reader.path().display()
            );
            return Err(unknown(&run.reader, name, message));
        }
    }
    Ok(columns)
}

/// The first column of a name.
///
/// # Errors
/// When there is none.
pub fn column(run: &RunReader, name: &str, message: impl FnOnce() -> String) -> Result<String> {
    let first = matching(run, name).into_iter().next();
    first.ok_or_else(|| unknown(run, name, message()))
}

/// That there is no such column, with the ones that may be meant.
fn unknown(run: &RunReader, name: &str, message: String) -> Failure {
    let mut known: Vec<&str> = run.observables().iter().map(|o| o.name.as_str()).collect();
    let likeness = |known: &str| {
        // People leave out what a quantity is of.
        let whole = strsim::jaro_winkler(known, name);
        whole.max(strsim::jaro_winkler(Parts::of(known).quantity, name))
    };
    let near = known.iter().copied();
    let near = near.max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    let meant = near.filter(|known| likeness(known) > ALIKE);
    let meant = meant.map_or(String::new(), |known| format!("did you mean `{known}`? "));
    let all = known.len();
    known.truncate(LISTED);
    let more = match all - known.len() {
        0 => String::new(),
        more => format!(" and {more} more, the columns of observables.csv"),
    };
    Failure::bad_input(message).help(format!(
        "{meant}There are {}{more}; runs come before observables",
        known.join(", ")
    ))
}

/// Largest value of each unit in these runs. Pure numbers have no scale in common.
fn scales(runs: &[Run]) -> BTreeMap<String, f64> {
    let mut scales = BTreeMap::new();
    for run in runs {
        for column in run.reader.observables() {
            if column.name != "t" && !matches!(column.unit.as_str(), "" | "1") {
                let scale: &mut f64 = scales.entry(column.unit.clone()).or_default();
                *scale = scale.max(largest(&column.values));
            }
        }
    }
    scales
}

fn size(runs: &[Run], name: &str) -> f64 {
    let columns = runs.iter().filter_map(|run| run.reader.observable(name));
    columns
        .map(|column| largest(&column.values))
        .fold(0.0, f64::max)
}

fn largest(values: &[f64]) -> f64 {
    let finite = values.iter().filter(|v| v.is_finite());
    finite.fold(0.0, |most, v| most.max(v.abs()))
}

pub fn unit<'a>(run: &'a RunReader, name: &str) -> &'a str {
    run.observable(name).map_or("", |o| o.unit.as_str())
}

/// Names, the first of them where there are many.
pub fn list(names: &[String]) -> String {
    match names.len() {
        0..=TOLD => names.join(", "),
        n => format!("{} and {} more", names[..TOLD - 1].join(", "), n - TOLD + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidates(sizes: &[f64]) -> Vec<Candidate> {
        let candidate = |(index, size): (usize, &f64)| Candidate {
            name: format!("rod{index}_pull_force"),
            unit: "N".to_owned(),
            is_exact: false,
            size: *size,
            is_zero: *size == 0.0,
        };
        sizes.iter().enumerate().map(candidate).collect()
    }

    #[test]
    fn the_largest_are_drawn_in_their_order() {
        let choice = Choice::among(candidates(&[1.0, 0.0, 3.0, 2.0]), Most::Of(2));
        assert_eq!(choice.columns, ["rod2_pull_force", "rod3_pull_force"]);
        assert_eq!(
            choice.remarks,
            [
                "Left out: 1 curve of zeros (rod1_pull_force) and 1 smaller one (rod0_pull_force); `--curves all` draws them"
            ]
        );
        let all = Choice::among(candidates(&[1.0, 0.0, 3.0]), Most::All);
        assert_eq!((all.columns.len(), all.zeros.len()), (3, 1));
    }

    #[test]
    fn what_is_named_is_drawn() {
        let mut all = candidates(&[1.0, 0.0, 3.0, 2.0]);
        all.iter_mut().take(2).for_each(|c| c.is_exact = true);
        let choice = Choice::among(all, Most::Of(1));
        assert_eq!(choice.columns, ["rod0_pull_force", "rod1_pull_force"]);
        assert_eq!(choice.zeros, ["rod1_pull_force"]);
    }

    #[test]
    fn of_zeros_one_is_drawn() {
        let choice = Choice::among(candidates(&[0.0, 0.0, 0.0]), Most::Of(8));
        assert_eq!(choice.columns, ["rod0_pull_force"]);
        assert_eq!(choice.remarks.len(), 2);
    }

    #[test]
    fn long_lists_are_cut() {
        let names: Vec<String> = (0..9).map(|i| i.to_string()).collect();
        assert_eq!(list(&names), "0, 1, 2, 3, 4 and 4 more");
        assert_eq!(list(&names[..6]), "0, 1, 2, 3, 4, 5");
    }
}
