//! Which rods no load couples: parts of the matrix that are factorised on their own.

use crate::model::Model;

/// First unknowns of parts that follow each other, the first at 0: of single rods, or of several
/// between which a load acts, and of what comes after all rods.
pub(super) fn separate_rods(model: &Model) -> Vec<usize> {
    let topology = &model.topology;
    let behind = topology.rods.last().map(|rod| rod.first_dof + rod.dofs);
    let rods = topology.rods.iter().map(|rod| rod.first_dof);
    let mut first: Vec<usize> = rods.chain(behind).collect();
    let loads = model.loads.iter();
    for dofs in loads.flat_map(|load| load.couplings(topology)) {
        if let (Some(low), Some(high)) = (dofs.iter().min(), dofs.iter().max()) {
            first.retain(|first| first <= low || first > high);
        }
    }
    first
}
