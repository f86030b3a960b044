//! The operators of expressions: one table from which the text, the tags in files, and the tests of everything that
//! gives operators a meaning are generated.
//!
//! A new operator needs a row here and a type below it. A program with all of them, `samples::every_operator`, then
//! asks for its text and bytes in the tests of this crate, for its value in those of `beeline-interp`, and for its term
//! in those of `beeline-smt`.

use crate::types::{FloatKind, MAX_WIDTH, Type};

/// An operator in each row: its name here, and its form in the textual form.
macro_rules! operators {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $op:ident $text:literal,)* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs)]
        pub enum $name {
            $($(#[$doc])* $op,)*
        }

        impl $name {
            /// All of them, in the order of their tags in files.
            pub const ALL: [$name; [$($name::$op),*].len()] = [$($name::$op),*];

            /// Its text.
            pub const fn text(self) -> &'static str {
                match self {
                    $($name::$op => $text,)*
                }
            }

            /// Its number among all.
            pub(crate) const fn tag(self) -> u8 {
                self as u8
            }
        }
    };
}

operators! {
    /// An operator with one operand whose result has the operand's type, or is a property of a float.
    UnOp {
        /// Negation of a truth value.
        Not "!",
        /// Complement of every bit.
        BvNot "~",
        /// Two's complement.
        Neg "-",
        FNeg "-.",
        FAbs "fabs",
        FSqrt "fsqrt",
        /// Round to an integral value: towards zero, down, up, nearest with ties to even or away from zero.
        FTrunc "ftrunc",
        FFloor "ffloor",
        FCeil "fceil",
        FRoundEven "froundeven",
        FRoundAway "froundaway",
        FIsNan "isnan",
        FIsInf "isinf",
        FIsZero "iszero",
        FIsNormal "isnormal",
        FIsSubnormal "issubnormal",
        /// Negative, including negative zero and infinity, never NaN.
        FIsNegative "isnegative",
    }
}

impl UnOp {
    /// The type of the result, if the operand's type fits.
    pub fn result(self, arg: Type) -> Option<Type> {
        use UnOp::*;
        match (self, arg) {
            (Not, Type::Bool) => Some(Type::Bool),
            (BvNot | Neg, Type::Bv(_)) => Some(arg),
            (FNeg | FAbs | FSqrt | FTrunc | FFloor | FCeil | FRoundEven | FRoundAway, Type::Float(_)) => {
                Some(arg)
            }
            (FIsNan | FIsInf | FIsZero | FIsNormal | FIsSubnormal | FIsNegative, Type::Float(_)) => {
                Some(Type::Bool)
            }
            _ => None,
        }
    }

    /// Whether it is written before its operand, and not as a function.
    pub(crate) fn is_prefix(self) -> bool {
        !self.text().starts_with(|c: char| c.is_ascii_alphabetic())
    }
}

operators! {
    /// An operator with two operands of one type ([`BinOp::Concat`] alone takes two widths).
    BinOp {
        Add "+",
        Sub "-",
        Mul "*",
        UDiv "/u",
        SDiv "/s",
        URem "%u",
        SRem "%s",
        And "&",
        Or "|",
        Xor "^",
        Shl "<<",
        LShr ">>u",
        AShr ">>s",
        /// The left operand's bits above the right one's.
        Concat "concat",
        /// Equality of truth values or bit-vectors.
        Eq "==",
        Ult "<u",
        Ule "<=u",
        Slt "<s",
        Sle "<=s",
        /// Conjunction; the right operand is evaluated only if the left one is true.
        BoolAnd "&&",
        /// Disjunction; the right operand is evaluated only if the left one is false.
        BoolOr "||",
        FAdd "+.",
        FSub "-.",
        FMul "*.",
        FDiv "/.",
        /// Remainder with the sign of the dividend, as C's `fmod`.
        FRem "%.",
        FEq "==.",
        FLt "<.",
        FLe "<=.",
    }
}

impl BinOp {
    /// The type of the result, if the operands' types fit.
    pub fn result(self, left: Type, right: Type) -> Option<Type> {
        use BinOp::*;
        match (self, left, right) {
            (Concat, Type::Bv(a), Type::Bv(b)) => {
                a.checked_add(b).filter(|&width| width <= MAX_WIDTH).map(Type::Bv)
            }
            _ if left != right => None,
            (
                Add | Sub | Mul | UDiv | SDiv | URem | SRem | And | Or | Xor | Shl | LShr | AShr,
                Type::Bv(_),
                _,
            ) => Some(left),
            (Eq, Type::Bool | Type::Bv(_), _) => Some(Type::Bool),
            (Ult | Ule | Slt | Sle, Type::Bv(_), _) => Some(Type::Bool),
            (BoolAnd | BoolOr, Type::Bool, _) => Some(Type::Bool),
            (FAdd | FSub | FMul | FDiv | FRem, Type::Float(_), _) => Some(left),
            (FEq | FLt | FLe, Type::Float(_), _) => Some(Type::Bool),
            _ => None,
        }
    }

    /// Whether the operands have the type of the result.
    pub fn is_uniform(self) -> bool {
        let double = Type::Float(FloatKind::F64);
        matches!(self, BinOp::BoolAnd | BinOp::BoolOr)
            || [Type::Bv(1), double].into_iter().any(|ty| self.result(ty, ty) == Some(ty))
    }
}

operators! {
    /// A conversion to another type.
    CastOp {
        ZExt "zext",
        SExt "sext",
        /// Float to float, to the nearest, ties to even.
        FToF "fcvt",
        /// Signed or unsigned integer to float, to the nearest, ties to even.
        SToF "sitofp",
        UToF "uitofp",
        /// Float to integer, towards zero; stuck when the result does not fit.
        FToS "fptosi",
        FToU "fptoui",
        /// The representation of a float.
        ToBits "bits",
        /// The float with a representation.
        FromBits "frombits",
    }
}

impl CastOp {
    /// Whether this is a conversion from the one type to the other.
    pub fn fits(self, from: Type, to: Type) -> bool {
        use CastOp::*;
        match (self, from, to) {
            (ZExt | SExt, Type::Bv(a), Type::Bv(b)) => a < b && b <= MAX_WIDTH,
            (FToF, Type::Float(a), Type::Float(b)) => a != b,
            (SToF | UToF, Type::Bv(_), Type::Float(_)) => true,
            (FToS | FToU, Type::Float(_), Type::Bv(b)) => (1..=MAX_WIDTH).contains(&b),
            (ToBits, Type::Float(kind), Type::Bv(b)) => kind.width() == b,
            (FromBits, Type::Bv(a), Type::Float(kind)) => kind.width() == a,
            _ => false,
        }
    }
}
