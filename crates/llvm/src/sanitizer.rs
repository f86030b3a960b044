//! The checks of clang's sanitizers, by the numbers of their traps.

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
