//! Reading: the same walk as writing, which takes each number from the front of its array.

use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess,
    SeqAccess, VariantAccess, Visitor,
};

use crate::state::arrays::columns::Node;
use crate::state::arrays::tree::{Role, Way, join};
use crate::state::arrays::{Array, ArraysError, Dtype, Result};
use crate::state::schema::Schema;

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
        node.insert(root, array)?;
    }
    let value = T::deserialize(Reader {
        node: &mut node,
        way: Way::default(),
        file: File { written, schema },
    });
    let value = value.map_err(|error| error.at(root))?;
    node.check_used()?;
    Ok(value)
}

/// By which schema the arrays were written, and by which they are read.
#[derive(Clone, Copy)]
struct File<'a> {
    written: u32,
    schema: &'a Schema,
}

/// Reads the value at a node.
struct Reader<'n, 'a> {
    node: &'n mut Node<'a>,
    way: Way,
    file: File<'n>,
}

impl<'n, 'a> Reader<'n, 'a> {
    fn number<const N: usize>(self, dtype: Dtype) -> Result<[u8; N]> {
        let axes = usize::from(self.way.listed) + self.way.axes;
        self.node.column(Role::Values)?.number(dtype, axes)
    }

    fn text(self) -> Result<String> {
        let length = match self.way.listed {
            true => Some(self.node.column(Role::Length)?.count(self.way)?),
            false => None,
        };
        let column = self.node.column(Role::Values)?;
        let bytes = column.array;
        if bytes.dtype != Dtype::U8 || bytes.shape.len() != 1 {
            return Err(ArraysError::wrong(&bytes.name, "is no text"));
        }
        let text = column.take(length.unwrap_or(bytes.data.len()))?;
        let text = std::str::from_utf8(text);
        let text = text.map_err(|_| ArraysError::wrong(&bytes.name, "is no text"))?;
        Ok(text.to_owned())
    }

    /// How many elements the list has.
    fn elements(&mut self) -> Result<usize> {
        if let Some(counts) = &mut self.node.columns[Role::Count as usize] {
            return counts.count(self.way);
        }
        let lacks = || ArraysError::Lacks {
            array: format!("{}{}", self.node.name, Role::Count.ending()),
        };
        let values = self.node.columns[Role::Values as usize].as_ref();
        let values = values.filter(|_| !self.way.listed).ok_or_else(lacks)?;
        let array = values.array;
        let axes: usize = array.shape.iter().skip(1).product();
        Ok(array.data.len() / (array.dtype.size() * axes).max(1))
    }

    fn list(mut self) -> Result<Parts<'n, 'a>> {
        Ok(Parts {
            left: self.elements()?,
            way: self.way.element(),
            node: self.node,
            file: self.file,
        })
    }

    fn tuple(self, length: usize) -> Result<Parts<'n, 'a>> {
        let axis = usize::from(self.way.listed) + self.way.axes;
        if let Some(values) = &self.node.columns[Role::Values as usize] {
            let found = values.array.shape.get(axis);
            if found != Some(&length) {
                let found = found.copied().unwrap_or(1);
                let reason = format!("has {found} numbers in a row, not {length}");
                return Err(ArraysError::wrong(&values.array.name, reason));
            }
        }
        Ok(Parts {
            left: length,
            way: self.way.part(),
            node: self.node,
            file: self.file,
        })
    }

    fn structure(self, fields: &'static [&'static str]) -> Fields<'n, 'a> {
        Fields {
            fields: fields.iter(),
            present: None,
            way: self.way.field(),
            node: self.node,
            file: self.file,
        }
    }
}

/// Methods for numbers, with the type as which they are kept.
macro_rules! numbers {
    ($($method:ident $visit:ident $kept:ty, $dtype:ident;)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            visitor.$visit(<$kept>::from_le_bytes(self.number(Dtype::$dtype)?))
        })*
    };
}

/// Methods for what is never written.
macro_rules! never {
    ($($method:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, _: V) -> Result<V::Value> {
            Err(ArraysError::unsupported(&self.node.name, "values of its type are never saved"))
        })*
    };
}

impl<'de> Deserializer<'de> for Reader<'_, '_> {
    type Error = ArraysError;

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

    never! {
        deserialize_any deserialize_f32 deserialize_char deserialize_bytes deserialize_byte_buf
        deserialize_identifier deserialize_ignored_any
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let axes = usize::from(self.way.listed) + self.way.axes;
        visitor.visit_bool(self.node.column(Role::Values)?.bool(axes)?)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_string(self.text()?)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_string(self.text()?)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let column = self.node.column(Role::Present)?;
        if !column.bool(self.way.listed.into())? {
            return visitor.visit_none();
        }
        let way = self.way.option();
        visitor.visit_some(Self { way, ..self })
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.number::<1>(Dtype::U8)?;
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_seq(self.list()?)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value> {
        visitor.visit_seq(self.tuple(length)?)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_seq(self.tuple(length)?)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_map(self.list()?)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_map(self.structure(fields))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let names = self.node.column(Role::Variants)?;
        names.used = true;
        names.at = names.array.data.len();
        let names = names.array;
        let column = self.node.column(Role::Variant)?;
        let [index] = column.number(Dtype::U8, self.way.listed.into())?;
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
    file: File<'n>,
    left: usize,
}

impl Parts<'_, '_> {
    fn hint(&self) -> Option<usize> {
        Some(self.left.min(FORESEEN))
    }
}

impl<'de> SeqAccess<'de> for Parts<'_, '_> {
    type Error = ArraysError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some(left) = self.left.checked_sub(1) else {
            return Ok(None);
        };
        self.left = left;
        seed.deserialize(Reader {
            node: &mut *self.node,
            way: self.way,
            file: self.file,
        })
        .map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        self.hint()
    }
}

impl Parts<'_, '_> {
    /// Reads at the keys or the values of a map.
    fn of_map<'de, T: DeserializeSeed<'de>>(
        &mut self,
        part: &'static str,
        seed: T,
    ) -> Result<T::Value> {
        let lacks = ArraysError::Lacks {
            array: join(&self.node.name, part),
        };
        let node = self.node.field(part).ok_or(lacks)?;
        let (way, file) = (self.way.field(), self.file);
        seed.deserialize(Reader { node, way, file })
    }
}

impl<'de> MapAccess<'de> for Parts<'_, '_> {
    type Error = ArraysError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        let Some(left) = self.left.checked_sub(1) else {
            return Ok(None);
        };
        self.left = left;
        self.of_map("keys", seed).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        self.of_map("values", seed)
    }

    fn size_hint(&self) -> Option<usize> {
        self.hint()
    }
}

/// Fields of a structure, in the order of its definition.
struct Fields<'n, 'a> {
    node: &'n mut Node<'a>,
    way: Way,
    file: File<'n>,
    fields: std::slice::Iter<'static, &'static str>,
    /// The field whose value comes next.
    present: Option<&'static str>,
}

impl<'de> MapAccess<'de> for Fields<'_, '_> {
    type Error = ArraysError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        for field in self.fields.by_ref() {
            if self.node.field(field).is_some() {
                self.present = Some(field);
                let key: StrDeserializer<'_, ArraysError> = (*field).into_deserializer();
                return seed.deserialize(key).map(Some);
            }
            // What is left out here gets its default.
            let array = join(&self.node.name, field);
            if !self.file.schema.may_lack(&array, self.file.written) {
                return Err(ArraysError::Lacks { array });
            }
        }
        Ok(None)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        let field = self.present.take().unwrap_or_default();
        let lacks = || ArraysError::Lacks {
            array: field.to_owned(),
        };
        let node = self.node.field(field).ok_or_else(lacks)?;
        let value = seed.deserialize(Reader {
            node: &mut *node,
            way: self.way,
            file: self.file,
        });
        value.map_err(|error| error.at(&node.name))
    }
}

/// One of several choices, and what it holds.
struct Choice<'n, 'a> {
    name: &'a str,
    reader: Reader<'n, 'a>,
}

impl<'de> EnumAccess<'de> for Choice<'_, '_> {
    type Error = ArraysError;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self)> {
        let name: StrDeserializer<'_, ArraysError> = self.name.into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'n, 'a> Choice<'n, 'a> {
    fn held(self) -> Result<Reader<'n, 'a>> {
        let Reader { node, way, file } = self.reader;
        let lacks = ArraysError::Lacks {
            array: join(&node.name, self.name),
        };
        let node = node.field(self.name).ok_or(lacks)?;
        let way = way.field();
        Ok(Reader { node, way, file })
    }
}

impl<'de> VariantAccess<'de> for Choice<'_, '_> {
    type Error = ArraysError;

    fn unit_variant(self) -> Result<()> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        seed.deserialize(self.held()?)
    }

    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value> {
        visitor.visit_seq(self.held()?.tuple(length)?)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_map(self.held()?.structure(fields))
    }
}
