//! Undefined operations on a path: executions end there that a machine might continue.
//!
//! A division by zero or an access outside of every object has no result, and the execution ends there. A
//! proof that no execution reaches a target says nothing about what a machine does after such a point. So the
//! states of a proof are checked afterwards: which operations may have no result in them, and whether an
//! execution reaches one.

pub(crate) mod test_executions;

use crate::control::Control;
use crate::control::block::Block;
use crate::control::place::Place;
use crate::formula::Executor;
use crate::monitor::Monitor;
use crate::options::OnUndefined;
use crate::outcome::verdict::Reason;
use crate::state::abstraction::Start;
use crate::state::arg::{Arg, NodeId};
use crate::state::bdd::Bdds;
use crate::state::precision::Predicates;
use crate::values::ValuesPool;
use beeline_interp::StuckReason;
use beeline_ir::{Assumption, EdgeId, NOT_MODELLED, Program};
use beeline_run::RunBroken;
use beeline_smt::solver::fold;
use beeline_smt::{Answer, Formula, Meter, Query, QueryLimits, TICKS_PER_SECOND, Unsupported};
use std::time::Duration;

/// The ticks of the stuck-state check.
pub(crate) const SURVEY: u64 = 2 * TICKS_PER_SECOND;
/// The time of the same check for a run whose time is up.
const SURVEY_TIME: Duration = Duration::from_millis(350);
/// The ticks and the time of the same check for a graph that is not a proof, which is made after each search without an answer.
const REST_SURVEY: (u64, Duration) = (SURVEY / 64, Duration::from_millis(50));
/// The greatest number of undefined operations to which an execution is searched.
pub(crate) const MOST_FOLLOWED: usize = 16;

/// Leaves ticks and time for the stuck-state check: a search that a limit ended still says what its proof rests on, in
/// the place of assuming what it had no time to look at.
pub(crate) fn leave_survey(meter: &Meter) {
    meter.leave(SURVEY, SURVEY_TIME);
}

/// Leaves ticks and time for the stuck-state check of a graph that is not a proof. Returns the ticks.
pub(crate) fn leave_rest_survey(meter: &Meter) -> u64 {
    let (ticks, time) = REST_SURVEY;
    meter.leave(ticks, time);
    ticks
}

/// How executions that reach an undefined operation are treated.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Courses<'a> {
    pub program: &'a Program,
    pub undefined: OnUndefined,
    /// Receives the executions that mean nothing for targets.
    pub monitor: &'a Monitor,
}

impl Courses<'_> {
    /// Why nothing is known of the targets after an edge where an execution ends, if that is so.
    pub(crate) fn cause(self, edge: EdgeId, reason: StuckReason) -> Option<Reason> {
        self.cause_unless(edge, reason, || false)
    }

    /// The same where `others` says whether other executions of the same path go on with a result.
    pub(crate) fn cause_unless(
        self,
        edge: EdgeId,
        reason: StuckReason,
        others: impl FnOnce() -> bool,
    ) -> Option<Reason> {
        let cause = cause(self.program, edge, reason)?;
        if self.program.assumptions.iter().any(|noted| noted.edge == Some(edge) && noted.kind == NOT_MODELLED)
        {
            // An execution that reaches an operation without a model is defined.
            return Some(cause);
        }
        let at = match (self.undefined, &cause) {
            (OnUndefined::Continue, Reason::Undefined(place, cause)) => (place.clone(), cause.clone()),
            (OnUndefined::Continue, Reason::Broken(place, rule)) => {
                (place.clone(), beeline_run::violated(rule))
            }
            _ => return Some(cause),
        };
        if !self.has_defined_executions(edge) && !others() {
            // Otherwise the verdict would be about no execution, as far as can be seen.
            return Some(cause);
        }
        let (place, cause) = at;
        self.monitor.breaks(RunBroken { place, cause });
        None
    }

    /// Whether a test execution takes this edge, or leaves its predecessors by another branch.
    fn has_defined_executions(self, edge: EdgeId) -> bool {
        let program = self.program;
        let taken = self.monitor.taken(|| test_executions::taken(program));
        let src = program.edges[edge].src;
        let before =
            program.functions[program.function_of(src)].locations().flat_map(|loc| program.out_edges(loc));
        let before = before.filter(|&before| program.edges[before].dst == src);
        let aside = before.flat_map(|before| program.out_edges(program.edges[before].src));
        taken.contains(&edge)
            || aside.into_iter().any(|aside| program.edges[aside].dst != src && taken.contains(&aside))
    }
}

/// The reason why an execution that ends at an edge leaves targets open, if a machine might go on there. A
/// division by zero ends executions on real machines, too.
fn cause(program: &Program, edge: EdgeId, reason: StuckReason) -> Option<Reason> {
    let is_noted = |assumption: &&Assumption| assumption.edge == Some(edge) && assumption.ends();
    let place = program.show_origin(edge);
    match (program.assumptions.iter().find(is_noted), reason) {
        (Some(noted), _) if noted.kind == NOT_MODELLED => Some(Reason::Undefined(place, noted.text.clone())),
        (Some(undefined), _) => Some(Reason::Broken(place, undefined.text.clone())),
        (None, StuckReason::OutsideObject(_)) => Some(Reason::Undefined(place, reason.to_string())),
        (None, _) => None,
    }
}

/// An edge that may have no result in a state.
#[derive(Debug, Clone, Copy)]
pub struct Open {
    /// The state.
    pub node: NodeId,
    /// The index of the edge in the block that starts in the state.
    pub index: usize,
    /// The edge.
    pub edge: EdgeId,
}

/// A finished graph with its parts.
pub struct Finished<'a> {
    /// The program.
    pub program: &'a Program,
    /// The control that its places refer to.
    pub control: &'a dyn Control,
    /// The graph.
    pub arg: &'a Arg,
    /// The values of its states.
    pub pool: &'a ValuesPool,
    /// The diagrams of its states.
    pub bdds: &'a Bdds,
    /// The predicates of the diagrams.
    pub predicates: &'a Predicates,
}

impl Finished<'_> {
    /// The edges of the block starting in a state that may have no result in it. Only edges for which `asked`
    /// holds are checked. Where the solver does not answer, an edge may have no result.
    pub fn open_edges(
        &self,
        node: NodeId,
        block: &Block,
        mut asked: impl FnMut(Place, EdgeId) -> bool,
        limits: &QueryLimits,
    ) -> Vec<Open> {
        let candidates: Vec<Open> = block
            .edges
            .iter()
            .enumerate()
            .filter_map(|(index, step)| {
                let edge = step.step.edge_taken()?;
                asked(block.nodes[step.src], edge).then_some(Open { node, index, edge })
            })
            .collect();
        if candidates.is_empty() || limits.is_over() {
            return candidates;
        }
        match self.undecided(node, block, &candidates, limits) {
            Ok(open) => open,
            Err(Unsupported(_)) => candidates,
        }
    }

    fn undecided(
        &self,
        id: NodeId,
        block: &Block,
        candidates: &[Open],
        limits: &QueryLimits,
    ) -> Result<Vec<Open>, Unsupported> {
        let mut executor = Executor::new(self.program, self.control, true);
        let start = Start::of(self.arg, self.pool, id);
        let (state, before) = start.state(&mut executor, self.predicates, self.bdds)?;
        let done = executor.whole_block(block, state)?;
        let mut conditions: Vec<(Open, Formula)> = candidates
            .iter()
            .filter_map(|&open| Some((open, fold(&done.undefined.get(&open.index)?.formula()))))
            .filter(|(_, condition)| !condition.is_constant(false))
            .collect();
        let query = Query::new(limits);
        if !conditions.is_empty() {
            executor.facts.iter().for_each(|fact| query.assert(fact));
            query.assert(&before);
        }
        let mut found = Vec::new();
        while !conditions.is_empty() {
            query.push();
            query.assert(&Formula::any(conditions.iter().map(|(_, condition)| condition.clone())));
            let answer = query.check();
            query.pop();
            let met = |condition: &Formula| match &answer {
                Answer::Unsat => false,
                Answer::Unknown(_) => true,
                Answer::Sat(model) => model.truth(condition) == Some(true),
            };
            let (open, rest): (Vec<_>, Vec<_>) =
                conditions.into_iter().partition(|(_, condition)| met(condition));
            conditions = rest;
            if open.is_empty() {
                // A model that decides none of the conditions excludes none of them.
                let all = matches!(answer, Answer::Sat(_)).then_some(conditions);
                found.extend(all.into_iter().flatten().map(|(open, _)| open));
                break;
            }
            found.extend(open.into_iter().map(|(open, _)| open));
        }
        Ok(found)
    }
}
