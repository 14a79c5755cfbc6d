//! What others add to Writhe without a change to it, each in one file. It uses the public interface
//! alone, and `tests/` holds each to a closed form: what breaks here breaks for them.

pub mod beads;
pub mod foundation;
pub mod rail;
