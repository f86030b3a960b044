//! Intrinsics of other verifiers that are no inputs, assumptions or assertions.

/// The prefixes of intrinsics: such names are reserved, or nothing else uses them.
const PREFIXES: [&str; 6] = ["__CPROVER_", "__ESBMC_", "__SEAHORN_", "__SMACK_", "__VERIFIER_", "klee_"];

/// Intrinsics of SeaHorn without a prefix of their own.
const OF_SEAHORN: [&str; 12] = [
    "sea_assert_if",
    "sea_get_shadowmem",
    "sea_is_alloc",
    "sea_is_dereferenceable",
    "sea_is_deref",
    "sea_is_modified",
    "sea_is_read",
    "sea_reset_modified",
    "sea_reset_read",
    "sea_set_shadowmem",
    "sea_tracking_off",
    "sea_tracking_on",
];

/// Intrinsics that have no effect where there is one thread, or that only inform their own verifier.
const MEANINGLESS: [&str; 12] = [
    "__CPROVER_atomic_begin",
    "__CPROVER_atomic_end",
    "__CPROVER_cover",
    "__CPROVER_input",
    "__CPROVER_output",
    "__ESBMC_atomic_begin",
    "__ESBMC_atomic_end",
    "__ESBMC_yield",
    "klee_open_merge",
    "klee_close_merge",
    "klee_warning",
    "klee_warning_once",
];

/// The prefix of CBMC's names for static functions of other files. Such a function is one of the program's.
const STATIC: &str = "__CPROVER_file_local_";

/// Whether a function without a body is an intrinsic of another verifier.
pub(super) fn is_intrinsic(name: &str) -> bool {
    if name.starts_with(STATIC) {
        return false;
    }
    PREFIXES.iter().any(|prefix| name.starts_with(prefix)) || OF_SEAHORN.contains(&name)
}

/// Whether a call of it changes nothing.
pub(super) fn does_nothing(name: &str) -> bool {
    MEANINGLESS.contains(&name)
}
