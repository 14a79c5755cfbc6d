//! Obstacles, ground and walls.

mod foundation;
mod obstacles_contact;
mod obstacles_floor;
mod obstacles_hollow;
mod tube_buckling;
