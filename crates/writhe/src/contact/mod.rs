//! Contact between rods: distance, candidates, swept collision detection, normal energy, friction.

pub mod candidates;
pub mod ccd;
pub mod distance;
pub mod friction;
pub mod imc;

#[cfg(test)]
mod testing;
