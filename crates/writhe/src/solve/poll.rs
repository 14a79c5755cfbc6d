//! Whether to go on: asked by everything that can take long.

use std::fmt;
use std::sync::Arc;

use super::error::SolveError;

/// A question that long work asks again and again: should it stop? Without one it never does.
///
/// The core keeps no time and hears no signal; who runs it does, and answers. The answer must be
/// quick, and once it is yes it must stay yes until the work has come back.
#[derive(Clone, Default)]
pub struct Poll(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

impl Poll {
    /// Asks `stop`.
    pub fn new(stop: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(stop)))
    }

    /// Whether to stop.
    pub fn stopped(&self) -> bool {
        self.0.as_ref().is_some_and(|stop| stop())
    }

    /// Goes on unless it should stop.
    ///
    /// # Errors
    /// [`SolveError::Interrupted`] then.
    pub fn check(&self) -> Result<(), SolveError> {
        if self.stopped() {
            Err(SolveError::Interrupted)
        } else {
            Ok(())
        }
    }
}

impl fmt::Debug for Poll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Poll" } else { "no Poll" })
    }
}
