//! Named arrays: numbers with a name, a type and a shape, as which a state is saved.
//!
//! Any type that serde knows is written as arrays. The name of an array is the path of fields that
//! leads to it, `state.contact.stiffness`; it comes from the type's definition, for writing and for
//! reading, so a name and a value cannot part. Lists of structures are written field by field: of
//! `n` anchors with two numbers of slip each, `state.contact.anchors.anchor.slip` has the shape (n,
//! 2). What is no number is laid out by arrays of the same name with an ending:
//!
//! | ending | of | holds |
//! |---|---|---|
//! | `:count` | lists | how many elements each has; left out where the one list that there is has its numbers in one array, whose length says it |
//! | `:present` | optional values | whether there is one; those that are there follow each other |
//! | `:variant`, `:variants` | choices | which, as an index into names, one a line |
//! | `:length` | texts in lists | bytes of each; the texts follow each other in UTF-8 |
//!
//! Numbers come back with all their bits, those of NaN included.

mod codec;
mod columns;
mod error;
mod read;
mod tree;
mod write;

use serde::Serialize;
use serde::de::DeserializeOwned;

pub use codec::MOST_ARRAYS;
pub use error::ArraysError;

use crate::state::schema::Schema;

/// Result of writing or reading arrays.
pub type Result<T> = std::result::Result<T, ArraysError>;

/// Type of the numbers of an array, little-endian.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dtype {
    /// float64.
    F64,
    /// uint64.
    U64,
    /// int64.
    I64,
    /// uint32.
    U32,
    /// uint8.
    U8,
    /// One byte, 0 or 1.
    Bool,
}

/// Numbers with a name and a shape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Array {
    name: String,
    dtype: Dtype,
    shape: Vec<usize>,
    /// Last axis fastest; as many bytes as dtype and shape say.
    data: Vec<u8>,
}

/// Named arrays and the number of their schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrays {
    schema: u32,
    list: Vec<Array>,
}

impl Dtype {
    const ALL: [Self; 6] = [
        Self::F64,
        Self::U64,
        Self::I64,
        Self::U32,
        Self::U8,
        Self::Bool,
    ];

    /// Its name in NumPy, which is also its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::F64 => "<f8",
            Self::U64 => "<u8",
            Self::I64 => "<i8",
            Self::U32 => "<u4",
            Self::U8 => "|u1",
            Self::Bool => "|b1",
        }
    }

    /// Bytes of a number.
    pub fn size(self) -> usize {
        match self {
            Self::F64 | Self::U64 | Self::I64 => 8,
            Self::U32 => 4,
            Self::U8 | Self::Bool => 1,
        }
    }
}

impl Array {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Type of its numbers.
    pub fn dtype(&self) -> Dtype {
        self.dtype
    }

    /// Lengths of its axes, the fastest last; none of a single number.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Its numbers, little-endian, last axis fastest.
    pub fn bytes(&self) -> &[u8] {
        &self.data
    }

    /// Its numbers, if they are float64.
    pub fn floats(&self) -> Option<Vec<f64>> {
        let numbers = self.data.as_chunks().0.iter();
        (self.dtype == Dtype::F64).then(|| numbers.map(|n| f64::from_le_bytes(*n)).collect())
    }

    /// Whether it belongs to what is called `root`; everything belongs to the empty name.
    fn is_of(&self, root: &str) -> bool {
        let rest = self.name.strip_prefix(root);
        root.is_empty() || rest.is_some_and(|r| r.is_empty() || r.starts_with(['.', ':']))
    }
}

impl Arrays {
    /// No arrays yet, of a schema.
    pub fn new(schema: u32) -> Self {
        let list = Vec::new();
        Self { schema, list }
    }

    /// Number of the schema that they were written by.
    pub fn schema(&self) -> u32 {
        self.schema
    }

    /// All of them, in the order in which they were written.
    pub fn list(&self) -> &[Array] {
        &self.list
    }

    /// The array `name`.
    pub fn get(&self, name: &str) -> Option<&Array> {
        self.list.iter().find(|array| array.name == name)
    }

    /// Adds a value under the name `root`, or its fields under their own names if that is empty.
    ///
    /// # Errors
    /// When the value has parts that are not numbers, texts, choices, structures, or lists of
    /// those.
    pub fn add(&mut self, root: &str, value: &impl Serialize) -> Result<()> {
        write::write(root, value, &mut self.list)
    }

    /// The value that was added under the name `root`.
    ///
    /// # Errors
    /// When an array is missing for which `schema` knows nothing to take, is not of the expected
    /// type and shape, or is not known; when they were written by a later schema.
    pub fn read<T: DeserializeOwned>(&self, root: &str, schema: &Schema) -> Result<T> {
        let arrays = self.list.iter().filter(|array| array.is_of(root));
        let value = read::read(root, arrays, self.schema, schema);
        let newer = || "it was saved by a later version".to_owned();
        let reason = match &value {
            Ok(_) if self.schema > schema.version => newer(),
            Err(error) if self.schema > schema.version => format!("{}, and {error}", newer()),
            Err(error) => error.to_string(),
            Ok(_) => return value,
        };
        Err(ArraysError::OtherSchema {
            found: self.schema,
            own: schema.version,
            reason,
        })
    }

    /// Takes out what was added under the name `root`.
    pub fn take(&mut self, root: &str) -> Self {
        let (taken, kept) = self.list.drain(..).partition(|array| array.is_of(root));
        self.list = kept;
        Self {
            schema: self.schema,
            list: taken,
        }
    }
}
