//! Types of expressions and variables.

use std::fmt;

/// The widest bit-vector in a program (the limit of LLVM's integers).
pub const MAX_WIDTH: u32 = 1 << 23;

/// A type of the IR.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Type {
    /// A truth value.
    Bool,
    /// A bit-vector of the given width, without a sign: operations decide how they read it.
    Bv(u32),
    /// An IEEE-754 (or x87) binary floating-point number.
    Float(FloatKind),
}

impl Type {
    /// The number of bits of a value in memory; truth values are never in memory.
    pub fn memory_bits(self) -> Option<u32> {
        match self {
            Type::Bool => None,
            Type::Bv(width) => Some(width),
            Type::Float(kind) => Some(kind.width()),
        }
    }

    /// The width of a bit-vector type.
    pub fn bv_width(self) -> Option<u32> {
        if let Type::Bv(width) = self { Some(width) } else { None }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Bool => f.write_str("bool"),
            Type::Bv(width) => write!(f, "i{width}"),
            Type::Float(kind) => f.write_str(kind.name()),
        }
    }
}

/// The floating-point formats that clang emits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatKind {
    /// IEEE half precision.
    F16,
    /// The upper half of a single-precision number.
    Bf16,
    /// IEEE single precision.
    F32,
    /// IEEE double precision.
    F64,
    /// The 80-bit extended format of x87, with its explicit integer bit.
    X87,
    /// IEEE quadruple precision.
    F128,
}

impl FloatKind {
    /// All formats, in the order of their tags in files.
    pub const ALL: [FloatKind; 6] =
        [FloatKind::F16, FloatKind::Bf16, FloatKind::F32, FloatKind::F64, FloatKind::X87, FloatKind::F128];

    /// The name in the textual form.
    pub fn name(self) -> &'static str {
        match self {
            FloatKind::F16 => "f16",
            FloatKind::Bf16 => "bf16",
            FloatKind::F32 => "f32",
            FloatKind::F64 => "f64",
            FloatKind::X87 => "x87",
            FloatKind::F128 => "f128",
        }
    }

    /// Bits of the representation.
    pub fn width(self) -> u32 {
        match self {
            FloatKind::F16 | FloatKind::Bf16 => 16,
            FloatKind::F32 => 32,
            FloatKind::F64 => 64,
            FloatKind::X87 => 80,
            FloatKind::F128 => 128,
        }
    }

    /// Bits of the exponent field.
    pub fn exponent_bits(self) -> u32 {
        match self {
            FloatKind::F16 => 5,
            FloatKind::Bf16 | FloatKind::F32 => 8,
            FloatKind::F64 => 11,
            FloatKind::X87 | FloatKind::F128 => 15,
        }
    }

    /// Precision: bits of the significand with its leading bit, stored or not.
    pub fn precision(self) -> u32 {
        match self {
            FloatKind::X87 => 64,
            kind => kind.width() - kind.exponent_bits(),
        }
    }
}
