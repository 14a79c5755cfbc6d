//! Writing: a value is walked once, and each number is put behind the others of its name.

use serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

use super::error::{Fault, Walk};
use super::tree::{self, Name, Role, Way};
use super::{Array, ArraysError, Dtype, Result};

/// Tuples are axes of an array.
const PARTS_DIFFER: &str = "a tuple has parts of two kinds";

/// Puts the arrays of `value` behind those in `list`.
pub(super) fn write(root: &str, value: &impl Serialize, list: &mut Vec<Array>) -> Result<()> {
    let mut node = Node::new(root.to_owned());
    value.serialize(Writer {
        node: &mut node,
        way: Way::default(),
    })?;
    Ok(node.finish(list)?)
}

/// What has been written under one name. Choices have a field each, in the order in which they were
/// met.
type Node = tree::Node<'static, Written>;

/// What has been written under one name itself.
#[derive(Default)]
struct Written {
    /// Numbers of each role.
    columns: [Option<Column>; 6],
    /// Lengths of the tuples around the values.
    axes: Vec<usize>,
}

/// Numbers that become an array.
struct Column {
    dtype: Dtype,
    /// Whether there may be several numbers, or tuples of them.
    listed: bool,
    data: Vec<u8>,
}

impl Node {
    /// Puts a number, or a text, behind the others of its role.
    #[inline]
    fn push(&mut self, role: Role, dtype: Dtype, listed: bool, bytes: &[u8]) -> Walk<()> {
        match &mut self.content.columns[role as usize] {
            Some(column) if column.dtype == dtype => {
                column.data.extend_from_slice(bytes);
                Ok(())
            }
            _ => self.first(role, dtype, listed, bytes),
        }
    }

    /// Puts down the first number of its role.
    #[cold]
    fn first(&mut self, role: Role, dtype: Dtype, listed: bool, bytes: &[u8]) -> Walk<()> {
        let column = &mut self.content.columns[role as usize];
        if column.is_some() {
            return self.refuse("numbers of two types have one name");
        }
        let data = bytes.to_vec();
        *column = Some(Column {
            dtype,
            listed,
            data,
        });
        Ok(())
    }

    /// Puts a number of elements behind the others of its role.
    fn count(&mut self, role: Role, way: Way, count: usize) -> Walk<()> {
        let count = (count as u64).to_le_bytes();
        self.push(role, Dtype::U64, way.listed(), &count)
    }

    /// The error of what cannot be written.
    #[cold]
    fn refuse<T>(&self, reason: &str) -> Walk<T> {
        Err(ArraysError::unsupported(&self.name, reason).into())
    }

    /// Whether the length of the numbers says what the count would: a lone list of plain numbers.
    fn is_counted(&self) -> bool {
        let column = |role: Role| self.content.columns[role as usize].as_ref();
        let lone = |column: &Column| !column.listed;
        column(Role::Count).is_some_and(lone)
            && column(Role::Present).is_none_or(lone)
            && column(Role::Values).is_some()
            && column(Role::Length).is_none()
            && column(Role::Variant).is_none()
    }

    /// Puts its arrays, and those of its fields, behind those in `list`.
    fn finish(&mut self, list: &mut Vec<Array>) -> Walk<()> {
        if self.is_counted() {
            self.content.columns[Role::Count as usize] = None;
        } else if self.content.columns[Role::Variant as usize].is_some() {
            let names: Vec<_> = self.fields.iter().map(|(name, _)| *name).collect();
            self.push(Role::Variants, Dtype::U8, true, names.join("\n").as_bytes())?;
        }
        let Written { columns, axes } = &mut self.content;
        for (role, column) in Role::ALL.into_iter().zip(columns) {
            let Some(column) = column.take() else {
                continue;
            };
            let axes = match role {
                Role::Values => axes.as_slice(),
                _ => &[],
            };
            let row: usize = column.dtype.size() * axes.iter().product::<usize>();
            let rows = column.listed.then_some(column.data.len() / row);
            if column.data.len() != row * rows.unwrap_or(1) {
                return self.refuse(PARTS_DIFFER);
            }
            list.push(Array {
                name: match role {
                    // The last one.
                    Role::Values => std::mem::take(&mut self.name),
                    _ => [&self.name, role.ending()].concat(),
                },
                dtype: column.dtype,
                shape: rows.into_iter().chain(axes.iter().copied()).collect(),
                data: column.data,
            });
        }
        let mut fields = self.fields.iter_mut();
        fields.try_for_each(|(_, node)| node.finish(list))
    }
}

/// Writes the value at a node.
struct Writer<'a> {
    node: &'a mut Node,
    way: Way,
}

impl<'a> Writer<'a> {
    /// Axes of numbers must all be those of one tuple.
    #[inline]
    fn alone(&self, what: &str) -> Walk<()> {
        match self.way.axes() {
            0 => Ok(()),
            _ => self
                .node
                .refuse(&format!("{what} in a tuple has no name of its own")),
        }
    }

    /// Writes a number.
    #[inline]
    fn number(self, dtype: Dtype, bytes: &[u8]) -> Walk<()> {
        if self.node.content.axes.len() != self.way.axes() {
            return self.node.refuse(PARTS_DIFFER);
        }
        let listed = self.way.listed();
        self.node.push(Role::Values, dtype, listed, bytes)
    }

    /// What writes the elements of a list or of a map.
    #[inline]
    fn list(self) -> Walk<Parts<'a>> {
        self.alone("a list")?;
        if self.way.is(Way::IN_LIST) {
            return self.node.refuse("a list in a list has no name of its own");
        }
        let way = self.way.element();
        Ok(self.parts(way))
    }

    /// What writes the parts of a tuple.
    #[inline]
    fn tuple(self, length: usize) -> Walk<Parts<'a>> {
        let (axes, depth) = (&mut self.node.content.axes, self.way.axes());
        if axes.len() == depth {
            axes.push(length);
        }
        if length == 0 || axes[depth] != length {
            return self
                .node
                .refuse("tuples of two lengths, or of none, have one name");
        }
        let way = self.way.part();
        Ok(self.parts(way))
    }

    /// What writes the fields of a structure.
    #[inline]
    fn structure(self) -> Parts<'a> {
        let way = self.way;
        self.parts(way)
    }

    /// What writes parts that are met on this way.
    #[inline]
    fn parts(self, way: Way) -> Parts<'a> {
        Parts {
            node: self.node,
            whole: self.way,
            way,
            count: 0,
        }
    }

    /// Writes which choice it is and goes on to what it holds.
    fn choice(self, name: Name) -> Walk<Self> {
        self.alone("a choice")?;
        let (node, way) = (self.node, self.way);
        let place = node.place_or_new(0, name);
        let Ok(index) = u8::try_from(place) else {
            return node.refuse("too many choices");
        };
        node.push(Role::Variant, Dtype::U8, way.listed(), &[index])?;
        let (node, way) = (&mut node.fields[place].1, way.field());
        Ok(Self { node, way })
    }

    /// Writes whether a value is there and goes on to it.
    #[inline]
    fn present(self, present: bool) -> Walk<Self> {
        self.alone("an optional value")?;
        if self.way.is(Way::IN_OPTION) {
            return self
                .node
                .refuse("an optional value in another has no name of its own");
        }
        let (listed, present) = (self.way.listed(), [present.into()]);
        self.node
            .push(Role::Present, Dtype::Bool, listed, &present)?;
        let way = self.way.option();
        Ok(Self { way, ..self })
    }
}

/// Writes what a value consists of: elements, parts, fields.
struct Parts<'a> {
    node: &'a mut Node,
    /// Where the value itself was met.
    whole: Way,
    /// Where its elements and parts are met.
    way: Way,
    /// Parts so far.
    count: usize,
}

impl Parts<'_> {
    /// Writes a part that shares the name of the whole.
    #[inline]
    fn part<T: Serialize + ?Sized>(&mut self, value: &T) -> Walk<()> {
        self.count += 1;
        let (node, way) = (&mut *self.node, self.way);
        value.serialize(Writer { node, way })
    }

    /// Writes a part that has a name of its own, looked for `near` a place among the others.
    #[inline]
    fn field<T>(&mut self, near: usize, name: Name, value: &T) -> Walk<()>
    where
        T: Serialize + ?Sized,
    {
        let place = self.node.place_or_new(near, name);
        let (node, way) = (&mut self.node.fields[place].1, self.way.field());
        value.serialize(Writer { node, way })
    }

    /// Writes how many parts there were.
    fn counted(self) -> Walk<()> {
        self.node.count(Role::Count, self.whole, self.count)
    }
}

/// Methods for numbers, with the type as which they are kept.
macro_rules! numbers {
    ($($method:ident $type:ty as $kept:ty, $dtype:ident;)*) => {
        $(#[inline]
        fn $method(self, value: $type) -> Walk<()> {
            self.number(Dtype::$dtype, &<$kept>::from(value).to_le_bytes())
        })*
    };
}

impl<'a> Serializer for Writer<'a> {
    type Ok = ();
    type Error = Fault;
    type SerializeSeq = Parts<'a>;
    type SerializeTuple = Parts<'a>;
    type SerializeTupleStruct = Parts<'a>;
    type SerializeTupleVariant = Parts<'a>;
    type SerializeMap = Parts<'a>;
    type SerializeStruct = Parts<'a>;
    type SerializeStructVariant = Parts<'a>;

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

    fn serialize_bool(self, value: bool) -> Walk<()> {
        self.number(Dtype::Bool, &[value.into()])
    }

    fn serialize_f32(self, _: f32) -> Walk<()> {
        self.node.refuse("float32 is not saved")
    }

    fn serialize_char(self, _: char) -> Walk<()> {
        self.node.refuse("a lone character is not saved")
    }

    fn serialize_str(self, text: &str) -> Walk<()> {
        self.alone("a text")?;
        if self.way.listed() {
            self.node.count(Role::Length, self.way, text.len())?;
        }
        let text = text.as_bytes();
        self.node.push(Role::Values, Dtype::U8, true, text)
    }

    fn serialize_bytes(self, _: &[u8]) -> Walk<()> {
        self.node.refuse("bytes are saved as lists of numbers only")
    }

    /// Something must be there, or a missing field would not be missed.
    fn serialize_unit(self) -> Walk<()> {
        self.number(Dtype::U8, &[0])
    }

    fn serialize_unit_struct(self, _: Name) -> Walk<()> {
        self.serialize_unit()
    }

    fn serialize_none(self) -> Walk<()> {
        self.present(false).map(|_| ())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Walk<()> {
        value.serialize(self.present(true)?)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: Name, value: &T) -> Walk<()> {
        value.serialize(self)
    }

    fn serialize_unit_variant(self, _: Name, _: u32, name: Name) -> Walk<()> {
        self.choice(name).map(|_| ())
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: Name,
        _: u32,
        name: Name,
        value: &T,
    ) -> Walk<()> {
        value.serialize(self.choice(name)?)
    }

    fn serialize_seq(self, _: Option<usize>) -> Walk<Parts<'a>> {
        self.list()
    }

    fn serialize_tuple(self, length: usize) -> Walk<Parts<'a>> {
        self.tuple(length)
    }

    fn serialize_tuple_struct(self, _: Name, length: usize) -> Walk<Parts<'a>> {
        self.tuple(length)
    }

    fn serialize_tuple_variant(
        self,
        _: Name,
        _: u32,
        name: Name,
        length: usize,
    ) -> Walk<Parts<'a>> {
        self.choice(name)?.tuple(length)
    }

    fn serialize_map(self, _: Option<usize>) -> Walk<Parts<'a>> {
        self.list()
    }

    fn serialize_struct(self, _: Name, fields: usize) -> Walk<Parts<'a>> {
        match fields {
            0 => self.node.refuse("a structure without fields holds nothing"),
            _ => Ok(self.structure()),
        }
    }

    fn serialize_struct_variant(self, _: Name, _: u32, name: Name, _: usize) -> Walk<Parts<'a>> {
        Ok(self.choice(name)?.structure())
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

impl SerializeMap for Parts<'_> {
    type Ok = ();
    type Error = Fault;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Walk<()> {
        self.count += 1;
        self.field(0, "keys", key)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Walk<()> {
        self.field(1, "values", value)
    }

    fn end(self) -> Walk<()> {
        self.counted()
    }
}

/// The end of what has no count.
fn nothing(_: Parts) -> Walk<()> {
    Ok(())
}

/// Elements of lists and parts of tuples, with what is done at the end; fields of structures.
macro_rules! parts {
    ($($kind:ident::$method:ident, $end:expr;)*) => {
        $(impl $kind for Parts<'_> {
            type Ok = ();
            type Error = Fault;

            #[inline]
            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Walk<()> {
                self.part(value)
            }

            fn end(self) -> Walk<()> {
                $end(self)
            }
        })*
    };
    ($($kind:ident)*) => {
        $(impl $kind for Parts<'_> {
            type Ok = ();
            type Error = Fault;

            #[inline]
            fn serialize_field<T>(&mut self, name: Name, value: &T) -> Walk<()>
            where
                T: Serialize + ?Sized,
            {
                let near = self.count;
                self.count += 1;
                let told = self.field(near, name, value);
                told.map_err(|error| error.at(&self.node.name))
            }

            fn end(self) -> Walk<()> {
                Ok(())
            }
        })*
    };
}

parts! {
    SerializeSeq::serialize_element, Parts::counted;
    SerializeTuple::serialize_element, nothing;
    SerializeTupleStruct::serialize_field, nothing;
    SerializeTupleVariant::serialize_field, nothing;
}

parts! { SerializeStruct SerializeStructVariant }
