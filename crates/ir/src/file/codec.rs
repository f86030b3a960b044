//! The body's encoding: variable-length numbers, which are those of bincode (`number.rs`), and everything else
//! made of them: a text or a list is its length and its parts; an optional part is 0, or 1 and the part.
//!
//! A list has at most as many elements as there are bytes left, and its memory grows as elements arrive, so that the
//! memory is in proportion to the input.

use super::number::Number;
pub use super::wire_error::{Decoded, WireError};
use crate::bits::Bits;
use crate::expr::{ConstId, ExprId, RegionId, VarId};
use crate::operator::{BinOp, CastOp, UnOp};
use crate::program::{EdgeId, FileId, FuncId, InputId, LocId, Span};
use crate::types::{FloatKind, MAX_WIDTH, Type};
use crate::value::{Value, canonical_nan, is_nan};
use std::collections::BTreeMap;

/// Collects the bytes of a body.
#[derive(Debug, Default)]
pub struct Encoder {
    bytes: Vec<u8>,
}

impl Encoder {
    /// The bytes written so far.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Writes a number.
    pub fn uint(&mut self, value: u64) {
        value.write(&mut self.bytes);
    }

    /// Writes a signed number.
    pub fn int(&mut self, value: i64) {
        value.write(&mut self.bytes);
    }

    /// Writes bytes as they are.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Writes a text.
    pub fn text(&mut self, text: &str) {
        self.uint(text.len() as u64);
        self.raw(text.as_bytes());
    }
}

/// Reads the parts of a body.
pub struct Decoder<'a> {
    /// The bytes that are not decoded yet.
    rest: &'a [u8],
}

impl<'a> Decoder<'a> {
    /// A decoder of the bytes of a body.
    pub fn new(bytes: &'a [u8]) -> Decoder<'a> {
        Decoder { rest: bytes }
    }

    /// The number of bytes left.
    pub fn remaining(&self) -> usize {
        self.rest.len()
    }

    /// Reads a number.
    #[inline]
    pub fn uint(&mut self) -> Decoded<u64> {
        Number::read(&mut self.rest)
    }

    /// Reads a signed number.
    #[inline]
    pub fn int(&mut self) -> Decoded<i64> {
        Number::read(&mut self.rest)
    }

    /// Reads a number of at most 32 bits.
    #[inline]
    pub fn small(&mut self) -> Decoded<u32> {
        u32::try_from(self.uint()?).map_err(|_| WireError::new("a number is too large"))
    }

    /// Reads one byte as it is.
    #[inline]
    pub fn byte(&mut self) -> Decoded<u8> {
        Number::read(&mut self.rest)
    }

    /// Reads bytes as they are.
    pub fn raw(&mut self, len: usize) -> Decoded<&'a [u8]> {
        let (taken, rest) =
            self.rest.split_at_checked(len).ok_or_else(|| WireError::new("the body ends too early"))?;
        self.rest = rest;
        Ok(taken)
    }

    /// Reads the number of elements that follow, each of which takes at least one byte.
    pub fn count(&mut self) -> Decoded<usize> {
        let count = self.uint()?;
        let left = self.remaining();
        match usize::try_from(count) {
            Ok(count) if count <= left => Ok(count),
            _ => Err(WireError::new(format!("it claims {count} elements in {left} bytes"))),
        }
    }

    /// Reads a number below a limit: the id of something that exists.
    #[inline]
    pub fn id(&mut self, limit: usize, what: &str) -> Decoded<u32> {
        let id = self.uint()?;
        if id < limit as u64 { Ok(id as u32) } else { Err(missing(what, id)) }
    }

    /// Reads an id as the difference to another one.
    #[inline]
    pub fn relative_id(&mut self, base: u32, limit: usize, what: &str) -> Decoded<u32> {
        let difference = self.int()?;
        match i64::from(base).checked_add(difference) {
            Some(id) if id >= 0 && (id as u64) < limit as u64 => Ok(id as u32),
            _ => Err(missing(what, difference)),
        }
    }
}

#[cold]
fn missing(what: &str, id: impl std::fmt::Display) -> WireError {
    WireError::new(format!("{what} {id} does not exist"))
}

/// A type whose values can be part of a body, and take at least one byte there.
pub trait Wire: Sized {
    /// Writes it.
    fn encode(&self, out: &mut Encoder);
    /// Reads it.
    fn decode(input: &mut Decoder<'_>) -> Decoded<Self>;
}

macro_rules! wire_numbers {
    ($($ty:ty),*) => {$(
        impl Wire for $ty {
            fn encode(&self, out: &mut Encoder) {
                self.write(&mut out.bytes);
            }
            fn decode(input: &mut Decoder<'_>) -> Decoded<Self> {
                Number::read(&mut input.rest)
            }
        }
    )*};
}
wire_numbers!(u8, u16, u32, u64, u128, i8, i16, i32, i64, i128, bool, f64);

impl Wire for usize {
    fn encode(&self, out: &mut Encoder) {
        out.uint(*self as u64);
    }
    fn decode(input: &mut Decoder<'_>) -> Decoded<Self> {
        usize::try_from(input.uint()?).map_err(|_| WireError::new("a number is too large"))
    }
}

impl Wire for String {
    fn encode(&self, out: &mut Encoder) {
        out.text(self);
    }
    fn decode(input: &mut Decoder<'_>) -> Decoded<Self> {
        let len = input.count()?;
        match std::str::from_utf8(input.raw(len)?) {
            Ok(text) => Ok(text.into()),
            Err(_) => Err(WireError::new("a text is not UTF-8")),
        }
    }
}

impl<T: Wire> Wire for Vec<T> {
    fn encode(&self, out: &mut Encoder) {
        out.uint(self.len() as u64);
        self.iter().for_each(|element| element.encode(out));
    }
    fn decode(input: &mut Decoder<'_>) -> Decoded<Self> {
        let count = input.count()?;
        // An element may be larger in memory than in the body: the rest of the memory is reserved as elements arrive.
        let mut list = Vec::with_capacity(count.min(input.remaining() / size_of::<T>().max(1)));
        for _ in 0..count {
            list.push(T::decode(input)?);
        }
        Ok(list)
    }
}

impl<T: Wire> Wire for Option<T> {
    fn encode(&self, out: &mut Encoder) {
        self.is_some().encode(out);
        if let Some(value) = self {
            value.encode(out);
        }
    }
    fn decode(input: &mut Decoder<'_>) -> Decoded<Self> {
        if bool::decode(input)? { T::decode(input).map(Some) } else { Ok(None) }
    }
}

/// Keys in ascending order, each with its value.
impl<K: Wire + Ord, V: Wire> Wire for BTreeMap<K, V> {
    fn encode(&self, out: &mut Encoder) {
        out.uint(self.len() as u64);
        for (key, value) in self {
            key.encode(out);
            value.encode(out);
        }
    }
    fn decode(input: &mut Decoder<'_>) -> Decoded<Self> {
        let count = input.count()?;
        let mut map = BTreeMap::new();
        for _ in 0..count {
            let key = K::decode(input)?;
            if map.last_key_value().is_some_and(|(last, _)| *last >= key) {
                return Err(WireError::new("the keys of a table are not in ascending order"));
            }
            map.insert(key, V::decode(input)?);
        }
        Ok(map)
    }
}

macro_rules! wire_tuples {
    ($(($($name:ident),+)),*) => {$(
        #[allow(non_snake_case)]
        impl<$($name: Wire),+> Wire for ($($name,)+) {
            fn encode(&self, out: &mut Encoder) {
                let ($($name,)+) = self;
                $($name.encode(out);)+
            }
            fn decode(input: &mut Decoder<'_>) -> Decoded<Self> {
                Ok(($($name::decode(input)?,)+))
            }
        }
    )*};
}
wire_tuples!((A, B), (A, B, C), (A, B, C, D));

/// Ids by themselves, without a check that they exist.
macro_rules! wire_ids {
    ($($ty:ty),*) => {$(
        impl Wire for $ty {
            fn encode(&self, out: &mut Encoder) {
                out.uint(self.as_u32().into());
            }
            fn decode(input: &mut Decoder<'_>) -> Decoded<Self> {
                // The greatest number is reserved to mean "none".
                input.id(u32::MAX as usize, "the id").map(<$ty>::from_u32)
            }
        }
    )*};
}
wire_ids!(FuncId, LocId, EdgeId, FileId, InputId, ExprId, ConstId, VarId, RegionId);

crate::wire_struct!(Span { file, line, col });

/// One number: 0 for truth values, 1 to 6 for the float formats, 6 + width for bit-vectors.
impl Wire for Type {
    fn encode(&self, out: &mut Encoder) {
        out.uint(match self {
            Type::Bool => 0,
            Type::Float(kind) => {
                1 + FloatKind::ALL.iter().position(|other| other == kind).unwrap_or(0) as u64
            }
            Type::Bv(width) => FloatKind::ALL.len() as u64 + u64::from(*width),
        });
    }
    fn decode(input: &mut Decoder<'_>) -> Decoded<Self> {
        let floats = FloatKind::ALL.len() as u32;
        match input.small()? {
            0 => Ok(Type::Bool),
            tag if tag <= floats => Ok(Type::Float(FloatKind::ALL[tag as usize - 1])),
            tag if tag - floats <= MAX_WIDTH => Ok(Type::Bv(tag - floats)),
            tag => Err(WireError::new(format!("a bit-vector of {} bits is too wide", tag - floats))),
        }
    }
}

/// The type; then a byte for a truth value, a number for up to 64 bits, else all bytes of the
/// representation, least significant first.
impl Wire for Value {
    fn encode(&self, out: &mut Encoder) {
        self.ty().encode(out);
        match self {
            Value::Bool(truth) => truth.encode(out),
            Value::Bv(bits) | Value::Float(_, bits) => match bits.to_u64() {
                Some(value) if bits.width() <= 64 => out.uint(value),
                _ => out.raw(&bits.to_le_bytes()),
            },
        }
    }
    fn decode(input: &mut Decoder<'_>) -> Decoded<Self> {
        match Type::decode(input)? {
            Type::Bool => Ok(Value::Bool(bool::decode(input)?)),
            Type::Bv(width) => Ok(Value::Bv(decode_bits(input, width)?)),
            Type::Float(kind) => {
                let bits = decode_bits(input, kind.width())?;
                if is_nan(kind, &bits) && bits != canonical_nan(kind) {
                    return Err(WireError::new("a NaN is not the canonical one"));
                }
                Ok(Value::Float(kind, bits))
            }
        }
    }
}

fn decode_bits(input: &mut Decoder<'_>, width: u32) -> Decoded<Bits> {
    let excess = || WireError::new(format!("a value has more than its {width} bits"));
    if width <= 64 {
        let value = input.uint()?;
        let bits = Bits::new(width, value);
        return if bits.to_u64() == Some(value) { Ok(bits) } else { Err(excess()) };
    }
    let bytes = input.raw(width.div_ceil(8) as usize)?;
    let spare = 8 * bytes.len() as u32 - width;
    if bytes.last().is_some_and(|last| last.leading_zeros() < spare) {
        return Err(excess());
    }
    Ok(Bits::from_le_bytes(width, bytes))
}

/// Operators as their number in the order of their `ALL`.
macro_rules! wire_operators {
    ($($ty:ty),*) => {$(
        impl Wire for $ty {
            fn encode(&self, out: &mut Encoder) {
                out.uint(<$ty>::ALL.iter().position(|op| op == self).unwrap_or(0) as u64);
            }
            fn decode(input: &mut Decoder<'_>) -> Decoded<Self> {
                input.id(<$ty>::ALL.len(), "operator").map(|op| <$ty>::ALL[op as usize])
            }
        }
    )*};
}
wire_operators!(UnOp, BinOp, CastOp);

/// Makes a struct part of bodies: its fields in the order named.
///
/// ```
/// struct Point { x: i32, y: i32 }
/// beeline_ir::wire_struct!(Point { x, y });
/// ```
#[macro_export]
macro_rules! wire_struct {
    ($ty:ident { $($field:ident),+ $(,)? }) => {
        impl $crate::file::Wire for $ty {
            fn encode(&self, out: &mut $crate::file::Encoder) {
                let $ty { $($field),+ } = self;
                $($crate::file::Wire::encode($field, out);)+
            }
            fn decode(
                input: &mut $crate::file::Decoder<'_>,
            ) -> ::std::result::Result<Self, $crate::file::WireError> {
                $(let $field = $crate::file::Wire::decode(input)?;)+
                ::std::result::Result::Ok($ty { $($field),+ })
            }
        }
    };
}

/// Makes an enum part of bodies: the number given to the variant, then its fields.
///
/// ```
/// enum Shape { Empty, Circle(u32), Box { width: u32, height: u32 } }
/// beeline_ir::wire_enum!(Shape { 0 => Empty, 1 => Circle(radius), 2 => Box { width, height } });
/// ```
#[macro_export]
macro_rules! wire_enum {
    ($ty:ident { $($tag:literal => $variant:ident
        $(($($item:ident),+))? $({ $($field:ident),+ })?),+ $(,)? }) => {
        impl $crate::file::Wire for $ty {
            fn encode(&self, out: &mut $crate::file::Encoder) {
                match self {
                    $($ty::$variant $(($($item),+))? $({ $($field),+ })? => {
                        out.uint($tag);
                        $($($crate::file::Wire::encode($item, out);)+)?
                        $($($crate::file::Wire::encode($field, out);)+)?
                    })+
                }
            }
            fn decode(
                input: &mut $crate::file::Decoder<'_>,
            ) -> ::std::result::Result<Self, $crate::file::WireError> {
                match input.uint()? {
                    $($tag => {
                        $($(let $item = $crate::file::Wire::decode(input)?;)+)?
                        $($(let $field = $crate::file::Wire::decode(input)?;)+)?
                        ::std::result::Result::Ok($ty::$variant $(($($item),+))? $({ $($field),+ })?)
                    })+
                    tag => ::std::result::Result::Err($crate::file::WireError::new(format!(
                        "unknown {} tag {tag}", stringify!($ty)
                    ))),
                }
            }
        }
    };
}

/// Makes a [`Wire`] type the body of a kind of file.
#[macro_export]
macro_rules! wire_body {
    ($ty:ty, $kind:expr, $version:expr) => {
        impl $crate::file::Body for $ty {
            const KIND: $crate::file::Kind = $kind;
            const VERSION: $crate::file::Version = $version;
            fn encode_body(
                &self,
                out: &mut $crate::file::Encoder,
            ) -> ::std::result::Result<(), $crate::file::WireError> {
                $crate::file::Wire::encode(self, out);
                ::std::result::Result::Ok(())
            }
            fn decode_body(
                input: &mut $crate::file::Decoder<'_>,
                _version: $crate::file::Version,
            ) -> ::std::result::Result<Self, $crate::file::WireError> {
                $crate::file::Wire::decode(input)
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Debug;

    fn round_trip<T: Wire + PartialEq + Debug>(value: T) -> usize {
        let mut out = Encoder::default();
        value.encode(&mut out);
        let bytes = out.into_bytes();
        let mut input = Decoder::new(&bytes);
        assert_eq!(T::decode(&mut input), Ok(value));
        assert_eq!(input.remaining(), 0);
        bytes.len()
    }

    fn decode<T: Wire>(bytes: &[u8]) -> Decoded<T> {
        T::decode(&mut Decoder::new(bytes))
    }

    #[test]
    fn numbers_take_as_many_bytes_as_they_need() {
        assert_eq!(round_trip(250u64), 1);
        assert_eq!(round_trip(251u64), 3);
        assert_eq!(round_trip(-125i64), 1);
        assert_eq!(round_trip(u64::MAX), 9);
        assert_eq!(round_trip(-1.5f64), 8);
    }

    #[test]
    fn values_keep_their_type_and_bits() {
        for value in [
            Value::Bool(true),
            Value::bv(1, 1),
            Value::bv(64, u64::MAX),
            Value::Bv(Bits::ones(65)),
            Value::Bv(Bits::zero(1000)),
            Value::zero(Type::Float(FloatKind::X87)),
            Value::Float(FloatKind::F128, canonical_nan(FloatKind::F128)),
        ] {
            round_trip(value);
        }
        round_trip(vec![(1u32, Some("ä".to_string())), (2, None)]);
        round_trip(BTreeMap::from([(1u32, true), (5, false)]));
    }

    #[test]
    fn a_length_beyond_the_input_is_refused_before_room_is_made() {
        let huge = [253, 255, 255, 255, 255, 255, 255, 255, 127];
        assert!(decode::<Vec<u8>>(&huge).is_err());
        assert!(decode::<String>(&huge).is_err());
        assert!(decode::<Vec<u64>>(&[3, 1, 2]).is_err());
    }

    #[test]
    fn malformed_values_are_refused() {
        assert!(decode::<bool>(&[2]).is_err());
        assert!(decode::<String>(&[1, 0xff]).is_err());
        // A value of one bit that is 2; a signalling NaN; unordered keys; a bit too many in 65.
        assert!(decode::<Value>(&[7, 2]).is_err());
        assert!(decode::<Value>(&[3, 252, 1, 0, 0x80, 0x7f]).is_err());
        assert!(decode::<BTreeMap<u8, u8>>(&[2, 2, 0, 1, 0]).is_err());
        assert!(decode::<Value>(&[71, 0, 0, 0, 0, 0, 0, 0, 0, 2]).is_err());
        // The id that is reserved, and a type that is too wide.
        assert!(decode::<LocId>(&[252, 255, 255, 255, 255]).is_err());
        assert!(decode::<Type>(&[252, 0, 0, 0, 1]).is_err());
    }
}
