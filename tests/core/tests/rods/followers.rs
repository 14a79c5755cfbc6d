//! Forces that follow a rod and magnets in a field against elasticas, and the buckling of a ring under
//! pressure.

use std::f64::consts::{PI, TAU};
use std::sync::Arc;

use glam::{DMat3, DQuat, DVec3};
use writhe::loads::{FollowerLoad, Load, MagneticField};
use writhe::model::{Model, ModelBuilder};
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::{Motion, Schedule};
use writhe::simulation::Simulation;
use writhe::state::State;
use writhe::state::arrays::Arrays;
use writhe::statics::Statics;
use writhe::step::{Scheme, StepSettings};

const LENGTH: f64 = 1.0;

fn section() -> Section {
    Section::circle(Material::new(1e6, 0.5, 1000.0), 5e-3)
}

/// A cantilever along x whose clamped edge lies half behind the origin, so that LENGTH is free, and
/// whose last edge is half as long as the others, so that its end is a node.
fn cantilever(edges: usize) -> ModelBuilder {
    let l = LENGTH / edges as f64;
    let node = |i: usize| DVec3::X * (l * (i as f64 - 0.5));
    let mut nodes: Vec<DVec3> = (0..=edges).map(node).collect();
    nodes.push(DVec3::X * LENGTH);
    let rod = Rod::open(nodes, section()).unwrap();
    ModelBuilder::new().rod(rod).clamp(0, 0, Motion::Still)
}

fn settled(builder: ModelBuilder) -> (Model, State) {
    let (model, state) = builder.build().unwrap();
    let settings = StepSettings {
        step_tolerance: 1e-10,
        residual_tolerance: 1e-10,
        ..StepSettings::default()
    };
    let mut simulation = Simulation::new(model, state, settings);
    simulation.settle().unwrap();
    (simulation.model, simulation.state)
}

fn end(builder: ModelBuilder) -> DVec3 {
    let (model, state) = settled(builder);
    *model.positions(&state).last().unwrap()
}

/// Integrates y' = f(y) over `length` by Runge and Kutta.
fn integrate<const N: usize>(
    mut y: [f64; N],
    length: f64,
    f: impl Fn(&[f64; N]) -> [f64; N],
) -> [f64; N] {
    const STEPS: usize = 4000;
    let h = length / STEPS as f64;
    let on = |y: &[f64; N], k: &[f64; N], h: f64| std::array::from_fn(|i| y[i] + h * k[i]);
    for _ in 0..STEPS {
        let a = f(&y);
        let b = f(&on(&y, &a, 0.5 * h));
        let c = f(&on(&y, &b, 0.5 * h));
        let d = f(&on(&y, &c, h));
        y = std::array::from_fn(|i| y[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]));
    }
    y
}

/// Errors of the end's place over the length at two meshes, and the order by which they fall.
fn check_order(exact: DVec3, end: impl Fn(usize) -> DVec3, allowed: f64) {
    let error = [20, 40].map(|edges| (end(edges) - exact).length() / LENGTH);
    let order = (error[0] / error[1]).log2();
    println!("{exact}: {error:?}, order {order}");
    assert!(
        error[1] < allowed && (order - 2.0).abs() < 0.2,
        "{error:?}, order {order}"
    );
    assert!(exact.y.abs() > 0.2, "{exact}");
}

/// The end of a rod whose elastica was integrated from its free end, with the angle theta, x and y
/// there zero: turned and moved so that it begins at the origin along x.
fn from_free_end([theta, x, y]: [f64; 3]) -> DVec3 {
    // The clamp is where the integration ended, and x points from there to the free end.
    let (sin, cos) = theta.sin_cos();
    DVec3::new(-cos * x - sin * y, sin * x - cos * y, 0.0)
}

/// `EI theta'' = -A M B sin(angle of B - theta)` (Wang et al. 2020), with theta' = 0 at the free end:
/// by shooting.
#[test]
fn a_magnetic_cantilever_is_an_elastica() {
    // A M B L^2/EI, and where B points.
    let (strength, towards) = (6.0, 2.2);
    let curved = |s: &[f64; 4]| {
        let torque = strength / (LENGTH * LENGTH) * (towards - s[0]).sin();
        [s[1], -torque, s[0].cos(), s[0].sin()]
    };
    let shoot = |bend: f64| integrate([0.0, bend, 0.0, 0.0], LENGTH, curved);
    // theta'(L) grows with theta'(0) here.
    let (mut low, mut high) = (0.0, 5.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if shoot(middle)[1] > 0.0 {
            high = middle
        } else {
            low = middle
        }
    }
    let [.., x, y] = shoot(low);
    let exact = DVec3::new(x, y, 0.0);
    let (ei, area) = (section().ei1, PI * 25e-6);
    let magnetisation = 5e4;
    let field = strength * ei / (area * magnetisation * LENGTH * LENGTH);
    let builder = |edges: usize| {
        let rod = cantilever(edges);
        let moments = rod.rods()[0].rest_lengths.iter();
        let moments = moments
            .map(|l| DVec3::Z * (magnetisation * area * l))
            .collect();
        rod.magnetised(0, moments).magnetic_field(MagneticField {
            uniform: DVec3::new(f64::cos(towards), f64::sin(towards), 0.0) * field,
            gradient: DMat3::ZERO,
            amplitude: Schedule::Constant(1.0),
            axis: DVec3::Z,
            rate: 0.0,
        })
    };
    check_order(exact, |edges| end(builder(edges)), 1e-3);
}

/// A gradient pulls a rod of moment mu by `G mu`: a soft pendulum hangs where its weight would be.
#[test]
fn a_gradient_pulls() {
    let gradient = DMat3::from_diagonal(DVec3::new(0.5, 0.5, -1.0));
    let rod = cantilever(10);
    let moments: Vec<DVec3> = rod.rods()[0]
        .rest_lengths
        .iter()
        .map(|l| DVec3::Z * (0.3 * l))
        .collect();
    let (model, state) = rod
        .magnetised(0, moments)
        .magnetic_field(MagneticField {
            uniform: DVec3::ZERO,
            gradient,
            amplitude: Schedule::Constant(1.0),
            axis: DVec3::Z,
            rate: 0.0,
        })
        .build()
        .unwrap();
    let mut force = vec![0.0; model.topology.dofs];
    let mut kinematics = writhe::rod::Kinematics::default();
    kinematics
        .update(&model.topology, &state.frames, &state.q)
        .unwrap();
    let at = state.trial(&model.topology, &kinematics);
    model.loads[0].add_force(&at, &mut force);
    let sum = model
        .topology
        .node_dof
        .iter()
        .fold(DVec3::ZERO, |sum, dof| {
            sum + DVec3::from_slice(&force[*dof..])
        });
    // All moments along x: G_xx mu, half an edge behind the clamp included.
    let mu = 0.3 * (LENGTH + 0.05);
    assert!((sum - DVec3::X * (0.5 * mu)).length() < 1e-14);
}

/// A force at the end that stays across it: `EI psi'' = P cos(psi)` from the free end, psi the angle
/// to the end's direction.
#[test]
fn a_force_at_the_end_that_turns_with_it() {
    let strength = 5.0;
    let force = strength * section().ei1 / (LENGTH * LENGTH);
    // s from the free end; theta = -psi where the end lies along x.
    let curved = |y: &[f64; 4]| {
        let (sin, cos) = y[0].sin_cos();
        [y[1], -strength / (LENGTH * LENGTH) * cos, -cos, -sin]
    };
    let [theta, _, x, y] = integrate([0.0; 4], LENGTH, curved);
    let exact = from_free_end([theta, x, y]);
    let builder = |edges: usize| {
        let rod = cantilever(edges);
        let (model, state) = cantilever(edges).build().unwrap();
        // The direction +y in the frame of the last edge.
        let m1 = *model.directors(&state).last().unwrap();
        let m2 = DVec3::X.cross(m1);
        let frame = DVec3::new(m1.y, m2.y, 0.0) * force;
        rod.following_force(0, edges + 1, edges, frame, Schedule::Constant(1.0))
    };
    check_order(exact, |edges| end(builder(edges)), 1e-3);
}

/// A pressure in the plane, and the same force per length in the frame of the rod: both across the rod
/// everywhere.
#[test]
fn a_pressure_bends_a_cantilever() {
    // p L^3/EI
    let strength = 12.0;
    let pressure = strength * section().ei1 / LENGTH.powi(3);
    // From the free end: inner force (f, g), moment and angle; the pressure pushes along n x t.
    let curved = |y: &[f64; 6]| {
        let [theta, bend, f, g, ..] = *y;
        let (sin, cos) = theta.sin_cos();
        let p = strength / LENGTH.powi(3);
        // The part towards the free end carries what pushes it.
        [bend, f * sin - g * cos, -p * sin, p * cos, -cos, -sin]
    };
    let [theta, _, _, _, x, y] = integrate([0.0; 6], LENGTH, curved);
    let exact = from_free_end([theta, x, y]);
    let even = Schedule::Constant(1.0);
    let plane = |edges: usize| {
        let normal = DVec3::Z;
        let load = FollowerLoad::Pressure { pressure, normal };
        cantilever(edges).distributed(0, load, even.clone())
    };
    check_order(exact, |edges| end(plane(edges)), 2e-3);
    let frame = |edges: usize| {
        let (model, state) = cantilever(edges).build().unwrap();
        let m1 = model.directors(&state)[0];
        let m2 = DVec3::X.cross(m1);
        let load = FollowerLoad::Frame(DVec3::new(m1.y, m2.y, 0.0) * pressure);
        cantilever(edges).distributed(0, load, even.clone())
    };
    assert!((end(frame(20)) - end(plane(20))).length() < 1e-8);
}

/// A ring under pressure in its plane buckles at 3 EI/R^3 (Levy 1884).
#[test]
fn a_ring_buckles_under_pressure() {
    let radius: f64 = 0.3;
    let critical = 3.0 * section().ei1 / radius.powi(3);
    let error = [24_usize, 48].map(|edges| {
        // Stiffness of the mode cos(2 a), sin(2 a) along the radius and the tangent, which the symmetry
        // of the polygon lets stand alone.
        let softest = |pressure: f64| {
            let (model, state) = ring(radius, edges, pressure);
            let statics = Statics::at(&model, &state).unwrap();
            assert!(
                statics.unbalanced < 1e-6 * pressure * radius,
                "{}",
                statics.unbalanced
            );
            let modes = [true, false].map(|radial| mode(&model, &state, radial));
            let mut k = [[0.0; 2]; 2];
            for (row, column, value) in &statics.stiffness {
                let [r, c] = [statics.free[*row], statics.free[*column]];
                for (i, a) in modes.iter().enumerate() {
                    for (j, b) in modes.iter().enumerate() {
                        k[i][j] += a[r] * value * b[c];
                    }
                }
            }
            assert!((k[0][1] - k[1][0]).abs() < 1e-6 * k[0][0].abs());
            k[0][0] * k[1][1] - k[0][1] * k[1][0]
        };
        let (mut low, mut high) = (0.5 * critical, 1.5 * critical);
        assert!(softest(low) > 0.0 && softest(high) < 0.0);
        for _ in 0..50 {
            let middle = 0.5 * (low + high);
            if softest(middle) > 0.0 {
                low = middle
            } else {
                high = middle
            }
        }
        low / critical - 1.0
    });
    let order = (error[0] / error[1]).log2();
    println!("ring: {error:?}, order {order}");
    assert!(
        error[1].abs() < 1e-2 && (order - 2.0).abs() < 0.2,
        "{error:?}, order {order}"
    );
}

/// A ring in equilibrium with a pressure: its edges are pressed together just so.
fn ring(radius: f64, edges: usize, pressure: f64) -> (Model, State) {
    let node = |i: usize| {
        let a = TAU * i as f64 / edges as f64;
        DVec3::new(a.cos(), a.sin(), 0.0) * radius
    };
    let mut section = section();
    section.ea *= 1e4;
    let mut rod = Rod::closed((0..edges).map(node).collect(), section).unwrap();
    // p l cos(pi/n) on a node, 2 N sin(pi/n) from its edges: N = -p R cos(pi/n).
    let strain = -pressure * radius * (PI / edges as f64).cos() / section.ea;
    rod.rest_lengths.iter_mut().for_each(|l| *l /= 1.0 + strain);
    let load = FollowerLoad::Pressure {
        pressure,
        normal: DVec3::Z,
    };
    let even = Schedule::Constant(1.0);
    ModelBuilder::new()
        .rod(rod)
        .distributed(0, load, even)
        .build()
        .unwrap()
}

fn mode(model: &Model, state: &State, radial: bool) -> Vec<f64> {
    let mut mode = vec![0.0; model.topology.dofs];
    for (x, dof) in model.positions(state).iter().zip(&model.topology.node_dof) {
        let a = x.y.atan2(x.x);
        let by = match radial {
            true => DVec3::new(a.cos(), a.sin(), 0.0) * (2.0 * a).cos(),
            false => DVec3::new(-a.sin(), a.cos(), 0.0) * (2.0 * a).sin(),
        };
        mode[*dof..dof + 3].copy_from_slice(&by.to_array());
    }
    mode
}

/// A bent rod with magnets in a turning field with a gradient, a pressure and a force per length, all
/// turned by `turn` about the origin.
fn everything(turn: DQuat) -> ModelBuilder {
    let node = |i: i32| {
        let s = 0.05 * f64::from(i);
        turn * DVec3::new(s, 2.0 * s * s, 0.5 * s * s)
    };
    let nodes: Vec<DVec3> = (0..=8).map(node).collect();
    let director = Some(turn * DVec3::Y);
    let rod = Rod::at_rest(nodes, section(), false, director).unwrap();
    let moments = vec![DVec3::new(0.2, -0.1, 0.3); 8];
    let gradient = DMat3::from_cols(
        DVec3::new(0.5, 0.2, 0.1),
        DVec3::new(0.2, -0.2, 0.0),
        DVec3::new(0.1, 0.0, -0.3),
    );
    let matrix = DMat3::from_quat(turn);
    let amplitude = Schedule::Custom(Arc::new(|t: f64| 3e-3 * (20.0 * t).sin().powi(2)));
    ModelBuilder::new()
        .rod(rod)
        .magnetised(0, moments)
        .magnetic_field(MagneticField {
            uniform: turn * DVec3::new(0.3, 0.1, -0.2),
            gradient: matrix * gradient * matrix.transpose(),
            amplitude: amplitude.clone(),
            axis: turn * DVec3::new(0.0, 0.6, 0.8),
            rate: 5.0,
        })
        .distributed(
            0,
            FollowerLoad::Pressure {
                pressure: 0.4,
                normal: turn * DVec3::Z,
            },
            amplitude.clone(),
        )
        .distributed(0, FollowerLoad::Frame(DVec3::new(0.1, 0.2, 0.3)), amplitude)
}

#[test]
fn forces_turn_with_the_scene() {
    let turn = DQuat::from_axis_angle(DVec3::new(0.6, 0.48, 0.64), 1.1);
    let force = |turn: DQuat| {
        let (model, mut state) = everything(turn).build().unwrap();
        state.time = 0.05;
        let mut kinematics = writhe::rod::Kinematics::default();
        kinematics
            .update(&model.topology, &state.frames, &state.q)
            .unwrap();
        let at = state.trial(&model.topology, &kinematics);
        let of = |load: &dyn Load| {
            let mut force = vec![0.0; model.topology.dofs];
            load.add_force(&at, &mut force);
            force
        };
        let forces: Vec<Vec<f64>> = model.loads.iter().map(|load| of(load.as_ref())).collect();
        (forces, model.topology)
    };
    let ((here, topology), (there, _)) = (force(DQuat::IDENTITY), force(turn));
    assert_eq!(here.len(), 3);
    for (here, there) in here.iter().zip(&there) {
        let size = here.iter().fold(0.0_f64, |a, f| a.max(f.abs()));
        for dof in &topology.node_dof {
            let [a, b] = [here, there].map(|f| DVec3::from_slice(&f[*dof..]));
            assert!((turn * a - b).length() < 1e-14 * size, "{a} {b}");
        }
        for dof in &topology.edge_dof {
            assert!((here[*dof] - there[*dof]).abs() < 1e-14 * size);
        }
    }
}

fn begun(scheme: Scheme, dt: f64) -> Simulation {
    let builder = everything(DQuat::IDENTITY).clamp(0, 0, Motion::Still);
    let (model, state) = builder.viscous_damping(0.05).build().unwrap();
    let settings = StepSettings {
        dt,
        scheme,
        adaptive: false,
        step_tolerance: 1e-9,
        residual_tolerance: 1e-9,
        ..StepSettings::default()
    };
    Simulation::new(model, state, settings)
}

fn steps(simulation: &mut Simulation, count: usize) {
    for _ in 0..count {
        simulation.step(f64::INFINITY).unwrap();
    }
}

/// Written and read again in the middle, the run makes the same bits.
#[test]
fn a_restart_makes_the_same_bits() {
    let (mut whole, mut first, mut second) = {
        let begun = || begun(Scheme::Bdf2, 1e-3);
        (begun(), begun(), begun())
    };
    steps(&mut whole, 60);
    steps(&mut first, 30);
    let bytes = first.state.to_arrays().unwrap().to_bytes().unwrap();
    second.state = State::from_arrays(&Arrays::from_bytes(&bytes).unwrap()).unwrap();
    steps(&mut second, 30);
    assert_eq!(whole.state, second.state);
}

/// Works of magnets and followers are in the balance: what is left is the scheme's, of second order.
#[test]
fn the_balance_closes() {
    for scheme in [Scheme::Bdf2, Scheme::ImplicitMidpoint] {
        let left = [1600, 3200].map(|count| {
            let mut simulation = begun(scheme, 0.2 / count as f64);
            steps(&mut simulation, count);
            let ledger = simulation.state.ledger;
            assert!(ledger.works.size() > 0.05 * ledger.scale());
            ledger.scheme / ledger.scale()
        });
        let order = (left[0] / left[1]).log2();
        println!("balance: {scheme:?} {left:?}, order {order}");
        assert!(left[1].abs() < 1e-6, "{scheme:?}: {left:?}");
        assert!((order - 2.0).abs() < 0.2, "{scheme:?}: order {order}");
    }
}
