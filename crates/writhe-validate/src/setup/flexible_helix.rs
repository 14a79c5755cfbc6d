//! T22's flagellum, flexible, turned at its clamp in Stokes flow.

use glam::DVec3;
use writhe::contact::{ContactModel, ImcSettings};
use writhe::fluid::{Coupling, Fluid, StokesletSegments};
use writhe::model::ModelBuilder;
use writhe::observe::observe;
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::{Motion, Schedule};
use writhe::simulation::Simulation;
use writhe::step::{Scheme, StepSettings};

use super::stokes::tong;
use crate::case::CaseError;

/// Young's modulus, Pa.
const YOUNG: f64 = 3e6;
/// Viscosity, Pa s: so large that inertia is negligible at every speed looked at.
pub const VISCOSITY: f64 = 1.0;
/// Angle of the clamp in one step, rad.
const ANGLE: f64 = 0.4;

/// Contour length of the helix, m.
pub fn contour() -> f64 {
    tong::AXIAL * (1.0 + (std::f64::consts::TAU * tong::HELIX_RADIUS / tong::PITCH).powi(2)).sqrt()
}

/// Rate, rad/s, of the normalised speed `mu omega L^4/EI`, L the contour length.
pub fn rate(speed: f64) -> f64 {
    speed * section(1000.0).ei1 / (VISCOSITY * contour().powi(4))
}

fn section(density: f64) -> Section {
    Section::circle(Material::new(YOUNG, 0.5, density), tong::RADIUS)
}

/// A flagellum whose normalised speed goes from one value to another.
#[derive(Debug)]
pub struct FlexibleHelix {
    /// The run.
    pub simulation: Simulation,
    speeds: [f64; 2],
    /// When the speed starts to change and when it has, s.
    ramp: [f64; 2],
}

/// What a turning flagellum shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Turning {
    /// Normalised speed now.
    pub speed: f64,
    /// Thrust/(mu omega), m^2: force of the flagellum on the fluid along the axis.
    pub thrust: f64,
    /// Distance of the tip from the axis over the radius of the helix.
    pub tip_radius: f64,
    /// Axial distance of the tip from the start of the helix over its length at rest.
    pub tip_height: f64,
}

impl FlexibleHelix {
    /// Turns at `speeds[0]` for `turns[0]` turns at that speed, then faster, evenly in time, to
    /// `speeds[1]` over `turns[1]` turns at that.
    ///
    /// # Errors
    /// Never with sensible values.
    pub fn new(density: f64, speeds: [f64; 2], turns: [f64; 2]) -> Result<Self, CaseError> {
        let rates = speeds.map(rate);
        let time = |turns: f64, rate: f64| turns * std::f64::consts::TAU / rate;
        let start = time(turns[0], rates[0]);
        let span = time(turns[1], rates[1]);
        let growth = (rates[1] - rates[0]) / span;
        let angle = move |t: f64| {
            let late = (t - start).max(0.0);
            let ramped = late.min(span);
            rates[0] * t + growth * ramped * (late - 0.5 * ramped)
        };
        // Turning by -x a right-handed flagellum pushes its clamp: it bears compression.
        let motion = Motion::Rotation {
            point: DVec3::ZERO,
            axis: DVec3::NEG_X,
            angle: Schedule::Custom(std::sync::Arc::new(angle)),
        };
        let (model, state) = ModelBuilder::new()
            .rod(Rod::open(tong::flagellum(), section(density))?)
            .clamp(0, 0, motion)
            .contact(ContactModel::Imc(ImcSettings::default()))
            .fluid(Fluid::new(
                StokesletSegments {
                    viscosity: VISCOSITY,
                    regularisation: 1.02,
                },
                Coupling::Implicit,
            ))
            .build()?;
        let settings = StepSettings {
            dt: ANGLE / rates[0],
            scheme: Scheme::FittedBdf2 { omega: rates[0] },
            ..StepSettings::default()
        };
        Ok(Self {
            simulation: Simulation::new(model, state, settings),
            speeds,
            ramp: [start, start + span],
        })
    }

    /// Normalised speed at the present time.
    pub fn speed(&self) -> f64 {
        let [start, end] = self.ramp;
        let part = ((self.simulation.state.time - start) / (end - start)).clamp(0.0, 1.0);
        self.speeds[0] + part * (self.speeds[1] - self.speeds[0])
    }

    /// When the speed has reached its last value, s.
    pub fn end(&self) -> f64 {
        self.ramp[1]
    }

    /// One step, through the same angle at every speed.
    ///
    /// # Errors
    /// A step that fails.
    pub fn step(&mut self) -> Result<(), CaseError> {
        let omega = rate(self.speed());
        self.simulation.settings.dt = ANGLE / omega;
        self.simulation.settings.scheme = Scheme::FittedBdf2 { omega };
        // The angle of a step stays, so its size falls as the speed grows; a failed step has made
        // it smaller still.
        let dt = self.simulation.state.control.dt.min(ANGLE / omega);
        self.simulation.step(dt)?;
        Ok(())
    }

    /// What it shows now.
    ///
    /// # Errors
    /// A configuration without frames.
    pub fn turning(&self) -> Result<Turning, CaseError> {
        let Simulation { model, state, .. } = &self.simulation;
        let x = model.positions(state);
        let tip = x[x.len() - 1];
        let speed = self.speed();
        let force = observe(model, state)?.hydrodynamic[0].0;
        Ok(Turning {
            speed,
            thrust: -force.x / (VISCOSITY * rate(speed)),
            tip_radius: tip.y.hypot(tip.z) / tong::HELIX_RADIUS,
            tip_height: tip.x / tong::AXIAL,
        })
    }
}
