//! A rod that winds about itself with friction: strands that stick and slip by turns, all along.

use writhe::simulation::Simulation;
use writhe_scenes::Scene;

const EDGES: usize = 100;

/// A rod of 1 m under a tension of .5 N whose ends are turned by 13 turns in 5 s.
fn winding(friction: f64) -> Simulation {
    let [before, last, middle] = [EDGES - 1, EDGES, EDGES / 2];
    let text = format!(
        "contact = {{ friction = {friction} }}
damping = {{ viscosity = 0.5 }}
time = {{ duration = \"9 s\", step = \"10 ms\" }}

[[rods]]
shape = {{ straight = {{ from = [0, 0, 0], to = [1, 0, 0], edges = {EDGES} }} }}
section = {{ stiffness = {{ ea = 500, ei1 = 1e-4, gj = 2e-4, mass_per_length = 0.02, radius = \"4 mm\" }} }}
held = [{{ node = 0 }}, {{ node = 1, axes = \"yz\" }}, {{ node = {before}, axes = \"yz\" }}, {{ node = {last}, axes = \"yz\" }}]
held_angles = [
    {{ edge = \"first\", angle = {{ table = [[0, 0], [5, \"-6.5 turns\"]] }} }},
    {{ edge = \"last\", angle = {{ table = [[0, 0], [5, \"6.5 turns\"]] }} }},
]
forces = [
    {{ node = \"last\", force = [0.5, 0, 0] }},
    {{ node = {middle}, force = [0, 0.05, 0], amplitude = {{ table = [[5, 1], [6, 0]] }} }},
]
"
    );
    let setup = Scene::parse(&text, "wound.toml").unwrap().build().unwrap();
    Simulation::new(setup.model, setup.state, setup.step)
}

/// Steps stay long, and it winds as far as by Newton's method with friction as smooth as it should be
/// alone, which made 5,244 steps of 11.6 iterations, and 101 more that failed (decision 0084). What
/// strands have wound friction holds, so it is less than without.
#[test]
fn a_rod_winds_about_itself_with_friction() {
    let wound = |simulation: &Simulation| {
        let x = simulation.model.topology.node_dof[EDGES];
        1.0 - simulation.state.q[x]
    };
    let [(without, _, _), (with, contacts, counts)] = [0.0, 0.3].map(|friction| {
        let mut simulation = winding(friction);
        let mut contacts = 0;
        simulation
            .run_until(9.0, |_, report| {
                contacts = report.contacts;
                true
            })
            .unwrap();
        (wound(&simulation), contacts, simulation.statistics)
    });
    println!(
        "{with:.3} m wound up, {without:.3} m without friction, {contacts} contacts, {} steps, {} rejected, {} iterations",
        counts.steps, counts.rejected_steps, counts.newton_iterations
    );
    assert!(contacts > 20, "{contacts}");
    assert!(counts.steps < 2500, "{} steps", counts.steps);
    assert!(
        counts.newton_iterations < 20_000,
        "{} iterations",
        counts.newton_iterations
    );
    assert!(with < without, "{with}, {without}");
    assert!((with / 0.387 - 1.0).abs() < 0.1, "{with}");
}
