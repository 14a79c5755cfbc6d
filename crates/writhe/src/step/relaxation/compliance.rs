//! What forces at contacts do to the gaps and slips of all, through rods that are linear.

use std::ops::Range;

use crate::contact::site::{MOST_ROWS, Row, Site, Square};
use crate::model::Model;
use crate::rod::Topology;
use crate::solve::LinearSolver;
use crate::step::error::StepError;
use crate::step::system::System;

/// A row as one rod sees it: the rod's chain, and its place there.
type Place = (usize, usize);

/// The rows that see one rod.
#[derive(Debug)]
struct Chain {
    /// Number of rows.
    len: usize,
    /// Change of row i by a unit force on row j, at `j len + i`.
    compliance: Vec<f64>,
    /// Values of the rows by what this rod does, `(len)`.
    values: Vec<f64>,
}

/// Contacts coupled by rods.
#[derive(Debug)]
pub(super) struct Compliance {
    chains: Vec<Chain>,
    /// Where each row is, once for each rod that it sees.
    places: Vec<[Option<Place>; 2]>,
}

impl Compliance {
    /// Of `sites` by the band matrix last assembled; `free`, `(dofs)`, is what the unknowns do without
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
        let mut chains = Vec::new();
        for (rod, list) in seen.iter().enumerate().filter(|(_, list)| !list.is_empty()) {
            for (i, k) in list.iter().enumerate() {
                let place = places[*k].iter_mut().find(|p| p.is_none());
                if let Some(place) = place {
                    *place = Some((chains.len(), i));
                }
            }
            let list: Vec<&Row> = list.iter().map(|k| rows[*k]).collect();
            chains.push(Chain::new(model, rod, &list, system, free)?);
        }
        Ok(Some(Self { chains, places }))
    }

    /// The change of `rows` by forces on them.
    pub fn among(&self, rows: Range<usize>) -> Box<Square> {
        let mut own = Box::new([[0.0; MOST_ROWS]; MOST_ROWS]);
        for (j, column) in rows.clone().zip(own.iter_mut()) {
            for (i, value) in rows.clone().zip(column) {
                for (chain, pj) in self.places[j].iter().flatten() {
                    let seen = self.places[i].iter().flatten();
                    for (_, pi) in seen.filter(|(other, _)| other == chain) {
                        let chain = &self.chains[*chain];
                        *value += chain.compliance[pj * chain.len + pi];
                    }
                }
            }
        }
        own
    }

    /// Adds forces on all rows.
    pub fn push_all(&mut self, forces: &[f64]) {
        for (row, force) in forces.iter().enumerate().filter(|(_, f)| **f != 0.0) {
            self.push(row, *force);
        }
    }

    /// Value of a row.
    pub fn value(&self, row: usize) -> f64 {
        let places = self.places[row].iter().flatten();
        places
            .map(|(chain, i)| self.chains[*chain].values[*i])
            .sum()
    }

    /// Adds the force `by` on a row.
    pub fn push(&mut self, row: usize, by: f64) {
        for (chain, j) in self.places[row].iter().flatten() {
            let Chain {
                len,
                compliance,
                values,
            } = &mut self.chains[*chain];
            let column = &compliance[j * *len..(j + 1) * *len];
            for (value, c) in values.iter_mut().zip(column) {
                *value += by * c;
            }
        }
    }
}

impl Chain {
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
        let part = |row: &Row, x: &[f64]| -> f64 {
            let seen = row.terms.iter().filter(|(dof, _)| range.contains(dof));
            seen.map(|(dof, v)| v * x[dof - range.start]).sum()
        };
        let mut solver = system.window(range.start, layout.dofs);
        solver.factor()?;
        let len = rows.len();
        let mut compliance = Vec::with_capacity(len * len);
        let mut x = vec![0.0; layout.dofs];
        for row in rows {
            x.fill(0.0);
            let free = |dof: &usize| range.contains(dof) && !fixed[*dof];
            for (dof, v) in row.terms.iter().filter(|(dof, _)| free(dof)) {
                x[dof - range.start] += v;
            }
            solver.solve_unchecked(&mut x)?;
            compliance.extend(rows.iter().map(|other| part(other, &x)));
        }
        let free = &free[range.clone()];
        Ok(Self {
            len,
            compliance,
            values: rows.iter().map(|row| part(row, free)).collect(),
        })
    }
}

/// The rods that a row sees.
fn rods(topology: &Topology, row: &Row) -> [Option<usize>; 2] {
    let mut found = [None; 2];
    for (dof, _) in &row.terms {
        let rod = topology.rods.partition_point(|r| r.first_dof <= *dof) - 1;
        if found[0].is_none_or(|f| f == rod) {
            found[0] = Some(rod);
        } else {
            found[1] = Some(rod);
        }
    }
    found
}
