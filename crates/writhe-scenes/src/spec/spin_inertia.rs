//! Which inertia of spinning edges counts.

use writhe::model::SpinInertia;

use crate::tree::words;

words! {
    /// Which inertia of spinning edges counts.
    pub enum SpinInertiaSpec {
        /// That of the angles, for spins that are no faster than the motions of the rod.
        Angles = "angles",
        /// That of the tangents too, by which rods that spin fast are gyroscopes.
        Full = "full",
    }
    missing Angles;
}

impl From<SpinInertiaSpec> for SpinInertia {
    fn from(spec: SpinInertiaSpec) -> Self {
        match spec {
            SpinInertiaSpec::Angles => Self::Angles,
            SpinInertiaSpec::Full => Self::Full,
        }
    }
}
