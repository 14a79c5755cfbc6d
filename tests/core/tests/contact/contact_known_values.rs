//! Contact of two rods whose numbers are known: force and energy at a given depth, gaps, where
//! friction acts on unequal radii.

use glam::DVec3;
use writhe::contact::{ContactModel, Friction, ImcSettings, IpcSettings, Stiffness};
use writhe::model::ModelBuilder;
use writhe::observe::observe;
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::{Motion, Schedule};
use writhe::simulation::Simulation;
use writhe::step::{StepSettings, Workspace, implicit_step};
use writhe_tests::support::Random;

/// A rod of six nodes along `along`, the middle of its middle edge at `middle`.
fn line(along: DVec3, middle: DVec3, radius: f64) -> Rod {
    let node = |i: i32| middle + along * (0.01 * (f64::from(i) - 2.5));
    let section = Section::circle(Material::new(1e8, 0.5, 1000.0), radius);
    Rod::open((0..6).map(node).collect(), section).unwrap()
}

/// Two rods at right angles, of these radii, m, `gap`, m, apart.
fn crossed(radii: [f64; 2], gap: f64, contact: ContactModel) -> ModelBuilder {
    let height = radii[0] + radii[1] + gap;
    ModelBuilder::new()
        .rod(line(DVec3::X, DVec3::ZERO, radii[0]))
        .rod(line(DVec3::Y, DVec3::Z * height, radii[1]))
        .contact(contact)
}

/// T22 Eq. 9, B.1: beyond the tolerance the energy is k (p/h)^2, with the mean radius h and the
/// depth p.
#[test]
fn the_force_at_a_given_depth_is_that_of_the_law() {
    let stiffness = 2e-4;
    for radii in [[1e-3, 1e-3], [1e-3, 4e-3]] {
        let mean = 0.5 * (radii[0] + radii[1]);
        let depth = 0.05 * mean;
        let contact = ContactModel::Imc(ImcSettings {
            stiffness: Stiffness::Given(stiffness),
            ..ImcSettings::default()
        });
        let (model, mut state) = crossed(radii, depth, contact).build().unwrap();
        // A scene that starts so deep is refused: the second rod is moved into the first.
        for dof in &model.topology.node_dof[6..] {
            state.q[dof + 2] -= 2.0 * depth;
        }
        let seen = observe(&model, &state).unwrap();
        let energy = stiffness * (depth / mean).powi(2);
        let force = 2.0 * stiffness * depth / mean.powi(2);
        assert_eq!(seen.contacts, 1);
        assert!(
            (seen.contact_energy / energy - 1.0).abs() < 1e-9,
            "{}",
            seen.contact_energy
        );
        assert!(
            (seen.contact_force / force - 1.0).abs() < 1e-9,
            "{}",
            seen.contact_force
        );
        assert!((seen.clearance.penetration / depth - 1.0).abs() < 1e-9);
    }
}

/// Forces begin at a gap of the tolerance times the mean radius: none above it, some below.
#[test]
fn forces_begin_at_the_tolerance() {
    let radii = [1e-3, 3e-3];
    for contact in [
        ContactModel::Imc(ImcSettings::default()),
        ContactModel::Ipc(IpcSettings::default()),
    ] {
        let force = |gap: f64| {
            let (model, state) = crossed(radii, gap * 2e-3, contact).build().unwrap();
            observe(&model, &state).unwrap().contact_force
        };
        assert_eq!(force(0.0101), 0.0, "{contact:?}");
        assert!(force(0.0099) > 0.0, "{contact:?}");
    }
}

/// The smallest gap is that between surfaces, of a step and of a state, with any radii.
#[test]
fn the_smallest_gap_is_told_as_it_is() {
    for (radii, gap) in [
        ([1e-3, 1e-3], 1e-4),
        ([1e-3, 2e-3], 2e-5),
        ([2e-3, 1e-3], -1e-6),
    ] {
        let contact = ContactModel::Imc(ImcSettings::default());
        let (model, state) = crossed(radii, gap, contact).build().unwrap();
        let nearest = observe(&model, &state).unwrap().nearest.unwrap();
        assert!((nearest.gap - gap).abs() < 1e-15, "{} {gap}", nearest.gap);
        let mut ws = Workspace::new(&model);
        let settings = StepSettings::default();
        let (after, report) = implicit_step(&model, &state, 1e-7, &settings, &mut ws).unwrap();
        let moved = observe(&model, &after).unwrap().nearest.unwrap().gap;
        assert_eq!(report.smallest_gap, Some(moved));
        assert!((moved - gap).abs() < 1e-9, "{moved} {gap}");
    }
}

/// A thin free rod on a thick one that moves along rolls with its own radius: friction acts where
/// the surfaces are.
#[test]
fn friction_acts_on_the_surfaces_of_unequal_radii() {
    let (radii, speed, load) = ([3e-3, 1e-3], 5e-3, 2e-3);
    let contact = ContactModel::Imc(ImcSettings {
        friction: Friction::coulomb(0.3),
        ..ImcSettings::default()
    });
    let mut builder = crossed(radii, 5e-6, contact);
    for node in 0..6 {
        builder = builder
            .force(1, node, DVec3::Z * (-load / 6.0), Schedule::Constant(1.0))
            .hold_node(0, node, [true; 3], Motion::Velocity(DVec3::X * speed));
    }
    let held = [true, true, false];
    let (model, state) = builder
        .hold_node(1, 0, held, Motion::Still)
        .hold_node(1, 5, held, Motion::Still)
        .build()
        .unwrap();
    let settings = StepSettings {
        dt: 5e-4,
        ..StepSettings::default()
    };
    let mut simulation = Simulation::new(model, state, settings);
    simulation.run_until(0.2, |_, _| true).unwrap();
    let edge = simulation.model.topology.rods[1].first_edge + 2;
    let spin = simulation.state.velocity[simulation.model.topology.edge_dof[edge]];
    // Its lowest point moves along x when it turns about -y.
    assert!((spin * radii[1] / -speed - 1.0).abs() < 2e-3, "{spin}");
}

/// With a barrier every correction is bounded, so that no solution is ever on the other side: the
/// crossing check after a step, which knows nothing of barriers, finds nothing to reject.
#[test]
fn with_a_barrier_no_step_is_rejected_for_a_crossing() {
    let mut random = Random(77);
    let mut touched = 0;
    for _ in 0..6 {
        let mut builder = ModelBuilder::new().contact(ContactModel::Ipc(IpcSettings::default()));
        let section = Section::circle(Material::new(1e6, 0.5, 1000.0), 2e-3);
        let mut velocities = Vec::new();
        for _ in 0..4 {
            let middle = 0.05 * random.vector();
            let along = random.vector().normalize() * 0.01;
            let nodes = (0..7).map(|i| middle + along * (f64::from(i) - 3.0));
            builder = builder.rod(Rod::open(nodes.collect(), section).unwrap());
            velocities.push(-200.0 * middle);
        }
        let Ok((model, mut state)) = builder.build() else {
            continue;
        };
        if observe(&model, &state)
            .unwrap()
            .nearest
            .is_some_and(|n| n.gap < 1e-4)
        {
            continue;
        }
        for (node, dof) in model.topology.node_dof.iter().enumerate() {
            state.velocity[*dof..dof + 3].copy_from_slice(&velocities[node / 7].to_array());
        }
        let settings = StepSettings {
            dt: 5e-3,
            ..StepSettings::default()
        };
        let mut simulation = Simulation::new(model, state, settings);
        simulation
            .run_until(0.02, |simulation, report| {
                assert!(report.smallest_trial_gap.is_none_or(|gap| gap > 0.0));
                assert!(report.smallest_gap.is_none_or(|gap| gap > 0.0));
                assert_eq!(simulation.statistics.crossings_prevented, 0);
                true
            })
            .unwrap();
        touched += u32::from(simulation.statistics.contact_steps > 0);
    }
    assert!(touched >= 3, "rods touched in {touched} throws only");
}
