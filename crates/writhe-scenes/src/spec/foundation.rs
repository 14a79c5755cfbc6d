//! Springs along a rod.

use super::{Direction, Point, check_direction, unit};
use crate::error::SceneError;
use crate::tree::{Keys, not_negative, table};
use crate::units::Pressure;

table! {
    /// An elastic foundation (Winkler): springs that hold a rod where it began, or on a plane.
    #[derive(Copy)]
    pub struct FoundationSpec: "a table such as { normal = \"1 kPa\" }" {
        /// Stiffness per length across, N/m^2.
        pub normal: Pressure = Pressure::default() => not_negative,
        /// Stiffness per length along, N/m^2.
        pub tangential: Pressure = Pressure::default() => not_negative,
        /// First and last edge, from 0, of the part that it holds; all of the rod without it.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub edges: Option<[usize; 2]>,
        /// The plane that holds the rod; where it began without it.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub plane: Option<PlaneSpec>,
    }
    check Self::check
}

table! {
    /// A plane.
    #[derive(Copy)]
    pub struct PlaneSpec {
        /// A point of it, m.
        pub point: Point = Point::default(),
        /// Its normal.
        pub normal: Direction = unit(2) => check_direction,
    }
}

impl FoundationSpec {
    fn check(&self, keys: &Keys) -> Result<(), SceneError> {
        let stiff = self.normal.si() > 0.0 || self.tangential.si() > 0.0;
        keys.check(
            "normal",
            self.normal.si(),
            stiff,
            "greater than zero, or `tangential` is",
        )?;
        let Some([first, last]) = self.edges else {
            return Ok(());
        };
        let shown = format!("[{first}, {last}]");
        let need = "[first, last] with first not after last";
        keys.check_shown("edges", &shown, first <= last, need)
    }
}
