//! The tree of B08 Fig. 12 with the paper's integrator: 2158 vertices on 126 joints, lengths kept,
//! and what a step costs.

use std::time::Instant;

use writhe::simulation::Simulation;
use writhe::step::largest_stable_step;
use writhe_scenes::Scene;

/// As the paper's, with half and with twice its branches.
const TREES: [(usize, usize); 3] = [(7, 44), (14, 44), (28, 60)];

#[test]
fn the_cost_of_a_tree_grows_as_its_vertices() {
    let cost = TREES.map(|(branches, trunk)| {
        let text = format!(
            "bending = \"per-edge\"\n[scene]\nname = \"tree-in-wind\"\nbranches = {branches}\nnodes = [{trunk}, 23, 16]\n\
             [time]\nintegrator = \"symplectic-projected\"\nsettle = false\nduration = \"1 s\"\nstep = \"0.1 ms\"\n"
        );
        let setup = Scene::parse(&text, "tree.toml").unwrap().build().unwrap();
        let (vertices, joints) = (setup.model.topology.nodes(), setup.model.bodies.list.len());
        let dt = 0.5 * largest_stable_step(&setup.model, &setup.state).unwrap();
        let dt = dt.min(1e-4);
        let mut s = Simulation::new(setup.model, setup.state, setup.step);
        // Under way, with workspaces of their size.
        for _ in 0..20 {
            s.step(dt).unwrap();
        }
        // The best of several: the machine does other things too.
        let (steps, mut iterations, mut each) = (20, 0, f64::INFINITY);
        for _ in 0..6 {
            let clock = Instant::now();
            iterations = (0..steps).map(|_| s.step(dt).unwrap().iterations).sum();
            each = each.min(clock.elapsed().as_secs_f64() / f64::from(steps));
        }
        println!(
            "tree of {vertices} vertices on {joints} joints, steps of {dt:.1e} s: {:.2} ms and {:.2} iterations of the projection a step",
            1e3 * each,
            f64::from(iterations) / f64::from(steps)
        );
        each / vertices as f64
    });
    assert!(cost[2] < 1.9 * cost[0], "{cost:?}");
}
