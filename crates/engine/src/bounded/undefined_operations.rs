//! The stuck-state check of an unrolling: undefined operations that an execution may reach.

use super::Finished;
use crate::control::Control;
use crate::control::place::Place;
use crate::control::reachability::reachable_locations;
use crate::outcome::verdict::{Answers, Proof, Reason, Statistics, Unrolling};
use crate::paths::Path;
use crate::paths::counterexample::{self, Walk};
use crate::search::distance::Distances;
use crate::undefined::test_executions;
use crate::undefined::{Courses, MOST_FOLLOWED, SURVEY, leave_survey};
use beeline_ir::{EdgeId, Op};
use beeline_smt::solver::{decide_once, fold};
use beeline_smt::{Answer, Formula, Meter, Model, QueryLimits};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// An edge of the unrolling, its edge of the program, and the condition under which it has no result.
type Open = (usize, EdgeId, Formula);

/// The check after no execution reaches an open target, with its limits.
pub(super) struct UndefinedSearch<'a, 'd> {
    pub answers: &'a mut Answers,
    pub distances: &'a mut Distances<'d>,
    pub meter: &'a Rc<Meter>,
    pub query_ticks: u64,
    pub statistics: &'a mut Statistics,
    pub courses: Courses<'a>,
}

impl UndefinedSearch<'_, '_> {
    /// Excludes all open targets. A target stays undecided if an execution reaches an undefined operation
    /// before it.
    pub(super) fn exclude_open(self, finished: &mut Finished<'_>, mut ends: Vec<Place>) {
        let most = SURVEY.max(self.meter.used() / 2);
        leave_survey(self.meter);
        let limits =
            QueryLimits::of(self.query_ticks.max(most), Rc::clone(self.meter)).within(most).patient();
        let undefined = loop {
            // Only operations from which these targets can be reached matter.
            self.distances.aim(self.answers.open());
            let mut open = finished.conditions();
            open.retain(|&(index, ..)| self.distances.of(finished.control, finished.source(index)).is_some());
            let (undefined, course) = finished.survey(open, self.courses, &limits);
            let Some((place, reason)) = course else { break undefined };
            self.answers
                .undecided_among(&reachable_locations(finished.program, finished.control, place), &reason);
            if self.answers.are_complete() {
                break Vec::new();
            }
        };
        self.statistics.add_queries(&limits);
        if self.answers.are_complete() {
            return;
        }
        ends.retain(|&place| self.distances.of(finished.control, place).is_some());
        let (contexts, places) = (finished.control.contexts(), finished.path.blocks[0].0.nodes.len());
        let proof = Unrolling { contexts, ends, places, undefined, ..Unrolling::default() };
        self.answers.open_excluded(Proof::Unrolling(Box::new(proof)));
    }
}

impl Finished<'_> {
    /// The edges that may have no result; and the place and reason, if an execution reaches one where a
    /// machine might go on.
    fn survey(
        &mut self,
        mut open: Vec<Open>,
        courses: Courses<'_>,
        limits: &QueryLimits,
    ) -> (Vec<EdgeId>, Option<(Place, Reason)>) {
        if open.is_empty() {
            return (Vec::new(), None);
        }
        let places: FxHashMap<EdgeId, Place> =
            open.iter().rev().map(|&(index, edge, _)| (edge, self.source(index))).collect();
        let mut found: FxHashSet<EdgeId> = FxHashSet::default();
        let mut followed = 0;
        let mut course = None;
        while !open.is_empty() && !limits.is_over() {
            let any = Formula::any(open.iter().map(|(.., condition)| condition.clone()));
            let answer = self.executor.decide(&any, limits);
            let Answer::Sat(model) = answer else {
                if answer.is_unsat() {
                    open.clear();
                }
                break;
            };
            let met: Vec<&Open> =
                open.iter().filter(|(.., condition)| model.truth(condition) == Some(true)).collect();
            if met.is_empty() {
                break;
            }
            for &&(index, edge, _) in &met {
                if found.insert(edge) && followed < MOST_FOLLOWED && course.is_none() {
                    followed += 1;
                    course = self
                        .course(index, courses, &model, limits)
                        .map(|reason| (self.source(index), reason));
                }
            }
            open.retain(|(_, edge, _)| !found.contains(edge));
        }
        found.extend(open.iter().map(|(_, edge, _)| *edge));
        let is_open = |edge, reason| found.contains(&edge) && courses.cause(edge, reason).is_some();
        if course.is_none() && !found.is_empty() {
            course = test_executions::stuck_at(self.program, &is_open)
                .and_then(|(edge, reason)| Some((*places.get(&edge)?, courses.cause(edge, reason)?)));
        }
        let mut found: Vec<EdgeId> = found.into_iter().collect();
        found.sort_unstable();
        (found, course)
    }

    /// The source of an edge of the unrolling.
    fn source(&self, index: usize) -> Place {
        let block = &self.path.blocks[0].0;
        block.nodes[block.edges[index].src]
    }

    /// The edges that may have no result, with their conditions.
    fn conditions(&self) -> Vec<Open> {
        let (block, _) = &self.path.blocks[0];
        let mut open: Vec<Open> = Vec::new();
        for (&index, undefined) in &self.executed[0].undefined {
            let Some(edge) = block.edges[index].step.edge_taken() else { continue };
            let condition = fold(&undefined.formula());
            if !condition.is_constant(false) {
                let edges = self.without_result(edge).into_iter();
                open.extend(edges.map(|edge| (index, edge, condition.clone())));
            }
        }
        open.sort_unstable_by_key(|&(index, edge, _)| (index, edge));
        open
    }

    /// The edges that may have no result if a step along an edge has none: the edge itself, or those inside
    /// the call that it stands for.
    fn without_result(&self, edge: EdgeId) -> Vec<EdgeId> {
        let Finished { program, control, .. } = self;
        let Some(call) = program.edges[edge].op.as_call().filter(|_| control.range(edge).is_some()) else {
            return vec![edge];
        };
        let is_store = |edge: &EdgeId| matches!(program.edges[*edge].op, Op::Store { .. });
        let called = call.callee.functions().iter().flat_map(|&func| program.functions[func].locations());
        let stores = called.flat_map(|loc| program.out_edges(loc)).filter(is_store);
        let arguments = !call.args.iter().all(|&arg| program.exprs.is_total(arg));
        stores.chain(arguments.then_some(edge)).collect()
    }

    /// Why the execution of a model leaves targets open, if it has no result at an edge.
    fn course(
        &self,
        index: usize,
        courses: Courses<'_>,
        model: &Model,
        limits: &QueryLimits,
    ) -> Option<Reason> {
        let (block, _) = &self.path.blocks[0];
        let path = Path { blocks: vec![(Rc::clone(block), block.edges[index].src)], ..Path::default() };
        let Finished { program, control, executor, executed, .. } = self;
        let walk = Walk { program, control: *control, path: &path, executor, executed };
        let (edge, reason) = counterexample::stuck_in_model(walk, model, index)?;
        let beside = || {
            let mut formulas = executor.facts.clone();
            formulas.push(counterexample::beside(block, index, &executed[0]));
            matches!(decide_once(&formulas, limits), Answer::Sat(_))
        };
        courses.cause_unless(edge, reason, beside)
    }
}
