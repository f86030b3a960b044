//! The compiler for native programs.

/// Its name: that of BEELINE_CLANG, or the one that scripts/setup installs.
pub(crate) fn compiler() -> String {
    std::env::var("BEELINE_CLANG").unwrap_or_else(|_| "clang-19".into())
}
