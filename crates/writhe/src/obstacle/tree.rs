//! A tree of boxes over the features of an obstacle, which never move in its own frame.

use glam::DVec3;

use crate::kernels::candidates::Aabb;

/// Features in a leaf.
const LEAF: usize = 4;

/// Median-split tree: a node's children are the halves of its range.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    /// Features, ordered by leaf.
    items: Vec<u32>,
    /// Box of each feature.
    boxes: Vec<Aabb>,
    /// Box of each node, in the order in which ranges are split: node, first half, second half.
    nodes: Vec<Node>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    bounds: Aabb,
    /// Node after this one's descendants.
    skip: u32,
    /// Range of `items` of a leaf; empty for others.
    first: u32,
    last: u32,
}

impl Tree {
    /// Over features with these boxes.
    pub(crate) fn new(boxes: Vec<Aabb>) -> Self {
        let mut items: Vec<u32> = (0..boxes.len() as u32).collect();
        let mut nodes = Vec::new();
        if !items.is_empty() {
            split(&mut items, 0, &boxes, &mut nodes);
        }
        Self {
            items,
            boxes,
            nodes,
        }
    }

    /// Calls `visit` with every feature whose box overlaps `query`.
    pub(crate) fn overlaps(&self, query: &Aabb, mut visit: impl FnMut(u32)) {
        let mut at = 0;
        while let Some(node) = self.nodes.get(at) {
            if node.bounds.overlaps(query) {
                for item in &self.items[node.first as usize..node.last as usize] {
                    if self.boxes[*item as usize].overlaps(query) {
                        visit(*item);
                    }
                }
                at += 1;
            } else {
                // Past all that this box contains.
                at = node.skip as usize;
            }
        }
    }
}

fn split(items: &mut [u32], offset: u32, boxes: &[Aabb], nodes: &mut Vec<Node>) {
    let bounds = items
        .iter()
        .map(|i| boxes[*i as usize])
        .reduce(|a, b| a.union(&b))
        .unwrap_or(Aabb {
            min: DVec3::ZERO,
            max: DVec3::ZERO,
        });
    let here = nodes.len();
    let leaf = items.len() <= LEAF;
    let (first, last) = if leaf {
        (offset, offset + items.len() as u32)
    } else {
        (0, 0)
    };
    nodes.push(Node {
        bounds,
        skip: 0,
        first,
        last,
    });
    if !leaf {
        let sides = bounds.max - bounds.min;
        let axis = (0..3)
            .max_by(|a, b| sides[*a].total_cmp(&sides[*b]))
            .unwrap_or(0);
        let centre = |i: &u32| boxes[*i as usize].min[axis] + boxes[*i as usize].max[axis];
        let middle = items.len() / 2;
        // Equal centres go by their number: one tree for one mesh.
        items.select_nth_unstable_by(middle, |a, b| {
            centre(a).total_cmp(&centre(b)).then(a.cmp(b))
        });
        let (low, high) = items.split_at_mut(middle);
        split(low, offset, boxes, nodes);
        split(high, offset + middle as u32, boxes, nodes);
    }
    nodes[here].skip = nodes.len() as u32;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::testing::Random;

    #[test]
    fn finds_what_brute_force_finds() {
        let mut random = Random(11);
        for count in [0, 1, 3, 4, 5, 9, 100, 1000] {
            let boxes: Vec<Aabb> = (0..count)
                .map(|_| {
                    let x = random.vector();
                    Aabb::of_edge(x, x + 0.1 * random.vector(), 0.01)
                })
                .collect();
            let tree = Tree::new(boxes.clone());
            for _ in 0..50 {
                let x = random.vector();
                let query = Aabb::of_edge(x, x + 0.5 * random.vector(), 0.02);
                let mut found = Vec::new();
                tree.overlaps(&query, |i| found.push(i));
                found.sort_unstable();
                let all = 0..count as u32;
                let expected: Vec<u32> = all
                    .filter(|i| boxes[*i as usize].overlaps(&query))
                    .collect();
                assert_eq!(found, expected);
            }
        }
    }
}
