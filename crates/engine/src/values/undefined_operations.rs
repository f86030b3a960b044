//! Undefined operations, as far as explicit values tell: the operations that are not shown to have a result.

use crate::control::place::Step;
use beeline_ir::EdgeId;
use cranelift_entity::EntitySet;
use std::cell::{Cell, RefCell};

/// The edges whose operations are not shown to have a result by known values.
#[derive(Debug, Default)]
pub struct UndefinedOperations {
    noted: RefCell<EntitySet<EdgeId>>,
    /// Whether the current step may have no result.
    pub open: Cell<bool>,
}

impl UndefinedOperations {
    /// Records that known values do not determine a result of a step.
    pub fn note(&self, step: Step) {
        self.noted.borrow_mut().insert(step.edge());
    }

    /// Forgets what was recorded.
    pub fn clear(&self) {
        self.noted.borrow_mut().clear();
    }

    /// Whether nothing was recorded.
    pub fn is_empty(&self) -> bool {
        self.noted.borrow().is_empty()
    }

    /// Whether the edge was recorded.
    pub fn contains(&self, edge: EdgeId) -> bool {
        self.noted.borrow().contains(edge)
    }
}
