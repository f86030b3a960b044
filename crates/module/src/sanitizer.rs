//! The checks of clang's sanitizers, by the numbers of their traps and the arguments of their handlers.

use crate::{CallInst, Const, Module, Operand};

/// The numbering is that of `llvm.ubsantrap`.
const CHECKS: [&str; 25] = [
    "add_overflow",
    "builtin_unreachable",
    "cfi_check_fail",
    "divrem_overflow",
    "dynamic_type_cache_miss",
    "float_cast_overflow",
    "function_type_mismatch",
    "implicit_conversion",
    "invalid_builtin",
    "invalid_objc_cast",
    "load_invalid_value",
    "missing_return",
    "mul_overflow",
    "negate_overflow",
    "nullability_arg",
    "nullability_return",
    "nonnull_arg",
    "nonnull_return",
    "out_of_bounds",
    "pointer_overflow",
    "shift_out_of_bounds",
    "sub_overflow",
    "type_mismatch",
    "alignment_assumption",
    "vla_bound_not_positive",
];

/// The handler that the sanitizer calls where it does not trap.
pub fn handler_of_trap(number: u64) -> String {
    let check = usize::try_from(number).ok().and_then(|number| CHECKS.get(number));
    format!("__ubsan_handle_{}", check.copied().unwrap_or("check"))
}

/// Whether a handler of overflows is called for a type of unsigned numbers, as the type's description says, which the
/// handler's first argument leads to.
pub fn is_of_unsigned(module: &Module, call: &CallInst) -> bool {
    let at = |value: &Const| match value {
        Const::Global(id, 0) => module.globals[*id].init.as_ref(),
        _ => None,
    };
    let member = |value: &Const, index: usize| match value {
        Const::Aggregate(members) => members.get(index).map(|(_, member)| member.clone()),
        _ => None,
    };
    let Some(Operand::Const(_, data)) = call.args.first() else { return false };
    let ty = at(data).and_then(|data| member(data, 1));
    let Some(description) = ty.as_ref().and_then(at) else { return false };
    let number = |index| match member(description, index)? {
        Const::Int(bits) => bits.to_u64(),
        Const::Zero => Some(0),
        _ => None,
    };
    // The kind of integers is 0; the lowest bit of the rest is whether they are signed.
    number(0) == Some(0) && number(1).is_some_and(|rest| rest % 2 == 0)
}
