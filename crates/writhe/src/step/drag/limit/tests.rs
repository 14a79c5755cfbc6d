use super::*;
use crate::fluid::StokesletSegments;
use crate::model::ModelBuilder;
use crate::rod::{Material, Rod, Section};
use crate::step::{StepSettings, Workspace, implicit_step};

/// The same numbers every time, between 0 and 1.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }
}

#[derive(Debug, Clone)]
struct Scene {
    rods: Vec<Vec<DVec3>>,
    radius: f64,
    regularisation: f64,
    viscosity: f64,
}

impl Scene {
    /// One to three rods side by side: radius .3 to 3 mm, 4 to 11 edges of .7 to 6 regularisation
    /// lengths that do not lie on a line.
    fn random(random: &mut Random) -> Self {
        let radius = 1e-3 * 10.0_f64.powf(random.between(-0.5, 0.5));
        let regularisation = if random.next() < 0.5 { 1.02 } else { 1.6487 };
        let edge = radius * regularisation * 10.0_f64.powf(random.between(-0.15, 0.78));
        let edges = 4 + (8.0 * random.next()) as usize;
        let apart = radius * random.between(2.5, 12.0);
        let count = 1 + (3.0 * random.next()) as usize;
        let rods = (0..count).map(|rod| {
            let mut x = DVec3::Y * (apart * rod as f64);
            let mut nodes = vec![x];
            for _ in 0..edges {
                let aside = DVec3::new(0.0, 0.0, random.between(-0.4, 0.4));
                x += (DVec3::X + aside).normalize() * (edge * random.between(0.8, 1.2));
                nodes.push(x);
            }
            nodes
        });
        Self {
            rods: rods.collect(),
            radius,
            regularisation,
            viscosity: 10.0_f64.powf(random.between(-2.0, 1.0)),
        }
    }

    fn build(&self, young: f64) -> (Model, State) {
        let section = Section::circle(Material::new(young, 0.5, 1000.0), self.radius);
        let mut builder = ModelBuilder::new();
        for nodes in &self.rods {
            builder = builder.rod(Rod::open(nodes.clone(), section).unwrap());
        }
        let fluid = Fluid::new(
            StokesletSegments {
                viscosity: self.viscosity,
                regularisation: self.regularisation,
            },
            Coupling::Lagged,
        );
        builder.fluid(fluid).build().unwrap()
    }
}

fn rate(model: &Model, state: &State) -> f64 {
    let mut drag = Drag::default();
    drag.assemble(model, model.fluid.as_ref().unwrap(), &state.q)
        .unwrap();
    drag.rate(model, state, &mut KrylovWorkspace::default())
        .unwrap()
}

/// The rod of 28 mm with a radius of 6 mm in 6 edges, whose limit is 29 us, and 1,400 the condition
/// of B.
fn short_and_thick() -> Scene {
    let node = |i: i32| DVec3::X * (0.028 / 6.0 * f64::from(i));
    Scene {
        rods: vec![(0..=6).map(node).collect()],
        radius: 6e-3,
        regularisation: 1.648_721_270_700_128_2,
        viscosity: 1.0,
    }
}

/// Largest eigenvalue of the dense matrix, by 3,000 power steps.
#[test]
fn few_power_steps_find_the_rate() {
    let mut random = Random(7);
    let mut scenes = vec![short_and_thick()];
    scenes.extend((0..8).map(|_| Scene::random(&mut random)));
    for scene in scenes {
        let (model, state) = scene.build(3e6);
        let mut drag = Drag::default();
        drag.assemble(&model, model.fluid.as_ref().unwrap(), &state.q)
            .unwrap();
        let inertia = Inertia::new(&model, &state);
        let mut velocity = inertia.velocity(&restless(&model));
        let mut exact = 0.0;
        for _ in 0..3000 {
            let size = dot(&velocity, &velocity).sqrt();
            velocity.iter_mut().for_each(|v| *v /= size);
            velocity =
                inertia.velocity(&drag.mobility().unwrap().solve(&velocity).unwrap().unwrap());
            exact = dot(&velocity, &velocity).sqrt();
        }
        let found = rate(&model, &state);
        assert!(
            (found / exact - 1.0).abs() < 0.04,
            "{found} {exact} {scene:?}"
        );
    }
    let (model, state) = short_and_thick().build(3e6);
    assert!((2.0 / rate(&model, &state) - 28.95e-6).abs() < 0.1e-6);
}

const SCHEMES: [Scheme; 4] = [
    Scheme::BackwardEuler,
    Scheme::Bdf2,
    Scheme::FittedBdf2 { omega: 1.5 },
    Scheme::ImplicitMidpoint,
];

/// Kinetic energy over that at the start after as many steps of `dt`, from velocities of a
/// ten-thousandth of a radius a step that differ from node to node; ends early beyond a thousand.
/// Nothing is refused.
fn growth(model: &Model, state: &State, radius: f64, scheme: Scheme, dt: f64, steps: usize) -> f64 {
    let mut random = Random(3);
    let mut state = state.clone();
    for dof in model.topology.node_dof.iter().flat_map(|dof| *dof..dof + 3) {
        state.velocity[dof] = random.between(-1.0, 1.0) * 1e-4 * radius / dt;
    }
    let settings = StepSettings {
        dt,
        scheme,
        step_tolerance: 1e-9,
        ..StepSettings::default()
    };
    let energy = |state: &State| -> f64 {
        let parts = model.mass.iter().zip(&state.velocity);
        parts.map(|(m, u)| 0.5 * m * u * u).sum()
    };
    let start = energy(&state);
    let mut ws = Workspace::new(model);
    for _ in 0..steps {
        // A rate that is as good as zero and never found anew.
        state.drag_watch.rate = f64::MIN_POSITIVE;
        state.drag_watch.moved = f64::NEG_INFINITY;
        state = implicit_step(model, &state, dt, &settings, &mut ws)
            .unwrap()
            .0;
        if energy(&state) > 1e3 * start {
            break;
        }
    }
    energy(&state) / start
}

/// Each scheme at .8 and at 1.15 of its own limit: soft rods, whose elasticity does not help, and
/// ordinary ones.
#[test]
fn twenty_scenes_are_stable_below_the_limit_and_not_above() {
    let mut random = Random(2026);
    for index in 0..20 {
        let scene = Scene::random(&mut random);
        let scheme = SCHEMES[index % 4];
        let (soft, at) = scene.build(1.0);
        let limit = scheme.largest_lagged_step(rate(&soft, &at));
        let below = growth(&soft, &at, scene.radius, scheme, 0.8 * limit, 300);
        assert!(below < 1.0, "{index} {scheme:?} grew by {below}: {scene:?}");
        let above = growth(&soft, &at, scene.radius, scheme, 1.15 * limit, 300);
        assert!(above > 1e3, "{index} {scheme:?} grew by {above}: {scene:?}");
        let (stiff, at) = scene.build(3e6);
        let below = growth(&stiff, &at, scene.radius, scheme, 0.8 * limit, 300);
        assert!(below < 1.0, "{index} {scheme:?} grew by {below}: {scene:?}");
    }
}

#[test]
fn the_allowed_step_is_what_is_shown() {
    for (stable, shown) in [
        (2.895e-5, 2.6e-5),
        (1.0, 0.9),
        (1.111_111_1e-3, 9.9e-4),
        (1e-3, 9e-4),
    ] {
        assert_eq!(allowed(stable), shown);
    }
    assert_eq!(allowed(f64::INFINITY), f64::INFINITY);
}

/// A rod of six edges with its first edge welded to a body: a heavy one is as good as a clamp, and
/// one without mass is as good as none.
#[test]
fn welded_nodes_move_as_their_bodies_let_them() {
    use crate::bodies::Body;
    use crate::schedule::Motion;
    let scene = short_and_thick();
    let nodes = &scene.rods[0];
    let section = Section::circle(Material::new(3e6, 0.5, 1000.0), scene.radius);
    let built = |with: &dyn Fn(ModelBuilder) -> ModelBuilder| {
        let builder = ModelBuilder::new().rod(Rod::open(nodes.clone(), section).unwrap());
        let (model, state) = with(builder)
            .fluid(Fluid::new(
                StokesletSegments {
                    viscosity: 1.0,
                    regularisation: scene.regularisation,
                },
                Coupling::Lagged,
            ))
            .build()
            .unwrap();
        rate(&model, &state)
    };
    let body = |mass: f64| Body::new(mass, DVec3::splat(mass * 1e-3), nodes[0]);
    let clamped = built(&|b| b.clamp(0, 0, Motion::Still));
    let heavy = built(&|b| b.body(body(1e3)).weld(0, 0, 0));
    assert!((heavy / clamped - 1.0).abs() < 1e-3, "{heavy} {clamped}");
    let light = built(&|b| b.body(body(1e-9)).weld(0, 0, 0));
    let free = built(&|b| b);
    assert!(
        light > clamped * 0.999 && light < free * 1.001,
        "{light} {clamped} {free}"
    );
}
