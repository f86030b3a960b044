//! Values as C constants.

use beeline_interp::eval;
use beeline_ir::{Bits, CastOp, FloatKind, Type, Value};

/// The kind of a C type, as far as it matters for printing values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CType {
    /// An integer: its bits, where they are known, and whether it is signed.
    Int(Option<u32>, bool),
    /// One of the types of characters.
    Char(bool),
    /// `_Bool`.
    Bool,
    /// An address.
    Pointer,
    /// Unknown, or no name.
    Unknown,
}

impl CType {
    /// The type with a name; `pointer_width` determines the width of `long`.
    pub fn named(name: &str, pointer_width: u32) -> CType {
        let name = name.trim();
        if name.ends_with('*') || name.contains("(*") || name.ends_with("*const") {
            return CType::Pointer;
        }
        let words = name.split(' ').filter(|word| !["const", "volatile", "_Atomic"].contains(word));
        let words: Vec<&str> = words.collect();
        match words[..] {
            ["int"] => CType::Int(Some(32), true),
            ["unsigned", "int"] => CType::Int(Some(32), false),
            ["short"] => CType::Int(Some(16), true),
            ["unsigned", "short"] => CType::Int(Some(16), false),
            ["long"] => CType::Int(Some(pointer_width), true),
            ["unsigned", "long"] => CType::Int(Some(pointer_width), false),
            ["long", "long"] => CType::Int(Some(64), true),
            ["unsigned", "long", "long"] => CType::Int(Some(64), false),
            ["char"] | ["signed", "char"] => CType::Char(true),
            ["unsigned", "char"] => CType::Char(false),
            ["_Bool" | "bool"] => CType::Bool,
            // A convention; only the format of values depends on it.
            [name] if name.starts_with("uint") || name.starts_with("__u") || name == "size_t" => {
                CType::Int(None, false)
            }
            _ => CType::Unknown,
        }
    }
}

/// A value as a C constant.
pub fn value(value: &Value, ty: CType) -> String {
    match value {
        Value::Bool(truth) => truth.to_string(),
        Value::Float(kind, bits) => float(*kind, bits),
        Value::Bv(bits) => match ty {
            CType::Pointer if bits.is_zero() => "NULL".into(),
            CType::Pointer => format!("{:#x}", bits.to_biguint()),
            CType::Bool => (!bits.is_zero()).to_string(),
            CType::Int(_, false) => bits.to_biguint().to_string(),
            CType::Char(signed) => {
                let number = if signed { bits.to_bigint() } else { bits.to_biguint().into() };
                match bits.to_u64().and_then(|code| u8::try_from(code).ok()) {
                    Some(code @ b' '..=b'~') => format!("{number} ('{}')", code as char),
                    _ => number.to_string(),
                }
            }
            // A large number of unknown type is most often an address.
            CType::Unknown if bits.to_i64().is_some_and(|number| number >= 1 << 32) => {
                format!("{:#x}", bits.to_biguint())
            }
            CType::Int(_, true) | CType::Unknown => bits.to_bigint().to_string(),
        },
    }
}

/// A floating-point number as a C constant.
fn float(kind: FloatKind, bits: &Bits) -> String {
    let (finite, suffix) = match kind {
        FloatKind::F32 => (f32::from_bits(bits.to_u64().unwrap_or(0) as u32).to_string(), "f"),
        FloatKind::F64 => (format!("{:?}", f64::from_bits(bits.to_u64().unwrap_or(0))), ""),
        kind => {
            let given = Value::float(kind, bits.clone());
            let double = eval::cast(CastOp::FToF, Type::Float(FloatKind::F64), &given);
            let Ok(Value::Float(_, double)) = double else { return format!("{:#x}", bits.to_biguint()) };
            (format!("{:?}", f64::from_bits(double.to_u64().unwrap_or(0))), "L")
        }
    };
    match finite.as_str() {
        "NaN" => "NAN".into(),
        "inf" => "INFINITY".into(),
        "-inf" => "-INFINITY".into(),
        text if text.contains(['.', 'e']) => format!("{text}{suffix}"),
        text => format!("{text}.0{suffix}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_read_as_their_types_say() {
        let byte = Value::bv(8, 0xc9);
        let shown = |name: &str, given: &Value| value(given, CType::named(name, 64));
        assert_eq!(shown("char", &byte), "-55");
        assert_eq!(shown("unsigned char", &byte), "201");
        assert_eq!(shown("const char", &Value::bv(8, 65)), "65 ('A')");
        assert_eq!(shown("unsigned int", &Value::bv(32, 0xffff_ffff)), "4294967295");
        assert_eq!(shown("int", &Value::bv(32, 0xffff_ffff)), "-1");
        assert_eq!(shown("_Bool", &Value::bv(8, 1)), "true");
        assert_eq!(shown("struct node *", &Value::bv(64, 0)), "NULL");
        assert_eq!(shown("struct node *", &Value::bv(64, 16)), "0x10");
        assert_eq!(shown("uint8_t", &byte), "201");
        assert_eq!(shown("", &Value::bv(64, 0x1000_0000_0020)), "0x100000000020");
        assert_eq!(shown("long", &Value::bv(64, 1 << 32)), "4294967296");
    }

    #[test]
    fn floats_are_literals_of_c() {
        let float =
            |x: f32| value(&Value::float(FloatKind::F32, Bits::new(32, x.to_bits().into())), CType::Unknown);
        let double =
            |x: f64| value(&Value::float(FloatKind::F64, Bits::new(64, x.to_bits())), CType::Unknown);
        assert_eq!((float(2.5), float(3.0)), ("2.5f".into(), "3.0f".into()));
        assert_eq!((double(1e300), double(-0.0)), ("1e300".into(), "-0.0".into()));
        assert_eq!((double(f64::NAN), double(f64::NEG_INFINITY)), ("NAN".into(), "-INFINITY".into()));
    }
}
