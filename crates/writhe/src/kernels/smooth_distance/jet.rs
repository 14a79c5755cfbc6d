//! Value, gradient and Hessian of a function of five variables, carried through sums, products and
//! scalar functions.

/// Variables of a jet.
pub(crate) const VARIABLES: usize = 5;

/// Entries of the Hessian's upper triangle, row by row.
pub(crate) const SECOND: usize = VARIABLES * (VARIABLES + 1) / 2;

/// A function of five variables with its first derivatives and, for `H` = [`SECOND`], its second
/// ones; `H` = 0 leaves them out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Jet<const H: usize> {
    pub value: f64,
    pub gradient: [f64; VARIABLES],
    pub hessian: [f64; H],
}

impl<const H: usize> Jet<H> {
    pub(crate) fn constant(value: f64) -> Self {
        Self {
            value,
            gradient: [0.0; VARIABLES],
            hessian: [0.0; H],
        }
    }

    /// Variable `index`.
    pub(crate) fn variable(index: usize, value: f64) -> Self {
        let mut jet = Self::constant(value);
        jet.gradient[index] = 1.0;
        jet
    }

    /// These derivatives with a value that was computed with less rounding.
    pub(crate) fn with_value(mut self, value: f64) -> Self {
        self.value = value;
        self
    }

    /// f(self), given f, f' and f'' at the value.
    #[inline(always)]
    pub(crate) fn apply(&self, [f, first, second]: [f64; 3]) -> Self {
        let g = &self.gradient;
        Self {
            value: f,
            gradient: g.map(|g| first * g),
            // (f o g)_ij = f' g_ij + f'' g_i g_j
            hessian: triangle(|m, i, j| first * self.hessian[m] + second * g[i] * g[j]),
        }
    }

    /// `a self + b other`.
    #[inline(always)]
    pub(crate) fn combine(&self, a: f64, other: &Self, b: f64) -> Self {
        Self {
            value: a * self.value + b * other.value,
            gradient: std::array::from_fn(|i| a * self.gradient[i] + b * other.gradient[i]),
            hessian: std::array::from_fn(|m| a * self.hessian[m] + b * other.hessian[m]),
        }
    }

    #[inline(always)]
    pub(crate) fn plus(&self, other: &Self) -> Self {
        self.combine(1.0, other, 1.0)
    }

    #[inline(always)]
    pub(crate) fn minus(&self, other: &Self) -> Self {
        self.combine(1.0, other, -1.0)
    }

    #[inline(always)]
    pub(crate) fn times(&self, other: &Self) -> Self {
        let (a, b) = (self, other);
        Self {
            value: a.value * b.value,
            gradient: std::array::from_fn(|i| a.value * b.gradient[i] + b.value * a.gradient[i]),
            // (a b)_ij = a b_ij + b a_ij + a_i b_j + a_j b_i
            hessian: triangle(|m, i, j| {
                a.value * b.hessian[m]
                    + b.value * a.hessian[m]
                    + a.gradient[i] * b.gradient[j]
                    + a.gradient[j] * b.gradient[i]
            }),
        }
    }

    /// `self / other`; zero where `other` is.
    #[inline(always)]
    pub(crate) fn over(&self, other: &Self) -> Self {
        if other.value == 0.0 {
            return Self::constant(0.0);
        }
        // 1/x with its derivatives -1/x^2 and 2/x^3
        let r = 1.0 / other.value;
        self.times(&other.apply([r, -r * r, 2.0 * r * r * r]))
    }
}

impl Jet<SECOND> {
    /// The full Hessian.
    pub(crate) fn matrix(&self) -> [[f64; VARIABLES]; VARIABLES] {
        let mut matrix = [[0.0; VARIABLES]; VARIABLES];
        for (value, (i, j)) in self.hessian.iter().zip(ENTRIES) {
            matrix[i][j] = *value;
            matrix[j][i] = *value;
        }
        matrix
    }
}

/// Row and column of each entry of the triangle.
const ENTRIES: [(usize, usize); SECOND] = {
    let mut entries = [(0, 0); SECOND];
    let (mut m, mut i) = (0, 0);
    while i < VARIABLES {
        let mut j = i;
        while j < VARIABLES {
            entries[m] = (i, j);
            m += 1;
            j += 1;
        }
        i += 1;
    }
    entries
};

/// Fills a triangle with `entry(position, row, column)`; nothing when H = 0.
#[inline(always)]
fn triangle<const H: usize>(entry: impl Fn(usize, usize, usize) -> f64) -> [f64; H] {
    std::array::from_fn(|m| entry(m, ENTRIES[m].0, ENTRIES[m].1))
}
