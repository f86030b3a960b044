//! Operands as expressions, and conversions between the forms of a value.

use super::{Body, Val};
use crate::analyse::shape::image_bits;
use crate::analyse::shape::{Leaf, constant_bits, leaves};
use beeline_ir::{Assumption, Bits, CastOp, Direction, ExprId, Op, Type, Value};
use beeline_module::*;

impl Body<'_, '_> {
    /// The value of an operand; counts as one of its uses.
    pub(crate) fn operand(&mut self, operand: &Operand) -> Val {
        match operand {
            Operand::Inst(inst) => {
                self.left[*inst] = self.left[*inst].saturating_sub(1);
                match self.values.get(inst) {
                    Some(val) => val.clone(),
                    // After the end of a path, or a value that is not supported.
                    None => self.any(self.function.insts[*inst].ty),
                }
            }
            Operand::Param(index) => self.params.get(*index as usize).cloned().unwrap_or_default(),
            Operand::Const(ty, constant) => self.constant(*ty, constant),
            Operand::Other(_) => Val::new(),
        }
    }

    /// The value of an operand that has one leaf.
    pub(crate) fn scalar(&mut self, operand: &Operand) -> ExprId {
        let val = self.operand(operand);
        match val.first() {
            Some(&leaf) => leaf,
            None => self.cx.builder.exprs().bool(false),
        }
    }

    /// The value of an operand that is an address or an integer, at the width of a pointer.
    pub(crate) fn address(&mut self, operand: &Operand) -> ExprId {
        let value = self.scalar(operand);
        let value = self.as_bv(value);
        let width = self.cx.scope.module.pointer_width;
        self.cx.builder.exprs().resize(value, width, false)
    }

    /// A bit-vector; a truth value becomes one bit.
    pub(crate) fn as_bv(&mut self, value: ExprId) -> ExprId {
        match self.cx.builder.program().exprs.ty(value) {
            Type::Bool => self.cx.builder.exprs().bool_to_bv(value, 1),
            Type::Float(kind) => self.bits_of_float(value, kind),
            Type::Bv(_) => value,
        }
    }

    /// The bits of a leaf as a value of its type.
    pub(crate) fn bits_as(&mut self, bits: ExprId, ty: Type) -> ExprId {
        match ty {
            Type::Bool => {
                let low = self.cx.builder.exprs().extract(0, 0, bits);
                self.cx.builder.exprs().nonzero(low)
            }
            Type::Bv(width) => self.cx.builder.exprs().resize(bits, width, false),
            Type::Float(kind) => {
                let bits = self.cx.builder.exprs().resize(bits, kind.width(), false);
                self.cx.builder.exprs().cast(CastOp::FromBits, ty, bits)
            }
        }
    }

    /// Any value of a type, from a variable without one.
    pub(crate) fn any(&mut self, ty: TyId) -> Val {
        let list = leaves(self.cx.scope.module, ty).unwrap_or_default();
        list.iter().map(|leaf| self.any_leaf(leaf.ty)).collect()
    }

    /// Any value of a type, where that is a guess.
    pub(crate) fn guessed(&mut self, ty: TyId, kind: &str, text: String) -> Val {
        let val = self.any(ty);
        if val.is_empty() {
            self.cx.note(kind, text, Direction::Both, self.span);
        } else {
            self.inexact(kind, text, Direction::Both);
        }
        val
    }

    /// Notes that the newest edge does not do exactly what the program does there.
    pub(crate) fn inexact(&mut self, kind: &str, text: String, direction: Direction) {
        self.graph.assume(Assumption { kind: kind.into(), text, direction, edge: None, span: self.span });
    }

    /// Any value.
    pub(crate) fn any_leaf(&mut self, ty: Type) -> ExprId {
        let var = self.fresh("any", ty);
        self.emit(Op::Havoc(var, None));
        self.read(var)
    }

    fn constant(&mut self, ty: TyId, constant: &Const) -> Val {
        let module = self.cx.scope.module;
        if let Const::Aggregate(parts) = constant {
            return parts.iter().flat_map(|(ty, part)| self.constant(*ty, part)).collect();
        }
        let list = leaves(module, ty).unwrap_or_default();
        if let Const::Bytes(bytes) = constant {
            return bytes.iter().map(|&byte| self.cx.builder.exprs().bv(8, u64::from(byte))).collect();
        }
        list.iter().map(|leaf| self.constant_leaf(leaf, constant)).collect()
    }

    /// Whether something that is declared `weak` and not defined here is defined elsewhere: unknown.
    fn weakly_defined(&mut self, constant: &Const) -> Option<ExprId> {
        let module = self.cx.scope.module;
        let name = match constant {
            Const::Global(id, _) if module.globals[*id].weak => &module.globals[*id].name,
            Const::Func(id) if module.functions[*id].weak => &module.functions[*id].name,
            _ => return None,
        };
        Some(self.open_question(format!("{name} is defined")))
    }

    /// The answer to an unknown question, the same each time.
    pub(super) fn open_question(&mut self, question: String) -> ExprId {
        let var = match self.cx.open.get(&question) {
            Some(&var) => var,
            None => {
                let var = self.cx.builder.global(&question, Type::Bool, None);
                self.cx.open.insert(question, var);
                var
            }
        };
        self.read(var)
    }

    fn constant_leaf(&mut self, leaf: &Leaf, constant: &Const) -> ExprId {
        let width = image_bits(leaf.ty);
        let Some(bits) = constant_bits(constant, width, self.cx.layout) else {
            let any = self.any_leaf(leaf.ty);
            if let Const::Unknown(what) = constant {
                let text = format!("the constant {what} may have any value");
                self.inexact("unknown-constant", text, Direction::MayInventBug);
            }
            return any;
        };
        let value = match leaf.ty {
            Type::Bool => Value::Bool(!bits.is_zero()),
            Type::Bv(_) => Value::Bv(bits),
            Type::Float(kind) => Value::float(kind, bits),
        };
        let value = self.cx.builder.exprs().constant(value);
        match self.weakly_defined(constant) {
            Some(defined) => {
                let null = self.cx.builder.exprs().constant(Value::zero(leaf.ty));
                self.cx.builder.exprs().ite(defined, value, null)
            }
            None => value,
        }
    }

    /// The leaves of a value that is one bit-vector when it has several.
    pub(crate) fn unpack(&mut self, packed: ExprId, list: &[Leaf]) -> Val {
        if let [leaf] = list {
            return Val::from_slice(&[self.as_leaf(packed, leaf)]);
        }
        let mut at = 0;
        list.iter()
            .map(|leaf| {
                let width = image_bits(leaf.ty);
                let bits = self.cx.builder.exprs().extract(at + width - 1, at, packed);
                at += width;
                self.bits_as(bits, leaf.ty)
            })
            .collect()
    }

    /// A value as one expression: several leaves become a bit-vector, the first one lowest.
    pub(crate) fn pack(&mut self, val: &[ExprId]) -> Option<ExprId> {
        let (&first, rest) = val.split_first()?;
        if rest.is_empty() {
            let is_float = matches!(self.cx.builder.program().exprs.ty(first), Type::Float(_));
            return Some(if is_float && self.cx.scope.module.float_bits { self.as_bv(first) } else { first });
        }
        let mut packed = self.as_bv(first);
        for &leaf in rest {
            let high = self.as_bv(leaf);
            packed = self.cx.builder.exprs().concat(high, packed);
        }
        Some(packed)
    }

    /// A leaf as it is in memory: a bit-vector of whole bytes, or a float.
    pub(crate) fn memory_image(&mut self, value: ExprId, leaf: &Leaf) -> ExprId {
        match leaf.memory_type() {
            Type::Bv(width) => {
                let value = self.as_bv(value);
                self.cx.builder.exprs().resize(value, width, false)
            }
            _ => value,
        }
    }

    /// What is in memory, or was passed, as a leaf.
    pub(crate) fn as_leaf(&mut self, image: ExprId, leaf: &Leaf) -> ExprId {
        if self.cx.builder.program().exprs.ty(image) == leaf.ty {
            return image;
        }
        let image = self.as_bv(image);
        self.bits_as(image, leaf.ty)
    }

    /// A number of the pointer's width.
    pub(crate) fn word(&mut self, value: u64) -> ExprId {
        let width = self.cx.scope.module.pointer_width;
        self.cx.builder.exprs().bv(width, value)
    }

    /// An address some bytes further.
    pub(crate) fn offset(&mut self, addr: ExprId, bytes: i64) -> ExprId {
        let width = self.cx.scope.module.pointer_width;
        let bytes = self.cx.builder.exprs().constant(Value::Bv(Bits::from_i64(width, bytes)));
        self.cx.builder.exprs().add(addr, bytes)
    }
}
