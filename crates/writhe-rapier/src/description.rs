//! The engine as it is described.

use writhe::bodies::EngineError;

use crate::collider::Collider;
use crate::joint::Connection;

/// What a user says; constant during a run.
#[derive(Debug, Clone, Default)]
pub(crate) struct Description {
    pub colliders: Vec<(usize, Collider)>,
    pub scenery: Vec<Collider>,
    pub connections: Vec<Connection>,
    pub guides: Vec<Guide>,
    pub prescribed: Vec<usize>,
}

/// Along and about which axes of the scene a body does not move.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Guide {
    pub body: usize,
    pub position: [bool; 3],
    pub turn: [bool; 3],
}

impl Description {
    /// Refuses what does not fit together, or is for bodies that there are not.
    pub fn check(&self, bodies: usize) -> Result<(), EngineError> {
        let exists = |body: usize, what: &str| {
            (body < bodies).then_some(()).ok_or_else(|| {
                EngineError(format!(
                    "{what} is for body {body}, and there are {bodies} bodies, counted from 0"
                ))
            })
        };
        for (body, collider) in &self.colliders {
            exists(*body, "a collider")?;
            collider.check(&format!("the collider of body {body}"), true)?;
        }
        for (index, collider) in self.scenery.iter().enumerate() {
            collider.check(&format!("scenery {index}"), false)?;
        }
        for (index, connection) in self.connections.iter().enumerate() {
            connection.check(index, bodies)?;
        }
        for guide in &self.guides {
            exists(guide.body, "a guide")?;
        }
        for body in &self.prescribed {
            exists(*body, "a prescribed motion")?;
        }
        Ok(())
    }
}
