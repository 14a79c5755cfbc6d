//! Catalogue 5.6: a flexible helix, turned so that it pushes its clamp, buckles above a critical
//! speed (Jawed et al. 2015).

use std::f64::consts::TAU;

use glam::DVec3;

use crate::case::{Case, CaseError, Context, Source};
use crate::row::Row;
use crate::setup::flexible_helix::{FlexibleHelix, Turning, VISCOSITY, rate};
use crate::setup::stokes::{forces, open_rod, resultant, tong};

/// The case.
pub const CASE: Case = Case {
    name: "flexible-helix",
    section: "5.6",
    measures: "T22's flagellum, flexible, by its normalised speed mu omega L^4/EI: thrust, and where it buckles",
    source: Source::ClosedForm,
    origin: "rigid rotation (catalogue 5.4) for small speeds; jump at a finite speed that inertia does not move (Jawed et al. 2015)",
    run,
};

/// Speeds at which it is nearly rigid.
const SLOW: [f64; 2] = [3.0, 10.0];
/// Speeds of the ramp. It is slow, or it shakes the tip: thrown to its speed at once the helix
/// buckles sooner.
const RAMP: [f64; 2] = [1000.0, 6500.0];
/// Turns at its first speed, and turns of the ramp at its last.
const TURNS: [f64; 2] = [30.0, 700.0];
/// Speeds, reached by as slow a ramp, on either side of where it becomes unstable, and turns there:
/// at the first a disturbance dies out, at the second it doubles in some 14 turns.
const HELD: [(f64, f64); 2] = [(3600.0, 150.0), (4000.0, 250.0)];
/// A helix whose tip is so many of its radii from the axis has buckled.
const BUCKLED: f64 = 1.5;
/// Density, kg/m^3.
const DENSITY: f64 = 1000.0;

fn run(context: &Context) -> Result<Vec<Row>, CaseError> {
    let rigid = rigid_thrust()?;
    let mut rows = Vec::new();
    for speed in SLOW {
        let thrust = steady(speed, 3.0)?.thrust;
        let what = format!("thrust/(mu omega) at speed {speed}, against the rigid helix");
        rows.push(Row::relative(what, thrust, rigid, 0.02).unit("m^2"));
    }
    if context.quick {
        return Ok(rows);
    }
    let ((heavy, light), (below, above)) = rayon::join(
        || {
            rayon::join(
                || buckle(DENSITY, context),
                || buckle(0.5 * DENSITY, context),
            )
        },
        || rayon::join(|| hold(HELD[0]), || hold(HELD[1])),
    );
    let (heavy, light) = (heavy?, light?);
    let [before, after] = heavy.states;
    rows.extend([
        Row::at_least("critical speed, reached slowly", heavy.speed, HELD[0].0),
        Row::at_least(
            "tip radius after over before",
            after.tip_radius / before.tip_radius,
            2.0,
        ),
        Row::at_most(
            "thrust/(mu omega) after over before",
            after.thrust / before.thrust,
            0.5,
        ),
        Row::shown(
            "thrust/(mu omega) before over that of the rigid helix",
            before.thrust / rigid,
        ),
        Row::shown("height of the tip before", before.tip_height).unit("rest"),
        Row::shown("height of the tip after", after.tip_height).unit("rest"),
        Row::relative(
            "critical speed with half the density over that",
            light.speed / heavy.speed,
            1.0,
            0.02,
        ),
        Row::relative(held_row(HELD[0]), below?, 1.0, 1e-3),
        Row::at_least(held_row(HELD[1]), above?, 2.0),
    ]);
    Ok(rows)
}

/// Thrust/(mu omega), m^2, of the rigid helix.
fn rigid_thrust() -> Result<f64, CaseError> {
    let x = tong::flagellum();
    let model = open_rod(x.len(), 1.02 * tong::RADIUS, VISCOSITY)?;
    let turning = forces(&model, &x, &[&|x| DVec3::NEG_X.cross(x)])?;
    Ok(resultant(&x, &turning[0]).0.x.abs() / VISCOSITY)
}

/// After so many turns at one speed.
fn steady(speed: f64, turns: f64) -> Result<Turning, CaseError> {
    let mut helix = FlexibleHelix::new(DENSITY, [speed, speed], [turns, 1.0])?;
    while helix.simulation.state.time < helix.end() {
        helix.step()?;
    }
    helix.turning()
}

fn held_row((speed, turns): (f64, f64)) -> String {
    format!("tip radius after {turns} turns at speed {speed}, over that before")
}

/// Tip radius after so many turns at a speed over that when the ramp had reached it.
fn hold((speed, turns): (f64, f64)) -> Result<f64, CaseError> {
    let span = TURNS[1] * (speed - RAMP[0]) / (RAMP[1] - RAMP[0]) * speed / RAMP[1];
    let mut helix = FlexibleHelix::new(DENSITY, [RAMP[0], speed], [TURNS[0], span])?;
    let until = |helix: &mut FlexibleHelix, time: f64| -> Result<f64, CaseError> {
        while helix.simulation.state.time < time {
            helix.step()?;
        }
        Ok(helix.turning()?.tip_radius)
    };
    let reached = helix.end();
    let before = until(&mut helix, reached)?;
    let after = until(&mut helix, reached + turns * TAU / rate(speed))?;
    Ok(after / before)
}

/// How a helix whose speed grows slowly buckles.
struct Buckling {
    /// Speed at which its tip has left the axis.
    speed: f64,
    /// A tenth of a ramp before, and as long after.
    states: [Turning; 2],
}

fn buckle(density: f64, context: &Context) -> Result<Buckling, CaseError> {
    let mut helix = FlexibleHelix::new(density, RAMP, TURNS)?;
    let tenth = 0.1 * (RAMP[1] - RAMP[0]);
    let mut path: Vec<Turning> = Vec::new();
    let mut buckled = None;
    while helix.simulation.state.time < helix.end() {
        helix.step()?;
        let now = helix.turning()?;
        if now.speed >= path.last().map_or(0.0, |last| last.speed + 0.01 * tenth) {
            path.push(now);
            (context.progress)(&format!(
                "density {density}: speed {:.1}, tip radius {:.3}, thrust {:.3e}",
                now.speed, now.tip_radius, now.thrust
            ));
        }
        // The start from rest shakes the tip.
        if buckled.is_none() && now.speed > RAMP[0] && now.tip_radius > BUCKLED {
            buckled = Some(now.speed);
        }
        if buckled.is_some_and(|speed| now.speed > speed + tenth) {
            break;
        }
    }
    let none = || CaseError::NotFound(format!("no buckling up to speed {}", RAMP[1]));
    let speed = buckled.ok_or_else(none)?;
    let first = path
        .iter()
        .rev()
        .find(|t| t.speed <= speed - tenth)
        .or(path.first());
    let states = [*first.ok_or_else(none)?, helix.turning()?];
    Ok(Buckling { speed, states })
}
