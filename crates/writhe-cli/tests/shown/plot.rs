//! `writhe plot`, as a user types it.

use crate::common;
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
    for words in [
        "Time (ms)",
        "\"Energy (",
        "\"Bending\"",
        "\"Kinetic\"",
        "J)",
    ] {
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
    assert!(place.read("4e6/plot.svg").contains("Kinetic energy"));
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

/// Rods that bend in a plane have a twist of rounding alone, and nothing touches: no curve, unless it
/// is asked for.
#[test]
fn zeros_are_left_out_and_told() {
    let place = with_runs(&["2e6"]);
    let told = place.succeeds(&["plot", "2e6", "--out", "a.svg"]);
    let svg = place.read("a.svg");
    assert!(
        svg.contains("\"Bending\"") && !svg.contains("\"Twisting\""),
        "{svg}"
    );
    assert!(!svg.contains("Contact force"), "{svg}");
    for words in [
        "of zeros",
        "energy_twist",
        "contact_force",
        "`--curves all` draws",
    ] {
        assert!(told.contains(words), "{words} in {told}");
    }
    place.succeeds(&["plot", "2e6", "--curves", "all", "--out", "b.svg"]);
    let svg = place.read("b.svg");
    assert!(
        svg.contains("\"Twisting\"") && svg.contains("Contact force"),
        "{svg}"
    );
    let told = place.succeeds(&["plot", "2e6", "energy_twist", "--out", "c.svg"]);
    assert!(told.contains("Zero throughout: energy_twist"), "{told}");
    // The axis has a zero and no other number.
    let svg = place.read("c.svg");
    assert!(svg.contains("\"Twisting energy (J)\"") && svg.contains("aria-label=\"0\""));
    assert!(!svg.contains("aria-label=\"0.5\""), "{svg}");
}

#[test]
fn groups_of_columns_have_a_name() {
    let place = with_runs(&["2e6"]);
    let all = [
        "plot", "2e6", "momentum", "--curves", "all", "--out", "a.svg",
    ];
    let told = place.succeeds(&all);
    assert!(
        told.contains("momentum_x, momentum_y, momentum_z"),
        "{told}"
    );
    let svg = place.read("a.svg");
    assert!(
        svg.contains("\"Momentum (") && svg.contains("aria-label=\"z\""),
        "{svg}"
    );
    let few = ["plot", "2e6", "momentum", "--curves", "1", "--out", "b.svg"];
    let told = place.succeeds(&few);
    assert!(told.contains("Drew momentum_z of 1 run"), "{told}");
    assert!(told.contains("1 smaller one (momentum_x)"), "{told}");
    let tip = ["plot", "2e6", "clamp0_force_z", "--out", "c.svg"];
    place.succeeds(&tip);
    assert!(place.read("c.svg").contains("Force at the clamp, z ("));
}

#[test]
fn figures_are_made_as_they_are_wanted() {
    let place = with_runs(&["2e6"]);
    let plot = |more: &[&str]| {
        place.succeeds(&with_words(
            &["plot", "2e6", "energy_bend", "--out", "a.svg"],
            more,
        ));
        place.read("a.svg")
    };
    let plain = plot(&[]);
    assert!(
        plain.contains("width=\"330pt\" height=\"240pt\""),
        "{plain}"
    );
    let svg = plot(&["--size", "86x60", "--title", "Under its weight"]);
    assert!(
        svg.contains("width=\"243.78pt\" height=\"170.08pt\""),
        "{svg}"
    );
    assert!(svg.contains("<title>Under its weight</title>"), "{svg}");
    let svg = plot(&["--xlim", "0..20 ms", "--ylim", "-1..1 mJ"]);
    assert!(
        svg.contains("aria-label=\"20\"") && svg.contains("aria-label=\"−1.0\""),
        "{svg}"
    );
    let svg = plot(&["--style", "talk", "--markers"]);
    assert!(
        svg.contains("width=\"470pt\"") && svg.matches("<circle").count() > 5,
        "{svg}"
    );
    let legend = |place_of: &str| {
        let words = ["--curves", "all", "--legend", place_of];
        place.succeeds(&with_words(&["plot", "2e6", "--out", "b.svg"], &words));
        place.read("b.svg")
    };
    assert!(legend("beside") != legend("below") && !legend("none").contains("Bending"));
}

fn with_words<'a>(words: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [words, more].concat()
}

/// Where nothing lies between limits, it is told where something does, and no option is to be left out
/// that was not given.
#[test]
fn where_there_is_something_to_draw_is_told() {
    let place = with_runs(&["2e6"]);
    let limited = ["plot", "2e6", "energy_bend", "--xlim", "5..6"];
    let errors = place.fails(2, &limited);
    let words = "has values from 0 to 0.05 s: choose `--xlim FROM..TO` such that some lie between";
    assert!(errors.contains(words), "{errors}");
    assert!(!errors.contains("--log"), "{errors}");
    // On a logarithmic axis there is no 0.
    let errors = place.fails(2, &with_words(&limited, &["--log", "x"]));
    assert!(errors.contains("from 0.005 to 0.05 s"), "{errors}");
    // A run that was killed before its first row.
    let table = place.read("2e6/observables.csv");
    let titles = table.lines().next().unwrap();
    place.write("2e6/observables.csv", &format!("{titles}\n"));
    std::fs::remove_file(place.path("2e6/summary.json")).unwrap();
    let errors = place.fails(2, &["plot", "2e6", "energy_bend"]);
    assert!(
        errors.contains("the run in `2e6` has no frame yet") && !errors.contains("--log"),
        "{errors}"
    );
}

#[test]
fn means_have_units() {
    let place = with_runs(&["2e6"]);
    let plot = |mean: &str, out: &str| {
        place.succeeds(&["plot", "2e6", "energy_bend", "--mean", mean, "--out", out]);
        place.read(out)
    };
    assert!(plot("10 ms", "a.svg") == plot("0.01", "b.svg"));
    let errors = place.fails(2, &["plot", "2e6", "--mean", "1 kg"]);
    assert!(errors.contains("where a time (s) is wanted"), "{errors}");
}

#[test]
fn what_cannot_be_plotted_is_told() {
    let place = with_runs(&["2e6"]);
    for (args, words) in [
        (&["plot", "nowhere"][..], "nowhere"),
        (
            &["plot", "2e6", "energy_bent"],
            "did you mean `energy_bend`",
        ),
        (&["plot", "2e6", "pull_fors"], "`pull_fors` is neither"),
        (&["plot", "2e6", "--against", "x"], "`--against x`"),
        (&["plot", "2e6", "--size", "86"], "86x60"),
        (
            &["plot", "2e6", "--size", "-5x60"],
            "'-5x60' for '--size <WxH>': write it as WIDTHxHEIGHT",
        ),
        (
            &["plot", "2e6", "--size", "30x30"],
            "each panel needs 40x28",
        ),
        (&["plot", "2e6", "--xlim", "3..1"], "did you mean \"1..3\"?"),
        (&["plot", "2e6", "--xlim", "0..3 mN"], "is a force"),
        (
            &["plot", "2e6", "energy_bend", "momentum", "--ylim", "0..1"],
            "fits one unit",
        ),
        (&["plot", "2e6", "--xlim", "50..60"], "between the limits"),
        (&["plot", "2e6", "--curves", "0"], "`all`"),
        (&["plot", "2e6", "--legend", "top"], "beside"),
        (&["plot", "2e6", "--style", "poster"], "talk"),
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
