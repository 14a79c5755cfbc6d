//! B08 Fig. 10: a chain of links hangs, is pulled until a link opens, or breaks, and its links fly
//! apart.

use writhe_results::table::number;
use writhe_rundir::RunReader;

use super::{Experiment, Row, rows_of};
use crate::bench::{Bench, Span};
use crate::error::Result;
use crate::measure::{linking, rods};
use crate::picture::{Strip, View, sheet};
use crate::plan::{End, RunPlan, Start};
use crate::rows::Rows;

/// B08 Fig. 10.
#[derive(Debug)]
pub struct Fig10;

const NAME: &str = "bergou2008-fig10";
/// Links.
const LINKS: usize = 7;
/// When pulling begins, and when it ends, s.
const PULLED: [f64; 2] = [12.0, 32.0];
/// Two links hold each other while Gauss's integral over both is above this; it is nearly one of
/// closed links.
const HOOKED: f64 = 0.5;

/// How links are.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Links {
    /// As in the paper.
    Open,
    /// Closed by a weld that bears so much, N.
    Closed(f64),
}

const ROWS: [(&str, Links); 2] = [("chain", Links::Open), ("limited", Links::Closed(6.0))];

fn plan((name, links): (&str, Links), span: Span) -> RunPlan {
    let mut sets = vec![format!("scene.links={LINKS}")];
    if let Links::Closed(strength) = links {
        sets.push(format!("scene.strength={strength}"));
    }
    RunPlan {
        name: format!("{name}{}", span.suffix()),
        scene: "hanging-chain",
        sets,
        start: Start::Rest,
        end: End::At(span.choose(PULLED[1], 1.0)),
        every: 0.1,
    }
}

impl Experiment for Fig10 {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "a hanging chain is pulled until a link opens, or breaks, and its links fly apart (B08 Fig. 10)"
    }

    fn columns(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("links", "links"),
            ("first_contact_s", "first contact s"),
            ("breaks_s", "breaks at s"),
            ("force_N", "force before N"),
            ("joint", "joint"),
            ("hooked_end", "hooked in the end"),
            ("speed_after", "links' speed after m/s"),
            ("deepest_penetration_mm", "deepest penetration mm"),
        ]
    }

    fn rows(&self, _span: Span) -> Vec<Row> {
        rows_of(ROWS.to_vec(), |row| row.0.to_owned(), measure)
    }

    fn notes(&self, rows: &Rows, bench: &Bench) -> String {
        let mut text = format!(
            "The scene hanging-chain, {LINKS} links that are open rods of 31 nodes, as the paper's: B = 2, beta = 2, radius 1, open by 20 degrees. It hangs\n\
             until 12 s, then one end is pulled away at .4 m/s. Two neighbours are hooked while Gauss's linking integral over both is above .5;\n\
             the chain breaks with the first that are not. In the row limited each link is closed across its opening by a weld that bears 6 N, and the\n\
             chain breaks with the first weld. Every accepted step was swept for crossings and had none. Force: largest on the\n\
             end that is pulled, before. Speed: largest of a link's middle within a second after.\n"
        );
        if bench.span == Span::Full {
            for (row, _) in ROWS {
                let at = rows.number(row, "breaks_s");
                let met = at.is_some_and(|t| t > PULLED[0]);
                let verdict = if met { "met" } else { "NOT met" };
                text += &format!("  {row}: hangs, and breaks when it is pulled ({verdict})\n");
            }
        }
        text
    }

    fn finish(&self, rows: &Rows, bench: &mut Bench) -> Result<Vec<String>> {
        let mut written = Vec::new();
        for row in ROWS {
            let Some((reader, _)) = bench.look_at(&plan(row, bench.span)) else {
                continue;
            };
            let at = rows.number(row.0, "breaks_s").unwrap_or(PULLED[1]);
            let tenth = |time: f64| (10.0 * time).round() / 10.0;
            let times = bench.span.choose(
                vec![
                    0.0,
                    PULLED[0],
                    tenth(at - 3.0),
                    tenth(at - 0.2),
                    tenth(at + 0.5),
                    tenth(at + 1.5),
                ],
                vec![1.0],
            );
            let strip = Strip {
                label: String::new(),
                runs: vec![reader],
            };
            let file = format!("{NAME}-{}{}.png", row.0, bench.span.suffix());
            bench.write(&file, &sheet(&[strip], &times, View::Standing)?)?;
            written.push(format!("Picture: {file}"));
        }
        Ok(written)
    }
}

/// Gauss's integral over each pair of neighbours in a frame, without sign.
fn hooks(reader: &RunReader, frame: usize) -> Result<Vec<f64>> {
    let links = rods(reader, frame)?;
    let pairs = links.windows(2);
    Ok(pairs
        .map(|pair| linking(&pair[0], &pair[1]).abs())
        .collect())
}

fn measure(row: &(&'static str, Links), bench: &mut Bench) -> Result<Vec<String>> {
    let (reader, summary) = bench.frames(&plan(*row, bench.span))?;
    let times = reader.times()?;
    let mut all = Vec::new();
    for frame in 0..reader.frames() {
        all.push(hooks(&reader, frame)?);
    }
    let names: Vec<String> = (1..LINKS).map(|joint| format!("linking{joint}")).collect();
    let mut header = vec!["time_s", "force_N"];
    header.extend(names.iter().map(String::as_str));
    let force = pull(&reader);
    let lines: Vec<Vec<String>> = (0..times.len())
        .map(|i| {
            let values = [times[i], force[i]]
                .into_iter()
                .chain(all[i].iter().copied());
            values.map(|v| number(v, 5)).collect()
        })
        .collect();
    bench.write_curve(NAME, row.0, &header, &lines)?;
    let unhooked = all
        .iter()
        .position(|joints| joints.iter().any(|l| *l < HOOKED));
    let broken = match row.1 {
        Links::Open => unhooked,
        Links::Closed(_) => reader
            .observable("joints_broken")
            .and_then(|o| o.values.iter().position(|n| *n > 0.0)),
    };
    let joint = unhooked.and_then(|frame| all[frame].iter().position(|l| *l < HOOKED));
    let strongest = broken.map(|frame| force[..frame].iter().copied().fold(0.0, f64::max));
    let speed = match broken {
        Some(frame) => Some(fastest(&reader, &times, frame)?),
        None => None,
    };
    let hooked = all
        .last()
        .map_or(0, |joints| joints.iter().filter(|l| **l >= HOOKED).count());
    let depth = reader.observable("penetration").map(|o| o.values.clone());
    let deepest = depth
        .unwrap_or_default()
        .iter()
        .copied()
        .fold(0.0, f64::max);
    Ok(vec![
        LINKS.to_string(),
        number(summary.first_contact_s, 4),
        number(broken.map(|frame| times[frame]), 4),
        number(strongest, 3),
        joint.map_or(String::new(), |joint| (joint + 1).to_string()),
        hooked.to_string(),
        number(speed, 3),
        number(1e3 * deepest, 3),
    ])
}

/// Force on the end that is pulled, N, along x, frame by frame.
fn pull(reader: &RunReader) -> Vec<f64> {
    let found = reader
        .observable("held_node1_force_x")
        .map(|o| o.values.clone());
    found.unwrap_or_else(|| vec![f64::NAN; reader.frames()])
}

/// Largest speed of the middle of a link within a second after this frame, m/s.
fn fastest(reader: &RunReader, times: &[f64], from: usize) -> Result<f64> {
    let mut largest = 0.0_f64;
    let mut before: Option<(f64, Vec<glam::DVec3>)> = None;
    for frame in from..times.len() {
        if times[frame] > times[from] + 1.0 {
            break;
        }
        let links = rods(reader, frame)?.into_iter();
        let middles: Vec<glam::DVec3> = links
            .map(|nodes| nodes.iter().sum::<glam::DVec3>() / nodes.len() as f64)
            .collect();
        if let Some((time, old)) = &before {
            let moved = middles.iter().zip(old).map(|(a, b)| a.distance(*b));
            largest = moved.fold(largest, |l, d| l.max(d / (times[frame] - time)));
        }
        before = Some((times[frame], middles));
    }
    Ok(largest)
}
