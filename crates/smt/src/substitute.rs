//! Substitution of terms for constants.

use crate::memory::Memory;
use crate::term::{Formula, Term};
use z3::ast::{Ast, Dynamic};

/// A constant of a formula, or a term that may replace it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Constant {
    /// A term.
    Term(Term),
    /// A region's content.
    Memory(Memory),
}

impl Constant {
    /// Whether it is a value.
    pub fn is_value(&self) -> bool {
        let Constant::Term(term) = self else { return false };
        let term = term.dynamic();
        term.kind() == z3::AstKind::Numeral || term.as_bool().is_some_and(|truth| truth.as_bool().is_some())
    }

    pub(crate) fn dynamic(&self) -> Dynamic {
        match self {
            Constant::Term(term) => term.dynamic(),
            Constant::Memory(memory) => Dynamic::from_ast(&memory.0),
        }
    }
}

/// A substitution of terms for constants.
#[derive(Debug, Default)]
pub struct Substitution(Vec<(Dynamic, Dynamic)>);

impl Substitution {
    /// Adds a term for a constant.
    pub fn add(&mut self, constant: &Constant, value: &Constant) {
        self.0.push((constant.dynamic(), value.dynamic()));
    }

    /// The formula with all constants replaced at once, simplified.
    pub fn apply(&self, formula: &Formula) -> Formula {
        let pairs: Vec<(&Dynamic, &Dynamic)> = self.0.iter().map(|(from, to)| (from, to)).collect();
        formula.z3().substitute(&pairs).simplify().into()
    }
}
