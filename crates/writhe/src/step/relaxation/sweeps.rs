//! Forces of contacts brought into balance, one contact after the other, again and again.
//!
//! Threads share the tasks of a colour ([`tasks`](super::tasks), [`crew`](super::crew)), and however
//! many there are, each finds the same.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::acceleration::{Acceleration, Next, Piece, Products};
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
/// Rows from which on they share combinations.
const WORTH_COMBINING: usize = 500;

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

/// What is done with the tasks of a colour, or with all pieces of the acceleration.
#[derive(Clone, Copy)]
enum Doing {
    Forwards,
    Backwards,
    Take,
    Begin,
    Note,
    Back,
    Combine,
}

const DOINGS: [Doing; 7] = [
    Doing::Forwards,
    Doing::Backwards,
    Doing::Take,
    Doing::Begin,
    Doing::Note,
    Doing::Back,
    Doing::Combine,
];

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
        let colours = colours(tasks, compliance.len());
        let sweeping = Sweeping {
            pieces: pieces(&colours, compliance.len()),
            factors: RwLock::default(),
            moved: AtomicU64::new(0),
            colours,
            compliance,
            length: self.length,
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
    /// By how much the tasks of a sweep moved surfaces at most, m: the bits of a number that is not
    /// negative, which are in its order.
    moved: AtomicU64,
    /// What combinations are made of: of each colour one piece.
    pieces: Vec<RwLock<Share>>,
    /// Factors of the next combination.
    factors: RwLock<Vec<f64>>,
}

/// The forces of a colour, and the values of some chains, for combinations.
struct Share {
    piece: Piece,
    chains: Range<usize>,
    products: Products,
    /// Forces to be taken by the tasks of the colour.
    given: Vec<f64>,
}

/// Of each colour one, of which nothing is known yet.
fn pieces(colours: &[Colour], chains: usize) -> Vec<RwLock<Share>> {
    let count = colours.len();
    let pieces = colours.iter().enumerate().map(|(k, colour)| {
        // Squares of forces count by how far they move their own rows.
        let stiffness = colour.numbers(|visited, out| {
            let n = visited.rows.len();
            out.extend((0..n).map(|i| visited.own[i * n + i]));
        });
        RwLock::new(Share {
            piece: Piece::new(stiffness),
            chains: k * chains / count..(k + 1) * chains / count,
            products: Products::default(),
            given: Vec::new(),
        })
    });
    pieces.collect()
}

impl Sweeping<'_> {
    /// Sweeps until motions are small; returns the motion of the first and of the last one, in radii,
    /// and whether they are.
    fn run<W: Fn(usize, usize) + Sync>(
        &self,
        residual: &Residual,
        lead: &Lead<W>,
    ) -> Result<(Option<f64>, f64, bool), StepError> {
        let mut acceleration = Acceleration::new();
        let (mut first, mut last) = (None, f64::INFINITY);
        for sweep in 0..SWEEPS {
            residual.check_poll()?;
            if sweep % 2 == 0 {
                self.combine(Doing::Begin, lead);
                last = self.once(Doing::Forwards, lead);
            } else {
                last = self.once(Doing::Backwards, lead);
            }
            let first = *first.get_or_insert(last);
            if last <= STILL.max(STILL_BEFORE * first) {
                return Ok((Some(first), last, true));
            }
            // What a combination leads to is looked at by further sweeps.
            if sweep % 2 == 1 && sweep + 1 < SWEEPS {
                self.accelerate(&mut acceleration, lead);
            }
        }
        Ok((first, last, false))
    }

    /// Goes on from a better point than what two sweeps led to, if there is one.
    fn accelerate<W: Fn(usize, usize) + Sync>(
        &self,
        acceleration: &mut Acceleration,
        lead: &Lead<W>,
    ) {
        self.combine(Doing::Note, lead);
        let products = self.pieces.iter().map(|piece| read(piece).products).sum();
        match acceleration.next(&products) {
            Next::GoOn => return,
            Next::Back => self.combine(Doing::Back, lead),
            Next::Combine(factors) => {
                *write(&self.factors) = factors;
                self.combine(Doing::Combine, lead);
            }
        }
        self.once(Doing::Take, lead);
    }

    /// All blocks once; returns by how much surfaces moved at most in these visits, in radii.
    fn once<W: Fn(usize, usize) + Sync>(&self, doing: Doing, lead: &Lead<W>) -> f64 {
        let count = self.colours.len();
        for k in 0..count {
            let colour = match doing {
                Doing::Backwards => count - 1 - k,
                _ => k,
            };
            let Colour { tasks, rows } = &self.colours[colour];
            lead.share(part(colour, doing), tasks.len(), *rows >= WORTH_SHARING);
        }
        f64::from_bits(self.moved.swap(0, Ordering::Relaxed)) / self.length
    }

    /// All pieces of the acceleration once.
    fn combine<W: Fn(usize, usize) + Sync>(&self, doing: Doing, lead: &Lead<W>) {
        let rows: usize = self.colours.iter().map(|colour| colour.rows).sum();
        lead.share(part(0, doing), self.pieces.len(), rows >= WORTH_COMBINING);
    }

    fn work_on(&self, part: usize, task: usize) {
        let (colour, doing) = part_of(part);
        let own = || hold(&self.colours[colour].tasks[task]);
        match doing {
            Doing::Forwards => self.visit_all(&mut own(), false),
            Doing::Backwards => self.visit_all(&mut own(), true),
            Doing::Take => self.take(&mut own(), &read(&self.pieces[colour]).given),
            Doing::Begin | Doing::Note | Doing::Back | Doing::Combine => {
                self.accelerate_piece(doing, task);
            }
        }
    }

    /// The part of a colour in an acceleration.
    fn accelerate_piece(&self, doing: Doing, colour: usize) {
        let share = &mut *write(&self.pieces[colour]);
        let forces = || {
            let colour = &self.colours[colour];
            colour.numbers(|visited, out| out.extend_from_slice(&visited.forces))
        };
        let chains = || share.chains.clone();
        let (given, values) = match doing {
            Doing::Note => {
                let values = self.compliance.values(chains());
                share.products = share.piece.note(forces(), values);
                return;
            }
            Doing::Back => share.piece.back(),
            Doing::Combine => share.piece.combine(&read(&self.factors)),
            _ => return share.piece.begin(forces()),
        };
        self.compliance.set_values(chains(), &values);
        share.given = given;
    }

    /// All tasks, colour by colour.
    fn all(&self) -> impl Iterator<Item = MutexGuard<'_, Task>> {
        let tasks = self.colours.iter().flat_map(|colour| &colour.tasks);
        tasks.map(hold)
    }

    /// Visits the blocks of a task once.
    fn visit_all(&self, task: &mut Task, backwards: bool) {
        let mut held = self.compliance.hold(task.chains);
        let mut moved = 0.0_f64;
        let count = task.blocks.len();
        for k in 0..count {
            let visited = &mut task.blocks[if backwards { count - 1 - k } else { k }];
            moved = moved.max(self.visit(visited, &mut held));
        }
        // Most say nothing new, and leave what all read where it is.
        if moved > f64::from_bits(self.moved.load(Ordering::Relaxed)) {
            self.moved.fetch_max(moved.to_bits(), Ordering::Relaxed);
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

    /// Takes the forces of a combination, those `given` to its colour, whose values rows have; what
    /// contacts cannot exert is left out.
    fn take(&self, task: &mut Task, given: &[f64]) {
        let still = SAME * self.length;
        let mut held = self.compliance.hold(task.chains);
        let mut rest = &given[task.start..task.start + task.rows];
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
    DOINGS.len() * colour + doing as usize
}

/// What the number says.
fn part_of(part: usize) -> (usize, Doing) {
    (part / DOINGS.len(), DOINGS[part % DOINGS.len()])
}

/// A panic on another thread ends the step with all of it.
fn read<T>(what: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    what.read().unwrap_or_else(PoisonError::into_inner)
}

fn write<T>(what: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    what.write().unwrap_or_else(PoisonError::into_inner)
}
