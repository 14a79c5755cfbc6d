//! The arrays of a file by the tree of their names, each with how much of it is still to be read.

use std::fmt::Display;

use super::error::{Fault, Walk};
use super::tree::{self, Role, Way};
use super::{Array, ArraysError, Dtype, Result};

/// What a file holds under one name.
pub(super) type Node<'a> = tree::Node<'a, Content<'a>>;

/// What a file holds under one name itself.
#[derive(Default)]
pub(super) struct Content<'a> {
    /// The array of each role.
    pub columns: [Option<Column<'a>>; 6],
    /// Whether it is not there, and need not be.
    pub left_out: bool,
}

/// An array, and how much of it is still to be read.
pub(super) struct Column<'a> {
    /// All of it.
    pub array: &'a Array,
    /// Bytes that nobody took yet.
    pub rest: &'a [u8],
    /// Whether any were asked for.
    pub used: bool,
}

impl<'a> Node<'a> {
    /// Puts an array in its place.
    pub(super) fn insert(&mut self, array: &'a Array) -> Result<()> {
        let unknown = || ArraysError::Unknown {
            array: array.name.clone(),
        };
        let (path, role) = Role::of(&array.name).ok_or_else(unknown)?;
        let mut node = self;
        for name in parts(&node.name, path).ok_or_else(unknown)? {
            // The array before was most often of the same field.
            let place = node.place_or_new(node.fields.len().wrapping_sub(1), name);
            node = &mut node.fields[place].1;
        }
        node.content.columns[role as usize] = Some(Column {
            array,
            rest: &array.data,
            used: false,
        });
        Ok(())
    }

    /// Notes that the field `path` need not be there, if it is not.
    pub(super) fn leave_out(&mut self, path: &'a str) {
        let mut parts = parts(&self.name, path).into_iter().flatten();
        let Some(last) = parts.next_back() else {
            return;
        };
        let mut node = self;
        for name in parts {
            // What it would be a field of is not there either.
            let Some(place) = node.place(0, name) else {
                return;
            };
            node = &mut node.fields[place].1;
        }
        if node.place(0, last).is_none() {
            let place = node.add(last);
            node.fields[place].1.content.left_out = true;
        }
    }

    /// The array of a role.
    #[inline]
    pub(super) fn column(&mut self, role: Role) -> Walk<&mut Column<'a>> {
        match &mut self.content.columns[role as usize] {
            Some(column) => Ok(column),
            None => Err(lacks([&self.name, role.ending()].concat())),
        }
    }

    /// The field `name`, looked for `near` a place among the others.
    #[inline]
    pub(super) fn field(&mut self, near: usize, name: &'a str) -> Walk<&mut Self> {
        match self.place(near, name) {
            Some(place) => Ok(&mut self.fields[place].1),
            None => Err(lacks(tree::join(&self.name, name))),
        }
    }

    /// Every array must have been read, and all of it.
    pub(super) fn check_used(&self) -> Result<()> {
        for column in self.content.columns.iter().flatten() {
            let name = &column.array.name;
            if !column.used {
                let array = name.clone();
                return Err(ArraysError::Unknown { array });
            }
            if !column.rest.is_empty() {
                let reason = "holds more than the other arrays count";
                return Err(ArraysError::wrong(name, reason));
            }
        }
        let mut fields = self.fields.iter();
        fields.try_for_each(|(_, node)| node.check_used())
    }
}

/// The fields that lead from `root` to `path`; `None` where that is elsewhere.
fn parts<'a>(
    root: &str,
    path: &'a str,
) -> Option<impl DoubleEndedIterator<Item = &'a str> + use<'a>> {
    let path = match (root, path.strip_prefix(root)?) {
        ("", path) => path,
        (_, "") => "",
        (_, path) => path.strip_prefix('.')?,
    };
    Some(path.split('.').filter(|_| !path.is_empty()))
}

/// The error of an array that is not there.
#[cold]
pub(super) fn lacks(array: String) -> Fault {
    ArraysError::Lacks { array }.into()
}

impl<'a> Column<'a> {
    /// The next bytes.
    pub(super) fn take(&mut self, length: usize) -> Walk<&'a [u8]> {
        let taken = self.rest.split_off(..length).ok_or_else(|| self.short())?;
        self.used = true;
        Ok(taken)
    }

    /// The next number, which stands in an array with this many axes.
    #[inline]
    pub(super) fn number<const N: usize>(&mut self, dtype: Dtype, axes: usize) -> Walk<[u8; N]> {
        if self.array.dtype != dtype || self.array.shape.len() != axes {
            return Err(self.unlike(dtype, axes));
        }
        let (number, rest) = self.rest.split_first_chunk().ok_or_else(|| self.short())?;
        self.rest = rest;
        self.used = true;
        Ok(*number)
    }

    /// Length of its first axis.
    pub(super) fn rows(&self) -> usize {
        match self.array.data.is_empty() {
            true => 0,
            false => self.array.shape.first().copied().unwrap_or(1),
        }
    }

    /// The next number of how many there are; nobody has checked yet that they are.
    pub(super) fn count(&mut self, way: Way) -> Walk<usize> {
        let count = u64::from_le_bytes(self.number(Dtype::U64, way.listed().into())?);
        usize::try_from(count).map_err(|_| self.wrong("counts more than there can be"))
    }

    /// The next truth value, which stands in an array with this many axes.
    pub(super) fn bool(&mut self, axes: usize) -> Walk<bool> {
        match self.number(Dtype::Bool, axes)? {
            [0] => Ok(false),
            [1] => Ok(true),
            [_] => Err(self.wrong("is neither 0 nor 1")),
        }
    }

    /// The error of an array that is not what is expected of it.
    #[cold]
    pub(super) fn wrong(&self, reason: impl Display) -> Fault {
        ArraysError::wrong(&self.array.name, reason).into()
    }

    /// The error of an array that ends too early.
    #[cold]
    fn short(&self) -> Fault {
        self.wrong("holds less than the other arrays count")
    }

    /// The error of an array of another type or with other axes.
    #[cold]
    fn unlike(&self, dtype: Dtype, axes: usize) -> Fault {
        let (found, wanted) = (self.array.dtype, dtype.name());
        if found != dtype {
            let found = found.name();
            return self.wrong(format_args!("is of type {found}, not {wanted}"));
        }
        let found = self.array.shape.len();
        self.wrong(format_args!("has {found} axes, not {axes}"))
    }
}
