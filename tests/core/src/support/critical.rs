//! How many unstable modes an equilibrium has.

use writhe::model::Model;
use writhe::state::State;
use writhe::statics::Statics;

/// Negative eigenvalues of the static stiffness at a state, counted by the signs of its pivots
/// (Sylvester's law of inertia).
pub fn unstable_modes(model: &Model, state: &State) -> usize {
    let statics = Statics::at(model, state).unwrap();
    let n = statics.free.len();
    let mut a = vec![0.0; n * n];
    for (row, column, value) in &statics.stiffness {
        a[row * n + column] = *value;
    }
    let mut negative = 0;
    for k in 0..n {
        let pivot = a[k * n + k];
        negative += usize::from(pivot < 0.0);
        // What couples is near by: rows beyond the band are zero.
        let below: Vec<usize> = (k + 1..n).filter(|i| a[i * n + k] != 0.0).collect();
        for i in &below {
            let factor = a[i * n + k] / pivot;
            for j in &below {
                a[i * n + j] -= factor * a[k * n + j];
            }
        }
    }
    negative
}
