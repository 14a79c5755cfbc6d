//! Vectors that Newton's iterations use again, so that none of them asks for memory.

/// Vectors that are kept at most: more than an iteration ever has in use.
const KEPT: usize = 32;

/// Vectors that are in no use.
#[derive(Debug, Default)]
pub(super) struct Pool(Vec<Vec<f64>>);

impl Pool {
    /// A vector of these numbers.
    pub fn collect(&mut self, values: impl IntoIterator<Item = f64>) -> Vec<f64> {
        let mut vector = self.0.pop().unwrap_or_default();
        vector.clear();
        vector.extend(values);
        vector
    }

    /// A vector of the same numbers.
    pub fn copy(&mut self, values: &[f64]) -> Vec<f64> {
        let mut vector = self.0.pop().unwrap_or_default();
        vector.clear();
        vector.extend_from_slice(values);
        vector
    }

    /// Takes back what is used no more. Vectors of another origin may come, so that not all are kept.
    pub fn give_back(&mut self, vector: Vec<f64>) {
        // One without memory would have to ask for it.
        if vector.capacity() > 0 && self.0.len() < KEPT {
            self.0.push(vector);
        }
    }
}
