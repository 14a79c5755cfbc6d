//! Shared by the integration tests: random numbers, dense Jacobians, differences.

pub mod critical;
pub mod crossed;
pub mod modes;
pub mod writhe_number;

use glam::DVec3;
use writhe::assembly::{Blocks, Trial};
use writhe::loads::Load;
use writhe::model::Model;
use writhe::rod::{Frames, Kinematics};

/// Small deterministic generator (splitmix64).
pub struct Random(pub u64);

impl Random {
    /// Uniform in [-1, 1].
    #[allow(clippy::should_implement_trait, reason = "numbers without end")]
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub fn vector(&mut self) -> DVec3 {
        DVec3::new(self.next(), self.next(), self.next())
    }
}

/// A dense matrix that collects blocks.
pub struct Dense {
    pub n: usize,
    pub values: Vec<f64>,
}

impl Dense {
    pub fn new(n: usize) -> Self {
        Self {
            n,
            values: vec![0.0; n * n],
        }
    }
}

impl Blocks for Dense {
    fn symmetric(&mut self, dofs: &[usize], values: &[f64]) {
        for r in 0..dofs.len() {
            for c in 0..dofs.len() {
                let (a, b) = (values[r * dofs.len() + c], values[c * dofs.len() + r]);
                assert!(
                    (a - b).abs() <= 1e-9 * (a.abs() + b.abs()) + 1e-300,
                    "block not symmetric: {a} {b}"
                );
            }
        }
        self.general(dofs, values);
    }

    fn general(&mut self, dofs: &[usize], values: &[f64]) {
        for (r, row) in dofs.iter().enumerate() {
            for (c, column) in dofs.iter().enumerate() {
                self.values[row * self.n + column] += values[r * dofs.len() + c];
            }
        }
    }
}

/// Central differences of `f` at `q`, Richardson-extrapolated to fourth order; row-major
/// `(outputs x q.len())`.
pub fn differences(q: &[f64], step: f64, mut f: impl FnMut(&[f64]) -> Vec<f64>) -> Vec<f64> {
    let mut columns = Vec::new();
    for k in 0..q.len() {
        let mut slope = |h: f64| -> Vec<f64> {
            let mut x = q.to_vec();
            x[k] = q[k] + h;
            let high = f(&x);
            x[k] = q[k] - h;
            let low = f(&x);
            high.iter()
                .zip(&low)
                .map(|(a, b)| (a - b) / (2.0 * h))
                .collect()
        };
        let (wide, near) = (slope(step), slope(0.5 * step));
        columns.push(
            near.iter()
                .zip(&wide)
                .map(|(n, w)| (4.0 * n - w) / 3.0)
                .collect::<Vec<_>>(),
        );
    }
    let rows = columns.first().map_or(0, Vec::len);
    (0..rows * q.len())
        .map(|i| columns[i % q.len()][i / q.len()])
        .collect()
}

/// Largest difference over the largest entry.
pub fn relative_error(a: &[f64], b: &[f64]) -> f64 {
    let scale = b.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    a.iter()
        .zip(b)
        .fold(0.0_f64, |m, (x, y)| m.max((x - y).abs()))
        / scale.max(1e-300)
}

/// Kinematics of `q` carried from `start`.
pub fn kinematics(model: &Model, start: &Frames, q: &[f64]) -> Kinematics {
    let mut k = Kinematics::default();
    k.update(&model.topology, start, q).expect("kinematics");
    k
}

/// Force of a load at `q` with the velocity `rate q + history`.
pub fn force(
    model: &Model,
    start: &Frames,
    load: &dyn Load,
    q: &[f64],
    rate: f64,
    history: &[f64],
    time: f64,
) -> Vec<f64> {
    let k = kinematics(model, start, q);
    let velocity: Vec<f64> = q.iter().zip(history).map(|(q, h)| rate * q + h).collect();
    let mut force = vec![0.0; q.len()];
    load.add_force(
        &Trial {
            topology: &model.topology,
            kinematics: &k,
            time,
            q,
            velocity: &velocity,
            rate,
        },
        &mut force,
    );
    force
}
