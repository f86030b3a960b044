//! The query cache: the solver's answers by query. States are made anew after each refinement, but at most
//! places the precision has not changed.

use super::intraprocedural::Begins;
use crate::state::bdd::Bdd;
use crate::state::precision::{Care, PredId};
use crate::values::Values;
use beeline_ir::{EdgeId, FuncId};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The connection from a state to the next one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Way {
    /// Its block, to one of the exits.
    Block(usize),
    /// A call, to the entry of the callee.
    Into(EdgeId, FuncId),
    /// A call, to the location after it, when the callee exits with these values and predicates.
    Back(EdgeId, FuncId, Arc<Values>, Bdd),
}

/// Everything that an abstraction depends on. Diagrams are those of one search, which lives as long as the
/// cache.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Question {
    /// The beginning.
    pub begins: Begins,
    /// The values known there.
    pub values: Arc<Values>,
    /// The predicates known there.
    pub formula: Bdd,
    /// The connection to the next state.
    pub way: Way,
    /// The values known after it.
    pub after: Values,
    /// The predicates to decide after it.
    pub wanted: Vec<PredId>,
    /// The effort.
    pub care: Care,
}

/// Answers; `None` where the next state cannot be reached.
pub(super) type Answers = FxHashMap<Question, Option<Bdd>>;
