//! The account of a result: the operations that may have no result in its proof, and the functions that executions enter.
//! Assumptions that people read follow from it. Here it is compared with what the executions of a block do.

use super::{Depth, Executor};
use crate::state::State;
use crate::truth::Truth;
use beeline_ir::{EdgeId, ExprId, FuncId};
use beeline_run::{Certificate, Run};
use std::collections::BTreeSet;

/// The account of a result.
#[derive(Debug, Clone, Default)]
pub struct Account {
    /// The edges that may have no result.
    undefined: BTreeSet<EdgeId>,
    /// The functions that executions enter.
    entered: BTreeSet<FuncId>,
}

impl Account {
    /// The account of a result whose proofs are about all executions.
    pub fn of(run: &Run) -> Account {
        let stacks = |graph: &beeline_run::RunProof| graph.stacks.iter().map(|stack| stack.callee).collect();
        let entered = |proof: &Certificate| match proof {
            Certificate::Graph(graph) => stacks(graph),
            Certificate::Summaries(summaries) => stacks(&summaries.graph),
            Certificate::Unrolling(unrolling) => unrolling.entered.clone(),
            Certificate::Joined(_) => Vec::new(),
        };
        Account {
            undefined: run.undefined.iter().copied().collect(),
            entered: run.proofs.iter().flat_map(entered).collect(),
        }
    }
}

/// Something that executions may do and an account does not list.
#[derive(Debug, Clone)]
pub(crate) struct Unlisted {
    /// Its description.
    pub what: &'static str,
    /// The condition under which an execution does it.
    pub guard: Truth,
}

impl<'a> Executor<'a> {
    /// The same executor, which notes what an account does not list.
    pub(crate) fn accounting(self, account: Option<&'a Account>) -> Executor<'a> {
        Executor { account, ..self }
    }

    /// Ends the executions in which an operation has no result.
    pub(super) fn ends_unless(&mut self, state: &mut State, defined: Truth) {
        self.note_undefined(state.guard.and(&defined.not()));
        state.guard = state.guard.and(&defined);
    }

    /// Notes that an expression of which nothing is known may have no result.
    pub(super) fn may_end(&mut self, state: &State, expr: ExprId) {
        if self.account.is_some() && !self.program.exprs.is_total(expr) {
            self.note_undefined(state.guard.and(&Truth::Open));
        }
    }

    /// Notes that an access at an address of which nothing is known may be outside of every object.
    pub(super) fn may_miss(&mut self, state: &State) {
        debug_assert_eq!(self.depth, Depth::Values);
        self.note_undefined(state.guard.and(&Truth::Open));
    }

    fn note_undefined(&mut self, guard: Truth) {
        let is_listed = |account: &Account| self.edge.is_some_and(|edge| account.undefined.contains(&edge));
        if self.account.is_some_and(|account| !is_listed(account)) {
            self.note("an operation may have no result, and the result does not list it", guard);
        }
    }

    /// Notes that executions enter a function.
    pub(super) fn note_entered(&mut self, state: &State, func: FuncId) {
        if self.account.is_some_and(|account| !account.entered.contains(&func)) {
            self.note("an execution enters a function that the result does not list", state.guard.clone());
        }
    }

    fn note(&mut self, what: &'static str, guard: Truth) {
        if !guard.is(false) {
            self.unlisted.push(Unlisted { what, guard });
        }
    }
}
