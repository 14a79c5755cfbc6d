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
        "acts at its middle",
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
            "warning: time.step: the scene turns by 0.7854 rad a step",
        ),
        (
            &["fluid.coupling=lagged"][..],
            "warning: time.step: lagged drag is unstable above about 4.4",
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
            "warning: contact.tolerance: rods at this gap still push with 75.51 % of the force",
        ),
        (
            &["output.every=1000 s"][..],
            "warning: output.every: longer than the run",
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
