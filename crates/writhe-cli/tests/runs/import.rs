//! `writhe import`: option files of the authors' programs and shapes, with our own numbers.

use crate::common;
use common::{CANTILEVER_SHORT, Place, text, with};

/// Two thirds of a circle of radius 5 cm: 61 rows x y z theta.
fn shape() -> String {
    let row = |i: i32| {
        let (sin, cos) = (f64::from(i - 30) * std::f64::consts::TAU / 90.0).sin_cos();
        format!("{:e} {:e} 0.0 0.125\n", -0.05 * cos, 0.05 * sin)
    };
    (0..=60).map(row).collect()
}

/// A rod along y, straight but for a bump.
fn bumped(nodes: usize) -> String {
    (0..nodes)
        .map(|i| {
            let u = i as f64 / (nodes - 1) as f64;
            let within = (2..nodes - 2).contains(&i);
            let x = if within {
                0.02 * (std::f64::consts::PI * u).sin()
            } else {
                0.0
            };
            format!("{x:e} {:e} 0.0 0.25\n", 0.3 * u)
        })
        .collect()
}

const KNOT: &str = "# knot, our own numbers
RodLength          0.31
numVertices        41
rodRadius          0.002
helixradius        0.01
density            1200
youngM             2e5
Poisson            0.45
tol                1.0e-3
gVector            0.0 0.0 -1.5
viscosity          0.03
render             1
waitTime           0.1
pullTime           0.2
releaseTime        0.1
pullSpeed          0.004
deltaTime          5e-3
delta              4e-4
mu                 0.25
nu                 2e-4
knotConfig         bump
colour             blue
";

/// Value of a key of the resolved scene.
fn resolved(place: &Place, run: &str) -> toml::Table {
    place.read(&format!("{run}/scene.toml")).parse().unwrap()
}

/// The authors' contact tolerance is coarse, and the run says so and nothing else.
fn runs_with_the_authors_tolerance(place: &Place) {
    let run = place.run(&["run", "my.toml", "--out", "r"]);
    let warned = text(&run.stderr);
    assert!(run.status.success(), "{warned}");
    assert!(
        warned.starts_with("warning: contact.tolerance") && warned.lines().count() == 1,
        "{warned}"
    );
}

#[test]
fn an_option_file_of_a_knot_runs() {
    let place = Place::new();
    place.write("option.txt", KNOT);
    std::fs::create_dir(place.path("knot_configurations")).unwrap();
    place.write("knot_configurations/bump", &bumped(41));
    let output = place.run(&["import", "option.txt", "-o", "my.toml"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("Wrote my.toml"));
    let notes = text(&output.stderr);
    for words in [
        "unknown key `colour` on line 22 (value blue)",
        "`render 1` is not carried over",
        "`helixradius 0.01` is not carried over",
        "`tol 1.0e-3` is not carried over",
        "friction acts from the start",
    ] {
        assert!(notes.contains(words), "{notes}");
        assert!(place.read("my.toml").contains(words), "at the head, too");
    }
    assert!(!notes.contains("`nu"), "it is carried over: {notes}");
    assert!(place.succeeds(&["check", "my.toml"]).contains("Knot bump"));
    runs_with_the_authors_tolerance(&place);
    let scene = resolved(&place, "r");
    let number = |section: &str, key: &str| scene[section][key].as_float().unwrap();
    assert!((number("time", "duration") - 0.4).abs() < 1e-12);
    assert_eq!(number("time", "step"), 5e-3);
    assert_eq!(scene["time"]["scheme"].as_str(), Some("backward-euler"));
    assert_eq!(scene["time"]["settle"].as_bool(), Some(false));
    assert_eq!(number("contact", "friction"), 0.25);
    assert!((number("contact", "tolerance") - 0.2).abs() < 1e-12);
    assert_eq!(number("contact", "slip_tolerance"), 2e-4);
    assert_eq!(scene["contact"]["friction_on_twist"].as_bool(), Some(false));
    assert_eq!(number("damping", "viscosity"), 0.03);
    assert_eq!(scene["gravity"]["acceleration"][2].as_float(), Some(-1.5));
    // Ends go out by .004 m/s x .2 s and come back half way.
    let path = scene["rods"][0]["clamps"][0]["motion"]["path"]
        .as_array()
        .unwrap();
    let rows: Vec<Vec<f64>> = path
        .iter()
        .map(|row| {
            row.as_array()
                .unwrap()
                .iter()
                .map(|x| x.as_float().unwrap())
                .collect()
        })
        .collect();
    let wanted = [[0.0, 0.0], [0.1, 0.0], [0.3, -8e-4], [0.4, -4e-4]];
    for (row, [time, y]) in rows.iter().zip(wanted) {
        assert!(
            (row[0] - time).abs() < 1e-12 && (row[2] - y).abs() < 1e-12,
            "{rows:?}"
        );
        assert!(row[1] == 0.0 && row[3] == 0.0);
    }
    assert_eq!(rows.len(), 4);
}

#[test]
fn an_option_file_of_the_smoothed_energy_keeps_its_model() {
    let place = Place::new();
    let options = KNOT
        .replace(
            "delta              4e-4",
            "col 0.12\nS 500\nce_k 40\ncontactMode 2\nlimit 12\ncon 1e-4",
        )
        .replace("mu                 0.25", "mu_k 0.15\nfriction 1")
        .replace("colour             blue\n", "");
    place.write("option.txt", &options);
    place.write("bump", &bumped(41));
    let output = place.run(&["import", "option.txt"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let scene: toml::Table = text(&output.stdout).parse().unwrap();
    let contact = &scene["contact"];
    assert_eq!(contact["model"].as_str(), Some("imc-smooth"));
    assert_eq!(contact["tolerance"].as_float(), Some(0.12));
    assert_eq!(contact["energy_sharpness"].as_float(), Some(40.0));
    assert_eq!(contact["friction"].as_float(), Some(0.15));
    assert_eq!(contact["jacobian"]["hybrid"].as_integer(), Some(12));
    let notes = text(&output.stderr);
    assert!(notes.contains("`con 1e-4` is not carried over"), "{notes}");
    assert!(!notes.contains("unknown key"), "{notes}");
    place.write("my.toml", &text(&output.stdout));
    place.succeeds(&["check", "my.toml"]);
}

const FLAGELLA: &str = "helixRadius 0.012
helixPitch 0.06
numFlagella 3
rodRadius 1.2e-3
youngM 2.0e6
Poisson 0.5
deltaTime 2e-3
totalTime 0.02
tol 1.0e-3
density 9000
gVector 0.0 0.0 -0.0
viscosity 0.8
epsilon 1.3e-3
axisLengthInput 0.12
deltaLengthInput 6e-3
distance 0.04
omega 12
mu 0.1
nu 1e-4
delta 2e-5
colLimit 2e-3
lineSearch 1
ipc 0
";

#[test]
fn an_option_file_of_flagella_runs() {
    let place = Place::new();
    place.write("option.txt", FLAGELLA);
    let output = place.run(&["import", "option.txt", "-o", "my.toml"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let notes = text(&output.stderr);
    assert!(
        notes.contains("`omega 12` is taken for turns per minute"),
        "{notes}"
    );
    assert!(!notes.contains("unknown key"), "{notes}");
    runs_with_the_authors_tolerance(&place);
    let scene = resolved(&place, "r");
    let of = |section: &str, key: &str| scene[section][key].as_float().unwrap();
    assert_eq!(scene["scene"]["count"].as_integer(), Some(3));
    // Two turns of a helix, contour 2 sqrt((2 pi a)^2 + p^2) = .1926 m.
    assert_eq!(scene["scene"]["edges"].as_integer(), Some(32));
    assert!((of("scene", "speed") - 12.0 * std::f64::consts::TAU / 60.0).abs() < 1e-12);
    assert_eq!(scene["scene"]["equal_masses"].as_bool(), Some(true));
    assert!((of("fluid", "regularisation") - 1.3 / 1.2).abs() < 1e-12);
    assert_eq!(scene["fluid"]["coupling"].as_str(), Some("lagged"));
    assert!((of("contact", "tolerance") - 2e-5 / 1.2e-3).abs() < 1e-12);

    place.write("ipc.txt", &FLAGELLA.replace("ipc 0", "ipc 1"));
    let output = place.run(&["import", "ipc.txt"]);
    let scene: toml::Table = text(&output.stdout).parse().unwrap();
    assert_eq!(scene["contact"]["model"].as_str(), Some("ipc"));
    assert_eq!(scene["contact"]["friction"].as_float(), Some(0.0));
    assert!(text(&output.stderr).contains("`mu 0.1` is off"));
}

#[test]
fn a_shape_alone_is_a_knot_a_rod_or_a_ring() {
    let place = Place::new();
    place.write("shape", &shape());
    for (kind, words) in [("knot", "clamp"), ("rod", "open"), ("ring", "closed")] {
        let file = format!("{kind}.toml");
        let output = place.run(&["import", "shape", "--as", kind, "-o", &file]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert!(text(&output.stderr).contains("says nothing of radius and material"));
        let check = place.succeeds(&["check", &file]);
        assert!(check.contains(words), "{check}");
    }
    // The ends of a knot move along their own edges, outwards.
    let scene: toml::Table = place.read("knot.toml").parse().unwrap();
    let numbers = |row: &toml::Value| -> Vec<f64> {
        let row = row.as_array().unwrap();
        row.iter().map(|x| x.as_float().unwrap()).collect()
    };
    let clamps = scene["rods"][0]["clamps"].as_array().unwrap();
    let nodes = scene["rods"][0]["shape"]["nodes"].as_array().unwrap();
    for (clamp, [end, before]) in clamps.iter().zip([[0, 1], [60, 59]]) {
        let row = numbers(&clamp["motion"]["path"][2]);
        let (end, before) = (numbers(&nodes[end]), numbers(&nodes[before]));
        let along = [end[0] - before[0], end[1] - before[1]];
        let length = along[0].hypot(along[1]);
        let contour = 60.0 * 0.1 * (std::f64::consts::PI / 90.0).sin();
        let way = 0.5 * (contour - 0.1 * (std::f64::consts::TAU / 3.0).sin());
        for k in 0..2 {
            assert!(
                (row[k + 1] - way * along[k] / length).abs() < 1e-9,
                "{row:?}"
            );
        }
    }
    // Without -o the scene is printed, and that is the same one.
    let output = place.run(&["import", "shape", "--as", "knot"]);
    assert_eq!(text(&output.stdout), place.read("knot.toml"));
}

#[test]
fn what_cannot_be_imported_is_refused_with_a_remedy() {
    let place = Place::new();
    place.write("bump", &bumped(41));
    let knot = |from: &str, to: &str| {
        assert!(KNOT.contains(from));
        place.write("option.txt", &KNOT.replace(from, to));
        place.fails(2, &["import", "option.txt"])
    };
    for (from, to, words) in [
        (
            "knotConfig         bump",
            "knotConfig gone",
            "names the shape `gone`",
        ),
        (
            "youngM             2e5",
            "youngM soft",
            "`youngM` is soft: it must be a finite number",
        ),
        (
            "rodRadius          0.002",
            "rodRadius -1",
            "`rodRadius` is -1",
        ),
        ("density            1200\n", "", "has no `density`"),
        (
            "gVector            0.0 0.0 -1.5",
            "gVector 0 0",
            "3 finite numbers",
        ),
        ("numVertices        41", "numVertices 99", "from 3 to 41"),
        (
            "pullTime           0.2",
            "pullTime",
            "`pullTime` has no value",
        ),
        ("Poisson            0.45", "Poisson 2", "poisson"),
        (
            "pullSpeed          0.004",
            "pullSpeed 1e999",
            "finite number",
        ),
    ] {
        let errors = knot(from, to);
        assert!(errors.contains(words), "{words}: {errors}");
        assert!(errors.contains("help"), "{errors}");
    }
    for (name, content, words) in [
        ("none.txt", "alpha 1\n", "names neither a knot"),
        ("both.txt", "omega 1\npullSpeed 2\n", "keys of two programs"),
        ("rows", "0 0 0\n0 0 a\n", "line 2"),
        ("few", "0 0 0\n0 0 1\n", "at least 3"),
        (
            "large",
            "# a shape\n0 0 0\n0 0 1\n0 0 2\n1e300 0 0\n",
            "large, line 5: the coordinate 1e300 is too large",
        ),
        ("empty", "", "at least 3"),
    ] {
        place.write(name, content);
        let errors = place.fails(2, &["import", name]);
        assert!(errors.contains(words), "{name}: {errors}");
    }
    let straight: String = (0..20).map(|i| format!("0 0 {i}e-2\n")).collect();
    place.write("straight", &straight);
    let errors = place.fails(2, &["import", "straight"]);
    assert!(
        errors.contains("nothing to pull") && errors.contains("--as rod"),
        "{errors}"
    );
    let output = place.run(&["import", "straight", "--as", "rod"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let errors = place.fails(2, &["import", "missing.txt"]);
    assert!(
        errors.contains("missing.txt") && errors.contains("check the name"),
        "{errors}"
    );
    place.write("option.txt", KNOT);
    let errors = place.fails(2, &["import", "option.txt", "--as", "knot"]);
    assert!(errors.contains("--as"), "{errors}");
    let errors = place.fails(2, &["import", "option.txt", "-o", "bump"]);
    assert!(errors.contains("is there already"), "{errors}");
    assert_eq!(place.read("bump"), bumped(41));
}

/// What is imported and what a run has written are there no more where a scene takes their place:
/// `--force` does not mean them.
#[test]
fn no_scene_replaces_what_it_is_made_of_or_a_file_of_a_run() {
    let place = Place::with_scene("cantilever");
    place.write("shape", &shape());
    let import = ["import", "shape", "--as", "rod", "-o"];
    let to = |out: &str, more: &[&str]| place.run(&[&import[..], &[out], more].concat());
    for more in [&["--force"][..], &[]] {
        let output = to("./shape", more);
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(
            told.contains("`./shape` is the file that is imported") && told.contains("-o"),
            "{told}"
        );
        assert_eq!(place.read("shape"), shape());
    }
    place.succeeds(&with(&["run", "my.toml", "--out", "r"], CANTILEVER_SHORT));
    for out in [
        "r/summary.json",
        "r/trajectory.zarr/zarr.json",
        "r/functions.json",
        "r/scene.toml",
    ] {
        // Of a run that cannot be read, too.
        if out == "r/scene.toml" {
            place.write("r/observables.csv", "t [s]\n");
        }
        let before = std::fs::read(place.path(out)).ok();
        let output = to(out, &["--force"]);
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{told}");
        let words = format!("`{out}` is a file of a run, which the scene would replace");
        assert!(told.contains(&words), "{told}");
        assert_eq!(std::fs::read(place.path(out)).ok(), before);
    }
    // Beside them there is room.
    assert!(to("r/mine.toml", &[]).status.success());
    assert!(to("r/mine.toml", &["--force"]).status.success());
}

/// A table with titles is for a scene, which knows its columns by them.
#[test]
fn a_table_with_titles_is_told_from_an_option_file() {
    let place = Place::new();
    let table = include_str!("../../../../examples/problems/spring.csv");
    place.write("spring.csv", table);
    for more in [&["--as", "rod"][..], &[]] {
        let errors = place.fails(2, &[&["import", "spring.csv"], more].concat());
        for words in [
            "spring.csv is a table with a header, `s [mm],x,y,z,radius [mm]`",
            "three coordinates in metres, x y z, on each line",
            "shape = { file = \"spring.csv\" }",
            "examples/problems/spring.toml",
        ] {
            assert!(errors.contains(words), "{words}: {errors}");
        }
    }
    // Titles that are those of a shape, are.
    let columns = table.lines().skip(2).map(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        format!("{}\n", cells[1..4].join(","))
    });
    place.write(
        "shape.csv",
        &format!("x,y,z\n{}", columns.collect::<String>()),
    );
    let output = place.run(&["import", "shape.csv", "--as", "rod"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    // The shape of an option file is read in the same way.
    place.write("option.txt", KNOT);
    place.write("bump", &format!("{}0 1e7 0\n", bumped(41)));
    let errors = place.fails(2, &["import", "option.txt"]);
    assert!(
        errors.contains("bump, line 42: the coordinate 1e7 is too large"),
        "{errors}"
    );
}
