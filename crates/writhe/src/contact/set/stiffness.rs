//! What pairs of edges in contact add to the matrix.

use super::EdgeContact;
use crate::assembly::{Blocks, PairBlocks, Trial};
use crate::contact::ContactFrame;
use crate::contact::pair::HessianPart;
use crate::model::Model;
use crate::model::pairs::unknowns::friction_dofs;

/// Adds minus the derivatives of the forces of pairs. Compiled once per instruction set and chosen
/// at run time.
pub(super) struct PairStiffness<'a> {
    pub pairs: &'a [EdgeContact],
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
    fn with_simd<S: pulp::Simd>(self, _: S) {
        let Self {
            frame, model, at, ..
        } = self;
        let friction = frame.solved_friction(model);
        for pair in self.pairs {
            // 12 position unknowns of (a0, a1, b0, b1), then two angles.
            let dofs = friction_dofs(model, pair.edges);
            // d2E/dx2
            let mut values = PairBlocks::of_positions(&pair.contact.hessian(self.part));
            if let Some(friction) = friction {
                let (law, mut friction) =
                    frame.friction_of((pair.edges, &pair.contact), friction, model, at);
                // For the matrix alone: forces are those of the trial (decision 0021).
                if let Some(direction) = frame.direction(pair.edges) {
                    friction.steer(&law, direction);
                }
                // -df/du a and -df/dx, which is not symmetric.
                values.angles = true;
                friction.add_velocity_jacobian(-at.rate, &mut values.blocks);
                friction.add_position_jacobian(-1.0, &mut values.blocks);
            }
            self.blocks.pair(pair.edges, &dofs, &values);
        }
    }
}
