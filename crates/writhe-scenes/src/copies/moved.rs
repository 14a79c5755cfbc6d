//! A rod with all that is said of it, put elsewhere as one rigid thing: shape, rest shape, supports,
//! loads.

use glam::{DQuat, DVec3};
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::Pose;

use crate::error::{Problem, SceneError};
use crate::spec::centreline::{nodes, place, vector};
use crate::spec::{Direction, MotionSpec, Point, RestSpec, RodSpec, ShapeSpec, unit};
use crate::tree::{At, Keys};
use crate::units::{Number, Quantity};

/// Puts a rod at `pose`; `at` is its section, for messages.
pub(super) fn put(rod: &mut RodSpec, pose: &Pose, at: &At) -> Result<(), SceneError> {
    if *pose == Pose::IDENTITY {
        return Ok(());
    }
    let turned = pose.rotation != DQuat::IDENTITY;
    if turned {
        if let Some(node) = rod.held.iter().position(|h| h.axes.0 != [true; 3]) {
            let message = format!(
                "held[{node}] holds some of x, y and z, and the copy is turned: its own axes are others"
            );
            let remedy = "hold \"xyz\", or place the copies by expressions of i in place of `ring` and `turn`";
            let held = Keys::unchecked(at).unknown(&RodSpec::held());
            let problem = Problem::conflict(message, remedy);
            return held.as_ref().unwrap_or(at).fail(problem);
        }
        let own = rod.first_director.as_ref().map(vector);
        if let Some(director) = own.or_else(|| director(rod)) {
            rod.first_director = Some((pose.rotation * director).to_array().map(Number::new));
        }
    }
    shape(&mut rod.shape, pose);
    if let RestSpec::Shape(rest) = &mut rod.rest {
        shape(rest, pose);
    }
    let clamps = rod.clamps.iter_mut().map(|c| &mut c.motion);
    let held = rod.held.iter_mut().map(|h| &mut h.motion);
    clamps.chain(held).for_each(|m| motion(m, pose));
    for force in rod.forces.iter_mut().filter(|f| f.follows.is_none()) {
        turn(&mut force.force, pose);
    }
    for moment in rod.moments.iter_mut().filter(|m| !m.follows) {
        turn(&mut moment.moment, pose);
    }
    for load in rod.line_loads.iter_mut().filter(|l| l.pressure.is_some()) {
        turn(load.normal.get_or_insert_with(|| unit(2)), pose);
    }
    // The plane of a foundation is the ground: it lies where it is.
    Ok(())
}

/// The director that a rod has where none is given, so that all copies have the same.
fn director(rod: &RodSpec) -> Option<DVec3> {
    let any = Material {
        young: 1.0,
        shear: 1.0,
        density: 1.0,
    };
    let nodes = nodes(&rod.shape, [false; 2]);
    let rod = Rod::at_rest(nodes, Section::circle(any, 1.0), rod.closed, None).ok()?;
    rod.directors.first().copied()
}

fn point(x: &mut Point, pose: &Pose) {
    *x = place(pose.apply(vector(x)));
}

fn turn<const M: i32, const KG: i32, const S: i32, const RAD: i32>(
    v: &mut [Quantity<M, KG, S, RAD>; 3],
    pose: &Pose,
) {
    if pose.rotation != DQuat::IDENTITY {
        *v = (pose.rotation * vector(v)).to_array().map(Quantity::new);
    }
}

fn shape(shape: &mut ShapeSpec, pose: &Pose) {
    let both = |d: [&mut Direction; 2]| d.into_iter().for_each(|d| turn(d, pose));
    match shape {
        ShapeSpec::Straight(s) => {
            point(&mut s.from, pose);
            point(&mut s.to, pose);
        }
        ShapeSpec::Arc(s) => {
            point(&mut s.from, pose);
            both([&mut s.tangent, &mut s.towards]);
        }
        ShapeSpec::Helix(s) => {
            point(&mut s.center, pose);
            both([&mut s.axis, &mut s.start]);
        }
        ShapeSpec::Ring(s) => {
            point(&mut s.center, pose);
            both([&mut s.axis, &mut s.start]);
        }
        ShapeSpec::Nodes(nodes) => nodes.iter_mut().for_each(|x| point(x, pose)),
    }
}

/// A motion of the rod where it was described, as that of the rod elsewhere.
fn motion(motion: &mut MotionSpec, pose: &Pose) {
    match motion {
        MotionSpec::Still => {}
        MotionSpec::Velocity(v) => turn(v, pose),
        MotionSpec::Translation(t) => turn(&mut t.by, pose),
        MotionSpec::Rotation(r) => {
            point(&mut r.point, pose);
            turn(&mut r.axis, pose);
        }
        MotionSpec::Path(rows) => {
            for [_, x, y, z] in rows {
                let turned = pose.rotation * DVec3::new(*x, *y, *z);
                [*x, *y, *z] = turned.to_array();
            }
        }
        MotionSpec::Sequence(parts) => parts.iter_mut().for_each(|m| self::motion(m, pose)),
    }
}
