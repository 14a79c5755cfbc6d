//! Copies of a rod: how many, and where.

use super::{Direction, Point, unit};
use crate::error::{Problem, SceneError};
use crate::tree::{At, DIRECTION, Keys, Kind, NOT_NEGATIVE, Read, Value, described, table};
use crate::units::{Angle, Length};

/// More copies than this are rather a typing error.
const MOST: usize = 100_000;

table! {
    /// Copies of a rod.
    pub struct RepeatTable:
        "a number of copies, or a table such as { count = 8, step = [\"4 mm\", 0, 0] } or { count = [10, 5], spacing = [\"4 mm\", \"4 mm\"] }"
    {
        /// How many, or how many along x, y and z: `[10, 5]`.
        pub count: CountSpec,
        /// Displacement from each copy to the next.
        pub step: Option<Point>,
        /// Distances of a grid, one for each number of `count`.
        pub spacing: Option<Vec<Length>>,
        /// A ring of copies.
        pub ring: Option<RingOfCopies>,
        /// What is random of each copy's place.
        pub random: Option<RandomPlace>,
        /// Chooses the random numbers.
        pub seed: usize = 0,
    }
    short |at: &At| match at.node.value {
        Value::Integer(_) => Ok(Self {
            count: Read::read(at)?,
            step: None,
            spacing: None,
            ring: None,
            random: None,
            seed: 0,
        }),
        _ => at.no_expression().and_then(|()| at.wrong_type(Self::wanted())),
    };
    check Self::check
}

table! {
    /// Copies around an axis: each is the one before it, turned.
    pub struct RingOfCopies: "a table such as { axis = [0, 0, 1] }" {
        /// A point of the axis.
        pub center: Point = Point::default(),
        /// Direction of the axis.
        pub axis: Direction = unit(2) => DIRECTION,
        /// Angle from each copy to the next; a full turn over the number of copies unless
        /// given.
        pub angle: Option<Angle>,
    }
}

table! {
    /// What is random of the place of a copy.
    pub struct RandomPlace: "a table such as { size = [\"4 cm\", \"4 cm\", \"1 cm\"], turn = \"any\" }" {
        /// Sides of the box around its place in which the copy is put.
        pub size: Point = Point::default() => NOT_NEGATIVE,
        /// Axis about which it is turned by any angle, or `"any"` for any rotation, about the middle of
        /// its nodes; not turned unless given.
        pub turn: Option<RandomTurn>,
    }
}

/// A number of copies, or how they are made.
pub(crate) struct RepeatSpec;

/// A number of copies.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct CountSpec(pub Vec<usize>);

/// A random turn.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub enum RandomTurn {
    /// Any rotation, all alike probable.
    Any,
    /// About an axis, by any angle.
    About(Direction),
}

impl RepeatTable {
    pub fn copies(&self) -> usize {
        self.count.0.iter().product()
    }

    /// How many along each side.
    pub fn sides(&self) -> [usize; 3] {
        let side = |k: usize| self.count.0.get(k).copied().unwrap_or(1);
        [0, 1, 2].map(side)
    }
}

described! {
    RepeatSpec => Either(vec![Whole, Kind::table::<RepeatTable>()]);
    CountSpec => Either(vec![Whole, Kind::list(Whole)]);
    RandomTurn => Either(vec![Words(vec![("any", "Any rotation")]), Direction::kind()]);
}

impl Read for CountSpec {
    fn wanted() -> String {
        "a number of copies, such as 50, or of copies along x, y and z, such as [10, 5]".into()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        let elements = match at.node.value {
            Value::Integer(_) => vec![at.clone()],
            Value::Array(_) => at.elements().unwrap_or_default(),
            _ => {
                at.no_expression()?;
                return at.wrong_type(Self::wanted());
            }
        };
        // Less than none is as wrong as none.
        let count = |at: &At| match at.node.value {
            Value::Integer(i) if i < 0 => Ok(0),
            _ => usize::read(at),
        };
        let counts = elements.iter().map(count);
        let counts = counts.collect::<Result<Vec<usize>, SceneError>>()?;
        if !(1..=3).contains(&counts.len()) {
            return at.wrong_type(Self::wanted());
        }
        let all = counts
            .iter()
            .try_fold(1_usize, |all, n| all.checked_mul(*n));
        if all.is_some_and(|all| (1..=MOST).contains(&all)) {
            return Ok(Self(counts));
        }
        let shown: Vec<String> = elements.iter().map(|at| at.node.shown()).collect();
        at.fail(Problem::Range {
            value: shown.join(" times "),
            need: format!("at least 1 and at most {MOST} copies"),
        })
    }
}

impl Read for RandomTurn {
    fn wanted() -> String {
        "\"any\", or an axis such as [0, 0, 1]".into()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        match at.node.value {
            Value::Text(_) => at.word(&[("any", ())]).map(|()| Self::Any),
            Value::Array(_) => {
                let axis = Direction::read(at)?;
                match axis.iter().any(|x| x.si() != 0.0) {
                    true => Ok(Self::About(axis)),
                    false => at.wrong_type(Self::wanted()),
                }
            }
            _ => at.wrong_type(Self::wanted()),
        }
    }
}

impl RepeatTable {
    fn check(&self, keys: &Keys) -> Result<(), SceneError> {
        let sides = self.count.0.len();
        if let Some(spacing) = &self.spacing {
            let shown = format!("a list of {}", spacing.len());
            let need = format!("a list of {sides}, a length for each number in `count`");
            keys.check_shown(&Self::spacing(), &shown, spacing.len() == sides, &need)?;
            keys.only(&[&Self::spacing(), &Self::step()])?;
            keys.only(&[&Self::spacing(), &Self::ring()])?;
        }
        let single = self.step.is_some() || self.ring.is_some();
        if sides > 1 && single {
            let name = match self.step {
                Some(_) => Self::step().name,
                None => Self::ring().name,
            };
            let message = format!("`{name}` goes from copy to copy, and `count` is of a grid");
            let remedy = "write one number of copies, or `spacing` for a grid";
            return keys.refuse(name, message, remedy);
        }
        Ok(())
    }
}
