//! Scalars along a rod, given once, per node or per edge.

/// A piecewise linear function of the station parameter, constant beyond its ends.
#[derive(Debug, Clone)]
pub(crate) struct Piecewise {
    /// Parameter of the first value; the others follow in steps of one.
    start: f64,
    values: Vec<f64>,
}

impl Piecewise {
    /// Values at the parameters `start`, `start + 1`, ...
    pub fn new(start: f64, values: Vec<f64>) -> Self {
        Self { start, values }
    }

    /// From an array of a tube with `nodes` nodes: one entry, per node, or per edge.
    pub fn along(values: &[f64], nodes: usize, closed: bool) -> Self {
        if values.len() == nodes {
            let repeated = closed.then(|| values[0]);
            Self::new(0.0, values.iter().copied().chain(repeated).collect())
        } else {
            Self::new(0.5, values.to_vec())
        }
    }

    /// The value at a station parameter.
    pub fn at(&self, param: f64) -> f64 {
        let last = self.values.len() - 1;
        let x = (param - self.start).clamp(0.0, last as f64);
        let i = (x as usize).min(last.saturating_sub(1));
        let next = (i + 1).min(last);
        self.values[i] + (self.values[next] - self.values[i]) * (x - i as f64)
    }

    /// The derivative with respect to the station parameter, from one to the right.
    pub fn slope(&self, param: f64) -> f64 {
        let last = self.values.len() - 1;
        let x = param - self.start;
        if x < 0.0 || x >= last as f64 {
            0.0
        } else {
            self.values[x as usize + 1] - self.values[x as usize]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn per_node_values_are_met_at_nodes_and_per_edge_values_in_the_middle() {
        let nodes = Piecewise::along(&[1.0, 2.0, 4.0], 3, false);
        assert_eq!(
            (nodes.at(1.0), nodes.at(1.5), nodes.at(9.0)),
            (2.0, 3.0, 4.0)
        );
        let edges = Piecewise::along(&[1.0, 3.0], 3, false);
        assert_eq!(
            (edges.at(0.0), edges.at(0.5), edges.at(1.0), edges.at(2.0)),
            (1.0, 1.0, 2.0, 3.0)
        );
        assert_eq!(Piecewise::along(&[7.0], 3, false).at(1.2), 7.0);
    }

    #[test]
    fn closed_tube_returns_to_its_first_value() {
        let closed = Piecewise::along(&[1.0, 2.0, 4.0], 3, true);
        assert_eq!(closed.at(3.0), 1.0);
        assert_eq!(closed.at(2.5), 2.5);
    }
}
