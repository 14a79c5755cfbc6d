//! Contacts of the same two rods, and groups of them that threads may share.
//!
//! A task moves what its rods do to their contacts and nothing else, so tasks of a colour, among which
//! no rod is twice, do not see each other.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use super::compliance::Compliance;
use crate::contact::site::{Block, Contact, Site};
use crate::threads;

/// Blocks that a thread prepares in a row, at least.
const BLOCKS_TOGETHER: usize = 16;

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
    /// Where its forces begin among those of its colour.
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

impl Colour {
    /// Numbers of all blocks, task by task.
    pub fn numbers(&self, of: impl Fn(&Visited, &mut Vec<f64>)) -> Vec<f64> {
        let mut out = Vec::with_capacity(self.rows);
        for task in &self.tasks {
            let blocks = &hold(task).blocks;
            blocks.iter().for_each(|visited| of(visited, &mut out));
        }
        out
    }
}

/// Blocks by the chains that they see, with the `forces` of all rows.
pub(super) fn tasks(
    sites: &[Site],
    blocks: &[Block],
    compliance: &Compliance,
    forces: &[f64],
) -> Vec<Task> {
    let visited = |block: &Block| {
        let rows = &block.rows;
        let chains = compliance.chains_of(rows.clone())?;
        let visited = Visited {
            contacts: (sites[block.sites.clone()].iter().map(Contact::new)).collect(),
            rows: rows.clone(),
            own: compliance.among(rows.clone()),
            forces: forces[rows.clone()].to_vec(),
            seen: vec![f64::NAN; rows.len()],
        };
        Some((chains, visited))
    };
    let grain = threads::grain(blocks.len(), BLOCKS_TOGETHER);
    let blocks = blocks.par_iter().with_min_len(grain);
    let found: Vec<_> = blocks.filter_map(visited).collect();
    let mut tasks = BTreeMap::<[usize; 2], Task>::new();
    for (chains, visited) in found {
        let task = tasks.entry(chains).or_insert_with(|| Task {
            chains,
            blocks: Vec::new(),
            rows: 0,
            start: 0,
        });
        task.rows += visited.rows.len();
        task.blocks.push(visited);
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
        let colour = &mut colours[colour];
        let start = colour.rows;
        colour.rows += task.rows;
        colour.tasks.push(Mutex::new(Task { start, ..task }));
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
