use crate::kernels::friction::traction::*;

/// The derivative is that of the ratio, and both are continuous across the switch of the series and
/// the end of the cubic.
#[test]
fn ratio_is_smooth() {
    assert_eq!(tanh_ratio(0.0), (1.0, -2.0 / 3.0));
    let (below, above) = (tanh_ratio(0.05 - 1e-12), tanh_ratio(0.05));
    assert!((below.0 - above.0).abs() < 1e-13 && (below.1 - above.1).abs() < 1e-11);
    let (below, above) = (Weight::Cubic.ratio(1.0 - 1e-12), Weight::Cubic.ratio(1.0));
    assert!((below.0 - above.0).abs() < 1e-11 && (below.1 - above.1).abs() < 1e-11);
    for weight in [Weight::Tanh, Weight::Cubic] {
        for x in [1e-4, 1.3e-3, 4e-3, 0.0065, 0.008, 0.04, 0.3, 0.9, 1.2, 3.0] {
            let step = 1e-3 * x;
            let f = |x: f64| weight.ratio(x).0;
            let reference = (8.0 * (f(x + step) - f(x - step))
                - (f(x + 2.0 * step) - f(x - 2.0 * step)))
                / (12.0 * step * x);
            let slope = weight.ratio(x).1;
            assert!(
                (slope - reference).abs() < 1e-6 * slope.abs() + 1e-14 / (step * x),
                "{weight:?} {x}: {slope} {reference}"
            );
        }
    }
}

#[test]
fn slope_is_the_derivative_of_the_traction() {
    let (mu, scale) = (0.3, 0.05);
    for weight in [Weight::Tanh, Weight::Cubic] {
        for s in [
            DVec3::ZERO,
            DVec3::new(1e-3, -2e-3, 5e-4),
            DVec3::new(0.02, 0.01, -0.03),
            DVec3::new(0.4, -0.1, 0.2),
        ] {
            let slope = Traction::new(weight, mu, s, scale).slope;
            for axis in 0..3 {
                let step = 1e-5 * DVec3::AXES[axis];
                let at = |m: f64| Traction::new(weight, mu, s + m * step, scale).value;
                let reference = (8.0 * (at(1.0) - at(-1.0)) - (at(2.0) - at(-2.0))) / 12.0e-5;
                let error = (slope.col(axis) - reference).length() / (mu / scale);
                assert!(error < 1e-9, "{weight:?} {s}: {error:e}");
            }
        }
    }
}
