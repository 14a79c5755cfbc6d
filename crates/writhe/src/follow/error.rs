//! Why equilibria cannot be followed.

use crate::solve::SolveError;
use crate::statics::StaticsError;

/// Why equilibria cannot be followed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum FollowError {
    /// There is nothing to follow.
    #[error("the parameter would go from {from} to {to}: start and end must differ")]
    NoWay {
        /// Where it begins.
        from: f64,
        /// Where it is to end.
        to: f64,
    },
    /// There is no model of this parameter.
    #[error("no model can be made at the parameter {parameter}: {why}")]
    NoModel {
        /// The parameter.
        parameter: f64,
        /// Why.
        why: String,
    },
    /// Unknowns come and go with the parameter.
    #[error("the number of unknowns changes with the parameter, at {parameter}")]
    OtherUnknowns {
        /// The parameter.
        parameter: f64,
    },
    /// Obstacles that rods touch otherwise.
    #[error("equilibria at obstacles are followed with contact `imc` without friction alone")]
    Obstacles,
    /// Obstacles that grow or change their form.
    #[error(
        "the shape of an obstacle changes with the parameter: which side of it rods are on would not be known"
    )]
    Shapes,
    /// Drag of a fluid or wind would be left out, or a load under which nothing comes to rest.
    #[error("{0}")]
    Statics(#[from] StaticsError),
    /// The matrix of the first equilibrium.
    #[error("the equations of equilibrium cannot be solved: {0}")]
    Solve(#[from] SolveError),
    /// Newton's method found no equilibrium to begin at.
    #[error(
        "there is no equilibrium near the first state: corrections stay at {correction:.1e} of the rods' length"
    )]
    NoStart {
        /// Size of the last correction over the length of the rods.
        correction: f64,
    },
    /// Told to stop.
    #[error("stopped on request")]
    Interrupted,
}
