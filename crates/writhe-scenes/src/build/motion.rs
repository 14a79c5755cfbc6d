//! Motions and schedules of the core.

use glam::DVec3;
use writhe::schedule::{Motion, Schedule};

use crate::shapes::vector;
use crate::spec::{AmplitudeSpec, AngleSpec, MotionSpec, ScheduleSpec};

pub(super) fn amplitude(spec: &AmplitudeSpec) -> Schedule {
    schedule(spec, |v| v.si(), |r| r.si())
}

pub(crate) fn angle(spec: &AngleSpec) -> Schedule {
    schedule(spec, |v| v.si(), |r| r.si())
}

fn schedule<V, R>(
    spec: &ScheduleSpec<V, R>,
    si: impl Fn(&V) -> f64,
    per_s: impl Fn(&R) -> f64,
) -> Schedule {
    match spec {
        ScheduleSpec::Constant(v) => Schedule::Constant(si(v)),
        ScheduleSpec::Rate { value, rate } => Schedule::Rate {
            value: si(value),
            rate: per_s(rate),
        },
        ScheduleSpec::Table { table } => {
            Schedule::Table(table.iter().map(|(t, v)| (t.si(), si(v))).collect())
        }
    }
}

pub(crate) fn motion(spec: &MotionSpec) -> Motion {
    match spec {
        MotionSpec::Still => Motion::Still,
        MotionSpec::Velocity(v) => Motion::Velocity(vector(v)),
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
