//! Velocities, the force of the fluid and bodies are recorded as they are in the simulation;
//! directories that lack them are read and go on.

use crate::common;
use crate::swinging;
use common::fast_place;
use writhe::observe::observe;
use writhe::simulation::Simulation;
use writhe_rundir::{
    Column, Outputs, Pause, Recording, RunDirectory, RunLayout, RunReader, speeds,
};

const SCENE: &str = "# a bob\n";

fn outputs() -> Outputs {
    Outputs::new(0.01, 0.0, 0.03)
}

/// Runs to the end; calls `look` after each output.
fn to_the_end(mut run: Recording, mut look: impl FnMut(&Simulation)) {
    while !run.is_over() {
        if run.next() > 0 {
            assert_eq!(run.advance(|_, _| true).unwrap(), Pause::Output);
        }
        run.output().unwrap();
        look(&run.simulation);
    }
    run.save(&()).unwrap();
}

#[test]
fn the_arrays_are_those_of_the_state() {
    let place = fast_place();
    let path = place.path().join("run");
    let mut states = Vec::new();
    let run = Recording::create(&path, SCENE, swinging::swinging(), outputs(), ()).unwrap();
    to_the_end(run, |s| states.push(s.state.clone()));
    let model = swinging::swinging().model;
    let reader = RunReader::open(&path).unwrap();
    assert_eq!(reader.frames(), 4);
    let times = reader.times().unwrap();
    for (frame, state) in states.iter().enumerate() {
        let velocities = reader.velocities(frame).unwrap().unwrap();
        let forces = reader.hydrodynamic_forces(frame).unwrap().unwrap();
        for (node, dof) in model.topology.node_dof.iter().enumerate() {
            assert_eq!(velocities[node], state.velocity[*dof..dof + 3]);
            let force = &state.hydrodynamic_force[3 * node..3 * node + 3];
            assert_eq!(forces[node], force);
        }
        let bodies = observe(&model, state).unwrap().bodies;
        let (position, orientation) = (bodies[0].position, bodies[0].orientation);
        let wanted = vec![(position.to_array(), orientation.to_array())];
        assert_eq!(reader.bodies(frame).unwrap(), wanted);
        let speed = speeds(&reader, &times, frame).unwrap();
        let wanted = velocities.iter().map(|v| glam::DVec3::from(*v).length());
        assert_eq!(speed, wanted.collect::<Vec<_>>());
    }
    // It swings, so that none of this was zero.
    let last = reader.hydrodynamic_forces(3).unwrap().unwrap();
    assert!(last.iter().any(|f| f[0] < -1e-7), "{last:?}");
    let (_, turn) = reader.bodies(3).unwrap()[0];
    assert!(turn[1].abs() > 1e-3, "{turn:?}");
}

#[test]
fn a_directory_without_them_is_read_and_goes_on() {
    let place = fast_place();
    let (old, new) = (place.path().join("old"), place.path().join("new"));
    let mut run = Recording::create(&new, SCENE, swinging::swinging(), outputs(), ()).unwrap();
    let layout = RunLayout {
        extra: Vec::new(),
        ..run.directory().layout().clone()
    };
    to_the_end(run, |_| ());
    let column = |name: &str| layout.observables.contains(&Column::new(name, "m"));
    assert!(column("body0_x"), "{:?}", layout.observables);
    let mut directory = RunDirectory::create(&old, &layout, SCENE).unwrap();
    directory.checkpoint(&()).unwrap();
    drop(directory);
    let (directory, ()) = RunDirectory::resume(&old).unwrap();
    let run = Recording::resumed(directory, swinging::swinging(), outputs(), 0, ());
    to_the_end(run, |_| ());

    let [old, new] = [old, new].map(|path| RunReader::open(path).unwrap());
    let times = old.times().unwrap();
    for frame in 0..old.frames() {
        assert_eq!(old.bodies(frame).unwrap(), new.bodies(frame).unwrap());
        assert!(old.velocities(frame).unwrap().is_none());
        assert!(old.hydrodynamic_forces(frame).unwrap().is_none());
    }
    // The speed is the mean over the way from the frame before to the frame after.
    let x = |frame: usize| glam::DVec3::from(old.positions(frame).unwrap()[5]);
    let mean = (x(2) - x(0)).length() / 0.02;
    assert!((speeds(&old, &times, 1).unwrap()[5] - mean).abs() < 1e-12);
    assert!((speeds(&new, &times, 1).unwrap()[5] - mean).abs() > 1e-6);
}
