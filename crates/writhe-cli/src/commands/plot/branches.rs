//! Curves of a run of `writhe follow`: branches apart, what is unstable dashed.

use writhe_plot::{Curve, Style};
use writhe_rundir::RunReader;

/// The curve, or the parts of it that are stable and those that are not where the run is one of
/// branches; a point for each row.
pub fn split(run: &RunReader, curve: Curve) -> Vec<Curve> {
    let column = |name: &str| run.observable(name).map(|o| o.values.as_slice());
    let (Some(branch), Some(negative), Some(event)) =
        (column("branch"), column("negative"), column("event"))
    else {
        return vec![curve];
    };
    let points = &curve.points;
    let is_unstable = |row: usize| {
        // At an event eigenvalues are counted before it.
        let row = if event[row] > 0.0 { row + 1 } else { row };
        negative[row.min(negative.len() - 1)] > 0.0
    };
    let rows = points.len().min(branch.len());
    let part = |unstable: bool| {
        let mut all = Vec::new();
        for row in 1..rows {
            if branch[row] != branch[row - 1] || is_unstable(row - 1) != unstable {
                all.push([f64::NAN; 2]);
                continue;
            }
            all.extend([points[row - 1], points[row]]);
        }
        all
    };
    let (stable, unstable) = (part(false), part(true));
    let has = |points: &[[f64; 2]]| points.iter().any(|p| p[0].is_finite());
    let (has_stable, has_unstable) = (has(&stable), has(&unstable));
    let label = curve.label.clone();
    let mut parts = Vec::new();
    if has_stable {
        parts.push(Curve {
            points: stable,
            ..curve.clone()
        });
    }
    if has_unstable {
        parts.push(Curve {
            points: unstable,
            style: Style::Dashed,
            // Named once.
            label: if has_stable { String::new() } else { label },
            ..curve
        });
    }
    parts
}
