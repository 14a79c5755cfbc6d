//! Viscous rods and driven rest shapes: closed forms, orders in time, the balance of energy, motions
//! that are rigid, restarts.

use std::f64::consts::TAU;
use std::sync::Arc;

use glam::{DQuat, DVec3};
use writhe::forces::{section_loads, twist};
use writhe::loads::WindDrag;
use writhe::model::{BendingModel, ModelBuilder, ModelError};
use writhe::observe::observe;
use writhe::rest_shape::{RestLaw, RestStrain, RestTable, RestWave};
use writhe::rod::{Kinematics, Material, Rod, Section};
use writhe::schedule::{Motion, Pose, Schedule};
use writhe::simulation::{Simulation, SimulationError};
use writhe::state::State;
use writhe::state::arrays::Arrays;
use writhe::statics::{Statics, StaticsError};
use writhe::step::{Integrator, Scheme, StepSettings};
use writhe::viscoelastic::{Relaxation, Viscoelasticity};
use writhe_tests::balance::{SCHEMES, rod, run, settings};

const LENGTH: f64 = 0.4;

/// A light rod, so that it answers a load at once but for what is viscous.
fn light() -> Rod {
    let mut rod = rod(LENGTH, 8, 4e5, 6e-3);
    for section in &mut rod.sections {
        section.mass_per_length *= 1e-9;
        section.inertia_per_length *= 1e-9;
    }
    rod
}

/// How a rod is strained: which law, load and measure.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Mode {
    Bend,
    Twist,
    Stretch,
}

const MODES: [Mode; 3] = [Mode::Bend, Mode::Twist, Mode::Stretch];

/// The strain at a time of a cantilever under a load that grows in proportion to the time and strains
/// an elastic rod by 0.5 per metre, or by 1 % of its length, in a second; over these.
fn crept(mode: Mode, law: Viscoelasticity, scheme: Scheme, dt: f64, end: f64) -> f64 {
    let section = light().sections[0];
    let wanted = 0.5;
    let growing = Schedule::Rate {
        value: 0.0,
        rate: 1.0,
    };
    let builder = ModelBuilder::new()
        .rod(light())
        .clamp(0, 0, Motion::Still)
        .viscoelastic(0, law);
    let builder = match mode {
        Mode::Bend => {
            let moment = DVec3::Z * (section.ei1 * wanted);
            builder.moment(0, 7, moment, growing, false)
        }
        Mode::Twist => {
            let moment = DVec3::X * (section.gj * wanted);
            builder.moment(0, 7, moment, growing, false)
        }
        Mode::Stretch => builder.force(0, 8, DVec3::X * (0.01 * section.ea), growing),
    };
    let (model, state) = builder.build().unwrap();
    let simulation = run(model, state, settings(scheme, dt), end);
    let (model, state) = (&simulation.model, &simulation.state);
    let mut kinematics = Kinematics::default();
    kinematics
        .update(&model.topology, &state.frames, &state.q)
        .unwrap();
    let edge = LENGTH / 8.0;
    match mode {
        Mode::Bend => {
            let [a, b] = [3, 4].map(|e| kinematics.tangent(e));
            a.cross(b).length().asin() / edge / wanted
        }
        Mode::Twist => twist(model, &kinematics, &state.q, 3) / edge / wanted,
        Mode::Stretch => (kinematics.length(4) / edge - 1.0) / 0.01,
    }
}

/// Errors at `dt` and half of it against the closed form, and the order.
fn check_creep(law: Viscoelasticity, closed: impl Fn(f64) -> f64) {
    let end = 1.5;
    for (scheme, order, dt, allowed) in [
        (Scheme::Bdf2, 2.0, 0.02, 1e-4),
        (Scheme::BackwardEuler, 1.0, 0.02, 1e-2),
    ] {
        for mode in MODES {
            let error = [dt, 0.5 * dt]
                .map(|dt| (crept(mode, law, scheme, dt, end) - closed(end)).abs() / closed(end));
            let found = (error[0] / error[1]).log2();
            println!("{scheme:?} {mode:?}: {error:?}, order {found}");
            assert!(error[1] < allowed, "{scheme:?} {mode:?}: {error:?}");
            assert!(
                found > order - 0.3 || error[0] < 1e-7,
                "{scheme:?} {mode:?}: order {found}, {error:?}"
            );
        }
    }
}

#[test]
fn a_dashpot_beside_the_spring_creeps_to_its_strain() {
    let tau = 0.6;
    let law = Viscoelasticity {
        retardation: [tau; 3],
        relaxation: None,
    };
    check_creep(law, |t| t - tau * (1.0 - (-t / tau).exp()));
}

#[test]
fn a_dashpot_in_series_with_a_part_of_the_spring_creeps() {
    // The standard linear solid: under a constant load it creeps as 1 - g exp(-(1 - g) t/lambda).
    let (lambda, g) = (0.5, 0.6);
    let law = Viscoelasticity {
        retardation: [0.0; 3],
        relaxation: Some(Relaxation {
            time: lambda,
            shares: [g; 3],
        }),
    };
    let slow = lambda / (1.0 - g);
    check_creep(law, |t| {
        (t - g * slow * (1.0 - (-t / slow).exp())) / (1.0 - g)
    });
}

#[test]
fn a_rod_of_maxwell_flows() {
    let lambda = 0.5;
    let law = Viscoelasticity {
        retardation: [0.0; 3],
        relaxation: Some(Relaxation {
            time: lambda,
            shares: [1.0; 3],
        }),
    };
    check_creep(law, |t| t + 0.5 * t * t / lambda);
}

/// A rod held between two clamps, stretched and bent and twisted: all moments and forces fall by the
/// same factor while nothing moves.
#[test]
fn held_strains_relax() {
    let (lambda, g, end) = (0.5, 0.7, 0.9);
    let law = Viscoelasticity {
        retardation: [0.0; 3],
        relaxation: Some(Relaxation {
            time: lambda,
            shares: [g; 3],
        }),
    };
    let node = |i: i32| {
        let a = 0.12 * f64::from(i);
        DVec3::new(a.sin(), 1.0 - a.cos(), 0.02 * f64::from(i)) * 0.4
    };
    let section = Section::ellipse(Material::new(4e5, 0.5, 1e-3), 6e-3, 4e-3);
    let mut bent = Rod::open((0..=8).map(node).collect(), section).unwrap();
    bent.rest_lengths.iter_mut().for_each(|l| *l *= 0.99);
    bent.rest_curvature.fill([0.0; 2]);
    bent.rest_twist.fill(0.05);
    let mut builder = ModelBuilder::new().rod(bent).viscoelastic(0, law);
    for edge in 0..8 {
        builder = builder.clamp(0, edge, Motion::Still);
    }
    let (model, state) = builder.build().unwrap();
    let all = |simulation: &Simulation| {
        let loads = section_loads(&simulation.model, &simulation.state).unwrap();
        [loads.force, loads.moment].concat()
    };
    let mut simulation = Simulation::new(model, state, settings(Scheme::Bdf2, 0.01));
    let before = all(&simulation);
    let energy = observe(&simulation.model, &simulation.state)
        .unwrap()
        .elastic
        .total();
    simulation.run_until(end, |_, _| true).unwrap();
    let left = 1.0 - g * (1.0 - (-end / lambda).exp());
    for (now, before) in all(&simulation).iter().zip(&before) {
        assert!((*now - *before * left).length() < 1e-10 * before.length());
    }
    // Energy of the springs: 1 - g of it stays, g falls by the square.
    let now = observe(&simulation.model, &simulation.state)
        .unwrap()
        .elastic
        .total();
    let expected = energy * (1.0 - g + g * (-2.0 * end / lambda).exp());
    assert!((now - expected).abs() < 1e-10 * energy, "{now} {expected}");
    // What was lost is heat, and nothing else did work: by the trapezoidal rule, to second order.
    let works = simulation.state.ledger.works;
    assert!((works.damping - (energy - now)).abs() < 1e-3 * energy);
    assert!(works.damping > 0.0 && works.motors == 0.0);
}

fn wave(amplitude: f64, ramp: f64) -> RestLaw {
    RestLaw::Wave(RestWave {
        amplitude,
        wavenumber: TAU / 0.3,
        rate: TAU / 0.1,
        phase: 0.4,
        envelope: vec![0.5, 1.0, 0.8],
        ramp,
    })
}

const MIXED: Viscoelasticity = Viscoelasticity {
    retardation: [2e-3, 4e-3, 1e-3],
    relaxation: Some(Relaxation {
        time: 0.03,
        shares: [0.5, 0.3, 0.2],
    }),
};

/// The same without dashpots beside the springs where the scheme does not know them.
fn of(scheme: Scheme) -> Viscoelasticity {
    match scheme {
        Scheme::ImplicitMidpoint => Viscoelasticity {
            retardation: [0.0; 3],
            ..MIXED
        },
        _ => MIXED,
    }
}

/// A viscous rod of which everything is driven, in drag and under a load.
fn worm() -> ModelBuilder {
    let table = RestTable {
        times: (0..=50).map(|i| 0.005 * f64::from(i)).collect(),
        places: vec![0.0, 0.2, 0.4],
        values: (0..=50)
            .map(|i| {
                let t = 0.005 * f64::from(i);
                let rise = (12.0 * t).sin().powi(2);
                vec![0.0, 3.0 * rise, rise]
            })
            .collect(),
    };
    let gently = Schedule::Custom(Arc::new(|t: f64| (12.0 * t).sin().powi(2)));
    ModelBuilder::new()
        .rod(rod(LENGTH, 8, 4e5, 6e-3))
        .drive_rest(0, RestStrain::Curvature1, wave(4.0, 0.1))
        .drive_rest(0, RestStrain::Curvature2, RestLaw::Table(table))
        .drive_rest(0, RestStrain::Twist, wave(3.0, 0.1))
        .drive_rest(0, RestStrain::Stretch, wave(0.03, 0.1))
        .force(0, 4, DVec3::Y * 2e-2, gently.clone())
        .wind(DVec3::Z, gently, WindDrag::Linear { coefficient: 0.2 })
}

/// The same without the table, whose corners are no smooth motion.
fn smooth_worm() -> ModelBuilder {
    ModelBuilder::new()
        .rod(rod(LENGTH, 8, 4e5, 6e-3))
        .drive_rest(0, RestStrain::Curvature1, wave(4.0, 0.1))
        .drive_rest(0, RestStrain::Curvature2, wave(2.0, 0.1))
        .drive_rest(0, RestStrain::Twist, wave(3.0, 0.1))
        .drive_rest(0, RestStrain::Stretch, wave(0.03, 0.1))
        .viscous_damping(0.3)
}

#[test]
fn the_balance_closes_at_the_order_of_the_scheme() {
    for (scheme, order, small) in [
        (Scheme::BackwardEuler, 1.0, 5e-2),
        (Scheme::Bdf2, 2.0, 3e-3),
        (Scheme::ImplicitMidpoint, 2.0, 3e-3),
    ] {
        let left = [5e-4, 2.5e-4].map(|dt| {
            let builder = smooth_worm().viscoelastic(0, of(scheme));
            let (model, state) = builder.build().unwrap();
            let ledger = run(model, state, settings(scheme, dt), 0.25).state.ledger;
            println!("{scheme:?} {dt}: {ledger:?}");
            assert!(ledger.works.motors > 0.2 * ledger.scale());
            ledger.scheme / ledger.scale()
        });
        let found = (left[0] / left[1]).log2();
        println!("{scheme:?}: {left:?}, order {found}");
        assert!(left[0].abs() < small, "{scheme:?} leaves {:e}", left[0]);
        assert!((found - order).abs() < 0.3, "{scheme:?}: order {found}");
    }
}

/// Heat never falls, step by step, with dampers inside the rod alone.
#[test]
fn heat_never_falls() {
    for scheme in SCHEMES {
        let (model, state) = ModelBuilder::new()
            .rod(rod(LENGTH, 8, 4e5, 6e-3))
            .viscoelastic(0, of(scheme))
            .drive_rest(0, RestStrain::Curvature1, wave(4.0, 0.0))
            .drive_rest(0, RestStrain::Stretch, wave(0.05, 0.0))
            .build()
            .unwrap();
        let mut simulation = Simulation::new(model, state, settings(scheme, 2e-3));
        let mut before = 0.0;
        for _ in 0..100 {
            simulation.step(f64::INFINITY).unwrap();
            let heat = simulation.state.ledger.works.damping;
            assert!(heat >= before, "{scheme:?}: {heat} {before}");
            before = heat;
        }
        assert!(before > 0.0);
    }
}

/// A rod that turns as a whole makes no heat, however large the steps are.
#[test]
fn rigid_motion_makes_no_heat() {
    for scheme in [Scheme::BackwardEuler, Scheme::Bdf2] {
        let spin = Motion::Custom(Arc::new(|t: f64| Pose {
            rotation: DQuat::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), 3.0 * t),
            translation: DVec3::Y * (5.0 * t),
        }));
        let node = |i: i32| DVec3::new(0.1 * f64::from(i), 0.02 * f64::from(i * i), 0.0);
        let section = Section::circle(Material::new(4e5, 0.5, 1000.0), 6e-3);
        let bent = Rod::open((0..=3).map(node).collect(), section).unwrap();
        let mut builder = ModelBuilder::new().rod(bent).viscoelastic(0, MIXED);
        for edge in 0..3 {
            builder = builder.clamp(0, edge, spin.clone());
        }
        let (model, state) = builder.build().unwrap();
        let heat = run(model, state, settings(scheme, 0.1), 1.0)
            .state
            .ledger
            .works
            .damping;
        // A strain rate of 1 % a second would make EI .. (1e-2)^2; rounding alone is left.
        let scale = section.ea * 0.3 * MIXED.retardation[2];
        assert!(
            heat < 1e-20 * scale,
            "{scheme:?}: {heat:e} beside {scale:e}"
        );
    }
}

/// A free rod in equilibrium has the strains at rest that are driven, all four at once.
#[test]
fn a_free_rod_takes_the_shape_at_rest() {
    let even = |amplitude: f64| {
        RestLaw::Wave(RestWave {
            amplitude,
            wavenumber: 0.0,
            rate: 0.0,
            phase: TAU / 4.0,
            envelope: Vec::new(),
            ramp: 0.0,
        })
    };
    let (model, state) = ModelBuilder::new()
        .rod(rod(LENGTH, 8, 4e5, 6e-3))
        .clamp(0, 0, Motion::Still)
        .drive_rest(0, RestStrain::Curvature1, even(1.2))
        .drive_rest(0, RestStrain::Curvature2, even(-0.9))
        .drive_rest(0, RestStrain::Twist, even(0.7))
        .drive_rest(0, RestStrain::Stretch, even(0.02))
        .build()
        .unwrap();
    let mut simulation = Simulation::new(model, state, settings(Scheme::Bdf2, 1e-2));
    simulation.settle().unwrap();
    let (model, state) = (&simulation.model, &simulation.state);
    let seen = observe(model, state).unwrap();
    // The first edge cannot stretch: it is clamped.
    let clamped = 0.5 * model.stretching[0] * 0.02_f64.powi(2) * model.rest_length[0];
    assert!((seen.elastic.stretch - clamped).abs() < 1e-9 * clamped);
    assert!(seen.elastic.bend + seen.elastic.twist < 1e-9 * clamped);
    let mut kinematics = Kinematics::default();
    kinematics
        .update(&model.topology, &state.frames, &state.q)
        .unwrap();
    let edge = LENGTH / 8.0;
    for vertex in 0..7 {
        let [a, b] = [vertex, vertex + 1].map(|e| kinematics.tangent(e));
        // f(phi) = phi + phi^5/320
        let angle = a.cross(b).length().asin() / edge;
        assert!((angle - 1.5).abs() < 1e-5, "{angle}");
        let turned = twist(model, &kinematics, &state.q, vertex) / edge;
        assert!((turned - 0.7).abs() < 1e-6, "{turned}");
    }
    for e in kinematics.edges().skip(1) {
        assert!((e.length / edge - 1.02).abs() < 1e-8);
    }
}

fn steps(simulation: &mut Simulation, count: usize) {
    for _ in 0..count {
        simulation.step(f64::INFINITY).unwrap();
    }
}

/// Written and read again in the middle, the run makes the same bits.
#[test]
fn a_restart_makes_the_same_bits() {
    for scheme in SCHEMES {
        let begin = || {
            let builder = worm().viscoelastic(0, of(scheme));
            let (model, state) = builder.build().unwrap();
            Simulation::new(model, state, settings(scheme, 2e-3))
        };
        let mut whole = begin();
        steps(&mut whole, 50);
        let mut first = begin();
        steps(&mut first, 25);
        let bytes = first.state.to_arrays().unwrap().to_bytes().unwrap();
        let state = State::from_arrays(&Arrays::from_bytes(&bytes).unwrap()).unwrap();
        assert!(!state.strains.dashpot.edges.is_empty());
        let mut second = begin();
        state.check_fit(&second.model).unwrap();
        second.state = state;
        steps(&mut second, 25);
        assert_eq!(whole.state, second.state, "{scheme:?}");
    }
}

#[test]
fn what_cannot_go_together_is_refused_by_name() {
    let explicit = |builder: ModelBuilder| {
        let (model, state) = builder.build().unwrap();
        let settings = StepSettings {
            integrator: Integrator::SymplecticProjected,
            ..settings(Scheme::BackwardEuler, 1e-4)
        };
        let error = Simulation::new(model, state, settings)
            .step(1.0)
            .unwrap_err();
        error.to_string()
    };
    let bare = || ModelBuilder::new().rod(rod(LENGTH, 8, 4e5, 6e-3));
    let driven = || bare().drive_rest(0, RestStrain::Twist, wave(1.0, 0.0));
    assert!(explicit(driven()).contains("driven"));
    assert!(explicit(bare().viscoelastic(0, MIXED)).contains("viscous"));
    let (model, state) = bare().viscoelastic(0, MIXED).build().unwrap();
    let mut simulation = Simulation::new(model, state, settings(Scheme::ImplicitMidpoint, 1e-3));
    let middle = simulation.step(1.0).unwrap_err().to_string();
    assert!(middle.contains("to first order only"), "{middle}");
    let averaged = driven().bending(BendingModel::Averaged).build();
    assert!(matches!(averaged, Err(ModelError::Pairing { .. })));
    let long = bare()
        .drive_rest(0, RestStrain::Stretch, wave(1.5, 0.0))
        .build();
    assert!(matches!(
        long,
        Err(ModelError::Setting {
            key: "driven stretch",
            ..
        })
    ));
    let flowing = Viscoelasticity {
        relaxation: Some(Relaxation {
            time: 1.0,
            shares: [1.0, 0.0, 0.0],
        }),
        ..Viscoelasticity::default()
    };
    let (model, state) = bare().viscoelastic(0, flowing).build().unwrap();
    let flows = Statics::at(&model, &state);
    assert_eq!(flows, Err(StaticsError::Flows(0)));
    let mut simulation = Simulation::new(model, state, settings(Scheme::Bdf2, 1e-2));
    let refused = simulation.settle().unwrap_err();
    assert_eq!(refused, SimulationError::Flows { rod: 0 });
    let wrong = Viscoelasticity {
        retardation: [-1.0, 0.0, 0.0],
        relaxation: None,
    };
    assert!(bare().viscoelastic(0, wrong).build().is_err());
}
