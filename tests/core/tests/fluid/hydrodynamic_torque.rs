//! A flagellum that turns steadily: what turns it and what the fluid does to it balance, in force,
//! torque and power.

use glam::DVec3;
use writhe::fluid::Coupling;
use writhe::observe::observe;
use writhe::rod::kinematics::position;
use writhe::simulation::Simulation;
use writhe_tests::flagella;

#[test]
fn the_torque_of_the_fluid_is_that_of_the_clamp() {
    // So light that its inertia is nothing beside drag.
    let (model, state) = flagella::model(1, 10.0, 1.0, flagella::OMEGA, Coupling::Implicit);
    let mut simulation = Simulation::new(model, state, flagella::settings(0.02));
    simulation.run_until(3.0, |_, _| true).unwrap();
    let Simulation { model, state, .. } = &simulation;
    let seen = observe(model, state).unwrap();
    let clamp = seen.reactions[0];
    let (force, torque) = seen.hydrodynamic[0];
    let first = model.positions(state)[0];
    let about_clamp = torque + (first - clamp.at).cross(force);

    let off = (clamp.force + force).length() / force.length();
    assert!(
        off < 1e-3,
        "forces of {force} and {} do not balance",
        clamp.force
    );
    let off = (clamp.torque + about_clamp).length() / about_clamp.length();
    assert!(
        off < 1e-3,
        "torques of {about_clamp} and {} do not balance",
        clamp.torque
    );
    assert!(about_clamp.length() > 1e-6, "{about_clamp}");

    // What the clamp puts in goes into the fluid and into the shape, which still changes.
    let powers = |simulation: &Simulation| {
        let Simulation { model, state, .. } = simulation;
        let fluid: f64 = (model.topology.node_dof.iter())
            .zip(state.hydrodynamic_force.chunks_exact(3))
            .map(|(dof, f)| position(&state.velocity, *dof).dot(DVec3::from_slice(f)))
            .sum();
        let seen = observe(model, state).unwrap();
        // The clamp turns about -x.
        let clamp = seen.reactions[0].torque.dot(DVec3::NEG_X) * flagella::OMEGA;
        (clamp + fluid, fluid, seen.elastic.total())
    };
    let (stored_before, _, energy_before) = powers(&simulation);
    let dt = simulation.step(0.02).unwrap().dt;
    let (stored_after, fluid, energy_after) = powers(&simulation);
    let growth = (energy_after - energy_before) / dt;
    let stored = 0.5 * (stored_before + stored_after);
    assert!(
        (stored - growth).abs() < 1e-3 * fluid.abs(),
        "{stored} {growth} {fluid}"
    );
    assert!(growth.abs() > 1e-2 * fluid.abs(), "{growth} {fluid}");
}
