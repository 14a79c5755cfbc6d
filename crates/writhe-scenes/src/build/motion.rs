//! Motions and schedules of the core.

use std::f64::consts::TAU;
use std::sync::Arc;

use glam::DVec3;
use writhe::schedule::{Motion, Pose, Schedule};

use crate::spec::centreline::vector;
use crate::spec::{AmplitudeSpec, AngleSpec, InSi, MotionSpec, ScheduleSpec};

pub(crate) fn amplitude(spec: &AmplitudeSpec) -> Schedule {
    schedule(spec)
}

pub(crate) fn angle(spec: &AngleSpec) -> Schedule {
    schedule(spec)
}

fn schedule<V: InSi, R: InSi>(spec: &ScheduleSpec<V, R>) -> Schedule {
    match spec {
        ScheduleSpec::Constant(v) => Schedule::Constant(v.in_si()),
        ScheduleSpec::Rate { value, rate } => Schedule::Rate {
            value: value.in_si(),
            rate: rate.in_si(),
        },
        ScheduleSpec::Sine { sine } => {
            let [mean, amplitude] = [sine.mean, sine.amplitude].map(V::in_si);
            let [omega, phase] = [TAU / sine.period.si(), sine.phase.si()];
            Schedule::Custom(Arc::new(move |t| {
                mean + amplitude * (omega * t + phase).sin()
            }))
        }
        ScheduleSpec::Ramp { ramp } => {
            let [start, end] = [ramp.start.si(), ramp.start.si() + ramp.duration.si()];
            Schedule::Table(vec![(start, ramp.from.in_si()), (end, ramp.to.in_si())])
        }
        ScheduleSpec::SmoothStep { smooth_step } => {
            let [from, to] = [smooth_step.from, smooth_step.to].map(V::in_si);
            let [start, duration] = [smooth_step.start, smooth_step.duration].map(|t| t.si());
            Schedule::Custom(Arc::new(move |t| {
                from + (to - from) * smooth((t - start) / duration)
            }))
        }
        ScheduleSpec::Table { table } => {
            Schedule::Table(table.iter().map(|(t, v)| (t.si(), v.in_si())).collect())
        }
    }
}

/// 0 before 0, 1 after 1, and between the polynomial that has no first and second derivative at both
/// ends.
fn smooth(s: f64) -> f64 {
    let s = s.clamp(0.0, 1.0);
    s * s * s * (10.0 + s * (6.0 * s - 15.0))
}

pub(crate) fn motion(spec: &MotionSpec) -> Motion {
    match spec {
        MotionSpec::Still => Motion::Still,
        MotionSpec::Velocity(v) => Motion::Velocity(vector(v)),
        MotionSpec::Translation(t) => {
            let (by, factor) = (vector(&t.by), amplitude(&t.amplitude));
            Motion::Custom(Arc::new(move |time| Pose {
                translation: by * factor.at(time),
                ..Pose::IDENTITY
            }))
        }
        MotionSpec::Rotation(r) => {
            let constant = r.speed.unwrap_or_default().si();
            Motion::Rotation {
                point: vector(&r.point),
                axis: vector(&r.axis).normalize_or(DVec3::X),
                angle: match &r.angle {
                    Some(spec) => angle(spec),
                    None => Schedule::Rate {
                        value: 0.0,
                        rate: constant,
                    },
                },
            }
        }
        MotionSpec::Path(rows) => {
            let row = |[t, x, y, z]: &[f64; 4]| (*t, DVec3::new(*x, *y, *z));
            Motion::Path(rows.iter().map(row).collect())
        }
        MotionSpec::Sequence(parts) => Motion::Sequence(parts.iter().map(motion).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// It begins and ends without speed and acceleration, and is steepest in its middle.
    #[test]
    fn steps_are_smooth() {
        let small = 1e-4;
        assert_eq!(
            [-1.0, 0.0, 0.5, 1.0, 2.0].map(smooth),
            [0.0, 0.0, 0.5, 1.0, 1.0]
        );
        let slope = |s: f64| (smooth(s + small) - smooth(s - small)) / (2.0 * small);
        let curve =
            |s: f64| (smooth(s + small) - 2.0 * smooth(s) + smooth(s - small)) / (small * small);
        for end in [0.0, 1.0] {
            assert!(slope(end).abs() < 1e-6 && curve(end).abs() < 1e-2);
        }
        assert!((slope(0.5) - 1.875).abs() < 1e-6);
    }
}
