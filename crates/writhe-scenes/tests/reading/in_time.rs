//! Numbers in time and motions: sines, ramps, smooth steps, tables in files; what is wrong with
//! files.

use std::f64::consts::{PI, TAU};

use glam::DVec3;
use writhe_scenes::{Files, Scene};

/// A scene of one straight rod whose files are given by name.
fn read(rod: &str, files: &'static [(&'static str, &'static str)]) -> Result<Scene, String> {
    let text = format!(
        "[contact]\nmodel = \"none\"\n[time]\nstep = \"10 ms\"\n[[rods]]\n\
         shape = {{ straight = {{ to = [0.2, 0, 0], edges = 4 }} }}\nsection = {{ circle = {{ radius = \"1 mm\" }} }}\n\
         material = {{ young = \"1 GPa\", poisson = 0.5, density = 1000 }}\n{rod}\n"
    );
    let find = move |path: &std::path::Path| {
        let name = path.to_string_lossy().into_owned();
        let found = files.iter().find(|(known, _)| *known == name);
        found
            .map(|(_, text)| text.as_bytes().to_vec())
            .ok_or_else(|| std::io::Error::from(std::io::ErrorKind::NotFound))
    };
    Scene::parse_with(&text, "my.toml", Files::new("", find)).map_err(|e| e.to_string())
}

/// Displacement of the first node at some times, of a clamp that moves.
fn moved(
    motion: &str,
    times: &[f64],
    files: &'static [(&'static str, &'static str)],
) -> Vec<DVec3> {
    let rod = format!("clamps = [{{ edge = \"first\", motion = {motion} }}]");
    let scene = read(&rod, files).unwrap_or_else(|e| panic!("{e}"));
    // A scene reads back as it was.
    let again = Scene::parse(&scene.resolved().unwrap(), "again").unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(again.spec, scene.spec);
    let mut simulation = again.build().unwrap().begin().unwrap();
    let place = |s: &writhe::simulation::Simulation| s.model.positions(&s.state)[0];
    let start = place(&simulation);
    let mut out = Vec::new();
    for time in times {
        while simulation.state.time < time - 1e-9 {
            simulation.step_towards(*time, 1e-2).unwrap();
        }
        out.push(place(&simulation) - start);
    }
    out
}

#[test]
fn translations_follow_their_factor() {
    let by = |amplitude: &str| {
        format!("{{ translation = {{ by = [0, 0, \"2 mm\"], amplitude = {amplitude} }} }}")
    };
    let times = [0.1, 0.25, 0.4];
    type Way = fn(f64) -> f64;
    let ways: [(&str, Way); 5] = [
        (
            "{ sine = { amplitude = 1, period = \"0.5 s\", phase = \"30 deg\", mean = -0.5 } }",
            |t| -0.5 + (TAU * t / 0.5 + PI / 6.0).sin(),
        ),
        (
            "{ ramp = { to = 3, start = 0.1, duration = \"0.2 s\" } }",
            |t| 3.0 * ((t - 0.1) / 0.2).clamp(0.0, 1.0),
        ),
        ("{ smooth_step = { to = 1, duration = \"0.4 s\" } }", |t| {
            let s = t / 0.4;
            10.0 * s.powi(3) - 15.0 * s.powi(4) + 6.0 * s.powi(5)
        }),
        ("{ rate = 2 }", |t| 2.0 * t),
        ("{ table = [[0, 0], [0.2, 1], [0.4, 0]] }", |t| {
            1.0 - (t - 0.2).abs() / 0.2
        }),
    ];
    for (amplitude, wanted) in ways {
        for (t, x) in times.iter().zip(moved(&by(amplitude), &times, &[])) {
            let off = x - DVec3::Z * 2e-3 * wanted(*t);
            assert!(off.length() < 1e-12, "{amplitude} at {t}: {x}");
        }
    }
}

#[test]
fn tables_of_files_are_those_of_the_scene() {
    const FILES: &[(&str, &str)] = &[
        ("bare.csv", "0,0,0,0\n0.2,0.001,0,0.002\n0.4,0,0,0\n"),
        (
            "head.csv",
            "\u{feff}\"time\", \"x\", \"y\", \"z\"\r\n# a remark\r\n\r\n0, 0, 0, 0\r\n0.2, 0.001, 0, 0.002\r\n0.4, 0, 0, 0\r\n",
        ),
        ("blanks.txt", "t x y z\n0 0 0 0\n.2 1e-3 0 2e-3\n.4 0 0 0"),
        (
            "many.csv",
            "frame;z [mm];x;y;t [ms]\n7;0;0;0;0\n8;2;0.001;0;200\n9;0;0;0;400\n",
        ),
        ("units.csv", "0\t0\t0\t0\n200\t1\t0\t2\n400\t0\t0\t0\n"),
        ("said.csv", "0,0,0,0\n200 ms,1 mm,0,2 mm\n400 ms,0,0,0\n"),
    ];
    let times = [0.1, 0.3];
    let wanted = moved(
        "{ path = [[0, 0, 0, 0], [0.2, 0.001, 0, 0.002], [0.4, 0, 0, 0]] }",
        &times,
        &[],
    );
    assert!((wanted[0] - DVec3::new(5e-4, 0.0, 1e-3)).length() < 1e-15);
    for path in [
        "{ file = \"bare.csv\" }",
        "{ file = \"head.csv\" }",
        "{ file = \"blanks.txt\" }",
        "{ file = \"many.csv\", columns = [\"t\", \"x\", \"y\", \"z\"] }",
        "{ file = \"many.csv\", columns = [4, 2, 3, 1] }",
        "{ file = \"units.csv\", units = [\"ms\", \"mm\", \"mm\", \"mm\"] }",
        "{ file = \"said.csv\" }",
    ] {
        assert_eq!(
            moved(&format!("{{ path = {path} }}"), &times, FILES),
            wanted,
            "{path}"
        );
    }
}

#[test]
fn angles_forces_and_motors_take_them_too() {
    const FILES: &[(&str, &str)] = &[("a.csv", "t [s],angle [deg]\n0,0\n1,90\n")];
    let scene = read(
        "held_angles = [{ edge = \"last\", angle = { file = \"a.csv\" } }]\n\
         forces = [{ node = \"last\", force = [0, 0, 1], amplitude = { smooth_step = { to = 1, duration = 1 } } }]\n\
         clamps = [{ edge = \"first\", motion = { rotation = { axis = [1, 0, 0], angle = { sine = { amplitude = \"10 deg\", period = 1 } } } } }]",
        FILES,
    )
    .unwrap();
    let report = scene.describe().unwrap().to_string();
    for part in [
        "last edge: a table of 2 rows",
        "(0, 0, 1) N times 0 to 1 from t = 0 s to 1 s, smoothly on last node",
        "turns by a sine of 0.1745 rad about 0 rad with a period of 1 s",
    ] {
        assert!(report.contains(part), "`{part}` is not in\n{report}");
    }
}

#[test]
fn what_is_wrong_with_a_file_names_line_value_and_remedy() {
    const FILES: &[(&str, &str)] = &[
        ("hole.csv", "t,angle\n0,0\n1,\n2,3\n"),
        ("word.csv", "t,angle\n0,0\n1,one\n"),
        ("nan.csv", "0,0\n1,nan\n"),
        ("falls.csv", "t,angle\n0,0\n\n2,1\n1,2\n"),
        ("same.csv", "0,0\n0,1\n"),
        ("wide.csv", "t,angle,force\n0,0,1\n1,1,1\n"),
        ("narrow.csv", "0\n1\n"),
        ("ragged.csv", "0,0\n1,1,1\n"),
        ("empty.csv", "t,angle\n"),
        ("unit.csv", "t [parsec],angle\n0,0\n"),
        ("comma.csv", "0;0,5\n1;0,7\n"),
    ];
    for (angle, parts) in [
        (
            "file = \"hole.csv\"",
            &[
                "angle.file: the table `hole.csv`, line 3: column `angle` (value) is empty; write a number",
            ][..],
        ),
        (
            "file = \"word.csv\"",
            &["line 3: column `angle` (value) holds `one`, which is no number"],
        ),
        (
            "file = \"nan.csv\"",
            &["line 2: column 1, counted from 0, (value) holds `nan`, which is not finite"],
        ),
        (
            "file = \"falls.csv\"",
            &["`falls.csv`, line 5: 1 s after 2 s: times ascend from row to row; sort the rows"],
        ),
        ("file = \"same.csv\"", &["line 2: 0 s after 0 s"]),
        (
            "file = \"wide.csv\"",
            &[
                "it has 3 columns where 2 belong: time, value; say which columns are meant",
                "columns = [0, 1]",
            ],
        ),
        (
            "file = \"narrow.csv\"",
            &[
                "it has 1 column where 2 belong",
                "add columns for value; a column may be named more than once",
            ],
        ),
        (
            "file = \"ragged.csv\"",
            &["line 2: 3 columns in a table of 2; give every line 2 values"],
        ),
        ("file = \"empty.csv\"", &["no row of numbers"]),
        (
            "file = \"unit.csv\"",
            &[
                "`parsec` is no unit of a time (s)",
                "units = [\"s\", \"rad\"]",
            ],
        ),
        (
            "file = \"comma.csv\"",
            &[
                "line 1: column 1, counted from 0, (value) holds `0,5`, which is no number",
                "decimal point",
            ],
        ),
        (
            "file = \"none.csv\"",
            &["cannot read `none.csv`", "check the path"],
        ),
        (
            "file = \"wide.csv\", columns = [\"t\", \"angel\"]",
            &["angle.columns[1]: the file has no column `angel`; its columns are t, angle, force"],
        ),
        (
            "file = \"wide.csv\", columns = [0, 3]",
            &["angle.columns[1]: the value is 3", "0 to 2"],
        ),
        (
            "file = \"wide.csv\", columns = [0]",
            &["angle.columns: a list of 1 is not a list of 2"],
        ),
        (
            "file = \"wide.csv\", columns = [0, 1], units = [\"s\", \"mm\"]",
            &["angle.units[1]: `mm` is no unit of an angle (rad)"],
        ),
        (
            "table = [[0, 0]], file = \"wide.csv\"",
            &["exclude each other"],
        ),
        (
            "table = [[0, 0]], value = 1",
            &["`value` and `table` exclude each other"],
        ),
        (
            "sine = { amplitude = 1, period = 0 }",
            &["angle.sine.period: the value is 0", "greater than zero"],
        ),
        (
            "ramp = { to = 1, duration = -1 }",
            &["angle.ramp.duration: the value is -1"],
        ),
        (
            "sinus = { amplitude = 1, period = 1 }",
            &["did you mean `sine`?"],
        ),
    ] {
        let rod = format!("held_angles = [{{ edge = \"last\", angle = {{ {angle} }} }}]");
        let told = read(&rod, FILES).unwrap_err();
        for part in parts {
            assert!(told.contains(part), "`{part}` is not in: {told}");
        }
        assert!(
            told.starts_with("my.toml: rods[0].held_angles[0].angle"),
            "{told}"
        );
    }
}

/// What a remedy says is accepted when it is done.
#[test]
fn remedies_can_be_followed() {
    const FILES: &[(&str, &str)] = &[
        ("up.csv", "t [s],y [mm]\n0,0\n1,2\n"),
        ("all.csv", "t,a,x,y,z\n0,0,0,0,0\n1,0,1,0,0\n"),
    ];
    let moving = |motion: &str| {
        read(
            &format!("clamps = [{{ edge = \"first\", motion = {{ {motion} }} }}]"),
            FILES,
        )
    };
    // Numbers that multiply a length have none themselves.
    let along = |more: &str| {
        let by = "by = [0, \"1 mm\", 0]";
        moving(&format!(
            "translation = {{ {by}, amplitude = {{ file = \"up.csv\"{more} }} }}"
        ))
    };
    let told = along("").unwrap_err();
    for part in ["units = [\"s\", \"1\"]", "as in by = [0, \"1 mm\", 0]"] {
        assert!(told.contains(part), "{told}");
    }
    along(", units = [\"s\", \"1\"]").unwrap();
    let told = moving("path = { file = \"up.csv\" }").unwrap_err();
    for part in [
        "add columns for y, z;",
        "columns = [0, 1, 1, 1]",
        "translation = { by = ",
    ] {
        assert!(told.contains(part), "{told}");
    }
    moving("path = { file = \"up.csv\", columns = [0, 1, 1, 1] }").unwrap();
    let told = moving("path = { file = \"all.csv\" }").unwrap_err();
    assert!(told.contains("columns = [0, 1, 2, 3]"), "{told}");
    moving("path = { file = \"all.csv\", columns = [0, 1, 2, 3] }").unwrap();
    // A file that is no text.
    let text = format!("{}[[rods]]\nshape = {{ file = \"odd.csv\" }}\n", "");
    let bytes = |_: &std::path::Path| Ok(vec![0xff, 0xfe, b'1']);
    let told = Scene::parse_with(&text, "my.toml", Files::new("", bytes)).unwrap_err();
    assert!(
        told.to_string().contains("save it as text in UTF-8"),
        "{told}"
    );
}

/// Names of columns above a shape are no nodes, in a scene and in what is imported.
#[test]
fn shapes_may_have_a_header() {
    const FILES: &[(&str, &str)] = &[
        ("bare.txt", "0 0 0\n0.1 0 0\n0.2 0 0.01\n"),
        (
            "units.csv",
            "s [mm],x [mm],y [mm],z [cm]\n0,0,0,0\n1,100,0,0\n2,200,0,1\n",
        ),
        (
            "head.csv",
            "s,z,y,x\n0,0,0,0\n0.1,0,0,0.1\n0.2,0.01,0,0.2\n",
        ),
        ("wrong.csv", "x,y,z\n0,0,0\n0.1,,0\n"),
        ("other.csv", "0;0;0;7\n0;100;0;7\n10;200;0;7\n"),
    ];
    let shape = |file: &str| {
        let file = match file.starts_with('{') {
            true => file.to_owned(),
            false => format!("\"{file}\""),
        };
        let text = format!(
            "[[rods]]\nshape = {{ file = {file} }}\nsection = {{ circle = {{ radius = \"1 mm\" }} }}\n\
             material = {{ young = 1e9, poisson = 0.5, density = 1000 }}\n"
        );
        let find = |path: &std::path::Path| {
            let name = path.to_string_lossy().into_owned();
            let found = FILES.iter().find(|(known, _)| *known == name);
            Ok(found.map_or(Vec::new(), |(_, text)| text.as_bytes().to_vec()))
        };
        let scene = Scene::parse_with(&text, "my.toml", Files::new("", find));
        scene
            .map(|s| s.spec.rods[0].shape.clone())
            .map_err(|e| e.to_string())
    };
    assert_eq!(shape("bare.txt").unwrap(), shape("head.csv").unwrap());
    assert_eq!(shape("bare.txt").unwrap(), shape("units.csv").unwrap());
    // Or columns and units are said.
    let said = "{ file = \"other.csv\", columns = [1, 2, 0], units = [\"mm\", \"mm\", \"mm\"] }";
    assert_eq!(shape("bare.txt").unwrap(), shape(said).unwrap());
    let told = shape("wrong.csv").unwrap_err();
    assert!(
        told.contains("the table `wrong.csv`, line 3: column `y` is empty"),
        "{told}"
    );
    let text = "x y z\n0 0 0\n0.1 0 0\n0.2 0 0.01\n";
    assert!(!writhe_scenes::is_options(text));
    let used = writhe_scenes::ShapeUse::Rod;
    let made = writhe_scenes::import_shape(text, "a.txt", used).unwrap();
    assert!(made.toml.contains("[0.2, 0.0, 0.01]"), "{}", made.toml);
}
