//! `writhe plot`, as a user types it.

mod common;

use common::{CANTILEVER_SHORT as SHORT, Place, with};

fn with_runs(values: &[&str]) -> Place {
    let place = Place::with_scene("cantilever");
    for value in values {
        let set = format!("scene.young={value}");
        let run = ["run", "my.toml", "--out", value, "--set", &set];
        place.succeeds(&with(&run, SHORT));
    }
    place
}

#[test]
fn energies_of_a_run_are_drawn_unless_something_is_named() {
    let place = with_runs(&["2e6"]);
    let printed = place.succeeds(&["plot", "2e6"]);
    assert!(
        printed.contains("energy_bend") && printed.contains("plot.svg"),
        "{printed}"
    );
    let svg = place.read("2e6/plot.svg");
    assert!(
        svg.starts_with("<svg") && svg.ends_with("</svg>\n"),
        "{svg}"
    );
    for words in ["Time (ms)", "Energy bend", "Energy kinetic", "J)"] {
        assert!(svg.contains(words), "{words} in {svg}");
    }
}

/// Where energy is, and where it came from and went: what there is none of has no curve.
#[test]
fn the_balance_of_energy_is_drawn() {
    let place = with_runs(&["2e6", "3e6"]);
    let told = place.succeeds(&["plot", "2e6", "energy", "--out", "a.svg"]);
    assert!(told.contains("Drew energy of 1 run"), "{told}");
    let svg = place.read("a.svg");
    for words in [
        "Kinetic",
        "Bending",
        "Sum",
        "Loads",
        "Damping",
        "Change of energy",
        "Time scheme",
    ] {
        assert!(svg.contains(words), "{words} in {svg}");
    }
    for words in ["Motors", "Friction", "Contact"] {
        assert!(!svg.contains(words), "{words} in {svg}");
    }
    place.succeeds(&["plot", "2e6", "3e6", "energy", "--out", "b.svg"]);
    assert!(
        place
            .read("b.svg")
            .contains("scene.young = 3000000: what changed it")
    );
    let summary = place.read("2e6/summary.json");
    assert!(summary.contains("\"scheme_J\""), "{summary}");
}

#[test]
fn runs_that_differ_in_a_number_are_a_family() {
    let place = with_runs(&["4e6", "2e6", "3e6"]);
    let files = [
        "plot",
        "4e6",
        "2e6",
        "3e6",
        "energy_bend",
        "--out",
        "all.svg",
    ];
    place.succeeds(&files);
    let svg = place.read("all.svg");
    let place_of = |label: &str| {
        svg.find(label)
            .unwrap_or_else(|| panic!("{label} in {svg}"))
    };
    let order = [
        "scene.young = 2000000",
        "scene.young = 3000000",
        "scene.young = 4000000",
    ];
    let order = order.map(place_of);
    assert!(order.is_sorted(), "{order:?}");
    place.succeeds(&[
        "plot",
        "4e6",
        "2e6",
        "energy_bend",
        "--against",
        "energy_kinetic",
        "--mean",
        "0.01",
    ]);
    assert!(place.read("4e6/plot.svg").contains("Energy kinetic"));
}

#[test]
fn the_format_is_that_of_the_name_or_the_one_asked_for() {
    let place = with_runs(&["2e6", "3e6"]);
    let start = |file: &str| std::fs::read(place.path(file)).unwrap()[..5].to_vec();
    place.succeeds(&["plot", "2e6", "3e6", "energy_bend", "--out", "a.PDF"]);
    assert_eq!(start("a.PDF"), b"%PDF-");
    place.succeeds(&["plot", "2e6", "--out", "a.png"]);
    assert_eq!(start("a.png"), b"\x89PNG\r");
    let told = place.succeeds(&["plot", "2e6", "--format", "pdf"]);
    assert!(told.contains("2e6/plot.pdf"), "{told}");
    assert_eq!(start("2e6/plot.pdf"), b"%PDF-");
    place.succeeds(&["plot", "2e6", "--format", "svg", "--out", "plain"]);
    assert_eq!(start("plain"), b"<svg ");
}

#[test]
fn what_cannot_be_plotted_is_told() {
    let place = with_runs(&["2e6"]);
    for (args, words) in [
        (&["plot", "nowhere"][..], "nowhere"),
        (&["plot", "2e6", "energy_bent"], "energy_bend"),
        (&["plot", "2e6", "--against", "x"], "`x`"),
        (&["plot", "2e6", "--mean", "-1"], "above 0"),
        (&["plot", "2e6", "--log", "z"], "xy"),
        (&["plot", "2e6", "--out", "a.gif"], ".svg, .pdf or .png"),
        (&["plot", "2e6", "--format", "gif"], "pdf"),
        (
            &[
                "plot",
                "2e6",
                "--out",
                "2e6/scene.svg",
                "momentum_x",
                "--log",
                "y",
            ],
            "positive",
        ),
    ] {
        let errors = place.fails(2, args);
        assert!(errors.contains(words), "{args:?}: {errors}");
    }
}
