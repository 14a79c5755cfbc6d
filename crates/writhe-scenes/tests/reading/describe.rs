//! What `check` says.

use writhe_scenes::{Level, Scene, template};

fn described(sets: &[&str]) -> String {
    let mut scene = Scene::parse(template("flagella").expect("template"), "test").expect("parses");
    scene.set_all(sets).unwrap_or_else(|e| panic!("{e}"));
    scene
        .describe()
        .unwrap_or_else(|e| panic!("{e}"))
        .to_string()
}

#[test]
fn flagella_in_words_and_numbers() {
    let report = described(&[]);
    for part in [
        "2 rotating flagella",
        "68, open, 67 edges",
        "length L                336.6 mm from the clamp's middle (contour 339.1 mm)",
        "4.999 mm to 7.071 mm",
        "2.356e-6 N m^2",
        "1.571e-6 N m^2",
        "9.425 N",
        "1.571 rad/s (15 rpm)",
        "0.03142 rad a step",
        "(12500 steps)",
        "scene.equal_masses = false",
        "contact.slip_tolerance = 1e-4",
        "note: fluid.regularisation: epsilon = 1.02 h; slender-body theory wants sqrt(e) h = 1.6487 h",
        "note: scene.name: numbers as the authors ran their program",
        "acts at the middle of its edge",
        "longer than pi h = 3.142 mm",
    ] {
        assert!(report.contains(part), "`{part}` is not in\n{report}");
    }
    assert!(!report.contains("warning"), "{report}");
}

#[test]
fn warnings_name_the_key_and_the_cure() {
    for (sets, part) in [
        (
            &["scene.speed=15"][..],
            "warning: scene.speed: 15 is a bare number, so it is 15 rad/s (143.2 rpm); write \"15 rpm\"",
        ),
        (
            &["scene.speed=300 rpm"][..],
            "warning: fluid: Reynolds number",
        ),
        (
            &["time.step=0.5"][..],
            "warning: time.step: the scene turns by 0.7854 rad in a step",
        ),
        (
            &["scene.edges=600"][..],
            " long and the flow is smeared out over 1.02 mm (regularisation times radius)",
        ),
        (
            &["contact.model=none"][..],
            "warning: contact.model: rods pass through each other",
        ),
        (
            &["scene.rod_radius=2 cm", "contact.model=none"][..],
            "length over radius is",
        ),
        (
            &["contact.model=imc-smooth", "contact.tolerance=0.01"][..],
            "warning: contact.tolerance: at this gap the contact force is still 75.51 %",
        ),
        (
            &["output.every=1000 s"][..],
            "warning: output.every: the time between outputs is longer than the run",
        ),
        (
            &["time.step=10 ms", "output.every=2.5 ms"][..],
            "note: time.step: outputs end steps, so that these are 2.5 ms long and not 10 ms",
        ),
        (
            &["scene.count=1"][..],
            "note: scene.count: one flagellum has no polygon",
        ),
    ] {
        let report = described(sets);
        assert!(report.contains(part), "`{part}` is not in\n{report}");
    }
}

#[test]
fn contact_in_words() {
    for (sets, part) in [
        (
            &["contact.friction=0.3"][..],
            "implicit contact model from a gap of 0.01 h, friction 0.3 of surfaces (slip tolerance 100 µm/s), automatic stiffness",
        ),
        (
            &[
                "contact.model=imc-smooth",
                "contact.tolerance=0.15",
                "contact.friction=0.1",
                "contact.jacobian={ hybrid = 20 }",
            ],
            "smoothed distance (Choi 2021) from a gap of 0.15 h, friction 0.1 in the direction of the last step's slip (half of it at \
             0.15 radii/s), automatic stiffness, no contact Jacobian for 20 iterations",
        ),
        (
            &[
                "contact.model=spillmann-teschner",
                "contact.tolerance=1e-4",
                "fluid.model=none",
            ],
            "rods touching (Spillmann and Teschner 2008) within 1e-4 h, frictionless",
        ),
        (
            &["contact.model=ipc", "contact.friction=0.2"],
            "incremental potential contact: a barrier from a gap of 0.01 h that never closes, lagged friction 0.2 of surfaces",
        ),
    ] {
        let report = described(sets);
        assert!(report.contains(part), "`{part}` is not in\n{report}");
    }
}

#[test]
fn defaults_are_what_the_file_does_not_say() {
    let scene =
        Scene::parse("[scene]\nname = \"cantilever\"\nlength = 0.3", "test").expect("parses");
    let report = scene.describe().expect("described");
    assert!(report.defaults.iter().any(|d| d == "scene.edges = 50"));
    assert!(
        report
            .defaults
            .iter()
            .all(|d| !d.starts_with("scene.length"))
    );
    assert!(
        report
            .defaults
            .iter()
            .any(|d| d == "gravity.acceleration = [0, 0, -9.81]"),
        "{:?}",
        report.defaults
    );
    assert!(report.remarks.iter().all(|r| r.level == Level::Note));
}

const IN_SYRUP: &str = r#"
[[rods]]
shape = { straight = { from = [0, 0, 0], to = ["10 cm", 0, 0], edges = 20 } }
section = { circle = { radius = "1 mm" } }
material = { young = "3 MPa", poisson = 0.5, density = "1000 kg/m^3" }
[fluid]
model = "stokeslet-segments"
viscosity = "1 Pa s"
[time]
duration = "1 s"
step = "20 ms"
[output]
every = "0.1 s"
"#;

const SPHERE: &str = r#"
[[bodies]]
mass = "1 g"
solid = { sphere = { radius = "5 mm" } }
position = ["-5 mm", 0, 0]
velocity = [0, "1 m/s", 0]
welds = [{ rod = 0, edge = "first" }]
"#;

const SPIN: &str = r#"
[[rods.clamps]]
edge = "first"
motion = { rotation = { point = [0, 0, 0], axis = [1, 0, 0], speed = "10 rad/s" } }
"#;

fn in_syrup(more: &str, sets: &[&str]) -> Scene {
    let text = match IN_SYRUP.split_once("[fluid]") {
        Some((rod, rest)) => format!("{rod}{more}[fluid]{rest}"),
        None => String::new(),
    };
    let mut scene = Scene::parse(&text, "syrup").unwrap_or_else(|e| panic!("{e}\n{text}"));
    scene.set_all(sets).unwrap_or_else(|e| panic!("{e}"));
    scene
}

/// What no fluid slows is said, and where nothing is missing nothing is said.
#[test]
fn what_feels_no_fluid_is_named() {
    let told = |more: &str, sets: &[&str]| in_syrup(more, sets).describe().unwrap().to_string();
    assert!(!told("", &[]).contains("warning"), "{}", told("", &[]));
    let lagged = ["fluid.coupling=lagged", "time.step=50 us"];
    let body = told(SPHERE, &lagged);
    let part = "warning: bodies[0]: the fluid acts on rods only";
    assert!(body.contains(part), "{body}");
    assert!(!told(SPHERE, &["fluid.model=none"]).contains("rigid bodies"));
    let spin = told(SPIN, &[]);
    let part = "warning: rods[0].shape: the fluid does not resist the spin of a rod about its own centreline";
    assert!(spin.contains(part), "{spin}");
    assert!(!told(SPIN, &["fluid.model=none"]).contains("centreline"));
    // A helix that turns meets most of its torque.
    assert!(described(&[]).contains("note: scene: the fluid does not resist the spin"));
}

/// The step and, where there is one, the coupling that a refusal names are accepted by the scene
/// that was refused.
#[test]
fn a_refusal_of_a_lagged_step_names_what_the_scene_accepts() {
    let contact = "contact.model=spillmann-teschner";
    for (more, sets, other) in [
        ("", &[][..], Some(&["fluid.coupling=implicit"][..])),
        (
            "",
            &[contact],
            Some(&["contact.model=imc", "fluid.coupling=implicit"]),
        ),
        (SPHERE, &[], None),
    ] {
        let refused = [sets, &["fluid.coupling=lagged"]].concat();
        let scene = in_syrup(more, &refused);
        let error = scene.build().unwrap_err();
        assert_eq!(scene.describe().unwrap_err(), error);
        assert_eq!(error.key, "time.step");
        let remedy = error.remedy();
        let step = remedy.split('"').nth(1).unwrap();
        let mut shorter = in_syrup(more, &refused);
        shorter.set(&format!("time.step={step}")).unwrap();
        shorter.build().unwrap_or_else(|e| panic!("{step}: {e}"));
        let report = shorter.describe().unwrap().to_string();
        assert!(
            report.contains(&format!("{step} with lagged drag")),
            "{report}"
        );
        // A little longer is refused.
        let longer = format!("time.step={:e}", 1.02 * shorter.spec.time.step.si());
        shorter.set(&longer).unwrap();
        shorter.build().unwrap_err();
        assert_eq!(remedy.contains("implicit"), other.is_some(), "{remedy}");
        if let Some(other) = other {
            let mut implicit = in_syrup(more, &refused);
            for set in other {
                let (key, value) = set.split_once('=').unwrap();
                assert!(remedy.contains(&format!("{key} = \"{value}\"")), "{remedy}");
                implicit.set(set).unwrap();
            }
            implicit.build().unwrap_or_else(|e| panic!("{e}"));
        }
    }
}

/// What a message says to set, where several keys are in each other's way, is not refused in turn.
#[test]
fn remedies_are_not_refused_in_turn() {
    let engine = ["time.integrator=symplectic-projected", "time.engine=rapier"];
    // An engine goes with explicit steps only: these do not send back to implicit ones.
    for set in ["contact.model=imc", "contact.model=none"] {
        let scene = in_syrup("", &[engine[0], engine[1], set]);
        let remedy = scene.build().unwrap_err().remedy();
        assert!(!remedy.contains("implicit"), "{set}: {remedy}");
    }
}

/// A step beyond the limit of explicit ones: an engine has no other.
#[cfg(feature = "rapier")]
#[test]
fn an_engine_is_not_sent_to_implicit_steps() {
    let engine = ["time.integrator=symplectic-projected", "time.engine=rapier"];
    let more = ["contact.model=none", "fluid.model=none", "time.step=1 s"];
    let scene = in_syrup("", &[&engine[..], &more[..]].concat());
    scene.build().unwrap_or_else(|e| panic!("{e}"));
    let report = scene.describe().unwrap().to_string();
    let line = report.lines().find(|l| l.contains("largest stable one"));
    assert!(line.is_some_and(|l| !l.contains("implicit")), "{report}");
}

#[test]
fn midpoint_steps_refuse_bodies_that_rods_touch() {
    let body = SPHERE.replace("velocity", "touch = true\nvelocity");
    let midpoint = ["fluid.model=none", "time.scheme=implicit-midpoint"];
    let error = in_syrup(&body, &midpoint).build().unwrap_err();
    assert_eq!(error.key, "bodies[0].touch");
    let bdf2 = ["fluid.model=none", "time.scheme=bdf2"];
    in_syrup(&body, &bdf2)
        .build()
        .unwrap_or_else(|e| panic!("{e}"));
    in_syrup(SPHERE, &midpoint)
        .build()
        .unwrap_or_else(|e| panic!("{e}"));
}
