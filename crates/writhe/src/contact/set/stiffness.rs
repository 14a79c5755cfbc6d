//! What pairs of edges in contact add to the matrix.

use super::EdgeContact;
use crate::assembly::{Blocks, PairBlocks, Trial};
use crate::contact::ContactFrame;
use crate::contact::pair::HessianPart;
use crate::kernels::friction::PairFriction;
use crate::kernels::friction::pair::{DerivativeColumns, PairColumns, take_derivatives};
use crate::lanes::COLUMN;
use crate::model::Model;
use crate::model::pairs::unknowns::friction_dofs;

/// Adds minus the derivatives of the forces of pairs. Compiled once per instruction set and chosen
/// at run time.
pub(super) struct PairStiffness<'a> {
    pub pairs: &'a [EdgeContact],
    /// Of each pair, where friction is solved for.
    pub frictions: &'a [PairFriction],
    pub frame: &'a ContactFrame,
    pub model: &'a Model,
    pub at: &'a Trial<'a>,
    /// So much of the normal Hessians.
    pub part: HessianPart,
    pub blocks: &'a mut dyn Blocks,
}

impl pulp::WithSimd for PairStiffness<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, simd: S) {
        let Self {
            frame, model, at, ..
        } = self;
        let friction = frame.solved_friction(model);
        let mut columns = PairColumns::default();
        let mut derivatives: DerivativeColumns = Default::default();
        let mut frictions = self.frictions.chunks(COLUMN);
        for pairs in self.pairs.chunks(COLUMN) {
            columns.begin();
            let found = frictions.next().unwrap_or_default();
            for (lane, (pair, found)) in pairs.iter().zip(found).enumerate() {
                if let Some(friction) = friction {
                    let law = frame.slip_law(pair.edges, friction, model);
                    // Another direction for the matrix alone: forces are those of the trial
                    // (decision 0021).
                    let slope = found.slope(&law, frame.direction(pair));
                    columns.put(lane, found, slope);
                }
            }
            if friction.is_some() {
                // -df/du a and -df/dx, which is not symmetric.
                columns.differentiate(simd, [-at.rate, -1.0], &mut derivatives);
            }
            for (lane, pair) in pairs.iter().enumerate() {
                // 12 position unknowns of (a0, a1, b0, b1), then two angles.
                let dofs = friction_dofs(model, pair.edges);
                // d2E/dx2
                let mut values = PairBlocks::of_positions(&pair.contact.hessian(self.part));
                if !found.is_empty() {
                    values.angles = true;
                    take_derivatives(&derivatives, lane, &mut values.blocks);
                }
                self.blocks.pair(pair.edges, &dofs, &values);
            }
        }
    }
}
