//! The multipliers of rods and joints: a band solve a rod, and a Schur complement on the edges at
//! bodies and the joints.
//!
//! An edge that touches a body, and a constraint of a joint, are in the matrix `T + U M^-1 U^T`
//! coupled with all others at the body; every other edge with the next one of its rod only. The
//! latter are eliminated first, stretch by stretch:
//!
//! ```text
//! S = A_tt - A_ti T_ii^-1 A_it,     S lambda_t = C_t - A_ti T_ii^-1 C_i,     lambda_i = T_ii^-1 (C_i - A_it lambda_t)
//! ```
//!
//! They have a free node more than edges, so their matrix is regular also where all of a rod is not
//! (straight between two bodies, it has as many edges as a free node can move along it, and one
//! more). S has blocks of the edges at one body, and couples them along rods: in a tree no
//! elimination by least degree fills it (`solve/blocks`).

use std::sync::Arc;

use super::projection::{RodConstraints, factorise};
use crate::solve::SolveError;
use crate::solve::blocks::{BlockLu, BlockMatrix, BlockPattern};
use crate::solve::tridiagonal::{Tridiagonal, TridiagonalFactor};

/// Edges at bodies, or constraints of a joint, that are eliminated together.
const GROUP: usize = 4;
/// Shift of S over its diagonal, as of the matrices of rods: edges may be one constraint too many.
const SHIFT: f64 = 1e-13;

/// A constraint that pulls at a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Row {
    /// The length of an edge: rod, and edge there.
    Edge(usize, usize),
    /// One of the constraints of joints, in their order.
    Joint(usize),
}

/// What pulls at a body, and what pulls of the one do to the other, row by row.
pub(super) type AtBody = (Vec<Row>, Vec<f64>);

/// Disposable storage for one model.
#[derive(Debug)]
pub(super) struct Schur {
    /// Edges at bodies, in order of their number: rod and edge there.
    edges: Vec<(usize, usize)>,
    matrix: BlockMatrix,
    lu: BlockLu,
    /// Of each rod, its edges at no body.
    stretches: Vec<Stretches>,
    /// Of each edge at a body, then of each constraint of a joint.
    lambda: Vec<f64>,
    diagonal: Vec<f64>,
    /// Whether nothing that it pulls at can move.
    still: Vec<bool>,
}

/// The edges of a rod that touch no body: chains between those that do.
#[derive(Debug, Default)]
struct Stretches {
    /// Those that do, ascending, and their numbers.
    ends: Vec<(usize, usize)>,
    /// The matrix with these held still.
    chains: Tridiagonal,
    factor: TridiagonalFactor,
    /// `T_ii^-1 A_it` for the end before each chain, and for that behind it.
    before: Vec<f64>,
    behind: Vec<f64>,
    /// `T_ii^-1 C_i`.
    alone: Vec<f64>,
}

impl Schur {
    /// For so many rods, whose edges bodies touch as `touches` has it: rod, edge and body, by rod
    /// and edge ascending; and for joints, each with its bodies and the number of its constraints.
    pub fn new(
        rods: usize,
        touches: &[(usize, usize, usize)],
        joints: &[([Option<usize>; 2], usize)],
    ) -> Result<Self, SolveError> {
        let mut edges: Vec<(usize, usize)> = touches.iter().map(|(r, e, _)| (*r, *e)).collect();
        edges.dedup();
        let number = |rod: usize, edge: usize| edges.partition_point(|e| *e < (rod, edge));
        let at_joints = joints
            .iter()
            .flat_map(|(bodies, _)| bodies.iter().flatten());
        let touched = touches.iter().map(|(_, _, body)| body).chain(at_joints);
        let bodies = touched.map(|body| body + 1).max().unwrap_or(0);
        let mut at_body = vec![Vec::new(); bodies];
        for (rod, edge, body) in touches {
            at_body[*body].push(number(*rod, *edge) as u32);
        }
        let rows = edges.len() + joints.iter().map(|(_, rows)| rows).sum::<usize>();
        let mut group_of = vec![u32::MAX; rows];
        // Edges are grouped by the first body that they touch, ...
        let mut groups = group(&at_body, &mut group_of);
        let mut first = edges.len() as u32;
        for (bodies, rows) in joints {
            // ... constraints of a joint with each other.
            let own: Vec<u32> = (first..first + *rows as u32).collect();
            first += *rows as u32;
            for part in own.chunks(GROUP) {
                part.iter().for_each(|k| group_of[*k as usize] = groups);
                groups += 1;
            }
            for body in bodies.iter().flatten() {
                at_body[*body].extend(&own);
            }
        }
        let mut stretches: Vec<Stretches> = (0..rods).map(|_| Stretches::default()).collect();
        for (k, (rod, edge)) in edges.iter().enumerate() {
            stretches[*rod].ends.push((*edge, k));
        }
        let along = stretches.iter().flat_map(|s| {
            // Those of a ring are next to each other round the seam too.
            let next = s.ends.iter().cycle().skip(1);
            s.ends
                .iter()
                .zip(next)
                .map(|(a, b)| vec![a.1 as u32, b.1 as u32])
        });
        let couplings: Vec<Vec<u32>> = at_body.iter().cloned().chain(along).collect();
        let couplings = couplings.iter().map(|rows| -> Vec<u32> {
            let mut of: Vec<u32> = rows.iter().map(|k| group_of[*k as usize]).collect();
            of.sort_unstable();
            of.dedup();
            of
        });
        let pattern = Arc::new(BlockPattern::new(&group_of, couplings)?);
        Ok(Self {
            matrix: BlockMatrix::new(pattern.clone()),
            lu: BlockLu::new(pattern),
            stretches,
            lambda: vec![0.0; rows],
            diagonal: vec![0.0; rows],
            still: vec![false; rows],
            edges,
        })
    }

    fn number(&self, row: &Row) -> u32 {
        match *row {
            Row::Edge(rod, edge) => self.edges.partition_point(|at| *at < (rod, edge)) as u32,
            Row::Joint(row) => (self.edges.len() + row) as u32,
        }
    }

    /// Factorises the matrix of all multipliers.
    pub fn factor(
        &mut self,
        rods: &mut [RodConstraints],
        at_bodies: impl Iterator<Item = AtBody>,
    ) -> Result<(), SolveError> {
        self.matrix.set_zero();
        self.diagonal.fill(0.0);
        for (k, (rod, edge)) in self.edges.iter().enumerate() {
            self.diagonal[k] = rods[*rod].matrix().diagonal[*edge];
        }
        // A_tt: u M^-1 u^T of all pairs of constraints at one body.
        for (rows, values) in at_bodies {
            let numbers: Vec<u32> = rows.iter().map(|row| self.number(row)).collect();
            for (p, k) in numbers.iter().enumerate() {
                self.diagonal[*k as usize] += values[p * numbers.len() + p];
            }
            self.matrix.add_block(&numbers, &values)?;
        }
        // S: what the chains between edges at bodies add to it.
        for (stretches, rod) in self.stretches.iter_mut().zip(rods.iter()) {
            if !stretches.ends.is_empty() {
                stretches.eliminate(rod);
                stretches.reduce(rod.matrix(), &mut self.matrix)?;
            }
        }
        for k in 0..self.diagonal.len() {
            let edge = self.edges.get(k);
            let own = edge.map_or(0.0, |(rod, edge)| rods[*rod].matrix().diagonal[*edge]);
            // Nothing that it pulls at can move: how long it is, is not for it to say.
            self.still[k] = self.diagonal[k] == 0.0;
            if self.still[k] {
                self.diagonal[k] = 1.0;
            }
            let value = if self.still[k] { 1.0 } else { own };
            self.matrix.add_block(&[k as u32], &[value])?;
        }
        self.lu.factor_shifted(&self.matrix, SHIFT, &self.diagonal)
    }

    /// Finds the multipliers of all rods, whose `lambda` holds C, and of the constraints of joints,
    /// of which `joints` does, by the factor.
    pub fn solve(
        &mut self,
        rods: &mut [RodConstraints],
        joints: &mut [f64],
    ) -> Result<(), SolveError> {
        let edges = self.edges.len();
        for (k, (rod, edge)) in self.edges.iter().enumerate() {
            self.lambda[k] = rods[*rod].lambda[*edge];
        }
        self.lambda[edges..].copy_from_slice(joints);
        // The right-hand side of S: C_t - A_ti T_ii^-1 C_i.
        for (stretches, rod) in self.stretches.iter_mut().zip(rods.iter_mut()) {
            if stretches.ends.is_empty() {
                rod.solve_alone();
                continue;
            }
            stretches.solve_chains(rod);
            stretches.reduce_rhs(rod.matrix(), &mut self.lambda);
        }
        for (lambda, still) in self.lambda.iter_mut().zip(&self.still) {
            if *still {
                *lambda = 0.0;
            }
        }
        self.lu.solve_unchecked(&mut self.lambda)?;
        joints.copy_from_slice(&self.lambda[edges..]);
        // lambda_i = T_ii^-1 (C_i - A_it lambda_t)
        for (stretches, rod) in self.stretches.iter().zip(rods) {
            stretches.substitute(&self.lambda, &mut rod.lambda);
        }
        Ok(())
    }
}

/// Groups edges by the first body that they touch; returns the number of groups.
fn group(at_body: &[Vec<u32>], group_of: &mut [u32]) -> u32 {
    let mut groups = 0;
    for at in at_body {
        let free = at.iter().filter(|e| group_of[**e as usize] == u32::MAX);
        let free: Vec<u32> = free.copied().collect();
        for part in free.chunks(GROUP) {
            part.iter().for_each(|e| group_of[*e as usize] = groups);
            groups += 1;
        }
    }
    groups
}

impl Stretches {
    /// Solves for what is not at bodies, with what is held still.
    fn eliminate(&mut self, rod: &RodConstraints) {
        let full = rod.matrix();
        // T_ii for all chains of the rod at once, edges at bodies held still.
        self.chains.diagonal.clone_from(&full.diagonal);
        self.chains.off.clone_from(&full.off);
        self.chains.corner = full.corner;
        for (edge, _) in &self.ends {
            self.chains.fix(*edge);
        }
        factorise(&self.chains, &mut self.factor);
        let n = full.diagonal.len();
        for column in [&mut self.before, &mut self.behind] {
            column.clear();
            column.resize(n, 0.0);
        }
        for (edge, _) in &self.ends {
            if let Some((next, entry)) = neighbour(full, *edge, true) {
                self.before[next] += entry;
            }
            if let Some((last, entry)) = neighbour(full, *edge, false) {
                self.behind[last] += entry;
            }
        }
        for (edge, _) in &self.ends {
            // Two that follow each other have no chain between them.
            self.before[*edge] = 0.0;
            self.behind[*edge] = 0.0;
        }
        for x in [&mut self.before, &mut self.behind] {
            self.factor.solve(x);
        }
    }

    /// Solves for what is not at bodies: `T_ii^-1 C_i`, of which the rod has C.
    fn solve_chains(&mut self, rod: &RodConstraints) {
        self.alone.clone_from(&rod.lambda);
        for (edge, _) in &self.ends {
            self.alone[*edge] = 0.0;
        }
        self.factor.solve(&mut self.alone);
    }

    /// Takes what was eliminated from the right-hand side.
    fn reduce_rhs(&self, full: &Tridiagonal, rhs: &mut [f64]) {
        for (edge, k) in &self.ends {
            for after in [true, false] {
                if let Some((next, entry)) = neighbour(full, *edge, after) {
                    // Nothing was solved for at another end.
                    rhs[*k] -= entry * self.alone[next];
                }
            }
        }
    }

    /// Takes what was eliminated from S.
    fn reduce(&self, full: &Tridiagonal, matrix: &mut BlockMatrix) -> Result<(), SolveError> {
        let ring = full.corner.is_some();
        for (p, (edge, k)) in self.ends.iter().enumerate() {
            let own = *k as u32;
            if let Some((next, entry)) = neighbour(full, *edge, true) {
                // Ends ascend, and the last of a ring is followed by the first.
                let follows = self.ends.get(p + 1).or(self.ends.first());
                match follows.filter(|(e, _)| *e == next) {
                    // Next to each other: coupled as they are.
                    Some((_, other)) => add_pair(matrix, own, *other as u32, entry)?,
                    None => matrix.add_block(&[own], &[-entry * self.before[next]])?,
                }
            }
            let Some((last, entry)) = neighbour(full, *edge, false) else {
                continue;
            };
            // The chain before this end begins at the end before it.
            let before = match p {
                0 => self.ends.last().filter(|_| ring),
                _ => self.ends.get(p - 1),
            };
            if before.is_some_and(|(e, _)| *e == last) {
                continue;
            }
            matrix.add_block(&[own], &[-entry * self.behind[last]])?;
            if let Some((_, other)) = before {
                add_pair(matrix, own, *other as u32, -entry * self.before[last])?;
            }
        }
        Ok(())
    }

    /// The multipliers of the rod from those of its edges at bodies.
    fn substitute(&self, at_bodies: &[f64], lambda: &mut [f64]) {
        let Some((first, last)) = self.ends.first().zip(self.ends.last()) else {
            return;
        };
        lambda.copy_from_slice(&self.alone);
        // The ends round the chain that an edge lies in; beyond those of an open rod both columns
        // are zero.
        let (mut before, mut after) = (last.1, self.ends.iter().map(|(e, k)| (*e, *k)).peekable());
        for (edge, lambda) in lambda.iter_mut().enumerate() {
            if let Some((_, k)) = after.next_if(|(e, _)| *e == edge) {
                *lambda = at_bodies[k];
                before = k;
                continue;
            }
            let behind = after.peek().map_or(first.1, |(_, k)| *k);
            *lambda -=
                self.before[edge] * at_bodies[before] + self.behind[edge] * at_bodies[behind];
        }
    }
}

/// The edge after another, or before it, round the seam of a ring, with the entry that couples
/// them.
fn neighbour(matrix: &Tridiagonal, edge: usize, after: bool) -> Option<(usize, f64)> {
    let n = matrix.diagonal.len();
    match (after, edge) {
        (true, e) if e + 1 < n => Some((e + 1, matrix.off[e])),
        (true, _) => matrix.corner.map(|corner| (0, corner)),
        (false, 0) => matrix.corner.map(|corner| (n - 1, corner)),
        (false, e) => Some((e - 1, matrix.off[e - 1])),
    }
}

/// Adds a value at (a, b) and (b, a); twice at (a, a).
fn add_pair(matrix: &mut BlockMatrix, a: u32, b: u32, value: f64) -> Result<(), SolveError> {
    if a == b {
        matrix.add_block(&[a], &[2.0 * value])
    } else {
        matrix.add_block(&[a, b], &[0.0, value, value, 0.0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `J W J^T` of a straight chain or ring of unit masses: of a chain whose ends are held it is
    /// singular.
    fn rod(edges: usize, ring: bool, held: bool) -> Tridiagonal {
        let mut matrix = Tridiagonal::default();
        matrix.reset(edges, ring);
        for i in 0..edges {
            let end = held && !ring && (i == 0 || i + 1 == edges);
            matrix.diagonal[i] = if end {
                1.0
            } else {
                2.0 + 0.1 * (i as f64).sin()
            };
            if i + 1 < edges || matrix.corner.is_some() {
                *matrix.next(i) = -1.0;
            }
        }
        matrix
    }

    /// Chains and rings, straight between two bodies, with edges at bodies beside each other,
    /// alone, first and last: the multipliers satisfy the equations.
    #[test]
    fn multipliers_satisfy_the_equations_of_all_rods() {
        let rods = [
            rod(7, false, true),
            rod(6, true, false),
            rod(5, true, false),
            rod(1, false, false),
            rod(4, false, false),
        ];
        let touches = [
            (0, 0, 0),
            (0, 6, 1),
            (1, 2, 0),
            (1, 3, 1),
            (1, 3, 2),
            (2, 1, 2),
            (3, 0, 1),
        ];
        let first = |rod: usize| rods[..rod].iter().map(|r| r.diagonal.len()).sum::<usize>();
        let n = first(rods.len());
        let c: Vec<f64> = (0..n).map(|i| (1.7 * i as f64 + 0.3).cos()).collect();
        let mut systems: Vec<_> = (0..rods.len())
            .map(|k| {
                let at = first(k)..first(k) + rods[k].diagonal.len();
                RodConstraints::given(rods[k].clone(), c[at].to_vec())
            })
            .collect();
        // Rows of six for each touch.
        let row =
            |t: usize| -> [f64; 6] { std::array::from_fn(|k| ((3 * t + 2 * k) as f64).sin()) };
        let mut dense = vec![0.0; n * n];
        let at_bodies: Vec<AtBody> = (0..3)
            .map(|body| {
                let at: Vec<usize> = (0..touches.len())
                    .filter(|t| touches[*t].2 == body)
                    .collect();
                let mut values = Vec::new();
                for (a, b) in at.iter().flat_map(|a| at.iter().map(move |b| (*a, *b))) {
                    let value: f64 = row(a).iter().zip(row(b)).map(|(x, y)| 0.5 * x * y).sum();
                    let place = |t: usize| first(touches[t].0) + touches[t].1;
                    dense[place(a) * n + place(b)] += value;
                    values.push(value);
                }
                let edges = at.iter().map(|t| Row::Edge(touches[*t].0, touches[*t].1));
                (edges.collect(), values)
            })
            .collect();
        let mut schur = Schur::new(rods.len(), &touches, &[]).unwrap();
        schur.factor(&mut systems, at_bodies.into_iter()).unwrap();
        schur.solve(&mut systems, &mut []).unwrap();
        let lambda: Vec<f64> = systems.iter().flat_map(|s| s.lambda.clone()).collect();
        for (k, matrix) in rods.iter().enumerate() {
            let own = matrix.times(&systems[k].lambda);
            for (i, own) in own.into_iter().enumerate() {
                let place = first(k) + i;
                let joined = dense[place * n..(place + 1) * n].iter().zip(&lambda);
                let found = own + joined.map(|(a, x)| a * x).sum::<f64>();
                assert!(
                    (found - c[place]).abs() < 1e-11,
                    "rod {k}, edge {i}: {found} {}",
                    c[place]
                );
            }
        }
    }
}
