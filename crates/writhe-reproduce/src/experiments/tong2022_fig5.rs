//! T22 Fig. 5: two flagella with friction 0, 0.3 and 0.7 in pictures, and where their contact ends.

use writhe_results::table::number;

use super::flagella::bundle_at;
use super::plans::{Case, whole};
use super::sheets::draw;
use super::{Experiment, Row, rows_of};
use crate::bench::{Bench, Span};
use crate::error::Result;
use crate::measure::{Bundle, radius};
use crate::rows::Rows;

/// T22 Fig. 5.
#[derive(Debug)]
pub struct Fig5;

/// Frames from here on are averaged, s: contact persists in all runs.
const AVERAGED_FROM: f64 = 100.0;

fn cases(span: Span) -> Vec<Case> {
    let tenths: &[usize] = span.choose(&[0, 3, 7], &[0]);
    tenths.iter().map(|mu| Case::with_friction(*mu)).collect()
}

impl Experiment for Fig5 {
    fn name(&self) -> &'static str {
        "tong2022-fig5"
    }

    fn about(&self) -> &'static str {
        "where the contact of two flagella ends, friction 0, 0.3, 0.7, with a contact sheet (T22 Fig. 5)"
    }

    fn columns(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("friction", "mu"),
            ("frames_with_contact", ""),
            ("frames_averaged", ""),
            ("contact_from_clamp_along_mm", "contact from mm along"),
            ("contact_to_along_mm", "to mm"),
            ("contact_from_clamp_along_end_mm", "from, at end"),
            ("contact_from_clamp_mm", "highest mm below clamp"),
            ("contact_to_mm", "lowest mm"),
            ("contact_from_clamp_end_mm", "highest, at end"),
            ("turns_wound_end", "turns at end"),
            ("mean_distance_radii", "mean dist/h"),
        ]
    }

    fn rows(&self, span: Span) -> Vec<Row> {
        rows_of(cases(span), Case::friction_name, measure)
    }

    fn notes(&self, rows: &Rows, _bench: &Bench) -> String {
        let mut text = "\
Rods hang from their turning clamps: contact ends, upwards, where it is nearest to them. Means over the frames with contact from 100 s to
the end of the run, along the rods from the middle of the clamped edges, and as heights below it. The paper says that contact ends higher
with mu = 0.3 than without friction, and that the rods coil completely at 0.7. In the sheet, bundles with little friction turn sideways and
up, so that their highest contact need not be the one nearest to the clamps along the rods. That this is why the two measures may disagree is
a reading of the sheet, not a measurement.
"
        .to_owned();
        for (what, column) in [
            ("along the rods", "contact_from_clamp_along_mm"),
            ("in height", "contact_from_clamp_mm"),
        ] {
            let end = |row: &str| rows.number(row, column);
            if let (Some(without), Some(with)) = (end("mu0.0"), end("mu0.3")) {
                let verdict = if with < without { "met" } else { "NOT met" };
                text += &format!(
                    "  {what}, contact ends {} mm nearer to the clamps with mu = 0.3 than with 0 ({verdict})\n",
                    number(without - with, 3)
                );
            }
        }
        text
    }

    fn finish(&self, rows: &Rows, bench: &mut Bench) -> Result<Vec<String>> {
        let times = bench.span.choose(
            vec![50.0, 100.0, 150.0, 200.0, 250.0],
            vec![0.0, 15.0, 30.0],
        );
        let label = |case: &Case| format!("mu = {:.1}", case.friction());
        let cases = cases(bench.span);
        let names: [&dyn Fn(&Case) -> String; 2] = [&Case::friction_name, &label];
        draw(self.name(), &cases, names, &times, rows, bench)
    }
}

fn measure(case: &Case, bench: &mut Bench) -> Result<Vec<String>> {
    let (reader, _) = bench.frames(&whole(case, bench.span))?;
    let h = radius(&reader);
    let from = bench.span.choose(AVERAGED_FROM, 0.0);
    let mut bundles: Vec<Bundle> = Vec::new();
    for (frame, time) in reader.times()?.iter().enumerate() {
        if *time >= from {
            bundles.push(bundle_at(&reader, frame)?);
        }
    }
    let mean = |value: &dyn Fn(&Bundle) -> Option<f64>| {
        let values: Vec<f64> = bundles.iter().filter_map(value).collect();
        values.iter().sum::<f64>() / values.len() as f64
    };
    let touching = bundles.iter().filter(|b| b.contact.is_some()).count();
    let last = bundles.last();
    let nearest = |contact: Option<(f64, f64)>| contact.map(|(nearest, _)| 1e3 * nearest);
    let farthest = |contact: Option<(f64, f64)>| contact.map(|(_, farthest)| 1e3 * farthest);
    Ok(vec![
        number(case.friction(), 1),
        touching.to_string(),
        bundles.len().to_string(),
        number(mean(&|b| nearest(b.contact_along)), 4),
        number(mean(&|b| farthest(b.contact_along)), 4),
        number(last.and_then(|b| nearest(b.contact_along)), 4),
        number(mean(&|b| nearest(b.contact)), 4),
        number(mean(&|b| farthest(b.contact)), 4),
        number(last.and_then(|b| nearest(b.contact)), 4),
        number(last.map(|b| b.turns), 3),
        number(mean(&|b| Some(b.mean_distance / h)), 4),
    ])
}
