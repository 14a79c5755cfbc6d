//! Friction that differs along, against and across a rod: sliding, drifting down an incline, what
//! it goes with.

use glam::DVec3;
use writhe::contact::{
    ContactModel, Directions, Friction, FrictionSolve, ImcSettings, ImcSmoothSettings,
    SpillmannTeschnerSettings, StaticFriction,
};
use writhe::model::ModelBuilder;
use writhe::obstacle::Obstacle;
use writhe::rod::{Material, Rod, Section};
use writhe::simulation::Simulation;
use writhe::step::StepSettings;

const H: f64 = 0.005;
const G: f64 = 9.81;
/// Of a milk snake on cloth, three times as rough (Hu et al. 2009 have 0.11, 0.14, 0.20).
const SCALES: Directions = Directions {
    forward: 0.33,
    backward: 0.42,
    across: 0.60,
};

fn axes(solved: FrictionSolve) -> ContactModel {
    ContactModel::Imc(ImcSettings {
        friction: Friction {
            // Of axes, lest it rolls across.
            on_twist: false,
            solved,
            ..Friction::default()
        },
        ..ImcSettings::default()
    })
}

/// A rod along `direction` where a plane is to be, in the gravity `g`.
fn lying(contact: ContactModel, direction: DVec3, g: DVec3) -> ModelBuilder {
    let section = Section::circle(Material::new(1e7, 0.5, 1000.0), H);
    let place = |i: u32| 0.02 * f64::from(i) * direction + H * DVec3::Z;
    ModelBuilder::new()
        .rod(Rod::open((0..11).map(place).collect(), section).unwrap())
        .gravity(g)
        .contact(contact)
}

fn settings() -> StepSettings {
    StepSettings {
        dt: 2e-3,
        ..StepSettings::default()
    }
}

/// A rod along `direction` on a plane, in the gravity `g`, that starts with the velocity `v`.
fn on_plane(contact: ContactModel, direction: DVec3, g: DVec3, v: DVec3) -> Simulation {
    let (model, mut state) = lying(contact, direction, g)
        .obstacle(Obstacle::half_space(DVec3::ZERO, DVec3::Z).with_directions(SCALES))
        .build()
        .unwrap();
    for dof in &model.topology.node_dof {
        (0..3).for_each(|k| state.velocity[dof + k] = v[k]);
    }
    Simulation::new(model, state, settings())
}

fn velocity(run: &Simulation) -> DVec3 {
    let dofs = &run.model.topology.node_dof;
    let sum: DVec3 = dofs
        .iter()
        .map(|dof| DVec3::from_slice(&run.state.velocity[*dof..]))
        .sum();
    sum / dofs.len() as f64
}

/// Towards its head, its tail and its side a rod slows down by mu g.
#[test]
fn rods_slow_down_by_the_coefficient_of_their_direction() {
    for (v, mu) in [
        (DVec3::X, SCALES.forward),
        (-DVec3::X, SCALES.backward),
        (DVec3::Y, SCALES.across),
        (-DVec3::Y, SCALES.across),
    ] {
        let mut run = on_plane(axes(FrictionSolve::Implicit), DVec3::X, DVec3::NEG_Z * G, v);
        // What falls by the first penetration is over by here.
        run.run_until(0.04, |_, _| true).unwrap();
        let before = velocity(&run);
        run.run_until(0.1, |_, _| true).unwrap();
        let lost = (before - velocity(&run)) / 0.06;
        println!("{v}: {lost}, mu g = {}", mu * G);
        assert!((lost - mu * G * v).length() < 1e-3 * mu * G, "{v}: {lost}");
        // And it rests at last.
        run.run_until(0.4, |_, _| true).unwrap();
        assert!(velocity(&run).length() < 1e-4);
    }
}

/// An obstacle that gives nothing has what the rod has; what it gives counts for all rods alike.
#[test]
fn a_rods_own_scales_count_on_obstacles_that_give_none() {
    let rough = |floor: Obstacle| floor.with_friction(0.25);
    let scaled = |floor: Obstacle| {
        floor.with_directions(Directions {
            forward: 0.2,
            backward: 0.5,
            across: 0.7,
        })
    };
    let bare = |floor: Obstacle| floor;
    let floors: [(&dyn Fn(Obstacle) -> Obstacle, f64); 3] =
        [(&bare, SCALES.forward), (&rough, 0.25), (&scaled, 0.2)];
    for (floor, mu) in floors {
        let floor = floor(Obstacle::half_space(DVec3::ZERO, DVec3::Z));
        let lying = lying(axes(FrictionSolve::Implicit), DVec3::X, DVec3::NEG_Z * G);
        let (model, mut state) = (lying.obstacle(floor))
            .friction_by_direction(0, SCALES)
            .build()
            .unwrap();
        for dof in &model.topology.node_dof {
            state.velocity[*dof] = 1.0;
        }
        let mut run = Simulation::new(model, state, settings());
        run.run_until(0.04, |_, _| true).unwrap();
        let before = velocity(&run);
        run.run_until(0.1, |_, _| true).unwrap();
        let lost = (before - velocity(&run)) / 0.06;
        assert!((lost.x / (mu * G) - 1.0).abs() < 1e-6, "{lost} for {mu}");
    }
}

/// On an incline a rod that lies askew drifts towards where it slides more easily. It keeps one
/// direction u and one acceleration a: g sin(slope) d = a u + g cos(slope) f(u).
#[test]
fn rods_drift_on_an_incline() {
    let (slope, askew) = (40_f64.to_radians(), 50_f64.to_radians());
    // Downhill is x, the head points uphill or downhill.
    let g = G * DVec3::new(slope.sin(), 0.0, -slope.cos());
    for head_down in [true, false] {
        let sign = if head_down { 1.0 } else { -1.0 };
        let tau = sign * DVec3::new(askew.cos(), askew.sin(), 0.0);
        let mut run = on_plane(axes(FrictionSolve::Implicit), tau, g, DVec3::ZERO);
        run.run_until(0.1, |_, _| true).unwrap();
        let before = velocity(&run);
        run.run_until(0.3, |_, _| true).unwrap();
        let rate = (velocity(&run) - before) / 0.2;
        // The sharp law: in components along the rod and across, u_k (a + mu_k g cos) = g sin d_k.
        let along = DVec3::new(askew.cos(), askew.sin(), 0.0);
        let across = DVec3::new(-askew.sin(), askew.cos(), 0.0);
        let mu = if head_down {
            SCALES.forward
        } else {
            SCALES.backward
        };
        let part = |d: f64, mu: f64, a: f64| G * slope.sin() * d / (a + mu * G * slope.cos());
        let parts = |a: f64| [part(along.x, mu, a), part(across.x, SCALES.across, a)];
        let (mut low, mut high) = (0.0, G);
        for _ in 0..60 {
            let a = 0.5 * (low + high);
            let [x, y] = parts(a);
            if x.hypot(y) > 1.0 { low = a } else { high = a }
        }
        let [x, y] = parts(low);
        let expected = low * (x * along + y * across);
        let drift = |a: DVec3| a.y.atan2(a.x).to_degrees();
        println!(
            "head down {head_down}: {:.4} m/s^2 at {:.3} degrees, sharp law {:.4} at {:.3}",
            rate.length(),
            drift(rate),
            expected.length(),
            drift(expected)
        );
        // The smooth sign of the direction takes up to 1 % of the difference of both coefficients.
        assert!((rate - expected).length() < 3e-3 * expected.length());
        assert!(drift(rate) > 3.0, "towards the rod's axis");
    }
}

/// On a slope gentler than every coefficient it creeps, by less than the slip tolerance.
#[test]
fn what_sticks_creeps() {
    let slope = 10_f64.to_radians();
    let g = G * DVec3::new(slope.sin(), 0.0, -slope.cos());
    let ContactModel::Imc(settings) = axes(FrictionSolve::Implicit) else {
        unreachable!()
    };
    let direction = DVec3::new(0.6, 0.8, 0.0);
    let mut run = on_plane(ContactModel::Imc(settings), direction, g, DVec3::ZERO);
    run.run_until(1.0, |_, _| true).unwrap();
    let creeps = velocity(&run).length();
    assert!(creeps < settings.friction.slip_tolerance, "{creeps}");
}

#[test]
fn what_does_not_go_together_is_refused() {
    let refused = |contact: ContactModel, scales: Directions| {
        let section = Section::circle(Material::new(1e7, 0.5, 1000.0), H);
        let place = |i: u32| 0.02 * f64::from(i) * DVec3::X + H * DVec3::Z;
        let floor = Obstacle::half_space(DVec3::Z * -1.0, DVec3::Z);
        let rod = Rod::open((0..11).map(place).collect(), section).unwrap();
        let builder = ModelBuilder::new().rod(rod).contact(contact);
        let built = builder.obstacle(floor.with_directions(scales)).build();
        built.map(|_| ()).unwrap_err().to_string()
    };
    let implicit = axes(FrictionSolve::Implicit);
    let ContactModel::Imc(settings) = implicit else {
        unreachable!()
    };
    let anchored = ContactModel::Imc(ImcSettings {
        friction: Friction {
            stick: StaticFriction::Anchor { presliding: 1e-3 },
            ..settings.friction
        },
        ..settings
    });
    for (message, words) in [
        (refused(anchored, SCALES), "with anchors"),
        (
            refused(axes(FrictionSolve::Lagged { rounds: 1 }), SCALES),
            "where friction lags",
        ),
        (
            refused(
                ContactModel::SpillmannTeschner(SpillmannTeschnerSettings::default()),
                SCALES,
            ),
            "this contact model",
        ),
        (
            refused(
                ContactModel::ImcSmooth(ImcSmoothSettings::default()),
                SCALES,
            ),
            "this contact model",
        ),
        (
            refused(
                implicit,
                Directions {
                    across: -0.1,
                    ..SCALES
                },
            ),
            "by direction is -0.1",
        ),
    ] {
        assert!(message.contains(words), "{message}");
    }
}
