//! A simulation that cannot go on, as an exception that says where.

use pyo3::prelude::*;
use writhe::rod::kinematics::KinematicsError;
use writhe::simulation::{Simulation, SimulationError};
use writhe::step::{Location, StepError};
use writhe_session::crush::Crush;
use writhe_session::names::Names;

use crate::errors::raised;

/// Rod, and node of the rod, that a cause names.
type Place = (Option<usize>, Option<usize>);

/// A `SimulationError` with step, time and place; `names` are what the user calls things.
pub fn simulation_stopped(
    py: Python<'_>,
    error: &SimulationError,
    simulation: &Simulation,
    names: &Names,
) -> PyErr {
    let (cause, remedy) = cause_of(error);
    let (rod, node) = cause.map_or((None, None), place);
    let crush = cause.and_then(|_| Crush::of(&simulation.model, &simulation.state));
    let (message, rod, remedy) = match crush {
        None => (error.to_string(), rod, remedy.map(str::to_owned)),
        Some(crush) => (
            format!("{}. What gave way: {error}", crush.cause()),
            Some(crush.rod),
            Some(crush.remedy()),
        ),
    };
    // The remedy stands for itself.
    let message = remedy.as_ref().map_or(message.as_str(), |remedy| {
        let end = format!(". Try {remedy}");
        message.strip_suffix(&end).unwrap_or(&message)
    });
    let (step, time) = (simulation.state.step, simulation.state.time);
    let told = names.tell(message);
    raised(py, "SimulationError", |class| {
        class.call1((told, step, time, rod, node, remedy))
    })
}

/// Why a step could not be made, and what may help.
fn cause_of(error: &SimulationError) -> (Option<&StepError>, Option<&str>) {
    use SimulationError as E;
    match error {
        E::StepTooSmall { cause, remedy, .. }
        | E::FixedStep { cause, remedy, .. }
        | E::LaggedDrag { cause, remedy } => (Some(cause), Some(remedy)),
        E::Jammed { cause, .. } | E::NotForIntegrator(cause) => (Some(cause), None),
        E::DragGivesEnergy { remedy, .. } | E::NotSettled { remedy, .. } => (None, Some(remedy)),
        _ => (None, None),
    }
}

fn of(location: &Location) -> Place {
    match location {
        Location::Node { rod, node } => (Some(*rod), Some(*node)),
        Location::Angle { rod, .. } => (Some(*rod), None),
        Location::Body(_) | Location::Joint(_) => (None, None),
    }
}

fn place(cause: &StepError) -> Place {
    use KinematicsError as K;
    use StepError as E;
    match cause {
        E::NotConverged(found) => of(&found.place),
        E::Undetermined { place } => of(place),
        E::Kinematics(K::Folded { node }) => (Some(node[0]), Some(node[1])),
        E::Kinematics(K::Degenerate { edge, .. } | K::TurnedTooFar { edge }) => {
            (Some(edge[0]), None)
        }
        E::Entered { edge, .. } => (Some(edge.0), None),
        E::UnbalancedAngles { rod, .. }
        | E::StretchRemains { rod, .. }
        | E::StartsStretched { rod, .. } => (Some(*rod), None),
        _ => (None, None),
    }
}
