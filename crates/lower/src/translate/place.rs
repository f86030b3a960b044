//! The place of an access.

use crate::analyse::points_to::Ptr;
use crate::analyse::promote::Object;
use beeline_ir::ExprId;

/// The place of an access.
#[derive(Debug, Clone)]
pub(super) enum Place {
    /// A promoted object, at an offset.
    Cells(Object, u64),
    /// Memory: the address and what it may point to.
    Memory(ExprId, Option<Ptr>),
}
