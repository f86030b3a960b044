//! What was asked of the solver already: states are made anew after each refinement, but most of them in places where
//! nothing new is looked at.

use super::intraprocedural::Begins;
use crate::state::bdd::Bdd;
use crate::state::precision::{Care, PredId};
use crate::values::Values;
use beeline_ir::{EdgeId, FuncId};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What leads from a state to the next one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Way {
    /// Its block, to one of the exits.
    Block(usize),
    /// A call, to where the callee begins.
    Into(EdgeId, FuncId),
    /// A call, to where it returns when the callee ends with these values and predicates.
    Back(EdgeId, FuncId, Arc<Values>, Bdd),
}

/// All that an abstraction depends on. Diagrams are those of one search, which lives as long as this does.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Question {
    /// Where it begins.
    pub begins: Begins,
    /// What values are known there.
    pub values: Arc<Values>,
    /// What is known of predicates there.
    pub formula: Bdd,
    /// The way from there.
    pub way: Way,
    /// What values are known behind it.
    pub after: Values,
    /// The predicates that are looked at behind it.
    pub wanted: Vec<PredId>,
    /// How much it may cost.
    pub care: Care,
}

/// Answers; `None` where nothing gets.
pub(super) type Answers = FxHashMap<Question, Option<Bdd>>;
