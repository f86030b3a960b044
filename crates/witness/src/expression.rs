//! Expressions of the IR as C expressions.
//!
//! The C expression has the value of the IR's expression, for all values of the variables: where the types of
//! C would change an operation, there is a cast. What C's variables cannot express (memory, variables without
//! a name in the source) has no text.

use crate::alternatives::within_parentheses;
use crate::c_text::{self, CType};
use beeline_ir::{BinOp, CastOp, Expr, ExprId, FloatKind, FuncId, Program, Type, UnOp, Value, VarId};
use rustc_hash::FxHashMap;

/// The form of arithmetic on signed integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Overflow {
    /// As in `x + 1`, for reading.
    Natural,
    /// So that it wraps around as in the IR and is defined in C.
    Defined,
}

/// A writer of expressions over the variables that are visible in a function.
#[derive(Debug)]
pub(crate) struct CWriter<'p> {
    program: &'p Program,
    overflow: Overflow,
    /// The variables whose names are unambiguous in the function.
    names: FxHashMap<VarId, &'p str>,
}

/// A C expression that can be an operand as it stands, and whether its value is the signed reading of the
/// bits; `None` if that is not known.
#[derive(Debug)]
struct Text {
    text: String,
    signed: Option<bool>,
}

impl<'p> CWriter<'p> {
    /// A writer for a function. Variables that share a name with another one there have no text.
    pub(crate) fn new(program: &'p Program, func: FuncId, overflow: Overflow) -> CWriter<'p> {
        let mut owners: FxHashMap<&str, Vec<VarId>> = FxHashMap::default();
        for (id, var) in program.vars.iter() {
            if var.owner.is_none_or(|owner| owner == func)
                && let Some(source) = &var.source
            {
                owners.entry(&source.name).or_default().push(id);
            }
        }
        let unique = owners
            .into_iter()
            .filter(|(name, vars)| vars.len() == 1 && (is_lvalue(name) || is_of_acsl(name)));
        CWriter { program, overflow, names: unique.map(|(name, vars)| (vars[0], name)).collect() }
    }

    /// A condition as C text.
    pub(crate) fn condition(&self, expr: ExprId) -> Option<String> {
        Some(without_parentheses(self.truth(expr)?))
    }

    fn ty(&self, expr: ExprId) -> Type {
        self.program.exprs.ty(expr)
    }

    /// A truth value as an expression that is 0 or 1.
    fn truth(&self, expr: ExprId) -> Option<String> {
        match self.program.exprs[expr] {
            Expr::Const(id) => Some(u8::from(self.program.exprs.value(id).as_bool()?).to_string()),
            Expr::Unary(UnOp::Not, inner) => match self.program.exprs[inner] {
                Expr::Binary(BinOp::Eq, a, b) => self.compare("!=", a, b, None),
                Expr::Binary(BinOp::Slt, a, b) => self.compare(">=", a, b, Some(true)),
                Expr::Binary(BinOp::Sle, a, b) => self.compare(">", a, b, Some(true)),
                Expr::Binary(BinOp::Ult, a, b) => self.compare(">=", a, b, Some(false)),
                Expr::Binary(BinOp::Ule, a, b) => self.compare(">", a, b, Some(false)),
                _ => Some(format!("!{}", self.truth(inner)?)),
            },
            Expr::Binary(op, a, b) => match op {
                BinOp::BoolAnd => Some(format!("({} && {})", self.truth(a)?, self.truth(b)?)),
                BinOp::BoolOr => Some(format!("({} || {})", self.truth(a)?, self.truth(b)?)),
                BinOp::Eq => self.compare("==", a, b, None),
                BinOp::Slt => self.compare("<", a, b, Some(true)),
                BinOp::Sle => self.compare("<=", a, b, Some(true)),
                BinOp::Ult => self.compare("<", a, b, Some(false)),
                BinOp::Ule => self.compare("<=", a, b, Some(false)),
                BinOp::FEq => Some(format!("({} == {})", self.float(a)?, self.float(b)?)),
                BinOp::FLt => Some(format!("({} < {})", self.float(a)?, self.float(b)?)),
                BinOp::FLe => Some(format!("({} <= {})", self.float(a)?, self.float(b)?)),
                _ => None,
            },
            Expr::Ite(c, a, b) => {
                Some(format!("({} ? {} : {})", self.truth(c)?, self.truth(a)?, self.truth(b)?))
            }
            _ => None,
        }
    }

    /// A comparison of integers as signed or unsigned, or of truth values.
    fn compare(&self, op: &str, a: ExprId, b: ExprId, signed: Option<bool>) -> Option<String> {
        if self.ty(a) == Type::Bool {
            return Some(format!("({} {op} {})", self.truth(a)?, self.truth(b)?));
        }
        if let Some(text) = self.compare_with_null(op, a, b).or_else(|| self.compare_with_null(op, b, a)) {
            return Some(text);
        }
        let signed = match signed {
            Some(signed) => signed,
            None => self.int(a)?.signed.or(self.int(b)?.signed).unwrap_or(false),
        };
        // The constant is written on the right as usual.
        let turned = match (&self.program.exprs[a], op) {
            (Expr::Const(_), "<") => Some(">"),
            (Expr::Const(_), "<=") => Some(">="),
            (Expr::Const(_), ">") => Some("<"),
            (Expr::Const(_), ">=") => Some("<="),
            (Expr::Const(_), _) => Some(op),
            _ => None,
        };
        let (a, op, b) = turned.map_or((a, op, b), |turned| (b, turned, a));
        Some(format!("({} {op} {})", self.read(a, signed)?, self.read(b, signed)?))
    }

    /// A comparison of a pointer with null.
    fn compare_with_null(&self, op: &str, pointer: ExprId, null: ExprId) -> Option<String> {
        let (Expr::Var(var), Expr::Const(null)) = (self.program.exprs[pointer], self.program.exprs[null])
        else {
            return None;
        };
        let ty = &self.program.vars[var].source.as_ref()?.ty;
        let is_pointer = CType::named(ty, self.program.pointer_width) == CType::Pointer;
        let is_null = self.program.exprs.value(null).as_bits()?.is_zero();
        let fits = is_pointer && is_null && ["==", "!="].contains(&op);
        fits.then(|| Some(format!("({} {op} 0)", self.names.get(&var)?)))?
    }

    /// The text of an integer whose value is the signed or unsigned reading of its bits.
    fn read(&self, expr: ExprId, signed: bool) -> Option<String> {
        let width = self.width(expr)?;
        if let Expr::Const(id) = self.program.exprs[expr] {
            return literal(self.program.exprs.value(id), signed);
        }
        let text = self.int(expr)?;
        match text.signed == Some(signed) {
            true => Some(text.text),
            false => Some(format!("({}){}", type_name(width, signed)?, text.text)),
        }
    }

    /// The width of an integer, if C has a type for it.
    fn width(&self, expr: ExprId) -> Option<u32> {
        let Type::Bv(width) = self.ty(expr) else { return None };
        type_name(width, true).map(|_| width)
    }

    fn int(&self, expr: ExprId) -> Option<Text> {
        let width = self.width(expr)?;
        let known = |text: String, signed: bool| Some(Text { text, signed: Some(signed) });
        match self.program.exprs[expr] {
            Expr::Const(id) => {
                Some(Text { text: literal(self.program.exprs.value(id), true)?, signed: None })
            }
            Expr::Var(var) => self.variable(var, width),
            Expr::Load { addr, .. } => self.cell(addr, width),
            Expr::Cast(op @ (CastOp::ZExt | CastOp::SExt), _, arg) => {
                let inner = self.read(arg, op == CastOp::SExt)?;
                // C promotes to int by itself, and so keeps the value.
                let text = if width == 32 { inner } else { format!("({}){inner}", type_name(width, true)?) };
                known(text, true)
            }
            Expr::Extract { lo: 0, arg, .. } => {
                known(format!("({}){}", type_name(width, false)?, self.read(arg, false)?), false)
            }
            Expr::Ite(cond, a, b) => {
                let signed = self.int(a)?.signed == Some(true) && self.int(b)?.signed == Some(true);
                let (a, b) = (self.read(a, signed)?, self.read(b, signed)?);
                known(format!("({} ? {a} : {b})", self.truth(cond)?), signed)
            }
            Expr::Unary(UnOp::Neg, a) => {
                self.arithmetic(width, &format!("0 - {}", self.read(a, false)?), false)
            }
            Expr::Unary(UnOp::BvNot, a) => {
                self.arithmetic(width, &format!("~{}", self.read(a, false)?), false)
            }
            Expr::Binary(op, a, b) => self.binary(width, op, a, b),
            _ => None,
        }
    }

    fn variable(&self, var: VarId, width: u32) -> Option<Text> {
        let name = self.names.get(&var)?;
        let source = self.program.vars[var].source.as_ref()?;
        Some(Text { text: name.to_string(), signed: self.is_signed(&source.ty, width)? })
    }

    /// Whether values of a type are read as signed, if that is known. `None` if the type does not have this
    /// width.
    fn is_signed(&self, ty: &str, width: u32) -> Option<Option<bool>> {
        match CType::named(ty, self.program.pointer_width) {
            CType::Int(Some(known), signed) if known == width => Some(Some(signed)),
            CType::Char(signed) if width == 8 => Some(Some(signed)),
            CType::Bool if width == 8 => Some(Some(false)),
            // A cast tells how it is read.
            CType::Int(None, _) | CType::Pointer | CType::Unknown => Some(None),
            _ => None,
        }
    }

    /// Memory at a known address, by the name that it has somewhere, for readers.
    fn cell(&self, addr: ExprId, width: u32) -> Option<Text> {
        let Expr::Const(addr) = self.program.exprs[addr] else { return None };
        let addr = self.program.exprs.value(addr).as_bits()?.to_u64()?;
        let (name, ty) = self.program.cell_at(addr).filter(|_| self.overflow == Overflow::Natural)?;
        Some(Text { text: name, signed: self.is_signed(ty, width)? })
    }

    fn binary(&self, width: u32, op: BinOp, a: ExprId, b: ExprId) -> Option<Text> {
        let is_signed = |expr| match self.program.exprs[expr] {
            Expr::Const(_) => Some(true),
            _ => self.int(expr)?.signed,
        };
        let both_signed = is_signed(a) == Some(true) && is_signed(b) == Some(true);
        let natural = both_signed && self.overflow == Overflow::Natural;
        let text =
            |op: &str, signed| Some(format!("{} {op} {}", self.read(a, signed)?, self.read(b, signed)?));
        let amount = |expr| match self.program.exprs[expr] {
            Expr::Const(id) => {
                let bits = self.program.exprs.value(id).as_bits()?.to_u64()?;
                (bits < u64::from(width)).then_some(bits)
            }
            _ => None,
        };
        match op {
            BinOp::Add => self.arithmetic(width, &text("+", natural)?, natural),
            BinOp::Sub => self.arithmetic(width, &text("-", natural)?, natural),
            // Narrow operands become int, whose product may overflow.
            BinOp::Mul if width >= 32 => self.arithmetic(width, &text("*", natural)?, natural),
            BinOp::And => self.arithmetic(width, &text("&", false)?, false),
            BinOp::Or => self.arithmetic(width, &text("|", false)?, false),
            BinOp::Xor => self.arithmetic(width, &text("^", false)?, false),
            BinOp::UDiv | BinOp::URem | BinOp::SDiv | BinOp::SRem if !self.divides(b) => None,
            BinOp::UDiv => self.arithmetic(width, &text("/", false)?, false),
            BinOp::URem => self.arithmetic(width, &text("%", false)?, false),
            BinOp::SDiv => self.arithmetic(width, &text("/", true)?, true),
            BinOp::SRem => self.arithmetic(width, &text("%", true)?, true),
            BinOp::LShr => {
                self.arithmetic(width, &format!("{} >> {}", self.read(a, false)?, amount(b)?), false)
            }
            BinOp::AShr => {
                self.arithmetic(width, &format!("{} >> {}", self.read(a, true)?, amount(b)?), true)
            }
            BinOp::Shl if width >= 32 => {
                self.arithmetic(width, &format!("{} << {}", self.read(a, false)?, amount(b)?), false)
            }
            _ => None,
        }
    }

    /// Whether an expression may be a divisor: in defined C, the division must not be undefined.
    fn divides(&self, divisor: ExprId) -> bool {
        let known = match self.program.exprs[divisor] {
            Expr::Const(id) => self.program.exprs.value(id).as_bits().cloned(),
            _ => None,
        };
        self.overflow == Overflow::Natural || known.is_some_and(|bits| !bits.is_zero() && !bits.is_ones())
    }

    /// The result of an operation that C performs in the type of a width, or in int if that is wider.
    fn arithmetic(&self, width: u32, text: &str, signed: bool) -> Option<Text> {
        let text = match width {
            8 | 16 => format!("({})({text})", type_name(width, signed)?),
            _ => format!("({text})"),
        };
        Some(Text { text, signed: Some(signed) })
    }

    fn float(&self, expr: ExprId) -> Option<String> {
        let Type::Float(FloatKind::F32 | FloatKind::F64) = self.ty(expr) else { return None };
        let both = |op: &str, a, b| Some(format!("({} {op} {})", self.float(a)?, self.float(b)?));
        match self.program.exprs[expr] {
            Expr::Const(id) => {
                let text = c_text::value(self.program.exprs.value(id), CType::Unknown);
                // NAN and INFINITY are macros.
                text.ends_with(|c: char| c.is_ascii_digit() || c == 'f').then_some(text)
            }
            Expr::Var(var) => self.names.get(&var).map(|name| name.to_string()),
            Expr::Unary(UnOp::FNeg, a) => Some(format!("(-{})", self.float(a)?)),
            Expr::Binary(BinOp::FAdd, a, b) => both("+", a, b),
            Expr::Binary(BinOp::FSub, a, b) => both("-", a, b),
            Expr::Binary(BinOp::FMul, a, b) => both("*", a, b),
            Expr::Binary(BinOp::FDiv, a, b) => both("/", a, b),
            Expr::Cast(CastOp::FToF, ty, a) => Some(format!("({}){}", float_name(ty)?, self.float(a)?)),
            Expr::Cast(op @ (CastOp::SToF | CastOp::UToF), ty, a) => {
                Some(format!("({}){}", float_name(ty)?, self.read(a, op == CastOp::SToF)?))
            }
            _ => None,
        }
    }
}

/// Whether a name is a term of ACSL for an old value or the result.
fn is_of_acsl(name: &str) -> bool {
    let old = name.strip_prefix("\\old(").and_then(|rest| rest.strip_suffix(')'));
    name == "\\result" || old.is_some_and(is_lvalue)
}

/// Whether a text is the name of a variable, or of a part of one.
fn is_lvalue(name: &str) -> bool {
    let first = name.chars().next();
    first.is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "_.[]".contains(c))
        // A part without a name is known by its offset.
        && !name.split('.').skip(1).any(|part| part.is_empty() || part.starts_with(|c: char| c.is_ascii_digit()))
}

/// The type of integers of a width.
pub fn type_name(width: u32, signed: bool) -> Option<&'static str> {
    Some(match (width, signed) {
        (8, true) => "signed char",
        (8, false) => "unsigned char",
        (16, true) => "short",
        (16, false) => "unsigned short",
        (32, true) => "int",
        (32, false) => "unsigned int",
        (64, true) => "long long",
        (64, false) => "unsigned long long",
        _ => return None,
    })
}

fn float_name(ty: Type) -> Option<&'static str> {
    match ty {
        Type::Float(FloatKind::F32) => Some("float"),
        Type::Float(FloatKind::F64) => Some("double"),
        _ => None,
    }
}

/// An integer as a literal.
fn literal(value: &Value, signed: bool) -> Option<String> {
    let bits = value.as_bits()?;
    let suffix = if bits.width() > 32 { "LL" } else { "" };
    if !signed {
        let suffix = if bits.width() < 32 { "".into() } else { format!("U{suffix}") };
        return Some(format!("{}{suffix}", bits.to_biguint()));
    }
    let number = bits.to_i64()?;
    // The least number has no literal: its absolute value does not fit.
    let is_least = bits.width() >= 32 && bits.sign() && bits.neg() == *bits;
    Some(if is_least { format!("({}{suffix} - 1)", number + 1) } else { format!("{number}{suffix}") })
}

/// An expression without parentheses around all of it.
fn without_parentheses(text: String) -> String {
    within_parentheses(&text).map(String::from).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use beeline_ir::{Op, text};

    /// The conditions of a program's assumptions, in C.
    fn conditions(assumptions: &str, overflow: Overflow) -> Vec<Option<String>> {
        let source = format!(
            "beeline 1.0\nfn main() {{\n\
             var i: i32 as \"i\" \"int\", u: i32 as \"u\" \"unsigned int\", c: i8 as \"c\" \"unsigned char\"\n\
             var p: i64 as \"p\" \"char *\", l: i64 as \"l\" \"long\", t: i32, v: i32 as \"v\" \"my_int\", x: f64 as \"x\" \"double\"\n\
             {assumptions}\nexit\n}}"
        );
        let program = text::parse(&source).unwrap_or_else(|faults| panic!("{source}: {faults:?}"));
        let writer = CWriter::new(&program, program.entry, overflow);
        let assumed =
            |op: &Op| if let Op::Assume(cond, _) = op { Some(writer.condition(*cond)) } else { None };
        program.edges.values().filter_map(|edge| assumed(&edge.op)).collect()
    }

    fn natural(assumption: &str) -> Option<String> {
        conditions(&format!("assume {assumption}"), Overflow::Natural).remove(0)
    }

    #[test]
    fn comparisons_are_of_the_sign_that_counts() {
        let cases = [
            ("i <s 5", "i < 5"),
            ("!(i <s 5)", "i >= 5"),
            ("5 <s i", "i > 5"),
            ("u <s 5", "(int)u < 5"),
            ("i <u 5", "(unsigned int)i < 5U"),
            ("u == 0xffffffff", "u == 4294967295U"),
            ("i == 0xffffffff", "i == -1"),
            ("i == 0x80000000", "i == (-2147483647 - 1)"),
            ("c == 200", "c == 200"),
            ("c <s 0", "(signed char)c < 0"),
            ("v == 3", "(unsigned int)v == 3U"),
            ("zext(c, i32) >s 200", "c > 200"),
            ("sext(i, i64) == l", "(long long)i == l"),
            ("l <s 5", "l < 5LL"),
            ("x <. 2.5", "x < 2.5"),
            ("p == 0", "p == 0"),
            ("!(p == 0)", "p != 0"),
            ("p == 16", "(unsigned long long)p == 16ULL"),
        ];
        for (assumption, expected) in cases {
            assert_eq!(natural(assumption).as_deref(), Some(expected), "{assumption}");
        }
    }

    #[test]
    fn arithmetic_that_may_overflow_is_unsigned_where_that_counts() {
        assert_eq!(natural("i + 1 <s 5").as_deref(), Some("(i + 1) < 5"));
        let defined = conditions("assume i + 1 <s 5", Overflow::Defined).remove(0);
        assert_eq!(defined.as_deref(), Some("(int)((unsigned int)i + 1U) < 5"));
        let narrow = conditions("assume c + 1 == 0", Overflow::Defined).remove(0);
        assert_eq!(narrow.as_deref(), Some("(unsigned char)(c + 1) == 0"));
    }

    #[test]
    fn divisions_that_may_go_wrong_have_no_text_where_all_shall_be_defined() {
        assert_eq!(natural("i /s 3 == 2").as_deref(), Some("(i / 3) == 2"));
        let defined = |text: &str| conditions(&format!("assume {text}"), Overflow::Defined).remove(0);
        assert_eq!(defined("i %s 3 == 2").as_deref(), Some("(i % 3) == 2"));
        for text in ["i /s -1 == 2", "i %u u == 2", "10 /s i == 2"] {
            assert_eq!(defined(text), None, "{text}");
        }
    }

    #[test]
    fn what_c_has_no_name_for_has_no_text() {
        assert_eq!(natural("t == 3"), None);
        assert_eq!(natural("i == t"), None);
    }
}
