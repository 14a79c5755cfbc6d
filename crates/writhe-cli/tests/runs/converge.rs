//! `writhe converge`, as a user types it, on a cantilever with a closed form.

use crate::common;
use common::Place;
use serde_json::Value;

/// A cantilever that bends little under a force on its tip, at rest: its tip sags by F L^3/(3 E I).
const TIP: &[&str] = &[
    "--set",
    "scene.load=tip",
    "--set",
    "scene.tip_force=0.03 mN",
    "--set",
    "scene.edges=16",
    "--set",
    "time.settle=true",
    "--duration",
    "10 ms",
    "--observable",
    "rod0_tip_z",
];
/// Of a force of .03 mN on a rod of 10 MPa, 2 mm and .2 m, m.
const SAG: f64 = {
    let ei = 1e7 * std::f64::consts::PI * 2e-3 * 2e-3 * 2e-3 * 2e-3 / 4.0;
    0.03e-3 * 0.2 * 0.2 * 0.2 / (3.0 * ei)
};

fn told(place: &Place, more: &[&str]) -> Value {
    let words = [&["converge", "my.toml", "--json"], more].concat();
    serde_json::from_str(&place.succeeds(&words)).unwrap()
}

#[test]
fn a_tip_has_its_closed_form_as_its_limit() {
    let place = Place::with_scene("cantilever");
    let told = told(
        &place,
        &[TIP, &["--steps", "1", "--error", "0.1%"]].concat(),
    );
    let tip = &told["observables"][0];
    assert!(tip["step"].is_null() && tip["by_mesh"].as_array().unwrap().len() == 3);
    let number = |value: &Value| value.as_f64().unwrap();
    // With 8, 16 and 32 edges the next term still makes it 2.11.
    let order = number(&tip["mesh"]["order"]);
    assert!((order - 2.0).abs() < 0.1, "order {order}");
    let (limit, error) = (number(&tip["limit"]), number(&tip["error"]));
    // The elastica sags less than the linear beam, by 3e-6 of itself here.
    let off = (limit + SAG).abs();
    assert!(
        off < error + 1e-5 * SAG && error < 1e-2 * SAG,
        "{limit} ± {error} for {SAG}"
    );
    // What is proposed is off by no more than was asked for, and not by far less.
    let edges = told["cheapest"]["edges"].to_string();
    let edges = edges.trim_end_matches(".0");
    let set = format!("scene.edges={edges}");
    let finer = self::told(&place, &[TIP, &["--set", &set, "--steps", "1"]].concat());
    let seen = number(&finer["observables"][0]["by_mesh"][0]);
    let off = (seen / -SAG - 1.0).abs();
    assert!((3e-4..1.1e-3).contains(&off), "{off} with {edges} edges");
}

/// One that sags through something thick: errors of the step and of the mesh, each of order two,
/// and what they come to in a run that is finer than all.
///
/// Without the thick fluid, the weight that sets in at once shakes waves loose that steps of a
/// millisecond do not follow, and there is no order
/// (`what_steps_do_not_follow_has_no_order`).
#[test]
fn a_motion_has_errors_of_step_and_mesh() {
    let place = Place::with_scene("cantilever");
    let words = [
        "--set",
        "scene.edges=12",
        "--set",
        "time.step=8 ms",
        "--set",
        "damping.viscosity=1 Pa s",
        "--set",
        "contact.model=none",
        "--duration",
        "0.4",
        "--observable",
        "rod0_tip_z",
        "--observable",
        "rod0_tip_z@0.15..0.4",
    ];
    let coarse = told(&place, &words);
    let fine = [
        &words[..],
        &[
            "--set",
            "scene.edges=48",
            "--set",
            "time.step=0.5 ms",
            "--steps",
            "1",
        ],
    ]
    .concat();
    let fine = told(&place, &fine);
    for which in 0..2 {
        let (coarse, fine) = (&coarse["observables"][which], &fine["observables"][which]);
        let number = |value: &Value| value.as_f64().unwrap();
        for by in ["step", "mesh"] {
            let order = number(&coarse[by]["order"]);
            assert!((order - 2.0).abs() < 0.1, "{by}: {order}");
        }
        let (limit, error) = (number(&coarse["limit"]), number(&coarse["error"]));
        let (known, first) = (number(&fine["by_mesh"][2]), number(&coarse["by_step"][0]));
        assert!((limit - known).abs() < error, "{limit} ± {error}, {known}");
        assert!(error < 0.5 * (first - known).abs(), "{error} of {first}");
    }
}

/// A swing whose fast waves are missed has no limit with three runs, whatever order they show; with
/// steps that follow them it has.
#[test]
fn what_steps_do_not_follow_has_no_order() {
    let place = Place::with_scene("cantilever");
    let of = |step: &str| {
        let step = format!("time.step={step}");
        let words = [
            "--set",
            "scene.edges=8",
            "--set",
            &step,
            "--duration",
            "0.2",
            "--meshes",
            "1",
            "--observable",
            "rod0_tip_z",
        ];
        told(&place, &words)["observables"][0].clone()
    };
    let coarse = of("4 ms");
    assert!(coarse["limit"].is_null(), "{coarse}");
    let why = coarse["step"]["no_order"].as_str().unwrap();
    assert!(why.contains("the method's own is 2"), "{why}");
    let [value, spread] = ["finest", "spread"].map(|key| coarse[key].as_f64().unwrap());
    let fine = of("0.25 ms");
    let [limit, error] = ["limit", "error"].map(|key| fine[key].as_f64().unwrap());
    assert!((value - limit).abs() < spread && error < 1e-2 * spread);
}

/// In text, what has no order has no limit. In steps of 50 ms three runs of a kinetic energy look
/// like order 3.15.
#[test]
fn what_has_no_order_is_told_so() {
    let place = Place::with_scene("cantilever");
    let words = [
        "converge",
        "my.toml",
        "--set",
        "scene.edges=6",
        "--set",
        "time.step=50 ms",
        "--duration",
        "1",
        "--meshes",
        "1",
        "--observable",
        "energy_kinetic",
        "--error",
        "1%",
    ];
    let text = place.succeeds(&words);
    assert!(
        text.contains("no order: ") && text.contains("no order: no limit; finest runs"),
        "{text}"
    );
    assert!(
        text.contains("mesh: not halved") && text.contains("nothing can be proposed"),
        "{text}"
    );
    assert!(
        text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
}

#[test]
fn bad_input_is_one_message_with_its_remedy() {
    let place = Place::with_scene("cantilever");
    for (words, message, remedy) in [
        (
            &["--observable", "rod0_tip_q"][..],
            "no observable `rod0_tip_q`",
            "did you mean `rod0_tip_",
        ),
        (
            &["--observable", "rod0_tip_z@9"],
            "the run ends at 5 s",
            "an earlier time",
        ),
        (
            &["--steps", "2"],
            "--steps 2: an order needs 3 runs",
            "take 3, or 1",
        ),
        (
            &["--steps", "1", "--meshes", "1"],
            "nothing would be halved",
            "take 3",
        ),
        (&["--error", "much"], "much", "e.g. 1%"),
        (
            &["--observable", "a@2..1"],
            "a@2..1",
            "did you mean `a@1..2`?",
        ),
        (&["--observable", "a@b"], "a@b", "NAME@FROM..TO"),
    ] {
        let told = place.fails(2, &[&["converge", "my.toml"], words].concat());
        assert!(told.contains(message) && told.contains(remedy), "{told}");
    }
    let rods = r#"
        [[rods]]
        shape = { straight = { from = [0, 0, 0], to = [0.2, 0, 0], edges = 10 } }
        section = { circle = { radius = "1 mm" } }
        material = { young = "3 MPa", poisson = 0.5, density = 1000 }
        held = [{ node = 5 }]
        [time]
        duration = 0.01
        step = 0.01"#;
    place.write("held.toml", rods);
    let told = place.fails(2, &["converge", "held.toml", "--steps", "1"]);
    assert!(
        told.contains("rods[0].held[0].node") && told.contains("--meshes 1"),
        "{told}"
    );
}

/// Halved steps are not halved where they choose their own size.
#[test]
fn an_accuracy_is_refused() {
    let place = Place::new();
    std::fs::write(
        place.path("my.toml"),
        "[scene]\nname = \"cantilever\"\n[time]\naccuracy = 0.1\n",
    )
    .unwrap();
    let told = place.fails(2, &["converge", "my.toml"]);
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        told.contains("with time.accuracy steps choose their own size"),
        "{told}"
    );
    assert!(told.contains("--steps 1"), "{told}");
}
