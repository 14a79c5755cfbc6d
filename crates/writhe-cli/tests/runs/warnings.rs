//! What the summary of a run warns of.

use crate::common;
use common::Place;

/// A straight rod of 100 edges whose ends are pushed together by 40 % within 4 s.
const PUSHED: &str = r#"
title = "Pushed together"
[[rods]]
shape = { straight = { from = [0, 0, 0], to = [0.2, 0, 0], edges = 40 } }
section = { circle = { radius = "2 mm" } }
material = { young = "3 MPa", poisson = 0.5, density = 1000 }
held = [
  { node = "first", axes = "xyz" },
  { node = "last", axes = "xyz", motion = { path = [[0, 0, 0, 0], [4, -0.08, 0, 0]] } },
]
held_angles = [{ edge = "first", angle = 0 }]
[contact]
model = "none"
[damping]
viscosity = 1
[time]
duration = 4
step = 0.02
[output]
every = 0.04
"#;

fn warnings(place: &Place, run: &str) -> Vec<String> {
    let summary = place.read(&format!("{run}/summary.json"));
    let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
    let list = summary["warnings"].as_array().cloned().unwrap_or_default();
    list.iter()
        .map(|w| w.as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_rod_that_is_pushed_together_and_stays_straight_is_told_of_once() {
    let place = Place::new();
    place.write("my.toml", PUSHED);
    let text = place.succeeds(&["run", "my.toml", "--out", "straight"]);
    assert!(text.contains("Finished"), "{text}");
    let found = warnings(&place, "straight");
    let unstable: Vec<&String> = found.iter().filter(|w| w.contains("unstable")).collect();
    assert_eq!(unstable.len(), 1, "{found:?}");
    // Euler's strain is (pi h / 2 L)^2 = 2.5e-4, reached after 2.5 ms. Outputs are 40 ms apart and
    // not all are looked at.
    let time = unstable[0].split("from t = ").nth(1).unwrap();
    let time: f64 = time.split(' ').next().unwrap().parse().unwrap();
    assert!(time < 0.4, "{time}");
    for part in [
        "s to the end: rod 0 would bend out in",
        "half-waves",
        "perturbation = \"2e-5 m\" (1 % of the radius)",
    ] {
        assert!(unstable[0].contains(part), "{part}: {}", unstable[0]);
    }
    assert_eq!(text.matches("an unstable equilibrium").count(), 1, "{text}");
    let log = place.read("straight/log.txt");
    assert_eq!(log.matches("unstable equilibrium").count(), 1, "{log}");
    // Who wants to hear nothing else hears that.
    for more in [&["-q"][..], &["--json", "-q"]] {
        let args = ["run", "my.toml", "--out", "quiet", "--force"];
        let quiet = place.run(&[&args[..], more].concat());
        let told = common::text(&quiet.stderr);
        assert_eq!(told, format!("warning: {}\n", unstable[0]), "{more:?}");
    }

    // Not perfect, it buckles, and there is nothing to tell.
    let scene = format!("perturbation = \"2e-5 m\"\n{PUSHED}");
    place.write("crooked.toml", &scene);
    place.succeeds(&["run", "crooked.toml", "--out", "crooked"]);
    let found = warnings(&place, "crooked");
    assert!(found.iter().all(|w| !w.contains("unstable")), "{found:?}");
    let last = place.read("crooked/observables.csv");
    let bent = last.lines().last().unwrap();
    assert!(!bent.is_empty());
}

/// While it buckles, its round shape could turn about the axis of its clamps at no cost: drag on what
/// moves outward makes that look like an instability.
#[test]
fn a_rod_that_buckles_slowly_is_not_told_of() {
    let place = Place::new();
    place.write("my.toml", "[scene]\nname = \"localized-buckling\"\n");
    let cut = ["--duration", "8 s", "--set", "output.every=0.2"];
    place.succeeds(&[&["run", "my.toml", "--out", "out"][..], &cut].concat());
    let found = warnings(&place, "out");
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn a_settled_rod_that_stays_straight_is_told_of_at_the_start() {
    let place = Place::new();
    // A mast twice as high as Greenhill's: w L^3 / EI = 15.7.
    let mast = |top: &str| {
        format!(
            r#"{top}
[[rods]]
shape = {{ straight = {{ from = [0, 0, 0], to = [0, 0, 0.189], edges = 40 }} }}
section = {{ circle = {{ radius = "2 mm" }} }}
material = {{ young = "4.2 MPa", poisson = 0.5, density = 1000 }}
clamps = [{{ edge = "first", half_edge = true }}]
[gravity]
acceleration = [0, 0, -9.81]
[contact]
model = "none"
[damping]
viscosity = 0.1
[time]
settle = true
duration = 0.1
step = 0.01
"#
        )
    };
    place.write("mast.toml", &mast(""));
    place.succeeds(&["run", "mast.toml", "--out", "mast"]);
    let found = warnings(&place, "mast");
    assert_eq!(found.len(), 1, "{found:?}");
    let part = "from t = 0 s to the end: rod 0 would bend out in 1 half-wave, most at node 40 (100 % along)";
    assert!(found[0].contains(part), "{found:?}");
    place.write("crooked.toml", &mast("perturbation = 2e-5"));
    place.succeeds(&["run", "crooked.toml", "--out", "crooked"]);
    let found = warnings(&place, "crooked");
    assert!(found.iter().all(|w| !w.contains("unstable")), "{found:?}");
}

#[test]
fn strains_turns_and_reynolds_numbers_are_told_with_place_and_time() {
    let place = Place::new();
    place.write(
        "my.toml",
        r#"
[[rods]]
name = "strip"
shape = { straight = { from = [0, 0, 0], to = [0.02, 0, 0], edges = 4 } }
section = { circle = { radius = "3 mm" } }
material = { young = "3 MPa", poisson = 0.5, density = 1000 }
clamps = [
  { edge = "first" },
  { edge = "last", motion = { rotation = { point = [0.0175, 0, 0], axis = [0, 0, 1], angle = { table = [[0, 0], [1, 3]] } } } },
]
[contact]
model = "none"
[fluid]
model = "stokeslet-segments"
viscosity = "0.1 Pa s"
[time]
duration = 1
step = 0.02
"#,
    );
    let run = place.run(&["run", "my.toml", "--out", "out"]);
    assert!(run.status.success(), "{run:?}");
    let text = String::from_utf8_lossy(&run.stdout);
    let found = warnings(&place, "out");
    for part in [
        "at its surface by bending at node",
        "the rod bends by",
        "a Reynolds number of",
        "with 1000 kg/m^3",
    ] {
        let told = found.iter().find(|w| w.contains(part));
        let told = told.unwrap_or_else(|| panic!("{part}: {found:?}"));
        assert!(told.contains("of rod 0 (strip) at t = "), "{told}");
        assert!(text.contains(told.as_str()), "{text}");
    }
}

#[test]
fn a_spin_that_is_turned_is_told_of_where_it_is_left_out() {
    let place = Place::new();
    // A shaft that is turned in its bearing sags when it is let go.
    let shaft = |top: &str, speed: f64| {
        format!(
            r#"{top}
[[rods]]
name = "shaft"
shape = {{ straight = {{ from = [0, 0, 0], to = [0.1, 0, 0], edges = 8 }} }}
section = {{ circle = {{ radius = "5 mm" }} }}
material = {{ young = "1 MPa", poisson = 0.5, density = 1000 }}
clamps = [
  {{ edge = "first", motion = {{ rotation = {{ point = [0, 0, 0], axis = [1, 0, 0], speed = "{speed} rad/s" }} }} }},
]
[gravity]
acceleration = [0, 0, -9.81]
[contact]
model = "none"
[time]
duration = 0.2
step = 0.001
"#
        )
    };
    let told = |name: &str, scene: &str| -> Vec<String> {
        place.write(&format!("{name}.toml"), scene);
        place.succeeds(&["run", &format!("{name}.toml"), "--out", name]);
        let found = warnings(&place, name).into_iter();
        found
            .filter(|w| w.contains("the gyroscopic torque"))
            .collect()
    };
    let found = told("fast", &shaft("", 300.0));
    assert_eq!(found.len(), 1, "{found:?}");
    for part in ["of rod 0 (shaft) at t = ", "spin_inertia = \"full\""] {
        assert!(found[0].contains(part), "{found:?}");
    }
    assert_eq!(told("slow", &shaft("", 20.0)), Vec::<String>::new());
    let full = shaft("spin_inertia = \"full\"", 300.0);
    assert_eq!(told("full", &full), Vec::<String>::new());
}

#[test]
fn what_friction_holds_is_not_judged_and_said_so() {
    let place = Place::new();
    place.write(
        "my.toml",
        r#"
[[rods]]
shape = { straight = { from = [0, 0, 0.002], to = [0.1, 0, 0.002], edges = 20 } }
section = { circle = { radius = "2 mm" } }
material = { young = "3 MPa", poisson = 0.5, density = 1000 }
[[obstacles]]
shape = { half_space = { point = [0, 0, 0], normal = [0, 0, 1] } }
friction = 0.4
[gravity]
acceleration = [0, 0, -9.81]
[time]
duration = 0.2
step = 0.002
"#,
    );
    let check = place.succeeds(&["check", "my.toml"]);
    assert!(check.contains("unstable equilibria"), "{check}");
    let text = place.succeeds(&["run", "my.toml", "--out", "out"]);
    assert!(
        text.contains("not known in") && text.contains("friction acts"),
        "{text}"
    );
}

#[test]
fn what_can_do_nothing_is_told_before_the_run() {
    let place = Place::new();
    let scene = |edges: usize, normal: &str| {
        format!(
            "[[rods]]\nshape = {{ straight = {{ to = [\"10 cm\", 0, 0], edges = {edges} }} }}\n\
             section = {{ circle = {{ radius = \"1 mm\" }} }}\n\
             material = {{ young = \"1 MPa\", poisson = 0.5, density = 1000 }}\n\
             clamps = [{{ edge = \"first\" }}]\n\
             line_loads = [{{ pressure = \"1e-3 N/m\", normal = {normal} }}]\n\
             [time]\nduration = \"2 ms\"\nstep = \"1 ms\"\n"
        )
    };
    let (held, along) = ("supports hold every node", "the rod lies along the normal");
    for (edges, normal, words) in [
        (1, "[0, 0, 1]", vec![held]),
        (10, "[2, 0, 0]", vec![along]),
        (1, "[-1, 0, 0]", vec![held, along]),
        (10, "[0, 0, 1]", vec![]),
    ] {
        place.write("my.toml", &scene(edges, normal));
        let checked = place.succeeds(&["check", "my.toml"]);
        let run = place.run(&["run", "my.toml", "--out", "r", "--force", "-q"]);
        assert!(run.status.success());
        for said in [checked, common::text(&run.stderr)] {
            for word in [held, along] {
                let is_told = said.contains(word);
                assert_eq!(is_told, words.contains(&word), "{edges}, {normal}: {said}");
            }
        }
    }
}
