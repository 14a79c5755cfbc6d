//! Contacts of the same two rods, and groups of them that threads may share.
//!
//! A task moves what its rods do to their contacts and nothing else, so tasks of a colour, among which
//! no rod is twice, do not see each other.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::compliance::Compliance;
use crate::contact::site::{Block, Contact, Site};

/// Contacts that are solved for at once, and how they are.
pub(super) struct Visited {
    pub contacts: Vec<Contact>,
    pub rows: Range<usize>,
    /// Change of row i by a unit force on row j at `j n + i`.
    pub own: Vec<f64>,
    pub forces: Vec<f64>,
    /// What the others did to each row when it was visited last.
    pub seen: Vec<f64>,
}

/// Contacts of the same rods.
pub(super) struct Task {
    /// Their chains of the compliance.
    pub chains: [usize; 2],
    pub blocks: Vec<Visited>,
    /// Number of their rows.
    pub rows: usize,
    /// By how much the last visit moved surfaces, m.
    pub moved: f64,
    /// Where its forces begin among those of all tasks, colour by colour.
    pub start: usize,
}

/// Tasks that do not see each other.
#[derive(Default)]
pub(super) struct Colour {
    /// Who works on a task holds it; nobody else asks for it.
    pub tasks: Vec<Mutex<Task>>,
    /// Rows of all of them.
    pub rows: usize,
}

/// Blocks by the chains that they see, with the `forces` of all rows.
pub(super) fn tasks(
    sites: &[Site],
    blocks: &[Block],
    compliance: &Compliance,
    forces: &[f64],
) -> Vec<Task> {
    let mut tasks = BTreeMap::<[usize; 2], Task>::new();
    for block in blocks {
        let rows = &block.rows;
        let Some(chains) = compliance.chains_of(rows.clone()) else {
            continue;
        };
        let task = tasks.entry(chains).or_insert_with(|| Task {
            chains,
            blocks: Vec::new(),
            rows: 0,
            moved: 0.0,
            start: 0,
        });
        task.rows += rows.len();
        task.blocks.push(Visited {
            contacts: (sites[block.sites.clone()].iter().map(Contact::new)).collect(),
            rows: rows.clone(),
            own: compliance.among(rows.clone()),
            forces: forces[rows.clone()].to_vec(),
            seen: vec![f64::NAN; rows.len()],
        });
    }
    tasks.into_values().collect()
}

/// A task; a panic on another thread ends the step with all of it.
pub(super) fn hold(task: &Mutex<Task>) -> MutexGuard<'_, Task> {
    task.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Tasks in groups within which no chain is twice; those with many rows first, so that tasks of a
/// group are alike.
pub(super) fn colours(mut tasks: Vec<Task>, chains: usize) -> Vec<Colour> {
    tasks.sort_by_key(|task| Reverse(task.rows));
    let mut colours: Vec<Colour> = Vec::new();
    let mut taken: Vec<Vec<bool>> = Vec::new();
    for task in tasks {
        let free = taken
            .iter()
            .position(|t| task.chains.iter().all(|c| !t[*c]));
        let colour = free.unwrap_or(colours.len());
        if colour == colours.len() {
            colours.push(Colour::default());
            taken.push(vec![false; chains]);
        }
        for chain in task.chains {
            taken[colour][chain] = true;
        }
        colours[colour].rows += task.rows;
        colours[colour].tasks.push(Mutex::new(task));
    }
    let mut start = 0;
    for task in colours.iter_mut().flat_map(|colour| &mut colour.tasks) {
        let task = task.get_mut().unwrap_or_else(PoisonError::into_inner);
        task.start = start;
        start += task.rows;
    }
    colours
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::testing::Random;

    #[test]
    fn tasks_of_a_colour_have_no_rod_in_common() {
        let mut random = Random(5);
        let mut one = |below: usize| random.range(0.0, below as f64) as usize;
        let (rods, count) = (20, 150);
        let tasks: Vec<Task> = (0..count)
            .map(|_| Task {
                chains: [one(rods), one(rods)],
                blocks: Vec::new(),
                rows: one(40),
                moved: 0.0,
                start: 0,
            })
            .collect();
        let mut known: Vec<([usize; 2], usize)> =
            tasks.iter().map(|t| (t.chains, t.rows)).collect();
        let colours = colours(tasks, rods);
        let mut found = Vec::new();
        for colour in &colours {
            let mut seen = vec![false; rods];
            for task in &colour.tasks {
                let task = hold(task);
                let [a, b] = task.chains;
                assert!(!seen[a] && !seen[b], "{:?}", task.chains);
                (seen[a], seen[b]) = (true, true);
                found.push((task.chains, task.rows));
            }
        }
        known.sort_unstable();
        found.sort_unstable();
        assert_eq!(known, found);
        assert!(colours.len() < count / 2, "{}", colours.len());
    }
}
