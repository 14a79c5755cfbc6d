//! A body engine: bodies that slide without friction along one direction, and do not turn.

use glam::{DQuat, DVec3};
use writhe::bodies::{Assembly, BodyEngine, EngineError};

/// Bodies on parallel rails.
#[derive(Debug, Clone)]
pub struct Rail {
    along: DVec3,
    sliders: Vec<Slider>,
}

#[derive(Debug, Clone)]
struct Slider {
    mass: f64,
    position: DVec3,
    orientation: DQuat,
    speed: f64,
    push: f64,
}

impl Rail {
    /// Rails in the direction `along`.
    pub fn new(along: DVec3) -> Self {
        Self {
            along: along.normalize(),
            sliders: Vec::new(),
        }
    }
}

impl BodyEngine for Rail {
    fn boxed_clone(&self) -> Box<dyn BodyEngine> {
        Box::new(self.clone())
    }

    fn place(&mut self, bodies: &[(&Assembly, DVec3, DQuat)]) -> Result<(), EngineError> {
        let slider = |(assembly, position, orientation): &(&Assembly, DVec3, DQuat)| Slider {
            mass: assembly.mass,
            position: *position,
            orientation: *orientation,
            speed: 0.0,
            push: 0.0,
        };
        self.sliders = bodies.iter().map(slider).collect();
        Ok(())
    }

    fn pose(&self, body: usize) -> (DVec3, DQuat) {
        (self.sliders[body].position, self.sliders[body].orientation)
    }

    fn velocity(&self, body: usize) -> (DVec3, DVec3) {
        (self.along * self.sliders[body].speed, DVec3::ZERO)
    }

    fn set_pose(&mut self, body: usize, position: DVec3, orientation: DQuat) {
        self.sliders[body].position = position;
        self.sliders[body].orientation = orientation;
    }

    fn set_velocity(&mut self, body: usize, linear: DVec3, _angular: DVec3) {
        self.sliders[body].speed = linear.dot(self.along);
    }

    fn add_force(&mut self, body: usize, force: DVec3, _torque: DVec3) {
        self.sliders[body].push += force.dot(self.along);
    }

    fn step(&mut self, dt: f64) -> Result<(), EngineError> {
        for slider in &mut self.sliders {
            slider.speed += slider.push / slider.mass * dt;
            slider.position += self.along * (slider.speed * dt);
            slider.push = 0.0;
        }
        Ok(())
    }

    fn snapshot(&self) -> Result<Vec<u8>, EngineError> {
        let numbers = self.sliders.iter().flat_map(|s| {
            let ([x, y, z], [i, j, k, w]) = (s.position.to_array(), s.orientation.to_array());
            [s.mass, s.speed, x, y, z, i, j, k, w]
        });
        Ok(numbers.flat_map(f64::to_le_bytes).collect())
    }

    fn restore(&mut self, snapshot: &[u8]) -> Result<(), EngineError> {
        let (numbers, rest) = snapshot.as_chunks::<8>();
        let numbers: Vec<f64> = numbers.iter().map(|n| f64::from_le_bytes(*n)).collect();
        let (sliders, more) = numbers.as_chunks::<9>();
        if !rest.is_empty() || !more.is_empty() {
            return Err(EngineError("a snapshot that is cut off".to_owned()));
        }
        let slider = |[mass, speed, x, y, z, i, j, k, w]: &[f64; 9]| Slider {
            mass: *mass,
            position: DVec3::new(*x, *y, *z),
            orientation: DQuat::from_xyzw(*i, *j, *k, *w),
            speed: *speed,
            push: 0.0,
        };
        self.sliders = sliders.iter().map(slider).collect();
        Ok(())
    }
}
