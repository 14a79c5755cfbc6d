//! B08 Fig. 2: a helical rod pulled straight and let together again turns its handedness once.

use glam::DVec3;
use writhe_results::table::number;
use writhe_rundir::RunReader;

use super::{Experiment, Row, rows_of};
use crate::bench::{Bench, Span};
use crate::error::Result;
use crate::measure::rods;
use crate::picture::{Strip, View, sheet};
use crate::plan::{End, RunPlan, Start};
use crate::rows::Rows;

/// B08 Fig. 2.
#[derive(Debug)]
pub struct Fig2;

const NAME: &str = "bergou2008-fig2";
/// Numbers of edges; the paper does not tell its own.
const EDGES: [usize; 2] = [120, 180];
/// Vertices over which torsion is averaged, over all of them.
const MEAN_OVER: f64 = 0.05;
/// Torsion below this part of the largest has no sign: that of the straight parts and of the
/// inversion itself.
const CLEAR: f64 = 0.1;

fn plan(edges: &usize, span: Span) -> RunPlan {
    RunPlan {
        name: format!("perversion-n{edges}{}", span.suffix()),
        scene: "helical-perversion",
        sets: vec![format!("scene.edges={edges}")],
        start: Start::Rest,
        end: End::At(span.choose(1650.0, 30.0)),
        every: span.choose(25.0, 5.0),
    }
}

fn name(edges: &usize) -> String {
    format!("n{edges}")
}

impl Experiment for Fig2 {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "helical perversion: inversions of handedness after a helix was pulled straight (B08 Fig. 2)"
    }

    fn columns(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("edges", "n"),
            ("inversions", "inversions"),
            ("inversion_at", "at part of length"),
            ("turns_right", "right-handed turns"),
            ("turns_left", "left-handed turns"),
            ("end_s", "end s"),
        ]
    }

    fn rows(&self, span: Span) -> Vec<Row> {
        rows_of(span.choose(EDGES.to_vec(), vec![EDGES[0]]), name, measure)
    }

    fn notes(&self, rows: &Rows, bench: &Bench) -> String {
        let mut text = "The scene helical-perversion: a right-handed helix of five turns, freed of its twist and pulled straight, whose ends come\n\
             together without turning. Inversions are changes of sign of the torsion along the rod, torsion averaged over a twentieth of the\n\
             length and left out where it is below a tenth of its largest; turns of the tangent about the line of the ends on either side.\n"
            .to_owned();
        for edges in EDGES.iter().filter(|_| bench.span == Span::Full) {
            if let Some(count) = rows.number(&name(edges), "inversions") {
                let verdict = if count == 1.0 { "met" } else { "NOT met" };
                text +=
                    &format!("  n = {edges}: {count} inversion, exactly one wanted ({verdict})\n");
            }
        }
        text
    }

    fn finish(&self, _rows: &Rows, bench: &mut Bench) -> Result<Vec<String>> {
        let Some((reader, _)) = bench.look_at(&plan(&EDGES[0], bench.span)) else {
            return Ok(Vec::new());
        };
        let times = bench
            .span
            .choose(vec![0.0, 800.0, 1000.0, 1200.0, 1650.0], vec![30.0]);
        let strip = Strip {
            label: String::new(),
            runs: vec![reader],
        };
        let file = format!("{NAME}{}.png", bench.span.suffix());
        bench.write(&file, &sheet(&[strip], &times, View::Standing)?)?;
        Ok(vec![format!("Picture: {file}")])
    }
}

fn measure(edges: &usize, bench: &mut Bench) -> Result<Vec<String>> {
    let (reader, summary) = bench.frames(&plan(edges, bench.span))?;
    let handed = handedness(&last_rod(&reader)?);
    Ok(vec![
        edges.to_string(),
        handed.inversions.len().to_string(),
        number(handed.inversions.first().copied(), 3),
        number(handed.turns[0], 3),
        number(handed.turns[1], 3),
        number(summary.simulated_s, 5),
    ])
}

fn last_rod(reader: &RunReader) -> Result<Vec<DVec3>> {
    let mut all = rods(reader, reader.frames() - 1)?;
    Ok(all.swap_remove(0))
}

/// Where a rod is right-handed and left-handed.
#[derive(Debug)]
struct Handedness {
    /// Where its torsion changes sign, in parts of its edges.
    inversions: Vec<f64>,
    /// Turns of its tangent about the line of its ends where it is right-handed and left-handed.
    turns: [f64; 2],
}

fn handedness(nodes: &[DVec3]) -> Handedness {
    let tangents: Vec<DVec3> = nodes
        .windows(2)
        .map(|e| (e[1] - e[0]).normalize())
        .collect();
    let torsion: Vec<f64> = tangents
        .windows(3)
        .map(|t| t[0].cross(t[1]).dot(t[2]))
        .collect();
    let width = ((MEAN_OVER * torsion.len() as f64) as usize).max(1);
    let mean: Vec<f64> = torsion
        .windows(width)
        .map(|window| window.iter().sum::<f64>() / width as f64)
        .collect();
    let largest = mean.iter().map(|t| t.abs()).fold(0.0, f64::max);
    let mut inversions = Vec::new();
    let mut sign = 0.0;
    for (i, value) in mean.iter().enumerate() {
        if value.abs() < CLEAR * largest {
            continue;
        }
        if sign != 0.0 && value.signum() != sign {
            inversions.push((i as f64 + 0.5 * width as f64) / torsion.len() as f64);
        }
        sign = value.signum();
    }
    let axis = (nodes[nodes.len() - 1] - nodes[0]).normalize();
    let mut turns = [0.0; 2];
    for pair in tangents.windows(2) {
        let [a, b] = [0, 1].map(|i| pair[i] - axis * pair[i].dot(axis));
        let angle = a.cross(b).dot(axis).atan2(a.dot(b)) / std::f64::consts::TAU;
        turns[usize::from(angle < 0.0)] += angle.abs();
    }
    Handedness { inversions, turns }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three turns of one handedness, then three of the other.
    fn perverted(second: f64) -> Vec<DVec3> {
        let mut angle: f64 = 0.0;
        let mut nodes = vec![DVec3::ZERO];
        for i in 0..120 {
            angle += if i < 60 { 0.3 } else { second * 0.3 };
            nodes.push(nodes[i] + DVec3::new(0.3, angle.cos(), angle.sin()));
        }
        nodes
    }

    #[test]
    fn inversions_are_counted() {
        assert!(handedness(&perverted(1.0)).inversions.is_empty());
        let one = handedness(&perverted(-1.0));
        assert_eq!(one.inversions.len(), 1);
        assert!((one.inversions[0] - 0.5).abs() < 0.05);
        assert!((one.turns[0] - one.turns[1]).abs() < 0.3, "{one:?}");
    }
}
