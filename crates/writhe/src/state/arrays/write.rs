//! Writing: a value is walked once, and each number is put behind the others of its name.

use serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

use crate::state::arrays::tree::{Role, Way, join};
use crate::state::arrays::{Array, ArraysError, Dtype, Result};

/// Tuples are axes of an array.
const PARTS_DIFFER: &str = "a tuple has parts of two kinds";

/// Puts the arrays of `value` behind those in `list`.
pub(super) fn write(root: &str, value: &impl Serialize, list: &mut Vec<Array>) -> Result<()> {
    let mut node = Node::new(root.to_owned());
    value.serialize(Writer {
        node: &mut node,
        way: Way::default(),
    })?;
    node.finish(list)
}

/// What has been written under one name.
struct Node {
    name: String,
    /// Numbers of each role.
    columns: [Option<Column>; 6],
    /// Lengths of the tuples around the values.
    axes: Vec<usize>,
    /// Names of the choices met so far.
    variants: Vec<&'static str>,
    /// Last part of the name, and the node.
    fields: Vec<(&'static str, Node)>,
}

struct Column {
    dtype: Dtype,
    /// Whether there may be several numbers, or tuples of them.
    listed: bool,
    data: Vec<u8>,
}

impl Node {
    fn new(name: String) -> Self {
        Self {
            name,
            columns: Default::default(),
            axes: Vec::new(),
            variants: Vec::new(),
            fields: Vec::new(),
        }
    }

    fn field(&mut self, name: &'static str) -> &mut Self {
        let at = self.fields.iter().position(|(known, _)| *known == name);
        let at = at.unwrap_or_else(|| {
            let node = Self::new(join(&self.name, name));
            self.fields.push((name, node));
            self.fields.len() - 1
        });
        &mut self.fields[at].1
    }

    fn push(&mut self, role: Role, dtype: Dtype, listed: bool, bytes: &[u8]) -> Result<()> {
        let column = self.columns[role as usize].get_or_insert_with(|| Column {
            dtype,
            listed,
            data: Vec::new(),
        });
        if column.dtype != dtype {
            let reason = "numbers of two types have one name";
            return Err(ArraysError::unsupported(&self.name, reason));
        }
        column.data.extend(bytes);
        Ok(())
    }

    fn count(&mut self, role: Role, way: Way, count: usize) -> Result<()> {
        self.push(role, Dtype::U64, way.listed, &(count as u64).to_le_bytes())
    }

    /// Whether the length of the numbers says what the count would: a lone list of plain numbers.
    fn is_counted(&self) -> bool {
        let has = |role: Role| self.columns[role as usize].is_some();
        let lone = |column: &Column| !column.listed;
        self.columns[Role::Count as usize]
            .as_ref()
            .is_some_and(lone)
            && has(Role::Values)
            && !has(Role::Length)
            && !has(Role::Variant)
            && self.columns[Role::Present as usize]
                .as_ref()
                .is_none_or(lone)
    }

    /// Puts its arrays, and those of its fields, behind those in `list`.
    fn finish(mut self, list: &mut Vec<Array>) -> Result<()> {
        if self.is_counted() {
            self.columns[Role::Count as usize] = None;
        }
        for (role, column) in Role::ALL.into_iter().zip(self.columns) {
            let Some(column) = column else { continue };
            let axes = match role {
                Role::Values => self.axes.as_slice(),
                _ => &[],
            };
            let row: usize = column.dtype.size() * axes.iter().product::<usize>();
            let rows = column.listed.then_some(column.data.len() / row);
            if column.data.len() != row * rows.unwrap_or(1) {
                return Err(ArraysError::unsupported(&self.name, PARTS_DIFFER));
            }
            list.push(Array {
                name: format!("{}{}", self.name, role.ending()),
                dtype: column.dtype,
                shape: rows.into_iter().chain(axes.iter().copied()).collect(),
                data: column.data,
            });
            if role == Role::Variant {
                let names = self.variants.join("\n").into_bytes();
                list.push(Array {
                    name: format!("{}{}", self.name, Role::Variants.ending()),
                    dtype: Dtype::U8,
                    shape: vec![names.len()],
                    data: names,
                });
            }
        }
        let mut fields = self.fields.into_iter();
        fields.try_for_each(|(_, node)| node.finish(list))
    }
}

/// Writes the value at a node.
struct Writer<'a> {
    node: &'a mut Node,
    way: Way,
}

impl<'a> Writer<'a> {
    fn refuse<T>(&self, reason: &str) -> Result<T> {
        Err(ArraysError::unsupported(&self.node.name, reason))
    }

    /// Axes of numbers must all be those of one tuple.
    fn alone(&self, what: &str) -> Result<()> {
        match self.way.axes {
            0 => Ok(()),
            _ => self.refuse(&format!("{what} in a tuple has no name of its own")),
        }
    }

    fn number(self, dtype: Dtype, bytes: &[u8]) -> Result<()> {
        if self.node.axes.len() != self.way.axes {
            return self.refuse(PARTS_DIFFER);
        }
        self.node.push(Role::Values, dtype, self.way.listed, bytes)
    }

    fn text(self, text: &str) -> Result<()> {
        self.alone("a text")?;
        if self.way.listed {
            self.node.count(Role::Length, self.way, text.len())?;
        }
        self.node
            .push(Role::Values, Dtype::U8, true, text.as_bytes())
    }

    fn list(self) -> Result<Parts<'a>> {
        self.alone("a list")?;
        if self.way.in_list {
            return self.refuse("a list in a list has no name of its own");
        }
        Ok(Parts {
            count: 0,
            way: self.way,
            node: self.node,
        })
    }

    fn tuple(self, length: usize) -> Result<Self> {
        let (node, depth) = (self.node, self.way.axes);
        if node.axes.len() == depth {
            node.axes.push(length);
        }
        if length == 0 || node.axes[depth] != length {
            let reason = "tuples of two lengths, or of none, have one name";
            return Err(ArraysError::unsupported(&node.name, reason));
        }
        let way = self.way.part();
        Ok(Self { node, way })
    }

    fn part<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let (node, way) = (&mut *self.node, self.way);
        value.serialize(Writer { node, way })
    }

    fn field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<()> {
        let way = self.way.field();
        let node = self.node.field(name);
        let told = value.serialize(Writer { node, way });
        told.map_err(|error| error.at(&self.node.name))
    }

    /// Writes which choice it is and goes on to what it holds.
    fn choice(self, name: &'static str) -> Result<Writer<'a>> {
        self.alone("a choice")?;
        let (node, way) = (self.node, self.way);
        let known = node.variants.iter().position(|known| *known == name);
        let index = known.unwrap_or_else(|| {
            node.variants.push(name);
            node.variants.len() - 1
        });
        let Ok(index) = u8::try_from(index) else {
            return Err(ArraysError::unsupported(&node.name, "too many choices"));
        };
        node.push(Role::Variant, Dtype::U8, way.listed, &[index])?;
        Ok(Writer {
            node: node.field(name),
            way: way.field(),
        })
    }
}

/// Elements of a list or of a map.
struct Parts<'a> {
    node: &'a mut Node,
    way: Way,
    count: usize,
}

impl Parts<'_> {
    fn end(self) -> Result<()> {
        self.node.count(Role::Count, self.way, self.count)
    }
}

/// Methods for numbers, with the type as which they are kept.
macro_rules! numbers {
    ($($method:ident $type:ty as $kept:ty, $dtype:ident;)*) => {
        $(fn $method(self, value: $type) -> Result<()> {
            self.number(Dtype::$dtype, &<$kept>::from(value).to_le_bytes())
        })*
    };
}

impl<'a> Serializer for Writer<'a> {
    type Ok = ();
    type Error = ArraysError;
    type SerializeSeq = Parts<'a>;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Self;
    type SerializeMap = Parts<'a>;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    numbers! {
        serialize_i8 i8 as i64, I64;
        serialize_i16 i16 as i64, I64;
        serialize_i32 i32 as i64, I64;
        serialize_i64 i64 as i64, I64;
        serialize_u8 u8 as u8, U8;
        serialize_u16 u16 as u32, U32;
        serialize_u32 u32 as u32, U32;
        serialize_u64 u64 as u64, U64;
        serialize_f64 f64 as f64, F64;
    }

    fn serialize_bool(self, value: bool) -> Result<()> {
        self.number(Dtype::Bool, &[value.into()])
    }

    fn serialize_f32(self, _: f32) -> Result<()> {
        self.refuse("float32 is not saved")
    }

    fn serialize_char(self, _: char) -> Result<()> {
        self.refuse("a lone character is not saved")
    }

    fn serialize_str(self, text: &str) -> Result<()> {
        self.text(text)
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<()> {
        self.refuse("bytes are saved as lists of numbers only")
    }

    /// Something must be there, or a missing field would not be missed.
    fn serialize_unit(self) -> Result<()> {
        self.number(Dtype::U8, &[0])
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<()> {
        self.serialize_unit()
    }

    fn serialize_none(self) -> Result<()> {
        self.present(false).map(|_| ())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        value.serialize(self.present(true)?)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, name: &'static str) -> Result<()> {
        self.choice(name).map(|_| ())
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        value: &T,
    ) -> Result<()> {
        value.serialize(self.choice(name)?)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Parts<'a>> {
        self.list()
    }

    fn serialize_tuple(self, length: usize) -> Result<Self> {
        self.tuple(length)
    }

    fn serialize_tuple_struct(self, _: &'static str, length: usize) -> Result<Self> {
        self.tuple(length)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        length: usize,
    ) -> Result<Self> {
        self.choice(name)?.tuple(length)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Parts<'a>> {
        self.list()
    }

    fn serialize_struct(self, _: &'static str, fields: usize) -> Result<Self> {
        match fields {
            0 => self.refuse("a structure without fields holds nothing"),
            _ => Ok(self),
        }
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: usize,
    ) -> Result<Self> {
        self.choice(name)
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

impl Writer<'_> {
    /// Writes whether a value is there and goes on to it.
    fn present(self, present: bool) -> Result<Self> {
        self.alone("an optional value")?;
        if self.way.in_option {
            return self.refuse("an optional value in another has no name of its own");
        }
        let (role, listed) = (Role::Present, self.way.listed);
        self.node
            .push(role, Dtype::Bool, listed, &[present.into()])?;
        let way = self.way.option();
        Ok(Self { way, ..self })
    }
}

impl SerializeSeq for Parts<'_> {
    type Ok = ();
    type Error = ArraysError;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.count += 1;
        value.serialize(Writer {
            node: &mut *self.node,
            way: self.way.element(),
        })
    }

    fn end(self) -> Result<()> {
        Parts::end(self)
    }
}

impl SerializeMap for Parts<'_> {
    type Ok = ();
    type Error = ArraysError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        self.count += 1;
        let way = self.way.element().field();
        let node = self.node.field("keys");
        key.serialize(Writer { node, way })
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let way = self.way.element().field();
        let node = self.node.field("values");
        value.serialize(Writer { node, way })
    }

    fn end(self) -> Result<()> {
        Parts::end(self)
    }
}

/// Parts of tuples, and fields of structures.
macro_rules! parts {
    ($($kind:ident::$method:ident;)*) => {
        $(impl $kind for Writer<'_> {
            type Ok = ();
            type Error = ArraysError;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
                self.part(value)
            }

            fn end(self) -> Result<()> {
                Ok(())
            }
        })*
    };
    ($($kind:ident)*) => {
        $(impl $kind for Writer<'_> {
            type Ok = ();
            type Error = ArraysError;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<()> {
                self.field(name, value)
            }

            fn end(self) -> Result<()> {
                Ok(())
            }
        })*
    };
}

parts! {
    SerializeTuple::serialize_element;
    SerializeTupleStruct::serialize_field;
    SerializeTupleVariant::serialize_field;
}

parts! { SerializeStruct SerializeStructVariant }
