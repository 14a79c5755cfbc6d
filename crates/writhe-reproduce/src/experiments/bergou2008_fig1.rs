//! B08 Fig. 1: a trefoil, twisted either way, jumps into another shape.

use glam::DVec3;
use writhe::knot::closure::open_type;
use writhe_results::table::number;

use super::{Experiment, Row, rows_of};
use crate::bench::{Bench, Span};
use crate::error::Result;
use crate::measure::{directors, largest, rods, twist_and_writhe};
use crate::picture::{Strip, View, sheet};
use crate::plan::{End, RunPlan, Start};
use crate::rows::Rows;

/// B08 Fig. 1.
#[derive(Debug)]
pub struct Fig1;

const NAME: &str = "bergou2008-fig1";
/// Turns of the end, and how fast, s a turn.
const TURNS: f64 = 8.0;
const SECONDS: f64 = 10.0;
/// How long the knot rests before, s.
const REST: f64 = 1.0;
/// Simulated time between frames, s.
const EVERY: f64 = 0.5;
/// A jump moves the rod by so many times as much between two frames as it moves in the middle of
/// all frames.
const JUMP: f64 = 10.0;

/// A sign of the twist, and a name.
const SIGNS: [(f64, &str); 2] = [(1.0, "plus"), (-1.0, "minus")];

fn plan(sign: f64, span: Span) -> RunPlan {
    let turns = span.choose(TURNS, 0.5);
    RunPlan {
        name: format!("twisted-knot-{}{}", name(&sign), span.suffix()),
        scene: "twisted-knot",
        sets: vec![
            format!("scene.turned={} turns", sign * turns),
            format!("scene.taking={} s", SECONDS * turns),
        ],
        start: Start::Rest,
        end: End::At(SECONDS * turns + 2.0 * REST),
        every: EVERY,
    }
}

fn name(sign: &f64) -> String {
    let found = SIGNS.iter().find(|(s, _)| s == sign);
    found.map_or("", |(_, name)| name).to_owned()
}

impl Experiment for Fig1 {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "a trefoil twisted either way jumps at a critical twist into another shape (B08 Fig. 1)"
    }

    fn columns(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("jump_turns", "jumps at turns"),
            ("jump_mm", "by mm"),
            ("jump_over_median", "over median"),
            ("writhe_before", "writhe before"),
            ("writhe_after", "after"),
            ("writhe_end", "end"),
            ("size_end_mm", "size of knot mm"),
            ("knot_determinant", "determinant"),
            ("linking_less_turns", "Lk less turns"),
        ]
    }

    fn rows(&self, _span: Span) -> Vec<Row> {
        rows_of(SIGNS.map(|(sign, _)| sign), name, measure)
    }

    fn notes(&self, rows: &Rows, bench: &Bench) -> String {
        let verdict = |met: bool| if met { "met" } else { "NOT met" };
        let mut text = "The scene twisted-knot, 60 nodes, right-handed, its last end turned by 8 turns about +x (plus) and -x (minus), 10 s a turn. A jump\n\
             is the largest root mean square motion of the nodes in half a second; writhe: closed up along the ends; size: largest distance from\n\
             the axis of the ends; Lk less turns: largest change of Tw + Wr of the closed-up rod less the turns of its end.\n"
            .to_owned();
        for (sign, word) in SIGNS {
            if let Some(over) = rows.number(&name(&sign), "jump_over_median")
                && bench.span == Span::Full
            {
                text += &format!(
                    "  {word}: jumps at {} turns ({})\n",
                    rows.text(word, "jump_turns").unwrap_or_default(),
                    verdict(over > JUMP)
                );
            }
        }
        let ends = SIGNS.map(|(_, word)| rows.number(word, "writhe_end"));
        if let ([Some(a), Some(b)], Span::Full) = (ends, bench.span) {
            text += &format!(
                "  final shapes differ: writhe {} and {} ({})\n",
                number(a, 3),
                number(b, 3),
                verdict((a - b).abs() > 0.5)
            );
        }
        text
    }

    fn finish(&self, rows: &Rows, bench: &mut Bench) -> Result<Vec<String>> {
        let mut strips = Vec::new();
        for (sign, word) in SIGNS {
            let found = bench.look_at(&plan(sign, bench.span));
            strips.extend(found.filter(|_| rows.has(word)).map(|(reader, _)| Strip {
                label: word.to_owned(),
                runs: vec![reader],
            }));
        }
        if strips.is_empty() {
            return Ok(Vec::new());
        }
        let times = bench.span.choose(
            vec![0.0, 30.0, 40.0, 50.0, 60.0, 70.0, 82.0],
            vec![0.0, 7.0],
        );
        let file = format!("{NAME}{}.png", bench.span.suffix());
        bench.write(&file, &sheet(&strips, &times, View::Knot)?)?;
        Ok(vec![format!("Picture: {file}")])
    }
}

fn measure(sign: &f64, bench: &mut Bench) -> Result<Vec<String>> {
    let plan = plan(*sign, bench.span);
    let (reader, _) = bench.frames(&plan)?;
    let most = bench.span.choose(TURNS, 0.5);
    let times = reader.times()?;
    let turned = |time: f64| ((time - REST) / SECONDS).clamp(0.0, most);
    let mut frames: Vec<Vec<DVec3>> = Vec::new();
    for frame in 0..reader.frames() {
        frames.push(rods(&reader, frame)?.swap_remove(0));
    }
    let moved: Vec<f64> = frames
        .windows(2)
        .map(|pair| rms(&pair[0], &pair[1]))
        .collect();
    let mut sorted = moved.clone();
    sorted.sort_by(f64::total_cmp);
    let median = sorted[sorted.len() / 2];
    let jump = (0..moved.len())
        .max_by(|a, b| moved[*a].total_cmp(&moved[*b]))
        .unwrap_or(0);
    let mut ribbon = Vec::new();
    for (frame, nodes) in frames.iter().enumerate() {
        ribbon.push(twist_and_writhe(nodes, &directors(&reader, frame)?));
    }
    let writhe = |frame: usize| ribbon[frame][1];
    let last = frames.len() - 1;
    // The jump takes a while: before and after it by two seconds.
    let around = (2.0 / EVERY) as usize;
    let linking = |frame: usize| ribbon[frame][0] + ribbon[frame][1];
    let off = (0..frames.len()).map(|i| (linking(i) - linking(0) - sign * turned(times[i])).abs());
    let lines: Vec<Vec<String>> = (1..frames.len())
        .map(|i| {
            let values = [
                sign * turned(times[i]),
                moved[i - 1],
                writhe(i),
                ribbon[i][0],
            ];
            values.map(|v| number(v, 6)).to_vec()
        })
        .collect();
    let header = ["turns", "moved_m", "writhe", "twist_turns"];
    bench.write_curve(NAME, &name(sign), &header, &lines)?;
    Ok(vec![
        number(sign * turned(times[jump + 1]), 3),
        number(1e3 * moved[jump], 3),
        number(moved[jump] / median, 3),
        number(writhe(jump.saturating_sub(around)), 3),
        number(writhe((jump + around).min(last)), 3),
        number(writhe(last), 3),
        number(1e3 * size(&frames[last]), 3),
        determinant(&frames[last]).map_or(String::new(), |d| d.to_string()),
        number(largest(off), 2),
    ])
}

/// Determinant of the knot if its type is certain: 3 for the trefoil.
fn determinant(nodes: &[DVec3]) -> Option<i128> {
    Some(open_type(nodes).ok()?.certain()?.determinant())
}

fn rms(a: &[DVec3], b: &[DVec3]) -> f64 {
    let sum: f64 = a.iter().zip(b).map(|(a, b)| a.distance_squared(*b)).sum();
    (sum / a.len() as f64).sqrt()
}

/// Largest distance from the axis along which the rod begins.
fn size(nodes: &[DVec3]) -> f64 {
    let axis = (nodes[1] - nodes[0]).normalize();
    let from = |x: &DVec3| (*x - nodes[0]).cross(axis).length();
    nodes.iter().map(from).fold(0.0, f64::max)
}
