//! What forces at contacts do to the gaps and slips of all, through rods that are linear.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use crate::contact::site::{Row, Site};
use crate::model::Model;
use crate::rod::Topology;
use crate::solve::LinearSolver;
use crate::solve::rods::{LANES, Lanes};
use crate::step::error::StepError;
use crate::step::system::System;
use crate::threads;

/// A row as one rod sees it: the rod's chain, and its place there.
type Place = (usize, usize);

/// The rows that see one rod.
#[derive(Debug)]
struct Chain {
    /// Number of rows.
    len: usize,
    /// Change of row i by a unit force on row j, at `j len + i`. In single precision, since sweeps take
    /// as long as it takes to read this: forces are in balance with the rows' values all the same,
    /// which are off by a ten millionth of what moves.
    compliance: Vec<f32>,
    /// Values of the rows by what this rod does, `(len)`.
    values: Mutex<Vec<f64>>,
}

/// Contacts coupled by rods.
#[derive(Debug)]
pub(super) struct Compliance {
    chains: Vec<Chain>,
    /// Where each row is, once for each rod that it sees.
    places: Vec<[Option<Place>; 2]>,
    arch: pulp::Arch,
}

impl Compliance {
    /// Of `sites` by the matrix of rods last assembled; `free`, `(dofs)`, is what the unknowns do without
    /// any contact. `None` if more than `most` rows see one rod.
    pub fn new(
        model: &Model,
        sites: &[Site],
        system: &System,
        free: &[f64],
        most: usize,
    ) -> Result<Option<Self>, StepError> {
        let topology = &model.topology;
        let rows: Vec<&Row> = sites.iter().flat_map(Site::rows).collect();
        let mut places = vec![[None; 2]; rows.len()];
        let mut seen: Vec<Vec<usize>> = vec![Vec::new(); topology.rods.len()];
        for (k, row) in rows.iter().enumerate() {
            for rod in rods(topology, row).into_iter().flatten() {
                seen[rod].push(k);
            }
        }
        if seen.iter().any(|list| list.len() > most) {
            return Ok(None);
        }
        let seen: Vec<(usize, Vec<usize>)> = (seen.into_iter().enumerate())
            .filter(|(_, list)| !list.is_empty())
            .collect();
        for (chain, (_, list)) in seen.iter().enumerate() {
            for (i, k) in list.iter().enumerate() {
                let place = places[*k].iter_mut().find(|p| p.is_none());
                if let Some(place) = place {
                    *place = Some((chain, i));
                }
            }
        }
        let grain = threads::grain(seen.len(), 1);
        let chains: Result<_, StepError> = (seen.par_iter().with_min_len(grain))
            .map(|(rod, list)| {
                let list: Vec<&Row> = list.iter().map(|k| rows[*k]).collect();
                Chain::new(model, *rod, &list, system, free)
            })
            .collect();
        let chains = chains?;
        Ok(Some(Self {
            chains,
            places,
            arch: pulp::Arch::new(),
        }))
    }

    /// Number of chains.
    pub fn len(&self) -> usize {
        self.chains.len()
    }

    /// The chains that see `rows`, one twice if it is alone; `None` if there is none.
    pub fn chains_of(&self, rows: Range<usize>) -> Option<[usize; 2]> {
        let seen = || self.places[rows.clone()].iter().flatten().flatten();
        let chains = seen().map(|(chain, _)| *chain);
        Some([chains.clone().min()?, chains.max()?])
    }

    /// The change of row i by a unit force on row j at `j n + i`, for n `rows`.
    pub fn among(&self, rows: Range<usize>) -> Vec<f64> {
        let mut own = vec![0.0; rows.len() * rows.len()];
        for (j, column) in rows.clone().zip(own.chunks_exact_mut(rows.len())) {
            for (i, value) in rows.clone().zip(column) {
                for (chain, pj) in self.places[j].iter().flatten() {
                    let seen = self.places[i].iter().flatten();
                    for (_, pi) in seen.filter(|(other, _)| other == chain) {
                        let chain = &self.chains[*chain];
                        *value += f64::from(chain.compliance[pj * chain.len + pi]);
                    }
                }
            }
        }
        own
    }

    /// Adds forces on all rows.
    pub fn push_all(&mut self, forces: &[f64]) {
        let mut on_chains: Vec<Vec<(usize, f64)>> = vec![Vec::new(); self.chains.len()];
        for (places, force) in self.places.iter().zip(forces).filter(|(_, f)| **f != 0.0) {
            for (chain, place) in places.iter().flatten() {
                on_chains[*chain].push((*place, *force));
            }
        }
        let grain = threads::grain(self.chains.len(), 1);
        let chains = self.chains.par_iter().with_min_len(grain);
        (chains.zip(on_chains)).for_each(|(chain, forces)| {
            let mut values = chain.values();
            for (place, force) in forces {
                chain.push(self.arch, &mut values, place, force);
            }
        });
    }

    /// Value of a row.
    pub fn value(&self, row: usize) -> f64 {
        let places = self.places[row].iter().flatten();
        places
            .map(|(chain, i)| self.chains[*chain].values()[*i])
            .sum()
    }

    /// Values of all rows of some chains.
    pub fn values(&self, chains: Range<usize>) -> Vec<f64> {
        let chains = &self.chains[chains];
        let mut all = Vec::with_capacity(chains.iter().map(|chain| chain.len).sum());
        for chain in chains {
            all.extend_from_slice(&chain.values());
        }
        all
    }

    /// Sets them.
    pub fn set_values(&self, chains: Range<usize>, values: &[f64]) {
        let mut rest = values;
        for chain in &self.chains[chains] {
            let (own, others) = rest.split_at(chain.len);
            chain.values().copy_from_slice(own);
            rest = others;
        }
    }

    /// Two chains, or one that is named twice, for one thread.
    pub fn hold(&self, chains: [usize; 2]) -> Held<'_> {
        let second = (chains[1] != chains[0]).then(|| self.chains[chains[1]].values());
        Held {
            compliance: self,
            chains,
            values: [Some(self.chains[chains[0]].values()), second],
        }
    }
}

/// Chains that one thread moves.
pub(super) struct Held<'a> {
    compliance: &'a Compliance,
    chains: [usize; 2],
    values: [Option<MutexGuard<'a, Vec<f64>>>; 2],
}

impl Held<'_> {
    /// Value of a row that these chains alone see.
    pub fn value(&self, row: usize) -> f64 {
        let mut sum = 0.0;
        for (chain, i) in self.compliance.places[row].iter().flatten() {
            let side = usize::from(*chain != self.chains[0]);
            sum += self.values[side].as_ref().map_or(0.0, |values| values[*i]);
        }
        sum
    }

    /// Adds the force `by` on such a row.
    pub fn push(&mut self, row: usize, by: f64) {
        for (index, j) in self.compliance.places[row].iter().flatten() {
            let chain = &self.compliance.chains[*index];
            let side = usize::from(*index != self.chains[0]);
            let Some(values) = self.values[side].as_mut() else {
                continue;
            };
            chain.push(self.compliance.arch, values, *j, by);
        }
    }
}

impl Chain {
    /// Values of its rows. No thread waits: tasks that go on at once have no chain in common.
    fn values(&self) -> MutexGuard<'_, Vec<f64>> {
        self.values.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds to its `values` what the force `by` on one of its rows does.
    #[inline]
    fn push(&self, arch: pulp::Arch, values: &mut [f64], row: usize, by: f64) {
        let column = &self.compliance[row * self.len..(row + 1) * self.len];
        arch.dispatch(|| {
            for (value, c) in values.iter_mut().zip(column) {
                *value += by * f64::from(*c);
            }
        });
    }

    fn new(
        model: &Model,
        rod: usize,
        rows: &[&Row],
        system: &System,
        free: &[f64],
    ) -> Result<Self, StepError> {
        let layout = &model.topology.rods[rod];
        let fixed = model.constraints.fixed();
        let range = layout.first_dof..layout.first_dof + layout.dofs;
        let seen: Vec<Vec<(usize, f64)>> = (rows.iter())
            .map(|row| {
                let terms = row.terms.iter().filter(|(dof, _)| range.contains(dof));
                terms.map(|(dof, v)| (dof - range.start, *v)).collect()
            })
            .collect();
        let mut solver = system.window(range.start, layout.dofs);
        solver.factor()?;
        let len = rows.len();
        let mut compliance = vec![0.0; len * len];
        let mut x = vec![Lanes::default(); layout.dofs];
        let columns = compliance.chunks_mut((LANES * len).max(1));
        let arch = pulp::Arch::new();
        for (forces, columns) in seen.chunks(LANES).zip(columns) {
            x.fill(Lanes::default());
            let mut first = layout.dofs;
            for (lane, row) in forces.iter().enumerate() {
                for (dof, v) in row.iter().filter(|(dof, _)| !fixed[range.start + dof]) {
                    x[*dof][lane] += v;
                    first = first.min(*dof);
                }
            }
            solver.solve_lanes(first.min(layout.dofs - 1), &mut x)?;
            arch.dispatch(Values {
                rows: &seen,
                unknowns: &x,
                columns,
            });
        }
        let part = |row: &Vec<(usize, f64)>| -> f64 {
            row.iter().map(|(dof, v)| v * free[range.start + dof]).sum()
        };
        Ok(Self {
            len,
            compliance,
            values: Mutex::new(seen.iter().map(part).collect()),
        })
    }
}

/// Values of rows at several vectors of unknowns, a column for each. Compiled once per instruction set
/// and chosen at run time.
struct Values<'a> {
    rows: &'a [Vec<(usize, f64)>],
    unknowns: &'a [Lanes],
    columns: &'a mut [f32],
}

impl pulp::WithSimd for Values<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        let len = self.rows.len();
        for (i, row) in self.rows.iter().enumerate() {
            let mut sums = Lanes::default();
            for (dof, v) in row {
                for (sum, x) in sums.iter_mut().zip(&self.unknowns[*dof]) {
                    *sum += v * x;
                }
            }
            for (column, sum) in self.columns.chunks_mut(len).zip(sums) {
                column[i] = sum as f32;
            }
        }
    }
}

/// The rods that a row sees.
fn rods(topology: &Topology, row: &Row) -> [Option<usize>; 2] {
    let mut found = [None; 2];
    let holds = |rod: usize, dof: usize| {
        let layout = &topology.rods[rod];
        (layout.first_dof..layout.first_dof + layout.dofs).contains(&dof)
    };
    for (dof, _) in &row.terms {
        // Most are of a rod that is known.
        if found.iter().flatten().any(|rod| holds(*rod, *dof)) {
            continue;
        }
        let rod = topology.rods.partition_point(|r| r.first_dof <= *dof) - 1;
        found[usize::from(found[0].is_some())] = Some(rod);
    }
    found
}
