//! The serde shape of a type: names and types of its fields, in order, all the way down.
//!
//! It is found by deserializing the type from nothing: every option is present, every sequence has one element, and of every enum
//! variant 0 is visited in the first pass, variant 1 in the second, and so on.

use std::fmt;

use serde::de::value::U32Deserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess,
    SeqAccess, VariantAccess, Visitor,
};

/// The shape of `T`, one line a field or type.
pub fn shape_of<T: DeserializeOwned>() -> String {
    let mut text = String::new();
    let (mut pass, mut passes) = (0, 1);
    while pass < passes {
        let mut trace = Trace {
            pass,
            variants: 1,
            depth: 0,
            lines: Vec::new(),
        };
        if let Err(error) = T::deserialize(&mut trace) {
            trace.lines.push(format!("cannot be told: {error}"));
        }
        if pass > 0 {
            text += &format!("variant {pass} of every enum\n");
        }
        text += &(trace.lines.join("\n") + "\n");
        passes = trace.variants.max(passes);
        pass += 1;
    }
    text
}

/// What was seen of a type so far.
struct Trace {
    /// The variant that is visited of every enum; of an enum with fewer, the last.
    pass: usize,
    /// The most variants that an enum has.
    variants: usize,
    depth: usize,
    lines: Vec<String>,
}

/// Why a type cannot be traced.
#[derive(Debug)]
struct Untraceable(String);

impl fmt::Display for Untraceable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Untraceable {}

impl serde::de::Error for Untraceable {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

type Traced<T> = Result<T, Untraceable>;

impl Trace {
    fn line(&mut self, text: impl fmt::Display) {
        self.lines
            .push(format!("{}{text}", "  ".repeat(self.depth)));
    }

    /// Adds the type `name` and, indented, its parts.
    fn parts<T>(
        &mut self,
        name: impl fmt::Display,
        parts: impl FnOnce(&mut Self) -> Traced<T>,
    ) -> Traced<T> {
        self.line(name);
        self.depth += 1;
        let traced = parts(self);
        self.depth -= 1;
        traced
    }
}

/// Methods of types without parts, with a value that they may take.
macro_rules! plain {
    ($($method:ident $visit:ident $name:literal $value:expr;)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Traced<V::Value> {
            self.line($name);
            visitor.$visit($value)
        })*
    };
}

impl<'de> Deserializer<'de> for &mut Trace {
    type Error = Untraceable;

    plain! {
        deserialize_bool visit_bool "bool" false;
        deserialize_i8 visit_i8 "i8" 0;
        deserialize_i16 visit_i16 "i16" 0;
        deserialize_i32 visit_i32 "i32" 0;
        deserialize_i64 visit_i64 "i64" 0;
        deserialize_u8 visit_u8 "u8" 0;
        deserialize_u16 visit_u16 "u16" 0;
        deserialize_u32 visit_u32 "u32" 0;
        deserialize_u64 visit_u64 "u64" 0;
        deserialize_f32 visit_f32 "f32" 0.0;
        deserialize_f64 visit_f64 "f64" 0.0;
        deserialize_char visit_char "char" 'c';
        deserialize_str visit_str "string" "";
        deserialize_string visit_str "string" "";
        deserialize_bytes visit_bytes "bytes" b"";
        deserialize_byte_buf visit_bytes "bytes" b"";
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Traced<V::Value> {
        self.parts("option", |trace| visitor.visit_some(trace))
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Traced<V::Value> {
        self.line("unit");
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Traced<V::Value> {
        self.line(name);
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Traced<V::Value> {
        self.parts(name, |trace| visitor.visit_newtype_struct(trace))
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Traced<V::Value> {
        self.parts("sequence", |trace| {
            visitor.visit_seq(Elements::new(trace, 1))
        })
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Traced<V::Value> {
        self.parts(format_args!("tuple of {length}"), |trace| {
            visitor.visit_seq(Elements::new(trace, length))
        })
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        length: usize,
        visitor: V,
    ) -> Traced<V::Value> {
        self.parts(name, |trace| {
            visitor.visit_seq(Elements::new(trace, length))
        })
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Traced<V::Value> {
        self.parts("map", |trace| visitor.visit_map(Elements::new(trace, 1)))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Traced<V::Value> {
        self.parts(name, |trace| visitor.visit_seq(Fields { trace, fields }))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Traced<V::Value> {
        self.variants = self.variants.max(variants.len());
        let index = self.pass.min(variants.len().saturating_sub(1));
        let all = variants.join(" | ");
        self.parts(format_args!("enum {name}: {all}"), |trace| {
            visitor.visit_enum(Variant {
                trace,
                index: index as u32,
            })
        })
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Traced<V::Value> {
        visitor.visit_str("")
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Traced<V::Value> {
        Err(Untraceable("a type that describes itself".to_owned()))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Traced<V::Value> {
        self.deserialize_any(visitor)
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// Elements of a sequence, a tuple or a map.
struct Elements<'a> {
    trace: &'a mut Trace,
    left: usize,
}

impl<'a> Elements<'a> {
    fn new(trace: &'a mut Trace, left: usize) -> Self {
        Self { trace, left }
    }
}

impl<'de> SeqAccess<'de> for Elements<'_> {
    type Error = Untraceable;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Traced<Option<T::Value>> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        seed.deserialize(&mut *self.trace).map(Some)
    }
}

impl<'de> MapAccess<'de> for Elements<'_> {
    type Error = Untraceable;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Traced<Option<K::Value>> {
        self.next_element_seed(seed)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Traced<V::Value> {
        seed.deserialize(&mut *self.trace)
    }
}

/// Fields of a struct that are not visited yet.
struct Fields<'a> {
    trace: &'a mut Trace,
    fields: &'static [&'static str],
}

impl<'de> SeqAccess<'de> for Fields<'_> {
    type Error = Untraceable;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Traced<Option<T::Value>> {
        let Some((name, rest)) = self.fields.split_first() else {
            return Ok(None);
        };
        self.fields = rest;
        let value = self
            .trace
            .parts(format_args!("{name}:"), |trace| seed.deserialize(trace))?;
        Ok(Some(value))
    }
}

/// The variant of an enum that is visited in this pass.
struct Variant<'a> {
    trace: &'a mut Trace,
    index: u32,
}

impl<'de> EnumAccess<'de> for Variant<'_> {
    type Error = Untraceable;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Traced<(V::Value, Self)> {
        let index: U32Deserializer<Untraceable> = self.index.into_deserializer();
        Ok((seed.deserialize(index)?, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'_> {
    type Error = Untraceable;

    fn unit_variant(self) -> Traced<()> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Traced<T::Value> {
        seed.deserialize(self.trace)
    }

    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Traced<V::Value> {
        visitor.visit_seq(Elements::new(self.trace, length))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Traced<V::Value> {
        let trace = self.trace;
        visitor.visit_seq(Fields { trace, fields })
    }
}
