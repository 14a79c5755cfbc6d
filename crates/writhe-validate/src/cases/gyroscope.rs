//! Rods that spin about themselves are gyroscopes (`spin_inertia = "full"`): a pendulum's swing
//! plane turns, a top precesses, a free rod keeps its angular momentum.

use std::f64::consts::PI;

use glam::DVec3;
use writhe::model::{ModelBuilder, SpinInertia};
use writhe::observe::observe;
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::Motion;
use writhe::simulation::Simulation;
use writhe::step::{Scheme, StepSettings};

use crate::case::{Case, CaseError, Context, Source};
use crate::row::Row;

/// The case.
pub const CASE: Case = Case {
    name: "gyroscope",
    section: "-",
    measures: "a pendulum that spins, a top and a free rod: swing plane, precession, angular momentum, by time step",
    source: Source::ClosedForm,
    origin: "linear pendulum and steady precession of a rigid symmetric body with the moments of the discrete rod",
    run,
};

/// Radius of all rods, m.
const RADIUS: f64 = 5e-3;
/// Density, kg/m^3.
const DENSITY: f64 = 1000.0;
/// Gravity, m/s^2.
const GRAVITY: f64 = 9.81;
/// Edges of a pendulum or top: rigid, so that they only say how its mass is spread.
const EDGES: usize = 3;
/// How long pendulum and top are followed, s.
const DURATION: f64 = 0.4;

/// A rod that is rigid for all that follows, from the origin, where it is held, along the unit
/// vector `t`.
struct Pivoted {
    t: DVec3,
    length: f64,
    spin: f64,
}

/// About the tangent and about the pivot, kg m^2, and mass times lever, kg m, of the discrete rod.
struct Moments {
    polar: f64,
    about: f64,
    weight: f64,
}

impl Pivoted {
    fn node(&self, i: usize) -> DVec3 {
        self.t * (self.length * i as f64 / EDGES as f64)
    }

    fn moments(&self) -> Moments {
        let mass = DENSITY * PI * RADIUS * RADIUS * self.length / EDGES as f64;
        // Half of an edge's mass at each of its ends.
        let ends = (0..EDGES).flat_map(|e| [e, e + 1]);
        let levers: Vec<f64> = ends.map(|i| self.node(i).length()).collect();
        Moments {
            polar: 0.5 * mass * RADIUS * RADIUS * EDGES as f64,
            about: levers.iter().map(|s| 0.5 * mass * s * s).sum(),
            weight: levers.iter().map(|s| 0.5 * mass * s).sum(),
        }
    }

    /// In steps of `dt`, s, with nodes that first turn about the pivot at `turning`, rad/s.
    fn run(&self, turning: DVec3, inertia: SpinInertia, dt: f64) -> Result<Simulation, CaseError> {
        let section = Section::circle(Material::new(1e11, 0.3, DENSITY), RADIUS);
        let rod = Rod::open((0..=EDGES).map(|i| self.node(i)).collect(), section)?;
        let (model, mut state) = ModelBuilder::new()
            .rod(rod)
            .hold_node(0, 0, [true; 3], Motion::Still)
            .gravity(DVec3::NEG_Z * GRAVITY)
            .spin_inertia(inertia)
            .build()?;
        for dof in &model.topology.edge_dof {
            state.velocity[*dof] = self.spin;
        }
        for (x, dof) in model.positions(&state).iter().zip(&model.topology.node_dof) {
            state.velocity[*dof..dof + 3].copy_from_slice(&turning.cross(*x).to_array());
        }
        Ok(Simulation::new(model, state, settings(dt)))
    }
}

/// Midpoint steps that are solved to rounding.
fn settings(dt: f64) -> StepSettings {
    StepSettings {
        dt,
        scheme: Scheme::ImplicitMidpoint,
        adaptive: false,
        step_tolerance: 1e-10,
        residual_tolerance: 1e-10,
        ..StepSettings::default()
    }
}

/// Amplitude of the pendulum, rad: so small that its equation is linear.
const SWING: f64 = 1e-3;

/// Place of the pendulum's tip over the amplitude after [`DURATION`].
fn pendulum(inertia: SpinInertia, dt: f64) -> Result<[f64; 2], CaseError> {
    let rod = Pivoted {
        t: DVec3::new(SWING, 0.0, -1.0).normalize(),
        length: 0.1,
        spin: 1000.0,
    };
    let mut run = rod.run(DVec3::ZERO, inertia, dt)?;
    run.run_until(DURATION, |_, _| true)?;
    let tip = run.model.positions(&run.state)[EDGES] / (rod.length * SWING);
    Ok([tip.x, tip.y])
}

/// The same by `I_t z'' + i I w z' + m g d z = 0`, `z = x + iy`, from rest at z = 1.
fn swinging() -> [f64; 2] {
    let rod = Pivoted {
        t: DVec3::NEG_Z,
        length: 0.1,
        spin: 1000.0,
    };
    let Moments {
        polar,
        about,
        weight,
    } = rod.moments();
    let turn = polar * rod.spin / (2.0 * about);
    let rate = (GRAVITY * weight / about + turn * turn).sqrt();
    // z = exp(-i turn t) (cos rate t + i (turn/rate) sin rate t)
    let (x, y) = (
        (rate * DURATION).cos(),
        turn / rate * (rate * DURATION).sin(),
    );
    let (sin, cos) = (turn * DURATION).sin_cos();
    [x * cos + y * sin, y * cos - x * sin]
}

/// Tilt of the top, rad.
const TILT: f64 = 0.6;

/// Angle by which a top has precessed about z after [`DURATION`], and what it should be, rad.
fn top(dt: f64) -> Result<[f64; 2], CaseError> {
    let rod = Pivoted {
        t: DVec3::new(TILT.sin(), 0.0, TILT.cos()),
        length: 0.05,
        spin: 8000.0,
    };
    let Moments {
        polar,
        about,
        weight,
    } = rod.moments();
    // The slow root of I_t W^2 cos(tilt) - I w W + m g d = 0.
    let spin = polar * rod.spin;
    let (a, c) = (about * TILT.cos(), GRAVITY * weight);
    let rate = 2.0 * c / (spin + (spin * spin - 4.0 * a * c).sqrt());
    let mut run = rod.run(DVec3::Z * rate, SpinInertia::Full, dt)?;
    run.run_until(DURATION, |_, _| true)?;
    let tip = run.model.positions(&run.state)[EDGES];
    let expected = rate * DURATION;
    let turns = ((expected - tip.y.atan2(tip.x)) / (2.0 * PI)).round();
    Ok([tip.y.atan2(tip.x) + 2.0 * PI * turns, expected])
}

/// Largest change of the angular momentum of a free bent rod that tumbles, vibrates and spins
/// within .3 s, over it.
fn lost(inertia: SpinInertia, dt: f64) -> Result<f64, CaseError> {
    let section = Section::circle(Material::new(1e6, 0.3, DENSITY), RADIUS);
    let node = |i: i32| {
        let s = 0.1 * f64::from(i) / 8.0 - 0.05;
        DVec3::new(s, 4.0 * s * s, 0.0)
    };
    let (model, mut state) = ModelBuilder::new()
        .rod(Rod::open((0..=8).map(node).collect(), section)?)
        .spin_inertia(inertia)
        .build()?;
    let turning = DVec3::new(3.0, 5.0, 20.0);
    for (x, dof) in model.positions(&state).iter().zip(&model.topology.node_dof) {
        state.velocity[*dof..dof + 3].copy_from_slice(&turning.cross(*x).to_array());
    }
    for dof in &model.topology.edge_dof {
        state.velocity[*dof] = 300.0;
    }
    let mut run = Simulation::new(model, state, settings(dt));
    let momentum = |run: &Simulation| -> Result<DVec3, CaseError> {
        Ok(observe(&run.model, &run.state)?.angular_momentum)
    };
    let before = momentum(&run)?;
    let mut largest = 0.0_f64;
    while run.state.time < 0.3 - 0.5 * dt {
        run.step(dt)?;
        largest = largest.max(momentum(&run)?.distance(before) / before.length());
    }
    Ok(largest)
}

fn run(_: &Context) -> Result<Vec<Row>, CaseError> {
    let steps = [4e-3, 2e-3, 1e-3];
    let mut rows = Vec::new();
    let exact = swinging();
    let mut tips = [[0.0; 2]; 3];
    let mut angles = [0.0; 3];
    let mut precession = 0.0;
    let mut momenta = [0.0; 3];
    for (k, dt) in steps.into_iter().enumerate() {
        tips[k] = pendulum(SpinInertia::Full, dt)?;
        [angles[k], precession] = top(dt)?;
        momenta[k] = lost(SpinInertia::Full, 0.25 * dt)?;
    }
    for (axis, name) in ["in", "across"].into_iter().enumerate() {
        let what =
            format!("tip of a pendulum, spin 1000 rad/s, {name} its first plane, after .4 s");
        let found = tips.map(|tip| tip[axis]);
        rows.push(Row::second_order_absolute(what, found, exact[axis], 1e-3).unit("amplitude"));
    }
    let still = pendulum(SpinInertia::Angles, steps[2])?;
    let what = "the same across, inertia of angles alone: the plane never turns";
    rows.push(Row::at_most(what, still[1].abs(), 1e-12).unit("amplitude"));
    let what = "precession of a top, spin 8000 rad/s, tilt .6 rad, in .4 s";
    rows.push(Row::absolute(what, angles[1], precession, 1e-5).unit("rad"));
    let what = "angular momentum that a free spinning rod loses in .3 s";
    rows.push(Row::second_order_absolute(what, momenta, 0.0, 1e-4).unit("1"));
    let alone = lost(SpinInertia::Angles, 0.25 * steps[2])?;
    rows.push(Row::shown(
        format!("{what}, inertia of angles alone"),
        alone,
    ));
    Ok(rows)
}
