//! Symbolic states: what an execution knows inside a block.

use crate::place::Slot;
use crate::truth::Truth;
use beeline_ir::{FuncId, RegionId, Value};
use beeline_smt::{Memory, Term, Unsupported};
use std::collections::BTreeMap;

/// A value, or a term where it is not known, or nothing where only known values are looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Sym {
    /// A value.
    Value(Value),
    /// A term.
    Term(Term),
    /// Any value.
    Open,
}

impl Sym {
    /// As a term.
    pub(crate) fn term(&self) -> Result<Term, Unsupported> {
        match self {
            Sym::Value(value) => Term::value(value),
            Sym::Term(term) => Ok(term.clone()),
            Sym::Open => Err(left_open()),
        }
    }

    /// As a truth value.
    pub(crate) fn truth(&self) -> Truth {
        match self {
            Sym::Value(value) => Truth::Known(*value == Value::Bool(true)),
            Sym::Term(term) => term.as_formula().map_or(Truth::Known(true), |holds| holds.clone().into()),
            Sym::Open => Truth::Open,
        }
    }

    /// The value, if it is known.
    pub(crate) fn value(&self) -> Option<&Value> {
        if let Sym::Value(value) = self { Some(value) } else { None }
    }

    /// Are the two the same value?
    pub(crate) fn same(&self, other: &Sym) -> Result<Truth, Unsupported> {
        Ok(match (self, other) {
            (Sym::Value(a), Sym::Value(b)) => Truth::Known(a == b),
            (Sym::Open, _) | (_, Sym::Open) => Truth::Open,
            (a, b) => a.term()?.same(&b.term()?).into(),
        })
    }

    /// One of two.
    pub(crate) fn ite(cond: &Truth, a: &Sym, b: &Sym) -> Result<Sym, Unsupported> {
        if a == b {
            return Ok(a.clone());
        }
        match (a, b, cond.formula()) {
            (Sym::Open, ..) | (_, Sym::Open, _) | (.., None) => Ok(Sym::Open),
            (a, b, Some(cond)) => Ok(Sym::Term(Term::ite(&cond, &a.term()?, &b.term()?))),
        }
    }
}

/// What a region holds: cells written at known addresses over a map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cells {
    /// The map; nothing where only known values are looked at.
    pub base: Option<Memory>,
    /// Is the map the region's content at the start of the program?
    pub initial: bool,
    /// The cells, by address.
    pub over: BTreeMap<u64, Sym>,
}

/// A symbolic state.
#[derive(Debug, Clone)]
pub(crate) struct State {
    /// When an execution reaches this place.
    pub guard: Truth,
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
            guard: Truth::Known(true),
            vars: BTreeMap::new(),
            regions: BTreeMap::new(),
            begun: BTreeMap::new(),
        }
    }
}

/// Why something has no term: it was not looked at.
pub(crate) fn left_open() -> Unsupported {
    Unsupported("an unknown value".into())
}
