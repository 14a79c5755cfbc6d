//! Magnetic field, and forces per length that follow a rod.

use super::{AmplitudeSpec, Direction, unit};
use crate::error::SceneError;
use crate::tree::{DIRECTION, Keys, table};
use crate::units::{AngularSpeed, ForcePerLength, Number};

table! {
    /// A magnetic field, which magnetised rods feel.
    pub struct MagneticFieldSpec: "a table such as { field = [0, 0, 0.01] }" {
        /// B at the origin, T (numbers alone).
        pub field: [Number; 3],
        /// Rows dB_i/dx_j, T/m: symmetric and without trace; 0 unless given.
        pub gradient: Option<[[Number; 3]; 3]>,
        /// Factor in time.
        pub amplitude: AmplitudeSpec = AmplitudeSpec::one(),
        /// Axis about which it turns.
        pub axis: Direction = unit(2) => DIRECTION,
        /// Rate at which it turns.
        pub speed: AngularSpeed = AngularSpeed::default(),
    }
    check Self::check
}

impl MagneticFieldSpec {
    fn check(&self, keys: &Keys) -> Result<(), SceneError> {
        let g = self.gradient.unwrap_or_default();
        let g = g.map(|row| row.map(Number::si));
        let size = g.iter().flatten().fold(0.0_f64, |a, v| a.max(v.abs()));
        let curl = (0..3).flat_map(|i| (0..3).map(move |j| (g[i][j] - g[j][i]).abs()));
        let curl = curl.fold(0.0, f64::max);
        let trace = g[0][0] + g[1][1] + g[2][2];
        let shown = format!("of trace {trace} T/m and off symmetry by {curl} T/m");
        let good = trace.abs() <= 1e-9 * size && curl <= 1e-9 * size;
        let need = "symmetric and without trace, as every field is where no current flows";
        keys.check_shown(&Self::gradient(), &shown, good, need)
    }
}

table! {
    /// A force per length that follows the rod.
    pub struct LineLoadSpec:
        "a table such as { pressure = \"2 N/m\", normal = [0, 0, 1] } or { force = [\"1 N/m\", 0, 0] }"
    {
        /// Pressure to the left of the rod in a plane; excludes `force`.
        pub pressure: Option<ForcePerLength>,
        /// Normal of that plane, towards whoever looks; z unless given.
        pub normal: Option<Direction> => DIRECTION,
        /// Along m1, m2 and the tangent of each edge; excludes `pressure`.
        pub force: Option<[ForcePerLength; 3]>,
        /// Factor in time.
        pub amplitude: AmplitudeSpec = AmplitudeSpec::one(),
    }
    check Self::check
}

impl LineLoadSpec {
    fn check(&self, keys: &Keys) -> Result<(), SceneError> {
        match keys.only(&[&Self::force(), &Self::pressure()])? {
            Some(_) => keys.only(&[&Self::normal(), &Self::force()]).map(|_| ()),
            None => Err(keys.missing(
                &Self::pressure(),
                "a pressure, such as \"2 N/m\" (or `force`)".into(),
            )),
        }
    }
}
