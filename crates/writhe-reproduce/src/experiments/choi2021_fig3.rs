//! C21 Fig. 3 and 4: the smooth functions of its contact, as this program computes them, against
//! their sharp limits.

use writhe::contact::ImcSmoothSettings;
use writhe::glam::DVec3;
use writhe::kernels::smooth_distance::smooth_distance;
use writhe_plot::{Axis, Color, Curve, Panel, Style};
use writhe_results::table::number;

use super::figures::{points, titled, write};
use super::{Experiment, Row};
use crate::bench::{Bench, Span};
use crate::error::Result;
use crate::rows::Rows;

/// C21 Fig. 3: the fix-bound function H and the boxcar B.
#[derive(Debug)]
pub struct Fig3;

/// C21 Fig. 4: the energy of contact by distance.
#[derive(Debug)]
pub struct Fig4;

/// k of Eq. 13 and 14.
const SHARPNESS: f64 = 50.0;
/// ce of Fig. 4.
const ENERGY_SHARPNESS: f64 = 10.0;

const COLUMNS: &[(&str, &str)] = &[
    ("points", "points"),
    ("farthest_from_sharp", "farthest from sharp"),
    ("farthest_at", "at"),
    ("farthest_from_formula", "farthest from formula"),
];

/// A curve: argument and value.
type Points = Vec<[f64; 2]>;

/// H at y: where the closest point of two edges lies on the second, when the first one's middle is
/// over y of it (Eq. 15 with R = 0).
fn fix_bound(y: f64) -> f64 {
    let first = [DVec3::new(-0.5, 0.0, 0.1), DVec3::new(0.5, 0.0, 0.1)];
    let second = [DVec3::new(0.0, -y, 0.0), DVec3::new(0.0, 1.0 - y, 0.0)];
    smooth_distance(SHARPNESS, first[0], first[1], second[0], second[1]).parameters[1]
}

/// B = H', by differences.
fn boxcar(y: f64) -> f64 {
    let step = 1e-5;
    (fix_bound(y + step) - fix_bound(y - step)) / (2.0 * step)
}

/// Eq. 13.
fn eq_13(y: f64) -> f64 {
    let soft = |x: f64| (1.0 + x.exp()).ln();
    (soft(SHARPNESS * y) - soft(SHARPNESS * (y - 1.0))) / SHARPNESS
}

/// Eq. 14.
fn eq_14(y: f64) -> f64 {
    let step = |x: f64| 1.0 / (1.0 + (-SHARPNESS * x).exp());
    step(y) - step(y - 1.0)
}

fn grid(from: f64, to: f64, of: impl Fn(f64) -> f64) -> Points {
    const PARTS: usize = 400;
    let x = |i: usize| from + (to - from) * i as f64 / PARTS as f64;
    (0..=PARTS).map(|i| [x(i), of(x(i))]).collect()
}

/// Values of a row; writes its curve.
fn row(
    [experiment, name]: [&str; 2],
    points: &Points,
    sharp: impl Fn(f64) -> f64,
    formula: impl Fn(f64) -> f64,
    bench: &Bench,
) -> Result<Vec<String>> {
    let farthest = |from: &dyn Fn(f64) -> f64| {
        let distances = points.iter().map(|[x, y]| ((y - from(*x)).abs(), *x));
        distances.fold((0.0, f64::NAN), |a, b| if b.0 > a.0 { b } else { a })
    };
    let lines: Vec<Vec<String>> = points
        .iter()
        .map(|[x, y]| [*x, *y, sharp(*x)].map(|v| number(v, 7)).to_vec())
        .collect();
    bench.write_curve(experiment, name, &["argument", "value", "sharp"], &lines)?;
    let (from_sharp, at) = farthest(&sharp);
    Ok(vec![
        points.len().to_string(),
        number(from_sharp, 4),
        number(at, 4),
        number(farthest(&formula).0, 2),
    ])
}

impl Experiment for Fig3 {
    fn name(&self) -> &'static str {
        "choi2021-fig3"
    }

    fn about(&self) -> &'static str {
        "the smooth clamp H and switch B of the distance, k = 50, as curves (C21 Fig. 3)"
    }

    fn columns(&self) -> &'static [(&'static str, &'static str)] {
        COLUMNS
    }

    fn rows(&self, _span: Span) -> Vec<Row> {
        let name = self.name();
        vec![
            Row::new("fix-bound", move |bench| {
                let points = grid(-0.5, 1.5, fix_bound);
                row(
                    [name, "fix-bound"],
                    &points,
                    |x| x.clamp(0.0, 1.0),
                    eq_13,
                    bench,
                )
            }),
            Row::new("boxcar", move |bench| {
                let points = grid(-0.5, 1.5, boxcar);
                let sharp = |x: f64| f64::from(u8::from((0.0..=1.0).contains(&x)));
                row([name, "boxcar"], &points, sharp, eq_14, bench)
            }),
        ]
    }

    fn notes(&self, _rows: &Rows, _bench: &Bench) -> String {
        "H is where the program puts the closest point of two crossed edges, B its derivative by differences; beside them the sharp clamp and\n\
         switch (Eq. 9, 11) and the printed formulas (Eq. 13, 14). Curves: choi2021-fig3-ROW.csv\n"
            .to_owned()
    }

    fn finish(&self, _rows: &Rows, bench: &mut Bench) -> Result<Vec<String>> {
        let panel = |title, row, y| {
            let of = [self.name(), row];
            let panel = titled(title, Axis::new("x", ""), Axis::new(y, ""));
            with_curves(panel, bench, &[(of, "smooth, k = 50")])
        };
        let panels = vec![
            panel("(a) fix-bound", "fix-bound", "H(x)"),
            panel("(b) boxcar", "boxcar", "B(x)"),
        ];
        write(bench, self.name(), panels)
    }
}

/// With the curves of these rows and names, and their common sharp limit behind them.
fn with_curves(mut panel: Panel, bench: &Bench, rows: &[([&str; 2], &str)]) -> Panel {
    if let Some(sharp) = rows
        .first()
        .and_then(|(of, _)| points(bench, *of, ["argument", "sharp"]))
    {
        panel.curves.push(Curve {
            color: Color::INK,
            ..Curve::new("sharp", sharp, 0).styled(Style::Dashed)
        });
    }
    for (index, (of, label)) in rows.iter().enumerate() {
        let found = points(bench, *of, ["argument", "value"]);
        let curve = found.map(|points| Curve::new(*label, points, index));
        panel.curves.extend(curve);
    }
    panel
}

impl Experiment for Fig4 {
    fn name(&self) -> &'static str {
        "choi2021-fig4"
    }

    fn about(&self) -> &'static str {
        "energy of C21's contact by distance, ce = 10, cut off at 0.5 and 0.2 radii, as curves (C21 Fig. 4)"
    }

    fn columns(&self) -> &'static [(&'static str, &'static str)] {
        COLUMNS
    }

    fn rows(&self, _span: Span) -> Vec<Row> {
        let of = |name: &'static str, delta: f64| {
            let experiment = self.name();
            Row::new(name, move |bench| {
                let settings = ImcSmoothSettings {
                    tolerance: delta,
                    energy_sharpness: ENERGY_SHARPNESS,
                    ..ImcSmoothSettings::default()
                };
                let points = grid(1.5, 3.0, |d| settings.energy(d));
                let sharp = |d: f64| (2.0 - d).max(0.0);
                let eq_21 = |d: f64| {
                    let exponent = (ENERGY_SHARPNESS * (2.0 - d)).exp();
                    (1.0 + exponent).ln() / ENERGY_SHARPNESS
                };
                row([experiment, name], &points, sharp, eq_21, bench)
            })
        };
        vec![of("delta0.5", 0.5), of("delta0.2", 0.2)]
    }

    fn notes(&self, _rows: &Rows, _bench: &Bench) -> String {
        "Energy over k_c by the distance of centrelines over h. The program takes off the tangent at 2 + delta, where the paper drops the rest\n\
         (decision 0016): that is what it lies off the formula (Eq. 21). Curves: choi2021-fig4-ROW.csv\n"
            .to_owned()
    }

    fn finish(&self, _rows: &Rows, bench: &mut Bench) -> Result<Vec<String>> {
        let name = self.name();
        let panel = Panel::new(
            Axis::new("Distance of centrelines over h", ""),
            Axis::new("Energy over k_{c} h", ""),
        );
        let rows = [
            ([name, "delta0.5"], "cut off at δ = 0.5 h"),
            ([name, "delta0.2"], "cut off at δ = 0.2 h"),
        ];
        write(bench, name, vec![with_curves(panel, bench, &rows)])
    }
}
