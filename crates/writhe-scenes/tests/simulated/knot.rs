//! The scene `knot`: equilibria, certified types, what its schedule does, what is refused.

use writhe::certificate::Certificate;
use writhe::simulation::Simulation;
use writhe_scenes::Scene;

fn scene(sets: &[&str]) -> Scene {
    let mut scene = Scene::parse("[scene]\nname = \"knot\"", "knot.toml").unwrap();
    for set in sets {
        scene.set(set).unwrap_or_else(|e| panic!("{set}: {e}"));
    }
    scene
}

fn start(sets: &[&str]) -> Simulation {
    let setup = scene(sets).build().unwrap();
    Simulation::new(setup.model, setup.state, setup.step)
}

#[test]
fn knots_relax_to_equilibrium_and_stay_what_they_are() {
    for n in [1, 2] {
        let number = format!("scene.unknotting_number={n}");
        let mut run = start(&[&number, "scene.edges=120"]);
        let energy = |run: &Simulation| {
            let o = writhe::observe::observe(&run.model, &run.state).unwrap();
            o.elastic.total()
        };
        let before = energy(&run);
        let certificate = |run: &Simulation| Certificate::of(&run.model, &run.state).unwrap();
        let tied = certificate(&run);
        assert!(tied.is_certain() && tied.is_telling());
        run = scene(&[&number, "scene.edges=120"])
            .build()
            .unwrap()
            .begin()
            .unwrap();
        assert!(energy(&run) < 0.9 * before);
        assert!(certificate(&run).changes_since(&tied).is_empty());
        let settled = run.model.positions(&run.state);
        run.run_until(0.05, |_, _| true).unwrap();
        let moved = run.model.positions(&run.state);
        let most = settled
            .iter()
            .zip(&moved)
            .map(|(a, b)| a.distance(*b))
            .fold(0.0, f64::max);
        assert!(most < 1e-3 * 1.6e-3, "n = {n}: moved by {most:e} m");
    }
}

#[test]
fn ends_do_what_the_schedule_says() {
    let schedule = "scene.schedule=[{ for = 0.2, speed = 0.02 }, { for = 0.1, twist = 3.0 }, { for = 0.1, speed = -0.01 }]";
    let mut run = start(&[schedule, "scene.edges=60", "time.step=0.01"]);
    let ends = |run: &Simulation| {
        let x = run.model.positions(&run.state);
        (x[0], x[60])
    };
    let (first, last) = ends(&run);
    let angle = run.model.topology.edge_dof[59];
    let turned = run.state.q[angle];
    for (time, apart, turn) in [
        (0.1, 0.002, 0.0),
        (0.2, 0.004, 0.0),
        (0.3, 0.004, 0.3),
        (0.4, 0.003, 0.3),
    ] {
        run.run_until(time, |_, _| true).unwrap();
        let (a, b) = ends(&run);
        assert!((first.x - a.x - apart).abs() < 1e-12 && (b.x - last.x - apart).abs() < 1e-12);
        assert!(
            (run.state.q[angle] - turned - turn).abs() < 1e-9,
            "at {time} s"
        );
    }
    assert!((scene(&[schedule]).build().unwrap().duration - 0.4).abs() < 1e-12);
}

#[test]
fn what_cannot_be_tied_is_refused() {
    for (set, words) in [
        ("scene.unknotting_number=0", "from 1 to 1000"),
        (
            "scene.unknotting_number=60",
            "no room for a knot of unknotting number 60",
        ),
        ("scene.edges=20", "20 edges are too few"),
        ("scene.rod_radius=\"5 cm\"", "no room"),
        ("scene.end_distance=\"2 m\"", "between 0 and the length"),
        ("scene.schedule=[{ speed = 1.0 }]", "`for`"),
    ] {
        let text = Scene::parse("[scene]\nname = \"knot\"", "knot.toml")
            .unwrap()
            .set(set)
            .unwrap_err();
        let text = format!("{text:?} {text}");
        assert!(text.contains(words), "{set}: {text}");
    }
}

/// The scene `twisted-knot` ties the knot of this one and has fewer keys to blame.
#[test]
fn a_twisted_knot_without_room_is_refused_under_a_key_of_its_own() {
    let scene = Scene::parse("[scene]\nname = \"twisted-knot\"", "my.toml").unwrap();
    for set in ["scene.rod_radius=7", "scene.length=7"] {
        let error = scene.clone().set(set).unwrap_err();
        assert_eq!(error.key, "scene.length", "{error}");
        assert!(error.to_string().contains("there is no room"), "{error}");
    }
}
