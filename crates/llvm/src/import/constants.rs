//! Constants, with constant expressions resolved as far as they can be without addresses.

use super::address::walk_address;
use super::integers::{int_bits, integer_operation};
use super::types::{Types, float_kind};
use crate::raw::{BlockRef, Value};
use beeline_ir::Bits;
use beeline_module::{BinaryOp, Const, FnId, GlobalId};
use llvm_sys::{LLVMOpcode, LLVMValueKind};
use rustc_hash::FxHashMap;

/// Constants nested deeper than this are not supported; C compilers stay far below it.
const MAX_DEPTH: u32 = 200;

/// The most parts of a constant that are imported. LLVM shares equal parts, so that a short text may stand for more
/// than fits in memory.
const MAX_PARTS: u32 = 1 << 22;

/// The same for a single constant expression.
const MAX_EXPRESSIONS: u32 = 1 << 12;

/// Converts constants of LLVM's.
pub(super) struct Constants<'m> {
    /// The types found so far.
    pub types: Types<'m>,
    /// The functions that a constant can be the address of.
    pub functions: FxHashMap<Value<'m>, FnId>,
    /// The global variables that a constant can be the address of.
    pub globals: FxHashMap<Value<'m>, GlobalId>,
    /// The positions of blocks in their functions, for all functions that were asked for.
    blocks: FxHashMap<BlockRef<'m>, u64>,
    /// Parts left for the current constant.
    parts_left: u32,
    /// Expressions left for the current part.
    expressions_left: u32,
}

impl<'m> Constants<'m> {
    /// Creates it with the types and the global objects of a module.
    pub(super) fn new(
        types: Types<'m>,
        functions: FxHashMap<Value<'m>, FnId>,
        globals: FxHashMap<Value<'m>, GlobalId>,
    ) -> Constants<'m> {
        Constants {
            types,
            functions,
            globals,
            blocks: FxHashMap::default(),
            parts_left: 0,
            expressions_left: 0,
        }
    }

    /// The constant of a value of LLVM's.
    pub(super) fn get(&mut self, value: Value<'m>) -> Const {
        self.parts_left = MAX_PARTS;
        self.expressions_left = MAX_EXPRESSIONS;
        self.part(value, 0)
    }

    /// A constant inside of `depth` others.
    fn part(&mut self, value: Value<'m>, depth: u32) -> Const {
        if depth > MAX_DEPTH || self.parts_left == 0 || self.expressions_left == 0 {
            return Const::Unknown("a constant that is nested too deep or too large".to_string());
        }
        self.parts_left -= 1;
        use LLVMValueKind::*;
        let known = match value.kind() {
            LLVMConstantIntValueKind => int_bits(value).map(Const::Int),
            LLVMConstantFPValueKind => self.float(value),
            LLVMConstantPointerNullValueKind => Some(Const::Int(Bits::zero(self.address_width(value)))),
            LLVMConstantAggregateZeroValueKind => Some(Const::Zero),
            LLVMUndefValueValueKind | LLVMPoisonValueKind => Some(Const::Undef),
            LLVMFunctionValueKind | LLVMGlobalIFuncValueKind => {
                self.functions.get(&value).map(|&function| Const::Func(function))
            }
            LLVMGlobalVariableValueKind => self.globals.get(&value).map(|&global| Const::Global(global, 0)),
            LLVMGlobalAliasValueKind => value.aliasee().map(|aliasee| self.part(aliasee, depth + 1)),
            LLVMBlockAddressValueKind => self.block_address(value),
            LLVMConstantDataArrayValueKind | LLVMConstantDataVectorValueKind => self.data(value, depth),
            LLVMConstantArrayValueKind | LLVMConstantStructValueKind | LLVMConstantVectorValueKind => {
                let parts = 0..value.operand_count();
                Some(Const::Aggregate(parts.map(|i| self.typed_part(value.operand(i), depth)).collect()))
            }
            LLVMConstantExprValueKind => self.expression(value, depth),
            // `dso_local_equivalent` and `no_cfi`, for which the C API has no kind: another address of
            // the same function.
            LLVMInstructionValueKind if value.as_inst().is_none() && value.operand_count() == 1 => {
                Some(self.part(value.operand(0), depth + 1))
            }
            _ => None,
        };
        known.unwrap_or_else(|| unknown(value))
    }

    fn typed_part(&mut self, value: Value<'m>, depth: u32) -> (beeline_module::TyId, Const) {
        // Expressions hold no aggregates: this is a new one.
        self.expressions_left = MAX_EXPRESSIONS;
        (self.types.get(value.ty()), self.part(value, depth + 1))
    }

    /// The width in bits of an address or an integer.
    fn address_width(&self, value: Value<'m>) -> u32 {
        value.ty().int_width().unwrap_or_else(|| {
            let bytes = self.types.layout().size(value.ty());
            u32::try_from(bytes * 8).expect("an address has few bits")
        })
    }

    fn float(&self, value: Value<'m>) -> Option<Const> {
        let kind = float_kind(value.ty())?;
        Some(Const::Float(kind, int_bits(value.float_as_int()?)?))
    }

    fn data(&mut self, value: Value<'m>, depth: u32) -> Option<Const> {
        if let Some(bytes) = value.byte_string() {
            return Some(Const::Bytes(bytes));
        }
        let length = u32::try_from(value.ty().length()?).ok()?;
        Some(Const::Aggregate((0..length).map(|i| self.typed_part(value.data_element(i), depth)).collect()))
    }

    /// The address of a block: one more than its position in its function.
    fn block_address(&mut self, value: Value<'m>) -> Option<Const> {
        let (function, block) = value.block_address()?;
        if !self.blocks.contains_key(&block) {
            self.blocks.extend(function.blocks().into_iter().zip(0..));
        }
        let number = self.blocks.get(&block)? + 1;
        Some(Const::Int(Bits::new(self.address_width(value), number)))
    }

    fn expression(&mut self, value: Value<'m>, depth: u32) -> Option<Const> {
        self.expressions_left -= 1;
        let opcode = value.const_opcode();
        if opcode == LLVMOpcode::LLVMGetElementPtr {
            return self.address(value, depth);
        }
        if !is_address_like(value) || (0..value.operand_count()).any(|i| !is_address_like(value.operand(i))) {
            return None;
        }
        let from = self.address_width(value.operand(0));
        let to = self.address_width(value);
        let first = self.part(value.operand(0), depth + 1);
        match opcode {
            LLVMOpcode::LLVMTrunc
            | LLVMOpcode::LLVMZExt
            | LLVMOpcode::LLVMPtrToInt
            | LLVMOpcode::LLVMIntToPtr => Some(resize(first, from, to, false)),
            #[cfg(feature = "llvm-22")]
            LLVMOpcode::LLVMPtrToAddr => Some(resize(first, from, to, false)),
            LLVMOpcode::LLVMSExt => Some(resize(first, from, to, true)),
            LLVMOpcode::LLVMBitCast | LLVMOpcode::LLVMAddrSpaceCast if from == to => Some(first),
            _ => {
                let op = integer_operation(opcode)?;
                let second = self.part(value.operand(1), depth + 1);
                Some(combine(op, first, second, to))
            }
        }
    }

    fn address(&mut self, value: Value<'m>, depth: u32) -> Option<Const> {
        let walk = walk_address(value, self.types.layout())?;
        let width = self.address_width(value);
        let base = self.part(value.operand(0), depth + 1);
        let offset = Const::Int(Bits::from_i64(width, walk.offset));
        let mut address = combine(BinaryOp::Add, base, offset, width);
        for (index, scale) in walk.steps {
            let from = self.address_width(index);
            let index = resize(self.part(index, depth + 1), from, width, true);
            let step = combine(BinaryOp::Mul, index, Const::Int(Bits::new(width, scale)), width);
            address = combine(BinaryOp::Add, address, step, width);
        }
        Some(address)
    }
}

fn unknown(value: Value<'_>) -> Const {
    Const::Unknown(value.print().chars().take(120).collect())
}

/// Whether it is an integer or a pointer (and not a vector of them).
fn is_address_like(value: Value<'_>) -> bool {
    value.ty().int_width().is_some() || value.ty().kind() == llvm_sys::LLVMTypeKind::LLVMPointerTypeKind
}

/// An operation on two constants of a width, computed where that needs no addresses.
fn combine(op: BinaryOp, a: Const, b: Const, width: u32) -> Const {
    match (op, a, b) {
        (_, Const::Undef, _) | (_, _, Const::Undef) => Const::Undef,
        (_, Const::Unknown(what), _) | (_, _, Const::Unknown(what)) => Const::Unknown(what),
        (op, Const::Int(a), Const::Int(b)) => match compute(op, &a, &b) {
            Some(result) => Const::Int(result),
            None => Const::Binary(op, Box::new(Const::Int(a)), Box::new(Const::Int(b))),
        },
        (BinaryOp::Add | BinaryOp::Sub, a, Const::Int(b)) if b.is_zero() => a,
        (BinaryOp::Add, Const::Int(b), a @ (Const::Global(..) | Const::Func(_))) => {
            combine(BinaryOp::Add, a, Const::Int(b), width)
        }
        (BinaryOp::Add, Const::Global(global, offset), Const::Int(b)) if width <= 64 => {
            Const::Global(global, moved(offset, &b, width))
        }
        (BinaryOp::Sub, Const::Global(global, offset), Const::Int(b)) if width <= 64 => {
            Const::Global(global, moved(offset, &b.neg(), width))
        }
        (BinaryOp::Sub, Const::Global(a, from), Const::Global(b, to)) if a == b => {
            Const::Int(Bits::from_i64(width, from.wrapping_sub(to)))
        }
        (op, a, b) => Const::Binary(op, Box::new(a), Box::new(b)),
    }
}

/// An offset plus a number, modulo two to the width (at most 64), as a signed number.
fn moved(offset: i64, by: &Bits, width: u32) -> i64 {
    let sum = Bits::from_i64(width, offset).add(by);
    sum.to_i64().expect("at most 64 bits fit")
}

fn compute(op: BinaryOp, a: &Bits, b: &Bits) -> Option<Bits> {
    Some(match op {
        BinaryOp::Add => a.add(b),
        BinaryOp::Sub => a.sub(b),
        BinaryOp::Mul => a.mul(b),
        BinaryOp::And => a.and(b),
        BinaryOp::Or => a.or(b),
        BinaryOp::Xor => a.xor(b),
        BinaryOp::Shl => a.shl(b),
        BinaryOp::LShr => a.lshr(b),
        BinaryOp::AShr => a.ashr(b),
        _ => return None,
    })
}

/// A constant of one width, converted to another.
fn resize(value: Const, from: u32, to: u32, signed: bool) -> Const {
    if from == to {
        return value;
    }
    match value {
        Const::Int(bits) if to < from => Const::Int(bits.extract(to - 1, 0)),
        Const::Int(bits) if signed => Const::Int(bits.sext(to)),
        Const::Int(bits) => Const::Int(bits.zext(to)),
        // Extending undef makes some of its bits zero or equal; every use may still take any value,
        // which errs to the side of more executions.
        Const::Undef => Const::Undef,
        Const::Unknown(what) => Const::Unknown(what),
        value => Const::Resize { to, signed, value: Box::new(value) },
    }
}
