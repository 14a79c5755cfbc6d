//! Bodies on rods that tests of any body engine share.
#![allow(dead_code, reason = "tests of another engine use a part, too")]

use glam::DVec3;
use writhe::bodies::{Body, BodyEngine};
use writhe::model::{BendingModel, Model, ModelBuilder};
use writhe::observe::observe;
use writhe::rod::Rod;
use writhe::schedule::Motion;
use writhe::simulation::Simulation;
use writhe::state::State;

use crate::scene::{G, explicit, line, section, stretch};

/// What a torque transducer did.
#[derive(Debug)]
pub struct Swing {
    /// Its period, s.
    pub period: f64,
    /// As it should be, s.
    pub closed_form: f64,
    /// Largest change of the angular momentum about the axis over what it was.
    pub drift: f64,
}

/// Two bodies that spin about the rod which joins them, 400 steps a period: omega^2 = GJ/L (1/I1 +
/// 1/I2).
pub fn transducer(engine: Box<dyn BodyEngine>) -> Swing {
    let (gj, inertia, edges) = (1e-3, [2e-5, 1e-5], 10);
    let mut builder = ModelBuilder::new()
        .rod(Rod::open(line(edges, 0.3), section(1e-3, 1e-3, gj)).unwrap())
        .bending(BendingModel::PerEdge)
        .engine(engine);
    for (k, end) in [0.0, 0.3].into_iter().enumerate() {
        let body = Body {
            angular_velocity: DVec3::X * [0.0, 3.0][k],
            ..Body::new(0.1, DVec3::splat(inertia[k]), DVec3::X * end)
        };
        builder = builder.body(body).weld(k, 0, [0, edges - 1][k]).guide_body(
            k,
            [k == 0, true, true],
            [false, true, true],
        );
    }
    let (model, state) = builder.build().unwrap();
    let moments = [0, 1].map(|k| model.bodies.list[k].inertia.x_axis.x);
    // Twist lives between the middles of the welded edges.
    let length = 0.3 - 0.03;
    let omega = (gj / length * (1.0 / moments[0] + 1.0 / moments[1])).sqrt();
    let closed_form = std::f64::consts::TAU / omega;
    let dt = closed_form / 400.0;
    let mut s = Simulation::new(model, state, explicit(dt));
    let spin = |s: &Simulation, k: usize| observe(&s.model, &s.state).unwrap().bodies[k].spin.x;
    let momentum = |s: &Simulation| moments[0] * spin(s, 0) + moments[1] * spin(s, 1);
    let first = momentum(&s);
    let (mut crossings, mut before, mut drift) = (Vec::new(), 0.0, 0.0_f64);
    for _ in 0..1200 {
        s.step(dt).unwrap();
        let now = spin(&s, 1) - spin(&s, 0);
        if before > 0.0 && now <= 0.0 {
            crossings.push(s.state.time - dt * now / (now - before));
        }
        before = now;
        drift = drift.max((momentum(&s) / first - 1.0).abs());
    }
    Swing {
        period: (crossings[2] - crossings[0]) / 2.0,
        closed_form,
        drift,
    }
}

/// Three rods on one joint without mass of its own, and a body at the end of one: a tree.
pub fn tree(held: bool, engine: Box<dyn BodyEngine>) -> (Model, State) {
    let directions = [
        DVec3::X,
        DVec3::new(-0.5, 0.8, 0.1),
        DVec3::new(-0.4, -0.7, 0.5),
    ];
    let mut builder = ModelBuilder::new()
        .bending(BendingModel::PerEdge)
        .engine(engine);
    for along in directions {
        let nodes = (0..=6)
            .map(|i| along.normalize() * (0.03 * f64::from(i)))
            .collect();
        builder = builder.rod(Rod::open(nodes, section(1e-3, 1e-3, 1e-3)).unwrap());
    }
    builder = builder.body(Body::joint(DVec3::ZERO));
    builder = (0..3).fold(builder, |b, rod| b.weld(0, rod, 0));
    let end = 0.18 * directions[1].normalize();
    builder = builder.body(Body::sphere(0.02, 0.02, end)).weld(1, 1, 5);
    if held {
        builder = builder.clamp(0, 5, Motion::Still).gravity(DVec3::NEG_Z * G);
    }
    builder.build().unwrap()
}

/// Lets the tree fly free with steps of .2, .1 and .05 ms: momentum is kept to rounding, lengths in
/// few iterations. Returns by what part angular momentum changes.
pub fn free_tree(engine: &dyn Fn() -> Box<dyn BodyEngine>) -> [f64; 3] {
    [2e-4, 1e-4, 5e-5].map(|dt| {
        let (model, mut state) = tree(false, engine());
        for (node, dof) in model.topology.node_dof.iter().enumerate() {
            if !model.bodies.follows(*dof) {
                state.velocity[dof + node % 3] = 0.3;
            }
        }
        let first = observe(&model, &state).unwrap();
        let mut s = Simulation::new(model, state, explicit(dt));
        let mut iterations = 0;
        for _ in 0..(0.05 / dt).round() as u32 {
            iterations = iterations.max(s.step(dt).unwrap().iterations);
            assert!(stretch(&s.model, &s.state) < 1e-8);
        }
        assert!(iterations <= 5, "{iterations}");
        let last = observe(&s.model, &s.state).unwrap();
        let pushed = (last.momentum - first.momentum).length();
        // Rounding of each step's solve.
        let steps = s.state.step as f64;
        assert!(
            pushed < 1e-14 * steps * first.momentum.length(),
            "{pushed:e}"
        );
        (last.angular_momentum - first.angular_momentum).length() / first.angular_momentum.length()
    })
}
