//! Rods that no load couples: parts of the matrix that are factorised on their own.

use crate::model::Model;
use crate::solve::rods::{GROUP, REACH};

/// First unknowns of all rods, and of what comes after them.
pub(super) fn separate_rods(model: &Model) -> Vec<usize> {
    let topology = &model.topology;
    let behind = topology.rods.last().map(|rod| rod.first_dof + rod.dofs);
    let rods = topology.rods.iter().map(|rod| rod.first_dof);
    rods.chain(behind).collect()
}

/// Whether no load couples more than what is near along a rod: nodes with at most one between them,
/// and the edges behind them.
pub(super) fn loads_act_along_rods(model: &Model) -> bool {
    let topology = &model.topology;
    let along = |dofs: &[usize]| {
        let (Some(low), Some(high)) = (dofs.iter().min(), dofs.iter().max()) else {
            return true;
        };
        let mut rods = topology.rods.iter();
        rods.any(|rod| {
            let first = rod.first_dof;
            let within = *low >= first && *high < first + rod.dofs;
            within && (high - first) / GROUP - (low - first) / GROUP <= REACH
        })
    };
    let mut couplings = model.loads.iter().flat_map(|l| l.couplings(topology));
    couplings.all(|dofs| along(&dofs))
}
