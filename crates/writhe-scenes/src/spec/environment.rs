//! Gravity and damping.

use crate::tree::{NOT_NEGATIVE, section};
use crate::units::{Acceleration, Viscosity};

section! {
    /// Uniform gravity.
    #[derive(Copy)]
    pub struct GravitySpec {
        /// Acceleration of everything that is free, such as `[0, 0, -9.81]`.
        pub acceleration: [Acceleration; 3] = [Acceleration::default(); 3],
    }
}

impl GravitySpec {
    /// Earth's gravity along -z.
    pub fn earth() -> Self {
        Self::down(Acceleration::new(9.81))
    }

    /// Gravity along -z.
    pub fn down(acceleration: Acceleration) -> Self {
        let [x, y] = [Acceleration::default(); 2];
        Self {
            acceleration: [x, y, Acceleration::new(-acceleration.si())],
        }
    }

    /// Whether there is any.
    pub fn is_on(&self) -> bool {
        self.acceleration.iter().any(|a| a.si() != 0.0)
    }
}

section! {
    /// Damping force `-viscosity x length x velocity` on every node.
    #[derive(Copy)]
    pub struct DampingSpec {
        /// Force per length and speed.
        pub viscosity: Viscosity = Viscosity::default() => NOT_NEGATIVE,
    }
}

impl DampingSpec {
    /// Of this viscosity, Pa s.
    pub fn new(viscosity: f64) -> Self {
        Self {
            viscosity: Viscosity::new(viscosity),
        }
    }
}
