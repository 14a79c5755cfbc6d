//! Second derivatives by the unknowns of two edges.

use super::Blocks;

/// Second derivatives by the unknowns of two edges, in four groups: (a0, theta_a), (a1, nothing),
/// (b0, theta_b) and (b1, nothing).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairBlocks {
    /// Blocks of the groups, that of row i and column j at `4 i + j`, each of shape (4, 4) column by
    /// column; zero for nothing.
    pub blocks: [[f64; 16]; 16],
    /// Whether angles have a part in them.
    pub angles: bool,
}

impl PairBlocks {
    /// Those of a symmetric matrix by the positions a0, a1, b0, b1 alone.
    #[inline(always)]
    pub(crate) fn of_positions(matrix: &[[f64; 12]; 12]) -> Self {
        let mut out = Self {
            blocks: [[0.0; 16]; 16],
            angles: false,
        };
        for (at, block) in out.blocks.iter_mut().enumerate() {
            let (i, j) = (at / 4, at % 4);
            for c in 0..3 {
                // A column of a symmetric matrix is a row.
                let column = &matrix[3 * j + c][3 * i..3 * i + 3];
                block[4 * c..4 * c + 3].copy_from_slice(column);
            }
        }
        out
    }

    /// Entry of two unknowns: positions of a0, a1, b0, b1, then both angles.
    pub fn get(&self, row: usize, column: usize) -> f64 {
        let ((i, r), (j, c)) = (group(row), group(column));
        self.blocks[4 * i + j][4 * c + r]
    }

    /// Adds all entries, those of angles if they have a part.
    pub(crate) fn add_dense<B: Blocks + ?Sized>(&self, dofs: &[usize; 14], to: &mut B) {
        if self.angles {
            let values: [f64; 196] = std::array::from_fn(|k| self.get(k / 14, k % 14));
            to.general(dofs, &values);
        } else {
            let values: [f64; 144] = std::array::from_fn(|k| self.get(k / 12, k % 12));
            to.symmetric(&dofs[..12], &values);
        }
    }
}

/// Group and slot of an unknown.
fn group(unknown: usize) -> (usize, usize) {
    match unknown {
        0..12 => (unknown / 3, unknown % 3),
        angle => (2 * (angle - 12), 3),
    }
}
