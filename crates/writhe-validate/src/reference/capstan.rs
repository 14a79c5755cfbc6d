//! Strings and rods drawn over a fixed cylinder: ratio of the forces on both ends.

/// String through `pieces` nodes on the surface, each turning by `wrap / pieces`, rad:
/// `((1 + mu tan(d/2)) / (1 - mu tan(d/2)))^N`, second order around `exp(mu wrap)`.
pub fn nodes_on_surface(mu: f64, wrap: f64, pieces: u32) -> f64 {
    let step = mu * (0.5 * wrap / f64::from(pieces)).tan();
    ((1.0 + step) / (1.0 - step)).powi(pieces as i32)
}

/// The same for edges that touch with their middles, as edges around a cylinder do.
///
/// An edge's force N (n - mu t) acts by half on each of its nodes. With r = T1/T0 = N1/N0 at a node
/// that turns by d and x = (r - 1)/(r + 1), balance along and across its bisector is
/// x (T0 cos(d/2) + N0/2 sin(d/2)) = mu N0/2 cos(d/2) and
/// T0 sin(d/2) = N0/2 (cos(d/2) + mu x sin(d/2)), so x + mu c x^2 = mu c with c = sin(d)/2.
pub fn edges_on_surface(mu: f64, wrap: f64, pieces: u32) -> f64 {
    let c = 0.5 * mu * (wrap / f64::from(pieces)).sin();
    let x = 2.0 * c / (1.0 + (1.0 + 4.0 * c * c).sqrt());
    ((1.0 + x) / (1.0 - x)).powi(pieces as i32)
}

/// Rod of bending stiffness B, `stiffness = B/(F0 Rc^2)`: where its curvature reaches 1/Rc it lifts
/// off and the tension jumps (catalogue 4.6, a derivation of its own):
///
/// `F1 (cos p1 - mu sin p1) = F0 (cos p0 + mu sin p0) exp(mu (wrap - p0 - p1))`,
/// `cos p_i = 1 - B/(2 F_i Rc^2)`.
pub fn elastic(mu: f64, wrap: f64, stiffness: f64) -> f64 {
    let lift = |f: f64| (1.0 - stiffness / (2.0 * f)).acos();
    let p0 = lift(1.0);
    let mut f = 2.0;
    for _ in 0..100 {
        let p1 = lift(f);
        f = (p0.cos() + mu * p0.sin()) * (mu * (wrap - p0 - p1)).exp() / (p1.cos() - mu * p1.sin());
    }
    f
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;

    /// Catalogue 4.6, mu = 0.3, half a turn.
    #[test]
    fn agrees_with_tables() {
        for (pieces, ratio) in [
            (4, 2.71631822),
            (8, 2.60104971),
            (16, 2.57485386),
            (32, 2.56845312),
            (64, 2.56686198),
        ] {
            assert!((nodes_on_surface(0.3, PI, pieces) - ratio).abs() < 1e-8);
        }
        for (stiffness, ratio) in [
            (1e-3, 2.5654898),
            (0.01, 2.5581412),
            (0.1, 2.4917628),
            (0.5, 2.2592547),
        ] {
            assert!((elastic(0.3, PI, stiffness) - ratio).abs() < 1e-7);
        }
        let smooth = (0.3 * PI).exp();
        let fall = |n| {
            (edges_on_surface(0.3, PI, n) - smooth) / (edges_on_surface(0.3, PI, 2 * n) - smooth)
        };
        assert!((3.9..4.1).contains(&fall(32)), "{}", fall(32));
    }
}
