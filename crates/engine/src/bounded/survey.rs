//! Where an unrolling may come to an operation without a result.

use super::Finished;
use crate::counterexample;
use crate::path::Path;
use crate::trial;
use crate::undefined::{MOST_FOLLOWED, SURVEY, cause};
use crate::verdict::{Reason, Statistics};
use beeline_ir::EdgeId;
use beeline_smt::solver::fold;
use beeline_smt::{Answer, Formula, Meter, Model, Query, QueryLimits};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// An edge of the unrolling, which one of the program it is, and when it has no result.
type Open = (usize, EdgeId, Formula);

impl Finished<'_> {
    /// The edges that may have no result; and the reason if an execution gets to one where a machine might go on.
    pub(super) fn survey(
        &self,
        meter: &Rc<Meter>,
        query_ticks: u64,
        statistics: &mut Statistics,
    ) -> (Vec<EdgeId>, Option<Reason>) {
        let limits = QueryLimits::of(query_ticks, Rc::clone(meter)).within(SURVEY);
        let mut open = self.conditions();
        if open.is_empty() {
            return (Vec::new(), None);
        }
        let query = Query::new(&limits);
        self.executor.facts.iter().for_each(|fact| query.assert(fact));
        let mut found: FxHashSet<EdgeId> = FxHashSet::default();
        let mut followed = 0;
        let mut course = None;
        while !open.is_empty() && !limits.is_over() {
            query.push();
            query.assert(&Formula::any(open.iter().map(|(.., condition)| condition.clone())));
            let answer = query.check();
            query.pop();
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
                    course = self.course(index, edge, &model);
                }
            }
            open.retain(|(_, edge, _)| !found.contains(edge));
        }
        statistics.add_queries(&limits);
        found.extend(open.iter().map(|(_, edge, _)| *edge));
        let is_open = |edge, reason| found.contains(&edge) && cause(self.program, edge, reason).is_some();
        if course.is_none() && !found.is_empty() {
            course = trial::stuck_at(self.program, &is_open)
                .and_then(|(edge, reason)| cause(self.program, edge, reason));
        }
        let mut found: Vec<EdgeId> = found.into_iter().collect();
        found.sort_unstable();
        (found, course)
    }

    /// When which edges have no result.
    fn conditions(&self) -> Vec<Open> {
        let (block, _) = &self.path.blocks[0];
        let mut open: Vec<Open> = Vec::new();
        for (&index, undefined) in &self.executed[0].undefined {
            let Some(edge) = block.edges[index].step.edge_taken() else { continue };
            let condition = fold(&undefined.formula());
            if !condition.is_constant(false) {
                open.push((index, edge, condition));
            }
        }
        open.sort_unstable_by_key(|&(index, ..)| index);
        open
    }

    /// What it means that the execution of a model has no result at an edge.
    fn course(&self, index: usize, edge: EdgeId, model: &Model) -> Option<Reason> {
        let (block, _) = &self.path.blocks[0];
        let path = Path { states: Vec::new(), blocks: vec![(Rc::clone(block), block.edges[index].src)] };
        let reason = counterexample::stuck_in_model(
            self.program,
            self.control,
            &path,
            &self.executor,
            &self.executed,
            model,
            index,
        )?;
        cause(self.program, edge, reason)
    }
}
