//! The tree of names that writing and reading walk: nodes, what the arrays of a node say of it, and
//! where in it a value is met.

use std::ptr;

/// What there is under one name.
pub(super) struct Node<'n, C> {
    /// The whole name.
    pub name: String,
    /// What it has beside fields.
    pub content: C,
    /// Last part of the name, and the node.
    pub fields: Vec<(&'n str, Self)>,
}

impl<'n, C: Default> Node<'n, C> {
    /// A node with nothing in it yet.
    pub(super) fn new(name: String) -> Self {
        Self {
            name,
            content: C::default(),
            fields: Vec::new(),
        }
    }

    /// The place of a field among the others, `near` where it is looked for first.
    #[inline]
    pub(super) fn place(&mut self, near: usize, name: &'n str) -> Option<usize> {
        // Each structure of a list asks for the very same texts, so that addresses tell.
        match self.fields.get(near) {
            Some((known, _)) if ptr::eq(*known, name) => Some(near),
            _ => self.search(near, name),
        }
    }

    /// The same by the texts themselves; keeps the text that was asked for.
    #[cold]
    fn search(&mut self, near: usize, name: &'n str) -> Option<usize> {
        let is = |at: &usize| self.fields.get(*at).is_some_and(|known| known.0 == name);
        let at = Some(near).filter(is);
        let at = at.or_else(|| (0..self.fields.len()).find(is))?;
        self.fields[at].0 = name;
        Some(at)
    }

    /// The same, where a field that is not there is added.
    #[inline]
    pub(super) fn place_or_new(&mut self, near: usize, name: &'n str) -> usize {
        self.place(near, name).unwrap_or_else(|| self.add(name))
    }

    /// Adds a field and tells its place.
    #[cold]
    pub(super) fn add(&mut self, name: &'n str) -> usize {
        self.fields.push((name, Self::new(join(&self.name, name))));
        self.fields.len() - 1
    }
}

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
    /// All of them, in the order of their arrays.
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
        _ => [name, ".", field].concat(),
    }
}

/// Where in the tree of fields a value is met. Writing and reading go the same way.
///
/// One number, for it is passed on with each value: above three bits, how many tuples are around
/// that share its name, each an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Way(u32);

impl Way {
    /// There may be several: lists or tuples are around.
    const LISTED: u32 = 1;
    /// A list is directly around, with the same name.
    pub(super) const IN_LIST: u32 = 2;
    /// An optional value is directly around, with the same name.
    pub(super) const IN_OPTION: u32 = 4;
    /// One tuple.
    const AXIS: u32 = 8;

    /// Whether it is marked so.
    pub(super) fn is(self, mark: u32) -> bool {
        self.0 & mark != 0
    }

    /// Whether there may be several.
    pub(super) fn listed(self) -> bool {
        self.is(Self::LISTED)
    }

    /// How many tuples are around.
    pub(super) fn axes(self) -> usize {
        (self.0 / Self::AXIS) as usize
    }

    /// How many axes an array has whose numbers are met here.
    pub(super) fn all_axes(self) -> usize {
        usize::from(self.listed()) + self.axes()
    }

    /// To a field.
    pub(super) fn field(self) -> Self {
        Self(u32::from(self.all_axes() > 0) * Self::LISTED)
    }

    /// To the elements of a list.
    pub(super) fn element(self) -> Self {
        Self((self.0 | Self::LISTED | Self::IN_LIST) & !Self::IN_OPTION)
    }

    /// To the elements of a tuple.
    pub(super) fn part(self) -> Self {
        Self(self.0 + Self::AXIS)
    }

    /// To an optional value.
    pub(super) fn option(self) -> Self {
        Self(self.0 | Self::IN_OPTION)
    }
}

/// Name of a type, a field or a choice.
pub(super) type Name = &'static str;
