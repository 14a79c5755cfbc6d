//! The scenes of `examples/problems` in which rods drive themselves or are driven by a field, each
//! with a number that is known; and what their keys refuse.

use std::fs;
use std::path::Path;

use writhe::glam::DVec3;
use writhe::simulation::Simulation;
use writhe_scenes::Scene;

fn text(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/problems");
    let text = fs::read_to_string(folder.join(name)).unwrap();
    assert!(text.lines().count() <= 25, "{name} is no short scene");
    text
}

fn begun(text: &str) -> Simulation {
    let scene = Scene::parse(text, "test").unwrap();
    scene.build().unwrap().begin().unwrap()
}

fn places(simulation: &mut Simulation, end: f64) -> Vec<DVec3> {
    simulation.run_until(end, |_, _| true).unwrap();
    simulation.model.positions(&simulation.state)
}

/// J0 by its integral.
fn bessel(x: f64) -> f64 {
    let n = 400;
    let angle = |i: i32| std::f64::consts::PI * (f64::from(i) + 0.5) / f64::from(n);
    (0..n).map(|i| (x * angle(i).sin()).cos()).sum::<f64>() / f64::from(n)
}

/// Lighthill 1976, SIAM Review 18, 161: an endless wave of a fixed shape, with the mean b of the square
/// of the cosine of its slope, moves at `U/V = (c - 1)(1 - b)/(1 + (c - 1)(1 - b))`, c the drag across
/// over that along; V is the speed of the wave along its axis.
#[test]
fn the_snake_advances_by_its_wave() {
    let (curvature, wavelength, ratio) = (20.0, 0.25, 10.0);
    let slope = curvature * wavelength / std::f64::consts::TAU;
    let across = 1.0 - 0.5 * (1.0 + bessel(2.0 * slope));
    let gain = (ratio - 1.0) * across;
    let wave = wavelength * bessel(slope);
    let expected = wave * gain / (1.0 + gain);
    let mut simulation = begun(&text("snake.toml"));
    let middle = |nodes: Vec<DVec3>| nodes.iter().sum::<DVec3>() / nodes.len() as f64;
    let [first, last] = [3.0, 5.0].map(|end| middle(places(&mut simulation, end)));
    let found = (last - first).length() / 2.0;
    let works = simulation.state.ledger.works;
    println!("{found} m/s, endless {expected} m/s, of {wave}; {works:?}");
    assert!((found / expected - 1.0).abs() < 0.02, "{found} {expected}");
    // Muscles do all the work, drag and dashpots take it.
    assert!(works.motors > 0.0 && works.drag > 0.5 * works.motors);
    let left = simulation.state.ledger.scheme / simulation.state.ledger.scale();
    assert!(left.abs() < 2e-2, "{left}");
}

/// A tendon at a distance d that pulls by T stands as a curvature T d/(EI) and a stretch -T/(EA) at rest
/// (`docs/book/src/active-rods.md`): an arc of a circle, here of .815 rad.
#[test]
fn a_tendon_bends_a_finger_to_an_arc() {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/book/src/active-rods.md");
    let page = fs::read_to_string(book).unwrap();
    let blocks = page.split("```toml\n").skip(1);
    let mut scenes = blocks.map(|block| block.split("```").next().unwrap());
    let scene = scenes.find(|scene| scene.contains("tendon")).unwrap();
    let end = *places(&mut begun(scene), 2.0).last().unwrap();
    let (length, angle) = (0.1 * (1.0 - 0.0255), 0.815_f64);
    let arc = length / angle * DVec3::new(angle.sin(), 0.0, 1.0 - angle.cos());
    assert!((end - arc).length() < 5e-4 * length, "{end} {arc}");
}

/// The elastica of Wang et al. 2020, by shooting.
#[test]
fn the_strip_bends_into_the_field() {
    let length: f64 = 0.02;
    let (width, thickness) = (2e-3, 1e-3);
    let rigidity = 3e5 * width * f64::powi(thickness, 3) / 12.0;
    let strength = width * thickness * 6e4 * 0.005 / rigidity;
    let shoot = |bend: f64| {
        let steps = 4000;
        let h = length / f64::from(steps);
        let (mut y, half) = ([0.0, bend, 0.0, 0.0], 0.5 * h);
        let slope = |y: [f64; 4]| [y[1], -strength * y[0].cos(), y[0].cos(), y[0].sin()];
        let on = |y: [f64; 4], k: [f64; 4], h: f64| [0, 1, 2, 3].map(|i| y[i] + h * k[i]);
        for _ in 0..steps {
            y = on(y, slope(on(y, slope(y), half)), h);
        }
        y
    };
    let (mut low, mut high) = (0.0, 200.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if shoot(middle)[1] > 0.0 {
            high = middle;
        } else {
            low = middle;
        }
    }
    let [angle, _, x, y] = shoot(low);
    let mut simulation = begun(&text("magnetic.toml"));
    let nodes = places(&mut simulation, 2.0);
    // Edges end half an edge behind and before the ends of what the clamp holds.
    let [before, last] = [nodes[nodes.len() - 2], nodes[nodes.len() - 1]];
    println!("{last} after {before}, elastica {x} {y} at {angle} rad");
    let exact = DVec3::new(x, y, 0.0);
    assert!((last - exact).length() < 5e-4 * length, "{last} {exact}");
    assert!(y > 0.3 * length);
}

/// Rest is waited for where something is still to come, and `check` says where it never does.
#[test]
fn what_changes_for_ever_is_told_where_rest_is_wanted() {
    let told = |more: &str| {
        let text = format!(
            "[[rods]]\nshape = {{ straight = {{ to = [1, 0, 0], edges = 8 }} }}\nsection = {{ circle = {{ radius = 0.01 }} }}\n\
             material = {{ young = 1e6, poisson = 0.5, density = 1000 }}\n{more}\n[stop]\nat_rest = true\n[time]\nduration = 5\n"
        );
        let scene = Scene::parse(&text, "test").unwrap_or_else(|e| panic!("{e}"));
        let until = scene.build().unwrap().model.changes_until();
        (until, scene.describe().unwrap().to_string())
    };
    let force = |amplitude: &str| {
        format!("forces = [{{ node = \"last\", force = [0, 0, 1], amplitude = {amplitude} }}]")
    };
    let clamp = |motion: &str| format!("clamps = [{{ edge = 0, motion = {motion} }}]");
    for (more, end) in [
        (force("2"), 0.0),
        (force("{ ramp = { to = 1, start = 1, duration = 2 } }"), 3.0),
        (force("{ table = [[0, 0], [2, 1], [4, 1]] }"), 2.0),
        (
            force("{ sine = { amplitude = 1, period = 1 } }"),
            f64::INFINITY,
        ),
        (
            clamp(
                "{ translation = { by = [1, 0, 0], amplitude = { smooth_step = { to = 1, duration = 4 } } } }",
            ),
            4.0,
        ),
        (
            clamp("{ rotation = { axis = [1, 0, 0], speed = 1 } }"),
            f64::INFINITY,
        ),
        (
            "driven = [{ strain = \"twist\", amplitude = 1, ramp = 6 }]".to_owned(),
            6.0,
        ),
        (
            "driven = [{ strain = \"twist\", amplitude = 1, period = 1 }]".to_owned(),
            f64::INFINITY,
        ),
        (
            "magnetisation = [[0, 0, 1]]\n[magnetic_field]\nfield = [0, 0, 1]\nspeed = 1"
                .to_owned(),
            f64::INFINITY,
        ),
    ] {
        let (until, report) = told(&more);
        assert_eq!(until, end, "{more}");
        let remark = match end {
            f64::INFINITY => "change for ever",
            6.0 => "change until t = 6 s",
            _ => {
                assert!(!report.contains("warning: stop.at_rest"), "{report}");
                // That frames are rare is noted.
                assert!(
                    report.contains("note: output.every: frames are"),
                    "{report}"
                );
                continue;
            }
        };
        assert!(
            report.contains("warning: stop.at_rest") && report.contains(remark),
            "{report}"
        );
    }
}

/// A table from a file is refused by its line, with what is wrong there.
#[test]
fn a_hole_in_the_file_of_a_driven_strain_is_told_by_its_line() {
    let text = "[[rods]]\nshape = { straight = { to = [1, 0, 0], edges = 8 } }\nsection = { circle = { radius = 0.01 } }\n\
                material = { young = 1e6, poisson = 0.5, density = 1000 }\n\
                driven = [{ strain = \"twist\", file = \"bend.csv\" }]\n";
    let with = |table: &'static str| {
        let files = writhe_scenes::Files::new(".", move |_| Ok(table.as_bytes().to_vec()));
        let scene = Scene::parse_with(text, "test", files);
        scene.map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(with("# s and t\n0,0,0.5,1\n0,0,0,0\n1,0,3,0\n"), Ok(()));
    for (table, parts) in [
        ("0,0,0.5,1\n0,0,,0\n", ["line 2", "is empty"]),
        (
            "0,0,0.5,1\n0,0,x,0\n",
            ["line 2", "`x`, which is no number"],
        ),
        (
            "0,0,0.5,1\n0,0,0\n",
            ["line 2", "3 columns in a table of 4"],
        ),
        (
            "0,0,0.5,1\n1,0,1,0\n0,0,1,0\n",
            ["not ascending", "times that ascend"],
        ),
    ] {
        let error = with(table).unwrap_err();
        assert!(parts.iter().all(|part| error.contains(part)), "{error}");
    }
}

fn refused(rod: &str, rest: &str) -> String {
    let text = format!(
        "[[rods]]\nshape = {{ straight = {{ to = [1, 0, 0], edges = 8 }} }}\nsection = {{ circle = {{ radius = 0.01 }} }}\n\
         material = {{ young = 1e6, poisson = 0.5, density = 1000 }}\n{rod}\n{rest}\n"
    );
    let scene = Scene::parse(&text, "test");
    match scene.and_then(|scene| scene.build().map(|_| ())) {
        Ok(()) => panic!("{rod} {rest} is not refused"),
        Err(error) => format!("{}: {error}", error.key),
    }
}

#[test]
fn what_means_nothing_is_refused_by_name() {
    let wave = "strain = \"curvature1\", amplitude = 1";
    for (rod, rest, key, part) in [
        (
            "magnetisation = [[0, 0, 1]]",
            "[magnetic_field]\nfield = [\"2 mT\", 0, 0]",
            "magnetic_field.field[0]",
            "`mT` is not a unit here; a magnetic field is a plain number in T",
        ),
        (
            "twist = \"0.1*i rad\"",
            "",
            "rods[0].twist",
            "`0.1*i rad` is an expression, and only a rod with `repeat` has them",
        ),
        (
            "driven = [{ strain = \"bend\" }]",
            "",
            "rods[0].driven[0].strain",
            "curvature1",
        ),
        (
            "driven = [{ strain = \"twist\", amplitude = \"1 1/m\" }]",
            "",
            "rods[0].driven[0].amplitude",
            "angle per length",
        ),
        (
            "driven = [{ strain = \"twist\" }]",
            "",
            "rods[0].driven[0].amplitude",
            "angle per length",
        ),
        (
            "driven = [{ strain = \"twist\", amplitude = 1, wavelength = 0 }]",
            "",
            "rods[0].driven[0].wavelength",
            "other than zero",
        ),
        (
            "driven = [{ strain = \"twist\", amplitude = 1, table = [[0, 1], [0, 1]] }]",
            "",
            "rods[0].driven[0].amplitude",
            "table",
        ),
        (
            "driven = [{ strain = \"twist\", period = 1, table = [[0, 1], [0, 1]] }]",
            "",
            "rods[0].driven[0].period",
            "table",
        ),
        (
            "driven = [{ strain = \"twist\", table = [[0, 1], [0, 1, 2]] }]",
            "",
            "rods[0].driven[0].table",
            "same length",
        ),
        (
            "driven = [{ strain = \"twist\", table = [[0, 1], [1, 1], [0, 2]] }]",
            "",
            "rods[0].driven[0].table",
            "ascend",
        ),
        (
            "driven = [{ strain = \"stretch\", amplitude = 1.5 }]",
            "",
            "rods[0].driven[0]",
            "0.9",
        ),
        (
            "viscous = { bending = -1 }",
            "",
            "rods[0].viscous.bending",
            "zero or greater",
        ),
        (
            "viscous = { bending = 1 }",
            "[time]\nscheme = \"implicit-midpoint\"\n[contact]\nmodel = \"none\"",
            "rods[0].viscous",
            "to first order only",
        ),
        (
            "relaxing = { bending = 0.5 }",
            "",
            "rods[0].relaxing.time",
            "time",
        ),
        (
            "relaxing = { time = 1, bending = 1.5 }",
            "",
            "rods[0].relaxing.bending",
            "from 0 to 1",
        ),
        (
            "magnetisation = [[0, 0, 1]]",
            "",
            "rods[0].magnetisation",
            "without a field",
        ),
        (
            "",
            "[magnetic_field]\nfield = [0, 0, 1]",
            "magnetic_field",
            "no rod is magnetised",
        ),
        (
            "magnetisation = [[0, 0, 1]]",
            "[magnetic_field]\nfield = [0, 0, 1]\ngradient = [[1, 0, 0], [0, 0, 0], [0, 0, 0]]",
            "magnetic_field.gradient",
            "without trace",
        ),
        (
            "line_loads = [{ pressure = 1, force = [0, 0, 1] }]",
            "",
            "rods[0].line_loads[0].force",
            "pressure",
        ),
        (
            "line_loads = [{ amplitude = 1 }]",
            "",
            "rods[0].line_loads[0].pressure",
            "pressure",
        ),
    ] {
        let told = refused(rod, rest);
        assert!(
            told.starts_with(&format!("{key}: ")) && told.contains(part),
            "{rod} {rest}: {told}"
        );
    }
    for rest in [
        "[time]\nintegrator = \"symplectic-projected\"\n[contact]\nmodel = \"none\"",
        "bending = \"averaged\"",
    ] {
        for rod in [
            &format!("driven = [{{ {wave} }}]")[..],
            "viscous = { twisting = 1 }",
            "relaxing = { time = 1, bending = 0.1 }",
        ] {
            // Keys of the top stand before the tables.
            let told = match rest.strip_prefix("bending") {
                Some(_) => {
                    let text = format!(
                        "{rest}\n[[rods]]\nshape = {{ straight = {{ to = [1, 0, 0], edges = 8 }} }}\nsection = {{ circle = {{ radius = 0.01 }} }}\n\
                        material = {{ young = 1e6, poisson = 0.5, density = 1000 }}\n{rod}\n"
                    );
                    let scene = Scene::parse(&text, "test").unwrap();
                    scene.build().unwrap_err().to_string()
                }
                None => refused(rod, rest),
            };
            assert!(
                told.contains("cannot compute") || told.contains("cannot be used with"),
                "{told}"
            );
        }
    }
}

/// Half an edge lies behind a clamp: driven shapes count from the clamp, as those of the rest shape
/// do. A curvature that grows to 5/m at the end makes a clothoid.
#[test]
fn driven_shapes_begin_at_the_clamp() {
    let tip = |shape: &str| {
        let text = format!(
            "contact = {{ model = \"none\" }}\n[[rods]]\nshape = {{ straight = {{ to = [0.2, 0, 0], edges = 20 }} }}\n\
             section = {{ circle = {{ radius = 0.002 }} }}\nmaterial = {{ young = 1e6, poisson = 0.5, density = 1000 }}\n\
             clamps = [{{ edge = \"first\", half_edge = true }}]\nfirst_director = [0, 1, 0]\n{shape}\n"
        );
        let mut simulation = begun(&text);
        simulation.settle().unwrap();
        let nodes = simulation.model.positions(&simulation.state);
        nodes[nodes.len() - 1].y
    };
    let rest = tip("rest_curvature = { table = [[0, 0, 0], [0.2, 5, 0]] }");
    let wave = "driven = [{ strain = \"curvature1\", amplitude = 5, envelope = [0, 1] }]";
    let table = "driven = [{ strain = \"curvature1\", table = [[0, 0, 0.2], [0, 0, 5]] }]";
    for driven in [wave, table] {
        let driven = tip(driven);
        println!("{driven} m, {rest} m");
        assert!((driven / rest - 1.0).abs() < 2e-4, "{driven} {rest}");
    }
}

/// Explicit steps find angles by balance alone, and would take a maximum for a minimum.
#[test]
fn explicit_steps_refuse_magnets_across() {
    let rest = "[magnetic_field]\nfield = [0, 0.01, 0]\n[contact]\nmodel = \"none\"\n[time]\nintegrator = \"symplectic-projected\"";
    let told = refused("magnetisation = [[6e3, 0, 0]]", rest);
    assert!(
        told.contains("rods[0].magnetisation") && told.contains("across"),
        "{told}"
    );
}
