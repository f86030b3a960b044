//! Printing of expressions: parentheses where they are needed, types where a literal would have another one, names for
//! parts that are too large to be written again.

use super::{Printer, Shared, name};
use crate::bits::Bits;
use crate::expr::{Expr, ExprId, RegionId};
use crate::operator::{BinOp, CastOp, UnOp};
use crate::text::operators::{COMPARISONS, LEVELS, Shape};
use crate::types::{FloatKind, Type};
use crate::value::Value;
use rustc_hash::FxHashMap;
use std::fmt::{self, Write};

/// The most nodes of a tree whose shared parts get no names.
const MANY_NODES: u64 = 1000;
/// The greatest height of a tree without names; a higher one is cut by names at every multiple of it.
const MAX_HEIGHT: u32 = 40;

/// The sign of an operation, if it has one of this shape, and its level.
fn operator(op: BinOp, shape: Shape) -> Option<(&'static str, usize)> {
    LEVELS.iter().enumerate().find_map(|(at, level)| {
        level.iter().find(|entry| entry.1 == op && entry.2 == shape).map(|entry| (entry.0, at))
    })
}

impl Printer<'_> {
    /// Names parts of expressions that are too large or too high to be written out, and writes the names.
    pub(super) fn lets(&self, out: &mut impl Write, roots: &[ExprId]) -> Result<Shared, fmt::Error> {
        let mut shared = Shared::default();
        if roots.iter().all(|&root| self.is_modest(root, &mut 64, 12)) {
            return Ok(shared);
        }
        // Ids grow from operands to users, so ascending order is bottom-up.
        let uses = self.program.exprs.uses(roots);
        let mut order: Vec<ExprId> = uses.keys().copied().collect();
        order.sort();
        let mut sizes: FxHashMap<ExprId, (u64, u32)> = FxHashMap::default();
        for &id in &order {
            let operands = self.program.exprs[id].operands();
            let (size, height) = operands.fold((1u64, 0), |(size, height), operand| {
                let (s, h) = if shared.contains_key(&operand) { (1, 0) } else { sizes[&operand] };
                (size.saturating_add(s), height.max(h + 1))
            });
            sizes.insert(id, (size, height));
            let large = size > MANY_NODES || (size > 8 && uses[&id] > 1);
            if (large || height >= MAX_HEIGHT) && !roots.contains(&id) {
                let number = shared.len();
                write!(out, "let #{number} = ")?;
                self.expr(out, id, 0, true, &shared)?;
                out.write_str("; ")?;
                shared.insert(id, number);
            }
        }
        Ok(shared)
    }

    /// Whether the tree is small and low enough to be written without a closer look.
    fn is_modest(&self, id: ExprId, budget: &mut u32, height: u32) -> bool {
        if *budget == 0 || height == 0 {
            return false;
        }
        *budget -= 1;
        self.program.exprs[id].operands().all(|operand| self.is_modest(operand, budget, height - 1))
    }

    /// Writes an expression that binds at least as tight as a level. With `force` nothing around it determines the type
    /// of its literals.
    pub(super) fn expr(
        &self,
        out: &mut impl Write,
        id: ExprId,
        level: usize,
        force: bool,
        shared: &Shared,
    ) -> fmt::Result {
        let exprs = &self.program.exprs;
        if let Some(number) = shared.get(&id) {
            return write!(out, "#{number}");
        }
        match exprs[id] {
            Expr::Const(value) => self.value(out, exprs.value(value), force),
            Expr::Var(var) => out.write_str(&name(&self.program.vars[var].name)),
            Expr::Unary(UnOp::Not, inner) if self.is_unequal(inner, shared) => {
                let Expr::Binary(op, a, b) = exprs[inner] else { return Err(fmt::Error) };
                let text = if op == BinOp::Eq { "!=" } else { "!=." };
                self.infix(out, (text, COMPARISONS), (a, b), level, force, shared)
            }
            Expr::Unary(op, a) => self.unary(out, op, a, force, shared),
            Expr::Binary(BinOp::Concat, a, b) => {
                self.apply(out, BinOp::Concat.text(), &[a, b], "", true, shared)
            }
            Expr::Binary(op, a, b) => {
                // `a < b` with a constant on the left reads better as `b > a`.
                let swapped = exprs.as_const(a).is_some() && exprs.as_const(b).is_none();
                match operator(op, Shape::Swapped).filter(|_| swapped) {
                    Some(operator) => self.infix(out, operator, (b, a), level, force, shared),
                    None => {
                        let operator = operator(op, Shape::Plain).ok_or(fmt::Error)?;
                        self.infix(out, operator, (a, b), level, force, shared)
                    }
                }
            }
            Expr::Fma(a, b, c) => {
                let untyped = [a, b, c].iter().all(|&arg| self.is_untyped(arg, shared));
                self.apply(out, "fma", &[a, b, c], "", force && untyped, shared)
            }
            Expr::Ite(c, a, b) => self.choice(out, (c, a, b), level, force, shared),
            Expr::Extract { hi, lo: 0, arg } => {
                self.apply(out, "trunc", &[arg], &format!(", i{}", hi + 1), true, shared)
            }
            Expr::Extract { hi, lo, arg } => {
                self.apply(out, "extract", &[arg], &format!(", {hi}, {lo}"), true, shared)
            }
            Expr::Cast(CastOp::ToBits, _, a) => {
                self.apply(out, CastOp::ToBits.text(), &[a], "", true, shared)
            }
            Expr::Cast(op, ty, a) => {
                self.apply(out, op.text(), &[a], &format!(", {ty}"), op != CastOp::FromBits, shared)
            }
            Expr::Load { region, addr, ty } => self.load(out, region, addr, ty, shared),
        }
    }

    /// Writes `c ? a : b`.
    fn choice(
        &self,
        out: &mut impl Write,
        (c, a, b): (ExprId, ExprId, ExprId),
        level: usize,
        force: bool,
        shared: &Shared,
    ) -> fmt::Result {
        let force = force && self.is_untyped(a, shared) && self.is_untyped(b, shared);
        out.write_str(if level > 0 { "(" } else { "" })?;
        self.expr(out, c, 1, false, shared)?;
        out.write_str(" ? ")?;
        self.expr(out, a, 0, force, shared)?;
        out.write_str(" : ")?;
        self.expr(out, b, 0, false, shared)?;
        out.write_str(if level > 0 { ")" } else { "" })
    }

    /// Writes `region[addr]`, with the type if it is not that of the cells.
    fn load(
        &self,
        out: &mut impl Write,
        region: RegionId,
        addr: ExprId,
        ty: Type,
        shared: &Shared,
    ) -> fmt::Result {
        let region = &self.program.regions[region];
        write!(out, "{}[", name(&region.name))?;
        self.expr(out, addr, 0, false, shared)?;
        if ty != region.cell {
            write!(out, ", {ty}")?;
        }
        out.write_char(']')
    }

    /// Whether the negation of this reads as `!=`.
    fn is_unequal(&self, id: ExprId, shared: &Shared) -> bool {
        !shared.contains_key(&id)
            && matches!(self.program.exprs[id], Expr::Binary(BinOp::Eq | BinOp::FEq, ..))
    }

    fn unary(&self, out: &mut impl Write, op: UnOp, a: ExprId, force: bool, shared: &Shared) -> fmt::Result {
        let text = op.text();
        if !op.is_prefix() {
            return self.apply(out, text, &[a], "", force || text.starts_with("is"), shared);
        }
        out.write_str(text)?;
        // The minus of a number is part of it.
        let number = self.program.exprs.as_const(a).is_some() && !shared.contains_key(&a);
        if number && matches!(op, UnOp::Neg) {
            out.write_char('(')?;
            self.expr(out, a, 0, force, shared)?;
            return out.write_char(')');
        }
        self.expr(out, a, LEVELS.len() + 1, force, shared)
    }

    fn infix(
        &self,
        out: &mut impl Write,
        (text, own): (&str, usize),
        (a, b): (ExprId, ExprId),
        level: usize,
        force: bool,
        shared: &Shared,
    ) -> fmt::Result {
        let untyped = self.is_untyped(a, shared) && self.is_untyped(b, shared);
        let outer_types = LEVELS[own].iter().any(|entry| entry.0 == text && entry.1.is_uniform());
        let boolean = own < COMPARISONS;
        let force = untyped && !boolean && (force || !outer_types);
        // Level 0 is the choice `? :`; the operators of `LEVELS` follow it.
        let binds = own + 1;
        out.write_str(if level > binds { "(" } else { "" })?;
        // Comparisons do not chain: both sides must bind tighter.
        let left = if own == COMPARISONS { binds + 1 } else { binds };
        self.expr(out, a, left, force, shared)?;
        write!(out, " {text} ")?;
        self.expr(out, b, binds + 1, false, shared)?;
        out.write_str(if level > binds { ")" } else { "" })
    }

    fn apply(
        &self,
        out: &mut impl Write,
        text: &str,
        args: &[ExprId],
        rest: &str,
        force: bool,
        shared: &Shared,
    ) -> fmt::Result {
        for (index, &arg) in args.iter().enumerate() {
            let lead = if index == 0 { format!("{text}(") } else { ", ".into() };
            out.write_str(&lead)?;
            self.expr(out, arg, 0, force, shared)?;
        }
        write!(out, "{rest})")
    }

    /// Whether the text of this leaves the type of its literals to the context.
    fn is_untyped(&self, id: ExprId, shared: &Shared) -> bool {
        if shared.contains_key(&id) {
            return false;
        }
        match self.program.exprs[id] {
            Expr::Const(value) => match self.program.exprs.value(value) {
                Value::Bool(_) => false,
                Value::Bv(_) => true,
                Value::Float(kind, bits) => decimal(*kind, bits).is_some(),
            },
            Expr::Unary(op, a) => {
                op.result(self.program.exprs.ty(a)) == Some(self.program.exprs.ty(a))
                    && op != UnOp::Not
                    && self.is_untyped(a, shared)
            }
            Expr::Binary(op, a, b) if op.is_uniform() && !matches!(op, BinOp::BoolAnd | BinOp::BoolOr) => {
                self.is_untyped(a, shared) && self.is_untyped(b, shared)
            }
            Expr::Ite(_, a, b) => self.is_untyped(a, shared) && self.is_untyped(b, shared),
            Expr::Fma(a, b, c) => [a, b, c].iter().all(|&arg| self.is_untyped(arg, shared)),
            _ => false,
        }
    }

    pub(super) fn value(&self, out: &mut impl Write, value: &Value, force: bool) -> fmt::Result {
        match value {
            Value::Bool(truth) => write!(out, "{truth}"),
            Value::Bv(bits) => {
                out.write_str(&integer(bits))?;
                if force { write!(out, "{}", Type::Bv(bits.width())) } else { Ok(()) }
            }
            Value::Float(kind, bits) => match decimal(*kind, bits) {
                // Infinity and NaN are words, to which no type can be attached.
                Some(text) if !force => out.write_str(&text),
                Some(text) if !text.ends_with(['f', 'n']) => write!(out, "{text}{}", kind.name()),
                _ => write!(out, "floatbits({:#x}, {})", bits.to_biguint(), kind.name()),
            },
        }
    }
}

/// A bit-vector as a person would write it: small negative numbers with a sign, large ones in hexadecimal.
fn integer(bits: &Bits) -> String {
    const SMALL: i64 = 1 << 20;
    match (bits.to_i64(), bits.to_u64()) {
        (Some(value), _) if bits.width() > 1 && (-SMALL..0).contains(&value) => value.to_string(),
        (_, Some(value)) if value < 1 << 24 => value.to_string(),
        _ => format!("{:#x}", bits.to_biguint()),
    }
}

/// A float in decimal, if its format is one that has an exact shortest form.
fn decimal(kind: FloatKind, bits: &Bits) -> Option<String> {
    let bits = bits.to_u64()?;
    let text = match kind {
        FloatKind::F32 => format!("{:?}", f32::from_bits(bits as u32)),
        FloatKind::F64 => format!("{:?}", f64::from_bits(bits)),
        _ => return None,
    };
    Some(if text == "NaN" { "nan".into() } else { text })
}
