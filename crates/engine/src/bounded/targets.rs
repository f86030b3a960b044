//! Target queries: which targets an unrolling reaches, query by query until there is no other execution.

use super::explore::Reached;
use super::{Finished, TICKS_OF_A_GATE};
use crate::monitor::Monitor;
use crate::outcome::verdict::{Answers, Reason, Statistics, limit_reached};
use crate::paths::counterexample::{self, Counterexample, Feasibility, Walk};
use beeline_ir::LocId;
use beeline_smt::solver::gates;
use beeline_smt::{Answer, Formula, Meter, QueryLimits, TICKS_PER_SECOND};
use std::collections::BTreeSet;
use tracing::{debug, info};

/// The factor by which the ticks of a repeated query grow.
const MORE: u64 = 4;
/// A query about at most so many targets is repeated with more ticks before it is split: each part takes
/// about as long.
const FEW_TARGETS: usize = 8;
/// The greatest multiple of a query's usual ticks, where nothing else remains to be done.
const PATIENCE: u64 = 16;

/// The ticks of the queries where loops go on beyond the unrolling: this multiple of what the unrolling took,
/// or the minimum. What they do not find is searched in the next unrolling.
const BEFORE_THE_END: u64 = 2;
const LEAST_BEFORE_THE_END: u64 = 2 * TICKS_PER_SECOND;

/// Target queries with their limits.
pub(super) struct TargetQueries<'a> {
    pub answers: &'a mut Answers,
    pub monitor: &'a Monitor,
    pub limits: &'a QueryLimits,
    pub meter: &'a Meter,
    pub statistics: &'a mut Statistics,
    /// Whether no loop goes on. Then the queries are all that remains.
    pub is_all: bool,
    /// Whether there will be a further unrolling for open targets. Then this one may use fewer ticks.
    pub goes_on: bool,
    /// The ticks of the unrolling.
    pub work: u64,
    /// Why a target was left open for the next unrolling.
    pub left_open: Option<Reason>,
    /// The targets with a place for which there is no answer.
    pub unsettled: BTreeSet<LocId>,
}

/// The answer to a target query.
enum Reply {
    /// An execution reaches its target.
    Reached(Box<Counterexample>),
    /// An execution reaches its target if a guess is right.
    Guessed(Reason, Box<Counterexample>),
    /// There is no execution.
    None,
    /// It is not decided.
    Undecided(Reason),
}

impl TargetQueries<'_> {
    /// Searches executions to places at targets, to any of them, until there is none. If a query about many
    /// places is too hard for the solver, it is repeated with more ticks, or split. Returns the limit that
    /// ended the queries, if one did.
    pub(super) fn decide(&mut self, finished: &mut Finished<'_>, reached: Vec<Reached>) -> Option<Reason> {
        let first = self.limits.query_ticks;
        let most = if self.is_all { first.saturating_mul(PATIENCE) } else { first };
        let until = self.until();
        self.unsettled = finished.targets(&reached);
        let mut questions = vec![(reached, first)];
        while let Some((mut asked, ticks)) = questions.pop() {
            asked.retain(|reached| self.answers.open().contains(&finished.loc(reached)));
            if asked.is_empty() || self.answers.are_complete() {
                continue;
            }
            let Some(left) = until.checked_sub(self.meter.used()) else {
                self.left_open.get_or_insert(Reason::Ticks);
                break;
            };
            self.statistics.paths_checked += 1;
            let limits = self.limits.each(ticks).within(left);
            let limits = if self.is_all { limits.patient() } else { limits };
            let reply = finished.ask(&asked, &limits, self.meter);
            self.statistics.add_queries(&limits);
            match reply {
                Reply::None => {
                    finished.targets(&asked).iter().for_each(|target| _ = self.unsettled.remove(target))
                }
                Reply::Reached(path) => {
                    self.monitor.find(&path);
                    self.answers.reached(path);
                    questions.push((asked, ticks));
                }
                Reply::Guessed(reason, path) => {
                    info!(%reason, "a counterexample depends on a guess");
                    self.answers.guessed(reason, path);
                    questions.push((asked, ticks));
                }
                Reply::Undecided(reason) => {
                    if let Some(limit) = limit_reached(self.meter) {
                        return Some(limit);
                    }
                    if ticks < most && finished.targets(&asked).len() <= FEW_TARGETS {
                        questions.push((asked, ticks.saturating_mul(MORE).min(most)));
                        continue;
                    }
                    match halves(finished, asked) {
                        Ok(halves) => questions.extend(halves.map(|half| (half, ticks))),
                        Err(_) if self.goes_on => self.left_open = Some(reason),
                        Err(target) => self.answers.undecided(target, reason),
                    }
                }
            }
        }
        None
    }

    /// The tick at which the queries have to end.
    fn until(&self) -> u64 {
        if !self.goes_on {
            return u64::MAX;
        }
        let most = self.work.saturating_mul(BEFORE_THE_END).max(LEAST_BEFORE_THE_END);
        self.meter.used().saturating_add(most)
    }
}

/// The places split by target into two halves, or the only target.
fn halves(finished: &Finished<'_>, asked: Vec<Reached>) -> Result<[Vec<Reached>; 2], LocId> {
    let targets = finished.targets(&asked);
    let middle = *targets.iter().nth(targets.len() / 2).expect("there is a question");
    if targets.len() == 1 {
        return Err(middle);
    }
    let (low, high) = asked.into_iter().partition(|reached| finished.loc(reached) < middle);
    Ok([high, low])
}

impl Finished<'_> {
    /// The location of a place.
    pub(super) fn loc(&self, reached: &Reached) -> LocId {
        self.path.blocks[0].0.nodes[reached.node].loc
    }

    /// The targets of places.
    fn targets(&self, asked: &[Reached]) -> BTreeSet<LocId> {
        asked.iter().map(|reached| self.loc(reached)).collect()
    }

    /// Queries the solver for an execution that reaches one of these places.
    fn ask(&mut self, reached: &[Reached], limits: &QueryLimits, meter: &Meter) -> Reply {
        let any = Formula::any(reached.iter().map(|reached| reached.guard.clone()));
        let mut formulas = vec![any.clone()];
        formulas.extend_from_slice(&self.executor.facts);
        let gates = gates(&formulas);
        debug!(gates, "target query");
        meter.charge(gates * TICKS_OF_A_GATE);
        if let Some(reason) = limit_reached(meter) {
            return Reply::Undecided(reason);
        }
        let model = match self.executor.decide(&any, limits) {
            Answer::Unsat => return Reply::None,
            Answer::Unknown(why) => return Reply::Undecided(Reason::Solver(why)),
            Answer::Sat(model) => model,
        };
        let model = counterexample::plausible(formulas, &self.executor, limits).unwrap_or(model);
        let Some(found) = reached.iter().find(|reached| model.truth(&reached.guard) == Some(true)) else {
            let reason = "its valuation does not say which target is reached".into();
            return Reply::Undecided(Reason::Solver(reason));
        };
        self.path.blocks[0].1 = found.node;
        let Finished { program, control, executor, path, executed } = &*self;
        let walk = Walk { program, control: *control, path, executor, executed };
        match counterexample::of_model(walk, &model) {
            Feasibility::Feasible(counterexample) => Reply::Reached(counterexample),
            Feasibility::Guessed(reason, counterexample) => Reply::Guessed(reason, counterexample),
            Feasibility::Undecided(reason) => Reply::Undecided(reason),
            Feasibility::Popped(_) | Feasibility::Infeasible => {
                unreachable!("a model is an execution without pops, or nobody knows")
            }
        }
    }
}
