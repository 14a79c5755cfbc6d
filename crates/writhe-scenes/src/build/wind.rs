//! Wind of the core.

use std::sync::Arc;

use writhe::loads::WindDrag;
use writhe::model::ModelBuilder;
use writhe::schedule::Schedule;

use super::motion::amplitude;
use crate::spec::centreline::vector;
use crate::spec::{WindDragSpec, WindSpec};

/// Adds the wind.
pub(super) fn add(spec: &WindSpec, builder: ModelBuilder) -> ModelBuilder {
    let velocity = vector(&spec.velocity);
    let steady = amplitude(&spec.amplitude);
    let factor = match spec.gusts {
        None => steady,
        Some(gusts) => {
            let gusts = Schedule::Custom(Arc::new(move |t| gusts.factor(t)));
            Schedule::Product(Box::new([steady, gusts]))
        }
    };
    let drag = match spec.drag {
        WindDragSpec::Quadratic {
            density,
            coefficient,
        } => WindDrag::Quadratic {
            density: density.si(),
            coefficient: coefficient.si(),
        },
        WindDragSpec::Linear { coefficient } => WindDrag::Linear {
            coefficient: coefficient.si(),
        },
    };
    builder.wind(velocity, factor, drag)
}
