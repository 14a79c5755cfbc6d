//! Gravity and damping.

use crate::tree::{not_negative, section};
use crate::units::{Acceleration, Viscosity};

section! {
    /// Uniform gravity.
    #[derive(Copy)]
    pub struct GravitySpec {
        /// m/s^2.
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
        /// Pa s; 0 for none.
        pub viscosity: Viscosity = Viscosity::default() => not_negative,
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
