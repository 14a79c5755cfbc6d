//! How far apart two runs of the same rods are: T22 Eq. 22, `mean over all nodes of |x - x'| / h`.

use crate::error::{Result, RunDirError};
use crate::layout::RunLayout;
use crate::reader::RunReader;
use crate::spans::Span;

/// Times of two runs count as one when they differ by less than this part of the longer run.
const SAME_TIME: f64 = 1e-9;

/// Two runs at the times that both have.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Never empty.
    differences: Vec<Difference>,
    /// Frames of the first and of the second run.
    pub frames: [usize; 2],
}

/// Two runs at one time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// Simulated time, s.
    pub time: f64,
    /// Mean over all nodes of the distance between the two runs, m.
    pub mean: f64,
    /// The same with each distance over the radius of the rod there in the first run: T22 Eq. 22.
    pub mean_radii: f64,
    /// The node that differs most.
    pub largest: NodeDifference,
}

/// One node in two runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NodeDifference {
    /// Index of the rod.
    pub rod: usize,
    /// Node of that rod.
    pub node: usize,
    /// Distance between the two runs, m.
    pub distance: f64,
    /// The same over the radius.
    pub radii: f64,
}

impl Comparison {
    /// Compares the runs at every time that both have.
    ///
    /// # Errors
    /// [`RunDirError::DifferentRods`] when nodes do not correspond, [`RunDirError::NoCommonTime`],
    /// or a run that cannot be read.
    pub fn new(first: &RunReader, second: &RunReader) -> Result<Self> {
        same_rods(first.layout(), second.layout())?;
        let times = [first.times()?, second.times()?];
        let common = common_times(&times);
        if common.is_empty() {
            return Err(RunDirError::NoCommonTime {
                first: range(&times[0]),
                second: range(&times[1]),
            });
        }
        let places = node_places(first.layout());
        let differences = common
            .into_iter()
            .map(|[i, j]| {
                let positions = [first.positions(i)?, second.positions(j)?];
                Ok(Difference::new(times[0][i], &positions, &places))
            })
            .collect::<Result<Vec<_>>>()?;
        Ok(Self {
            differences,
            frames: [first.frames(), second.frames()],
        })
    }

    /// One entry for each common time, in order; never empty.
    pub fn differences(&self) -> &[Difference] {
        &self.differences
    }

    /// Mean over the common times of [`Difference::mean_radii`].
    pub fn mean_radii(&self) -> f64 {
        let sum: f64 = self.differences.iter().map(|d| d.mean_radii).sum();
        sum / self.differences.len() as f64
    }

    /// The time at which the mean difference is largest.
    pub fn largest_mean(&self) -> &Difference {
        self.largest_by(|d| d.mean)
    }

    /// The time at which a node differs most.
    pub fn largest_node(&self) -> &Difference {
        self.largest_by(|d| d.largest.distance)
    }

    fn largest_by(&self, size: impl Fn(&Difference) -> f64) -> &Difference {
        let mut rest = self.differences.iter();
        let first = rest.next().expect("a comparison has a common time");
        rest.fold(first, |a, b| if size(b) > size(a) { b } else { a })
    }
}

impl Difference {
    fn new(time: f64, positions: &[Vec<[f64; 3]>; 2], places: &[NodePlace]) -> Self {
        let mut largest = NodeDifference {
            rod: 0,
            node: 0,
            distance: 0.0,
            radii: 0.0,
        };
        let (mut sum, mut sum_radii) = (0.0, 0.0);
        for ((x, y), place) in positions[0].iter().zip(&positions[1]).zip(places) {
            let distance = (0..3).map(|k| (x[k] - y[k]).powi(2)).sum::<f64>().sqrt();
            let radii = distance / place.radius;
            sum += distance;
            sum_radii += radii;
            if distance > largest.distance {
                largest = NodeDifference {
                    rod: place.rod,
                    node: place.node,
                    distance,
                    radii,
                };
            }
        }
        let nodes = places.len() as f64;
        Self {
            time,
            mean: sum / nodes,
            mean_radii: sum_radii / nodes,
            largest,
        }
    }
}

/// Where a node belongs, and the radius there.
struct NodePlace {
    rod: usize,
    node: usize,
    radius: f64,
}

/// All nodes.
fn node_places(layout: &RunLayout) -> Vec<NodePlace> {
    let spans = Span::all(layout).into_iter().enumerate();
    let places = spans.flat_map(|(rod, span)| {
        (0..span.rod.nodes).map(move |node| NodePlace {
            rod,
            node,
            radius: span.radius(node, &layout.radius),
        })
    });
    places.collect()
}

fn same_rods(first: &RunLayout, second: &RunLayout) -> Result<()> {
    let different = |reason: String| Err(RunDirError::DifferentRods { reason });
    let (a, b) = (&first.rods, &second.rods);
    if a.len() != b.len() {
        return different(format!("{} rods in one, {} in the other", a.len(), b.len()));
    }
    for (rod, (a, b)) in a.iter().zip(b).enumerate() {
        if a.nodes != b.nodes {
            let (a, b) = (a.nodes, b.nodes);
            return different(format!("rod {rod} has {a} nodes in one, {b} in the other"));
        }
        if a.closed != b.closed {
            return different(format!("rod {rod} is closed in one of them only"));
        }
    }
    Ok(())
}

/// Indices into both lists of the times that both have.
fn common_times(times: &[Vec<f64>; 2]) -> Vec<[usize; 2]> {
    let span = times.iter().flatten().fold(0.0_f64, |m, t| m.max(t.abs()));
    let mut common = Vec::new();
    let (mut i, mut j) = (0, 0);
    while let (Some(a), Some(b)) = (times[0].get(i), times[1].get(j)) {
        if (a - b).abs() <= SAME_TIME * span {
            common.push([i, j]);
            i += 1;
            j += 1;
        } else if a < b {
            i += 1;
        } else {
            j += 1;
        }
    }
    common
}

fn range(times: &[f64]) -> String {
    match times {
        [] => "has no frame yet".to_owned(),
        [one] => format!("has one frame, at {one} s"),
        [first, .., last] => format!("has {} frames from {first} to {last} s", times.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_unlike_steps_meet_where_both_are() {
        let common = |a: &[f64], b: &[f64]| common_times(&[a.to_vec(), b.to_vec()]);
        assert_eq!(
            common(&[0.0, 0.1, 0.2, 0.3], &[0.0, 0.15, 0.1 * 3.0]),
            [[0, 0], [3, 2]]
        );
        assert_eq!(common(&[0.5], &[0.25, 0.75]), Vec::<[usize; 2]>::new());
        assert_eq!(common(&[], &[0.0]), Vec::<[usize; 2]>::new());
    }
}
