//! What a run says that supports and obstacles exert is what they exerted: it changed the momentum.

use glam::DVec3;
use writhe::observe::{Observables, observe};
use writhe::simulation::Simulation;
use writhe_scenes::Scene;

const STEP: f64 = 5e-3;

/// A rod whose clamp is moved and turned, and whose tip rubs on the floor.
fn rubbing(contact: &str, floor: &str) -> Simulation {
    let text = format!(
        "gravity = {{ acceleration = [0, 0, -9.81] }}
        [[obstacles]]
        shape = {{ half_space = {{ point = [0, 0, 0] }} }}
        {floor}
        [[rods]]
        shape = {{ straight = {{ from = [0, 0, \"6 cm\"], to = [\"6 cm\", 0, \"1.6 mm\"], edges = 20 }} }}
        section = {{ circle = {{ radius = \"1.5 mm\" }} }}
        material = {{ young = \"2 MPa\", poisson = 0.4, density = 1100 }}
        clamps = [{{ edge = \"first\", motion = {{ sequence = [
            {{ translation = {{ by = [0, \"5 mm\", \"-6 mm\"], amplitude = {{ sine = {{ amplitude = 1, period = \"0.4 s\" }} }} }} }},
            {{ rotation = {{ point = [0, 0, 0.06], axis = [0.3, 0.2, 1], angle = {{ sine = {{ amplitude = \"0.5 rad\", period = \"0.31 s\" }} }} }} }},
        ] }} }}]
        [contact]
        friction = 0.8
        {contact}
        [time]
        duration = 0.5
        step = {STEP}"
    );
    let scene = Scene::parse(&text, "test.toml").unwrap_or_else(|e| panic!("{e}"));
    let setup = scene.build().unwrap_or_else(|e| panic!("{e}"));
    Simulation::new(setup.model, setup.state, setup.step)
}

/// By how much the forces shown miss the change of momentum, over the limit of friction: of all steps
/// that rub and are in line with the two before, the median.
fn missing(contact: &str, floor: &str) -> f64 {
    let mut simulation = rubbing(contact, floor);
    let weight = 9.81 * simulation.model.mass.iter().step_by(4).sum::<f64>();
    let mut seen: Vec<Observables> = Vec::new();
    let mut missing = Vec::new();
    simulation
        .run_until(0.5, |s, _| {
            let now = observe(&s.model, &s.state).unwrap();
            if let [.., first, second] = &seen[..] {
                let dt = now.time - second.time;
                let even = (second.time - first.time - dt).abs() < 1e-9;
                // As BDF2 has it.
                let change =
                    (3.0 * now.momentum - 4.0 * second.momentum + first.momentum) / (2.0 * dt);
                let shown = now.reactions[0].force - now.obstacles[0].force - DVec3::Z * weight;
                let limit = 0.8 * now.contact_force;
                if even && now.contacts > 0 {
                    missing.push((change - shown).length() / limit);
                }
            }
            seen.push(now);
            true
        })
        .unwrap_or_else(|e| panic!("{e}"));
    missing.sort_by(f64::total_cmp);
    assert!(missing.len() > 30, "{}", missing.len());
    missing[missing.len() / 2]
}

/// Friction by way of the spin of surfaces was off by .3 of its limit, and friction that lags by all of
/// it.
#[test]
fn forces_shown_change_the_momentum() {
    let turning = "motion = { rotation = { axis = [0, 0, 1], speed = 3 } }";
    for (contact, floor) in [
        ("", ""),
        ("friction_on_twist = false", ""),
        ("static_friction = \"anchor\"", ""),
        ("model = \"ipc\"", ""),
        ("friction_solve = { lagged = 1 }", ""),
        ("", turning),
        ("static_friction = \"anchor\"", turning),
        ("friction_solve = { lagged = 1 }", turning),
    ] {
        let missing = missing(contact, floor);
        assert!(missing < 1e-4, "{contact} {floor}: {missing:e}");
    }
}

/// A rod at rest on a slope that is not steep: all of its weight bears on it, and friction holds.
#[test]
fn friction_that_lags_is_told_to_hold() {
    for contact in ["", "model = \"ipc\"", "friction_solve = { lagged = 2 }"] {
        let text = format!(
            "gravity = {{ acceleration = [3.355, 0, -9.218] }}
            [[obstacles]]
            shape = {{ half_space = {{ point = [0, 0, 0] }} }}
            [[rods]]
            shape = {{ straight = {{ from = [0, 0, \"2.3 mm\"], to = [0, \"10 cm\", \"2.3 mm\"], edges = 20 }} }}
            section = {{ rectangle = {{ a = \"4 mm\", b = \"4 mm\" }} }}
            material = {{ young = \"2 MPa\", poisson = 0.4, density = 1100 }}
            [damping]
            viscosity = \"0.1 Pa s\"
            [contact]
            friction = 0.6
            friction_on_twist = false
            {contact}
            [time]
            duration = 1
            step = 0.005"
        );
        let scene = Scene::parse(&text, "test.toml").unwrap_or_else(|e| panic!("{e}"));
        let setup = scene.build().unwrap_or_else(|e| panic!("{e}"));
        let mut simulation = Simulation::new(setup.model, setup.state, setup.step);
        let reached = simulation.run_until(1.0, |_, _| true);
        assert!(reached.unwrap_or_else(|e| panic!("{e}")));
        let seen = observe(&simulation.model, &simulation.state).unwrap();
        let mass: f64 = simulation.model.mass.iter().step_by(4).sum();
        let weight = mass * DVec3::new(3.355, 0.0, -9.218);
        let off = (seen.obstacles[0].force - weight).length() / weight.length();
        assert!(
            off < 0.02,
            "{contact}: {} {weight}",
            seen.obstacles[0].force
        );
        assert!(
            seen.sticking.contacts > 0 && seen.sticking.creep > 0.0,
            "{contact}"
        );
    }
}

/// Explicit steps: a rod that hops over a belt is pushed along by what bears on it then, and by nothing
/// where it has just let go.
#[test]
fn friction_ends_where_an_explicit_contact_lets_go() {
    let text = "gravity = { acceleration = [0, 0, -9.81] }
        [[rods]]
        shape = { straight = { from = [0, 0, 0.0031], to = [0.06, 0.01, 0.0035], edges = 6 } }
        section = { circle = { radius = \"3 mm\" } }
        material = { young = \"1 MPa\", poisson = 0.3, density = 1000 }
        [[obstacles]]
        shape = { half_space = {} }
        motion = { velocity = [0.2, 0, 0] }
        [contact]
        model = \"spillmann-teschner\"
        friction = 0.4
        [time]
        duration = \"30 ms\"
        step = \"0.02 ms\"
        integrator = \"symplectic-projected\"";
    let scene = Scene::parse(text, "test.toml").unwrap_or_else(|e| panic!("{e}"));
    let setup = scene.build().unwrap_or_else(|e| panic!("{e}"));
    let mut simulation = Simulation::new(setup.model, setup.state, setup.step);
    let weight = 9.81 * simulation.model.mass.iter().step_by(4).sum::<f64>();
    let mut before = observe(&simulation.model, &simulation.state).unwrap();
    let (mut let_go, mut rubbed, mut worst) = (0, 0.0_f64, 0.0_f64);
    simulation
        .run_until(0.03, |s, _| {
            let now = observe(&s.model, &s.state).unwrap();
            let change = (now.momentum - before.momentum) / (now.time - before.time);
            let shown = now.obstacles[0].force;
            let_go += usize::from(now.contacts < before.contacts);
            rubbed = rubbed.max(shown.truncate().length());
            worst = worst.max((change + shown).truncate().length());
            before = now;
            true
        })
        .unwrap_or_else(|e| panic!("{e}"));
    assert!(let_go > 3 && rubbed > 0.1 * weight, "{let_go} {rubbed}");
    assert!(worst < 1e-3 * weight, "{worst} {weight}");
}
