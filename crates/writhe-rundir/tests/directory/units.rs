//! Every number that a run records scales as the unit in its header says.
//!
//! A scene is built twice, once with all its lengths, masses and times multiplied by 2, 3 and 5.
//! Both runs are the same motion in other units, so a column in kg m^2/s must be 3 x 2^2 / 5 times
//! as large, whatever it is called. What fails: a wrong unit in a header, a formula that mixes
//! quantities, and a constant of the program that has a dimension.

use crate::common;
use std::collections::BTreeMap;
use std::f64::consts::TAU;
use std::fs;
use std::path::Path;

use common::fast_place;
use glam::DVec3;
use writhe::bodies::{Body, Joint, JointKind, Motor};
use writhe::contact::{ContactModel, Friction, ImcSettings, ImcSmoothSettings, IpcSettings};
use writhe::fluid::{Coupling, Fluid, StokesletSegments};
use writhe::loads::WindDrag;
use writhe::loads::resistive_force::{DragCoefficients, DragLaw};
use writhe::model::ModelBuilder;
use writhe::obstacle::Obstacle;
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::{Motion, Schedule};
use writhe::simulation::Simulation;
use writhe::step::{Scheme, StepSettings};
use writhe_rundir::{Outputs, Pause, Recording};

/// Units of length, mass and time, in m, kg and s.
#[derive(Clone, Copy)]
struct Units {
    length: f64,
    mass: f64,
    time: f64,
}

const SI: Units = Units {
    length: 1.0,
    mass: 1.0,
    time: 1.0,
};
const OTHER: Units = Units {
    length: 2.0,
    mass: 3.0,
    time: 5.0,
};

impl Units {
    /// `value` with the dimension length^l mass^m time^t.
    fn of(self, value: f64, [l, m, t]: [i32; 3]) -> f64 {
        value * self.length.powi(l) * self.mass.powi(m) * self.time.powi(t)
    }

    fn length(self, value: f64) -> f64 {
        self.of(value, [1, 0, 0])
    }

    fn time(self, value: f64) -> f64 {
        self.of(value, [0, 0, 1])
    }

    fn velocity(self, v: DVec3) -> DVec3 {
        v * self.of(1.0, [1, 0, -1])
    }

    fn force(self, v: DVec3) -> DVec3 {
        v * self.of(1.0, [1, 1, -2])
    }

    fn moment(self, v: DVec3) -> DVec3 {
        v * self.of(1.0, [2, 1, -2])
    }

    fn acceleration(self, v: DVec3) -> DVec3 {
        v * self.of(1.0, [1, 0, -2])
    }

    fn viscosity(self, value: f64) -> f64 {
        self.of(value, [-1, 1, -1])
    }

    fn rate(self, value: f64) -> f64 {
        self.of(value, [0, 0, -1])
    }

    fn material(self, young: f64) -> Material {
        Material::new(
            self.of(young, [-1, 1, -2]),
            0.4,
            self.of(1000.0, [-3, 1, 0]),
        )
    }

    fn circle(self, young: f64, radius: f64) -> Section {
        Section::circle(self.material(young), self.length(radius))
    }

    /// A rod through `points`, m.
    fn open(self, points: impl IntoIterator<Item = DVec3>, section: Section) -> Rod {
        let nodes = points.into_iter().map(|x| x * self.length);
        Rod::open(nodes.collect(), section).unwrap()
    }

    /// Factor by which a number with the unit `text` grows from SI to these units.
    fn factor(self, text: &str) -> f64 {
        let mut sign = 1;
        let mut factor = 1.0;
        for part in text.split_inclusive([' ', '/']) {
            let word = part.trim_end_matches([' ', '/']);
            let (name, power) = word.split_once('^').unwrap_or((word, "1"));
            let power: i32 = power.parse().unwrap();
            let dimension = match name {
                "1" | "rad" => [0, 0, 0],
                "m" => [1, 0, 0],
                "kg" => [0, 1, 0],
                "s" => [0, 0, 1],
                "N" => [1, 1, -2],
                "J" => [2, 1, -2],
                "W" => [2, 1, -3],
                "Pa" => [-1, 1, -2],
                _ => panic!("the unit `{name}` of `{text}` is not known here"),
            };
            factor *= self.of(1.0, dimension).powi(sign * power);
            if part.ends_with('/') {
                sign = -1;
            }
        }
        factor
    }

    fn settings(self, dt: f64, scheme: Scheme) -> StepSettings {
        let plain = StepSettings::default();
        StepSettings {
            dt: self.time(dt),
            dt_min: self.time(plain.dt_min),
            scheme,
            step_tolerance: 1e-10,
            residual_tolerance: 1e-10,
            ..plain
        }
    }

    fn friction(self, coefficient: f64) -> Friction {
        let plain = Friction::coulomb(coefficient);
        Friction {
            slip_tolerance: self.of(plain.slip_tolerance, [1, 0, -1]),
            ..plain
        }
    }
}

fn line(from: DVec3, along: DVec3, nodes: usize) -> impl Iterator<Item = DVec3> {
    (0..nodes).map(move |i| from + along * i as f64)
}

/// A ring that falls on a strip which is held at both ends, pulled and twisted, over a floor that a
/// second strip slides on.
fn touching(u: Units, contact: ContactModel) -> Simulation {
    let strip = Section::rectangle(u.material(1e6), u.length(2e-3), u.length(1e-3));
    let mut beam = u.open(
        line(DVec3::new(-0.035, 0.0, 0.0), DVec3::X * 0.01, 8),
        strip,
    );
    beam.rest_lengths.iter_mut().for_each(|l| *l /= 1.001);
    let ring = (0..24).map(|i| {
        let a = TAU * f64::from(i) / 24.0;
        DVec3::new(0.03 * a.cos() + 0.004, 0.03 * a.sin(), 2.0e-3) * u.length
    });
    let mut ring = Rod::closed(ring.collect(), u.circle(1e6, 1e-3)).unwrap();
    ring.twist_directors(&[0.1; 23]);
    let bar = u.open(
        line(
            DVec3::new(-0.02, 0.06, -0.02),
            DVec3::new(0.008, 0.001, 0.0),
            6,
        ),
        u.circle(1e6, 1e-3),
    );
    let (model, mut state) = ModelBuilder::new()
        .rod(beam)
        .rod(ring)
        .rod(bar)
        .clamp(0, 0, Motion::Still)
        .hold_node(
            0,
            7,
            [true; 3],
            Motion::Velocity(u.velocity(DVec3::new(0.01, 0.0, 0.002))),
        )
        .hold_angle(
            0,
            6,
            Schedule::Rate {
                value: 0.0,
                rate: u.rate(20.0),
            },
        )
        .gravity(u.acceleration(DVec3::new(0.3, -0.2, -9.81)))
        .viscous_damping(u.viscosity(0.05))
        .wind(
            u.velocity(DVec3::new(0.5, 0.3, 0.1)),
            Schedule::Constant(1.0),
            WindDrag::Quadratic {
                density: u.of(1.2, [-3, 1, 0]),
                coefficient: 1.2,
            },
        )
        .force(
            2,
            3,
            u.force(DVec3::new(1e-4, 2e-4, -1e-4)),
            Schedule::Constant(1.0),
        )
        .moment(
            1,
            5,
            u.moment(DVec3::new(1e-7, 2e-7, 3e-7)),
            Schedule::Constant(1.0),
            true,
        )
        .contact(contact)
        .obstacle(
            Obstacle::half_space(DVec3::Z * u.length(-0.0215), DVec3::Z)
                .moving(Motion::Velocity(u.velocity(DVec3::Z * 0.01))),
        )
        .build()
        .unwrap();
    for dof in &model.topology.node_dof[8..] {
        state.velocity[*dof] = u.velocity(DVec3::X * 0.05).x;
        state.velocity[dof + 2] = u.velocity(DVec3::X * -0.04).x;
    }
    Simulation::new(model, state, u.settings(5e-4, Scheme::Bdf2))
}

/// A driven body with a rod, a second on a hinge with a motor, a third that hangs on a joint that
/// may break, one that is guided.
fn jointed(u: Units) -> Simulation {
    let body = |mass: f64, size: DVec3, at: DVec3| {
        Body::cuboid(u.of(mass, [0, 1, 0]), size * u.length, at * u.length)
    };
    let block = DVec3::new(0.02, 0.03, 0.04);
    let rod = u.open(
        line(DVec3::new(0.0, 0.0, 0.02), DVec3::Z * 0.01, 8),
        u.circle(5e6, 2e-3),
    );
    let mut free = body(0.03, block, DVec3::new(0.3, 0.1, 0.0));
    free.angular_velocity = DVec3::new(3.0, 2.0, -1.0) * u.rate(1.0);
    free.velocity = u.velocity(DVec3::new(0.1, -0.2, 0.3));
    let hinge = JointKind::Hinge {
        axis: DVec3::Y,
        motor: Motor::Torque(Schedule::Constant(u.moment(DVec3::X * 2e-3).x)),
    };
    let mut hanging = Joint::new(
        [Some(2), Some(1)],
        DVec3::new(0.06, 0.0, 0.01) * u.length,
        JointKind::Ball,
    );
    hanging.strength = Some(u.force(DVec3::X * 0.12).x);
    let (model, state) = ModelBuilder::new()
        .rod(rod)
        .body(body(0.02, block, DVec3::ZERO))
        .body(body(0.015, block, DVec3::new(0.05, 0.0, 0.0)))
        .body(body(0.01, block, DVec3::new(0.07, 0.02, 0.01)))
        .body(free)
        .weld(0, 0, 0)
        .joint(Joint::new(
            [Some(1), Some(0)],
            DVec3::new(0.03, 0.0, 0.0) * u.length,
            hinge,
        ))
        .joint(hanging)
        .guide_body(3, [true, false, false], [false, true, false])
        .move_body(
            0,
            Motion::spin(DVec3::ZERO, DVec3::new(1.0, 2.0, 3.0), u.rate(0.7)),
        )
        .gravity(u.acceleration(DVec3::new(0.5, 1.0, -9.81)))
        .build()
        .unwrap();
    Simulation::new(model, state, u.settings(2e-3, Scheme::Bdf2))
}

/// Two helices that turn side by side in a Stokes flow.
fn swimming(u: Units, coupling: Coupling) -> Simulation {
    let helix = |y: f64| {
        (0..20).map(move |i| {
            let s = 0.5 * f64::from(i);
            DVec3::new(0.004 * f64::from(i), y + 0.008 * s.cos(), 0.008 * s.sin())
        })
    };
    let mut builder = ModelBuilder::new();
    for (rod, y) in [0.0, 0.03].into_iter().enumerate() {
        let centre = DVec3::Y * u.length(y);
        builder = builder.rod(u.open(helix(y), u.circle(3e6, 1e-3))).clamp(
            rod,
            0,
            Motion::spin(centre, DVec3::NEG_X, u.rate(1.5)),
        );
    }
    let (model, state) = builder
        .fluid(Fluid::new(
            StokesletSegments {
                viscosity: u.viscosity(0.1),
                regularisation: 1.02,
            },
            coupling,
        ))
        .contact(ContactModel::Imc(ImcSettings::default()))
        .build()
        .unwrap();
    Simulation::new(model, state, u.settings(2e-3, Scheme::Bdf2))
}

/// A rod that sinks with local drag.
fn sinking(u: Units) -> Simulation {
    let law = DragLaw::Explicit(DragCoefficients {
        tangential: u.viscosity(0.3),
        normal: u.viscosity(0.5),
    });
    let (model, state) = ModelBuilder::new()
        .rod(u.open(
            line(DVec3::ZERO, DVec3::new(0.01, 0.002, 0.005), 9),
            u.circle(1e6, 1e-3),
        ))
        .clamp(0, 0, Motion::Still)
        .gravity(u.acceleration(DVec3::new(0.0, 1.0, -9.81)))
        .resistive_drag(u.viscosity(1.0), law)
        .build()
        .unwrap();
    Simulation::new(model, state, u.settings(2e-3, Scheme::ImplicitMidpoint))
}

/// Ten outputs in a run directory.
fn record(mut simulation: Simulation, every: f64, path: &Path) {
    simulation.state.control.dt = simulation.settings.dt;
    let outputs = Outputs::new(every, 0.0, 10.0 * every);
    let mut run = Recording::create(path, "# units\n", simulation, outputs, ()).unwrap();
    run.output().unwrap();
    while !run.is_over() {
        match run.advance(|_, _| true).unwrap() {
            Pause::Output => run.output().unwrap(),
            Pause::Save => {}
            pause => panic!("{pause:?}"),
        }
    }
    run.output_end().unwrap();
    run.save(&()).unwrap();
}

/// The columns of a CSV file that have a unit: name, unit, values.
fn columns(path: &Path) -> Vec<(String, String, Vec<f64>)> {
    let text = fs::read_to_string(path).unwrap();
    let mut lines = text.lines();
    let mut out: Vec<(usize, String, String, Vec<f64>)> = Vec::new();
    for (k, cell) in lines.next().unwrap().split(',').enumerate() {
        if let Some((name, unit)) = cell.split_once(" [") {
            out.push((
                k,
                name.to_owned(),
                unit.trim_end_matches(']').to_owned(),
                Vec::new(),
            ));
        }
    }
    for line in lines {
        let cells: Vec<&str> = line.split(',').collect();
        for (k, .., values) in &mut out {
            values.push(cells[*k].parse().unwrap_or(f64::NAN));
        }
    }
    out.into_iter()
        .map(|(_, name, unit, values)| (name, unit, values))
        .collect()
}

/// Compares what two runs of one scene recorded; adds to `seen` for each column whether it ever
/// said something.
fn compare(
    scene: &str,
    build: impl Fn(Units) -> Simulation,
    every: f64,
    seen: &mut BTreeMap<String, bool>,
) {
    let place = fast_place();
    let paths = [("si", SI), ("other", OTHER)].map(|(name, units)| {
        let path = place.path().join(name);
        record(build(units), units.time(every), &path);
        path
    });
    for file in ["observables.csv", "contacts.csv"] {
        if !paths[0].join(file).exists() {
            continue;
        }
        let [ours, other] = [&paths[0], &paths[1]].map(|path| columns(&path.join(file)));
        assert_eq!(ours.len(), other.len(), "{scene}: {file}");
        // What is nothing but rounding beside the largest number of its kind says nothing.
        let mut largest: BTreeMap<&str, f64> = BTreeMap::new();
        for (_, unit, values) in &ours {
            let most = largest.entry(unit).or_default();
            *most = values
                .iter()
                .filter(|v| v.is_finite())
                .fold(*most, |a, v| a.max(v.abs()));
        }
        for ((name, unit, a), (_, _, b)) in ours.iter().zip(&other) {
            assert_eq!(a.len(), b.len(), "{scene}: {file}, {name}: numbers of rows");
            let factor = OTHER.factor(unit);
            let noise = 1e-9 * largest[&unit[..]];
            let told = seen.entry(kind_of(name)).or_default();
            for (row, (a, b)) in a.iter().zip(b).enumerate() {
                let b = b / factor;
                assert_eq!(a.is_nan(), b.is_nan(), "{scene}: {file}, {name}, row {row}");
                assert!(
                    a.is_nan() || (a - b).abs() <= 1e-5 * a.abs() + noise,
                    "{scene}: {file}, {name} [{unit}], row {row}: {a:e} and, in other units, {b:e}"
                );
                *told |= a.abs() > 1e3 * noise;
            }
        }
    }
}

/// Columns that are zero in any scene: a held angle exerts no force, a held node no torque, a guide
/// nothing along what is free.
const ALWAYS_ZERO: [&str; 10] = [
    "guided_body_force_y",
    "guided_body_force_z",
    "guided_body_torque_x",
    "guided_body_torque_z",
    "held_angle_force_x",
    "held_angle_force_y",
    "held_angle_force_z",
    "held_node_torque_x",
    "held_node_torque_y",
    "held_node_torque_z",
];

/// Name of a column without the numbers in it: of each kind one must have said something.
fn kind_of(name: &str) -> String {
    name.chars().filter(|c| !c.is_ascii_digit()).collect()
}

#[test]
fn every_column_scales_as_its_unit_says() {
    let imc = |u: Units| {
        ContactModel::Imc(ImcSettings {
            friction: u.friction(0.3),
            ..ImcSettings::default()
        })
    };
    let ipc = |u: Units| {
        ContactModel::Ipc(IpcSettings {
            friction: u.friction(0.3),
            ..IpcSettings::default()
        })
    };
    let mut seen = BTreeMap::new();
    compare(
        "touching, imc-smooth",
        |u| touching(u, ContactModel::ImcSmooth(ImcSmoothSettings::default())),
        1e-3,
        &mut seen,
    );
    compare("touching, imc", |u| touching(u, imc(u)), 1e-3, &mut seen);
    compare("touching, ipc", |u| touching(u, ipc(u)), 1e-3, &mut seen);
    compare("jointed", jointed, 1e-2, &mut seen);
    compare(
        "swimming",
        |u| swimming(u, Coupling::Implicit),
        1e-2,
        &mut seen,
    );
    compare("sinking", sinking, 1e-2, &mut seen);
    let silent = seen.iter().filter(|(_, told)| !**told);
    let silent: Vec<&str> = silent.map(|(name, _)| &name[..]).collect();
    assert_eq!(
        silent, ALWAYS_ZERO,
        "columns of which no scene here has a value"
    );
    assert!(seen.len() > 50, "{seen:?}");
}
