//! The arrays of a file by the tree of their names, each with how much of it has been taken.

use crate::state::arrays::tree::{Role, Way, join};
use crate::state::arrays::{Array, ArraysError, Dtype, Result};

/// What is there under one name.
pub(super) struct Node<'a> {
    pub name: String,
    pub columns: [Option<Column<'a>>; 6],
    /// Last part of the name, and the node.
    fields: Vec<(&'a str, Node<'a>)>,
}

/// An array, and how much of it has been taken.
pub(super) struct Column<'a> {
    pub array: &'a Array,
    /// Bytes that were taken.
    pub at: usize,
    pub used: bool,
}

impl<'a> Node<'a> {
    pub(super) fn new(name: String) -> Self {
        Self {
            name,
            columns: Default::default(),
            fields: Vec::new(),
        }
    }

    pub(super) fn insert(&mut self, root: &str, array: &'a Array) -> Result<()> {
        let unknown = || ArraysError::Unknown {
            array: array.name.clone(),
        };
        let (path, role) = Role::of(&array.name).ok_or_else(unknown)?;
        let path = path.strip_prefix(root).ok_or_else(unknown)?;
        let path = path.strip_prefix('.').unwrap_or(path);
        let parts = path.split('.').filter(|_| !path.is_empty());
        let node = parts.fold(self, Self::field_or_new);
        node.columns[role as usize] = Some(Column {
            array,
            at: 0,
            used: false,
        });
        Ok(())
    }

    fn field_or_new(&mut self, name: &'a str) -> &mut Self {
        let at = self.fields.iter().position(|(known, _)| *known == name);
        let at = at.unwrap_or_else(|| {
            let node = Self::new(join(&self.name, name));
            self.fields.push((name, node));
            self.fields.len() - 1
        });
        &mut self.fields[at].1
    }

    pub(super) fn field(&mut self, name: &str) -> Option<&mut Self> {
        let mut fields = self.fields.iter_mut();
        fields.find(|(known, _)| *known == name).map(|(_, n)| n)
    }

    pub(super) fn column(&mut self, role: Role) -> Result<&mut Column<'a>> {
        let lacks = || ArraysError::Lacks {
            array: format!("{}{}", self.name, role.ending()),
        };
        self.columns[role as usize].as_mut().ok_or_else(lacks)
    }

    /// Every array must have been read, and all of it.
    pub(super) fn check_used(&self) -> Result<()> {
        for column in self.columns.iter().flatten() {
            let name = &column.array.name;
            if !column.used {
                let array = name.clone();
                return Err(ArraysError::Unknown { array });
            }
            if column.at < column.array.data.len() {
                let reason = "holds more than the other arrays count";
                return Err(ArraysError::wrong(name, reason));
            }
        }
        let mut fields = self.fields.iter();
        fields.try_for_each(|(_, node)| node.check_used())
    }
}

impl<'a> Column<'a> {
    /// The next bytes.
    pub(super) fn take(&mut self, length: usize) -> Result<&'a [u8]> {
        let bytes = &self.array.data;
        let end = self.at.checked_add(length);
        let taken = end.and_then(|end| bytes.get(self.at..end));
        let Some(taken) = taken else {
            let reason = "holds less than the other arrays count";
            return Err(ArraysError::wrong(&self.array.name, reason));
        };
        self.at += length;
        self.used = true;
        Ok(taken)
    }

    /// The next number, which stands in an array with this many axes.
    pub(super) fn number<const N: usize>(&mut self, dtype: Dtype, axes: usize) -> Result<[u8; N]> {
        let array = self.array;
        if array.dtype != dtype {
            let (found, wanted) = (array.dtype.name(), dtype.name());
            let reason = format!("is of type {found}, not {wanted}");
            return Err(ArraysError::wrong(&array.name, reason));
        }
        if array.shape.len() != axes {
            let found = array.shape.len();
            let reason = format!("has {found} axes, not {axes}");
            return Err(ArraysError::wrong(&array.name, reason));
        }
        let mut number = [0; N];
        number.copy_from_slice(self.take(N)?);
        Ok(number)
    }

    /// The next number of how many there are; nobody has checked yet that they are.
    pub(super) fn count(&mut self, way: Way) -> Result<usize> {
        let count = u64::from_le_bytes(self.number(Dtype::U64, way.listed.into())?);
        let reason = "counts more than there can be";
        usize::try_from(count).map_err(|_| ArraysError::wrong(&self.array.name, reason))
    }

    pub(super) fn bool(&mut self, axes: usize) -> Result<bool> {
        match self.number(Dtype::Bool, axes)? {
            [0] => Ok(false),
            [1] => Ok(true),
            [_] => Err(ArraysError::wrong(&self.array.name, "is neither 0 nor 1")),
        }
    }
}
