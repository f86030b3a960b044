//! Operations of which values do not show that they have results.

use crate::control::place::Step;
use beeline_ir::EdgeId;
use cranelift_entity::EntitySet;
use std::cell::{Cell, RefCell};

/// The edges of which known values do not show that their operations have results.
#[derive(Debug, Default)]
pub struct UndefinedOperations {
    noted: RefCell<EntitySet<EdgeId>>,
    /// May the step that is being taken have no result?
    pub open: Cell<bool>,
}

impl UndefinedOperations {
    /// Notes that known values do not give a step its result.
    pub fn note(&self, step: Step) {
        self.noted.borrow_mut().insert(step.edge());
    }

    /// Forgets what was noted.
    pub fn clear(&self) {
        self.noted.borrow_mut().clear();
    }

    /// Was nothing noted?
    pub fn is_empty(&self) -> bool {
        self.noted.borrow().is_empty()
    }

    /// Was the edge noted?
    pub fn contains(&self, edge: EdgeId) -> bool {
        self.noted.borrow().contains(edge)
    }
}
