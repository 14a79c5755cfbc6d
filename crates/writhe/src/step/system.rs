//! The matrix of a Newton iteration, of rods one by one or of sparse blocks, symmetric or not.

use std::ops::Range;

use super::pattern::pattern;
use super::rods::{loads_act_along_rods, separate_rods};
use crate::assembly::{Blocks, PairBlocks, VertexBlocks, VertexColumns, of_difference};
use crate::contact::{ContactFrame, ContactSet};
use crate::model::Model;
use crate::model::pairs::unknowns::nodes;
use crate::rod::Topology;
use crate::solve::krylov::{KrylovOptions, KrylovWorkspace, fgmres};
use crate::solve::linear::{Rods, SparseBlocks};
use crate::solve::{LinearSolver, Poll, SolveError};

const RESTART: usize = 60;
const MAX_KRYLOV: usize = 240;

/// Which storage holds the matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Storage {
    /// Open rods that do not touch.
    Rods,
    /// Anything else.
    Sparse,
}

/// Matrix and factor, kept from iteration to iteration.
#[derive(Debug)]
pub(super) struct System {
    storage: Storage,
    rods: Rods,
    sparse: Option<Sparse>,
    /// Whether this step has not used the sparse matrix yet.
    fresh: bool,
    /// Asked by what can take long.
    pub poll: Poll,
    error: Option<SolveError>,
    /// Motion of prescribed unknowns that belongs to the correction, `(dofs)`; empty without.
    lift: Vec<f64>,
    /// Minus the matrix's prescribed columns times `lift`: what the motion adds to the right-hand
    /// side, `(dofs)`.
    lifted: Vec<f64>,
    dofs: Vec<u32>,
    values: Vec<f64>,
}

#[derive(Debug)]
struct Sparse {
    pairs: Vec<(u32, u32)>,
    riders: Vec<(u32, u32)>,
    solver: SparseBlocks,
    /// Where the blocks of each vertex are, row by row, `(vertices)`.
    vertices: Vec<[u32; 9]>,
    /// Where those of each edge's ends are, row by row, `(edges)`.
    edges: Vec<[u32; 4]>,
    /// Where those of the ends of each pair of edges are, row by row, `(pairs)`.
    places: Vec<[u32; 16]>,
}

impl Sparse {
    /// Zero, with places for what rods have and for what these pairs and riders couple, in the
    /// storage of the one `before`.
    fn new(
        model: &Model,
        pairs: Vec<(u32, u32)>,
        riders: &[(u32, u32)],
        y: &[f64],
        before: Option<Self>,
        poll: &Poll,
    ) -> Result<Self, SolveError> {
        let pattern = pattern(model, &pairs, riders, y, poll)?;
        let topology = &model.topology;
        let first = |node: &usize| topology.node_dof[*node] as u32;
        let vertices = topology.vertex_nodes.iter();
        let vertices = vertices
            .map(|nodes| pattern.places(nodes.each_ref().map(first)))
            .collect::<Result<_, _>>()?;
        let edges = topology.edge_nodes.iter();
        let edges = edges
            .map(|nodes| pattern.places(nodes.each_ref().map(first)))
            .collect::<Result<_, _>>()?;
        let of_pair = |(i, j): &(u32, u32)| {
            let nodes = nodes(model, [*i as usize, *j as usize]);
            pattern.places(nodes.each_ref().map(first))
        };
        let places = pairs.iter().map(of_pair).collect::<Result<_, _>>()?;
        let solver = match before {
            Some(Self { mut solver, .. }) => {
                solver.renew(pattern, poll);
                solver
            }
            None => SparseBlocks::new(pattern, poll),
        };
        Ok(Self {
            vertices,
            edges,
            places,
            solver,
            pairs,
            riders: riders.to_vec(),
        })
    }
}

impl System {
    pub fn new(model: &Model) -> Self {
        let n = model.topology.dofs;
        Self {
            storage: Storage::Rods,
            rods: Rods::new(n, &separate_rods(model)),
            sparse: None,
            fresh: true,
            poll: Poll::default(),
            error: None,
            lift: Vec::new(),
            lifted: Vec::new(),
            dofs: Vec::new(),
            values: Vec::new(),
        }
    }

    /// The storage that suits the model when `touching` pairs are in contact.
    pub fn choose(model: &Model, touching: bool) -> Storage {
        let bodies = !model.bodies.is_empty();
        if touching || bodies || model.topology.any_closed() || !loads_act_along_rods(model) {
            Storage::Sparse
        } else {
            Storage::Rods
        }
    }

    /// A step begins: what it does must not depend on the pattern that the one before left.
    pub fn begin_step(&mut self) {
        self.fresh = true;
    }

    /// Clears the matrix and prepares it for the pairs of edges that act on each other at the
    /// unknowns `y`, the trial last evaluated, and for the riders of obstacles, nodes and bodies
    /// that may. Within a step the pattern stays while it holds all that acts.
    pub fn begin(
        &mut self,
        model: &Model,
        storage: Storage,
        (frame, set): (&ContactFrame, &ContactSet),
        y: &[f64],
    ) -> Result<(), SolveError> {
        self.storage = storage;
        self.error = None;
        if storage == Storage::Rods {
            self.rods.set_zero();
            return Ok(());
        }
        let riders = frame.obstacles().riders();
        if let Some(sparse) = self.sparse.as_mut().filter(|_| !self.fresh)
            && set.acts_within(frame, &sparse.pairs)
            && riders
                .iter()
                .all(|r| sparse.riders.binary_search(r).is_ok())
        {
            sparse.solver.set_zero();
            return Ok(());
        }
        let pairs = set.coupled_pairs(frame, model, y);
        // The pattern of the step before stays only if it is the one that would be made here: a
        // step depends on (model, state, dt) alone.
        match &mut self.sparse {
            // Fronts follow from where the rods were.
            Some(sparse)
                if sparse.pairs == pairs
                    && sparse.riders == riders
                    && !sparse.solver.has_fronts() =>
            {
                sparse.solver.set_zero();
            }
            _ => {
                let before = self.sparse.take();
                let sparse = Sparse::new(model, pairs, riders, y, before, &self.poll)?;
                self.sparse = Some(sparse);
            }
        }
        self.fresh = false;
        Ok(())
    }

    /// The correction moves prescribed unknowns by `lift`, `(dofs)`, or not at all; before blocks
    /// are added.
    pub fn prescribe(&mut self, lift: Option<&[f64]>) {
        self.lift.clear();
        self.lifted.clear();
        if let Some(lift) = lift {
            self.lift.extend_from_slice(lift);
            self.lifted.resize(lift.len(), 0.0);
        }
    }

    /// Whether the correction moves prescribed unknowns.
    pub fn lifts(&self) -> bool {
        !self.lift.is_empty()
    }

    /// Adds to a right-hand side what the motion of prescribed unknowns asks for.
    pub fn lift(&self, rhs: &mut [f64]) {
        for ((r, lift), lifted) in rhs.iter_mut().zip(&self.lift).zip(&self.lifted) {
            // Prescribed rows are those of the identity: dq = lift. Free rows get -K_ij lift_j.
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

    /// Adds 1 to the diagonal of prescribed unknowns, then factorises.
    pub fn factor(&mut self, fixed: &[bool]) -> Result<(), SolveError> {
        self.fill(fixed)?;
        self.solver().factor()
    }

    /// Adds 1 to the diagonal of prescribed unknowns; an error if a block had no place.
    pub fn fill(&mut self, fixed: &[bool]) -> Result<(), SolveError> {
        for (dof, _) in fixed.iter().enumerate().filter(|(_, f)| **f) {
            self.put(&[dof as u32], &[1.0]);
        }
        self.error.take().map_or(Ok(()), Err)
    }

    /// Factorises again with `shift` times `weight` added to the diagonal.
    pub fn factor_shifted(&mut self, shift: f64, weight: &[f64]) -> Result<(), SolveError> {
        self.solver().factor_shifted(shift, weight)
    }

    /// Solves with the factorised part, in place; the residual is checked.
    pub fn solve(&mut self, x: &mut [f64]) -> Result<(), SolveError> {
        self.solver().solve(x).map(|_| ())
    }

    /// As [`System::solve`] without looking at the residual: for preconditioning.
    pub fn solve_unchecked(&mut self, x: &mut [f64]) -> Result<(), SolveError> {
        self.solver().solve_unchecked(x)
    }

    /// The matrix of the rod whose unknowns are `first .. first + n`.
    pub fn window(&self, first: usize, n: usize) -> Rods {
        self.rods.window(first, n)
    }

    /// Whether a symmetric matrix of sparse blocks, as last factorised, is positive definite.
    pub fn has_positive_pivots(&self) -> bool {
        let sparse = self.sparse.as_ref();
        sparse.is_some_and(|sparse| sparse.solver.has_positive_pivots())
    }

    /// The matrix in use.
    fn solver(&mut self) -> &mut dyn LinearSolver {
        match (self.storage, &mut self.sparse) {
            (Storage::Sparse, Some(sparse)) => &mut sparse.solver,
            _ => &mut self.rods,
        }
    }

    fn put(&mut self, dofs: &[u32], values: &[f64]) {
        if let Err(error) = self.solver().add_block(dofs, values) {
            self.error.get_or_insert(error);
        }
    }
}

/// Solves `A x = b` for an operator A near the identity to a relative residual of about `tolerance`;
/// returns x and the iterations, and leaves `b - A x` in the workspace.
pub(super) fn right_preconditioned(
    b: &[f64],
    tolerance: f64,
    krylov: &mut KrylovWorkspace,
    mut operator: impl FnMut(&[f64], &mut [f64]) -> Result<(), SolveError>,
) -> Result<(Vec<f64>, usize), SolveError> {
    let mut failed = None;
    let mut product = |x: &[f64], y: &mut [f64]| {
        if let Err(error) = operator(x, y) {
            failed = Some(error);
            // Ends the iteration.
            y.fill(f64::NAN);
        }
    };
    let mut identity = |x: &[f64], y: &mut [f64]| y.copy_from_slice(x);
    let options = KrylovOptions {
        tolerance,
        restart: RESTART,
        max_iterations: MAX_KRYLOV,
        // Newton's method looks at what is left.
        confirm: false,
    };
    let mut x = vec![0.0; b.len()];
    let outcome = fgmres(&mut product, &mut identity, b, &mut x, &options, krylov);
    match failed {
        Some(error) => Err(error),
        None => outcome.map(|report| (x, report.iterations)),
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
                // A prescribed unknown that moves by `by` asks -K_ij by of the free ones, on the
                // right-hand side.
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
                // Row and column both, so that what is symmetric stays so.
                for m in 0..n {
                    system.values[k * n + m] = 0.0;
                    system.values[m * n + k] = 0.0;
                }
            }
        }
    }
}

impl Blocks for Sink<'_> {
    fn general(&mut self, dofs: &[usize], values: &[f64]) {
        self.load(dofs, values);
        let indices = std::mem::take(&mut self.system.dofs);
        let block = std::mem::take(&mut self.system.values);
        self.system.put(&indices, &block);
        self.system.dofs = indices;
        self.system.values = block;
    }

    fn vertex(&mut self, vertex: usize, dofs: &[usize; 11], blocks: &VertexBlocks) {
        if dofs.iter().any(|dof| self.fixed[*dof]) {
            return self.symmetric(dofs, &blocks.dense());
        }
        let system = &mut *self.system;
        match (system.storage, &mut system.sparse) {
            (Storage::Sparse, Some(sparse)) => {
                (sparse.solver).add_at(&sparse.vertices[vertex], &blocks.blocks);
            }
            _ => system.rods.add_stencil(dofs[0], &blocks.blocks),
        }
    }

    fn vertices(&mut self, topology: &Topology, vertices: Range<usize>, columns: &VertexColumns) {
        for (lane, vertex) in vertices.enumerate() {
            let first = topology.node_dof[topology.vertex_nodes[vertex][0]];
            let system = &mut *self.system;
            let sparse = match system.storage {
                Storage::Sparse => system.sparse.as_mut(),
                Storage::Rods => None,
            };
            // Unknowns of a closed rod do not follow each other over its seam.
            let free = match (&sparse, self.fixed.get(first..first + 11)) {
                (None, Some(fixed)) => !fixed.contains(&true),
                _ => !topology
                    .vertex_dofs(vertex)
                    .iter()
                    .any(|dof| self.fixed[*dof]),
            };
            match sparse {
                _ if !free => {
                    let blocks = VertexBlocks::of(columns, lane);
                    self.symmetric(&topology.vertex_dofs(vertex), &blocks.dense());
                }
                Some(sparse) => {
                    (sparse.solver).add_columns(&sparse.vertices[vertex], columns, lane);
                }
                None => system.rods.add_columns(first, columns, lane),
            }
        }
    }

    fn edge(&mut self, edge: usize, dofs: &[usize; 6], h: &[[f64; 3]; 3]) {
        if dofs.iter().any(|dof| self.fixed[*dof]) {
            return self.symmetric(dofs, &of_difference(h));
        }
        let system = &mut *self.system;
        match (system.storage, &mut system.sparse) {
            (Storage::Sparse, Some(sparse)) => {
                // Column by column in blocks of four unknowns; the angle has no part in it.
                let (mut own, mut other) = ([0.0; 16], [0.0; 16]);
                for (r, row) in h.iter().enumerate() {
                    for (c, v) in row.iter().enumerate() {
                        own[4 * c + r] = *v;
                        other[4 * c + r] = -v;
                    }
                }
                let places = sparse.edges[edge];
                sparse.solver.add_at(&places, &[own, other, other, own]);
            }
            // Open rods alone, whose edges have their nodes in order.
            _ => system.rods.add_difference([dofs[0], dofs[3]], h),
        }
    }

    fn pair(&mut self, edges: [usize; 2], dofs: &[usize; 14], pair: &PairBlocks) {
        let unknowns = if pair.angles { 14 } else { 12 };
        let system = &mut *self.system;
        if system.storage == Storage::Sparse
            && let Some(sparse) = &mut system.sparse
            && let Ok(found) = sparse.pairs.binary_search(&edges.map(|e| e as u32).into())
            && !dofs[..unknowns].iter().any(|dof| self.fixed[*dof])
        {
            sparse.solver.add_at(&sparse.places[found], &pair.blocks);
        } else {
            pair.add_dense(dofs, self);
        }
    }

    fn diagonal(&mut self, values: &[f64]) {
        let system = &mut *self.system;
        match (system.storage, &mut system.sparse) {
            (Storage::Sparse, Some(sparse)) => {
                let unknowns = values.iter().enumerate();
                let free = unknowns.filter(|(dof, _)| !self.fixed[*dof]);
                sparse.solver.add_diagonal(free);
            }
            _ => system.rods.add_diagonal(values, self.fixed),
        }
    }
}
