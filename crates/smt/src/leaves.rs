//! The expressions that constants of formulas stand for.

use crate::linear::key_of;
use crate::memory::Memory;
use crate::term::Term;
use beeline_ir::{ExprId, RegionId, Type};
use rustc_hash::FxHashMap;
use z3::ast::Dynamic;

/// The expressions and regions that constants of a formula stand for.
#[derive(Debug, Default)]
pub struct Leaves {
    pub(crate) terms: FxHashMap<Term, ExprId>,
    pub(crate) memories: FxHashMap<Memory, (RegionId, Type)>,
    /// Unbounded integers that stand for bit-vectors.
    integers: FxHashMap<Dynamic, ExprId>,
}

impl Leaves {
    /// Makes a term stand for an expression.
    pub fn term(&mut self, term: Term, expr: ExprId) {
        if let Some(key) = key_of(&term) {
            self.integers.insert(key, expr);
        }
        self.terms.insert(term, expr);
    }

    pub(crate) fn integer(&self, term: &Dynamic) -> Option<ExprId> {
        self.integers.get(term).copied()
    }

    /// Makes a map stand for a region with cells of a type.
    pub fn memory(&mut self, memory: Memory, region: RegionId, cell: Type) {
        self.memories.insert(memory, (region, cell));
    }
}
