//! Springs along a rod.

use super::{Direction, Point, unit};
use crate::error::SceneError;
use crate::tree::{DIRECTION, Keys, NOT_NEGATIVE, table};
use crate::units::Pressure;

table! {
    /// An elastic foundation (Winkler): springs that hold a rod where it began, or on a plane.
    #[derive(Copy)]
    pub struct FoundationSpec: "a table such as { normal = \"1 kPa\" }" {
        /// Stiffness per length across the rod as it began, or from the plane.
        pub normal: Pressure = Pressure::default() => NOT_NEGATIVE,
        /// Stiffness per length along it, or in the plane.
        pub tangential: Pressure = Pressure::default() => NOT_NEGATIVE,
        /// First and last edge, from 0, of the part that is held; all of the rod unless given.
        pub edges: Option<[usize; 2]>,
        /// The plane that holds the rod; the place where the rod began unless given.
        pub plane: Option<PlaneSpec>,
    }
    check Self::check
}

table! {
    /// A plane.
    #[derive(Copy)]
    pub struct PlaneSpec {
        /// A point of the plane.
        pub point: Point = Point::default(),
        /// Normal of the plane.
        pub normal: Direction = unit(2) => DIRECTION,
    }
}

impl FoundationSpec {
    fn check(&self, keys: &Keys) -> Result<(), SceneError> {
        let stiff = self.normal.si() > 0.0 || self.tangential.si() > 0.0;
        keys.check(
            &Self::normal(),
            self.normal.si(),
            stiff,
            "greater than zero where `tangential` is 0",
        )?;
        let Some([first, last]) = self.edges else {
            return Ok(());
        };
        let shown = format!("[{first}, {last}]");
        let need = "[first, last] with first not after last";
        keys.check_shown(&Self::edges(), &shown, first <= last, need)
    }
}
