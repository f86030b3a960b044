//! Integer constants, and the operations on integers.

use crate::raw::Value;
use beeline_ir::Bits;
use beeline_module::BinaryOp;
use llvm_sys::{LLVMOpcode, LLVMValueKind};
use num_bigint::BigInt;

/// The value of an integer constant.
pub(super) fn int_bits(value: Value<'_>) -> Option<Bits> {
    let width = value.ty().int_width()?;
    if let Some(small) = value.small_int() {
        return Some(Bits::new(width, small));
    }
    if value.kind() != LLVMValueKind::LLVMConstantIntValueKind {
        return None;
    }
    // The C API gives 64 bits at most; the printed form is `i128 -42`.
    let text = value.print();
    let number = text.split_whitespace().nth(1)?.parse::<BigInt>().ok()?;
    Some(Bits::from_bigint(width, &number))
}

/// The operation of an integer opcode.
pub(super) fn integer_operation(opcode: LLVMOpcode) -> Option<BinaryOp> {
    Some(match opcode {
        LLVMOpcode::LLVMAdd => BinaryOp::Add,
        LLVMOpcode::LLVMSub => BinaryOp::Sub,
        LLVMOpcode::LLVMMul => BinaryOp::Mul,
        LLVMOpcode::LLVMUDiv => BinaryOp::UDiv,
        LLVMOpcode::LLVMSDiv => BinaryOp::SDiv,
        LLVMOpcode::LLVMURem => BinaryOp::URem,
        LLVMOpcode::LLVMSRem => BinaryOp::SRem,
        LLVMOpcode::LLVMAnd => BinaryOp::And,
        LLVMOpcode::LLVMOr => BinaryOp::Or,
        LLVMOpcode::LLVMXor => BinaryOp::Xor,
        LLVMOpcode::LLVMShl => BinaryOp::Shl,
        LLVMOpcode::LLVMLShr => BinaryOp::LShr,
        LLVMOpcode::LLVMAShr => BinaryOp::AShr,
        _ => return None,
    })
}
