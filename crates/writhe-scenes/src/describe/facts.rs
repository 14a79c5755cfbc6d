//! Numbers that sections and remarks share.

use glam::DVec3;
use writhe::rod::Rod;
use writhe::step::largest_stable_step;

use crate::build::distance_from_axis;
use crate::error::SceneError;
use crate::scene::{Scene, SceneSpec};
use crate::spec::centreline::vector;
use crate::spec::{FLUID_DENSITY, FluidKind, IntegratorKind, MotionSpec, RodSpec};

/// A rod with its sizes.
pub(super) struct RodFacts {
    pub key: String,
    pub spec: RodSpec,
    pub rod: Rod,
    /// Initial edge lengths, m.
    pub edges: Vec<f64>,
    /// Sum of the initial edge lengths, m.
    pub length: f64,
    /// Length beyond the middle of clamped ends, m: what bends.
    pub free_length: f64,
    /// Mass, kg.
    pub mass: f64,
    /// Smallest and largest radius, m.
    pub radius: [f64; 2],
    /// Smallest of the bending stiffnesses, N m^2.
    pub bending: f64,
    /// Mass per length averaged over the rod, kg/m.
    pub mass_per_length: f64,
    /// Largest prescribed speed of a point that turns with its supports as a rigid body, m/s.
    pub speed: f64,
}

pub(super) struct Facts<'a> {
    pub scene: &'a Scene,
    pub spec: &'a SceneSpec,
    pub rods: Vec<RodFacts>,
    /// Largest stable step at the start, s, if steps are explicit.
    pub stable_step: Option<f64>,
    /// Largest step that lagged drag allows at the start, s; infinite where it does not lag.
    pub lagged_step: f64,
}

impl<'a> Facts<'a> {
    pub fn new(scene: &'a Scene, rods: Vec<(String, RodSpec, Rod)>) -> Result<Self, SceneError> {
        let rods = rods
            .into_iter()
            .map(|(key, spec, rod)| RodFacts::new(key, spec, rod))
            .collect();
        Ok(Self {
            scene,
            spec: &scene.spec,
            rods,
            stable_step: stable_step(scene),
            lagged_step: lagged_step(scene)?,
        })
    }

    pub fn nodes(&self) -> usize {
        self.rods.iter().map(|r| r.rod.positions.len()).sum()
    }

    pub fn edges(&self) -> usize {
        self.rods.iter().map(|r| r.rod.edges()).sum()
    }

    /// Key, spec and number of edges of each rod: what bodies are welded to.
    pub fn welded_to(&self) -> Vec<(String, RodSpec, usize)> {
        let rod = |r: &RodFacts| (r.key.clone(), r.spec.clone(), r.rod.edges());
        self.rods.iter().map(rod).collect()
    }

    /// Whether rods have coefficients of friction of their own.
    pub fn rods_have_friction(&self) -> bool {
        (self.rods.iter()).any(|rod| rod.spec.friction_by_direction.is_some())
    }

    /// Viscosity of the surroundings, Pa s, if there are any.
    pub fn viscosity(&self) -> Option<f64> {
        let fluid = self.spec.fluid;
        let on = fluid.model != FluidKind::None;
        fluid.viscosity.filter(|_| on).map(|mu| mu.si())
    }

    /// Largest Reynolds number of what is driven, `rho v h / mu` with the density of water, if
    /// there is a fluid.
    pub fn reynolds(&self) -> Option<f64> {
        let (rod, mu) = (self.fastest()?, self.viscosity()?);
        Some(FLUID_DENSITY * rod.speed * rod.radius[1] / mu)
    }

    /// The rod that moves fastest.
    pub fn fastest(&self) -> Option<&RodFacts> {
        let moving = self.rods.iter().filter(|r| r.speed > 0.0);
        moving.max_by(|a, b| a.speed.total_cmp(&b.speed))
    }
}

fn stable_step(scene: &Scene) -> Option<f64> {
    if scene.spec.time.integrator == IntegratorKind::Implicit {
        return None;
    }
    let setup = scene.build().ok()?;
    largest_stable_step(&setup.model, &setup.state).ok()
}

/// Refuses a scene whose step is beyond it, as a run does; what else keeps a scene from running is
/// told elsewhere.
fn lagged_step(scene: &Scene) -> Result<f64, SceneError> {
    let fluid = scene.spec.fluid;
    if !fluid.lags() {
        return Ok(f64::INFINITY);
    }
    match scene.builder()?.build() {
        Ok((model, state)) => crate::build::lagged_step(scene, &model, &state),
        Err(_) => Ok(f64::INFINITY),
    }
}

impl RodFacts {
    fn new(key: String, spec: RodSpec, rod: Rod) -> Self {
        let n = rod.positions.len();
        let edges: Vec<f64> = (0..rod.edges())
            .map(|e| (rod.positions[(e + 1) % n] - rod.positions[e]).length())
            .collect();
        let length: f64 = edges.iter().sum();
        let masses = rod
            .sections
            .iter()
            .zip(&rod.rest_lengths)
            .map(|(s, l)| s.mass_per_length * l);
        let mass: f64 = masses.sum();
        let radius = range(rod.sections.iter().map(|s| s.radius));
        let bending = range(rod.sections.iter().map(|s| s.ei1.min(s.ei2)))[0];
        let speed = largest_speed(&spec, &rod.positions);
        let clamped = |edge: usize| {
            let there = spec
                .clamps
                .iter()
                .any(|c| c.edge.index(rod.edges()) == edge);
            if there && !rod.closed {
                0.5 * edges[edge]
            } else {
                0.0
            }
        };
        let free_length = length - clamped(0) - clamped(rod.edges() - 1);
        Self {
            free_length,
            mass_per_length: mass / rod.rest_lengths.iter().sum::<f64>(),
            key,
            spec,
            rod,
            edges,
            length,
            mass,
            radius,
            bending,
            speed,
        }
    }

    /// Fastest steady rotation of its supports, rad/s.
    pub fn rate(&self) -> Option<f64> {
        motions(&self.spec)
            .filter_map(MotionSpec::rate)
            .reduce(f64::max)
    }
}

fn motions(spec: &RodSpec) -> impl Iterator<Item = &MotionSpec> {
    let clamps = spec.clamps.iter().map(|c| &c.motion);
    clamps.chain(spec.held.iter().map(|h| &h.motion))
}

fn largest_speed(spec: &RodSpec, positions: &[DVec3]) -> f64 {
    motions(spec)
        .map(|m| speed(m, positions))
        .fold(0.0, f64::max)
}

fn speed(motion: &MotionSpec, positions: &[DVec3]) -> f64 {
    match motion {
        MotionSpec::Still => 0.0,
        MotionSpec::Velocity(v) => vector(v).length(),
        MotionSpec::Translation(t) => vector(&t.by).length() * t.amplitude.largest_rate(),
        MotionSpec::Rotation(r) => {
            let rate = r.speed.map_or(0.0, |s| s.si().abs());
            let (p, axis) = (vector(&r.point), vector(&r.axis));
            let arm = positions
                .iter()
                .map(|x| distance_from_axis(*x, p, axis))
                .fold(0.0, f64::max);
            rate * arm
        }
        MotionSpec::Path(rows) => rows
            .windows(2)
            .map(|w| {
                let step = DVec3::new(w[1][1] - w[0][1], w[1][2] - w[0][2], w[1][3] - w[0][3]);
                step.length() / (w[1][0] - w[0][0])
            })
            .fold(0.0, f64::max),
        MotionSpec::Sequence(parts) => parts.iter().map(|m| speed(m, positions)).sum(),
    }
}

/// Smallest and largest.
pub(super) fn range(values: impl Iterator<Item = f64>) -> [f64; 2] {
    values.fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], v| {
        [a.min(v), b.max(v)]
    })
}
