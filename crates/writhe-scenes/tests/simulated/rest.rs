//! What `stop.at_rest = true` takes for rest has a thousandth of the radius to go, however it creeps.

use writhe::simulation::Simulation;
use writhe::stop::{Rest, Stop};
use writhe_scenes::Scene;

const RADIUS: f64 = 2e-3;

/// A rod along x from y, clamped at its start.
fn rod(y: f64, more: &str) -> String {
    format!(
        "[[rods]]
        shape = {{ straight = {{ from = [0, {y}, 0], to = [\"10 cm\", {y}, 0], edges = 10 }} }}
        section = {{ circle = {{ radius = {RADIUS} }} }}
        material = {{ young = \"10 MPa\", poisson = 0.5, density = 1000 }}
        clamps = [{{ edge = \"first\" }}]
        {more}
        "
    )
}

/// Runs until rest, then on by `longer`, s: when rest was, s, and how far anything went then, in radii.
fn left_at_rest(text: &str, longer: f64) -> (f64, f64) {
    let scene = Scene::parse(text, "test.toml").unwrap_or_else(|e| panic!("{e}"));
    let setup = scene.build().unwrap_or_else(|e| panic!("{e}"));
    let mut simulation = Simulation::new(setup.model, setup.state, setup.step);
    let stop = Stop {
        at_rest: Some(Rest::Automatic),
        ..Stop::default()
    };
    let mut met = false;
    simulation
        .run_until(setup.duration, |now, report| {
            met = stop.met(&now.model, &now.state, Some(report)).is_some();
            !met
        })
        .unwrap_or_else(|e| panic!("{e}"));
    assert!(met, "no rest in {text}");
    let at = simulation.state.clone();
    simulation
        .run_until(at.time + longer, |_, _| true)
        .unwrap_or_else(|e| panic!("{e}"));
    let ends = at.q.iter().zip(&simulation.state.q);
    let went = |((a, b), angle): ((&f64, &f64), &bool)| {
        // An angle moves the surface.
        (a - b).abs() / if *angle { 1.0 } else { RADIUS }
    };
    let angle = &simulation.model.topology.angle;
    let largest = ends.zip(angle).map(went).fold(0.0, f64::max);
    (at.time, largest)
}

#[test]
fn what_creeps_goes_on_until_little_is_left() {
    let gravity = "[gravity]\nacceleration = [0, 0, -9.81]\n";
    let time =
        |step: f64| format!("[time]\nduration = 200\nstep = {step}\n[contact]\nmodel = \"none\"\n");
    let moment = "moments = [{ edge = \"last\", moment = [\"8e-4 N m\", 0, 0] }]";
    let bob = "[[bodies]]\nmass = 1e-3\ninertia = [1e-7, 1e-7, 1e-7]\nposition = [0.095, 0, 0]\nwelds = [{ edge = \"last\" }]\n";
    for (name, rods, drag, step) in [
        (
            "a swing that dies away before the material has relaxed",
            rod(0.0, "relaxing = { time = \"5 s\", bending = 0.4 }") + gravity,
            0.05,
            4e-3,
        ),
        (
            "a lively rod beside one that creeps",
            rod(0.0, "") + &rod(0.05, "viscous = { bending = \"5 s\" }") + gravity,
            0.05,
            4e-3,
        ),
        (
            "one that falls through syrup",
            rod(0.0, "") + gravity,
            200.0,
            2e-2,
        ),
        (
            "one that a wind through syrup bends",
            rod(0.0, "")
                + "[wind]\nvelocity = [0, 0, 0.01]\ndrag = { linear = { coefficient = 200 } }\n",
            1e-3,
            2e-2,
        ),
        (
            "a twist that creeps",
            rod(
                0.0,
                &format!("viscous = {{ twisting = \"5 s\" }}\n{moment}"),
            ),
            1.0,
            2e-2,
        ),
        (
            "a body that turns slowly",
            rod(
                0.0,
                &format!(
                    "viscous = {{ twisting = \"50 ms\" }}\nrelaxing = {{ time = \"5 s\", twisting = 0.5 }}\n{moment}"
                ),
            ) + bob,
            1.0,
            2e-2,
        ),
    ] {
        let text = format!("{rods}\n[damping]\nviscosity = {drag}\n{}", time(step));
        let (at, left) = left_at_rest(&text, 60.0);
        assert!(at > 0.5 && at < 150.0, "{name}: {at}");
        assert!(left < 1.5e-3, "{name}: {left} radii after {at} s");
    }
}
