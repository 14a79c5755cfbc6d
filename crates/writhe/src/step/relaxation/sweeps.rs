//! Forces of contacts brought into balance, one contact after the other, again and again.
//!
//! Threads share the tasks of a colour ([`tasks`](super::tasks), [`crew`](super::crew)), and however
//! many there are, each finds the same.

use std::sync::{MutexGuard, PoisonError, RwLock};

use super::acceleration::Acceleration;
use super::compliance::{Compliance, Held};
use super::crew::{Lead, with_crew};
use super::tasks::{Colour, Task, Visited, colours, hold, tasks};
use crate::contact::site::{Balance, Block, MOST_ROWS, Site, admit};
use crate::step::error::StepError;
use crate::step::residual::Residual;

/// Sweeps in a round.
const SWEEPS: usize = 100;
/// Motion of surfaces in a sweep, in radii, at which sweeps end: a fiftieth of what sticks before it
/// slips, so that few contacts are still to turn.
const STILL: f64 = 3e-6;
/// The same over that of the first sweep: what is linearised anew need not be exact.
const STILL_BEFORE: f64 = 1e-3;
/// Change of what the others do to a contact, in radii, up to which it is not visited.
const SAME: f64 = 0.1 * STILL;
/// The motion of a sweep over that of the first one at which depths are nearly known.
const ROUGH: f64 = 1e-2;
/// Rows of a colour from which on threads share it: some microseconds of work.
const WORTH_SHARING: usize = 20;

/// How sweeps ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sweeps {
    /// Motions became as small as wanted, or nearly.
    Settled,
    /// They became less.
    Fell,
    /// They did not.
    Grew,
}

/// What is done with the tasks of a colour.
#[derive(Clone, Copy)]
enum Doing {
    Forwards,
    Backwards,
    Take,
}

/// The contacts of a round, to be visited one after the other.
pub(super) struct Contacts<'a> {
    pub sites: &'a [Site],
    pub blocks: &'a [Block],
    /// A radius, m.
    pub length: f64,
}

impl Contacts<'_> {
    /// Brings `forces` into balance, forwards and backwards in turn.
    pub fn sweep(
        &self,
        compliance: &Compliance,
        forces: &mut [f64],
        residual: &Residual,
    ) -> Result<Sweeps, StepError> {
        let tasks = tasks(self.sites, self.blocks, compliance, forces);
        let sweeping = Sweeping {
            colours: colours(tasks, compliance.len()),
            compliance,
            length: self.length,
            given: RwLock::default(),
        };
        let (first, last, settled) = with_crew(
            |part, task| sweeping.work_on(part, task),
            |lead| sweeping.run(residual, lead),
        )?;
        for task in sweeping.all() {
            for visited in &task.blocks {
                forces[visited.rows.clone()].copy_from_slice(&visited.forces);
            }
        }
        // NaN is no less.
        Ok(match first {
            _ if settled => Sweeps::Settled,
            Some(first) if last <= ROUGH * first => Sweeps::Settled,
            Some(first) if last < first => Sweeps::Fell,
            _ => Sweeps::Grew,
        })
    }
}

/// Contacts that are being swept over.
struct Sweeping<'a> {
    colours: Vec<Colour>,
    compliance: &'a Compliance,
    /// A radius, m.
    length: f64,
    /// Forces of all tasks to be taken, colour by colour.
    given: RwLock<Vec<f64>>,
}

impl Sweeping<'_> {
    /// Sweeps until motions are small; returns the motion of the first and of the last one, in radii,
    /// and whether they are.
    fn run<W: Fn(usize, usize) + Sync>(
        &self,
        residual: &Residual,
        lead: &Lead<W>,
    ) -> Result<(Option<f64>, f64, bool), StepError> {
        let stiffness = self.of_blocks(|visited, out| {
            let n = visited.rows.len();
            out.extend((0..n).map(|i| visited.own[i * n + i]));
        });
        let found = || self.of_blocks(|visited, out| out.extend_from_slice(&visited.forces));
        let mut acceleration = Acceleration::new(stiffness);
        let (mut first, mut last) = (None, f64::INFINITY);
        for sweep in 0..SWEEPS {
            residual.check_poll()?;
            if sweep % 2 == 0 {
                acceleration.begin(found());
                last = self.once(Doing::Forwards, lead);
            } else {
                last = self.once(Doing::Backwards, lead);
            }
            let first = *first.get_or_insert(last);
            if last <= STILL.max(STILL_BEFORE * first) {
                return Ok((Some(first), last, true));
            }
            // What a combination leads to is looked at by further sweeps.
            if sweep % 2 == 1
                && sweep + 1 < SWEEPS
                && let Some((forces, values)) = acceleration.next(found(), self.compliance.values())
            {
                self.compliance.set_values(&values);
                *(self.given.write()).unwrap_or_else(PoisonError::into_inner) = forces;
                self.once(Doing::Take, lead);
            }
        }
        Ok((first, last, false))
    }

    /// All blocks once; returns by how much surfaces moved at most in their last visits, in radii.
    fn once<W: Fn(usize, usize) + Sync>(&self, doing: Doing, lead: &Lead<W>) -> f64 {
        let count = self.colours.len();
        let mut most = 0.0_f64;
        for k in 0..count {
            let colour = match doing {
                Doing::Backwards => count - 1 - k,
                Doing::Forwards | Doing::Take => k,
            };
            let Colour { tasks, rows } = &self.colours[colour];
            lead.share(part(colour, doing), tasks.len(), *rows >= WORTH_SHARING);
            most = (tasks.iter()).fold(most, |most, task| most.max(hold(task).moved));
        }
        most / self.length
    }

    fn work_on(&self, part: usize, task: usize) {
        let (colour, doing) = part_of(part);
        let task = &mut hold(&self.colours[colour].tasks[task]);
        match doing {
            Doing::Forwards => self.visit_all(task, false),
            Doing::Backwards => self.visit_all(task, true),
            Doing::Take => self.take(task),
        }
    }

    /// All tasks, colour by colour.
    fn all(&self) -> impl Iterator<Item = MutexGuard<'_, Task>> {
        let tasks = self.colours.iter().flat_map(|colour| &colour.tasks);
        tasks.map(hold)
    }

    /// Numbers of all blocks, task by task.
    fn of_blocks(&self, of: impl Fn(&Visited, &mut Vec<f64>)) -> Vec<f64> {
        let rows = self.colours.iter().map(|colour| colour.rows).sum();
        let mut out = Vec::with_capacity(rows);
        for task in self.all() {
            task.blocks.iter().for_each(|visited| of(visited, &mut out));
        }
        out
    }

    /// Visits the blocks of a task once.
    fn visit_all(&self, task: &mut Task, backwards: bool) {
        let mut held = self.compliance.hold(task.chains);
        task.moved = 0.0;
        let count = task.blocks.len();
        for k in 0..count {
            let visited = &mut task.blocks[if backwards { count - 1 - k } else { k }];
            task.moved = task.moved.max(self.visit(visited, &mut held));
        }
    }

    /// Brings the forces of a block into balance, unless they are; returns by how much that moves
    /// surfaces, m.
    fn visit(&self, visited: &mut Visited, held: &mut Held) -> f64 {
        let n = visited.rows.len();
        let Visited {
            contacts,
            rows,
            own,
            forces,
            seen,
        } = visited;
        // The rows without these forces.
        let mut free = [0.0; MOST_ROWS];
        let free = &mut free[..n];
        for (i, (row, free)) in rows.clone().zip(free.iter_mut()).enumerate() {
            let by_own: f64 = (0..n).map(|j| own[j * n + i] * forces[j]).sum();
            *free = held.value(row) - by_own;
        }
        let still = SAME * self.length;
        let mut both = seen.iter().zip(&*free);
        if both.all(|(seen, free)| (seen - free).abs() <= still) {
            return 0.0;
        }
        let mut y = [0.0; MOST_ROWS];
        let y = &mut y[..n];
        y.copy_from_slice(forces);
        let balance = Balance {
            contacts,
            free,
            own,
        };
        let balanced = balance.find(y);
        let mut moved = [0.0; MOST_ROWS];
        for (j, row) in rows.clone().enumerate() {
            let change = y[j] - forces[j];
            if change != 0.0 {
                held.push(row, change);
                for (moved, own) in moved.iter_mut().zip(&own[j * n..(j + 1) * n]) {
                    *moved += change * own;
                }
            }
        }
        forces.copy_from_slice(y);
        let moved = moved.iter().fold(0.0, |most: f64, m| most.max(m.abs()));
        // Forces that still change may not have settled: the block is visited again.
        match balanced && moved <= still {
            true => seen.copy_from_slice(free),
            false => seen.fill(f64::NAN),
        }
        moved
    }

    /// Takes the forces of a combination, whose values rows have; what contacts cannot exert is left
    /// out.
    fn take(&self, task: &mut Task) {
        let still = SAME * self.length;
        let mut held = self.compliance.hold(task.chains);
        let all = self.given.read().unwrap_or_else(PoisonError::into_inner);
        let mut rest = &all[task.start..task.start + task.rows];
        for visited in &mut task.blocks {
            let n = visited.rows.len();
            let (given, others) = rest.split_at(n);
            rest = others;
            let mut new = [0.0; MOST_ROWS];
            let new = &mut new[..n];
            new.copy_from_slice(given);
            admit(&visited.contacts, new);
            for (row, (new, given)) in visited.rows.clone().zip(new.iter().zip(given)) {
                if new != given {
                    held.push(row, new - given);
                }
            }
            let mut both = visited.forces.iter().zip(&*new).enumerate();
            if both.any(|(i, (old, new))| ((new - old) * visited.own[i * n + i]).abs() > still) {
                visited.seen.fill(f64::NAN);
            }
            visited.forces.copy_from_slice(new);
        }
    }
}

/// The number of what is done with a colour.
fn part(colour: usize, doing: Doing) -> usize {
    3 * colour + doing as usize
}

/// What the number says.
fn part_of(part: usize) -> (usize, Doing) {
    let doing = [Doing::Forwards, Doing::Backwards, Doing::Take][part % 3];
    (part / 3, doing)
}
