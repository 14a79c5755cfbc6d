//! Every kind of mistake in keys and values: file, key, value and remedy in one message.

use crate::common;
use common::{ROD, check};
use writhe_scenes::Scene;

#[test]
fn not_toml() {
    check(
        "[scene]\nname = flagella",
        "",
        &["not TOML", "need quotes"],
        "flagella",
    );
}

#[test]
fn unknown_keys() {
    check(
        "[scene]\nname = \"flagella\"\nspede = 3",
        "scene.spede",
        &["no key `spede`", "did you mean `speed`?", "`helix_radius`"],
        "spede",
    );
    check(
        &format!("{ROD}[contact]\nfricton = 0.3"),
        "contact.fricton",
        &[
            "did you mean `friction`?",
            "the keys here are `model`, `tolerance`",
        ],
        "fricton",
    );
    check(
        &format!("{ROD}clamp = []"),
        "rods[0].clamp",
        &["did you mean `clamps`?"],
        "clamp",
    );
    check(
        &format!("{ROD}[tiem]\nstep = 1"),
        "tiem",
        &["did you mean `time`?"],
        "tiem",
    );
    check(
        &ROD.replace("edges = 10", "edges = 10, zzz = 1"),
        "rods[0].shape.straight.zzz",
        &["the keys here are `from`, `to`, `edges`"],
        "zzz",
    );
}

/// Behind a section, a key is one of that section: TOML's first trap.
#[test]
fn keys_of_the_scene_stand_above_its_sections() {
    let above = "is a key of the scene itself: write it above the first [section] of the file";
    check(
        &format!("{ROD}[time]\nstep = 1e-3\nweld_crossings = true"),
        "time.weld_crossings",
        &["there is no key `weld_crossings` here", above],
        "weld_crossings",
    );
    check(
        &format!("{ROD}perturbation = 1e-6"),
        "rods[0].perturbation",
        &[above],
        "perturbation",
    );
    check(
        &format!("gravity = [0, 0, -9.81]\n{ROD}"),
        "gravity",
        &["write { acceleration = [0, 0, -9.81] }"],
        "[0, 0, -9.81]",
    );
    // What is set where rods are listed.
    let mut scene = Scene::parse(ROD, "my.toml").unwrap();
    let told = scene.set("scene.young=1").unwrap_err().to_string();
    for part in ["the scene has no [scene]", "rods[0].material.young"] {
        assert!(told.contains(part), "{told}");
    }
}

#[test]
fn unknown_words() {
    check(
        "[scene]\nname = \"flagela\"",
        "scene.name",
        &[
            "`flagela` is not one of the choices",
            "did you mean `flagella`?",
            "`ring`",
        ],
        "\"flagela\"",
    );
    check(
        &format!("{ROD}[time]\nscheme = \"bdf3\""),
        "time.scheme",
        &["`bdf3`", "did you mean `bdf2`?"],
        "\"bdf3\"",
    );
    check(
        &format!("{ROD}[contact]\nmodel = \"ipx\""),
        "contact.model",
        &["`ipx`", "did you mean `ipc`?"],
        "\"ipx\"",
    );
}

#[test]
fn wrong_units() {
    check(
        "[scene]\nname = \"flagella\"\nspeed = \"15 mm\"",
        "scene.speed",
        &[
            "`15 mm` is a length (m)",
            "where a rotation speed (rad/s) is wanted",
            "\"15 rpm\"",
        ],
        "\"15 mm\"",
    );
    check(
        "[scene]\nname = \"flagella\"\nspeed = \"15 Hz\"",
        "scene.speed",
        &[
            "Hz says neither radians nor turns",
            "write a rotation speed, such as \"15 rpm\"",
        ],
        "\"15 Hz\"",
    );
    check(
        &ROD.replace("3 MPa", "3 Mpa"),
        "rods[0].material.young",
        &[
            "`3 Mpa` is not a quantity",
            "did you mean `MPa`?",
            "a bare number in Pa",
        ],
        "\"3 Mpa\"",
    );
    check(
        &format!("{ROD}[fluid]\nmodel = \"stokeslet-segments\"\nviscosity = \"1 Pa\""),
        "fluid.viscosity",
        &["`1 Pa` is a pressure", "where a viscosity", "\"0.1 Pa s\""],
        "\"1 Pa\"",
    );
}

#[test]
fn wrong_types() {
    check(
        &format!("{ROD}[time]\nstep = true"),
        "time.step",
        &[
            "true is not a time (s)",
            "write a time (s), such as \"20 ms\"",
        ],
        "true",
    );
    check(
        &format!("{ROD}[time]\nadaptive = 1"),
        "time.adaptive",
        &["1 is not true or false"],
        "1",
    );
    check(
        &ROD.replace("edges = 10", "edges = 10.5"),
        "rods[0].shape.straight.edges",
        &["10.5 is not a whole number"],
        "10.5",
    );
    check(
        &ROD.replace("to = [0.2, 0, 0]", "to = [0.2, 0]"),
        "rods[0].shape.straight.to",
        &["a list of 2 is not a list of 3, each a length"],
        "[0.2, 0]",
    );
    check("rods = 3", "rods", &["3 is not a list"], "3");
    check(
        "[scene]\nname = \"ring\"\n[time]\nstep = []",
        "time.step",
        &["a list of 0"],
        "[]",
    );
    check("scene = 1", "scene", &["1 is not a table"], "1");
    check(
        &format!("{ROD}[[rods.clamps]]\nedge = 0\nmotion = {{ velocity = [0,0,1], path = [] }}"),
        "rods[0].clamps[0].motion",
        &["`velocity` and `path` exclude each other", "keep one"],
        "{ velocity",
    );
}

#[test]
fn values_out_of_range() {
    for (from, to, key, value) in [
        ("\"1 mm\"", "0", "rods[0].section.circle.radius", "0"),
        (
            "\"1 mm\"",
            "\"-1 mm\"",
            "rods[0].section.circle.radius",
            "\"-1 mm\"",
        ),
        ("\"3 MPa\"", "-3e6", "rods[0].material.young", "-3e6"),
        (
            "density = 1000",
            "density = 0",
            "rods[0].material.density",
            "0",
        ),
    ] {
        check(
            &ROD.replace(from, to),
            key,
            &["must be greater than zero", "choose a value"],
            value,
        );
    }
    check(
        &ROD.replace("poisson = 0.5", "poisson = 0.7"),
        "rods[0].material.poisson",
        &["the value is 0.7", "greater than -1 and at most 0.5"],
        "0.7",
    );
    for (section, value, key) in [
        ("[time]\nstep = 0", "0", "time.step"),
        ("[time]\nduration = -1", "-1", "time.duration"),
        (
            "[contact]\nslip_tolerance = 0",
            "0",
            "contact.slip_tolerance",
        ),
        ("[contact]\nstiffness = -1.0", "-1.0", "contact.stiffness"),
        ("[contact]\npresliding = 0.0", "0.0", "contact.presliding"),
        ("[output]\nevery = 0", "0", "output.every"),
    ] {
        check(
            &format!("{ROD}{section}"),
            key,
            &["greater than zero"],
            value,
        );
    }
    for (model, key) in [
        ("imc", "energy_sharpness"),
        ("imc", "slip_limit"),
        ("imc-smooth", "slip_tolerance"),
        ("spillmann-teschner", "stiffness"),
        ("spillmann-teschner", "slip_tolerance"),
    ] {
        check(
            &format!("{ROD}[contact]\nmodel = \"{model}\"\n{key} = 17"),
            &format!("contact.{key}"),
            &["means nothing with the contact model", model],
            "17",
        );
    }
    for model in ["imc-smooth", "ipc", "spillmann-teschner"] {
        check(
            &format!("{ROD}[contact]\nmodel = \"{model}\"\n[time]\nscheme = \"implicit-midpoint\""),
            "contact.model",
            &["implicit-midpoint", model, "choose the scheme"],
            &format!("\"{model}\""),
        );
    }
    check(
        &format!("{ROD}[contact]\nmodel = \"imc-smooth\"\nfriction_on_twist = true"),
        "contact.friction_on_twist",
        &["means nothing with the contact model", "imc-smooth"],
        "true",
    );
    check(
        &format!("{ROD}[contact]\nmodel = \"imc-smooth\"\nstiffness = {{ largest_force = 1e5 }}"),
        "contact.model",
        &["cannot be used together with", "automatic"],
        "\"imc-smooth\"",
    );
    check(
        &format!("{ROD}[contact]\nfriction = -0.1"),
        "contact.friction",
        &["the value is -0.1", "from 0 to 100"],
        "-0.1",
    );
    check(
        &format!("{ROD}[contact]\ntolerance = 1e-5\nfriction = 0\n[damping]\nviscosity = -1"),
        "damping.viscosity",
        &["zero or greater"],
        "-1",
    );
    check(
        &format!("{ROD}[time]\nsmallest_step = 1"),
        "time.smallest_step",
        &["at most the step, 0.001 s"],
        "1",
    );
    check(
        "[scene]\nname = \"flagella\"\ncount = 0",
        "scene.count",
        &["from 1 to 10000"],
        "0",
    );
    check(
        "[scene]\nname = \"flagella\"\nspeed = 0",
        "scene.speed",
        &["different from zero"],
        "0",
    );
    check(
        "[scene]\nname = \"flagella\"\nlead_in = \"21 cm\"",
        "scene.lead_in",
        &["at most axial_length = 0.2 m"],
        "\"21 cm\"",
    );
    for outside in ["-5 mm", "-25 cm", "1 mm"] {
        check(
            &format!("[scene]\nname = \"flagella\"\nclamp_plane = \"{outside}\""),
            "scene.clamp_plane",
            &["on the root: below -0.01 m, where the lead-in begins"],
            &format!("\"{outside}\""),
        );
    }
    check(
        "[scene]\nname = \"flagella\"\nlead_in_edges = 0",
        "scene.lead_in_edges",
        &["from 1 to"],
        "0",
    );
    check(
        "[scene]\nname = \"ring\"\nedges = -4",
        "scene.edges",
        &["the value is -4", "zero or greater"],
        "-4",
    );
    check(
        &format!(
            "{ROD}[[rods.clamps]]\nedge = 0\nmotion = {{ rotation = {{ axis = [0, 0, 0], speed = 1 }} }}"
        ),
        "rods[0].clamps[0].motion.rotation.axis",
        &["a direction of length greater than zero"],
        "[0, 0, 0]",
    );
    check(
        &format!(
            "{ROD}[[rods.clamps]]\nedge = 0\nmotion = {{ path = [[0, 0, 0, 0], [0, 1, 0, 0]] }}"
        ),
        "rods[0].clamps[0].motion.path",
        &["0 s after 0 s (row 1)", "times ascend"],
        "[[0, 0, 0, 0]",
    );
}

#[test]
fn nan_and_infinity() {
    for value in ["nan", "inf", "-inf"] {
        check(
            &format!("{ROD}[time]\nstep = {value}"),
            "time.step",
            &["every number must be finite"],
            value,
        );
    }
    check(
        &ROD.replace("[0.2, 0, 0]", "[0.2, nan, 0]"),
        "rods[0].shape.straight.to[1]",
        &["NaN", "finite"],
        "nan",
    );
}

#[test]
fn missing_keys() {
    check(
        "",
        "rods",
        &["`rods` is missing", "[[rods]]", "name = \"flagella\""],
        "",
    );
    check(
        "[scene]\ncount = 2",
        "scene.name",
        &["`name` is missing", "\"flagella-literal\""],
        "",
    );
    check(
        &ROD.replace("section = { circle = { radius = \"1 mm\" } }\n", ""),
        "rods[0].section",
        &["`section` is missing", "{ circle = { radius = \"1 mm\" } }"],
        "",
    );
    check(
        &ROD.replace(", poisson = 0.5", ""),
        "rods[0].material.poisson",
        &["`poisson` is missing", "or `shear`"],
        "",
    );
    check(
        &format!("{ROD}[fluid]\nmodel = \"stokeslet-segments\""),
        "fluid.viscosity",
        &["`viscosity` is missing", "\"0.1 Pa s\""],
        "",
    );
    check(
        &format!("{ROD}[time]\nscheme = \"fitted-bdf2\""),
        "time.rate",
        &["`rate` is missing", "\"15 rpm\"", "scheme = \"bdf2\""],
        "",
    );
}

#[test]
fn overrides_are_blamed_and_leave_the_scene_alone() {
    let mut scene = Scene::parse("[scene]\nname = \"flagella\"", "my.toml").expect("parses");
    let before = scene.spec.clone();
    for (assignment, parts) in [
        (
            "contact.friction=-1",
            [
                "--set contact.friction=-1: contact.friction: the value is -1",
                "from 0 to 100",
            ],
        ),
        (
            "contact.fricton=1",
            ["did you mean `friction`", "contact.fricton"],
        ),
        (
            "time.step=0,5 ms",
            [
                "`,5 ms` behind the number is no unit",
                "numbers have a decimal point",
            ],
        ),
        (
            "stop.at_rest=yes",
            [
                "stop.at_rest: \"yes\" is not true, false or a speed",
                "1 um/s",
            ],
        ),
        (
            "time.step=5 mm",
            ["`5 mm` is a length (m)", "where a time (s) is wanted"],
        ),
        ("nothing", ["`nothing` sets nothing", "key=value"]),
        ("a..b=1", ["`a..b` is not a key", "key=value"]),
        (
            "rods[0].closed=true",
            [
                "--set rods[0].closed=true: rods[0].closed: there is no list that has an entry [0]",
                "counted from 0",
            ],
        ),
        ("title.x.y=1", ["title", "is not a text"]),
    ] {
        let message = scene.set(assignment).expect_err(assignment).to_string();
        for part in parts {
            assert!(message.contains(part), "`{part}` is not in: {message}");
        }
        assert_eq!(scene.spec, before);
    }
}
