//! Catalogue 3.3: momenta of rods that no force acts on.

use glam::DVec3;
use writhe::model::{Model, ModelBuilder};
use writhe::observe::observe;
use writhe::rod::{Rod, Section};
use writhe::state::State;
use writhe::step::{LineSearch, Scheme, StepSettings, Workspace, implicit_step};

use crate::case::{Case, CaseError, Context, Source};
use crate::row::Row;
use crate::setup::extremes::larger;
use crate::setup::modes::section;
use crate::setup::oscillator::tight;
use crate::setup::random::Random;

/// The case.
pub const CASE: Case = Case {
    name: "momentum",
    section: "3.3",
    measures: "linear and angular momentum of thrown rods; turns of a rigid dumb-bell under backward Euler",
    source: Source::ClosedForm,
    origin: "conservation; tan a' = sin a / (2 - cos a)",
    run,
};

/// Two rods of random shape and velocity in the plane z = 0, or in space.
fn thrown(random: &mut Random, plane: bool) -> Result<(Model, State), CaseError> {
    let flat = |v: DVec3| if plane { v.with_z(0.0) } else { v };
    let mut builder = ModelBuilder::new();
    for rod in 0..2 {
        let nodes = (0..8).map(|i| {
            let place = DVec3::new(0.01 * f64::from(i), 0.05 * f64::from(rod), 0.0);
            place + flat(random.vector() * 2e-3)
        });
        builder = builder.rod(Rod::open(nodes.collect(), section())?.straight_at_rest()?);
    }
    let (model, mut state) = builder.build()?;
    for dof in &model.topology.node_dof {
        let u = flat(random.vector() * 0.3);
        state.velocity[*dof..dof + 3].copy_from_slice(&u.to_array());
    }
    Ok((model, state))
}

/// Changes of linear and angular momentum over 50 steps, relative to the sums of their magnitudes.
fn drift(model: &Model, start: &State, scheme: Scheme) -> Result<[f64; 2], CaseError> {
    let settings = StepSettings {
        step_tolerance: 1e-11,
        residual_tolerance: 1e-9,
        // Differences of the potential are rounding at these tolerances.
        line_search: LineSearch::None,
        ..tight(scheme)
    };
    let mut workspace = Workspace::new(model);
    let before = observe(model, start)?;
    let sizes = model
        .topology
        .node_dof
        .iter()
        .map(|dof| model.mass[*dof] * DVec3::from_slice(&start.velocity[*dof..]).length());
    let scale: f64 = sizes.sum();
    let arm = 0.05;
    let mut state = start.clone();
    let mut drift = [0.0_f64; 2];
    for _ in 0..50 {
        state = implicit_step(model, &state, 2e-4, &settings, &mut workspace)?.0;
        let now = observe(model, &state)?;
        let linear = (now.momentum - before.momentum).length() / scale;
        let angular = (now.angular_momentum - before.angular_momentum).length() / (scale * arm);
        drift = [larger(drift[0], linear), larger(drift[1], angular)];
    }
    Ok(drift)
}

fn run(_: &Context) -> Result<Vec<Row>, CaseError> {
    let mut random = Random(1);
    let mut rows = Vec::new();
    for plane in [true, false] {
        let where_ = if plane { "plane" } else { "space" };
        let (model, state) = thrown(&mut random, plane)?;
        for (name, scheme) in [
            ("backward Euler", Scheme::BackwardEuler),
            ("BDF2", Scheme::Bdf2),
            ("midpoint", Scheme::ImplicitMidpoint),
        ] {
            let [linear, angular] = drift(&model, &state, scheme)?;
            // Velocities are differences of rounded positions over the step: 4e-13 of the speed
            // here, each step.
            let what = format!("change of linear momentum, {name}, {where_}");
            rows.push(Row::at_most(what, linear, 1e-11));
            let what = format!("change of angular momentum, {name}, {where_}");
            rows.push(match scheme {
                // Of rods in space the couple that turns a spinning edge about its tangent is left
                // out of the equations.
                Scheme::ImplicitMidpoint if plane => Row::at_most(what, angular, 1e-11),
                _ => Row::shown(what, angular),
            });
        }
    }
    rows.extend(dumb_bell()?);
    Ok(rows)
}

/// The next edge of a rigid dumb-bell lies along `2 r_n - r_{n-1}`.
fn dumb_bell() -> Result<Vec<Row>, CaseError> {
    let stiff = Section {
        ea: 1e6,
        ..section()
    };
    let (first, half, dt) = (0.1_f64, 0.1, 0.01);
    let rod = Rod::open(vec![DVec3::X * -half, DVec3::X * half], stiff)?;
    let (model, mut state) = ModelBuilder::new().rod(rod).build()?;
    // The edge came from the angle -0.1.
    let come = (DVec3::X - DVec3::new(first.cos(), -first.sin(), 0.0)) * (half / dt);
    for (dof, sign) in [(0, -1.0), (4, 1.0)] {
        state.velocity[dof..dof + 3].copy_from_slice(&(come * sign).to_array());
    }
    let edge = |s: &State| DVec3::from_slice(&s.q[4..7]) - DVec3::from_slice(&s.q[0..3]);
    let mut workspace = Workspace::new(&model);
    let settings = tight(Scheme::BackwardEuler);
    let (mut law, mut momentum) = (first, observe(&model, &state)?.angular_momentum.z);
    let start = momentum / first.sin();
    let mut rows = Vec::new();
    for step in 1..=5 {
        let before = edge(&state);
        state = implicit_step(&model, &state, dt, &settings, &mut workspace)?.0;
        let now = edge(&state);
        law = (law.sin() / (2.0 - law.cos())).atan();
        let turn = before.cross(now).z.atan2(before.dot(now));
        rows.push(
            Row::relative(format!("turn of step {step}, dumb-bell"), turn, law, 1e-6).unit("rad"),
        );
        momentum = observe(&model, &state)?.angular_momentum.z;
    }
    let what = "angular momentum over sin(turn), after 5 steps over before";
    rows.push(Row::relative(what, momentum / law.sin() / start, 1.0, 1e-6));
    Ok(rows)
}
