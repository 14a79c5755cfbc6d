//! Signature and determinant from the Goeritz matrix.
//!
//! A diagram cuts the plane into faces, which can be coloured like a chessboard. With the white
//! faces F_0 ... F_n and
//!
//! ```text
//! eta(c) = -1 if the upper strand, turned counterclockwise, sweeps white faces at the crossing c, else +1
//! g_ij   = -sum of eta(c) over crossings where F_i and F_j meet (i != j),   g_ii = -sum over j != i of g_ij
//! ```
//!
//! G is g without one row and column. The dark faces form a surface with the knot as its border.
//! Gordon and Litherland 1978: with mu the sum of eta over the crossings whose dark faces are the
//! ones that both strands leave or both enter ("type II"),
//!
//! ```text
//! signature of the knot = signature of G - mu,       determinant of the knot = |det G|
//! ```
//!
//! Right-handed trefoil: -2. The mirror image has the opposite signature, a connected sum the sum
//! of the signatures.
//!
//! The determinant is computed by fraction-free elimination (Bareiss 1968), exactly, with symmetric
//! pivoting: the pivots are leading minors, and the signs of their quotients make the signature.

use super::diagram::Diagram;
use super::error::KnotError;

/// What the Goeritz matrix says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Goeritz {
    /// Signature of the knot, even.
    pub signature: i64,
    /// |det G|, odd for a knot.
    pub determinant: i128,
}

/// Signature and determinant of a knot's diagram.
///
/// # Errors
/// [`KnotError::TooComplex`] where an integer does not fit.
pub(crate) fn goeritz(diagram: &Diagram) -> Result<Goeritz, KnotError> {
    let faces = Faces::of(diagram);
    // The colour with fewer faces makes the smaller matrix.
    let dark = (0..faces.count).filter(|f| faces.dark[*f]).count();
    let fewer = 2 * dark < faces.count;
    let is_white = |face: usize| faces.dark[face] == fewer;
    let mut index = vec![usize::MAX; faces.count];
    let mut size = 0;
    for face in (0..faces.count).filter(|f| is_white(*f)) {
        index[face] = size;
        size += 1;
    }
    let mut matrix = vec![vec![0_i128; size]; size];
    let mut correction = 0;
    for (corners, sign) in faces.corners.iter().zip(&diagram.signs) {
        // Turned counterclockwise it sweeps the faces left of its head and right of its tail.
        let sweeps_white = is_white(corners[0]);
        let eta = if sweeps_white { -1 } else { 1 };
        // Type II of Gordon and Litherland: their eta make up mu.
        let dark_between_heads = sweeps_white == (*sign < 0);
        if dark_between_heads {
            correction += eta;
        }
        let across = if sweeps_white {
            [corners[0], corners[2]]
        } else {
            [corners[1], corners[3]]
        };
        let [i, j] = across.map(|face| index[face]);
        // g_ij = -sum eta; the diagonal makes each row's sum zero.
        if i != j {
            let eta = i128::from(eta);
            matrix[i][j] -= eta;
            matrix[j][i] -= eta;
            matrix[i][i] += eta;
            matrix[j][j] += eta;
        }
    }
    // G: g without its last row and column.
    matrix.pop();
    for row in &mut matrix {
        row.pop();
    }
    let crossings = diagram.crossings();
    let inertia = inertia(matrix).ok_or(KnotError::TooComplex { crossings })?;
    Ok(Goeritz {
        signature: inertia.signature - correction,
        determinant: inertia.determinant.abs(),
    })
}

/// Faces of a diagram.
struct Faces {
    count: usize,
    /// The faces around each crossing, counterclockwise, from the one to the left of the upper
    /// strand's head: left of the head, left of the tail, right of the tail, right of the head;
    /// `(crossings)`.
    corners: Vec<[usize; 4]>,
    /// One of the two colours, `(count)`.
    dark: Vec<bool>,
}

impl Faces {
    /// Arc k goes from passage k to the next; its sides are 2k (left) and 2k + 1 (right). Each
    /// corner of a crossing joins the sides of two arcs.
    fn of(diagram: &Diagram) -> Self {
        let arcs = diagram.code.len();
        if arcs == 0 {
            return Self {
                // A circle: inside and outside.
                count: 2,
                corners: Vec::new(),
                dark: vec![true, false],
            };
        }
        let mut sides = Partition::new(2 * arcs);
        let (left, right) = (|arc: usize| 2 * arc, |arc: usize| 2 * arc + 1);
        let places = diagram.places();
        for (place, sign) in places.iter().zip(&diagram.signs) {
            let before = |at: usize| (at + arcs - 1) % arcs;
            let (over_in, over_out) = (before(place.over), place.over);
            let (under_in, under_out) = (before(place.under), place.under);
            // The lower strand goes to the left below a right-handed crossing's upper strand, to
            // the right of a left-handed one's.
            let (to_left, to_right) = if *sign > 0 {
                (
                    [left(under_out), right(under_out)],
                    [left(under_in), right(under_in)],
                )
            } else {
                (
                    [right(under_in), left(under_in)],
                    [right(under_out), left(under_out)],
                )
            };
            // Of each arc on the left or right: first its side towards the tail of the upper
            // strand, then that towards the head.
            sides.join(left(over_out), to_left[1]);
            sides.join(left(over_in), to_left[0]);
            sides.join(right(over_in), to_right[0]);
            sides.join(right(over_out), to_right[1]);
        }
        let (face, count) = sides.numbers();
        let corners = places.iter().map(|place| {
            let (tail, head) = ((place.over + arcs - 1) % arcs, place.over);
            [left(head), left(tail), right(tail), right(head)].map(|side| face[side])
        });
        let corners = corners.collect();
        let dark = colours(&face, count);
        Self {
            count,
            corners,
            dark,
        }
    }
}

/// Colours faces so that the two sides of every arc differ.
fn colours(face: &[usize], count: usize) -> Vec<bool> {
    let mut across = vec![Vec::new(); count];
    for sides in face.chunks_exact(2) {
        across[sides[0]].push(sides[1]);
        across[sides[1]].push(sides[0]);
    }
    let mut dark = vec![None; count];
    // From face to face across arcs, the colours by turns.
    let mut open = vec![(0, true)];
    while let Some((face, colour)) = open.pop() {
        if dark[face].is_none() {
            dark[face] = Some(colour);
            open.extend(across[face].iter().map(|other| (*other, !colour)));
        }
    }
    dark.into_iter().map(|c| c == Some(true)).collect()
}

/// Disjoint sets of numbers.
struct Partition(Vec<usize>);

impl Partition {
    fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    fn root(&mut self, mut i: usize) -> usize {
        while self.0[i] != i {
            self.0[i] = self.0[self.0[i]];
            i = self.0[i];
        }
        i
    }

    fn join(&mut self, i: usize, j: usize) {
        let (i, j) = (self.root(i), self.root(j));
        self.0[i] = j;
    }

    /// The set of each number, and how many sets there are.
    fn numbers(mut self) -> (Vec<usize>, usize) {
        let roots: Vec<usize> = (0..self.0.len()).map(|i| self.root(i)).collect();
        let mut names = roots.clone();
        names.sort_unstable();
        names.dedup();
        let name = |root: &usize| names.binary_search(root).unwrap_or(0);
        (roots.iter().map(name).collect(), names.len())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Inertia {
    signature: i64,
    determinant: i128,
}

/// Signature and determinant of a symmetric integer matrix; `None` where an integer overflows.
fn inertia(mut matrix: Vec<Vec<i128>>) -> Option<Inertia> {
    let size = matrix.len();
    let (mut signature, mut last) = (0, 1_i128);
    for k in 0..size {
        if !bring_pivot(&mut matrix, k)? {
            return Some(Inertia {
                signature,
                determinant: 0,
            });
        }
        // Pivots are leading minors; signs of the quotients of successive ones make the signature.
        let pivot = matrix[k][k];
        signature += i64::try_from(pivot.signum() * last.signum()).ok()?;
        for i in k + 1..size {
            for j in i..size {
                // (a_ij a_kk - a_ik a_kj)/a_last, without a remainder (Bareiss)
                let value = matrix[i][j]
                    .checked_mul(pivot)?
                    .checked_sub(matrix[i][k].checked_mul(matrix[k][j])?)?
                    / last;
                matrix[i][j] = value;
                matrix[j][i] = value;
            }
        }
        last = pivot;
    }
    Some(Inertia {
        signature,
        determinant: last,
    })
}

/// Makes the pivot k nonzero by a change of basis with determinant 1 or -1 of what is left; whether
/// that is possible.
fn bring_pivot(matrix: &mut [Vec<i128>], k: usize) -> Option<bool> {
    let size = matrix.len();
    // Small pivots keep the others small.
    let diagonal = (k..size)
        .filter(|i| matrix[*i][*i] != 0)
        .min_by_key(|i| matrix[*i][*i].unsigned_abs());
    if let Some(i) = diagonal {
        matrix.swap(i, k);
        for row in matrix.iter_mut() {
            row.swap(i, k);
        }
        return Some(true);
    }
    let pair = (k..size).find_map(|i| (i + 1..size).find(|j| matrix[i][*j] != 0).map(|j| (i, j)));
    let Some((i, j)) = pair else {
        return Some(false);
    };
    // Both diagonal entries are 0: adding one to the other makes twice the entry between them.
    let other = matrix[j].clone();
    for (entry, more) in matrix[i].iter_mut().zip(&other).skip(k) {
        *entry = entry.checked_add(*more)?;
    }
    for row in matrix.iter_mut().skip(k) {
        row[i] = row[i].checked_add(row[j])?;
    }
    bring_pivot(matrix, k)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signature_and_determinant_of_matrices_are_exact() {
        let big = 1_i128 << 40;
        for (matrix, signature, determinant) in [
            (vec![], 0, 1),
            (vec![vec![-3]], -1, -3),
            // No diagonal to begin with.
            (vec![vec![0, 1], vec![1, 0]], 0, -1),
            (vec![vec![0, 2, 0], vec![2, 0, 0], vec![0, 0, 5]], 1, -20),
            (vec![vec![1, 1], vec![1, 1]], 1, 0),
            // A pivot that vanishes on the way, and one that only exact numbers tell from 0.
            (vec![vec![1, 1, 0], vec![1, 1, 1], vec![0, 1, 0]], 1, -1),
            (vec![vec![big, big + 1], vec![big + 1, big + 2]], 0, -1),
        ] {
            let found = inertia(matrix.clone()).unwrap();
            assert_eq!(found.signature, signature, "{matrix:?}");
            assert_eq!(
                found.determinant.abs(),
                i128::abs(determinant),
                "{matrix:?}"
            );
        }
        assert!(inertia(vec![vec![i128::MAX, 1], vec![1, 2]]).is_none());
    }
}
