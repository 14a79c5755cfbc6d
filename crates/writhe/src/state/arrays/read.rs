//! Reading: the same walk as writing, which takes each number from the front of its array.

use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use super::super::schema::Schema;
use super::columns::{Column, Node, lacks};
use super::error::{Fault, Walk};
use super::tree::{Name, Role, Way, join};
use super::{Array, ArraysError, Dtype, Result};

/// Elements for which memory is taken before they are seen.
const FORESEEN: usize = 1 << 16;

/// The value under the name `root` in `arrays`, which were `written` by that schema.
pub(super) fn read<'a, T: DeserializeOwned>(
    root: &str,
    arrays: impl Iterator<Item = &'a Array>,
    written: u32,
    schema: &Schema,
) -> Result<T> {
    let mut node = Node::new(root.to_owned());
    for array in arrays {
        node.insert(array)?;
    }
    let added = schema.added.iter().map(|added| added.field);
    for field in added.filter(|field| schema.may_lack(field, written)) {
        node.leave_out(field);
    }
    let value = T::deserialize(Reader {
        node: &mut node,
        way: Way::default(),
    });
    let value = value.map_err(|fault| fault.at(root))?;
    node.check_used()?;
    Ok(value)
}

/// Reads the value at a node.
struct Reader<'n, 'a> {
    node: &'n mut Node<'a>,
    way: Way,
}

impl<'n, 'a> Reader<'n, 'a> {
    /// The next number.
    #[inline]
    fn number<const N: usize>(self, dtype: Dtype) -> Walk<[u8; N]> {
        let axes = self.way.all_axes();
        self.node.column(Role::Values)?.number(dtype, axes)
    }

    /// How many elements the list has.
    fn elements(&mut self) -> Walk<usize> {
        let columns = &self.node.content.columns;
        let counts = &columns[Role::Count as usize];
        match &columns[Role::Values as usize] {
            // A lone list says it by its length.
            Some(values) if counts.is_none() && !self.way.listed() => Ok(values.rows()),
            _ => self.node.column(Role::Count)?.count(self.way),
        }
    }

    /// What reads the elements of a list or of a map.
    fn list(mut self) -> Walk<Parts<'n, 'a>> {
        Ok(Parts {
            left: self.elements()?,
            way: self.way.element(),
            node: self.node,
        })
    }

    /// What reads the parts of a tuple.
    #[inline]
    fn tuple(self, length: usize) -> Walk<Parts<'n, 'a>> {
        if let Some(values) = &self.node.content.columns[Role::Values as usize] {
            let found = values.array.shape.get(self.way.all_axes());
            if found != Some(&length) {
                return Err(other_row(values, found, length));
            }
        }
        Ok(Parts {
            left: length,
            way: self.way.part(),
            node: self.node,
        })
    }

    /// What reads the fields of a structure.
    #[inline]
    fn structure(self, fields: &'static [Name]) -> Fields<'n, 'a> {
        Fields {
            fields: fields.iter(),
            place: 0,
            way: self.way.field(),
            node: self.node,
        }
    }
}

/// The error of tuples that are longer or shorter than expected.
#[cold]
fn other_row(values: &Column, found: Option<&usize>, wanted: usize) -> Fault {
    let found = found.copied().unwrap_or(1);
    values.wrong(format_args!("has {found} numbers in a row, not {wanted}"))
}

/// Methods for numbers, with the type as which they are kept.
macro_rules! numbers {
    ($($method:ident $visit:ident $kept:ty, $dtype:ident;)*) => {
        $(#[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Walk<V::Value> {
            visitor.$visit(<$kept>::from_le_bytes(self.number(Dtype::$dtype)?))
        })*
    };
}

impl<'de> Deserializer<'de> for Reader<'_, '_> {
    type Error = Fault;

    numbers! {
        deserialize_i8 visit_i64 i64, I64;
        deserialize_i16 visit_i64 i64, I64;
        deserialize_i32 visit_i64 i64, I64;
        deserialize_i64 visit_i64 i64, I64;
        deserialize_u8 visit_u8 u8, U8;
        deserialize_u16 visit_u32 u32, U32;
        deserialize_u32 visit_u32 u32, U32;
        deserialize_u64 visit_u64 u64, U64;
        deserialize_f64 visit_f64 f64, F64;
    }

    /// Types say what they are. What forwards to this is never written.
    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Walk<V::Value> {
        let reason = "values of its type are never saved";
        Err(ArraysError::unsupported(&self.node.name, reason).into())
    }

    forward_to_deserialize_any! { f32 char bytes byte_buf identifier ignored_any }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Walk<V::Value> {
        let axes = self.way.all_axes();
        visitor.visit_bool(self.node.column(Role::Values)?.bool(axes)?)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Walk<V::Value> {
        let length = match self.way.listed() {
            true => Some(self.node.column(Role::Length)?.count(self.way)?),
            false => None,
        };
        let column = self.node.column(Role::Values)?;
        let array = column.array;
        if array.dtype != Dtype::U8 || array.shape.len() != 1 {
            return Err(column.wrong("is no text"));
        }
        let text = column.take(length.unwrap_or(array.data.len()))?;
        let text = std::str::from_utf8(text);
        visitor.visit_str(text.map_err(|_| column.wrong("is no text"))?)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Walk<V::Value> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Walk<V::Value> {
        let column = self.node.column(Role::Present)?;
        if !column.bool(self.way.listed().into())? {
            return visitor.visit_none();
        }
        let way = self.way.option();
        visitor.visit_some(Self { way, ..self })
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Walk<V::Value> {
        self.number::<1>(Dtype::U8)?;
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: Name, visitor: V) -> Walk<V::Value> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: Name, visitor: V) -> Walk<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Walk<V::Value> {
        visitor.visit_seq(self.list()?)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Walk<V::Value> {
        visitor.visit_seq(self.tuple(length)?)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: Name,
        length: usize,
        visitor: V,
    ) -> Walk<V::Value> {
        visitor.visit_seq(self.tuple(length)?)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Walk<V::Value> {
        visitor.visit_map(self.list()?)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: Name,
        fields: &'static [Name],
        visitor: V,
    ) -> Walk<V::Value> {
        visitor.visit_seq(self.structure(fields))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: Name,
        _: &'static [Name],
        visitor: V,
    ) -> Walk<V::Value> {
        let names = self.node.column(Role::Variants)?;
        (names.used, names.rest) = (true, &[]);
        let names = names.array;
        let column = self.node.column(Role::Variant)?;
        let [index] = column.number(Dtype::U8, self.way.listed().into())?;
        let texts = std::str::from_utf8(&names.data).unwrap_or_default();
        let name = texts.split('\n').nth(index.into());
        let name = name.filter(|_| names.dtype == Dtype::U8);
        let reason = "does not name every choice";
        let name = name.ok_or_else(|| ArraysError::wrong(&names.name, reason))?;
        visitor.visit_enum(Choice { name, reader: self })
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// Elements of a list, a tuple or a map.
struct Parts<'n, 'a> {
    node: &'n mut Node<'a>,
    way: Way,
    left: usize,
}

impl Parts<'_, '_> {
    /// Whether there is one more, which is then taken as read.
    #[inline]
    fn next(&mut self) -> bool {
        let left = self.left.checked_sub(1);
        self.left = left.unwrap_or_default();
        left.is_some()
    }

    /// Reads at the keys or the values of a map.
    fn of_map<'de, T>(&mut self, near: usize, part: Name, seed: T) -> Walk<T::Value>
    where
        T: DeserializeSeed<'de>,
    {
        seed.deserialize(Reader {
            node: self.node.field(near, part)?,
            way: self.way.field(),
        })
    }
}

impl<'de> SeqAccess<'de> for Parts<'_, '_> {
    type Error = Fault;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Walk<Option<T::Value>> {
        if !self.next() {
            return Ok(None);
        }
        let value = seed.deserialize(Reader {
            node: &mut *self.node,
            way: self.way,
        });
        value.map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left.min(FORESEEN))
    }
}

impl<'de> MapAccess<'de> for Parts<'_, '_> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Walk<Option<K::Value>> {
        match self.next() {
            true => self.of_map(0, "keys", seed).map(Some),
            false => Ok(None),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Walk<V::Value> {
        self.of_map(1, "values", seed)
    }
}

/// Fields of a structure, in the order of its definition.
struct Fields<'n, 'a> {
    node: &'n mut Node<'a>,
    way: Way,
    fields: std::slice::Iter<'static, Name>,
    /// Where the next field is looked for among those of the file.
    place: usize,
}

/// A sequence: derived code asks for one field after the other, takes the default of one that is
/// left out and goes on with the next. What does otherwise leaves arrays unread, which is an error.
impl<'de> SeqAccess<'de> for Fields<'_, '_> {
    type Error = Fault;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Walk<Option<T::Value>> {
        let Some(field) = self.fields.next() else {
            return Ok(None);
        };
        let Some(place) = self.node.place(self.place, field) else {
            return Err(lacks(join(&self.node.name, field)));
        };
        self.place = place + 1;
        let node = &mut self.node.fields[place].1;
        if node.content.left_out {
            return Ok(None);
        }
        let value = seed.deserialize(Reader {
            node: &mut *node,
            way: self.way,
        });
        value.map(Some).map_err(|error| error.at(&node.name))
    }
}

/// One of several choices, and what it holds.
struct Choice<'n, 'a> {
    name: &'a str,
    reader: Reader<'n, 'a>,
}

impl<'de> EnumAccess<'de> for Choice<'_, '_> {
    type Error = Fault;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Walk<(V::Value, Self)> {
        let name = StrDeserializer::<Fault>::new(self.name);
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'n, 'a> Choice<'n, 'a> {
    /// What reads what it holds.
    fn held(self) -> Walk<Reader<'n, 'a>> {
        let Reader { node, way } = self.reader;
        Ok(Reader {
            node: node.field(0, self.name)?,
            way: way.field(),
        })
    }
}

impl<'de> VariantAccess<'de> for Choice<'_, '_> {
    type Error = Fault;

    fn unit_variant(self) -> Walk<()> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Walk<T::Value> {
        seed.deserialize(self.held()?)
    }

    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Walk<V::Value> {
        visitor.visit_seq(self.held()?.tuple(length)?)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [Name],
        visitor: V,
    ) -> Walk<V::Value> {
        visitor.visit_seq(self.held()?.structure(fields))
    }
}
