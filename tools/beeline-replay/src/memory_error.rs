//! Kinds of memory errors at targets.

use beeline_ir::Target;
use beeline_lower::{ACCESS_TARGET, FREE_TARGET, LEAK_TARGET};

/// The kind of a memory error at a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An access.
    Access,
    /// A call of `free` or `realloc`.
    Free,
    /// An object is not freed at the end.
    Leak,
}

/// The kind of memory error of a target, if it is one.
pub(crate) fn kind(target: &Target) -> Option<Kind> {
    let starts = |what: &str| target.name.starts_with(what);
    match () {
        () if starts(ACCESS_TARGET) => Some(Kind::Access),
        () if starts(FREE_TARGET) => Some(Kind::Free),
        () if starts(LEAK_TARGET) => Some(Kind::Leak),
        () => None,
    }
}
