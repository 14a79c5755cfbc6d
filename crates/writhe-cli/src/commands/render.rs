//! `writhe render`.
use crate::args::RenderArgs;
use crate::report::Result;
/// x
pub fn run(_args: &RenderArgs) -> Result<()> { Ok(()) }
