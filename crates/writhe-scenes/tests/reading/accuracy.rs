//! `time.accuracy` in scenes: what it sets, and with what it does not go.

use crate::common;
use common::{ROD, check};
use writhe_scenes::Scene;

fn with(time: &str) -> String {
    format!("{ROD}[time]\n{time}")
}

#[test]
fn steps_follow_it_from_the_step_on() {
    let text = with("duration = 2\nstep = \"5 ms\"\naccuracy = 0.02\n");
    let built = Scene::parse(&text, "my.toml").unwrap().build().unwrap();
    let accuracy = built.step.accuracy.unwrap();
    assert_eq!(
        (accuracy.error, accuracy.over, accuracy.first),
        (0.02, 2.0, 5e-3)
    );
    // No larger than the run, and Newton's method no better than that asks for ...
    assert_eq!(built.step.dt, 2.0);
    assert_eq!(built.step.step_tolerance, 1e-4);
    // ... unless somebody says so.
    let text = with(
        "duration = 2\nstep = \"5 ms\"\naccuracy = 0.02\nlargest_step = \"20 ms\"\ntolerance = 1e-7\n",
    );
    let built = Scene::parse(&text, "my.toml").unwrap().build().unwrap();
    assert_eq!((built.step.dt, built.step.step_tolerance), (0.02, 1e-7));
}

#[test]
fn what_does_not_go_with_it_is_told() {
    for value in ["0", "-1", "2", "1e-12"] {
        let text = with(&format!("accuracy = {value}\n"));
        check(
            &text,
            "time.accuracy",
            &["from 1e-9 to 1", "in radii"],
            value,
        );
    }
    let and = |rest: &str| with(&format!("accuracy = 0.1\n{rest}\n"));
    check(
        &and("scheme = \"implicit-midpoint\""),
        "time.accuracy",
        &["not with this scheme", "time.scheme = \"bdf2\""],
        "0.1",
    );
    check(
        &and("integrator = \"symplectic-projected\""),
        "time.accuracy",
        &["symplectic-projected", "set time.step"],
        "0.1",
    );
    check(
        &and("adaptive = false"),
        "time.accuracy",
        &["adaptive = false", "cannot follow an error"],
        "0.1",
    );
    check(
        &and("step = \"5 ms\"\nlargest_step = \"1 ms\""),
        "time.largest_step",
        &["at least the first step, 0.005 s"],
        "\"1 ms\"",
    );
    check(
        &with("largest_step = 0.1\n"),
        "time.largest_step",
        &["no", "time.accuracy"],
        "0.1",
    );
    let fluid = "[fluid]\nmodel = \"stokeslet-segments\"\nviscosity = 1\ncoupling = \"lagged\"";
    check(
        &and(fluid),
        "time.accuracy",
        &["lagged drag", "fluid.coupling = \"implicit\""],
        "0.1",
    );
}
