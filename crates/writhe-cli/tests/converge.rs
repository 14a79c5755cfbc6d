//! `writhe converge`, as a user types it, on a cantilever with a closed form.

mod common;

use common::Place;
use serde_json::Value;

/// A cantilever that bends little under a force on its tip, at rest: its tip sags by F L^3/(3 E I).
const TIP: &[&str] = &[
    "--set",
    "scene.load=tip",
    "--set",
    "scene.tip_force=0.03 mN",
    "--set",
    "scene.edges=8",
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

/// One that swings: errors of the step and of the mesh, each of order two, and what they come to in
/// a run that is finer than all.
#[test]
fn a_swing_has_errors_of_step_and_mesh() {
    let place = Place::with_scene("cantilever");
    let words = [
        "--set",
        "scene.edges=8",
        "--set",
        "time.step=4 ms",
        "--set",
        "contact.model=none",
        "--duration",
        "0.2",
        "--observable",
        "rod0_tip_z",
        "--observable",
        "rod0_tip_z@0.1..0.2",
    ];
    let coarse = told(&place, &words);
    let fine = [
        &words[..],
        &[
            "--set",
            "scene.edges=64",
            "--set",
            "time.step=0.25 ms",
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
            assert!((order - 2.0).abs() < 0.4, "{by}: {order}");
        }
        let (limit, error) = (number(&coarse["limit"]), number(&coarse["error"]));
        let (known, first) = (number(&fine["by_mesh"][2]), number(&coarse["by_step"][0]));
        assert!((limit - known).abs() < error, "{limit} ± {error}, {known}");
        assert!(error < 0.5 * (first - known).abs(), "{error} of {first}");
    }
}

/// In text, what has no order has no limit.
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
        text.contains("no order: ") && text.contains("no limit"),
        "{text}"
    );
    assert!(
        text.contains("mesh: not halved") && text.contains("nothing can be proposed"),
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
        (&["--observable", "a@2..1"], "a@2..1", "NAME@FROM..TO"),
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
