//! The scenes of examples/problems that need no run: their numbers.

use std::path::Path;

use writhe::simulation::Simulation;
use writhe_scenes::Scene;

fn problem(name: &str) -> Scene {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../examples/problems/{name}.toml"));
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.lines().count() <= 25, "{name} is longer than 25 lines");
    Scene::parse(&text, name).unwrap_or_else(|e| panic!("{e}"))
}

/// A long beam on the ground sinks in by P beta/(2 k) under a load (Hetenyi 1946).
#[test]
fn a_beam_sinks_into_the_ground() {
    let setup = problem("foundation").build().unwrap();
    let mut run = Simulation::new(setup.model, setup.state, setup.step);
    run.settle().unwrap();
    let z = run.model.positions(&run.state)[50].z;
    let (load, k) = (30e-3, 100.0);
    let ei = 1e6 * std::f64::consts::PI / 4.0 * 0.003_f64.powi(4);
    let beta = (k / (4.0 * ei)).powf(0.25);
    let expected = load * beta / (2.0 * k);
    println!("{z} m, {expected} m");
    assert!((z / -expected - 1.0).abs() < 5e-3, "{z} {expected}");
}

/// A wire in a horizontal tube buckles into a sine wave at 2 sqrt(EI w/r) (Dawson and Paslay 1984),
/// and into a helix between 2 sqrt(2) (Chen, Lin and Cheatham 1990) and 2 (2 sqrt(2) - 1) times
/// sqrt(EI w/r) (Wu and Juvkam-Wold 1993).
#[test]
fn a_wire_winds_in_a_tube() {
    let setup = problem("tube").build().unwrap();
    let mut run = Simulation::new(setup.model, setup.state, setup.step);
    let pi = std::f64::consts::PI;
    let (ei, weight) = (0.4e9 * pi / 4.0 * 1.6e-11, 1000.0 * pi * 4e-6 * 9.81);
    let scale = (ei * weight / 20e-3_f64).sqrt();
    let (mut wave, mut helix) = (None, None);
    run.run_until(setup.duration, |run, _| {
        let load = 0.035 * run.state.time / scale;
        let x = run.model.positions(&run.state);
        let angle = |x: &glam::DVec3| x.y.atan2(-x.z);
        let angles: Vec<f64> = x.iter().map(angle).collect();
        let widest = angles.iter().fold(0.0, |m: f64, a| m.max(a.abs()));
        // How far the rod winds from one end to the other.
        let turn = |w: &[f64]| (w[1] - w[0] + 3.0 * pi).rem_euclid(2.0 * pi) - pi;
        let mut wound = 0.0;
        let (mut low, mut high) = (0.0_f64, 0.0_f64);
        for w in angles.windows(2) {
            wound += turn(w);
            low = low.min(wound);
            high = high.max(wound);
        }
        if run.state.time > 1.0 && widest > 0.2 {
            wave = wave.or(Some(load));
        }
        if high - low > 2.0 * pi {
            helix = helix.or(Some(load));
        }
        assert!(
            x.iter().all(|x| x.y.hypot(x.z) < 20.02e-3),
            "through the wall"
        );
        helix.is_none()
    })
    .unwrap();
    println!("wave at {wave:?}, helix at {helix:?} sqrt(EI w/r)");
    let (wave, helix) = (wave.unwrap(), helix.unwrap());
    // The load rises while the wave grows.
    assert!((1.9..2.5).contains(&wave), "{wave}");
    let (lowest, highest) = (8_f64.sqrt(), 2.0 * (8_f64.sqrt() - 1.0));
    assert!((0.9 * lowest..1.1 * highest).contains(&helix), "{helix}");
}

#[test]
fn foundations_that_make_no_sense_are_refused() {
    let scene = |foundation: &str| {
        let text = format!(
            "[[rods]]\nshape = {{ straight = {{ to = [1, 0, 0], edges = 4 }} }}\nsection = {{ circle = {{ radius = 0.01 }} }}\n\
             material = {{ young = 1e6, poisson = 0.5, density = 1000 }}\nfoundation = {foundation}\n"
        );
        let scene = Scene::parse(&text, "test");
        match scene.and_then(|s| s.build().map(|_| ())) {
            Ok(()) => String::new(),
            Err(e) => e.to_string(),
        }
    };
    assert_eq!(scene("{ normal = \"1 kPa\", edges = [0, 3] }"), "");
    for (foundation, words) in [
        ("{}", "greater than zero where `tangential` is 0"),
        ("{ normal = -1 }", "normal"),
        ("{ normal = 1, edges = [0, 4] }", "foundation.edges"),
        ("{ normal = 1, edges = [2, 1] }", "first not after last"),
        ("{ normal = \"1 N/m\" }", "1 N/m"),
        (
            "{ normal = 1, plane = { normal = [0, 0, 0] } }",
            "length greater than zero",
        ),
    ] {
        let message = scene(foundation);
        assert!(message.contains(words), "{foundation}: {message}");
    }
}

/// Motion of the middle of PyElastica's snake in its third and fourth period, in lengths of its body,
/// from `test_the_snake_of_pyelastica` of the Python package: PyElastica 1.0.0, 50 elements, steps of
/// .1 ms, the same rod, ground and wave, its muscle torque EI times our curvature at rest. Rounding
/// alone changes them by half a percent.
const PYELASTICA: [[f64; 2]; 2] = [[0.12341, 0.00846], [0.12324, 0.00808]];

/// A snake that bends itself in a wave creeps where its head is, whatever the mesh: with half of the
/// edges its speed is the same within 2 %. PyElastica's goes the same way, as fast within 2 % (5 %
/// was asked for). With the same friction in all directions it stays.
#[test]
fn a_snake_creeps_by_its_scales() {
    let text = std::fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/problems/scales.toml"),
    )
    .unwrap();
    // Displacement of its middle in a period, in lengths of the body.
    let creeps = |text: &str| {
        let setup = Scene::parse(text, "scales").unwrap().build().unwrap();
        let mut run = Simulation::new(setup.model, setup.state, setup.step);
        let [second, third, fourth] = [4.0, 6.0, 8.0].map(|end| {
            run.run_until(end, |_, _| true).unwrap();
            let nodes = run.model.positions(&run.state);
            nodes.iter().sum::<glam::DVec3>() / nodes.len() as f64
        });
        [third - second, fourth - third].map(|way| way / 0.35)
    };
    let ours = creeps(&text);
    for ([x, y], ours) in PYELASTICA.into_iter().zip(ours) {
        let theirs = glam::DVec3::new(x, y, 0.0);
        let faster = ours.length() / theirs.length() - 1.0;
        let apart = ours.angle_between(theirs).to_degrees();
        println!("beside PyElastica's: faster by {faster:.4}, {apart:.2} degrees apart");
        assert!(faster.abs() < 0.02 && apart < 1.0, "{ours} {theirs}");
    }
    let [coarse, _] = ours;
    let [fine, _] = creeps(&text.replace("edges = 50", "edges = 100"));
    println!("{coarse} and {fine} lengths a period");
    assert!(
        coarse.x > 0.1 && coarse.x > 10.0 * coarse.y.abs(),
        "{coarse}"
    );
    assert!(
        (coarse - fine).length() < 0.02 * fine.length(),
        "{coarse} {fine}"
    );
    let same = "forward = 0.134, backward = 0.134, across = 0.134";
    let plain = text.replace("forward = 0.134, backward = 0.089, across = 0.178", same);
    assert_ne!(plain, text);
    let [plain, _] = creeps(&plain);
    println!("{plain} without scales");
    assert!(plain.length() < 0.2 * fine.length(), "{plain}");
}
