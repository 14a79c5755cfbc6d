//! The Alexander polynomial from a diagram, exactly.
//!
//! Arcs run from one lower passage to the next. At a crossing with the upper arc o, and the lower
//! strand coming in on arc i and going out on arc j, a row of the Alexander matrix (Fox's
//! derivatives of the Wirtinger presentation) is
//!
//! ```text
//! right-handed   (1 - t) o + t i - j          left-handed   (1 - t) o - i + t j
//! ```
//!
//! Rows add up, times powers of t, to nothing, so one row and one column are left out; the
//! determinant of the rest is +-t^k D(t), and D is normalised to D(t) = D(1/t), D(1) = 1 (Alexander
//! 1928).
//!
//! The determinant is computed at as many numbers t as there are unknown coefficients, modulo a
//! prime near 2^61, and interpolated. The coefficients' sizes add up to at most the number of
//! Kauffman's states of the diagram, the spanning trees of a graph with as many edges as there are
//! crossings c: at most 2^c. They follow from their residues, the smallest in size, when 2^(c+1) is
//! below the prime, or when a second prime agrees and 2^(c+1) is below the product.

use super::diagram::Diagram;
use super::error::KnotError;

/// 2^61 - 1 and 2^62 - 57.
const PRIMES: [u64; 2] = [(1 << 61) - 1, (1 << 62) - 57];

/// Crossings for which one prime is enough, and those for which two are.
const MOST_CROSSINGS: [usize; 2] = [59, 120];

/// Coefficients from the middle outwards: D(t) = a_0 + sum over k of a_k (t^k + t^-k), without
/// trailing zeros.
///
/// # Errors
/// [`KnotError::TooComplex`].
pub(crate) fn alexander(diagram: &Diagram) -> Result<Vec<i64>, KnotError> {
    let crossings = diagram.crossings();
    let too_complex = KnotError::TooComplex { crossings };
    if crossings > MOST_CROSSINGS[1] {
        return Err(too_complex);
    }
    let rows = rows(diagram);
    let coefficients = modulo(&rows, PRIMES[0]).ok_or(too_complex)?;
    if crossings > MOST_CROSSINGS[0] {
        let again = modulo(&rows, PRIMES[1]).ok_or(too_complex)?;
        if again != coefficients {
            return Err(too_complex);
        }
    }
    Ok(coefficients)
}

/// Entries 1 - t, t and -1 of a row: their columns.
#[derive(Debug, Clone, Copy)]
struct Row {
    over: usize,
    times_t: usize,
    minus: usize,
}

fn rows(diagram: &Diagram) -> Vec<Row> {
    // The arc on which the curve is after each passage; arc 0 is the one through the code's seam.
    let crossings = diagram.crossings();
    let mut arc = 0;
    let mut rows = vec![
        Row {
            over: 0,
            times_t: 0,
            minus: 0
        };
        crossings
    ];
    for step in &diagram.code {
        let row = &mut rows[step.crossing];
        if step.over {
            row.over = arc;
            continue;
        }
        // A lower passage ends an arc.
        let incoming = arc;
        arc = (arc + 1) % crossings;
        (row.times_t, row.minus) = if diagram.signs[step.crossing] > 0 {
            (incoming, arc)
        } else {
            (arc, incoming)
        };
    }
    rows
}

/// Normalised coefficients from their residues; `None` if they are not those of a knot's
/// polynomial.
fn modulo(rows: &[Row], prime: u64) -> Option<Vec<i64>> {
    let field = Field(prime);
    let size = rows.len().saturating_sub(1);
    let values: Vec<u64> = (0..=size as u64)
        .map(|t| determinant(rows, t, field))
        .collect();
    let residues = field.interpolate(&values);
    // +-t^k D(t): the power of t is where the coefficients begin.
    let low = residues.iter().position(|c| *c != 0)?;
    let high = residues.iter().rposition(|c| *c != 0)?;
    let span = &residues[low..=high];
    // D(1) = 1 tells the sign.
    let at_one = span.iter().fold(0, |sum, c| field.add(sum, *c));
    let lift = |c: u64| {
        // The residue that is smallest in size, of either sign.
        let c = if at_one == 1 { c } else { field.subtract(0, c) };
        if c > prime / 2 {
            i64::try_from(prime - c).ok().map(|c| -c)
        } else {
            i64::try_from(c).ok()
        }
    };
    let span: Vec<i64> = span.iter().map(|c| lift(*c)).collect::<Option<_>>()?;
    let symmetric = span.iter().eq(span.iter().rev()) && span.len() % 2 == 1;
    let one = at_one == 1 || at_one == prime - 1;
    (symmetric && one).then(|| span[span.len() / 2..].to_vec())
}

/// Determinant of the matrix without its last row and column at t.
fn determinant(rows: &[Row], t: u64, field: Field) -> u64 {
    let size = rows.len().saturating_sub(1);
    let mut matrix = vec![vec![0; size + 1]; size];
    for (dense, row) in matrix.iter_mut().zip(rows) {
        let mut add = |column: usize, value: u64| dense[column] = field.add(dense[column], value);
        add(row.over, field.subtract(1, t));
        add(row.times_t, t);
        add(row.minus, field.subtract(0, 1));
    }
    let mut product = 1;
    for k in 0..size {
        // Elimination modulo the prime: any pivot that is not zero serves.
        let Some(pivot) = (k..size).find(|i| matrix[*i][k] != 0) else {
            return 0;
        };
        if pivot != k {
            matrix.swap(pivot, k);
            product = field.subtract(0, product);
        }
        product = field.multiply(product, matrix[k][k]);
        let inverse = field.inverse(matrix[k][k]);
        let (above, below) = matrix.split_at_mut(k + 1);
        let above = &above[k];
        for row in below.iter_mut().filter(|row| row[k] != 0) {
            let factor = field.multiply(row[k], inverse);
            for column in k..size {
                if above[column] != 0 {
                    let minus = field.multiply(factor, above[column]);
                    row[column] = field.subtract(row[column], minus);
                }
            }
        }
    }
    product
}

/// Integers modulo a prime below 2^62.
#[derive(Debug, Clone, Copy)]
struct Field(u64);

impl Field {
    fn add(self, a: u64, b: u64) -> u64 {
        let sum = a + b;
        if sum >= self.0 { sum - self.0 } else { sum }
    }

    fn subtract(self, a: u64, b: u64) -> u64 {
        if a >= b { a - b } else { a + self.0 - b }
    }

    fn multiply(self, a: u64, b: u64) -> u64 {
        (u128::from(a) * u128::from(b) % u128::from(self.0)) as u64
    }

    /// Fermat: a^(p-2).
    fn inverse(self, a: u64) -> u64 {
        let (mut base, mut exponent, mut product) = (a, self.0 - 2, 1);
        while exponent > 0 {
            if exponent & 1 == 1 {
                product = self.multiply(product, base);
            }
            base = self.multiply(base, base);
            exponent >>= 1;
        }
        product
    }

    /// Coefficients of the polynomial with these values at 0, 1, 2, ... (Newton's divided
    /// differences).
    fn interpolate(self, values: &[u64]) -> Vec<u64> {
        let mut newton = values.to_vec();
        // f[i-order .. i] = (f[i-order+1 .. i] - f[i-order .. i-1])/order at equal distances
        for order in 1..values.len() {
            let inverse = self.inverse(order as u64);
            for i in (order..values.len()).rev() {
                let difference = self.subtract(newton[i], newton[i - 1]);
                newton[i] = self.multiply(difference, inverse);
            }
        }
        let mut coefficients: Vec<u64> = Vec::with_capacity(values.len());
        for (at, value) in newton.iter().enumerate().rev() {
            // p(t) <- p(t) (t - at) + value
            let at = at as u64;
            let mut carry = *value;
            for c in &mut coefficients {
                let old = *c;
                *c = self.subtract(carry, self.multiply(at, old));
                carry = old;
            }
            coefficients.push(carry);
        }
        coefficients
    }
}

#[cfg(test)]
mod tests {
    use super::super::diagram::Step;
    use super::*;

    #[test]
    fn fields_interpolate_and_invert() {
        for prime in PRIMES {
            let field = Field(prime);
            let coefficients = [3, prime - 5, 0, 7, prime - 1];
            let value = |t: u64| {
                let horner = |sum, c: &u64| field.add(field.multiply(sum, t), *c);
                coefficients.iter().rev().fold(0, horner)
            };
            let values: Vec<u64> = (0..7).map(value).collect();
            let found = field.interpolate(&values);
            assert_eq!(found[..5], coefficients);
            assert_eq!(found[5..], [0, 0]);
            for a in [1, 2, 12_345_678_901, prime - 1] {
                assert_eq!(field.multiply(a, field.inverse(a)), 1);
            }
        }
    }

    /// The standard diagram of T(2, p): strands cross p times.
    fn two_strands(p: usize) -> Diagram {
        let step = |i: usize| Step {
            crossing: i % p,
            over: i.is_multiple_of(2),
        };
        Diagram {
            code: (0..2 * p).map(step).collect(),
            signs: vec![1; p],
        }
    }

    #[test]
    fn large_diagrams_take_two_primes_and_too_large_ones_are_refused() {
        for p in [3, 59, 61, 119] {
            let polynomial = alexander(&two_strands(p)).unwrap();
            assert_eq!(polynomial.len(), p / 2 + 1);
            assert!(polynomial.iter().all(|a| a.abs() == 1));
        }
        let error = alexander(&two_strands(121)).unwrap_err();
        assert_eq!(error, KnotError::TooComplex { crossings: 121 });
    }
}
