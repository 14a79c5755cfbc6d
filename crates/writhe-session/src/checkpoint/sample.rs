//! Values of a type with something in every place: what is written of them has all the arrays that
//! a type can have.
//!
//! They are found by deserializing the type from nothing: every option is present, every list has
//! one element, and of every enum the first value has variant 0, the second variant 1, and so on.

use std::fmt;

use serde::de::value::U32Deserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess,
    SeqAccess, VariantAccess, Visitor,
};

/// As many values as the type's largest enum has variants, one at least.
pub fn samples_of<T: DeserializeOwned>() -> Vec<T> {
    let mut samples = Vec::new();
    let mut variants = 1;
    while samples.len() < variants {
        let mut nothing = Nothing {
            index: samples.len(),
            variants,
        };
        samples.push(T::deserialize(&mut nothing).unwrap());
        variants = nothing.variants;
    }
    samples
}

/// What a value is made from.
struct Nothing {
    /// The variant of every enum; of an enum with fewer, the last.
    index: usize,
    /// The most variants that an enum has.
    variants: usize,
}

/// Why there is no sample of a type.
#[derive(Debug)]
struct NoSample(String);

impl fmt::Display for NoSample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NoSample {}

impl serde::de::Error for NoSample {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

type Sampled<T> = Result<T, NoSample>;

/// Methods of types without parts, with a value that they may take.
macro_rules! plain {
    ($($method:ident $visit:ident $value:expr;)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Sampled<V::Value> {
            visitor.$visit($value)
        })*
    };
}

impl<'de> Deserializer<'de> for &mut Nothing {
    type Error = NoSample;

    plain! {
        deserialize_bool visit_bool false;
        deserialize_i8 visit_i8 0;
        deserialize_i16 visit_i16 0;
        deserialize_i32 visit_i32 0;
        deserialize_i64 visit_i64 0;
        deserialize_u8 visit_u8 0;
        deserialize_u16 visit_u16 0;
        deserialize_u32 visit_u32 0;
        deserialize_u64 visit_u64 0;
        deserialize_f32 visit_f32 0.0;
        deserialize_f64 visit_f64 0.0;
        deserialize_char visit_char 'c';
        deserialize_str visit_str "";
        deserialize_string visit_str "";
        deserialize_bytes visit_bytes b"";
        deserialize_byte_buf visit_bytes b"";
        deserialize_identifier visit_str "";
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Sampled<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Sampled<V::Value> {
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Sampled<V::Value> {
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Sampled<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Sampled<V::Value> {
        visitor.visit_seq(Elements::new(self, 1))
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Sampled<V::Value> {
        visitor.visit_seq(Elements::new(self, length))
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        length: usize,
        visitor: V,
    ) -> Sampled<V::Value> {
        visitor.visit_seq(Elements::new(self, length))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Sampled<V::Value> {
        visitor.visit_map(Elements::new(self, 1))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Sampled<V::Value> {
        visitor.visit_seq(Elements::new(self, fields.len()))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Sampled<V::Value> {
        self.variants = self.variants.max(variants.len());
        let index = self.index.min(variants.len().saturating_sub(1)) as u32;
        visitor.visit_enum(Variant {
            nothing: self,
            index,
        })
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Sampled<V::Value> {
        Err(NoSample("a type that describes itself".to_owned()))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Sampled<V::Value> {
        self.deserialize_any(visitor)
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// Elements of a list, a tuple, a map or a structure.
struct Elements<'a> {
    nothing: &'a mut Nothing,
    left: usize,
}

impl<'a> Elements<'a> {
    fn new(nothing: &'a mut Nothing, left: usize) -> Self {
        Self { nothing, left }
    }
}

impl<'de> SeqAccess<'de> for Elements<'_> {
    type Error = NoSample;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Sampled<Option<T::Value>> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        seed.deserialize(&mut *self.nothing).map(Some)
    }
}

impl<'de> MapAccess<'de> for Elements<'_> {
    type Error = NoSample;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Sampled<Option<K::Value>> {
        self.next_element_seed(seed)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Sampled<V::Value> {
        seed.deserialize(&mut *self.nothing)
    }
}

/// The variant of an enum.
struct Variant<'a> {
    nothing: &'a mut Nothing,
    index: u32,
}

impl<'de> EnumAccess<'de> for Variant<'_> {
    type Error = NoSample;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Sampled<(V::Value, Self)> {
        let index: U32Deserializer<NoSample> = self.index.into_deserializer();
        Ok((seed.deserialize(index)?, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'_> {
    type Error = NoSample;

    fn unit_variant(self) -> Sampled<()> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Sampled<T::Value> {
        seed.deserialize(self.nothing)
    }

    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Sampled<V::Value> {
        visitor.visit_seq(Elements::new(self.nothing, length))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Sampled<V::Value> {
        visitor.visit_seq(Elements::new(self.nothing, fields.len()))
    }
}
