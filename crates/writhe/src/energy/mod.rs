//! Energy of rods and bodies, and the balance of a run: where energy came from and where it went.

mod kinetic;
mod ledger;

pub use kinetic::{body_kinetic, kinetic, rounding};
pub use ledger::{Ledger, Quadrature, StepAccount, Stored, Works};
