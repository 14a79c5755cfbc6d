//! The schema: which arrays a checkpoint has, by number, and what stands for those that older ones
//! lack.

/// Version of what is saved, and what became of it since the first one with names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Schema {
    /// Raised whenever an array of a checkpoint is added, removed, renamed or gets another type, or a
    /// choice in it another name.
    pub version: u32,
    /// Arrays that were added since the first schema, each with what it is taken for where it is
    /// not there.
    pub added: &'static [Added],
}

/// A field that older checkpoints lack, and can be read without.
///
/// The value that stands for it is that of its `#[serde(default)]`; `before` says why that is the
/// truth about runs that did not save it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Added {
    /// Full name of the field, `state.tension`, say; with all that is in it.
    pub field: &'static str,
    /// First schema that has it.
    pub since: u32,
    /// The value of older runs, in words.
    pub before: &'static str,
}

/// First schema whose values have names. Before, they were told apart by their places, and nothing
/// in a file says what they were.
pub const FIRST_NAMED: u32 = 6;

/// The schema of this program. An older one is read if all that it lacks is in `added`; any other
/// is refused.
pub const SCHEMA: Schema = Schema {
    version: 12,
    added: &[
        Added {
            field: "findings.extremes.spins",
            since: 7,
            before: "no torque was compared: the run begins to watch where it goes on",
        },
        Added {
            field: "state.contact.obstacle_forces",
            since: 8,
            before: "none: obstacles gave no forces in explicit steps, which refused them",
        },
        Added {
            field: "state.control.excess",
            since: 9,
            before: "none: no step chose its size by an accuracy",
        },
        Added {
            field: "state.control.fresh",
            since: 9,
            before: "no matter where no step chooses its size by an accuracy",
        },
        Added {
            field: "state.control.touching",
            since: 9,
            before: "no matter where no step chooses its size by an accuracy",
        },
        Added {
            field: "statistics.time_error",
            since: 9,
            before: "none was estimated",
        },
        Added {
            field: "statistics.simplified",
            since: 10,
            before: "none: each correction had a matrix of its own",
        },
        Added {
            field: "state.strains",
            since: 11,
            before: "nothing: no rod was viscous",
        },
    ],
};

impl Schema {
    /// Whether a file of the schema `written` may lack the field `name`.
    pub(super) fn may_lack(&self, name: &str, written: u32) -> bool {
        let mut added = self.added.iter();
        added.any(|added| added.field == name && written < added.since)
    }
}
