//! Rods that moving obstacles squeeze: every accepted step is in balance, told by forces that are
//! added up here again.

use glam::DVec3;
use writhe::contact::{
    Beginning, ContactFrame, ContactModel, ContactSet, ImcSettings, IpcSettings,
};
use writhe::forces::{Acting, add_elastic, add_loads};
use writhe::model::{Model, ModelBuilder};
use writhe::observe::observe;
use writhe::obstacle::Obstacle;
use writhe::obstacle::surface::Instants;
use writhe::rod::{Kinematics, Material, Rod, Section};
use writhe::schedule::Motion;
use writhe::simulation::Simulation;
use writhe::state::State;
use writhe::step::{Scheme, StepSettings};

/// How well the forces of a state balance.
#[derive(Debug, Clone, Copy, Default)]
struct Balance {
    /// Largest component of mass times acceleration less all forces on a node, N.
    residual: f64,
    /// Largest component of the elastic force, the load or the inertia of a node, N.
    force: f64,
    /// Largest force between the nodes of an edge, and at a contact, N.
    inner: f64,
    /// Sum of the forces on obstacles and of what changes the rods' momentum, less the loads,
    /// beyond the tolerance of all nodes, N.
    sum: f64,
}

impl Balance {
    /// What is beyond the tolerance of 1e-6, over the largest force other than those of contact.
    fn beyond(&self) -> f64 {
        (self.residual - 1e-6 * self.inner).max(0.0) / self.force
    }
}

fn balance(model: &Model, state: &State) -> Balance {
    let topology = &model.topology;
    let mut kinematics = Kinematics::default();
    kinematics
        .update(topology, &state.frames, &state.q)
        .unwrap();
    let at = state.trial(topology, &kinematics);
    let zero = || vec![0.0; topology.dofs];
    let (mut elastic, mut loads, mut touch) = (zero(), zero(), zero());
    let (_, tension) = add_elastic(model, &kinematics, &state.q, &mut elastic, None);
    add_loads(model, Acting::All, &at, &mut loads);
    let dt = state.history.as_ref().map_or(1.0, |h| h.dt);
    let beginning = Beginning::new(model, state, Instants::ending(state.time, dt));
    let mut frame = ContactFrame::new(model, &beginning);
    let mut contact = ContactSet::default();
    contact.find(&mut frame, model, &at, state.contact.stiffness, &mut touch);
    let mut found = Balance {
        inner: tension.max(contact.largest_force()),
        ..Balance::default()
    };
    let mut sum = DVec3::ZERO;
    for dof in &topology.node_dof {
        for k in 0..3 {
            let i = dof + k;
            let inertia = model.mass[i] * state.acceleration[i];
            let residual = inertia + elastic[i] - loads[i] - touch[i];
            let largest = inertia.abs().max(elastic[i].abs()).max(loads[i].abs());
            found.residual = found.residual.max(residual.abs());
            found.force = found.force.max(largest);
            sum[k] += inertia - loads[i];
        }
    }
    for load in observe(model, state).unwrap().obstacles {
        sum += load.force;
    }
    // Each node may be off by the tolerance.
    let tolerated = 1e-6 * found.inner * topology.nodes() as f64;
    found.sum = (sum.abs().max_element() - tolerated).max(0.0);
    found
}

fn settings(dt: f64, scheme: Scheme) -> StepSettings {
    StepSettings {
        dt,
        scheme,
        ..StepSettings::default()
    }
}

fn ipc() -> ContactModel {
    ContactModel::Ipc(IpcSettings::default())
}

fn ring(radius: f64, edges: usize, h: f64, young: f64) -> Rod {
    let node = |i: usize| {
        let a = std::f64::consts::TAU * i as f64 / edges as f64;
        radius * DVec3::new(a.cos(), a.sin(), 0.0)
    };
    let section = Section::circle(Material::new(young, 0.5, 1000.0), h);
    Rod::closed((0..edges).map(node).collect(), section)
        .unwrap()
        .straight_at_rest()
        .unwrap()
}

/// A ring of 50 mm between two plates 1 mm beyond it that close at `speed`, m/s.
fn between_plates(speed: f64) -> (Model, State) {
    let plate = |side: f64| {
        Obstacle::half_space(DVec3::Y * side * 51.5e-3, DVec3::Y * -side)
            .moving(Motion::Velocity(DVec3::Y * -side * speed))
    };
    ModelBuilder::new()
        .rod(ring(0.05, 60, 0.5e-3, 1e6))
        .viscous_damping(0.01)
        .obstacle(plate(-1.0))
        .obstacle(plate(1.0))
        .contact(ipc())
        .build()
        .unwrap()
}

/// Plates that move by ten ranges of the barrier a step and more: the first touch, and all of the
/// squeeze.
#[test]
fn plates_close_on_a_ring() {
    let scenes = [2.5e-3, 5e-3, 1e-2].map(|speed| {
        [(0.02, 0.01), (0.02, 0.02), (0.05, 0.01), (0.05, 0.05)]
            .map(|(dt, every)| (speed, dt, every))
    });
    for (speed, dt, every) in scenes.into_iter().flatten() {
        let (model, state) = between_plates(speed);
        let mut run = Simulation::new(model, state, settings(dt, Scheme::Bdf2));
        let (mut beyond, mut off, mut tightest, mut largest) = (0.0_f64, 0.0_f64, 1.0_f64, 0.0_f64);
        for output in 1..=(2.0_f64 / every).round() as u32 {
            let end = every * f64::from(output);
            let outcome = run.run_until(end, |run, _| {
                let at = balance(&run.model, &run.state);
                let observed = observe(&run.model, &run.state).unwrap();
                beyond = beyond.max(at.beyond());
                off = off.max(at.sum / at.force);
                tightest = tightest.min(observed.obstacle_gap.unwrap_or(1.0) / 5e-6);
                for plate in observed.obstacles {
                    largest = largest.max(plate.force.length());
                }
                true
            });
            assert!(outcome.is_ok(), "{speed} m/s, {dt} s: {outcome:?}");
        }
        let s = run.statistics;
        println!(
            "{:4.1} mm/s, {:2.0} ms, outputs every {:2.0} ms: {} steps, {} tries failed, {:.2} iterations a step; gap at least {tightest:.1e} of the range, plates \
             carry at most {largest:.2e} N; out of balance by {beyond:.1e}, in sum {off:.1e}, of the other forces",
            1e3 * speed,
            1e3 * dt,
            1e3 * every,
            s.steps,
            s.rejected_steps,
            s.newton_iterations as f64 / s.steps as f64,
        );
        assert!(tightest > 1e-6 && beyond < 1e-3 && off < 1e-3);
    }
}

/// SplitMix64, in [0, 1).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }

    fn unit(&mut self) -> DVec3 {
        loop {
            let v = DVec3::new(self.next(), self.next(), self.next()) * 2.0 - 1.0;
            if (0.1..1.0).contains(&v.length()) {
                return v.normalize();
            }
        }
    }
}

/// A ring on a plate, and a plate, a ball or a cylinder that comes down on it, from a random side
/// and askew.
fn squeezed(random: &mut Random, contact: ContactModel) -> (Simulation, f64) {
    let (radius, h) = (random.within(0.02, 0.05), random.within(3e-4, 1e-3));
    let edges = 24 + (36.0 * random.next()) as usize;
    let mut rod = ring(radius, edges, h, 10_f64.powf(random.within(5.5, 7.0)));
    let turn = glam::DQuat::from_rotation_arc(DVec3::Z, random.unit());
    rod.positions.iter_mut().for_each(|x| *x = turn * *x);
    rod.directors.iter_mut().for_each(|d| *d = turn * *d);
    let along = turn * DVec3::X;
    let (start, speed) = (radius + 1.2 * h, random.within(2e-3, 5e-2));
    let askew = (along + 0.1 * random.unit()).normalize();
    let size = random.within(0.3, 1.0) * radius;
    let moving = match (3.0 * random.next()) as u32 {
        0 => Obstacle::half_space(along * (start + 0.1 * radius), -askew),
        1 => Obstacle::sphere(along * (start + size), size),
        _ => {
            let across = askew.cross(turn * DVec3::Y).normalize() * radius;
            let middle = along * (start + size + 0.1 * radius);
            Obstacle::cylinder([middle - across, middle + across], size)
        }
    };
    let spin = Motion::spin(DVec3::ZERO, along, random.within(-2.0, 2.0));
    let motion = Motion::Sequence(vec![spin, Motion::Velocity(-along * speed)]);
    let (model, state) = ModelBuilder::new()
        .rod(rod)
        .viscous_damping(random.within(1e-3, 1e-1))
        .obstacle(Obstacle::half_space(-along * start, along))
        .obstacle(moving.moving(motion))
        .contact(contact)
        .build()
        .unwrap();
    let scheme = if random.next() < 0.5 {
        Scheme::Bdf2
    } else {
        Scheme::BackwardEuler
    };
    let dt = 10_f64.powf(random.within(-3.0, -1.3));
    // Until the ring is squeezed by half its radius.
    let duration = 0.6 * radius / speed;
    let run = Simulation::new(model, state, settings(dt, scheme));
    (run, duration)
}

/// Whatever squeezes a ring, and however fast: no step is accepted out of balance.
#[test]
fn accepted_steps_are_in_balance() {
    let imc = ContactModel::Imc(ImcSettings::default());
    for (name, contact) in [("ipc", ipc()), ("imc", imc)] {
        let (mut worst, mut tightest, mut steps, mut failed) = (0.0_f64, 1.0_f64, 0, 0);
        for seed in 0..scenes() {
            let mut random = Random(seed);
            let (mut run, duration) = squeezed(&mut random, contact);
            let range = 0.01 * run.model.radius[0];
            let outcome = run.run_until(duration, |run, report| {
                let at = balance(&run.model, &run.state);
                assert!(at.beyond() < 1e-3, "{name}, seed {seed}: {at:?} {report:?}");
                worst = worst.max(at.beyond());
                if let Some(gap) = report.smallest_gap {
                    tightest = tightest.min(gap / range);
                }
                true
            });
            steps += run.statistics.steps;
            if let Err(error) = outcome {
                println!("{name}, seed {seed}: {error}");
                failed += 1;
            }
        }
        println!(
            "{name}: {steps} steps of {} scenes, {failed} did not end; out of balance by at most {worst:.1e} of the other forces; gaps from \
             {tightest:.1e} of the range on",
            scenes()
        );
        assert!(name == "imc" || tightest > 1e-6);
        assert!(failed == 0, "{name}: {failed} failed");
    }
}

/// How many scenes; `SQUEEZED=1000` asks for more.
fn scenes() -> u64 {
    let wanted = std::env::var("SQUEEZED").ok();
    wanted.and_then(|n| n.parse().ok()).unwrap_or(12)
}
