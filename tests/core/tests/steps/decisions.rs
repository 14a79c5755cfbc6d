//! Figures quoted in `docs/decisions`: `cargo test -p writhe-tests --test steps decisions -- --nocapture`
//! prints them.

use glam::{DMat3, DVec3};
use writhe::forces::add_elastic;
use writhe::model::ModelBuilder;
use writhe::rod::{Material, Rod, Section};
use writhe_tests::support::{Random, kinematics, relative_error};

/// Decision 0002: the gradient of bending and twisting without the spin of the frames, for rods at
/// rest in random shapes whose edges turn by an angle within one step, each about its own random
/// axis. Median and largest error of 200 rods, relative to the largest entry.
#[test]
fn gradients_without_the_spin_of_frames_are_wrong() {
    let mut random = Random(7);
    let mut medians = Vec::new();
    for degrees in [3.0_f64, 10.0, 25.0] {
        let mut errors: Vec<f64> = (0..200)
            .map(|_| error_without_spin(&mut random, degrees.to_radians()))
            .collect();
        errors.sort_by(f64::total_cmp);
        let (median, largest) = (errors[100], errors[199]);
        println!(
            "edges turned by {degrees:2} degrees: off by {:.1} % (median), {:.1} % (largest)",
            100.0 * median,
            100.0 * largest
        );
        medians.push(median);
    }
    assert!(medians.windows(2).all(|e| e[0] < e[1]) && medians[0] > 0.005);
}

fn error_without_spin(random: &mut Random, angle: f64) -> f64 {
    let mut at = DVec3::ZERO;
    let mut nodes = vec![at];
    for _ in 0..8 {
        at += DVec3::X + 0.7 * random.vector();
        nodes.push(at);
    }
    let section = Section::circle(Material::new(1e6, 0.3, 1000.0), 0.01);
    let rod = Rod::open(nodes.clone(), section).unwrap();
    let (mut model, state) = ModelBuilder::new().rod(rod).build().unwrap();
    // Stretching has no part in it, but would be the largest force.
    model.stretching.fill(0.0);
    let mut q = state.q.clone();
    let mut x = nodes[0];
    for (i, ends) in nodes.windows(2).enumerate() {
        let e = ends[1] - ends[0];
        let axis = e.cross(random.vector()).normalize();
        x += DMat3::from_axis_angle(axis, angle) * e;
        let dof = model.topology.node_dof[i + 1];
        q[dof..dof + 3].copy_from_slice(&x.to_array());
        q[model.topology.edge_dof[i]] = 0.5 * random.next();
    }
    let gradient = |spin: bool| {
        let mut k = kinematics(&model, &state.frames, &q);
        if !spin {
            k.leave_out_spins();
        }
        let mut g = vec![0.0; q.len()];
        add_elastic(&model, &k, &q, &mut g, None);
        g
    };
    relative_error(&gradient(false), &gradient(true))
}
