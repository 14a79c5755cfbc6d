//! B08 Fig. 9: plectonemes of a hanging, twisted rod, by drag and gravity.

use writhe_results::table::number;
use writhe_rundir::Contact;

use super::{Experiment, Row, rows_of};
use crate::bench::{Bench, Span};
use crate::error::Result;
use crate::measure::{directors, largest, rods, twist_and_writhe};
use crate::picture::{Strip, View, sheet};
use crate::plan::{End, RunPlan, Start};
use crate::rows::Rows;

/// B08 Fig. 9.
#[derive(Debug)]
pub struct Fig9;

const NAME: &str = "bergou2008-fig9";
/// Turns of the end.
const TURNS: f64 = 36.0;

/// Simulated time, s.
const END: f64 = 20.0;
/// Edges and step, s, with which the number of plectonemes no longer changes: with 274 edges, each
/// longer than the rod is thick, there are twice as many without weight and much drag; with steps
/// of 10 ms one of two is missed.
const EDGES: usize = 548;
const STEP: f64 = 2e-3;

/// A run: gravity, m/s^2, viscosity of the damping, Pa s, how long the end turns, s, edges and
/// step, s.
#[derive(Debug, Clone, Copy)]
struct Case {
    name: &'static str,
    gravity: f64,
    viscosity: f64,
    taking: f64,
    edges: usize,
    step: f64,
}

/// The last five differ from one another, and from the second, in one thing at a time.
const CASES: [Case; 7] = [
    case("weightless-thick", 0.0, 20.0, 1.0),
    case("heavy-thin", 1.0, 0.05, 8.0),
    case("heavy-thick", 2.0, 20.0, 1.0),
    case("thick", 1.0, 20.0, 8.0),
    case("fast-thick", 1.0, 20.0, 1.0),
    case("fast-thin", 1.0, 0.05, 1.0),
    case("weightless-thin", 0.0, 0.05, 8.0),
];

/// Some of the same on finer meshes and with shorter steps.
const FINER: [Case; 4] = [
    case("weightless-thick-800-edges", 0.0, 20.0, 1.0).on(800),
    case("weightless-thick-1ms", 0.0, 20.0, 1.0).with_steps_of(1e-3),
    case("fast-thick-800-edges", 1.0, 20.0, 1.0).on(800),
    case("fast-thick-1ms", 1.0, 20.0, 1.0).with_steps_of(1e-3),
];

/// Pairs of rows that differ in one thing, and what it is.
const PAIRS: [(&str, &str, &str); 6] = [
    ("drag, turned in 8 s", "heavy-thin", "thick"),
    ("drag, turned in 1 s", "fast-thin", "fast-thick"),
    ("time of turning, little drag", "heavy-thin", "fast-thin"),
    ("time of turning, much drag", "thick", "fast-thick"),
    ("weight, little drag", "heavy-thin", "weightless-thin"),
    ("weight, much drag", "fast-thick", "weightless-thick"),
];

const fn case(name: &'static str, gravity: f64, viscosity: f64, taking: f64) -> Case {
    Case {
        name,
        gravity,
        viscosity,
        taking,
        edges: EDGES,
        step: STEP,
    }
}

impl Case {
    const fn on(mut self, edges: usize) -> Self {
        self.edges = edges;
        self
    }

    const fn with_steps_of(mut self, step: f64) -> Self {
        self.step = step;
        self
    }
}

fn plan(case: &Case, span: Span) -> RunPlan {
    RunPlan {
        name: format!("plectoneme-{}{}", case.name, span.suffix()),
        scene: "plectoneme",
        sets: vec![
            format!("scene.turned={TURNS} turns"),
            format!("scene.gravity={}", case.gravity),
            format!("scene.taking={}", case.taking),
            format!("damping.viscosity={}", case.viscosity),
            format!("scene.edges={}", case.edges),
            format!("time.step={}", case.step),
        ],
        start: Start::Rest,
        end: End::At(span.choose(END, 0.5)),
        every: 0.25,
    }
}

fn name(case: &Case) -> String {
    case.name.to_owned()
}

impl Experiment for Fig9 {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "plectonemes of a hanging, twisted rod by drag and gravity, counted and measured (B08 Fig. 9)"
    }

    fn columns(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("gravity_m_s2", "g m/s2"),
            ("viscosity_Pa_s", "drag Pa s"),
            ("turning_s", "turning s"),
            ("edges", "edges"),
            ("step_ms", "step ms"),
            ("first_contact_s", "first contact s"),
            ("most_plectonemes", "most"),
            ("most_until_s", "until s"),
            ("plectonemes_end", "in the end"),
            ("longest_end_mm", "longest mm"),
            ("twist_end_turns", "Tw"),
            ("writhe_end", "Wr closed up"),
            ("linking_less_turns", "Lk less turns"),
        ]
    }

    fn rows(&self, span: Span) -> Vec<Row> {
        let all = [CASES.as_slice(), &FINER].concat();
        rows_of(span.choose(all, vec![CASES[1]]), name, measure)
    }

    fn notes(&self, rows: &Rows, bench: &Bench) -> String {
        let mut text = "The scene plectoneme, one end turned by 36 turns, 20 s, touching itself. A plectoneme is a stretch of rod between\n\
             two points that touch, in no other such stretch; its length is half of the stretch. Lk less turns: largest change of Tw + Wr of\n\
             the rod, closed up along its end tangents, less the turns of its end. Curves: "
            .to_owned();
        text += &format!("{NAME}-ROW.csv\n");
        if bench.span == Span::Quick {
            return text;
        }
        let verdict = |met: bool| if met { "met" } else { "NOT met" };
        let most = |case: &Case| rows.number(case.name, "most_plectonemes");
        text += "Plectonemes, most and in the end, of rows that differ in one thing:\n";
        for (what, first, second) in PAIRS {
            let count = |row: &str, column: &str| rows.number(row, column);
            let told = |row: &str| {
                let (most, last) = (
                    count(row, "most_plectonemes"),
                    count(row, "plectonemes_end"),
                );
                most.zip(last)
                    .map(|(most, last)| format!("{row} {most:.0} and {last:.0}"))
            };
            if let (Some(first), Some(second)) = (told(first), told(second)) {
                text += &format!("  {what}: {first}, {second}\n");
            }
        }
        let counts: Vec<f64> = CASES.iter().filter_map(most).collect();
        let several = counts.iter().any(|n| *n > 1.0) && counts.contains(&1.0);
        text += &format!(
            "  one or several, by drag and gravity ({})\n",
            verdict(several)
        );
        for finer in FINER {
            let same = |case: &&Case| finer.name.starts_with(&format!("{}-", case.name));
            let Some(case) = CASES.iter().find(same) else {
                continue;
            };
            let counts = |row: &str| {
                let count = |column: &str| rows.number(row, column);
                count("most_plectonemes").zip(count("plectonemes_end"))
            };
            if let Some((ours, (most, last))) = counts(case.name).zip(counts(finer.name)) {
                text += &format!(
                    "  {}: {most:.0} and {last:.0}, as many as {} ({})\n",
                    finer.name,
                    case.name,
                    verdict(ours == (most, last))
                );
            }
        }
        let merged = CASES.iter().any(|case| {
            let last = rows.number(case.name, "plectonemes_end");
            matches!((most(case), last), (Some(m), Some(l)) if l >= 1.0 && l < m)
        });
        text += &format!("  plectonemes merge at long times ({})\n", verdict(merged));
        let off = CASES
            .iter()
            .filter_map(|case| rows.number(case.name, "linking_less_turns"));
        let worst = largest(off);
        text += &format!(
            "  Lk = Tw + Wr follows the turns of the end to {} ({})\n",
            number(worst, 2),
            verdict(worst < 1e-6)
        );
        text
    }

    fn finish(&self, rows: &Rows, bench: &mut Bench) -> Result<Vec<String>> {
        let mut strips = Vec::new();
        for case in CASES.iter().filter(|case| rows.has(case.name)) {
            let found = bench.look_at(&plan(case, bench.span));
            strips.extend(found.map(|(reader, _)| Strip {
                label: case.name.to_owned(),
                runs: vec![reader],
            }));
        }
        if strips.is_empty() {
            return Ok(Vec::new());
        }
        let times = bench
            .span
            .choose(vec![0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 15.0], vec![0.0, 0.5]);
        let file = format!("{NAME}{}.png", bench.span.suffix());
        bench.write(&file, &sheet(&strips, &times, View::Standing)?)?;
        Ok(vec![format!("Picture: {file}")])
    }
}

fn measure(case: &Case, bench: &mut Bench) -> Result<Vec<String>> {
    let (reader, summary) = bench.frames(&plan(case, bench.span))?;
    let times = reader.times()?;
    let contacts = reader.contacts()?.unwrap_or_default();
    let all: Vec<Vec<f64>> = contacts.iter().map(|frame| plectonemes(frame)).collect();
    let mut ribbon = Vec::new();
    for frame in 0..reader.frames() {
        let nodes = rods(&reader, frame)?.swap_remove(0);
        ribbon.push(twist_and_writhe(&nodes, &directors(&reader, frame)?));
    }
    let linking = |frame: usize| ribbon[frame][0] + ribbon[frame][1];
    let most = all.iter().map(Vec::len).max().unwrap_or(0);
    let until = (0..all.len()).rfind(|i| most > 0 && all[*i].len() == most);
    let last = times.len() - 1;
    let turned = |time: f64| TURNS * (time / case.taking).min(1.0);
    let off = (0..times.len()).map(|i| (linking(i) - linking(0) - turned(times[i])).abs());
    let longest = |lengths: &[f64]| lengths.iter().copied().fold(0.0, f64::max);
    let lines: Vec<Vec<String>> = (0..times.len())
        .map(|i| {
            let found = all.get(i).map_or(&[][..], Vec::as_slice);
            vec![
                number(times[i], 5),
                found.len().to_string(),
                number(longest(found), 4),
                number(found.iter().sum::<f64>(), 4),
                number(ribbon[i][0], 6),
                number(ribbon[i][1], 6),
            ]
        })
        .collect();
    let header = [
        "time_s",
        "plectonemes",
        "longest_m",
        "all_m",
        "twist_turns",
        "writhe",
    ];
    bench.write_curve(NAME, case.name, &header, &lines)?;
    let end = all.last().map_or(&[][..], Vec::as_slice);
    Ok(vec![
        number(case.gravity, 3),
        number(case.viscosity, 3),
        number(case.taking, 3),
        case.edges.to_string(),
        number(1e3 * case.step, 3),
        number(summary.first_contact_s, 4),
        most.to_string(),
        number(until.map(|i| times[i]), 4),
        end.len().to_string(),
        number(1e3 * longest(end), 4),
        number(ribbon[last][0], 4),
        number(ribbon[last][1], 4),
        number(largest(off), 2),
    ])
}

/// Length of each plectoneme of a rod, m: half of each stretch between two points that touch which
/// lies in no other such stretch.
fn plectonemes(contacts: &[Contact]) -> Vec<f64> {
    let mut stretches: Vec<[f64; 2]> = contacts
        .iter()
        .filter_map(|contact| Some(contact.between_rods()?.1))
        .map(|[a, b]| [a.min(b), a.max(b)])
        .collect();
    stretches.sort_by(|a, b| a[0].total_cmp(&b[0]).then(b[1].total_cmp(&a[1])));
    let mut outer: Vec<[f64; 2]> = Vec::new();
    for stretch in stretches {
        // Stretches that overlap belong to one plectoneme.
        match outer.last_mut() {
            Some(last) if stretch[0] < last[1] => last[1] = last[1].max(stretch[1]),
            _ => outer.push(stretch),
        }
    }
    outer.iter().map(|s| 0.5 * (s[1] - s[0])).collect()
}

#[cfg(test)]
mod tests {
    use writhe_rundir::Touched;

    use super::*;

    #[test]
    fn plectonemes_are_outer_stretches() {
        let touch = |a: f64, b: f64| Contact {
            rod: 0,
            arc: a,
            with: Touched::Rod { rod: 0, arc: b },
            gap: 0.0,
            force: 1.0,
        };
        let contacts = [
            touch(0.9, 0.1),
            touch(0.2, 0.8),
            touch(0.3, 0.7),
            touch(1.0, 1.4),
        ];
        let found = plectonemes(&contacts);
        assert_eq!(found.len(), 2);
        assert!((found[0] - 0.4).abs() < 1e-12 && (found[1] - 0.2).abs() < 1e-12);
        assert!(plectonemes(&[]).is_empty());
    }
}
