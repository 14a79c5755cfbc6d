//! Magnetic field, and forces per length that follow a rod.

use super::{AmplitudeSpec, Direction, check_direction};
use crate::error::SceneError;
use crate::tree::{At, Keys, Read, table};
use crate::units::{AngularSpeed, ForcePerLength, Number};

table! {
    /// A magnetic field, which magnetised rods feel.
    pub struct MagneticFieldSpec: "a table such as { field = [0, 0, 0.01] }" {
        /// B at the origin, T.
        pub field: [Number; 3],
        /// Rows dB_i/dx_j, T/m: symmetric and without trace.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub gradient: Option<[[Number; 3]; 3]>,
        /// Factor in time.
        pub amplitude: AmplitudeSpec = AmplitudeSpec::Constant(Number::new(1.0)),
        /// Axis about which it turns.
        pub axis: Direction = [0.0, 0.0, 1.0].map(Number::new),
        /// Rate at which it turns, rad/s.
        pub speed: AngularSpeed = AngularSpeed::default(),
    }
    check Self::check
}

impl MagneticFieldSpec {
    fn check(&self, keys: &Keys) -> Result<(), SceneError> {
        check_direction(keys, "axis", &self.axis)?;
        let g = self.gradient.unwrap_or_default();
        let g = g.map(|row| row.map(Number::si));
        let size = g.iter().flatten().fold(0.0_f64, |a, v| a.max(v.abs()));
        let curl = (0..3).flat_map(|i| (0..3).map(move |j| (g[i][j] - g[j][i]).abs()));
        let curl = curl.fold(0.0, f64::max);
        let trace = g[0][0] + g[1][1] + g[2][2];
        let shown = format!("of trace {trace} T/m and off symmetry by {curl} T/m");
        let good = trace.abs() <= 1e-9 * size && curl <= 1e-9 * size;
        let need = "symmetric and without trace, as every field is where no current flows";
        keys.check_shown("gradient", &shown, good, need)
    }
}

/// A force per length that follows the rod.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct LineLoadSpec {
    /// Pressure to the left of the rod in a plane, N/m; excludes `force`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pressure: Option<ForcePerLength>,
    /// Normal of that plane, towards whoever looks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub normal: Option<Direction>,
    /// Along m1, m2 and the tangent of each edge, N/m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub force: Option<[ForcePerLength; 3]>,
    /// Factor in time.
    pub amplitude: AmplitudeSpec,
}

pub(crate) const LINE_LOAD: &[&str] = &["pressure", "normal", "force", "amplitude"];

impl Read for LineLoadSpec {
    fn wanted() -> String {
        "a table such as { pressure = \"2 N/m\", normal = [0, 0, 1] } or { force = [\"1 N/m\", 0, 0] }".into()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        let keys = Keys::new(at, LINE_LOAD)?;
        let spec = Self {
            pressure: keys.optional("pressure")?,
            normal: keys.optional("normal")?,
            force: keys.optional("force")?,
            amplitude: keys.or("amplitude", AmplitudeSpec::Constant(Number::new(1.0)))?,
        };
        match (&spec.pressure, &spec.force) {
            (Some(_), Some(_)) => return keys.exclude("force", "pressure"),
            (None, None) => {
                return Err(keys.missing(
                    "pressure",
                    "a pressure, such as \"2 N/m\" (or `force`)".into(),
                ));
            }
            (None, Some(_)) if spec.normal.is_some() => return keys.exclude("normal", "force"),
            _ => {}
        }
        if let Some(normal) = &spec.normal {
            check_direction(&keys, "normal", normal)?;
        }
        Ok(spec)
    }
}
