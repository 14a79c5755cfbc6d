//! Regularised Stokeslet segments: the flow driven by slender rods in a viscous fluid without
//! inertia.
//!
//! Every edge of a rod carries a force density (force per length, exerted by the rod on the fluid)
//! that varies linearly between its two nodes and is spread over the blob of width epsilon of
//! Cortez (2001). Its velocity field has a closed form (Cortez 2018, *Regularized Stokeslet
//! segments*, J. Comput. Phys. 375, 783; Tong et al. 2022, Appendix A). Asking for the no-slip
//! velocity at the nodes gives a dense linear map from nodal forces to nodal velocities, the
//! [`mobility::DenseMobility`].
//!
//! - [`StokesletSegments`]: the fluid as a medium of the step;
//! - [`coefficients`]: the integrals over one segment and its two 3 x 3 blocks, scalar reference;
//! - [`segments`]: which nodes form rods, regularisation, viscosity, end weights;
//! - [`mobility`]: assembly of the mobility and products with it, in f64 and f32;
//! - `velocity`: the flow at arbitrary points;
//! - [`resistance`]: an approximate inverse of the mobility that couples each node with the next.

pub mod coefficients;
mod flow;
mod kernel;
pub mod mobility;
pub mod resistance;
pub mod segments;
mod velocity;

pub use flow::StokesletSegments;
