//! Symbolic states: what an execution knows inside a block.

use crate::place::Slot;
use beeline_ir::{FuncId, RegionId, Value};
use beeline_smt::{Formula, Memory, Term, Unsupported};
use std::collections::BTreeMap;

/// A value, or a term where it is not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sym {
    /// A value.
    Value(Value),
    /// A term.
    Term(Term),
}

impl Sym {
    /// As a term.
    pub fn term(&self) -> Result<Term, Unsupported> {
        match self {
            Sym::Value(value) => Term::value(value),
            Sym::Term(term) => Ok(term.clone()),
        }
    }

    /// The value, if it is known.
    pub fn value(&self) -> Option<&Value> {
        if let Sym::Value(value) = self { Some(value) } else { None }
    }

    /// Are the two the same value?
    pub fn same(&self, other: &Sym) -> Result<Formula, Unsupported> {
        Ok(match (self, other) {
            (Sym::Value(a), Sym::Value(b)) => Formula::constant(a == b),
            (a, b) => a.term()?.same(&b.term()?),
        })
    }

    /// One of two.
    pub fn ite(cond: &Formula, a: &Sym, b: &Sym) -> Result<Sym, Unsupported> {
        if a == b { Ok(a.clone()) } else { Ok(Sym::Term(Term::ite(cond, &a.term()?, &b.term()?))) }
    }
}

/// What a region holds: cells written at known addresses over a map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cells {
    /// The map.
    pub base: Memory,
    /// Is the map the region's content at the start of the program?
    pub initial: bool,
    /// The cells, by address.
    pub over: BTreeMap<u64, Sym>,
}

/// A symbolic state.
#[derive(Debug, Clone)]
pub struct State {
    /// When an execution gets here.
    pub guard: Formula,
    /// Variables; those that are missing have the constant of their activation.
    pub vars: BTreeMap<Slot, Sym>,
    /// Regions; those that are missing are as they were where the block starts.
    pub regions: BTreeMap<RegionId, Cells>,
    /// For activations that began in the block, the edge of the block where they did.
    pub begun: BTreeMap<(FuncId, u32), usize>,
}

/// Before anything happens.
impl Default for State {
    fn default() -> State {
        State {
            guard: Formula::constant(true),
            vars: BTreeMap::new(),
            regions: BTreeMap::new(),
            begun: BTreeMap::new(),
        }
    }
}
