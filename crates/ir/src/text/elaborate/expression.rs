//! Expressions: operators by name, and the types of literals from where they stand.

use super::{Done, Elaborator, Scope, fail};
use crate::bits::Bits;
use crate::expr::{Expr, ExprId};
use crate::operator::{BinOp, CastOp, UnOp};
use crate::program::Region;
use crate::text::ast::*;
use crate::types::{FloatKind, MAX_WIDTH, Type};
use crate::value::Value;
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive};

impl Elaborator {
    /// The type that an expression has by itself, if its text alone decides it.
    pub(super) fn infer(&self, scope: &Scope, ast: &At<Ast>) -> Option<Type> {
        match &ast.node {
            Ast::Int(_, ty) | Ast::Float(_, ty) => *ty,
            Ast::Bool(_) => Some(Type::Bool),
            Ast::Name(name) => self.lookup(scope, name).map(|var| self.builder.program().vars[var].ty),
            Ast::Shared(number) => scope.shared.get(number).map(|&id| self.builder.program().exprs.ty(id)),
            Ast::Unary(UnOp::Not, _) => Some(Type::Bool),
            Ast::Unary(_, operand) => self.infer(scope, operand),
            Ast::Binary(op, a, b) if op.is_uniform() => self.infer(scope, a).or_else(|| self.infer(scope, b)),
            Ast::Binary(..) => Some(Type::Bool),
            Ast::Ite(_, a, b) => self.infer(scope, a).or_else(|| self.infer(scope, b)),
            Ast::Load(name, _, ty) => {
                ty.or_else(|| Some(self.builder.program().regions[*self.regions.get(&name.node)?].cell))
            }
            Ast::Apply(name, args, ty) => match name.as_str() {
                _ if ty.is_some() => *ty,
                "bits" => self.infer(scope, args.first()?)?.memory_bits().map(Type::Bv),
                "concat" => {
                    let high = self.infer(scope, args.first()?)?.bv_width()?;
                    Some(Type::Bv(high.saturating_add(self.infer(scope, args.get(1)?)?.bv_width()?)))
                }
                "extract" => {
                    let (hi, lo) = (number(args.get(1)?)?, number(args.get(2)?)?);
                    Some(Type::Bv(hi.checked_sub(lo)?.checked_add(1)?))
                }
                "fma" => args.iter().find_map(|arg| self.infer(scope, arg)),
                name if name.starts_with("is") => Some(Type::Bool),
                _ => self.infer(scope, args.first()?),
            },
        }
    }

    /// An expression of a type that its context demands.
    pub(super) fn typed(&mut self, scope: &Scope, ast: &At<Ast>, ty: Type) -> Done<ExprId> {
        let id = self.expr(scope, ast, Some(ty))?;
        let found = self.builder.program().exprs.ty(id);
        if found == ty { Ok(id) } else { fail(ast.pos, format!("expected {ty}, found {found}")) }
    }

    /// An expression; `expected` is the type of literals that have none.
    pub(super) fn expr(&mut self, scope: &Scope, ast: &At<Ast>, expected: Option<Type>) -> Done<ExprId> {
        let pos = ast.pos;
        let node = match &ast.node {
            Ast::Bool(truth) => return Ok(self.builder.exprs().bool(*truth)),
            Ast::Int(..) | Ast::Float(..) => {
                let Some(ty) = self.infer(scope, ast).or(expected) else {
                    return fail(pos, "give this number a type, such as `5i32` or `1.5f64`");
                };
                let value = literal(ast, ty)?;
                return Ok(self.builder.exprs().constant(value));
            }
            Ast::Name(name) => match self.lookup(scope, name) {
                Some(var) => Expr::Var(var),
                None => return fail(pos, format!("unknown variable `{name}`")),
            },
            Ast::Shared(number) => match scope.shared.get(number) {
                Some(&id) => return Ok(id),
                None => return fail(pos, format!("no `let` binds `#{number}` on this line")),
            },
            Ast::Unary(op, operand) => {
                let expected = if *op == UnOp::Not { Some(Type::Bool) } else { expected };
                Expr::Unary(*op, self.expr(scope, operand, expected)?)
            }
            Ast::Binary(op, a, b) => {
                let expected = match op {
                    BinOp::BoolAnd | BinOp::BoolOr => Some(Type::Bool),
                    op if op.is_uniform() => expected,
                    _ => None,
                };
                let operand = expected.or_else(|| self.infer(scope, a)).or_else(|| self.infer(scope, b));
                let a = self.expr(scope, a, operand)?;
                Expr::Binary(*op, a, self.expr(scope, b, operand)?)
            }
            Ast::Ite(c, a, b) => {
                let operand = expected.or_else(|| self.infer(scope, a)).or_else(|| self.infer(scope, b));
                let c = self.expr(scope, c, Some(Type::Bool))?;
                let a = self.expr(scope, a, operand)?;
                Expr::Ite(c, a, self.expr(scope, b, operand)?)
            }
            Ast::Load(name, addr, ty) => {
                let region = self.region_named(name)?;
                let Region { addr: addr_ty, cell, .. } = self.builder.program().regions[region];
                let addr = self.typed(scope, addr, addr_ty)?;
                Expr::Load { region, addr, ty: ty.unwrap_or(cell) }
            }
            Ast::Apply(name, args, ty) => return self.apply(scope, name, args, *ty, expected, pos),
        };
        self.intern(node, pos)
    }

    fn apply(
        &mut self,
        scope: &Scope,
        name: &str,
        args: &[At<Ast>],
        ty: Option<Type>,
        expected: Option<Type>,
        pos: usize,
    ) -> Done<ExprId> {
        let unary = UnOp::ALL.into_iter().find(|op| op.text() == name);
        if let (Some(op), [a], None) = (unary, args, ty) {
            let own = if name.starts_with("is") { None } else { expected };
            let a = self.expr(scope, a, own)?;
            return self.intern(Expr::Unary(op, a), pos);
        }
        let node = match (name, args, ty) {
            ("concat", [a, b], None) => {
                let a = self.expr(scope, a, None)?;
                Expr::Binary(BinOp::Concat, a, self.expr(scope, b, None)?)
            }
            ("fma", [a, b, c], None) => {
                let own = expected.or_else(|| args.iter().find_map(|arg| self.infer(scope, arg)));
                let (a, b) = (self.expr(scope, a, own)?, self.expr(scope, b, own)?);
                Expr::Fma(a, b, self.expr(scope, c, own)?)
            }
            ("extract", [a, hi, lo], None) => {
                let (Some(hi), Some(lo)) = (number(hi), number(lo)) else {
                    return fail(pos, "`extract(value, high bit, low bit)` takes the numbers of two bits");
                };
                Expr::Extract { hi, lo, arg: self.expr(scope, a, None)? }
            }
            ("trunc", [a], Some(Type::Bv(width))) if width > 0 => {
                Expr::Extract { hi: width - 1, lo: 0, arg: self.expr(scope, a, None)? }
            }
            ("bits", [a], None) => {
                let a = self.expr(scope, a, None)?;
                let Type::Float(kind) = self.builder.program().exprs.ty(a) else {
                    return fail(pos, "`bits` takes a float");
                };
                Expr::Cast(CastOp::ToBits, Type::Bv(kind.width()), a)
            }
            ("floatbits", [bits], Some(Type::Float(kind))) => {
                let value = float_pattern(bits, kind)?;
                return Ok(self.builder.exprs().constant(value));
            }
            (_, [a], Some(ty)) => {
                // The operand of `bits` determines the type of its result.
                let mut casts = CastOp::ALL.into_iter().filter(|op| *op != CastOp::ToBits);
                let Some(op) = casts.find(|op| op.text() == name) else {
                    return fail(pos, format!("unknown conversion `{name}`"));
                };
                let own = if op == CastOp::FromBits { ty.memory_bits().map(Type::Bv) } else { None };
                Expr::Cast(op, ty, self.expr(scope, a, own)?)
            }
            _ => return fail(pos, format!("unknown operator `{name}` with {} operands", args.len())),
        };
        self.intern(node, pos)
    }
}

fn number(ast: &At<Ast>) -> Option<u32> {
    if let Ast::Int(value, None) = &ast.node { value.to_u32() } else { None }
}

fn float_pattern(ast: &At<Ast>, kind: FloatKind) -> Done<Value> {
    let Ast::Int(value, None) = &ast.node else {
        return fail(ast.pos, "`floatbits(pattern, type)` takes the bits as a number");
    };
    if value.is_negative() || value.bits() > u64::from(kind.width()) {
        return fail(ast.pos, format!("this pattern does not fit {} bits", kind.width()));
    }
    Ok(Value::float(kind, Bits::from_bigint(kind.width(), value)))
}

/// The value of a literal at a type.
pub(super) fn literal(ast: &At<Ast>, ty: Type) -> Done<Value> {
    let pos = ast.pos;
    match (&ast.node, ty) {
        (Ast::Bool(truth), Type::Bool) => Ok(Value::Bool(*truth)),
        (_, Type::Bv(width)) if width > MAX_WIDTH => {
            fail(pos, format!("a bit-vector of {width} bits is not supported, only 1 to {MAX_WIDTH}"))
        }
        (Ast::Int(value, own), Type::Bv(width)) if own.is_none_or(|own| own == ty) => {
            let limit = BigInt::one() << width;
            let lowest = -(BigInt::one() << width.saturating_sub(1));
            if *value >= limit || *value < lowest {
                return fail(pos, format!("{value} does not fit {ty}"));
            }
            Ok(Value::Bv(Bits::from_bigint(width, value)))
        }
        (Ast::Float(text, own), Type::Float(kind)) if own.is_none_or(|own| own == ty) => {
            let bits = match kind {
                FloatKind::F32 => text.parse::<f32>().ok().map(|value| Bits::new(32, value.to_bits().into())),
                FloatKind::F64 => text.parse::<f64>().ok().map(|value| Bits::new(64, value.to_bits())),
                _ => return fail(pos, format!("write a number of type {ty} as `floatbits(pattern, {ty})`")),
            };
            match bits {
                Some(bits) => Ok(Value::float(kind, bits)),
                None => fail(pos, format!("`{text}` is not a number")),
            }
        }
        (Ast::Apply(name, args, Some(own)), Type::Float(kind)) if name == "floatbits" && *own == ty => {
            match args.as_slice() {
                [bits] => float_pattern(bits, kind),
                _ => fail(pos, "`floatbits(pattern, type)` takes one pattern"),
            }
        }
        _ => fail(pos, format!("this is not a value of type {ty}")),
    }
}
