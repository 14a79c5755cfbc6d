//! C21 Fig. 6: pull force of knots n = 1 to 4 against shortening, and the snap-through of n = 3 and
//! 4.

use writhe_plot::{Color, Curve as Line, Panel, Style};
use writhe_results::table::number;

use super::figures::{add, force_by_shortening, write};
use super::knot_columns::{self, COLUMNS, READING, by};
use super::knot_curve::{Curve, MEAN_OVER, Snap};
use super::knots::Pull;
use super::{Experiment, Row};
use crate::bench::{Bench, Span};
use crate::error::Result;
use crate::paper;
use crate::picture::{Strip, View, sheet};
use crate::plan::{End, RunPlan, Start};
use crate::rows::Rows;

/// C21 Fig. 6.
#[derive(Debug)]
pub struct Fig6;

const NAME: &str = "choi2021-fig6";

/// Shortenings over which the authors' force curves are compared, m.
const COMPARED: (f64, f64) = (0.15, 0.65);
/// Distance of the compared points from a snap of either curve, m.
const AWAY_FROM_SNAP: f64 = 0.025;
/// What is to be shown: the whole pull of a knot, n and processor time, s.
const BUDGETS: [(usize, f64); 2] = [(1, 30.0), (4, 60.0)];
/// What is to be shown: force within this part of that with steps four times smaller, and on edges
/// half as long.
const BY_STEP: f64 = 0.01;
/// Means that even out single slips of contacts, s.
const SLIPS: f64 = 2.0;
/// What is to be shown: forces and places of snaps within this part of the authors'.
const WITHIN: f64 = 0.05;

/// As the authors' published curves, and in their steps: undamped, what slips and sticks depends on
/// them.
fn undamped(n: usize) -> Pull {
    Pull {
        viscosity: 0.0,
        finer: 4,
        ..Pull::new(n)
    }
}

/// As in the paper, and undamped as the authors' published curves.
fn pulls(span: Span) -> Vec<Pull> {
    match span {
        Span::Full => vec![
            undamped(1),
            undamped(3),
            Pull::new(1),
            Pull::new(3),
            Pull::new(4),
            Pull::new(2),
            quarter(1),
            quarter(4),
            quarter(2),
            quarter(3),
            half_mesh(1),
            half_mesh(2),
            half_mesh(3),
            half_mesh(4),
            by_c21(1),
            by_c21(3),
            by_c21(4),
            by_c21(2),
        ],
        Span::Quick => vec![undamped(1), Pull::new(4), by_c21(1)],
    }
}

/// With steps four times smaller.
fn quarter(n: usize) -> Pull {
    Pull {
        finer: 4,
        ..Pull::new(n)
    }
}

/// On edges half as long.
fn half_mesh(n: usize) -> Pull {
    Pull::new(n).on_half_the_mesh()
}

/// By C21's own method.
fn by_c21(n: usize) -> Pull {
    Pull::new(n).by_c21()
}

/// n = 3 from an option file of the authors' program, by `writhe import`: backward Euler, ends that
/// start at once.
const IMPORTED: &str = "n3-imported";

fn imported(span: Span) -> RunPlan {
    RunPlan {
        name: format!("knot-n3-imported{}", span.suffix()),
        scene: "choi2021-imported",
        sets: vec!["output.certify=false".to_owned()],
        start: Start::Rest,
        end: End::At(span.choose(62.0, 3.0)),
        every: 0.05,
    }
}

fn name(pull: &Pull) -> String {
    let how = match (pull.viscosity, pull.finer) {
        _ if pull.is_by_c21() => pull.method(),
        _ if pull.half_mesh => "-half-mesh",
        (0.0, _) => "-undamped",
        (_, 1) => "",
        _ => "-quarter-step",
    };
    format!("n{}{how}", pull.n)
}

impl Experiment for Fig6 {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "pull force of knots n = 1 to 4 against shortening, with snap-through (C21 Fig. 6)"
    }

    fn columns(&self) -> &'static [(&'static str, &'static str)] {
        COLUMNS
    }

    fn rows(&self, span: Span) -> Vec<Row> {
        let mut rows = knot_columns::rows(NAME, pulls(span), name);
        rows.push(Row::new(IMPORTED, |bench| {
            let plan = imported(bench.span);
            knot_columns::measure(&undamped(3), &plan, [NAME, IMPORTED], bench)
        }));
        rows
    }

    fn notes(&self, rows: &Rows, bench: &Bench) -> String {
        let mut text = READING.to_owned();
        text += "Rows `undamped` are what the authors' program published: eta = 0; the paper has eta = 0.01 Pa s. Row `imported`: the same from an option file by `writhe import`.\n";
        for (n, row) in [
            (1, name(&undamped(1))),
            (3, name(&undamped(3))),
            (3, IMPORTED.to_owned()),
        ] {
            text += &against_the_authors(n, &row, bench);
        }
        for (n, budget) in BUDGETS {
            if bench.span == Span::Full {
                text += &costs(n, budget, rows);
            }
        }
        for n in 1..=4 {
            text += &refined(&quarter(n), "steps four times smaller", bench);
            text += &refined(&half_mesh(n), "edges half as long", bench);
        }
        for n in 1..=4 {
            text += &methods(n, bench);
        }
        let all = [Pull::new, by_c21].map(|method| [1, 2, 3, 4].map(method));
        for pull in all.as_flattened() {
            let (n, row) = (pull.n, name(pull));
            if !rows.has(&row) || bench.span == Span::Quick {
                continue;
            }
            let snaps = rows.number(&row, "snap_shortening_m").is_some();
            let verdict = if snaps == (n >= 3) { "met" } else { "NOT met" };
            let seen = if snaps {
                "a snap-through"
            } else {
                "no snap-through"
            };
            let by = by(pull);
            text +=
                &format!("  n = {n}{by}: {seen}; the paper has them for n = 3 and 4 ({verdict})\n");
        }
        text
    }

    fn finish(&self, rows: &Rows, bench: &mut Bench) -> Result<Vec<String>> {
        let mut lines = write(bench, NAME, panels(bench))?;
        lines.extend(picture(rows, bench)?);
        Ok(lines)
    }
}

/// Force curves as in the paper, and beside those of the authors' program.
fn panels(bench: &Bench) -> Vec<Panel> {
    let columns = ["shortening_m", "pull_N"];
    let mut all = force_by_shortening("(a) As in the paper");
    for n in 1..=4 {
        let of = [NAME, &name(&Pull::new(n))];
        add(&mut all, bench, of, columns, (&format!("n = {n}"), n - 1));
    }
    let mut methods = force_by_shortening("(c) By C21’s own method");
    for n in 1..=4 {
        let of = [NAME, &name(&by_c21(n))];
        add(
            &mut methods,
            bench,
            of,
            columns,
            (&format!("n = {n}"), n - 1),
        );
    }
    let mut beside = force_by_shortening("(b) Undamped, and the authors’ program");
    for n in [1, 3] {
        let (of, label) = (name(&undamped(n)), format!("n = {n}"));
        add(&mut beside, bench, [NAME, &of], columns, (&label, n - 1));
        if beside.curves.iter().any(|curve| curve.label == label) {
            let authors = Line::new("authors", paper::pull_curve(n), 0).styled(Style::Dotted);
            let color = Color::INK;
            beside.curves.push(Line { color, ..authors });
        }
    }
    [all, beside, methods]
        .map(|panel| Panel {
            y: panel.y.logarithmic().between(5e-5, 4e-1),
            ..panel
        })
        .into()
}

/// The snap-through of n = 4.
fn picture(rows: &Rows, bench: &Bench) -> Result<Vec<String>> {
    let pull = Pull::new(4);
    let Some((reader, _)) = bench.look_at(&pull.whole(bench.span)) else {
        return Ok(Vec::new());
    };
    let Some(curve) = Curve::recorded([NAME, &name(&pull)], bench) else {
        return Ok(Vec::new());
    };
    let Some(snap) = rows.number(&name(&pull), "snap_shortening_m") else {
        return Ok(Vec::new());
    };
    let passed = curve.shortening.iter().position(|e| *e <= snap);
    let middle = passed.map_or(0.0, |i| curve.time[i]);
    let times: Vec<f64> = [-4.0, -1.0, -0.3, 0.3, 1.0, 4.0]
        .map(|dt| (10.0 * (middle + dt)).round() / 10.0)
        .to_vec();
    let strip = Strip {
        label: "n = 4".to_owned(),
        runs: vec![reader],
    };
    let file = format!("{NAME}b{}.png", bench.span.suffix());
    bench.write(&file, &sheet(&[strip], &times, View::Knot)?)?;
    Ok(vec![format!("Picture of the snap-through: {file}")])
}

/// The authors' curve.
fn reference(n: usize) -> Curve {
    let points = paper::pull_curve(n);
    Curve {
        time: (0..points.len()).map(|i| i as f64 * MEAN_OVER).collect(),
        shortening: points.iter().map(|p| p[0]).collect(),
        force: points.iter().map(|p| p[1]).collect(),
    }
}

/// How two force curves differ.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Difference {
    /// Largest relative difference, and the shortening, m, where it is.
    largest: (f64, f64),
    /// Mean of its magnitude.
    mean: f64,
    /// Mean of the difference itself: what is not slip that comes a little sooner or later.
    bias: f64,
}

/// Relative difference of a curve from another, at the points of the latter, away from both snaps.
fn difference(ours: &Curve, theirs: &Curve, snaps: [Option<Snap>; 2]) -> Option<Difference> {
    let near = |e: f64| {
        let mut all = snaps.iter().flatten();
        all.any(|snap| (snap.shortening - e).abs() < AWAY_FROM_SNAP)
    };
    let points = theirs.shortening.iter().zip(&theirs.force);
    let compared = points.filter(|(e, _)| (COMPARED.0..=COMPARED.1).contains(*e) && !near(**e));
    let differences: Vec<(f64, f64)> = compared
        .filter_map(|(e, force)| Some((ours.force_at(*e)? / force - 1.0, *e)))
        .collect();
    let (largest, at) = differences
        .iter()
        .copied()
        .max_by(|a, b| a.0.abs().total_cmp(&b.0.abs()))?;
    let mean = |of: fn(f64) -> f64| {
        differences.iter().map(|d| of(d.0)).sum::<f64>() / differences.len() as f64
    };
    Some(Difference {
        largest: (largest.abs(), at),
        mean: mean(f64::abs),
        bias: mean(|d| d),
    })
}

/// Processor time of a whole pull.
fn costs(n: usize, budget: f64, rows: &Rows) -> String {
    let Some(cpu) = rows.number(&name(&Pull::new(n)), "cpu_s") else {
        return String::new();
    };
    let verdict = if cpu <= budget { "met" } else { "NOT met" };
    let cpu = number(cpu, 3);
    format!(
        "  n = {n}: the whole pull takes {cpu} s of processor time, at most {budget} ({verdict})\n"
    )
}

/// How much the force depends on the step or the mesh: against the pull `finer`, with what its name
/// says.
fn refined(finer: &Pull, with: &str, bench: &Bench) -> String {
    let n = finer.n;
    let curve = |pull: &Pull| Curve::recorded([NAME, &name(pull)], bench);
    let (Some(ours), Some(finer)) = (curve(&Pull::new(n)), curve(finer)) else {
        return String::new();
    };
    let snaps = [ours.snap(), finer.snap()];
    let Some(found) = difference(&ours, &finer, snaps) else {
        return String::new();
    };
    let longer = difference(&ours.smoothed(SLIPS), &finer.smoothed(SLIPS), snaps);
    format!(
        "  n = {n}: force within {} % of that with {with} {}\n    \
         the mean is to be within {} % ({}); with its sign it is {} %; averaged over {SLIPS} s, some slips, the worst is {} %\n",
        number(100.0 * found.largest.0, 3),
        nearness(&found, BY_STEP),
        100.0 * BY_STEP,
        if found.mean <= BY_STEP {
            "met"
        } else {
            "NOT met"
        },
        number(100.0 * found.bias, 2),
        number(longer.map(|d| 100.0 * d.largest.0), 3)
    )
}

/// How near C21's own method and our contact are to each other.
fn methods(n: usize, bench: &Bench) -> String {
    let curve = |pull: &Pull| Curve::recorded([NAME, &name(pull)], bench);
    let (Some(theirs), Some(ours)) = (curve(&by_c21(n)), curve(&Pull::new(n))) else {
        return String::new();
    };
    let snaps = [theirs.snap(), ours.snap()];
    let Some(found) = difference(&theirs, &ours, snaps) else {
        return String::new();
    };
    let [at, ours_at] = snaps.map(|snap| match snap {
        Some(snap) => format!("snaps at {} m", number(snap.shortening, 4)),
        None => "does not snap".to_owned(),
    });
    format!(
        "  n = {n}: by C21's own method the force is within {} % of ours {}; it {at}, ours {ours_at}\n",
        number(100.0 * found.largest.0, 3),
        nearness(&found, WITHIN)
    )
}

/// How near a curve is to another away from snaps, in words: where the largest relative difference
/// is, and the mean.
fn nearness(found: &Difference, within: f64) -> String {
    let (largest, at) = found.largest;
    format!(
        "from e = {} to {} m away from snaps, worst at {} m, mean {} % ({})",
        COMPARED.1,
        COMPARED.0,
        number(at, 3),
        number(100.0 * found.mean, 2),
        if largest <= within { "met" } else { "NOT met" }
    )
}

fn against_the_authors(n: usize, row: &str, bench: &Bench) -> String {
    let Some(ours) = Curve::recorded([NAME, row], bench) else {
        return String::new();
    };
    let theirs = reference(n);
    let snaps = [ours.snap(), theirs.snap()];
    let mut text = String::new();
    let verdict = |met: bool| if met { "met" } else { "NOT met" };
    if let Some(found) = difference(&ours, &theirs, snaps) {
        text += &format!(
            "  {row}: force within {} % of the authors' {}\n",
            number(100.0 * found.largest.0, 3),
            nearness(&found, WITHIN)
        );
    }
    if let [Some(our), Some(their)] = snaps {
        let off = our.shortening / their.shortening - 1.0;
        text += &format!(
            "  {row}: snap-through at e = {} m, the authors' at {} m: {} % off ({})\n",
            number(our.shortening, 4),
            number(their.shortening, 4),
            number(100.0 * off, 2),
            verdict(off.abs() <= WITHIN)
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_authors_third_knot_snaps_and_the_first_does_not() {
        let snap = reference(3).snap().unwrap();
        assert!((snap.shortening - 0.2407).abs() < 4e-3, "{snap:?}");
        assert!((snap.drop - 0.31).abs() < 0.02, "{snap:?}");
        assert_eq!(reference(1).snap(), None);
    }

    #[test]
    fn the_imported_knot_is_the_authors() {
        let plan = imported(Span::Full);
        let scene = crate::scenes::scene(plan.scene).unwrap();
        let setup = scene.build().unwrap();
        assert_eq!(setup.model.topology.rods[0].nodes, 301);
        assert_eq!(setup.duration, 62.0);
    }

    #[test]
    fn curves_differ_by_what_they_differ() {
        let theirs = reference(3);
        let force = theirs.force.iter().map(|f| 1.03 * f).collect();
        let ours = Curve {
            force,
            ..theirs.clone()
        };
        let found = difference(&ours, &theirs, [ours.snap(), theirs.snap()]).unwrap();
        for value in [found.largest.0, found.mean, found.bias] {
            assert!((value - 0.03).abs() < 1e-9, "{found:?}");
        }
    }
}
