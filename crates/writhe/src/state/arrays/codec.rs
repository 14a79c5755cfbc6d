//! Arrays as bytes: what there is first, then the numbers.
//!
//! ```text
//! schema u32 | number of arrays u32
//! of each array:  length of its name u8 | name, UTF-8 | type, 3 bytes as in NumPy | axes u8 | length of each axis u64
//! numbers of each array, in the same order                                                              (integers little-endian)
//! ```

use std::collections::HashSet;

use crate::state::arrays::{Array, Arrays, ArraysError, Dtype, Result};
use crate::state::schema::FIRST_NAMED;

/// The most arrays that are written or read together: far more than any type has.
pub const MOST_ARRAYS: usize = 4096;
/// The most axes of an array.
const MOST_AXES: usize = 8;

impl Dtype {
    /// The type of this name.
    fn from_name(name: [u8; 3]) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|dtype| dtype.name().as_bytes() == name)
    }
}

impl Array {
    /// An array from what stands behind its name. Its numbers are not there yet, but it is certain
    /// that they can be counted.
    fn without_numbers(name: &str, rest: &mut &[u8]) -> Result<Self> {
        let dtype = Dtype::from_name(*chunk(rest)?);
        let dtype = dtype.ok_or(ArraysError::Torn("an array is of a type that is not known"))?;
        let [axes] = *chunk(rest)?;
        if usize::from(axes) > MOST_AXES {
            return Err(ArraysError::Torn("an array has too many axes"));
        }
        let mut shape = Vec::with_capacity(axes.into());
        let mut length = dtype.size();
        for _ in 0..axes {
            let axis = usize::try_from(u64::from_le_bytes(*chunk(rest)?)).ok();
            let product = axis.and_then(|axis| Some((axis, length.checked_mul(axis)?)));
            let (axis, product) = product.ok_or(ArraysError::Torn("an array is too large"))?;
            shape.push(axis);
            length = product;
        }
        Ok(Self {
            name: name.to_owned(),
            dtype,
            shape,
            data: Vec::new(),
        })
    }

    /// Refuses what does not fit into the bytes.
    fn check(&self) -> Result<()> {
        let reason = if u8::try_from(self.name.len()).is_err() {
            "its name is too long"
        } else if self.shape.len() > MOST_AXES {
            "it has too many axes"
        } else {
            return Ok(());
        };
        Err(ArraysError::unsupported(&self.name, reason))
    }
}

impl Arrays {
    /// All of them as bytes.
    ///
    /// # Errors
    /// When there are too many, or names are too long or there twice.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.append_to(&mut bytes)?;
        Ok(bytes)
    }

    /// The same, put behind the bytes that are there.
    ///
    /// # Errors
    /// When there are too many, or names are too long or there twice.
    pub fn append_to(&self, bytes: &mut Vec<u8>) -> Result<()> {
        if self.list.len() > MOST_ARRAYS {
            return Err(ArraysError::Torn("there are too many arrays"));
        }
        let data: usize = self.list.iter().map(|array| array.data.len()).sum();
        // Most names are shorter, and a checksum has room, too.
        bytes.reserve(data + 80 * self.list.len() + 16);
        bytes.extend(self.schema.to_le_bytes());
        bytes.extend((self.list.len() as u32).to_le_bytes());
        let mut names = HashSet::with_capacity(self.list.len());
        for array in &self.list {
            array.check()?;
            if !names.insert(&*array.name) {
                return Err(ArraysError::unsupported(&array.name, "it is there twice"));
            }
            bytes.push(array.name.len() as u8);
            bytes.extend(array.name.as_bytes());
            bytes.extend(array.dtype.name().as_bytes());
            bytes.push(array.shape.len() as u8);
            let axes = array.shape.iter();
            bytes.extend(axes.flat_map(|length| (*length as u64).to_le_bytes()));
        }
        for array in &self.list {
            bytes.extend(&array.data);
        }
        Ok(())
    }

    /// The schema that bytes begin with.
    pub fn schema_of(bytes: &[u8]) -> Option<u32> {
        bytes
            .first_chunk()
            .map(|schema| u32::from_le_bytes(*schema))
    }

    /// Arrays from bytes, of any schema that has names. No more memory is taken than there are
    /// bytes.
    ///
    /// # Errors
    /// When the bytes are not those of arrays.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let mut rest = bytes;
        let schema = u32::from_le_bytes(*chunk(&mut rest)?);
        if schema < FIRST_NAMED {
            return Err(ArraysError::Torn("its values have no names"));
        }
        let count = u32::from_le_bytes(*chunk(&mut rest)?) as usize;
        if count > MOST_ARRAYS {
            return Err(ArraysError::Torn("it counts too many arrays"));
        }
        let mut names = HashSet::with_capacity(count);
        let mut list = Vec::with_capacity(count);
        for _ in 0..count {
            let name = name(&mut rest)?;
            if !names.insert(name) {
                return Err(ArraysError::Torn("it holds an array twice"));
            }
            list.push(Array::without_numbers(name, &mut rest)?);
        }
        for array in &mut list {
            let axes = array.shape.iter();
            let length = axes.fold(array.dtype.size(), |length, axis| length * axis);
            array.data = part(&mut rest, length)?.to_vec();
        }
        if !rest.is_empty() {
            return Err(ArraysError::Torn("it goes on after its last array"));
        }
        Ok(Self { schema, list })
    }
}

/// The name that an array begins with.
fn name<'a>(rest: &mut &'a [u8]) -> Result<&'a str> {
    let [length] = *chunk(rest)?;
    let name = std::str::from_utf8(part(rest, length.into())?);
    name.map_err(|_| ArraysError::Torn("the name of an array is no text"))
}

/// The next bytes.
fn part<'a>(rest: &mut &'a [u8], length: usize) -> Result<&'a [u8]> {
    rest.split_off(..length)
        .ok_or(ArraysError::Torn("it is cut short"))
}

/// The next `N` bytes.
fn chunk<'a, const N: usize>(rest: &mut &'a [u8]) -> Result<&'a [u8; N]> {
    let (chunk, behind) = rest
        .split_first_chunk()
        .ok_or(ArraysError::Torn("it is cut short"))?;
    *rest = behind;
    Ok(chunk)
}
