//! Observables from outside the core.

use super::ObservableSink;
use crate::simulation::Simulation;

/// Shows observables of its own, as columns of a run's table behind those of the core.
///
/// A closure that takes the simulation and the sink is one; `()` shows none.
///
/// ```
/// use writhe::observe::ObservableSink;
/// use writhe::simulation::Simulation;
///
/// /// Height of the first node.
/// fn height(simulation: &Simulation, sink: &mut dyn ObservableSink) {
///     let first = simulation.model.positions(&simulation.state)[0];
///     sink.visit(&"height", "m", first.z);
/// }
/// # fn is_one(_: impl writhe::observe::Observer) {}
/// # is_one(height);
/// ```
pub trait Observer {
    /// Shows `sink` every observable, for any state of a run the same ones in the same order.
    fn observe(&self, simulation: &Simulation, sink: &mut dyn ObservableSink);
}

impl Observer for () {
    fn observe(&self, _: &Simulation, _: &mut dyn ObservableSink) {}
}

impl<F: Fn(&Simulation, &mut dyn ObservableSink)> Observer for F {
    fn observe(&self, simulation: &Simulation, sink: &mut dyn ObservableSink) {
        self(simulation, sink);
    }
}
