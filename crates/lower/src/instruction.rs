//! Properties of single instructions: operands with their types and constants, the function that a call names, and
//! whether the call only fills or copies memory, or only gives a hint.

use beeline_module::names::MARK;
use beeline_module::*;

/// The type of an operand.
pub(crate) fn operand_type(module: &Module, function: &Function, operand: &Operand) -> Option<TyId> {
    match operand {
        Operand::Const(ty, _) => Some(*ty),
        Operand::Inst(inst) => Some(function.insts[*inst].ty),
        Operand::Param(index) => match module.kind(function.ty) {
            TyKind::Func(_, params, _) => params.get(*index as usize).copied(),
            _ => None,
        },
        Operand::Other(_) => None,
    }
}

/// Visits every operand of an instruction.
pub(crate) fn for_each_operand(kind: &mut InstKind, visit: &mut impl FnMut(&mut Operand)) {
    use InstKind::*;
    match kind {
        Alloca { count: a, .. }
        | Load { addr: a, .. }
        | FNeg(a)
        | Cast(_, a)
        | Freeze(a)
        | ExtractValue(a, _)
        | VaArg { list: a }
        | CondBr(a, ..)
        | Switch { value: a, .. }
        | IndirectBr { addr: a, .. }
        | Ret(Some(a)) => visit(a),
        Store { addr: a, value: b }
        | Binary(_, a, b)
        | IntCompare(_, a, b)
        | FloatCompare(_, a, b)
        | InsertValue(a, b, _)
        | ExtractElement(a, b)
        | ShuffleVector(a, b, _)
        | AtomicRmw { addr: a, value: b, .. } => {
            visit(a);
            visit(b);
        }
        Select(a, b, c) | InsertElement(a, b, c) | CmpXchg { addr: a, expected: b, new: c, .. } => {
            visit(a);
            visit(b);
            visit(c);
        }
        Gep { base, steps, .. } => {
            visit(base);
            steps.iter_mut().for_each(|step| visit(&mut step.index));
        }
        Phi(incoming) => incoming.iter_mut().for_each(|(_, operand)| visit(operand)),
        Call(call) => {
            visit(&mut call.callee);
            call.args.iter_mut().for_each(visit);
        }
        Fence | Br(_) | Ret(None) | Unreachable | Unsupported(_) => {}
    }
}

/// The operands of an instruction.
pub(crate) fn operands(kind: &InstKind) -> Vec<&Operand> {
    use InstKind::*;
    match kind {
        Alloca { count: a, .. }
        | Load { addr: a, .. }
        | FNeg(a)
        | Cast(_, a)
        | Freeze(a)
        | ExtractValue(a, _)
        | VaArg { list: a }
        | CondBr(a, ..)
        | Switch { value: a, .. }
        | IndirectBr { addr: a, .. }
        | Ret(Some(a)) => vec![a],
        Store { addr: a, value: b }
        | Binary(_, a, b)
        | IntCompare(_, a, b)
        | FloatCompare(_, a, b)
        | InsertValue(a, b, _)
        | ExtractElement(a, b)
        | ShuffleVector(a, b, _)
        | AtomicRmw { addr: a, value: b, .. } => vec![a, b],
        Select(a, b, c) | InsertElement(a, b, c) | CmpXchg { addr: a, expected: b, new: c, .. } => {
            vec![a, b, c]
        }
        Gep { base, steps, .. } => {
            std::iter::once(base).chain(steps.iter().map(|step| &step.index)).collect()
        }
        Phi(incoming) => incoming.iter().map(|(_, operand)| operand).collect(),
        Call(call) => std::iter::once(&call.callee).chain(&call.args).collect(),
        Fence | Br(_) | Ret(None) | Unreachable | Unsupported(_) => Vec::new(),
    }
}

/// A copy of constant size that a call makes, or the range that it fills.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RangeKind {
    /// Bytes get a value.
    Fill,
    /// Bytes are copied.
    Copy,
}

/// The effect of a call on memory ranges, if it is one of the intrinsics or library functions that fill or copy.
pub(crate) fn range_call(function: &Function) -> Option<RangeKind> {
    if !function.is_declaration() {
        return None;
    }
    let name = function.name.as_str();
    let starts = |prefix: &str| name.starts_with(prefix);
    if starts("llvm.memset.") || name == "memset" {
        Some(RangeKind::Fill)
    } else if starts("llvm.memcpy.") || starts("llvm.memmove.") || name == "memcpy" || name == "memmove" {
        Some(RangeKind::Copy)
    } else {
        None
    }
}

/// Whether the call is only a hint about a pointer for the optimiser.
///
/// Marks are hints: only the lowering reads them.
pub(crate) fn is_hint(name: &str) -> bool {
    name == MARK
        || ["llvm.lifetime.", "llvm.dbg.", "llvm.invariant.", "llvm.assume", "llvm.experimental.noalias"]
            .iter()
            .any(|prefix| name.starts_with(prefix))
}

/// The function that a call names.
pub(crate) fn callee<'a>(module: &'a Module, call: &CallInst) -> Option<(FnId, &'a Function)> {
    match &call.callee {
        Operand::Const(_, Const::Func(id)) => Some((*id, &module.functions[*id])),
        _ => None,
    }
}

/// The value of an operand that is a constant number.
pub(crate) fn constant_u64(operand: &Operand) -> Option<u64> {
    match operand {
        Operand::Const(_, Const::Int(bits)) => bits.to_u64(),
        Operand::Const(_, Const::Zero) => Some(0),
        _ => None,
    }
}

/// The value of an operand that is a constant number, which may be negative.
pub(crate) fn constant_i64(operand: &Operand) -> Option<i64> {
    match operand {
        Operand::Const(_, Const::Int(bits)) if bits.width() < 64 => bits.sext(64).to_u64().map(|n| n as i64),
        _ => constant_u64(operand).map(|number| number as i64),
    }
}

/// The words of the text of assembly that may be names: the operands, but not the instructions.
pub(crate) fn assembly_words(text: &str) -> impl Iterator<Item = &str> {
    let is_between = |c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '%' && c != '$' && c != '.';
    let instructions = text.split([';', '\n', ':']).map(str::trim);
    instructions.flat_map(move |text| text.split(is_between).skip(1)).filter(|word| !word.is_empty())
}
