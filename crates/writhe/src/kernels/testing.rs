//! Shared by the tests of this folder: sample pairs and central differences.

use glam::{DQuat, DVec3};

pub(crate) type Nodes = [DVec3; 4];

/// SplitMix64: a reproducible stream of numbers.
pub(crate) struct Random(pub u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in [low, high).
    pub(crate) fn range(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Uniform in the cube [-1, 1)^3.
    pub(crate) fn vector(&mut self) -> DVec3 {
        DVec3::from_array(std::array::from_fn(|_| self.range(-1.0, 1.0)))
    }

    pub(crate) fn unit(&mut self) -> DVec3 {
        loop {
            let v = self.vector();
            if (0.1..1.0).contains(&v.length()) {
                return v.normalize();
            }
        }
    }

    pub(crate) fn nodes(&mut self) -> Nodes {
        std::array::from_fn(|_| self.vector())
    }

    pub(crate) fn rotation(&mut self) -> DQuat {
        DQuat::from_axis_angle(self.unit(), self.range(-3.0, 3.0))
    }

    /// Two edges of given lengths crossing at an angle, closest at (s, t) of their lines, `gap`
    /// apart, in a random frame.
    pub(crate) fn crossing(
        &mut self,
        lengths: [f64; 2],
        angle: f64,
        [s, t]: [f64; 2],
        gap: f64,
    ) -> Nodes {
        let u = lengths[0] * DVec3::X;
        let v = lengths[1] * DVec3::new(angle.cos(), angle.sin(), 0.0);
        let lift = gap * DVec3::Z;
        let (q, origin) = (self.rotation(), self.vector());
        [lift - s * u, lift + (1.0 - s) * u, -t * v, (1.0 - t) * v].map(|x| q * x + origin)
    }
}

pub(crate) fn flat(nodes: Nodes) -> [f64; 12] {
    std::array::from_fn(|i| nodes[i / 3][i % 3])
}

pub(crate) fn unflat(x: [f64; 12]) -> Nodes {
    std::array::from_fn(|k| DVec3::from_slice(&x[3 * k..3 * k + 3]))
}

/// Fourth-order central differences: `result[c]` is the derivative of `f` by coordinate `c`.
pub(crate) fn differences<const M: usize>(
    nodes: Nodes,
    step: f64,
    f: impl Fn(Nodes) -> [f64; M],
) -> [[f64; M]; 12] {
    let moved = |c: usize, by: f64| {
        let mut x = flat(nodes);
        x[c] += by;
        f(unflat(x))
    };
    std::array::from_fn(|c| {
        let [far_minus, minus, plus, far_plus] = [-2.0, -1.0, 1.0, 2.0].map(|m| moved(c, m * step));
        std::array::from_fn(|i| {
            (8.0 * (plus[i] - minus[i]) - (far_plus[i] - far_minus[i])) / (12.0 * step)
        })
    })
}

pub(crate) fn transposed(m: [[f64; 12]; 12]) -> [[f64; 12]; 12] {
    std::array::from_fn(|i| std::array::from_fn(|j| m[j][i]))
}

/// Largest difference of two arrays over the largest entry of the second.
pub(crate) fn relative_error<'a>(
    ours: impl IntoIterator<Item = &'a f64>,
    reference: impl IntoIterator<Item = &'a f64> + Clone,
) -> f64 {
    let scale = reference
        .clone()
        .into_iter()
        .fold(0.0_f64, |m, x| m.max(x.abs()));
    let worst = ours.into_iter().zip(reference).fold(0.0_f64, |m, (a, b)| {
        let error = (a - b).abs();
        if error.is_nan() {
            f64::INFINITY
        } else {
            m.max(error)
        }
    });
    worst / scale
}

pub(crate) fn matrix_error(ours: &[[f64; 12]; 12], reference: &[[f64; 12]; 12]) -> f64 {
    relative_error(ours.as_flattened(), reference.as_flattened())
}
