use super::*;
use crate::solve::blocks::{BlockLu, BlockMatrix, BlockPattern};
use crate::solve::linear::{LinearSolver, SparseBlocks};
use crate::solve::{Poll, SolveError};
use proptest::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Unknowns of a chain of groups of 4, the last of 3.
fn chain(nodes: usize) -> Vec<u32> {
    (0..4 * nodes as u32 - 1)
        .map(|unknown| unknown / 4)
        .collect()
}

/// Three groups in a row along a chain, and pairs of neighbours that are joined with distant ones.
fn cliques(nodes: usize, contacts: usize, noise: &mut Noise) -> Vec<Vec<u32>> {
    let mut cliques: Vec<Vec<u32>> = (0..nodes as u32 - 2)
        .map(|g| vec![g, g + 1, g + 2])
        .collect();
    for _ in 0..contacts {
        let (a, b) = (noise.below(nodes - 1) as u32, noise.below(nodes - 1) as u32);
        let mut clique = vec![a, a + 1, b, b + 1];
        clique.sort_unstable();
        clique.dedup();
        cliques.push(clique);
    }
    cliques
}

/// Random blocks on all unknowns of each clique, `dominant` added to their diagonals; without
/// symmetry.
fn assemble(
    group_of: &[u32],
    cliques: &[Vec<u32>],
    dominant: f64,
    noise: &mut Noise,
) -> (BlockMatrix, Mat<f64>) {
    let pattern = Arc::new(BlockPattern::new(group_of, cliques).unwrap());
    let mut matrix = BlockMatrix::new(pattern);
    let dense = add_random(group_of, cliques, dominant, noise, |unknowns, values| {
        matrix.add_block(unknowns, values).unwrap();
    });
    (matrix, dense)
}

/// Gives such blocks to `add`, clique by clique; the matrix of all.
fn add_random(
    group_of: &[u32],
    cliques: &[Vec<u32>],
    dominant: f64,
    noise: &mut Noise,
    mut add: impl FnMut(&[u32], &[f64]),
) -> Mat<f64> {
    let n = group_of.len();
    let mut dense = Mat::zeros(n, n);
    for clique in cliques {
        let unknowns: Vec<u32> = (0..n as u32)
            .filter(|u| clique.contains(&group_of[*u as usize]))
            .collect();
        let m = unknowns.len();
        let values: Vec<f64> = (0..m * m)
            .map(|at| noise.next() + if at % (m + 1) == 0 { dominant } else { 0.0 })
            .collect();
        add(&unknowns, &values);
        for (at, value) in values.iter().enumerate() {
            dense[(unknowns[at / m] as usize, unknowns[at % m] as usize)] += value;
        }
    }
    dense
}

fn lu_of(group_of: &[u32], cliques: &[Vec<u32>]) -> BlockLu {
    BlockLu::new(Arc::new(BlockPattern::new(group_of, cliques).unwrap()))
}

#[test]
fn systems_without_symmetry_are_solved() {
    let mut noise = Noise(2);
    for (nodes, contacts) in [(3, 0), (5, 2), (40, 0), (40, 30), (100, 60)] {
        let group_of = chain(nodes);
        let cliques = cliques(nodes, contacts, &mut noise);
        let (matrix, dense) = assemble(&group_of, &cliques, 8.0, &mut noise);
        let mut lu = lu_of(&group_of, &cliques);
        lu.factor(&matrix).unwrap();
        let expected = noise.vector(group_of.len());
        let mut x = dense_mul(&dense, &expected);
        let report = lu.solve(&mut x).unwrap();
        assert!(report.relative_residual < 1e-14, "{report:?}");
        assert!(largest_difference(&x, &expected) < 1e-11);
    }
}

/// Rows are exchanged within a group: a zero on its diagonal does no harm.
#[test]
fn a_group_needs_no_pivots_on_its_diagonal() {
    let group_of = [0, 0, 1, 1];
    let cliques = vec![vec![0, 1]];
    let pattern = Arc::new(BlockPattern::new(&group_of, &cliques).unwrap());
    let mut matrix = BlockMatrix::new(pattern.clone());
    matrix.add_block(&[0, 1], &[0.0, 2.0, 1.0, 0.0]).unwrap();
    matrix.add_block(&[2, 3], &[0.0, 4.0, 5.0, 0.0]).unwrap();
    matrix.add_block(&[0, 3], &[0.0, 1.0, 0.0, 0.0]).unwrap();
    let mut lu = BlockLu::new(pattern);
    lu.factor(&matrix).unwrap();
    // x = (1, 2, 3, 4): 2 y + w, x, 4 w, 5 z.
    let mut x = [8.0, 1.0, 16.0, 15.0];
    lu.solve(&mut x).unwrap();
    assert!(largest_difference(&x, &[1.0, 2.0, 3.0, 4.0]) < 1e-14);
}

#[test]
fn a_shift_leaves_the_matrix_untouched() {
    let mut noise = Noise(5);
    let group_of = chain(20);
    let cliques = cliques(20, 10, &mut noise);
    let (matrix, dense) = assemble(&group_of, &cliques, 8.0, &mut noise);
    let weights: Vec<f64> = (0..group_of.len()).map(|i| 1.0 + i as f64).collect();
    let mut lu = lu_of(&group_of, &cliques);
    let expected = noise.vector(group_of.len());
    for shift in [3.0, 0.0] {
        lu.factor_shifted(&matrix, shift, &weights).unwrap();
        let mut x = dense_mul(&dense, &expected);
        for ((x, w), e) in x.iter_mut().zip(&weights).zip(&expected) {
            *x += shift * w * e;
        }
        assert!(lu.solve(&mut x).unwrap().relative_residual < 1e-14);
        assert!(largest_difference(&x, &expected) < 1e-11);
    }
}

/// Whoever has the values of the matrix: factorised as it is, shifted, factorised again, added to,
/// and on another pattern in the same storage.
#[test]
fn a_factorisation_that_takes_the_matrix_gives_it_back() {
    let mut noise = Noise(8);
    let group_of = chain(12);
    let pattern = |cliques: &[Vec<u32>]| BlockPattern::new(&group_of, cliques).unwrap();
    let few = cliques(12, 2, &mut noise);
    let mut solver = SparseBlocks::new(pattern(&few), &Poll::default());
    let ones = vec![1.0; group_of.len()];
    let expected = noise.vector(group_of.len());
    for cliques in [&few, &cliques(12, 6, &mut noise), &few] {
        solver.renew(pattern(cliques), &Poll::default());
        let add = |unknowns: &[u32], values: &[f64]| solver.add_block(unknowns, values).unwrap();
        let dense = add_random(&group_of, cliques, 8.0, &mut noise, add);
        let check = |solver: &mut SparseBlocks, factor: f64, shift: f64| {
            let mut x = dense_mul(&dense, &expected);
            for (x, e) in x.iter_mut().zip(&expected) {
                *x = factor * *x + shift * e;
            }
            solver.solve(&mut x).unwrap();
            assert!(largest_difference(&x, &expected) < 1e-11);
        };
        solver.factor().unwrap();
        check(&mut solver, 1.0, 0.0);
        for shift in [3.0, 0.5] {
            solver.factor_shifted(shift, &ones).unwrap();
            check(&mut solver, 1.0, shift);
        }
        for _ in 0..2 {
            solver.factor().unwrap();
            check(&mut solver, 1.0, 0.0);
        }
        // The same once more upon what is there.
        let all: Vec<u32> = (0..4).collect();
        let own: Vec<f64> = (0..16).map(|at| dense[(at / 4, at % 4)]).collect();
        solver.add_block(&all, &own).unwrap();
        solver.factor().unwrap();
        let mut x = dense_mul(&dense, &expected);
        for p in 0..4 {
            x[p] += (0..4).map(|q| dense[(p, q)] * expected[q]).sum::<f64>();
        }
        solver.solve(&mut x).unwrap();
        assert!(largest_difference(&x, &expected) < 1e-11);
    }
}

/// Chains and a few contacts fill little: what makes the elimination cheap.
#[test]
fn a_chain_with_contacts_fills_little() {
    let group_of = chain(301);
    let mut cliques = cliques(301, 0, &mut Noise(1));
    let along = BlockPattern::new(&group_of, &cliques).unwrap();
    assert_eq!(along.stored(), 301 + 2 * (300 + 299));
    for k in 0..40 {
        cliques.push(vec![100 + k, 101 + k, 200 - k, 201 - k]);
    }
    let touching = BlockPattern::new(&group_of, &cliques).unwrap();
    assert!(
        touching.stored() < 2 * along.stored(),
        "{}",
        touching.stored()
    );
}

#[test]
fn a_reused_factorisation_gives_the_bits_of_a_fresh_one() {
    let mut noise = Noise(7);
    let group_of = chain(30);
    let cliques = cliques(30, 15, &mut noise);
    let (first, _) = assemble(&group_of, &cliques, 8.0, &mut noise);
    let (second, _) = assemble(&group_of, &cliques, 8.0, &mut noise);
    let right = noise.vector(group_of.len());
    let (mut reused, mut fresh) = (right.clone(), right);
    let mut lu = lu_of(&group_of, &cliques);
    lu.factor(&first).unwrap();
    lu.factor(&second).unwrap();
    lu.solve(&mut reused).unwrap();
    let mut lu = lu_of(&group_of, &cliques);
    lu.factor(&second).unwrap();
    lu.solve(&mut fresh).unwrap();
    assert_eq!(reused, fresh);
}

#[test]
fn misuse_is_refused() {
    let group_of = [0, 0, 1, 2, 2];
    let coupled = vec![vec![0, 1]];
    let pattern = Arc::new(BlockPattern::new(&group_of, &coupled).unwrap());
    assert_eq!(pattern.stored(), 5);
    let five = BlockPattern::new(&[0; 5], &coupled[..0]);
    assert!(matches!(five, Err(SolveError::WrongLength { .. })));
    let outside = BlockPattern::new(&group_of, &[vec![0, 9]]);
    assert!(matches!(outside, Err(SolveError::OutsidePattern { .. })));

    let mut matrix = BlockMatrix::new(pattern.clone());
    let not_coupled = matrix.add_block(&[0, 3], &[1.0; 4]);
    assert_eq!(
        not_coupled,
        Err(SolveError::OutsidePattern { row: 0, column: 3 })
    );
    assert!(matrix.add_block(&[0, 99], &[1.0; 4]).is_err());
    assert!(matrix.add_block(&[0, 1], &[1.0; 3]).is_err());
    let mut lu = BlockLu::new(pattern);
    assert_eq!(lu.solve(&mut [1.0; 5]), Err(SolveError::NotFactored));
    assert!(matches!(
        lu.factor(&matrix),
        Err(SolveError::Singular { .. })
    ));
    matrix.add_block(&[3], &[f64::NAN]).unwrap();
    assert_eq!(
        lu.factor(&matrix),
        Err(SolveError::NotFinite { place: "matrix" })
    );
    let other = BlockMatrix::new(Arc::new(BlockPattern::new(&group_of, [[0, 2]]).unwrap()));
    assert_eq!(lu.factor(&other), Err(SolveError::PatternMismatch));
}

#[test]
fn the_singular_row_is_named_in_the_numbering_of_the_caller() {
    let group_of = chain(4);
    let pattern = Arc::new(BlockPattern::new(&group_of, [[0, 1], [2, 3]]).unwrap());
    for row in [0, 6, 14] {
        let mut matrix = BlockMatrix::new(pattern.clone());
        for unknown in (0..15).filter(|u| *u != row) {
            matrix.add_block(&[unknown], &[2.0]).unwrap();
        }
        let outcome = BlockLu::new(pattern.clone()).factor(&matrix);
        let row = row as usize;
        assert_eq!(outcome, Err(SolveError::Singular { row }));
    }
}

/// Groups are not exchanged: what a tiny pivot ruins is refined away or refused.
#[test]
fn a_pivot_that_ruins_the_factor_is_refined_away_or_refused() {
    for tiny in [1e-8, 1e-14, 1e-20] {
        let pattern = Arc::new(BlockPattern::new(&[0, 1], [[0, 1]]).unwrap());
        let mut matrix = BlockMatrix::new(pattern.clone());
        matrix.add_block(&[0, 1], &[tiny, 1.0, 1.0, tiny]).unwrap();
        let mut lu = BlockLu::new(pattern);
        lu.factor(&matrix).unwrap();
        let mut x = [1.0, 2.0];
        if let Ok(report) = lu.solve(&mut x) {
            assert!(report.relative_residual < 1e-6);
            assert!((x[0] - 2.0).abs() < 1e-5 && (x[1] - 1.0).abs() < 1e-5);
        }
    }
}

proptest! {
    #[test]
    fn any_blocks_solve_or_are_refused(
        sizes in proptest::collection::vec(1_usize..=4, 1..12),
        raw in proptest::collection::vec(proptest::collection::hash_set(0_u32..12, 1..5), 0..20),
        seed in any::<u64>(),
        dominant in 0.0..6.0,
    ) {
        let groups = sizes.len() as u32;
        let of_group = |(g, size): (usize, &usize)| vec![g as u32; *size];
        let group_of: Vec<u32> = sizes.iter().enumerate().flat_map(of_group).collect();
        let mut cliques: Vec<Vec<u32>> = raw
            .into_iter()
            .map(|set| set.into_iter().filter(|g| *g < groups).collect())
            .collect();
        cliques.extend((0..groups).map(|g| vec![g]));
        let mut noise = Noise(seed);
        let (matrix, dense) = assemble(&group_of, &cliques, 1.0 + dominant, &mut noise);
        let right = noise.vector(group_of.len());
        let mut x = right.clone();
        let mut lu = lu_of(&group_of, &cliques);
        if lu.factor(&matrix).is_ok() && let Ok(report) = lu.solve(&mut x) {
            let largest = x.iter().fold(1.0_f64, |m, v| m.max(v.abs()));
            let error = largest_difference(&dense_mul(&dense, &x), &right);
            prop_assert!(error <= 1e-4 * largest);
            prop_assert!(report.relative_residual <= 1e-6);
        }
    }
}

#[test]
fn positive_pivots_tell_where_the_lowest_eigenvalue_is() {
    let mut noise = Noise(11);
    for (nodes, contacts) in [(3, 0), (10, 2), (30, 8)] {
        let groups = chain(nodes);
        let n = groups.len();
        let cliques = cliques(nodes, contacts, &mut noise);
        let pattern = Arc::new(BlockPattern::new(&groups, &cliques).unwrap());
        let mut matrix = BlockMatrix::new(Arc::clone(&pattern));
        let mut dense = Mat::<f64>::zeros(n, n);
        for clique in &cliques {
            let unknowns: Vec<u32> = (0..n as u32)
                .filter(|u| clique.contains(&groups[*u as usize]))
                .collect();
            let m = unknowns.len();
            let mut values = vec![0.0; m * m];
            for p in 0..m {
                for q in 0..=p {
                    let value = noise.next();
                    values[p * m + q] = value;
                    values[q * m + p] = value;
                }
            }
            matrix.add_block(&unknowns, &values).unwrap();
            for p in 0..m {
                for q in 0..m {
                    dense[(unknowns[p] as usize, unknowns[q] as usize)] += values[p * m + q];
                }
            }
        }
        let lowest = dense.self_adjoint_eigenvalues(faer::Side::Lower).unwrap()[0];
        assert!(lowest < 0.0);
        let mut lu = BlockLu::new(pattern);
        let ones = vec![1.0; n];
        for (part, positive) in [(1.0 + 1e-9, true), (1.0 - 1e-9, false), (0.3, false)] {
            lu.factor_shifted(&matrix, -lowest * part, &ones).unwrap();
            assert_eq!(lu.has_positive_pivots(), positive, "{nodes}, {part}");
        }
    }
}

/// A poll that says stop from its `last`-th time on, and how often it was asked.
fn counting(last: u64) -> (Poll, Arc<AtomicU64>) {
    let asked = Arc::new(AtomicU64::new(0));
    let count = asked.clone();
    let poll = Poll::new(move || count.fetch_add(1, Ordering::Relaxed) + 1 >= last);
    (poll, asked)
}

/// The plan of a factorisation and the factorisation itself ask whether to go on, and stop where
/// they are told to.
#[test]
fn long_factorisations_ask_whether_to_go_on() {
    let (groups, all): (Vec<u32>, Vec<Vec<u32>>) = ((0..300).collect(), vec![(0..300).collect()]);
    // The plan is a third of n^3 products, some 2^16 between two polls, half of them in groups that
    // are gone; the factorisation has 32 of 1,200 columns between two.
    let expected = 300_u64.pow(3) / 6 / (1 << 16);
    let (poll, asked) = counting(u64::MAX);
    let pattern = BlockPattern::with_late(&groups, &all, &[], None, &poll).unwrap();
    let planned = asked.load(Ordering::Relaxed);
    assert!(planned > expected, "{planned} polls");
    for last in [1, planned / 2, planned] {
        let (poll, _) = counting(last);
        let outcome = BlockPattern::with_late(&groups, &all, &[], None, &poll);
        assert_eq!(outcome, Err(SolveError::Interrupted), "poll {last}");
    }

    let pattern = Arc::new(pattern);
    let mut matrix = BlockMatrix::new(pattern.clone());
    for unknown in 0..300 {
        matrix.add_block(&[unknown], &[2.0]).unwrap();
    }
    let (poll, asked) = counting(u64::MAX);
    let mut lu = BlockLu::new(pattern.clone()).with_poll(&poll);
    lu.factor(&matrix).unwrap();
    let factored = asked.load(Ordering::Relaxed);
    assert!(factored > 1200 / 32, "{factored} polls");
    for last in [1, factored / 2, factored] {
        let mut lu = BlockLu::new(pattern.clone()).with_poll(&counting(last).0);
        assert_eq!(lu.factor(&matrix), Err(SolveError::Interrupted));
        assert_eq!(
            lu.solve_unchecked(&mut [1.0; 300]),
            Err(SolveError::NotFactored)
        );
    }
}

/// What would fill the memory is refused before it does.
#[test]
fn too_dense_a_matrix_is_refused() {
    let groups: Vec<u32> = (0..3000).collect();
    let outcome = BlockPattern::new(&groups, [&groups]);
    assert_eq!(outcome, Err(SolveError::TooDense { blocks: 3000 }));
}

/// Groups of four on a lattice, each coupled with its neighbours along three axes: so many that
/// elimination goes front by front.
fn lattice(side: u32) -> (Vec<u32>, Vec<Vec<u32>>) {
    let at = |x: u32, y: u32, z: u32| (z * side + y) * side + x;
    let mut couplings = Vec::new();
    for (x, y, z) in
        (0..side).flat_map(|x| (0..side).flat_map(move |y| (0..side).map(move |z| (x, y, z))))
    {
        let here = at(x, y, z);
        let next = [
            (x + 1 < side).then(|| at(x + 1, y, z)),
            (y + 1 < side).then(|| at(x, y + 1, z)),
            (z + 1 < side).then(|| at(x, y, z + 1)),
        ];
        couplings.extend(next.into_iter().flatten().map(|there| vec![here, there]));
    }
    let groups = (0..4 * side.pow(3) - 1)
        .map(|unknown| unknown / 4)
        .collect();
    (groups, couplings)
}

/// A matrix on couplings without the dense one beside it.
fn sparse(groups: &[u32], couplings: &[Vec<u32>], dominant: f64, symmetric: bool) -> BlockMatrix {
    let mut noise = Noise(7);
    let mut matrix = BlockMatrix::new(Arc::new(BlockPattern::new(groups, couplings).unwrap()));
    for coupling in couplings {
        let unknowns: Vec<u32> = (coupling.iter())
            .flat_map(|g| 4 * g..(4 * g + 4).min(groups.len() as u32))
            .collect();
        let m = unknowns.len();
        let mut values: Vec<f64> = (0..m * m).map(|_| noise.next()).collect();
        for p in 0..m {
            values[p * m + p] += dominant;
            for q in 0..p {
                if symmetric {
                    values[p * m + q] = values[q * m + p];
                }
            }
        }
        matrix.add_block(&unknowns, &values).unwrap();
    }
    matrix
}

#[test]
fn fronts_solve_large_systems_with_the_same_bits_on_any_number_of_threads() {
    let (groups, couplings) = lattice(14);
    let pattern = BlockPattern::new(&groups, &couplings).unwrap();
    assert!(pattern.has_fronts(), "not large enough");
    let matrix = sparse(&groups, &couplings, 4.0, false);
    let b: Vec<f64> = (0..groups.len()).map(|k| (k as f64).sin()).collect();
    let solve = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            let mut lu = BlockLu::new(Arc::new(pattern.clone()));
            lu.factor(&matrix).unwrap();
            let mut x = b.clone();
            // The residual is looked at here.
            let report = lu.solve(&mut x).unwrap();
            assert!(report.relative_residual < 1e-12, "{report:?}");
            // Again in the same memory.
            lu.factor(&matrix).unwrap();
            let mut again = b.clone();
            lu.solve(&mut again).unwrap();
            assert_eq!(x, again);
            x
        })
    };
    assert_eq!(solve(1), solve(3));
}

#[test]
fn fronts_know_whether_a_matrix_is_positive_definite() {
    let (groups, couplings) = lattice(14);
    for (dominant, positive) in [(8.0, true), (0.5, false)] {
        let matrix = sparse(&groups, &couplings, dominant, true);
        let mut lu = BlockLu::new(Arc::new(BlockPattern::new(&groups, &couplings).unwrap()));
        lu.factor(&matrix).unwrap();
        assert_eq!(lu.has_positive_pivots(), positive);
    }
}

#[test]
fn fronts_name_the_group_without_a_pivot_and_stop_when_told_to() {
    let (groups, couplings) = lattice(14);
    let pattern = Arc::new(BlockPattern::new(&groups, &couplings).unwrap());
    let empty = BlockMatrix::new(Arc::clone(&pattern));
    let mut lu = BlockLu::new(Arc::clone(&pattern));
    assert!(matches!(
        lu.factor(&empty),
        Err(SolveError::Singular { .. })
    ));
    let mut lu = BlockLu::new(pattern).with_poll(&Poll::new(|| true));
    let matrix = sparse(&groups, &couplings, 8.0, true);
    assert_eq!(lu.factor(&matrix), Err(SolveError::Interrupted));
}

/// A ring in a plane, whose edges are a thousand times as stiff along themselves as across: groups of
/// x, y, and an angle that nothing is coupled with. Three motions cost nothing, and rounding gives their
/// pivots signs; a shift of some eps of the largest entry must outweigh that.
#[test]
fn signs_of_pivots_are_lost_to_no_more_than_rounding() {
    let n = 100_u32;
    let groups: Vec<u32> = (0..3 * n).map(|unknown| unknown / 3).collect();
    let cliques: Vec<[u32; 3]> = (0..n).map(|k| [k, (k + 1) % n, (k + 2) % n]).collect();
    let pattern = Arc::new(BlockPattern::new(&groups, &cliques).unwrap());
    let mut matrix = BlockMatrix::new(Arc::clone(&pattern));
    // The edge after a node, along and across.
    let edge = |node: u32| {
        let turn = std::f64::consts::TAU * (f64::from(node) + 0.5) / f64::from(n);
        let (sin, cos) = turn.sin_cos();
        ([-sin, cos], [-cos, -sin])
    };
    let mut largest = 0.0_f64;
    for [a, b, c] in cliques {
        let unknowns = [3 * a, 3 * a + 1, 3 * b, 3 * b + 1, 3 * c, 3 * c + 1];
        let (([x, y], [u, v]), (_, [w, z])) = (edge(a), edge(b));
        // The first edge is stretched; edges turn against each other by what is across them.
        let stretch = [-x, -y, x, y, 0.0, 0.0];
        let bend = [u, v, -u - w, -v - z, w, z];
        let value = |k: usize| {
            let (i, j) = (k / 6, k % 6);
            1e3 * stretch[i] * stretch[j] + bend[i] * bend[j]
        };
        let values: [f64; 36] = std::array::from_fn(value);
        matrix.add_block(&unknowns, &values).unwrap();
        largest = values.iter().fold(largest, |l, v| l.max(v.abs()));
    }
    for group in 0..n {
        matrix.add_block(&[3 * group + 2], &[1.0]).unwrap();
    }
    let mut lu = BlockLu::new(pattern);
    let weights = vec![1.0; groups.len()];
    // As stability asks for, of which a diagonal entry is a sum of several.
    let mut shift = 4.0 * f64::EPSILON * largest;
    while shift < 1.0 {
        lu.factor_shifted(&matrix, shift, &weights).unwrap();
        assert!(lu.has_positive_pivots(), "with {shift:e} of {largest:e}");
        shift *= 1.1;
    }
    lu.factor_shifted(&matrix, -1e-9, &weights).unwrap();
    assert!(!lu.has_positive_pivots());
}

/// Without large diagonals rows of many groups are exchanged.
#[test]
fn fronts_exchange_rows_within_groups() {
    let (groups, couplings) = lattice(14);
    let pattern = BlockPattern::new(&groups, &couplings).unwrap();
    assert!(pattern.has_fronts(), "not large enough");
    let matrix = sparse(&groups, &couplings, 0.0, false);
    let mut lu = BlockLu::new(Arc::new(pattern));
    lu.factor(&matrix).unwrap();
    let mut x: Vec<f64> = (0..groups.len()).map(|k| (k as f64).sin()).collect();
    let report = lu.solve(&mut x).unwrap();
    assert!(report.relative_residual < 1e-9, "{report:?}");
}
