//! What is read off the run of a pulled knot: force over shortening, snap-through, jitter, whether
//! the knot is still the same.

use std::collections::BTreeMap;

use glam::DVec3;
use writhe::knot::KnotType;
use writhe::knot::closure::open_type;
use writhe_rundir::RunReader;

use crate::bench::Bench;
use crate::error::Result;
use crate::measure::rods;

/// Force over shortening, frame by frame.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Curve {
    /// Time, s.
    pub time: Vec<f64>,
    /// End-to-end shortening e, m.
    pub shortening: Vec<f64>,
    /// Pull force, N.
    pub force: Vec<f64>,
}

/// Means of the authors' force curves, s.
pub(super) const MEAN_OVER: f64 = 0.5;
/// A smaller drop of the smoothed force, over the force before, is none.
const LEAST_DROP: f64 = 0.1;
/// Shortening that is pulled out before drops count, m: strands that lie on each other anyhow
/// settle as they begin to slide.
const SETTLED_AFTER: f64 = 0.1;
/// Shortening within which a drop happens, m.
const DROP_WITHIN: f64 = 0.04;

/// A snap-through of the loop: a drop of the pull force.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Snap {
    /// Shortening where the force falls most steeply, m.
    pub shortening: f64,
    /// Drop over the force before.
    pub drop: f64,
}

impl Curve {
    /// The curve of a run.
    pub(super) fn of(reader: &RunReader) -> Result<Self> {
        let column = |name: &str| {
            let found = reader.observable(name).map(|o| o.values.clone());
            found.unwrap_or_else(|| vec![f64::NAN; reader.frames()])
        };
        Ok(Self {
            time: reader.times()?,
            shortening: column("rod0_shortening"),
            force: column("rod0_pull_force"),
        })
    }

    /// The curve recorded with a row in `EXPERIMENT-ROW.csv`: smoothed, to the digits written.
    /// `None` where there is none.
    pub(super) fn recorded([experiment, row]: [&str; 2], bench: &Bench) -> Option<Self> {
        let columns = bench.read_curve(experiment, row, &["t_s", "shortening_m", "pull_N"])?;
        let [time, shortening, force] = <[Vec<f64>; 3]>::try_from(columns).ok()?;
        Some(Self {
            time,
            shortening,
            force,
        })
    }

    /// Runs that continue one another, as one curve.
    pub(super) fn joined(curves: impl IntoIterator<Item = Self>) -> Self {
        let mut all = Self::default();
        for curve in curves {
            let last = all.time.last().copied().unwrap_or(f64::NEG_INFINITY);
            let skip = curve.time.partition_point(|t| *t <= last);
            all.time.extend(&curve.time[skip..]);
            all.shortening.extend(&curve.shortening[skip..]);
            all.force.extend(&curve.force[skip..]);
        }
        all
    }

    /// Up to the smallest shortening: while it is tightened.
    pub(super) fn tightening(&self) -> Self {
        let e = &self.shortening;
        let least = (0..e.len()).min_by(|a, b| e[*a].total_cmp(&e[*b]));
        let turn = least.map_or(0.0, |i| self.time[i]);
        self.during(f64::NEG_INFINITY, turn)
    }

    /// Those frames whose time, s, is in the range.
    pub(super) fn during(&self, from: f64, to: f64) -> Self {
        let kept: Vec<usize> = (0..self.time.len())
            .filter(|i| (from..=to).contains(&self.time[*i]))
            .collect();
        let of = |values: &[f64]| kept.iter().map(|i| values[*i]).collect();
        Self {
            time: of(&self.time),
            shortening: of(&self.shortening),
            force: of(&self.force),
        }
    }

    /// With the force averaged over `window`, s, around each frame; frames nearer than half of it
    /// to the ends are left out.
    pub(super) fn smoothed(&self, window: f64) -> Self {
        let half = 0.5 * window * (1.0 + 1e-9);
        let (Some(first), Some(last)) = (self.time.first(), self.time.last()) else {
            return Self::default();
        };
        let mut out = self.during(first + 0.5 * window, last - 0.5 * window);
        for (time, force) in out.time.iter().zip(&mut out.force) {
            let from = self.time.partition_point(|t| *t < time - half);
            let to = self.time.partition_point(|t| *t <= time + half);
            let within = &self.force[from..to];
            *force = within.iter().sum::<f64>() / within.len() as f64;
        }
        out
    }

    /// Force at a shortening, m, on a curve that is tightened or loosened all the way, N.
    pub(super) fn force_at(&self, shortening: f64) -> Option<f64> {
        let pairs = self.shortening.windows(2).zip(self.force.windows(2));
        for (e, f) in pairs {
            let (low, high) = (e[0].min(e[1]), e[0].max(e[1]));
            if (low..=high).contains(&shortening) && high > low {
                return Some(f[0] + (f[1] - f[0]) * (shortening - e[0]) / (e[1] - e[0]));
            }
        }
        None
    }

    /// The largest relative drop of a smoothed force while the knot is tightened, from 0.1 m of
    /// pulled length on.
    pub(super) fn snap(&self) -> Option<Snap> {
        let mut best: Option<(f64, usize, usize)> = None;
        let first = self.shortening.first()? - SETTLED_AFTER;
        let first = self.shortening.iter().position(|e| *e < first)?;
        for i in first..self.force.len() {
            let before = (first..i)
                .rev()
                .take_while(|j| self.shortening[*j] - self.shortening[i] < DROP_WITHIN)
                .max_by(|a, b| self.force[*a].total_cmp(&self.force[*b]));
            let Some(peak) = before else { continue };
            let drop = 1.0 - self.force[i] / self.force[peak];
            if drop > best.map_or(LEAST_DROP, |(most, ..)| most) {
                best = Some((drop, peak, i));
            }
        }
        let (drop, peak, end) = best?;
        let fall = |k: &usize| self.force[*k] - self.force[k + 1];
        let steepest = (peak..end).max_by(|a, b| fall(a).total_cmp(&fall(b)))?;
        Some(Snap {
            shortening: 0.5 * (self.shortening[steepest] + self.shortening[steepest + 1]),
            drop,
        })
    }

    /// Root mean square of the difference of the force from its moving average over `window`, s, N.
    pub(super) fn jitter(&self, window: f64) -> f64 {
        let smooth = self.smoothed(window);
        let first = self.time.len().saturating_sub(smooth.time.len()) / 2;
        let squares = smooth.force.iter().zip(&self.force[first..]);
        let sum: f64 = squares.map(|(s, f)| (f - s) * (f - s)).sum();
        (sum / smooth.force.len() as f64).sqrt()
    }

    /// Mean force, N.
    pub(super) fn mean(&self) -> f64 {
        self.force.iter().sum::<f64>() / self.force.len() as f64
    }
}

/// Largest value of a column, NaN left out; `None` if there is none.
pub(super) fn largest(reader: &RunReader, column: &str) -> Option<f64> {
    let values = &reader.observable(column)?.values;
    values
        .iter()
        .copied()
        .filter(|v| v.is_finite())
        .reduce(f64::max)
}

/// In words whether the knot of rod 0 is of one type in every `stride`-th frame and the last one of
/// these runs.
///
/// # Errors
/// When a frame cannot be read.
pub(super) fn certified(readers: &[&RunReader], stride: usize) -> Result<String> {
    let (mut start, mut seen, mut uncertain): (Option<KnotType>, usize, usize) = (None, 0, 0);
    let mut changes: BTreeMap<String, usize> = BTreeMap::new();
    for reader in readers {
        let last = reader.frames().saturating_sub(1);
        for frame in (0..reader.frames()).filter(|f| f.is_multiple_of(stride) || *f == last) {
            let nodes: Vec<DVec3> = rods(reader, frame)?.swap_remove(0);
            let found = open_type(&nodes);
            seen += 1;
            match found.as_ref().ok().and_then(|found| found.certain()) {
                None => uncertain += 1,
                Some(kind) => match &start {
                    None => start = Some(kind.clone()),
                    Some(first) if first == kind => {}
                    Some(_) => *changes.entry(name(kind)).or_default() += 1,
                },
            }
        }
    }
    let Some(start) = start else {
        return Ok("not certain".to_owned());
    };
    let mut text = match changes.iter().next() {
        None => format!("{} unchanged in {seen}", name(&start)),
        Some((to, frames)) => format!("{} CHANGED to {to} in {frames} of {seen}", name(&start)),
    };
    if uncertain > 0 {
        text += &format!("; {uncertain} not certain");
    }
    Ok(text)
}

fn name(kind: &KnotType) -> String {
    let names = kind.names();
    names
        .first()
        .cloned()
        .unwrap_or_else(|| format!("det {}", kind.determinant()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pulled at 12 mm/s from e = 0.6 on, a frame every 50 ms; force from shortening.
    fn curve(force: impl Fn(f64) -> f64) -> Curve {
        let time: Vec<f64> = (0..=800).map(|i| 0.05 * f64::from(i)).collect();
        let shortening: Vec<f64> = time.iter().map(|t| 0.6 - 0.012 * t).collect();
        let force = shortening.iter().map(|e| force(*e)).collect();
        Curve {
            time,
            shortening,
            force,
        }
    }

    #[test]
    fn a_drop_of_the_force_is_a_snap() {
        let drops = curve(|e| {
            let rise = 1e-3 / e;
            if e < 0.2407 { 0.7 * rise } else { rise }
        });
        let snap = drops.smoothed(MEAN_OVER).snap().unwrap();
        assert!((snap.shortening - 0.2407).abs() < 4e-3, "{snap:?}");
        assert!((0.25..0.3).contains(&snap.drop), "{snap:?}");
        assert_eq!(curve(|e| 1e-3 / e).smoothed(MEAN_OVER).snap(), None);
    }

    #[test]
    fn forces_are_found_by_shortening() {
        let smooth = curve(|e| 2.0 - e).smoothed(MEAN_OVER);
        assert!((smooth.force_at(0.4).unwrap() - 1.6).abs() < 1e-12);
        assert_eq!(smooth.force_at(0.7), None);
    }

    #[test]
    fn jitter_is_what_is_not_smooth() {
        let amplitude = 1e-4;
        let shaken = Curve {
            force: (0..=800)
                .map(|i| {
                    0.01 + 1e-6 * f64::from(i) + if i % 2 == 0 { amplitude } else { -amplitude }
                })
                .collect(),
            ..curve(|e| e)
        };
        // Of eleven frames six are on the other side: the mean lies an eleventh of the amplitude
        // there.
        let jitter = shaken.jitter(MEAN_OVER);
        assert!((jitter / amplitude - 12.0 / 11.0).abs() < 1e-6, "{jitter}");
    }

    #[test]
    fn joined_curves_repeat_no_frame() {
        let whole = curve(|e| e);
        let parts = [whole.during(0.0, 10.0), whole.during(10.0, 40.0)];
        assert_eq!(Curve::joined(parts), whole);
    }
}
