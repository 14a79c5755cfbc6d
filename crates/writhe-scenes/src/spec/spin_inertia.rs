//! Which inertia of spinning edges counts.

use writhe::model::SpinInertia;

use crate::tree::words;

words! {
    /// Which inertia of spinning edges counts.
    pub enum SpinInertiaSpec {
        /// That of the angles: for spins that are no faster than the motions of the rod.
        Angles = "angles",
        /// That of the tangents too, which makes fast spinning rods gyroscopes.
        Full = "full",
    }
}

impl SpinInertiaSpec {
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::Angles
    }
}

impl From<SpinInertiaSpec> for SpinInertia {
    fn from(spec: SpinInertiaSpec) -> Self {
        match spec {
            SpinInertiaSpec::Angles => Self::Angles,
            SpinInertiaSpec::Full => Self::Full,
        }
    }
}
