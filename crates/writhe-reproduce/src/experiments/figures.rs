//! Figures of recorded curves.

use writhe_plot::{Axis, Curve, Figure, Panel};

use crate::bench::Bench;
use crate::error::Result;

/// Points of a recorded curve, from these two of its columns; `None` where it is not recorded.
pub(super) fn points(
    bench: &Bench,
    [experiment, row]: [&str; 2],
    columns: [&str; 2],
) -> Option<Vec<[f64; 2]>> {
    let found = bench.read_curve(experiment, row, &columns)?;
    let [x, y] = <[Vec<f64>; 2]>::try_from(found).ok()?;
    Some(x.into_iter().zip(y).map(|(x, y)| [x, y]).collect())
}

/// Pull force by shortening, the other way round: a knot is tightened from left to right.
pub(super) fn force_by_shortening(title: &str) -> Panel {
    let x = Axis::new("End-to-end shortening e", "m").reversed();
    titled(title, x, Axis::new("Pull force", "N"))
}

/// A panel with a title.
pub(super) fn titled(title: &str, x: Axis, y: Axis) -> Panel {
    Panel {
        title: title.to_owned(),
        ..Panel::new(x, y)
    }
}

/// Adds the curve of a row, the `index`-th of the panel, if it is recorded.
pub(super) fn add(
    panel: &mut Panel,
    bench: &Bench,
    of: [&str; 2],
    columns: [&str; 2],
    (label, index): (&str, usize),
) {
    let found = points(bench, of, columns);
    let curve = found.map(|points| Curve::new(label, points, index));
    panel.curves.extend(curve);
}

/// Writes those panels that have curves as `EXPERIMENT.svg`; a line about it.
///
/// # Errors
/// When it cannot be written.
pub(super) fn write(bench: &Bench, experiment: &str, panels: Vec<Panel>) -> Result<Vec<String>> {
    let drawn: Vec<Panel> = panels
        .into_iter()
        .filter(|p| !p.curves.is_empty())
        .collect();
    if drawn.is_empty() {
        return Ok(Vec::new());
    }
    let file = format!("{experiment}{}.svg", bench.span.suffix());
    bench.write(&file, Figure::new(drawn).to_svg()?.as_bytes())?;
    Ok(vec![format!("Figure: {file}")])
}
