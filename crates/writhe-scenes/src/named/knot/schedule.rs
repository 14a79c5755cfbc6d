//! What the ends of a knot do, phase by phase, and the motions that follow.

use glam::DVec3;

use crate::spec::centreline::place;
use crate::spec::{AngleSpec, Axes, ClampSpec, EndRef, HeldSpec, MotionSpec, RotationSpec, unit};
use crate::tree::{POSITIVE, table};
use crate::units::{Angle, AngularSpeed, Speed, Time};

/// Speed of each end, m/s (C21: 3, 6 and 9 mm/s).
const SPEED: f64 = 6e-3;
/// How long it waits before, s.
const WAIT: f64 = 2.0;

table! {
    /// What both ends do for a while.
    #[derive(Copy)]
    pub struct PhaseSpec:
        "a table such as { for = \"60 s\", speed = \"6 mm/s\" }, with `speed` and `twist` 0 unless given"
    {
        /// How long.
        pub lasts as "for": Time => POSITIVE,
        /// Speed of each end away from the other; negative loosens.
        pub speed: Speed = Speed::default(),
        /// Speed at which the last end turns about +x; the first end does not turn.
        pub twist: AngularSpeed = AngularSpeed::default(),
        /// Speed along +x of the tip of a slip knot's bight; that of the last end unless given.
        pub tip: Option<Speed>,
    }
}

/// Waiting, and pulling until the ends are further apart by `way`, m.
pub(super) fn pulled(way: f64) -> Vec<PhaseSpec> {
    let phase = |lasts: f64, speed: f64| PhaseSpec {
        lasts: Time::new(lasts),
        speed: Speed::new(speed),
        twist: AngularSpeed::new(0.0),
        tip: None,
    };
    // At least a second of it, however little there is to pull.
    let lasts = (way / (2.0 * SPEED)).max(1.0);
    vec![phase(WAIT, 0.0), phase(lasts, SPEED)]
}

/// Ways in time, m and s, of something that moves along x at the speed of each phase.
fn path(phases: &[PhaseSpec], speed: impl Fn(&PhaseSpec) -> f64) -> MotionSpec {
    let (mut time, mut place) = (0.0, 0.0);
    let mut rows = vec![[0.0; 4]];
    for phase in phases {
        time += phase.lasts.si();
        place += speed(phase) * phase.lasts.si();
        rows.push([time, place, 0.0, 0.0]);
    }
    MotionSpec::Path(rows)
}

/// An end that moves along x to the side `side` of 0, and turns about the line through `axis` if it
/// is given.
pub(super) fn clamp(
    phases: &[PhaseSpec],
    edge: EndRef,
    side: f64,
    axis: Option<DVec3>,
) -> ClampSpec {
    let (mut time, mut angle) = (0.0, 0.0);
    let mut angles = vec![(Time::new(0.0), Angle::new(0.0))];
    for phase in phases {
        time += phase.lasts.si();
        angle += phase.twist.si() * phase.lasts.si();
        angles.push((Time::new(time), Angle::new(angle)));
    }
    let twists = phases.iter().any(|p| p.twist.si() != 0.0);
    let path = path(phases, |phase| side * phase.speed.si());
    let motion = match axis.filter(|_| twists) {
        None => path,
        Some(point) => MotionSpec::Sequence(vec![
            MotionSpec::Rotation(RotationSpec {
                point: place(point),
                axis: unit(0),
                speed: None,
                angle: Some(AngleSpec::Table { table: angles }),
            }),
            path,
        ]),
    };
    ClampSpec::new(edge, motion)
}

/// The tip of a slip knot's bight, held along x only.
pub(super) fn held_tip(phases: &[PhaseSpec], node: usize) -> HeldSpec {
    HeldSpec {
        node: EndRef::Index(node),
        axes: Axes([true, false, false]),
        motion: path(phases, |phase| phase.tip.unwrap_or(phase.speed).si()),
    }
}
