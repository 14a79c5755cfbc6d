//! What all the arrays of one name say of it.

/// What an array says of what it is named after.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Whether an optional value is there.
    Present,
    /// Which of the choices.
    Variant,
    /// Names of the choices.
    Variants,
    /// Elements of a list.
    Count,
    /// Bytes of a text.
    Length,
    /// The numbers themselves.
    Values,
}

impl Role {
    pub(super) const ALL: [Self; 6] = [
        Self::Present,
        Self::Variant,
        Self::Variants,
        Self::Count,
        Self::Length,
        Self::Values,
    ];

    /// What the name of its array ends with.
    pub(super) fn ending(self) -> &'static str {
        match self {
            Self::Present => ":present",
            Self::Variant => ":variant",
            Self::Variants => ":variants",
            Self::Count => ":count",
            Self::Length => ":length",
            Self::Values => "",
        }
    }

    /// The path in an array's name, and its role; `None` where the ending is none of these.
    pub(super) fn of(name: &str) -> Option<(&str, Self)> {
        let path = name.split(':').next().unwrap_or_default();
        let ending = &name[path.len()..];
        let mut all = Self::ALL.into_iter();
        Some((path, all.find(|role| role.ending() == ending)?))
    }
}

/// The name of a field of what is called `name`.
pub(super) fn join(name: &str, field: &str) -> String {
    match name {
        "" => field.to_owned(),
        _ => format!("{name}.{field}"),
    }
}

/// Where in the tree of fields a value is met. Writing and reading go the same way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Way {
    /// Whether there may be several: lists or tuples are around.
    pub listed: bool,
    /// Tuples around it that share its name: each is an axis.
    pub axes: usize,
    /// A list is directly around it, with the same name.
    pub in_list: bool,
    /// An optional value is directly around it, with the same name.
    pub in_option: bool,
}

impl Way {
    /// To a field.
    pub(super) fn field(self) -> Self {
        Self {
            listed: self.listed || self.axes > 0,
            ..Self::default()
        }
    }

    /// To the elements of a list.
    pub(super) fn element(self) -> Self {
        Self {
            listed: true,
            in_list: true,
            in_option: false,
            ..self
        }
    }

    /// To the elements of a tuple.
    pub(super) fn part(self) -> Self {
        Self {
            axes: self.axes + 1,
            ..self
        }
    }

    /// To an optional value.
    pub(super) fn option(self) -> Self {
        Self {
            in_option: true,
            ..self
        }
    }
}
