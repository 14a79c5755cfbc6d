//! The matrix of a Newton iteration: a banded or sparse part that is factorised, and non-symmetric blocks known by their product.

use std::sync::Arc;

use crate::loads::Blocks;
use crate::model::Model;
use crate::solve::SolveError;
use crate::solve::band::{BandLu, BandMatrix};
use crate::solve::krylov::{KrylovOptions, KrylovWorkspace, fgmres};
use crate::solve::pattern::{BlockList, SparsePattern};
use crate::solve::sparse::{Ldlt, SparseSymmetric};

/// Half-bandwidth of a vertex stencil in the interleaved unknowns.
const HALF_BANDWIDTH: usize = 10;

/// Relative residual of the Krylov method: an inexact Newton step that does not slow the outer iteration.
const FORCING: f64 = 1e-3;
const RESTART: usize = 60;
const MAX_KRYLOV: usize = 240;

/// Which storage holds the matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Storage {
    /// Open rods that do not touch: everything is inside the band, symmetric or not.
    Band,
    /// Anything else: the symmetric part sparse, the rest in `general`.
    Sparse,
}

/// Matrix and factor, kept from iteration to iteration.
#[derive(Debug)]
pub(super) struct System {
    storage: Storage,
    band: BandMatrix,
    band_lu: BandLu,
    sparse: Option<Sparse>,
    general: BlockList,
    error: Option<SolveError>,
    /// Motion of prescribed unknowns that belongs to the correction, `(dofs)`; empty without.
    lift: Vec<f64>,
    /// Minus the matrix's prescribed columns times `lift`: what the motion adds to the right-hand side, `(dofs)`.
    lifted: Vec<f64>,
    dofs: Vec<u32>,
    values: Vec<f64>,
}

#[derive(Debug)]
struct Sparse {
    pairs: Vec<(u32, u32)>,
    matrix: SparseSymmetric,
    ldlt: Ldlt,
    maps: MapCache,
}

/// Positions of blocks in the sparse storage, in the order in which they were added last time.
#[derive(Debug, Default)]
struct MapCache {
    cursor: usize,
    /// Ends of each block in `keys` and `maps`.
    ends: Vec<(usize, usize)>,
    keys: Vec<u32>,
    maps: Vec<u32>,
}

impl MapCache {
    fn get(&mut self, pattern: &SparsePattern, dofs: &[u32]) -> Result<&[u32], SolveError> {
        let (key, map) = self.cursor.checked_sub(1).map_or((0, 0), |i| self.ends[i]);
        let known = self.ends.get(self.cursor).copied();
        let end = match known {
            Some((k, m)) if self.keys[key..k] == *dofs => m,
            _ => {
                self.ends.truncate(self.cursor);
                self.keys.truncate(key);
                self.maps.truncate(map);
                self.keys.extend_from_slice(dofs);
                pattern.append_block_map(dofs, &mut self.maps)?;
                self.ends.push((self.keys.len(), self.maps.len()));
                self.maps.len()
            }
        };
        self.cursor += 1;
        Ok(&self.maps[map..end])
    }
}

impl System {
    pub fn new(model: &Model) -> Self {
        let n = model.topology.dofs;
        Self {
            storage: Storage::Band,
            band: BandMatrix::new(n, HALF_BANDWIDTH),
            band_lu: BandLu::new(n, HALF_BANDWIDTH),
            sparse: None,
            general: BlockList::new(),
            error: None,
            lift: Vec::new(),
            lifted: Vec::new(),
            dofs: Vec::new(),
            values: Vec::new(),
        }
    }

    /// The storage that suits the model when `touching` pairs are in contact.
    pub fn choose(model: &Model, touching: bool) -> Storage {
        let couplings = model
            .loads
            .iter()
            .flat_map(|l| l.couplings(&model.topology));
        let mut wide = couplings.map(|dofs| match (dofs.iter().min(), dofs.iter().max()) {
            (Some(low), Some(high)) => high - low > HALF_BANDWIDTH,
            _ => false,
        });
        if touching || model.topology.any_closed() || wide.any(|w| w) {
            Storage::Sparse
        } else {
            Storage::Band
        }
    }

    /// Clears the matrix and prepares it for `candidates`, pairs of edges that may couple.
    pub fn begin(
        &mut self,
        model: &Model,
        storage: Storage,
        candidates: &[(u32, u32)],
    ) -> Result<(), SolveError> {
        self.storage = storage;
        self.general.clear();
        self.error = None;
        if storage == Storage::Band {
            self.band.set_zero();
            return Ok(());
        }
        match &mut self.sparse {
            Some(sparse) if sparse.pairs == candidates => {
                sparse.matrix.set_zero();
                sparse.maps.cursor = 0;
            }
            _ => {
                let pattern = Arc::new(pattern(model, candidates)?);
                self.sparse = Some(Sparse {
                    pairs: candidates.to_vec(),
                    ldlt: Ldlt::new(Arc::clone(&pattern))?,
                    matrix: SparseSymmetric::new(pattern),
                    maps: MapCache::default(),
                });
            }
        }
        Ok(())
    }

    /// The correction moves prescribed unknowns by `lift`, `(dofs)`, or not at all; before blocks are added.
    pub fn prescribe(&mut self, lift: Option<&[f64]>) {
        self.lift.clear();
        self.lifted.clear();
        if let Some(lift) = lift {
            self.lift.extend_from_slice(lift);
            self.lifted.resize(lift.len(), 0.0);
        }
    }

    /// Adds to a right-hand side what the motion of prescribed unknowns asks for.
    pub fn lift(&self, rhs: &mut [f64]) {
        for ((r, lift), lifted) in rhs.iter_mut().zip(&self.lift).zip(&self.lifted) {
            *r += lift + lifted;
        }
    }

    /// A sink for blocks that drops rows and columns of prescribed unknowns.
    pub fn sink<'a>(&'a mut self, fixed: &'a [bool]) -> Sink<'a> {
        Sink {
            system: self,
            fixed,
        }
    }

    /// Adds `shift` times `scale` to the diagonal of free unknowns and 1 to that of prescribed ones, then factorises.
    pub fn factor(&mut self, fixed: &[bool]) -> Result<(), SolveError> {
        for (dof, _) in fixed.iter().enumerate().filter(|(_, f)| **f) {
            self.put(&[dof as u32], &[1.0]);
        }
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        match (self.storage, &mut self.sparse) {
            (Storage::Sparse, Some(sparse)) => sparse.ldlt.factor(&sparse.matrix).map(|_| ()),
            _ => self.band_lu.factor(&self.band),
        }
    }

    /// Factorises again with `shift` times `weight` added to the diagonal.
    pub fn factor_shifted(&mut self, shift: f64, weight: &[f64]) -> Result<(), SolveError> {
        match (self.storage, &mut self.sparse) {
            (Storage::Sparse, Some(sparse)) => sparse
                .ldlt
                .factor_shifted(&sparse.matrix, shift, weight)
                .map(|_| ()),
            _ => {
                self.band.add_diagonal(shift, weight)?;
                let outcome = self.band_lu.factor(&self.band);
                self.band.add_diagonal(-shift, weight)?;
                outcome
            }
        }
    }

    /// Solves with the factorised part, in place; the residual is checked.
    pub fn solve(&mut self, x: &mut [f64]) -> Result<(), SolveError> {
        match (self.storage, &mut self.sparse) {
            (Storage::Sparse, Some(sparse)) => sparse.ldlt.solve(x).map(|_| ()),
            _ => self.band_lu.solve(&self.band, x).map(|_| ()),
        }
    }

    /// As [`System::solve`] without looking at the residual: for preconditioning.
    pub fn solve_unchecked(&mut self, x: &mut [f64]) -> Result<(), SolveError> {
        match (self.storage, &mut self.sparse) {
            (Storage::Sparse, Some(sparse)) => sparse.ldlt.solve_unchecked(x),
            _ => self.band_lu.solve_unchecked(x),
        }
    }

    /// Whether there are blocks outside the factorised part.
    pub fn has_general(&self) -> bool {
        !self.general.is_empty()
    }

    /// `y += G x` with the blocks outside the factorised part.
    pub fn general_mul_add(&self, x: &[f64], y: &mut [f64]) -> Result<(), SolveError> {
        self.general.mul_add(x, y)
    }

    /// Solves with all blocks, `(L + G) x = b`, by a Krylov method preconditioned with the factor of L; returns x and the iterations.
    pub fn solve_with_general(
        &mut self,
        b: &[f64],
        krylov: &mut KrylovWorkspace,
    ) -> Result<(Vec<f64>, usize), SolveError> {
        let mut solved = vec![0.0; b.len()];
        let (mut x, iterations) = right_preconditioned(b, krylov, |x, y| {
            solved.copy_from_slice(x);
            self.solve_unchecked(&mut solved)?;
            y.copy_from_slice(x);
            self.general_mul_add(&solved, y)
        })?;
        self.solve_unchecked(&mut x)?;
        Ok((x, iterations))
    }

    fn put(&mut self, dofs: &[u32], values: &[f64]) {
        let outcome = match (self.storage, &mut self.sparse) {
            (Storage::Sparse, Some(sparse)) => {
                let pattern = Arc::clone(sparse.matrix.pattern());
                match sparse.maps.get(&pattern, dofs) {
                    Ok(map) => sparse.matrix.add_block(map, values),
                    Err(error) => Err(error),
                }
            }
            _ => self.band.add_block(dofs, values),
        };
        if let (Err(error), None) = (outcome, self.error) {
            self.error = Some(error);
        }
    }
}

/// Solves `A x = b` for an operator A near the identity; returns x and the iterations.
pub(super) fn right_preconditioned(
    b: &[f64],
    krylov: &mut KrylovWorkspace,
    mut operator: impl FnMut(&[f64], &mut [f64]) -> Result<(), SolveError>,
) -> Result<(Vec<f64>, usize), SolveError> {
    let mut failed = None;
    let mut product = |x: &[f64], y: &mut [f64]| {
        if let Err(error) = operator(x, y) {
            failed = Some(error);
        }
    };
    let mut identity = |x: &[f64], y: &mut [f64]| y.copy_from_slice(x);
    let options = KrylovOptions {
        tolerance: FORCING,
        restart: RESTART,
        max_iterations: MAX_KRYLOV,
    };
    let mut x = b.to_vec();
    let report = fgmres(&mut product, &mut identity, b, &mut x, &options, krylov)?;
    match failed {
        Some(error) => Err(error),
        None => Ok((x, report.iterations)),
    }
}

/// Drops rows and columns of prescribed unknowns on the way into the system.
pub(super) struct Sink<'a> {
    system: &'a mut System,
    fixed: &'a [bool],
}

impl Sink<'_> {
    fn load(&mut self, dofs: &[usize], values: &[f64]) {
        let n = dofs.len();
        let system = &mut *self.system;
        system.dofs.clear();
        system.dofs.extend(dofs.iter().map(|d| *d as u32));
        system.values.clear();
        system.values.extend_from_slice(values);
        for (k, dof) in dofs.iter().enumerate() {
            if self.fixed[*dof] {
                if !system.lift.is_empty() {
                    let by = system.lift[*dof];
                    for (m, row) in dofs
                        .iter()
                        .enumerate()
                        .filter(|(_, row)| !self.fixed[**row])
                    {
                        system.lifted[*row] -= values[m * n + k] * by;
                    }
                }
                for m in 0..n {
                    system.values[k * n + m] = 0.0;
                    system.values[m * n + k] = 0.0;
                }
            }
        }
    }
}

impl Blocks for Sink<'_> {
    fn symmetric(&mut self, dofs: &[usize], values: &[f64]) {
        self.load(dofs, values);
        let indices = std::mem::take(&mut self.system.dofs);
        let block = std::mem::take(&mut self.system.values);
        self.system.put(&indices, &block);
        self.system.dofs = indices;
        self.system.values = block;
    }

    fn general(&mut self, dofs: &[usize], values: &[f64]) {
        if self.system.storage == Storage::Band {
            return self.symmetric(dofs, values);
        }
        self.load(dofs, values);
        let outcome = self
            .system
            .general
            .push(&self.system.dofs, &self.system.values);
        if let (Err(error), None) = (outcome, self.system.error) {
            self.system.error = Some(error);
        }
    }
}

fn pattern(model: &Model, candidates: &[(u32, u32)]) -> Result<SparsePattern, SolveError> {
    let topology = &model.topology;
    let narrow = |dofs: &[usize]| dofs.iter().map(|d| *d as u32).collect::<Vec<u32>>();
    let mut blocks: Vec<Vec<u32>> = Vec::new();
    for vertex in 0..topology.vertices() {
        blocks.push(narrow(&topology.vertex_dofs(vertex)));
    }
    for edge in 0..topology.edges() {
        blocks.push(narrow(&topology.edge_position_dofs(edge)));
        blocks.push(vec![topology.edge_dof[edge] as u32]);
    }
    for load in &model.loads {
        blocks.extend(load.couplings(topology).iter().map(|dofs| narrow(dofs)));
    }
    for (i, j) in candidates {
        blocks.push(narrow(&crate::contact::step::coupled_dofs(
            model,
            [*i as usize, *j as usize],
        )));
    }
    SparsePattern::from_blocks(topology.dofs, blocks.iter().map(Vec::as_slice))
}
