//! Symbolic states: what is known of an execution inside a block.

use crate::place::Slot;
use crate::truth::Truth;
use beeline_ir::{FuncId, RegionId, Value};
use beeline_smt::{Memory, Term, Unsupported};
use std::collections::BTreeMap;

/// A symbolic value: a known value, a term, or nothing where only known values are tracked.
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
    /// The term of a symbolic value.
    pub(crate) fn term(&self) -> Result<Term, Unsupported> {
        match self {
            Sym::Value(value) => Term::value(value),
            Sym::Term(term) => Ok(term.clone()),
            Sym::Open => Err(left_open()),
        }
    }

    /// The truth value of a symbolic value.
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

    /// Whether two symbolic values are equal.
    pub(crate) fn same(&self, other: &Sym) -> Result<Truth, Unsupported> {
        Ok(match (self, other) {
            (Sym::Value(a), Sym::Value(b)) => Truth::Known(a == b),
            (Sym::Open, _) | (_, Sym::Open) => Truth::Open,
            (a, b) => a.term()?.same(&b.term()?).into(),
        })
    }

    /// A choice between two symbolic values.
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

/// The content of a region: cells written at known addresses, over a map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cells {
    /// The map; `None` where only known values are tracked.
    pub base: Option<Memory>,
    /// Whether the map is the region's content at the start of the program.
    pub initial: bool,
    /// The cells, by address.
    pub over: BTreeMap<u64, Sym>,
}

/// A symbolic state.
#[derive(Debug, Clone)]
pub(crate) struct State {
    /// When an execution reaches this place.
    pub guard: Truth,
    /// Variables. A missing one has the constant of its activation.
    pub vars: BTreeMap<Slot, Sym>,
    /// Regions. A missing one is as it was at the start of the block.
    pub regions: BTreeMap<RegionId, Cells>,
    /// For activations that began in the block, the edge of the block where they began.
    pub begun: BTreeMap<(FuncId, u32), usize>,
}

/// The state before anything happens.
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

/// The reason that something has no term: it was not tracked.
pub(crate) fn left_open() -> Unsupported {
    Unsupported("an unknown value".into())
}
