//! B08 Fig. 12: a tree of 2158 vertices stands under gravity and sways in wind, by both integrators.

use writhe_results::table::number;

use super::oscillation::column;
use super::{Experiment, Row, rows_of};
use crate::bench::{Bench, Span};
use crate::error::Result;
use crate::measure::rods;
use crate::picture::{Strip, View, sheet};
use crate::plan::{End, RunPlan, Start};
use crate::rows::Rows;

/// B08 Fig. 12.
#[derive(Debug)]
pub struct Fig12;

const NAME: &str = "bergou2008-fig12";
/// The paper's tree: vertices, step, s, and time for a step, s (B08 Table 1).
const PAPER: (f64, f64, f64) = (2158.0, 1e-4, 22e-3);

/// A tree.
#[derive(Debug, Clone, Copy)]
struct Tree {
    name: &'static str,
    branches: usize,
    /// Nodes of the trunk.
    trunk: usize,
    /// How long it is blown at, s.
    duration: f64,
    /// Size of explicit steps, s; `None` for implicit ones as the scene has them.
    explicit: Option<f64>,
}

/// The paper's by implicit steps and by its own explicit ones, and for the cost of a step one with
/// half and one with twice the branches.
const TREES: [Tree; 4] = [
    Tree {
        name: "tree",
        branches: 14,
        trunk: 44,
        duration: 12.0,
        explicit: None,
    },
    Tree {
        name: "explicit",
        branches: 14,
        trunk: 44,
        duration: 12.0,
        explicit: Some(4e-5),
    },
    Tree {
        name: "half",
        branches: 7,
        trunk: 44,
        duration: 4.0,
        explicit: None,
    },
    Tree {
        name: "double",
        branches: 28,
        trunk: 60,
        duration: 4.0,
        explicit: None,
    },
];

fn plan(tree: &Tree, span: Span) -> RunPlan {
    let mut sets = vec![
        format!("scene.branches={}", tree.branches),
        format!("scene.nodes=[{}, 23, 16]", tree.trunk),
    ];
    let mut quick = 0.4;
    if let Some(step) = tree.explicit {
        sets.push("time.integrator=\"symplectic-projected\"".to_owned());
        sets.push(format!("time.step={step}"));
        quick = 0.1;
    }
    RunPlan {
        name: format!("tree-{}{}", tree.name, span.suffix()),
        scene: "tree-in-wind",
        sets,
        start: Start::Rest,
        end: End::At(span.choose(tree.duration, quick)),
        every: 0.1,
    }
}

impl Experiment for Fig12 {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "a tree of rods on joints stands under gravity and sways in gusts (B08 Fig. 12)"
    }

    fn columns(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("vertices", "vertices"),
            ("rods", "rods"),
            ("steps", "steps"),
            ("iterations_per_step", "solves/step"),
            ("ms_per_step", "ms/step"),
            ("us_per_solve_and_vertex", "us/solve/vertex"),
            ("simulated_s_per_cpu_s", "s/CPU s"),
            ("sag_m", "sag m"),
            ("sway_m", "sway m"),
            ("sway_back_m", "back m"),
        ]
    }

    fn rows(&self, span: Span) -> Vec<Row> {
        let trees = &TREES[..span.choose(4, 2)];
        rows_of(trees.to_vec(), |tree| tree.name.to_owned(), measure)
    }

    fn notes(&self, rows: &Rows, bench: &Bench) -> String {
        let (vertices, step, cost) = PAPER;
        let mut text = format!(
            "\
BDF2, steps of 20 ms, from static equilibrium; `explicit`: the paper's integrator, symplectic-projected, steps of .04 ms. Wind of 12 m/s rises from 1 to 3 s, with gusts of half of it. Rods are joined by bodies without mass. `sag` is
how far the top of the trunk settles under the tree's weight, `sway` how far the wind then takes it along x at most, `back` the least
after 4 s. Paper: {vertices} vertices, {} ms a step of {} ms: {} simulated seconds a second of its processor (2.66 GHz Core 2 Duo).\n",
            number(1e3 * cost, 3),
            number(1e3 * step, 3),
            number(step / cost, 2)
        );
        if bench.span == Span::Quick {
            return text;
        }
        for (column, what) in [("sway_m", "sway"), ("sway_back_m", "come back")] {
            let [by_implicit, by_explicit] =
                ["tree", "explicit"].map(|row| rows.number(row, column));
            if let (Some(implicit), Some(explicit)) = (by_implicit, by_explicit) {
                text += &format!(
                    "  explicit steps make it {what} by {} m, implicit ones by {} m\n",
                    number(explicit, 3),
                    number(implicit, 3)
                );
            }
        }
        let per_vertex = |row: &str| rows.number(row, "us_per_solve_and_vertex");
        if let (Some(half), Some(double)) = (per_vertex("half"), per_vertex("double")) {
            text += &format!(
                "  a solve costs {} times as much a vertex with twice the branches as with half of them; 1 is linear\n",
                number(double / half, 3)
            );
        }
        text
    }

    fn finish(&self, rows: &Rows, bench: &mut Bench) -> Result<Vec<String>> {
        if !rows.has("tree") {
            return Ok(Vec::new());
        }
        let Some((reader, _)) = bench.look_at(&plan(&TREES[0], bench.span)) else {
            return Ok(Vec::new());
        };
        let times = bench
            .span
            .choose(vec![0.0, 3.0, 4.0, 6.0, 8.0, 10.0], vec![0.0, 0.4]);
        let strip = Strip {
            label: String::new(),
            runs: vec![reader],
        };
        let file = format!("{NAME}{}.png", bench.span.suffix());
        bench.write(&file, &sheet(&[strip], &times, View::Upright)?)?;
        Ok(vec![format!("Picture: {file}")])
    }
}

fn measure(tree: &Tree, bench: &mut Bench) -> Result<Vec<String>> {
    let run = bench.run(&plan(tree, bench.span))?;
    let reader = &run.reader;
    let times = column(reader, "t")?;
    let mut top = Vec::new();
    for frame in 0..reader.frames() {
        let trunk = &rods(reader, frame)?[0];
        top.push(trunk[trunk.len() - 1]);
    }
    let scene = writhe_scenes::TreeInWind::default();
    let sag = scene.height.si() - top[0].z;
    let lean: Vec<f64> = top.iter().map(|x| x.x - top[0].x).collect();
    let most = lean.iter().copied().fold(0.0, f64::max);
    let late = times.iter().zip(&lean).filter(|(t, _)| **t >= 4.0);
    let least = late.map(|(_, x)| *x).reduce(f64::min);
    let counts = &run.counts;
    let (steps, solves) = (
        counts.statistics.steps as f64,
        counts.statistics.newton_iterations as f64,
    );
    let vertices: usize = reader.layout().rods.iter().map(|r| r.nodes).sum();
    let lines: Vec<Vec<String>> = times
        .iter()
        .zip(&top)
        .map(|(t, x)| [*t, x.x, x.y, x.z].map(|v| format!("{v:.6e}")).to_vec())
        .collect();
    bench.write_curve(
        NAME,
        tree.name,
        &["t_s", "top_x_m", "top_y_m", "top_z_m"],
        &lines,
    )?;
    Ok(vec![
        vertices.to_string(),
        reader.layout().rods.len().to_string(),
        number(steps, 6),
        number(solves / steps, 3),
        number(1e3 * counts.cpu / steps, 3),
        number(1e6 * counts.cpu / (solves * vertices as f64), 3),
        number((counts.end - counts.start) / counts.cpu, 3),
        number(sag, 3),
        number(most, 3),
        number(least, 3),
    ])
}
