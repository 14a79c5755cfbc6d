//! Fewer nodes, same knot: a node is removed when nothing passes through the triangle that it spans
//! with its neighbours.
//!
//! Koniaris and Muthukumar 1991, Taylor 2000. Replacing the edges ab, bc by ac sweeps the triangle
//! abc; if no other edge meets it, the polygon has not passed through itself. The test is exact
//! (lattice points), and what is in doubt (an edge in the triangle's plane, an edge through its
//! border) stays. A rod of hundreds of nodes comes down to about as many as its knot needs.

use super::lattice::{Point, cross, difference, dot, orientation};

/// Removes nodes from a closed polygon until none can be removed.
pub(crate) fn shorten(points: &mut Vec<Point>) {
    let mut gone = usize::MAX;
    while gone > 0 && points.len() > 3 {
        let before = points.len();
        *points = pass(Linked::new(points));
        gone = before - points.len();
    }
}

/// What is left of an open polygon, whose ends stay, when nodes are removed until none can be;
/// nothing passes through the edges `beside` it either.
pub(crate) fn shorten_open(points: &[Point], beside: &[[Point; 2]]) -> Vec<Point> {
    let mut points = points.to_vec();
    let mut gone = usize::MAX;
    while gone > 0 {
        let before = points.len();
        points = pass(Linked::open(&points, beside));
        gone = before - points.len();
    }
    points
}

/// Tries every node once; after a removal the next node stays, so that triangles remain small.
fn pass(mut polygon: Linked) -> Vec<Point> {
    let mut at = 0;
    loop {
        let mut next = polygon.next[at];
        // Indices grow until the polygon is closed.
        let mut around = next <= at;
        if polygon.left > 3 && polygon.removable(at) {
            polygon.remove(at);
            around |= polygon.next[next] <= next;
            next = polygon.next[next];
        }
        if around {
            break;
        }
        at = next;
    }
    polygon.into_points()
}

/// A polygon from which nodes are taken, closed or open.
struct Linked<'a> {
    points: Vec<Point>,
    next: Vec<usize>,
    previous: Vec<usize>,
    /// Box of the edge that starts at each node; that of a node that is gone contains nothing.
    boxes: Vec<[Point; 2]>,
    /// A box around those of each [`BLOCK`] nodes in a row.
    blocks: Vec<[Point; 2]>,
    gone: Vec<bool>,
    left: usize,
    /// Edges beside it with their boxes, and whether it is open.
    beside: Vec<(&'a [Point; 2], [Point; 2])>,
    open: bool,
}

/// Edges that are asked together whether they may be near.
const BLOCK: usize = 16;

/// A box that overlaps none.
const NOWHERE: [Point; 2] = [[i64::MAX; 3], [i64::MIN; 3]];

impl<'a> Linked<'a> {
    fn new(points: &[Point]) -> Self {
        let count = points.len();
        let next: Vec<usize> = (0..count).map(|i| (i + 1) % count).collect();
        let boxes: Vec<[Point; 2]> = (0..count)
            .map(|i| around(&[points[i], points[next[i]]]))
            .collect();
        let block = |boxes: &[[Point; 2]]| boxes.iter().fold(NOWHERE, |a, b| union(&a, b));
        Self {
            previous: (0..count).map(|i| (i + count - 1) % count).collect(),
            blocks: boxes.chunks(BLOCK).map(block).collect(),
            boxes,
            next,
            points: points.to_vec(),
            gone: vec![false; count],
            left: count,
            beside: Vec::new(),
            open: false,
        }
    }

    /// An open polygon with edges beside it.
    fn open(points: &[Point], beside: &'a [[Point; 2]]) -> Self {
        let mut polygon = Self::new(points);
        // No edge goes from the last node to the first.
        let last = points.len() - 1;
        polygon.boxes[last] = NOWHERE;
        polygon.blocks[last / BLOCK] =
            (polygon.boxes[last - last % BLOCK..].iter()).fold(NOWHERE, |a, b| union(&a, b));
        polygon.beside = beside.iter().map(|edge| (edge, around(edge))).collect();
        polygon.open = true;
        polygon
    }

    /// Whether a node of an open polygon is one of its ends, or next to one: edges beside it may
    /// begin there.
    fn is_at_an_end(&self, at: usize) -> bool {
        let last = self.points.len() - 1;
        let near = [self.previous[at], at, self.next[at]];
        self.open && (near.contains(&0) || near.contains(&last))
    }

    fn remove(&mut self, at: usize) {
        let (before, after) = (self.previous[at], self.next[at]);
        self.next[before] = after;
        self.previous[after] = before;
        let merged = around(&[self.points[before], self.points[after]]);
        self.boxes[before] = merged;
        // A block's box never shrinks: that costs time, not correctness.
        self.blocks[before / BLOCK] = union(&self.blocks[before / BLOCK], &merged);
        self.boxes[at] = NOWHERE;
        self.gone[at] = true;
        self.left -= 1;
    }

    /// Whether nothing meets the triangle of a node and its neighbours.
    fn removable(&self, at: usize) -> bool {
        if self.is_at_an_end(at) {
            return false;
        }
        let (before, after) = (self.previous[at], self.next[at]);
        let [a, b, c] = [before, at, after].map(|i| self.points[i]);
        let normal = cross(difference(a, b), difference(a, c));
        if normal == [0; 3] {
            // On a straight line: b can go if it lies between its neighbours.
            let [u, v] = [difference(a, b), difference(b, c)];
            let along: i128 = (0..3).map(|k| i128::from(u[k]) * i128::from(v[k])).sum();
            return along > 0;
        }
        let side = |p: Point| dot(normal, difference(a, p));
        let span = around(&[a, b, c]);
        // The neighbours' other edges leave the triangle's plane at its corners, or are in doubt.
        let (z, d) = (self.previous[before], self.next[after]);
        if side(self.points[z]) == 0 || side(self.points[d]) == 0 {
            return false;
        }
        let beside = (self.beside.iter()).filter(|(_, around)| overlap(around, &span));
        let mut beside = beside.map(|(edge, _)| edge);
        if !beside.all(|[p, q]| misses([a, b, c], side, *p, *q)) {
            return false;
        }
        let blocks = self.boxes.chunks(BLOCK).zip(&self.blocks).enumerate();
        let near = blocks
            .filter(|(_, (_, block))| overlap(block, &span))
            .flat_map(|(k, (edges, _))| (k * BLOCK..).zip(edges));
        near.into_iter().all(|(i, edge)| {
            !overlap(edge, &span)
                // Its own edges and their neighbours, which were looked at above.
                || i == at
                || i == before
                || i == z
                || i == after
                || misses([a, b, c], side, self.points[i], self.points[self.next[i]])
        })
    }

    fn into_points(self) -> Vec<Point> {
        let points = self.points.into_iter().zip(self.gone);
        points
            .filter(|(_, gone)| !gone)
            .map(|(point, _)| point)
            .collect()
    }
}

/// Whether the edge pq certainly does not meet the triangle, whose plane has its points where
/// `side` is 0.
fn misses([a, b, c]: [Point; 3], side: impl Fn(Point) -> i128, p: Point, q: Point) -> bool {
    let (of_p, of_q) = (side(p).signum(), side(q).signum());
    if of_p * of_q > 0 {
        return true;
    }
    // In the triangle's plane: in doubt.
    if of_p == 0 && of_q == 0 {
        return false;
    }
    // The line pq passes the three sides on different hands: it misses the triangle.
    let hands = [
        orientation(p, q, a, b).signum(),
        orientation(p, q, b, c).signum(),
        orientation(p, q, c, a).signum(),
    ];
    hands.contains(&1) && hands.contains(&-1)
}

fn around(points: &[Point]) -> [Point; 2] {
    let extreme = |pick: fn(i64, i64) -> i64| {
        [0, 1, 2].map(|k| points.iter().map(|p| p[k]).reduce(pick).unwrap_or(0))
    };
    [extreme(i64::min), extreme(i64::max)]
}

fn union(a: &[Point; 2], b: &[Point; 2]) -> [Point; 2] {
    [
        [0, 1, 2].map(|k| a[0][k].min(b[0][k])),
        [0, 1, 2].map(|k| a[1][k].max(b[1][k])),
    ]
}

#[inline]
fn overlap(a: &[Point; 2], b: &[Point; 2]) -> bool {
    (0..3).all(|k| a[0][k] <= b[1][k] && b[0][k] <= a[1][k])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn triangle() -> [Point; 3] {
        [[0, 0, 0], [100, 0, 0], [0, 100, 0]]
    }

    fn missed(p: Point, q: Point) -> bool {
        let [a, b, c] = triangle();
        let normal = cross(difference(a, b), difference(a, c));
        misses([a, b, c], |x| dot(normal, difference(a, x)), p, q)
    }

    #[test]
    fn edges_through_a_triangle_or_its_border_are_found() {
        for (p, q, expected) in [
            ([20, 20, 5], [20, 20, -5], false),
            ([20, 20, 5], [20, 20, 1], true),
            ([80, 80, 5], [80, 80, -5], true),
            // Through a side, a corner, and ending on the triangle.
            ([50, 50, 5], [50, 50, -5], false),
            ([0, 0, 5], [0, 0, -5], false),
            ([20, 20, 5], [20, 20, 0], false),
            // One unit beside a side, and in the triangle's plane.
            ([50, 51, 5], [50, 51, -5], true),
            ([200, 0, 0], [200, 100, 0], false),
        ] {
            assert_eq!(missed(p, q), expected, "{p:?} {q:?}");
            assert_eq!(missed(q, p), expected, "{q:?} {p:?}");
        }
    }

    #[test]
    fn a_ring_becomes_a_triangle_unless_it_is_knotted() {
        let polygon = |f: fn(f64) -> [f64; 3]| -> Vec<Point> {
            let at = |i: usize| f(std::f64::consts::TAU * i as f64 / 200.0);
            (0..200).map(|i| at(i).map(|x| (1e6 * x) as i64)).collect()
        };
        let mut ring = polygon(|s| [s.cos(), s.sin(), (3.0 * s).sin()]);
        shorten(&mut ring);
        assert_eq!(ring.len(), 3);
        let mut trefoil = polygon(|s| {
            let r = 2.0 + (3.0 * s).cos();
            [r * (2.0 * s).cos(), r * (2.0 * s).sin(), (3.0 * s).sin()]
        });
        shorten(&mut trefoil);
        // A trefoil needs six edges.
        assert!((6..12).contains(&trefoil.len()), "{}", trefoil.len());
    }

    #[test]
    fn nodes_on_a_straight_line_go() {
        let mut square = vec![
            [0, 0, 0],
            [5, 0, 0],
            [9, 0, 0],
            [9, 9, 0],
            [4, 9, 0],
            [0, 9, 0],
        ];
        shorten(&mut square);
        // Its corners lie in one plane, which is in doubt for every triangle.
        assert_eq!(square, [[0, 0, 0], [9, 0, 0], [9, 9, 0], [0, 9, 0]]);
    }
}
