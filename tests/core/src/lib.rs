//! What the tests of the core share: scenes, random numbers, differences, closed forms.
//!
//! The tests are a package of their own because its profile is its own: they are built without
//! optimisation, the core that they call with it.

pub mod balance;
// Examples and tests of the core use these two, too.
#[path = "../../../crates/writhe/tests/support/flagella.rs"]
pub mod flagella;
pub mod knot_support;
#[path = "../../../crates/writhe/tests/support/overhand.rs"]
pub mod overhand;
pub mod rigid;
pub mod scene;
pub mod support;
