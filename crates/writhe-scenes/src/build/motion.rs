//! Motions and schedules of the core.

use std::f64::consts::TAU;

use glam::DVec3;
use writhe::schedule::{Motion, Schedule};

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
            Schedule::Sine {
                mean,
                amplitude,
                rate: TAU / sine.period.si(),
                phase: sine.phase.si(),
            }
        }
        ScheduleSpec::Ramp { ramp } => {
            let [start, end] = [ramp.start.si(), ramp.start.si() + ramp.duration.si()];
            Schedule::Table(vec![(start, ramp.from.in_si()), (end, ramp.to.in_si())])
        }
        ScheduleSpec::SmoothStep { smooth_step } => {
            let [from, to] = [smooth_step.from, smooth_step.to].map(V::in_si);
            let [start, duration] = [smooth_step.start, smooth_step.duration].map(|t| t.si());
            Schedule::SmoothStep {
                from,
                to,
                start,
                duration,
            }
        }
        ScheduleSpec::Table { table } => {
            Schedule::Table(table.iter().map(|(t, v)| (t.si(), v.in_si())).collect())
        }
    }
}

pub(crate) fn motion(spec: &MotionSpec) -> Motion {
    match spec {
        MotionSpec::Still => Motion::Still,
        MotionSpec::Velocity(v) => Motion::Velocity(vector(v)),
        MotionSpec::Translation(t) => Motion::Translation {
            by: vector(&t.by),
            amplitude: amplitude(&t.amplitude),
        },
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
