//! B08 Fig. 8: Michell's instability of a twisted ring; and Greenhill's of a twisted straight rod.

use glam::DVec3;
use writhe::model::BendingModel;
use writhe::simulation::Simulation;
use writhe_plot::{Axis, Curve, Panel, Style};
use writhe_results::table::number;
use writhe_validate::setup::{twisted_ring, twisted_rod};

use super::figures::{self, points, titled};
use super::{Experiment, Row};
use crate::bench::{Bench, Span};
use crate::error::{ReproduceError, Result};
use crate::picture::{gallery, shown};
use crate::rows::Rows;
use crate::scenes;

/// B08 Fig. 8.
#[derive(Debug)]
pub struct Fig8;

const NAME: &str = "bergou2008-fig8";

/// Thresholds over the smooth one by an independent program, whatever beta is: edges, ratio.
const RING: [(usize, f64); 3] = [(50, 1.012_587_62), (100, 1.003_147_42), (200, 1.000_816_53)];
/// The same of the straight rod.
const ROD: [(usize, f64); 3] = [(25, 1.011_462), (50, 1.002_835), (100, 1.000_707)];
/// Twisting stiffnesses of the map; alpha = 1.
const BETAS: [f64; 9] = [0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2];
/// Twists of the map, rad.
const TWISTS: [f64; 11] = [
    5.0, 7.0, 9.0, 11.0, 13.0, 15.0, 17.0, 19.0, 21.0, 23.0, 25.0,
];
/// What is to be shown: thresholds within this part of the discrete ones.
const WITHIN: f64 = 0.01;

fn betas(span: Span) -> &'static [f64] {
    span.choose(&BETAS[..], &BETAS[6..7])
}

impl Experiment for Fig8 {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "stability of a twisted ring over twisting stiffness and twist, thresholds and dots (B08 Fig. 8); Greenhill's rod"
    }

    fn columns(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("edges", "n"),
            ("beta_over_alpha", "beta/alpha"),
            ("threshold_rad", "threshold rad"),
            ("smooth_rad", "smooth rad"),
            ("ratio", "ratio"),
            ("reference_ratio", "discrete reference"),
            ("dots", "dots"),
            ("dots_astray", "astray"),
        ]
    }

    fn rows(&self, span: Span) -> Vec<Row> {
        let dots = betas(span).iter().map(|beta| {
            Row::new(format!("ring-n50-beta{beta}"), move |bench| {
                measure_ring(50, *beta, Some(1.012_587_62), bench)
            })
        });
        let finer = RING[1..].iter().map(|(n, ratio)| {
            Row::new(format!("ring-n{n}-beta0.5"), move |bench| {
                measure_ring(*n, 0.5, Some(*ratio), bench)
            })
        });
        let rods = ROD
            .iter()
            .map(|(n, ratio)| Row::new(format!("rod-n{n}"), move |_| measure_rod(*n, *ratio)));
        let fine = span.choose(2, 0);
        dots.chain(finer.take(fine)).chain(rods).collect()
    }

    fn notes(&self, rows: &Rows, bench: &Bench) -> String {
        let verdict = |met: bool| if met { "met" } else { "NOT met" };
        let mut text = "Twist at which the lowest eigenvalue of the elastic energy's Hessian changes sign, alpha = 1, R = 1 (length 2 pi); smooth:\n\
             2 pi sqrt(3) alpha/beta. Dots: a ring with a small wave out of its plane moves in a viscous medium, and the wave grows or decays, at\n\
             twists of 5 to 25 rad; astray are those on the wrong side of the discrete threshold. rod: straight, clamped, without tension (Greenhill\n\
             1883); `writhe validate greenhill` has it with averaged bending. Discrete references are of an independent program. Dots: "
            .to_owned();
        text += &format!("{NAME}-ROW.csv\n");
        let off = |name: &str| {
            Some((rows.number(name, "ratio")? / rows.number(name, "reference_ratio")? - 1.0).abs())
        };
        let names = |what: &[Row]| -> Vec<String> {
            what.iter().map(|row| row.name().to_owned()).collect()
        };
        let all = names(&self.rows(bench.span));
        let worst = all.iter().filter_map(|name| off(name)).fold(0.0, f64::max);
        text += &format!(
            "  thresholds within {} % of the discrete ones, at most {} % ({})\n",
            number(100.0 * worst, 2),
            100.0 * WITHIN,
            verdict(worst <= WITHIN)
        );
        let excess = |name: &str| Some(rows.number(name, "ratio")? - 1.0);
        for [coarse, fine] in [
            ["ring-n50-beta0.5", "ring-n100-beta0.5"],
            ["ring-n100-beta0.5", "ring-n200-beta0.5"],
            ["rod-n25", "rod-n50"],
            ["rod-n50", "rod-n100"],
        ] {
            if let (Some(a), Some(b)) = (excess(coarse), excess(fine)) {
                text += &format!(
                    "  order {} from {coarse} to {fine}\n",
                    number((a / b).log2(), 3)
                );
            }
        }
        let sum = |column: &str| -> f64 {
            all.iter()
                .filter_map(|name| rows.number(name, column))
                .sum()
        };
        text += &format!(
            "  {} dots by dynamics, {} astray ({})\n",
            sum("dots"),
            sum("dots_astray"),
            verdict(sum("dots_astray") == 0.0)
        );
        text
    }

    fn finish(&self, _rows: &Rows, bench: &mut Bench) -> Result<Vec<String>> {
        let mut pictures = Vec::new();
        for twist in [8, 12, 16] {
            let wrong = |source| ReproduceError::Scene {
                run: "michell-ring".to_owned(),
                source: Box::new(source),
            };
            let mut scene = scenes::scene("michell-ring").map_err(wrong)?;
            let sets = [
                format!("scene.twist={twist} rad"),
                "scene.perturbation=0.01".to_owned(),
            ];
            scene.set_all(&sets).map_err(wrong)?;
            let setup = scene.build().map_err(wrong)?;
            let mut simulation = Simulation::new(setup.model, setup.state, setup.step);
            simulation.run_until(bench.span.choose(60.0, 1.0), |_, _| true)?;
            pictures.push(shown(&simulation.model, &simulation.state));
        }
        let labels = ["8 rad", "12 rad", "16 rad"].map(str::to_owned).to_vec();
        let file = format!("{NAME}{}.png", bench.span.suffix());
        let png = gallery(
            vec![("beta = 1".to_owned(), pictures)],
            labels,
            DVec3::new(-0.3, 1.0, -0.8),
            DVec3::Z,
        )?;
        bench.write(&file, &png)?;
        let mut written = vec![format!("Picture, after 60 s, touching itself: {file}")];
        written.extend(figures::write(bench, NAME, map(bench))?);
        Ok(written)
    }
}

/// Twists at which a small wave grows or decays, with the smooth threshold.
fn map(bench: &Bench) -> Vec<Panel> {
    let mut dots = [Vec::new(), Vec::new()];
    for beta in betas(bench.span) {
        let row = format!("dots-beta{beta}");
        let Some(growth) = points(bench, [NAME, &row], ["twist_rad", "growth_in_10_s"]) else {
            continue;
        };
        for [twist, growth] in growth {
            dots[usize::from(growth > 1.0)].push([*beta, twist]);
        }
    }
    let x = Axis::new("Twisting over bending stiffness", "");
    let y = Axis::new("Twist before the ends were joined", "rad").between(0.0, 38.0);
    let mut panel = titled("Ring of 50 edges", x, y);
    let [decays, grows] = dots;
    if !(decays.is_empty() && grows.is_empty()) {
        let theory = (0..=100).map(|i| 0.36 + 0.009 * f64::from(i));
        let theory = theory.map(|beta| [beta, twisted_ring::smooth_threshold(beta)]);
        panel.curves = vec![
            Curve::new("a wave decays", decays, 5).styled(Style::Marks),
            Curve::new("it grows", grows, 3).styled(Style::Marks),
            Curve::new("theory", theory.collect(), 6),
        ];
    }
    vec![panel]
}

fn measure_ring(
    edges: usize,
    beta: f64,
    reference: Option<f64>,
    bench: &mut Bench,
) -> Result<Vec<String>> {
    let smooth = twisted_ring::smooth_threshold(beta);
    let threshold = twisted_ring::threshold(edges, beta, 1e-6)?;
    let (mut dots, mut astray) = (String::new(), String::new());
    if edges == 50 {
        let mut lines = Vec::new();
        let mut wrong = 0;
        for twist in TWISTS {
            let growth = twisted_ring::growth(edges, beta, twist, 10.0)?;
            wrong += usize::from((growth > 1.0) != (twist > threshold));
            let word = if growth > 1.0 { "grows" } else { "decays" };
            lines.push(vec![
                number(beta, 2),
                number(twist, 3),
                number(growth, 4),
                word.to_owned(),
            ]);
        }
        dots = lines.len().to_string();
        astray = wrong.to_string();
        let header = ["beta", "twist_rad", "growth_in_10_s", "wave"];
        bench.write_curve(NAME, &format!("dots-beta{beta}"), &header, &lines)?;
    }
    Ok(vec![
        edges.to_string(),
        number(beta, 3),
        number(threshold, 8),
        number(smooth, 8),
        number(threshold / smooth, 8),
        number(reference, 8),
        dots,
        astray,
    ])
}

fn measure_rod(edges: usize, reference: f64) -> Result<Vec<String>> {
    let smooth = twisted_rod::smooth_threshold(1.0);
    let threshold = twisted_rod::threshold(edges, 1.0, BendingModel::PerEdge)?;
    Ok(vec![
        edges.to_string(),
        number(1.0, 2),
        number(threshold, 8),
        number(smooth, 8),
        number(threshold / smooth, 8),
        number(reference, 8),
        String::new(),
        String::new(),
    ])
}
