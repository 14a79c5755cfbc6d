//! The static problem at a state: what is out of balance, and how that changes with the unknowns.
//!
//! `g(q) = dE/dq - F` with the elastic energy E and the forces F of loads and contacts, all at rest
//! at the time of the state, and `K = dg/dq`, on the unknowns that are free. Where all forces have a
//! potential, g is its gradient and K its Hessian, which is symmetric. Angles are counted from
//! frames that are carried along with their edges from the state (docs/notation.md): K is the
//! derivative with those. What dissipates is left out, as by
//! [`Simulation::settle`](crate::simulation::Simulation::settle).

use crate::assembly::Blocks;
use crate::forces::{Acting, loads};
use crate::loads::{Load, Unsteady};
use crate::model::Model;
use crate::state::State;
use crate::step::{StepError, forces_at_rest};

/// Residual, stiffness and masses of the unknowns that are free.
#[derive(Debug, Clone, PartialEq)]
pub struct Statics {
    /// The free unknowns, flat, ascending, `(free)`.
    pub free: Vec<usize>,
    /// g, N and N m, `(free)`.
    pub residual: Vec<f64>,
    /// K: row, column (places in [`free`](Self::free)) and value, N/m, N and N m, sorted by column,
    /// then row; each place once.
    pub stiffness: Vec<(usize, usize, f64)>,
    /// Lumped masses, kg, and moments of inertia, kg m^2, `(free)`.
    pub mass: Vec<f64>,
    /// Largest residual as a force, N.
    pub unbalanced: f64,
    /// Largest force inside of rods, of a load or of a contact, N: what the residual is small
    /// against in equilibrium.
    pub largest_force: f64,
    /// Whether all forces have a potential, and so K is symmetric.
    pub has_potential: bool,
}

/// Why there is no static problem.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StaticsError {
    /// Explicit steps keep lengths by projection.
    #[error("explicit steps keep the lengths of rods by projection, which has no stiffness")]
    Explicit,
    /// Rigid bodies.
    #[error(
        "rigid bodies move with the rods, and turns have no stiffness on unknowns of their own"
    )]
    Bodies,
    /// A load under which nothing comes to rest.
    #[error("{}", .0.why)]
    Unsteady(Unsteady),
    /// A rod of which a part flows under any load.
    #[error("rod {0} flows under any load: a part of its stiffness relaxes wholly")]
    Flows(usize),
    /// Contacts with a given force.
    #[error("forces of contact are given from step to step, and have no stiffness")]
    GivenContact,
    /// Friction.
    #[error("friction acts at a contact, and has no stiffness at rest")]
    Friction,
    /// The forces could not be evaluated.
    #[error("the forces at this state cannot be evaluated: {0}")]
    Step(#[from] StepError),
}

/// Collects entries of free unknowns.
struct Entries<'a> {
    /// Place of each unknown among the free ones, `(dofs)`.
    place: &'a [Option<usize>],
    /// Of each column, `(free)`: rows, ascending, and sums.
    columns: Vec<Vec<(usize, f64)>>,
}

impl Blocks for Entries<'_> {
    fn general(&mut self, dofs: &[usize], values: &[f64]) {
        for (r, row) in dofs.iter().enumerate() {
            for (c, column) in dofs.iter().enumerate() {
                if let (Some(row), Some(column)) = (self.place[*row], self.place[*column]) {
                    let column = &mut self.columns[column];
                    let at = match column.binary_search_by_key(&row, |(row, _)| *row) {
                        Ok(at) => at,
                        Err(at) => {
                            column.insert(at, (row, 0.0));
                            at
                        }
                    };
                    column[at].1 += values[r * dofs.len() + c];
                }
            }
        }
    }
}

impl Statics {
    /// At a state, which is not changed.
    ///
    /// # Errors
    /// See [`StaticsError`].
    pub fn at(model: &Model, state: &State) -> Result<Self, StaticsError> {
        match loads(model, Acting::All).find_map(Load::unsteady) {
            Some(why) => Err(StaticsError::Unsteady(why)),
            None => Self::held(model, state),
        }
    }

    /// As [`at`](Self::at), where loads under which nothing comes to rest are held as they are.
    ///
    /// # Errors
    /// See [`StaticsError`], but for those loads.
    pub fn held(model: &Model, state: &State) -> Result<Self, StaticsError> {
        let policy = model.contact.policy();
        let given = !state.contact.forces.is_empty() || !state.contact.obstacle_forces.is_empty();
        if !state.tension.is_empty() {
            return Err(StaticsError::Explicit);
        }
        if !model.bodies.is_empty() {
            return Err(StaticsError::Bodies);
        }
        if let Some(rod) = model.flowing_rod() {
            return Err(StaticsError::Flows(rod));
        }
        if policy.impulsive() && given {
            return Err(StaticsError::GivenContact);
        }
        let fixed = model.constraints.fixed();
        let free: Vec<usize> = (0..fixed.len()).filter(|dof| !fixed[*dof]).collect();
        let mut place = vec![None; fixed.len()];
        for (own, dof) in free.iter().enumerate() {
            place[*dof] = Some(own);
        }
        let mut entries = Entries {
            place: &place,
            columns: vec![Vec::new(); free.len()],
        };
        let forces = forces_at_rest(model, state, &mut entries)?;
        if forces.has_friction {
            return Err(StaticsError::Friction);
        }
        let of_free = |values: &[f64]| free.iter().map(|dof| values[*dof]).collect();
        let columns = entries.columns.into_iter().enumerate();
        let stiffness = columns.flat_map(|(column, rows)| {
            rows.into_iter()
                .map(move |(row, value)| (row, column, value))
        });
        Ok(Self {
            residual: of_free(&forces.residual),
            stiffness: stiffness.collect(),
            mass: of_free(&model.mass),
            unbalanced: forces.unbalanced,
            largest_force: forces.largest_force,
            has_potential: !forces.follows,
            free,
        })
    }
}
