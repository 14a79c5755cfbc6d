//! What explicit steps know of a model: stated here, and nowhere else.

use crate::contact_model::policy::{ContactPolicy, Integrators};

/// A part of a model that explicit steps do not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotExplicit {
    /// A contact model whose forces are found within a Newton iteration.
    #[error("this contact model: take spillmann-teschner, none, or the integrator implicit")]
    ContactModel,
    /// A fluid whose flow couples all nodes.
    #[error(
        "a fluid whose flow couples all nodes: take the integrator implicit, or resistive-force drag"
    )]
    Fluid,
    /// Spins that have to be turned with a rod whose angles nothing holds: at rest, they carry
    /// none.
    #[error(
        "the spin of a rod whose angles nothing holds: take the integrator implicit, or inertia of angles alone"
    )]
    SpinInertia,
    /// Strains at rest that are driven.
    #[error("rest shapes that are driven: take the integrator implicit")]
    DrivenShape,
    /// Rods of which a part is viscous.
    #[error("viscous rods: take the integrator implicit")]
    Viscoelasticity,
    /// Magnets across a rod.
    #[error("rods that are magnetised across themselves: take the integrator implicit")]
    MagnetsAcross,
}

impl NotExplicit {
    /// The first of these parts that explicit steps do not know: the contact model, a fluid whose
    /// flow couples all nodes, spins that have to be turned and are not known.
    pub fn among(contact: &ContactPolicy, fluid: bool, spin: bool) -> Option<Self> {
        let contact = contact.integrators != Integrators::All;
        let parts = [
            (contact, Self::ContactModel),
            (fluid, Self::Fluid),
            (spin, Self::SpinInertia),
        ];
        let unknown = parts.into_iter().find(|(there, _)| *there);
        unknown.map(|(_, part)| part)
    }
}
