//! Orders of elimination.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

/// A graph, each edge in both lists, ascending.
fn graph(groups: usize, edges: impl IntoIterator<Item = (usize, usize)>) -> Vec<Vec<u32>> {
    let mut lists = vec![BTreeSet::new(); groups];
    for (i, j) in edges.into_iter().filter(|(i, j)| i != j) {
        lists[i].insert(j as u32);
        lists[j].insert(i as u32);
    }
    let lists = lists.into_iter().map(|list| list.into_iter().collect());
    lists.collect()
}

/// Minimum degree as it is defined: one group after the other.
fn by_definition(neighbours: &[Vec<u32>], round: &[u32]) -> (Vec<u32>, Vec<Vec<u32>>) {
    let mut left: Vec<BTreeSet<u32>> = (neighbours.iter())
        .map(|list| list.iter().copied().collect())
        .collect();
    let mut rest: BTreeSet<u32> = (0..left.len() as u32).collect();
    let (mut order, mut later) = (Vec::new(), vec![Vec::new(); left.len()]);
    while let Some(next) =
        (rest.iter().copied()).min_by_key(|g| (round[*g as usize], left[*g as usize].len(), *g))
    {
        let coupled = std::mem::take(&mut left[next as usize]);
        for &other in &coupled {
            left[other as usize].extend(&coupled);
            left[other as usize].remove(&other);
            left[other as usize].remove(&next);
        }
        rest.remove(&next);
        order.push(next);
        later[next as usize] = coupled.into_iter().collect();
    }
    (order, later)
}

/// Which later groups each elimination couples, in a given order.
fn coupled_along(neighbours: &[Vec<u32>], order: &[u32]) -> Vec<Vec<u32>> {
    let mut rank = vec![0; order.len()];
    (0..)
        .zip(order)
        .for_each(|(k, group)| rank[*group as usize] = k);
    by_definition(neighbours, &rank).1
}

proptest! {
    /// What is eliminated at once is what would come one after the other.
    #[test]
    fn eliminated_as_one_after_the_other(
        groups in 1_usize..40,
        edges in prop::collection::vec((0_usize..40, 0_usize..40), 0..160),
        rounds in prop::collection::vec(0_u32..3, 40),
        held in prop::collection::btree_set(0_u32..40, 0..12),
    ) {
        let edges = edges.into_iter().filter(|(i, j)| *i < groups && *j < groups);
        let lists = graph(groups, edges);
        let rounds = &rounds[..groups];
        let held: Vec<u32> = held.into_iter().filter(|g| *g < groups as u32).collect();
        let found = |held| {
            minimum_degree(lists.clone(), rounds, held, Limits::default(), &Poll::default()).unwrap()
        };
        prop_assert_eq!(found(&[]), by_definition(&lists, rounds));
        let (order, later) = found(&held);
        prop_assert_eq!(later, coupled_along(&lists, &order));
        // Each after those that it waits for, and others by their rounds.
        let place = |g: &u32| order.iter().position(|other| other == g);
        for group in &held {
            let mut others = lists[*group as usize].iter().filter(|g| !held.contains(g));
            prop_assert!(others.all(|other| place(other) < place(group)));
        }
        let free = order.iter().filter(|g| !held.contains(g));
        prop_assert!(free.map(|g| rounds[*g as usize]).is_sorted());
    }
}

proptest! {
    /// Each group after those that couple it, and none before one that waits for fewer.
    #[test]
    fn leaves_come_first(
        groups in 1_usize..40,
        edges in prop::collection::vec((0_usize..40, 0_usize..40), 0..160),
    ) {
        let edges = edges.into_iter().filter(|(i, j)| *i < groups && *j < groups);
        let lists = graph(groups, edges);
        let found = minimum_degree(lists, &vec![0; groups], &[], Limits::default(), &Poll::default());
        let (order, later) = found.unwrap();
        let sorted = leaves_first(&order, &later);
        let mut height = vec![0; groups];
        let mut last = 0;
        for (k, group) in sorted.iter().enumerate() {
            let own = height[*group as usize];
            prop_assert!(own >= last);
            last = own;
            for other in &later[*group as usize] {
                prop_assert!(!sorted[..k].contains(other));
                height[*other as usize] = height[*other as usize].max(own + 1);
            }
        }
        let mut all = sorted;
        all.sort_unstable();
        prop_assert!(all.into_iter().eq(0..groups as u32));
    }
}

#[test]
fn two_chains_are_eliminated_in_turn() {
    let lists = graph(8, [(0, 1), (1, 2), (2, 3), (4, 5), (5, 6), (6, 7)]);
    let found = minimum_degree(lists, &[0; 8], &[], Limits::default(), &Poll::default());
    let (order, later) = found.unwrap();
    assert_eq!(order, Vec::from_iter(0..8));
    assert_eq!(leaves_first(&order, &later), [0, 4, 1, 5, 2, 6, 3, 7]);
}

/// A lattice of cubes, and where its points are.
fn lattice(side: usize) -> (Vec<Vec<u32>>, Vec<[f64; 3]>) {
    let at = |x, y, z| (z * side + y) * side + x;
    let points = (0..side.pow(3)).map(|k| [k % side, k / side % side, k / side / side]);
    let edges = points.clone().flat_map(|[x, y, z]| {
        let along = [(x + 1, y, z), (x, y + 1, z), (x, y, z + 1)];
        let inside = along.into_iter().filter(|p| p.0.max(p.1).max(p.2) < side);
        inside.map(move |(i, j, k)| (at(x, y, z), at(i, j, k)))
    });
    let places = points.map(|point| point.map(|x| x as f64));
    (graph(side.pow(3), edges), places.collect())
}

/// A heap that is too much as a whole is taken part by part.
#[test]
fn what_is_too_dense_as_a_whole_is_cut() {
    let (lists, places) = lattice(18);
    let poll = Poll::default();
    let free = |places| elimination(&lists, &[], places, Limits::default(), &poll).unwrap();
    let (whole, cut) = (products(&free(None).1), products(&free(Some(&places)).1));
    assert!(
        whole > FRONTS_FROM && 10 * cut < 9 * whole,
        "{cut} of {whole}"
    );
    let between = Limits {
        products: (whole + cut) / 2,
        ..Limits::default()
    };
    let elimination = |places| elimination(&lists, &[], places, between, &poll);
    let groups = lists.len();
    assert_eq!(
        elimination(None),
        Err(SolveError::TooDense { blocks: groups })
    );
    assert_eq!(elimination(Some(&places)).unwrap(), free(Some(&places)));
}

/// A chain of bodies, each two of which a joint couples: with the joints after all bodies, elimination
/// couples each with each.
#[test]
fn joints_of_a_chain_come_as_soon_as_their_bodies_are_gone() {
    let chain = |bodies: usize| {
        let coupled = (1..bodies).flat_map(|b| {
            let joint = bodies + b - 1;
            [(b - 1, b), (b - 1, joint), (b, joint)]
        });
        let late: Vec<u32> = (bodies as u32..2 * bodies as u32 - 1).collect();
        (graph(2 * bodies - 1, coupled), late)
    };
    let (limits, poll) = (Limits::default(), Poll::default());
    let (lists, late) = chain(400);
    let (order, later) = elimination(&lists, &late, None, limits, &poll).unwrap();
    assert!(products(&later) < 10 * lists.len(), "{}", products(&later));
    let mut all = order;
    all.sort_unstable();
    assert!(all.into_iter().eq(0..lists.len() as u32));
    // Of few bodies all joints come last.
    let (lists, late) = chain(20);
    let (order, _) = elimination(&lists, &late, None, limits, &poll).unwrap();
    assert!(order[20..].iter().all(|group| late.contains(group)));
}
