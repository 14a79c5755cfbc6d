//! How rods lie about their own axis: twist at the start, directors at rest, clamps that turn fast.

use std::f64::consts::{PI, TAU};

use glam::DVec3;
use writhe::certificate::Certificate;
use writhe::forces::ElasticEnergy;
use writhe::observe::observe;
use writhe::simulation::Simulation;
use writhe_scenes::Scene;

fn begun(text: &str) -> Simulation {
    let scene = Scene::parse(text, "test.toml").unwrap_or_else(|e| panic!("{e}"));
    let setup = scene.build().unwrap_or_else(|e| panic!("{e}"));
    Simulation::new(setup.model, setup.state, setup.step)
}

fn settled(text: &str) -> Simulation {
    let mut simulation = begun(text);
    simulation.settle().unwrap_or_else(|e| panic!("{e}"));
    simulation
}

fn elastic(simulation: &Simulation) -> ElasticEnergy {
    let seen = observe(&simulation.model, &simulation.state);
    seen.unwrap().elastic
}

fn node(simulation: &Simulation, node: usize) -> DVec3 {
    simulation.model.positions(&simulation.state)[node]
}

/// A strip that hangs between clamps.
fn strip(rest: &str) -> String {
    format!(
        "[[rods]]
        shape = {{ straight = {{ to = [\"30 cm\", 0, 0], edges = 40 }} }}
        section = {{ rectangle = {{ a = \"1 mm\", b = \"6 mm\" }} }}
        first_director = [0, 0, 1]
        material = {{ young = \"10 MPa\", poisson = 0.5, density = 1000 }}
        {rest}
        [gravity]
        acceleration = [0, -0.02, 0.01]
        [contact]
        model = \"none\""
    )
}

/// What hangs is a strip whose broad side turns, as when its end was turned by hand.
#[test]
fn a_strip_that_begins_twisted_is_one_whose_end_was_turned() {
    let twisted = settled(&strip(
        "twist = \"1 rev\"\nclamps = [{ edge = \"first\" }, { edge = \"last\" }]",
    ));
    let turned = settled(&strip(
        "clamps = [{ edge = \"first\" }]\nheld = [{ node = 39 }, { node = 40 }]\n\
         held_angles = [{ edge = \"last\", angle = \"1 rev\" }]",
    ));
    let straight = settled(&strip(
        "clamps = [{ edge = \"first\" }, { edge = \"last\" }]",
    ));
    let [a, b] = [&twisted, &turned].map(|s| node(s, 20));
    assert!(a.distance(b) < 1e-6 * a.with_x(0.0).length(), "{a} {b}");
    assert!(a.distance(node(&straight, 20)) > 1e-5, "{a}");
    let [a, b] = [&twisted, &turned].map(elastic);
    assert!((a.bend - b.bend).abs() < 1e-6 * a.bend, "{a:?} {b:?}");
    assert!((a.twist - b.twist).abs() < 1e-9 * a.twist, "{a:?} {b:?}");
}

fn ring(more: &str) -> String {
    format!(
        "[[rods]]
        shape = {{ ring = {{ radius = \"5 cm\", edges = 60 }} }}
        section = {{ circle = {{ radius = \"1 mm\" }} }}
        material = {{ young = \"10 MPa\", poisson = 0.5, density = 1000 }}
        {more}"
    )
}

/// A round ring that is straight at rest can have any twist, which is one of its rest shape: cut and
/// glued together turned.
#[test]
fn a_round_ring_has_any_twist() {
    for angle in [TAU * 2.0, -TAU, 14.0, 1.0] {
        let ring = begun(&ring(&format!("rest = \"straight\"\ntwist = {angle}")));
        let rod = &Certificate::of(&ring.model, &ring.state).unwrap().rods[0];
        assert!(rod.linking_number().unwrap().abs() < 1e-9);
        assert!((rod.rest_twist + angle / TAU).abs() < 1e-9, "{angle}");
        let length: f64 = ring.model.rest_length.iter().sum();
        // E / (2 (1 + nu)) pi r^4 / 2
        let gj = 1e7 / 3.0 * 0.5 * PI * 1e-12;
        let expected = 0.5 * gj * angle * angle / length;
        let twist = elastic(&ring).twist;
        assert!(
            (twist - expected).abs() < 1e-9 * expected,
            "{twist} {expected}"
        );
    }
}

/// The turns of one that is not round are those of its ribbon.
#[test]
fn a_ring_that_is_not_round_has_whole_turns() {
    let text = ring("rest = \"straight\"\ntwist = \"2 turns\"").replace(
        "circle = { radius = \"1 mm\" }",
        "ellipse = { a = \"1 mm\", b = \"2 mm\" }",
    );
    let ring = begun(&text);
    let rod = &Certificate::of(&ring.model, &ring.state).unwrap().rods[0];
    assert!((rod.linking_number().unwrap() - 2.0).abs() < 1e-9);
    assert!(rod.rest_twist.abs() < 1e-9);
    let error = Scene::parse(&text.replace("2 turns", "1 rad"), "test.toml")
        .unwrap()
        .build()
        .unwrap_err()
        .to_string();
    assert!(error.contains("does not close"), "{error}");
}

/// A ring that is curved at rest closes only after whole turns, and no vertex can turn by more than half
/// a turn.
#[test]
fn twists_that_no_rod_can_have_are_refused() {
    for (rod, wanted) in [
        (ring("twist = \"1 rad\""), "does not close"),
        (ring("twist = \"30 turns\""), "half a turn or more"),
        (strip("twist = \"20 turns\""), "half a turn or more"),
    ] {
        let scene = Scene::parse(&rod, "test.toml").unwrap();
        let error = scene.build().unwrap_err().to_string();
        assert!(
            error.contains("rods[0].twist") && error.contains(wanted),
            "{error}"
        );
    }
    begun(&strip("twist = \"19 turns\""));
}

/// A crooked rod is at rest but for its twist.
#[test]
fn imperfections_of_a_twisted_rod_stress_nothing() {
    let rod = "perturbation = { amplitude = \"1 mm\" }\n".to_owned()
        + &strip("twist = \"3 turns\"").replace(
            "rectangle = { a = \"1 mm\", b = \"6 mm\" }",
            "circle = { radius = \"2 mm\" }",
        );
    let energy = elastic(&begun(&rod));
    assert!(
        energy.twist > 1e-5 && energy.bend < 1e-9 * energy.twist,
        "{energy:?}"
    );
    assert!(energy.stretch < 1e-9 * energy.twist, "{energy:?}");
}

/// The rest shape lies where it is said to lie, and copies are alike.
#[test]
fn rest_shapes_without_directors_curl_into_their_own_plane() {
    let rod = |towards: &str, more: &str| {
        format!(
            "[[rods]]
            {more}
            shape = {{ straight = {{ from = [\"2 cm\", 0, 0], to = [\"12 cm\", 0, 0], edges = 20 }} }}
            rest = {{ arc = {{ tangent = [1, 0, 0], towards = {towards}, radius = \"20 cm\", angle = 0.5, edges = 20 }} }}
            section = {{ circle = {{ radius = \"1 mm\" }} }}
            material = {{ young = \"10 MPa\", poisson = 0.5, density = 1000 }}
            clamps = [{{ edge = \"first\" }}]
            [contact]
            model = \"none\""
        )
    };
    for (towards, wanted) in [
        ("[0, 1, 0]", DVec3::Y),
        ("[0, -1, 0]", DVec3::NEG_Y),
        ("[0, 0, 1]", DVec3::Z),
        ("[0, 1, 1]", DVec3::new(0.0, 1.0, 1.0)),
    ] {
        let tip = node(&settled(&rod(towards, "")), 20).with_x(0.0);
        assert!(tip.length() > 0.02, "{towards}: {tip}");
        assert!(tip.angle_between(wanted) < 1e-6, "{towards}: {tip}");
    }
    let copies = settled(&rod("[0, 1, 0]", "repeat = { count = 4, ring = {} }"));
    for copy in 0..4 {
        let back = glam::DQuat::from_rotation_z(-0.25 * TAU * f64::from(copy));
        let tip = back * node(&copies, 21 * copy as usize + 20);
        assert!(
            (tip.y - 0.02328).abs() < 1e-4 && tip.z.abs() < 1e-9,
            "{copy}: {tip}"
        );
    }
}

/// Turned copies of a rod whose rest shape begins in another direction are the rod turned.
#[test]
fn copies_of_rods_that_turn_at_rest_are_alike() {
    let text = "[[rods]]
        repeat = { count = 3, ring = {} }
        shape = { straight = { from = [\"2 cm\", 0, 0], to = [\"12 cm\", 0, 0], edges = 20 } }
        rest = { arc = { tangent = [0.2, 0.9, 0.3], towards = [1, 0, 1], radius = \"20 cm\", angle = 0.5, edges = 20 } }
        section = { circle = { radius = \"1 mm\" } }
        material = { young = \"10 MPa\", poisson = 0.5, density = 1000 }
        clamps = [{ edge = \"first\" }]
        [contact]
        model = \"none\"";
    let copies = settled(text);
    let first = node(&copies, 20);
    for copy in 1..3 {
        let back = glam::DQuat::from_rotation_z(-TAU / 3.0 * f64::from(copy));
        let tip = back * node(&copies, 21 * copy as usize + 20);
        assert!(tip.distance(first) < 1e-9, "{copy}: {tip} {first}");
    }
}

/// Overrides change what lists, tables and other overrides say of their edges, and nothing else.
#[test]
fn overrides_keep_what_they_do_not_name() {
    let stiffness = |section: &str, material: &str, overrides: &str| {
        let rod = format!(
            "[[rods]]
            shape = {{ straight = {{ to = [\"20 cm\", 0, 0], edges = 4 }} }}
            section = {{ circle = {{ radius = {section} }} }}
            material = {{ young = {material}, poisson = 0.3, density = 1000 }}
            overrides = {overrides}"
        );
        begun(&rod).model.bending_stiffness
    };
    let by = |young: f64, radius: f64| young * 0.25 * PI * radius.powi(4);
    let same = |found: Vec<f64>, wanted: [f64; 4]| {
        assert_eq!(found.len(), 4);
        for (found, wanted) in found.iter().zip(wanted) {
            assert!((found - wanted).abs() < 1e-12 * wanted, "{found} {wanted}");
        }
    };
    let softer = "[{ edges = [2, 3], material = { young = 2e6, poisson = 0.3, density = 500 } }]";
    same(
        stiffness("[\"2 mm\", \"2 mm\", \"3 mm\", \"3 mm\"]", "1e7", softer),
        [by(1e7, 2e-3), by(1e7, 2e-3), by(2e6, 3e-3), by(2e6, 3e-3)],
    );
    let thicker = "[{ edges = [1, 2], section = { circle = { radius = \"3 mm\" } } }]";
    same(
        stiffness("\"2 mm\"", "[1e7, 1e7, 2e7, 2e7]", thicker),
        [by(1e7, 2e-3), by(1e7, 3e-3), by(2e7, 3e-3), by(2e7, 2e-3)],
    );
    let both = "[{ edges = [1, 2], section = { circle = { radius = \"3 mm\" } } }, \
        { edges = [2, 3], material = { young = 2e6, poisson = 0.3, density = 500 } }]";
    same(
        stiffness("\"2 mm\"", "1e7", both),
        [by(1e7, 2e-3), by(1e7, 3e-3), by(2e6, 3e-3), by(2e6, 2e-3)],
    );
}

/// However far a clamp turns within a step, its rod is twisted by all of it.
#[test]
fn clamps_may_turn_by_more_than_half_a_turn_a_step() {
    for (angle, accuracy) in [
        (20.0, ""),
        (62.5, ""),
        (200.0, ""),
        (20.0, "accuracy = 0.1"),
    ] {
        let turn = format!(
            "{{ rotation = {{ axis = [1, 0, 0], angle = {{ ramp = {{ to = {}, duration = 1 }} }} }} }}",
            0.5 * angle
        );
        let text = format!(
            "[[rods]]
            shape = {{ straight = {{ to = [\"20 cm\", 0, 0], edges = 20 }} }}
            section = {{ circle = {{ radius = \"1 mm\" }} }}
            material = {{ young = \"10 MPa\", poisson = 0.5, density = 1000 }}
            clamps = [{{ edge = \"first\" }}, {{ edge = \"last\", motion = {{ sequence = [{turn}, {turn}] }} }}]
            [contact]
            model = \"none\"
            [time]
            step = 0.1
            duration = 1
            {accuracy}"
        );
        let mut simulation = begun(&text);
        let reached = simulation.run_until(1.0, |_, _| true);
        assert!(reached.unwrap_or_else(|e| panic!("{e}")));
        let edges = &simulation.model.topology.edge_dof;
        let turned = simulation.state.q[edges[19]] - simulation.state.q[edges[0]];
        assert!((turned - angle).abs() < 1e-9, "{turned} {angle}");
    }
}

/// A motion that begins turned has turned its clamp when the run begins, by all of its turns.
#[test]
fn clamps_that_begin_turned_have_their_turns() {
    for (angle, at_start) in [
        ("\"2 rev\"", TAU * 2.0),
        ("\"-2.5 rev\"", TAU * -2.5),
        ("\"0.5 rev\"", TAU * 0.5),
        (
            "{ ramp = { from = \"3 rev\", to = \"4.25 rev\", duration = 1 } }",
            TAU * 3.0,
        ),
    ] {
        let text = format!(
            "[[rods]]
            shape = {{ straight = {{ to = [\"20 cm\", 0, 0], edges = 20 }} }}
            section = {{ circle = {{ radius = \"1 mm\" }} }}
            material = {{ young = \"10 MPa\", poisson = 0.5, density = 1000 }}
            clamps = [{{ edge = \"first\" }}, {{ edge = \"last\", motion = {{ rotation = {{ axis = [1, 0, 0], angle = {angle} }} }} }}]
            [contact]
            model = \"none\"
            [time]
            step = 0.1
            duration = 1"
        );
        let mut simulation = begun(&text);
        let turned = |simulation: &Simulation| {
            let edges = &simulation.model.topology.edge_dof;
            simulation.state.q[edges[19]] - simulation.state.q[edges[0]]
        };
        let first = turned(&simulation);
        assert!((first - at_start).abs() < 1e-9, "{angle}: {first}");
        let reached = simulation.run_until(1.0, |_, _| true);
        assert!(reached.unwrap_or_else(|e| panic!("{e}")));
        let wanted = at_start
            + if angle.contains("ramp") {
                1.25 * TAU
            } else {
                0.0
            };
        let last = turned(&simulation);
        assert!((last - wanted).abs() < 1e-9, "{angle}: {last}");
    }
}

/// The twist of a rod from its clamp to an end that is held as `end` says, in turns, at the start and at
/// the end of a second.
fn turns_of(end: &str) -> [f64; 2] {
    let text = format!(
        "[[rods]]
        shape = {{ straight = {{ to = [\"20 cm\", 0, 0], edges = 20 }} }}
        section = {{ circle = {{ radius = \"1 mm\" }} }}
        material = {{ young = \"10 MPa\", poisson = 0.5, density = 1000 }}
        {end}
        [damping]
        viscosity = 1
        [contact]
        model = \"none\"
        [time]
        step = 0.05
        duration = 1"
    );
    let mut simulation = begun(&text);
    let twist = |simulation: &Simulation| {
        let (state, topology) = (&simulation.state, &simulation.model.topology);
        let place = writhe::model::Place::of_state(&simulation.model, state);
        assert_eq!(place.twist.len(), topology.vertices());
        place.twist.iter().sum::<f64>() / TAU
    };
    let first = twist(&simulation);
    let reached = simulation.run_until(1.0, |_, _| true);
    assert!(reached.unwrap_or_else(|e| panic!("{e}")));
    [first, twist(&simulation)]
}

/// What a motion has turned when it begins is in the rod, about a tilted axis and by a body too.
#[test]
fn what_begins_turned_has_all_of_its_turns() {
    for (axis, angle) in [
        ("[1, 0, 0]", 2.0),
        ("[1, 1, 0]", 3.0),
        ("[1, 2, 0]", 5.0),
        ("[-1, 0, 2]", 2.0),
    ] {
        let motion = format!(
            "motion = {{ rotation = {{ point = [0.2, 0, 0], axis = {axis}, angle = \"{angle} rev\" }} }}"
        );
        let clamp = format!("clamps = [{{ edge = \"first\" }}, {{ edge = \"last\", {motion} }}]");
        let body = body_at_the_end(&motion);
        let sign = if axis.starts_with("[-") { -1.0 } else { 1.0 };
        for end in [clamp, body] {
            for turns in turns_of(&end) {
                assert!((turns - sign * angle).abs() < 1e-6, "{end}: {turns}");
            }
        }
    }
}

/// A body that is turned fast twists its rod by all of it: steps in which it would turn too far to tell
/// are halved.
#[test]
fn moved_bodies_may_turn_fast() {
    for turns in [0.9, 9.9] {
        let end = format!(
            "clamps = [{{ edge = \"first\" }}]
            [[bodies]]
            mass = 1e-3
            inertia = [1e-7, 1e-7, 1e-7]
            position = [0.2, 0, 0]
            welds = [{{ edge = \"last\" }}]
            motion = {{ rotation = {{ axis = [1, 0, 0], angle = {{ ramp = {{ to = \"{turns} rev\", duration = 1 }} }} }} }}"
        );
        let [_, found] = turns_of(&end);
        assert!((found - turns).abs() < 1e-6, "{found} {turns}");
    }
}

/// A motor stands where its angle says, after turns that a step of the scene could not tell; an angle
/// that jumps is refused.
#[test]
fn motors_stand_at_their_angles() {
    let text = |angle: &str, time: &str| {
        format!(
            "[[rods]]
            shape = {{ straight = {{ from = [1, 0, 0], to = [1.1, 0, 0], edges = 2 }} }}
            section = {{ circle = {{ radius = \"1 mm\" }} }}
            material = {{ young = 1e9, poisson = 0.3, density = 1000 }}
            clamps = [{{ edge = \"first\" }}]
            [[bodies]]
            mass = 1
            inertia = [1e-3, 1e-3, 1e-3]
            position = [0, 0, 0]
            [[joints]]
            bodies = [0]
            at = [0, 0, 0]
            hinge = {{ axis = [0, 0, 1], angle = {angle} }}
            [contact]
            model = \"none\"
            [time]
            duration = 1
            {time}"
        )
    };
    let stands = |simulation: &Simulation| {
        let turn = simulation.state.frames.orientation[0];
        2.0 * turn.z.atan2(turn.w)
    };
    let smooth = "{ smooth_step = { to = \"2.3 rev\", duration = 0.5 } }";
    for (angle, time, end) in [
        ("\"85 deg\"", "step = 0.01", 85.0_f64.to_radians()),
        (smooth, "step = 0.05", 0.3 * TAU),
        (
            smooth,
            "step = 0.05\nscheme = \"implicit-midpoint\"",
            0.3 * TAU,
        ),
        (
            "{ rate = \"160 rad/s\" }",
            "step = 0.01\naccuracy = 0.01",
            160.0 % TAU,
        ),
    ] {
        let mut simulation = begun(&text(angle, time));
        let reached = simulation.run_until(1.0, |_, _| true);
        assert!(reached.unwrap_or_else(|e| panic!("{e}")));
        let off = (stands(&simulation) - end).rem_euclid(TAU);
        assert!(
            off.min(TAU - off) < 1e-6,
            "{angle} {time}: {}",
            stands(&simulation)
        );
    }
    for time in [
        "step = 0.01",
        "step = 1e-3\nintegrator = \"symplectic-projected\"",
    ] {
        let mut simulation = begun(&text("\"120 deg\"", time));
        let told = simulation
            .run_until(1.0, |_, _| true)
            .unwrap_err()
            .to_string();
        assert!(told.contains("the motor of joint 0"), "{told}");
    }
}

/// Rotations about different axes turn a clamp one after the other, and none of their turns is lost.
#[test]
fn sequences_that_begin_turned_have_their_turns() {
    let turn = |axis: &str, turns: f64| {
        format!(
            "{{ rotation = {{ point = [0.2, 0, 0], axis = {axis}, angle = \"{turns} rev\" }} }}"
        )
    };
    for (first, second, wanted) in [
        (turn("[1, 2, 0]", 2.0), turn("[2, 1, 0]", -2.0), 0.0),
        (turn("[1, 2, 0]", 2.0), turn("[1, 0, 0]", -2.0), 0.0),
        (turn("[1, 2, 0]", 1.0), turn("[1, -2, 0]", 1.0), 2.0),
        (turn("[1, 0, 0]", 2.3), turn("[1, 0, 0]", 1.0), 3.3),
    ] {
        let clamp = format!(
            "clamps = [{{ edge = \"first\" }}, {{ edge = \"last\", motion = {{ sequence = [{first}, {second}] }} }}]"
        );
        for turns in turns_of(&clamp) {
            assert!((turns - wanted).abs() < 1e-6, "{clamp}: {turns}");
        }
    }
}

/// A rod that is clamped, with a body welded to its last edge that is `held` so.
fn body_at_the_end(held: &str) -> String {
    format!(
        "clamps = [{{ edge = \"first\" }}]
        [[bodies]]
        mass = 1e-3
        inertia = [1e-7, 1e-7, 1e-7]
        position = [0.2, 0, 0]
        welds = [{{ edge = \"last\" }}]
        {held}"
    )
}

/// Explicit steps tell fast turns of bodies and motors as implicit ones do.
#[test]
fn explicit_steps_count_turns_of_bodies_and_motors() {
    let angle = "angle = { ramp = { to = \"15 rev\", duration = 0.1 } }";
    let moved = body_at_the_end(&format!(
        "motion = {{ rotation = {{ axis = [1, 0, 0], {angle} }} }}"
    ));
    let driven = body_at_the_end(&format!(
        "[[joints]]
        bodies = [0]
        at = [0.2, 0, 0]
        hinge = {{ axis = [1, 0, 0], {angle} }}"
    ));
    for end in [moved, driven] {
        let text = format!(
            "[[rods]]
            shape = {{ straight = {{ to = [\"20 cm\", 0, 0], edges = 20 }} }}
            section = {{ circle = {{ radius = \"1 mm\" }} }}
            material = {{ young = \"1 kPa\", poisson = 0.5, density = 1000 }}
            {end}
            [contact]
            model = \"none\"
            [time]
            step = \"5 ms\"
            duration = 0.1
            integrator = \"symplectic-projected\""
        );
        let mut simulation = begun(&text);
        let reached = simulation.run_until(0.1, |_, _| true);
        assert!(reached.unwrap_or_else(|e| panic!("{e}")), "{end}");
        let place = writhe::model::Place::of_state(&simulation.model, &simulation.state);
        let turns = place.twist.iter().sum::<f64>() / TAU;
        assert!((turns - 15.0).abs() < 1e-6, "{end}: {turns}");
    }
}
