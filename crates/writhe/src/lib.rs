//! Writhe simulates slender elastic rods that bend, twist, touch, tangle and swim.
//!
//! # The problem
//!
//! A rod is a chain of nodes x joined by edges, each edge with an angle theta of its material frame
//! about its tangent: discrete elastic rods (Bergou et al. 2008, 2010). The unknowns q of all rods
//! obey
//!
//! ```text
//! M q'' + dE/dq = F_loads + F_contact + F_fluid                                                   (T22 Eq. 7)
//!
//! E = sum over edges     EA/2 (|e|/l - 1)^2 l                                                     stretch
//!   + sum over vertices  1/(2 dl) [EI1 (kappa1 - rest1)^2 + EI2 (kappa2 - rest2)^2]               bend
//!   + sum over vertices  GJ/(2 dl) (twist - rest twist)^2                                         twist
//!
//! u(q) + B(q) F_fluid = 0                                                  Stokes flow; u: velocity of the nodes
//! ```
//!
//! with some unknowns prescribed in time (clamps, held nodes, held angles). Each step is implicit:
//! Newton's method on all unknowns at once, contact, friction and drag included, so that the size
//! of a step is a matter of accuracy (or, if asked for, explicit, with lengths kept by projection).
//! After each step a swept collision test makes sure that no two rods passed through each other; if
//! they did, the step is repeated with half its size.
//!
//! # Where things are
//!
//! - [`rod`]: one rod as a user describes it, [`rod::Rod`]; how rods lie in flat arrays,
//!   [`rod::Topology`]; frames, [`rod::Kinematics`].
//! - [`model`]: [`model::ModelBuilder`] takes rods, supports, loads, contact and fluid and checks
//!   them; [`model::Model`] is constant during a run.
//! - [`state`]: [`state::State`], all that changes and all that a restart needs.
//! - [`simulation`]: [`simulation::Simulation`] makes steps, retries those that fail, runs to a
//!   time, settles to equilibrium. **A reader starts here.**
//! - [`step`]: one step, a pure function of (model, state, size): time schemes and the Newton loop.
//! - [`rest_shape`]: strains at rest that are driven; [`viscoelastic`]: rods whose material is viscous.
//! - [`kernels`]: numbers in, numbers out: elastic energies of an edge or vertex, distances,
//!   friction, with exact derivatives.
//! - [`forces`]: sums of elastic energies and loads over a model.
//! - [`assembly`]: what a force is evaluated at, [`assembly::Trial`], and where its derivatives go,
//!   [`assembly::Blocks`].
//! - [`loads`]: gravity, forces, moments, damping; new ones implement [`loads::Load`].
//! - [`fluid`]: fluids whose flow couples all nodes; new ones implement [`fluid::Medium`].
//! - [`contact_model`]: contact as a user chooses it; [`contact`]: contact within a step;
//!   [`obstacle`]: what is rigid and in the way.
//! - [`knot`]: the type of a knot, linking numbers, writhe: functions of points alone.
//! - [`bodies`]: rigid bodies, and edges welded to them.
//! - [`constraints`] and [`schedule`]: what is held, and how it moves in time.
//! - [`solve`]: linear algebra that knows nothing of rods.
//! - [`certificate`]: what cannot change while nothing passes through anything: knot types, linking
//!   numbers, Tw + Wr.
//! - [`follow`]: equilibria that follow a parameter, with folds and bifurcations.
//! - [`statics`]: residual and stiffness at a state; [`stability`]: whether an equilibrium is stable; [`limits`]: where a run leaves what rods are
//!   a model of.
//! - [`ledger`]: where energy came from and where it went; [`kinetic`]: kinetic energy; [`error`]:
//!   what is wrong with a model.
//! - [`observe`]: energies, momenta, reactions, contact forces, gaps.
//!
//! # Example
//!
//! ```
#![doc = include_str!("../examples/cantilever.rs")]
//! ```
//!
//! # Conventions
//!
//! SI units throughout. `(nodes)`, `(edges)`, `(vertices)`, `(dofs)` in the documentation of an array is its shape, flat over all
//! rods. Unknowns are interleaved, `[x0, th0, x1, th1, ..]`. A rod whose edge is clamped behaves as clamped at the *middle* of that
//! edge. T22 is Tong et al. 2022 (Extreme Mechanics Letters), B08 Bergou et al. 2008 (ACM Transactions on Graphics), C21 Choi et al.
//! 2021 (Journal of Applied Mechanics).
//!
//! The crate opens no file, prints nothing and never ends the process; results do not depend on the number of threads.

pub mod assembly;
pub mod bodies;
pub mod certificate;
pub mod constraints;
pub mod contact;
pub mod contact_model;
pub mod error;
pub mod fluid;
pub mod follow;
pub mod forces;
pub mod kernels;
pub mod kinetic;
pub mod knot;
mod lanes;
pub mod ledger;
pub mod limits;
pub mod loads;
pub mod model;
pub mod observe;
pub mod obstacle;
pub(crate) mod response;
pub mod rest_shape;
pub mod rod;
pub mod schedule;
pub mod simulation;
pub mod solve;
pub mod stability;
pub mod state;
pub mod statics;
pub mod step;
pub mod stop;
mod threads;
pub mod viscoelastic;

/// The linear algebra of positions: vectors in the interface are [`glam::DVec3`].
pub use glam;

/// README.md, compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
pub struct Readme;
