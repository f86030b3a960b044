//! Values: what constants denote and what an execution computes.

use crate::bits::Bits;
use crate::types::{FloatKind, Type};

/// A value of some [`Type`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// A bit-vector.
    Bv(Bits),
    /// A floating-point number by its representation; there is one NaN, see [`canonical_nan`].
    Float(FloatKind, Bits),
}

impl Value {
    /// A bit-vector value, modulo two to the width.
    pub fn bv(width: u32, value: u64) -> Value {
        Value::Bv(Bits::new(width, value))
    }

    /// The float with this representation; any NaN becomes the canonical one.
    pub fn float(kind: FloatKind, bits: Bits) -> Value {
        if is_nan(kind, &bits) { Value::Float(kind, canonical_nan(kind)) } else { Value::Float(kind, bits) }
    }

    /// The value of a type whose bits are all zero (or false).
    pub fn zero(ty: Type) -> Value {
        match ty {
            Type::Bool => Value::Bool(false),
            Type::Bv(width) => Value::Bv(Bits::zero(width)),
            Type::Float(kind) => Value::Float(kind, Bits::zero(kind.width())),
        }
    }

    /// The type of the value.
    pub fn ty(&self) -> Type {
        match self {
            Value::Bool(_) => Type::Bool,
            Value::Bv(bits) => Type::Bv(bits.width()),
            Value::Float(kind, _) => Type::Float(*kind),
        }
    }

    /// The bit-vector, if it is one.
    pub fn as_bits(&self) -> Option<&Bits> {
        if let Value::Bv(bits) = self { Some(bits) } else { None }
    }

    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        if let Value::Bool(truth) = self { Some(*truth) } else { None }
    }

    /// The representation in memory of a bit-vector or float.
    pub fn memory_image(&self) -> Option<&Bits> {
        match self {
            Value::Bool(_) => None,
            Value::Bv(bits) | Value::Float(_, bits) => Some(bits),
        }
    }

    /// The value of a type that a memory image denotes; nothing for truth values or a wrong width.
    pub fn from_image(ty: Type, image: Bits) -> Option<Value> {
        match ty {
            Type::Bool => None,
            Type::Bv(width) => (width == image.width()).then_some(Value::Bv(image)),
            Type::Float(kind) => (kind.width() == image.width()).then(|| Value::float(kind, image)),
        }
    }
}

/// Width of the stored fraction, without the explicit integer bit of x87.
fn fraction_bits(kind: FloatKind) -> u32 {
    kind.precision() - 1
}

/// Whether this is the representation of a NaN. For x87, numbers without their integer bit ("unnormal") count as NaN,
/// as the processor treats them as invalid.
pub fn is_nan(kind: FloatKind, bits: &Bits) -> bool {
    let fraction = fraction_bits(kind);
    let low = kind.width() - 1 - kind.exponent_bits();
    let exponent = bits.extract(kind.width() - 2, low);
    let fraction_is_zero = bits.extract(fraction - 1, 0).is_zero();
    if kind == FloatKind::X87 && !exponent.is_zero() && !bits.bit(63) {
        return true;
    }
    exponent.is_ones() && !fraction_is_zero
}

/// The one NaN of the IR: quiet, positive, no payload.
pub fn canonical_nan(kind: FloatKind) -> Bits {
    let fraction = fraction_bits(kind);
    let mut bits = Bits::ones(kind.exponent_bits() + 1).zext(kind.width());
    if kind == FloatKind::X87 {
        // Exponent, explicit integer bit, quiet bit.
        bits = Bits::ones(kind.exponent_bits() + 2).zext(kind.width());
    }
    bits.shl(&Bits::new(kind.width(), u64::from(fraction - 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_canonical_nan_is_the_usual_quiet_nan() {
        assert_eq!(canonical_nan(FloatKind::F32), Bits::new(32, 0x7fc0_0000));
        assert_eq!(canonical_nan(FloatKind::F64), Bits::new(64, 0x7ff8_0000_0000_0000));
        assert_eq!(canonical_nan(FloatKind::X87), Bits::from_u128(80, 0x7fff_c000_0000_0000_0000));
        for kind in FloatKind::ALL {
            assert!(is_nan(kind, &canonical_nan(kind)));
            assert!(!is_nan(kind, &Bits::zero(kind.width())));
        }
    }

    #[test]
    fn infinity_is_no_nan_and_payloads_vanish() {
        assert!(!is_nan(FloatKind::F32, &Bits::new(32, 0x7f80_0000)));
        let nan = Value::float(FloatKind::F32, Bits::new(32, 0xffc0_0001));
        assert_eq!(nan, Value::Float(FloatKind::F32, Bits::new(32, 0x7fc0_0000)));
    }
}
