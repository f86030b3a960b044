//! The facts of queries that follow each other, and the SAT solver that knows them.

use crate::limits::QueryLimits;
use crate::model::Model;
use crate::sat::{Asked, Incremental};
use crate::term::Formula;
use z3::ast::Dynamic;

/// The facts that the solver knows.
#[derive(Debug, Default)]
pub(crate) struct Known {
    facts: Vec<Formula>,
    solver: Incremental,
    /// Whether there are other facts, which the solver cannot express.
    is_partial: bool,
}

impl Known {
    /// No facts, for a single query of so many ticks.
    pub(crate) fn within(ticks: u64) -> Known {
        Known { solver: Incremental::within(ticks), ..Known::default() }
    }

    /// Learns further facts. Returns false if these are not those of earlier queries and more.
    fn learn(&mut self, facts: &[Formula], limits: &QueryLimits) -> bool {
        let Some(new) = facts.strip_prefix(&self.facts[..]) else { return false };
        for fact in new {
            self.is_partial |= !self.solver.learn(fact, limits);
        }
        self.facts.extend_from_slice(new);
        true
    }

    /// Whether some facts and a formula hold in an assignment that was found for an earlier query.
    pub(crate) fn was_seen(&mut self, facts: &[Formula], formula: &Formula, limits: &QueryLimits) -> bool {
        self.learn(facts, limits) && !self.is_partial && self.solver.was_seen(formula, limits)
    }

    /// Decides with so many ticks whether a formula is satisfiable under some facts. These have to be those of
    /// earlier queries and more.
    pub(crate) fn ask(
        &mut self,
        facts: &[Formula],
        formula: &Formula,
        ticks: u64,
        limits: &QueryLimits,
    ) -> Asked {
        if !self.learn(facts, limits) {
            return Asked::Refused;
        }
        match self.solver.decide(formula, limits.affordable(ticks.min(limits.query_ticks)), limits) {
            Asked::Sat if self.is_partial => Asked::Refused,
            asked => asked,
        }
    }

    /// The value of a constant in the valuation that was found last.
    pub(crate) fn part(&self, constant: &Dynamic) -> Option<Dynamic> {
        self.solver.part(constant)
    }

    /// The valuation that was found last, if the facts and the formula hold in it.
    pub(crate) fn model(&self, formula: &Formula) -> Option<Model> {
        let model = Model::new(self.solver.model()?);
        let mut all = self.facts.iter().chain([formula]);
        all.all(|formula| model.truth(formula) == Some(true)).then_some(model)
    }
}
