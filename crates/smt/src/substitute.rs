//! Substitution of terms for constants.

use crate::ast::is_symbol;
use crate::memory::Memory;
use crate::term::{Formula, Kind, Term};
use z3::AstKind;
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
    /// Whether it is an uninterpreted constant.
    pub fn is_symbol(&self) -> bool {
        is_symbol(&self.dynamic())
    }

    /// Whether it is a bit-vector or a truth value.
    pub fn is_value(&self) -> bool {
        match self {
            Constant::Term(Term(Kind::Bool(formula))) => formula.known().is_some(),
            Constant::Term(Term(Kind::Bv(bits))) => bits.kind() == AstKind::Numeral,
            _ => false,
        }
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
