//! The end of a search that found no path to a target: the program is safe with summaries as the proof, or an
//! undefined operation precedes the target.

use super::call::Called;
use super::space::path;
use super::space::{Call, Space};
use super::{Ending, Search};
use crate::control::place::{Frame, Place, StackId};
use crate::control::postconditions::PostconditionMap;
use crate::formula::Executor;
use crate::outcome::verdict::{Proof, ProofState, Reason, States, Summaries, SummaryCall};
use crate::paths::counterexample;
use crate::state::arg::NodeId;
use crate::state::precision::Knowledge;
use crate::undefined::test_executions;
use crate::undefined::{Courses, MOST_FOLLOWED, SURVEY, leave_survey};
use beeline_ir::{EdgeId, LocId};
use beeline_smt::{Answer, Formula, Query, QueryLimits, Unsupported};
use cranelift_entity::EntityRef;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// An edge that may have no result in a state. The index is that in the state's block, unless the edge is a
/// call.
#[derive(Debug, Clone, Copy)]
struct Open {
    node: NodeId,
    index: Option<usize>,
    edge: EdgeId,
}

/// The edges at a state that may have no result, with their conditions.
struct Suspects<'a> {
    executor: Executor<'a>,
    /// The formula that holds in the state.
    before: Formula,
    conditions: Vec<(Open, Formula)>,
}

impl Search<'_, '_> {
    /// The ending after no path leads to a target: safe, unless an execution reaches an undefined operation.
    pub(super) fn safe(&mut self) -> Ending {
        leave_survey(&self.meter);
        let limits = QueryLimits::of(self.known.care.query_ticks, Rc::clone(&self.meter)).within(SURVEY);
        let open = self.open_edges(&limits);
        if let Some(reason) = self.undefined_course(&open, &limits) {
            return Ending::Unknown(reason);
        }
        self.space.statistics.add_queries(&limits);
        let mut undefined: Vec<EdgeId> = open.iter().map(|open| open.edge).collect();
        undefined.sort_unstable();
        Ending::Safe(Proof::Summaries(Box::new(self.space.summaries(&self.known, undefined))))
    }

    /// The targets that a graph excludes when a search ends for a reason, with the proof.
    pub(super) fn shown(&mut self, reason: &Reason) -> Option<(BTreeSet<LocId>, Proof)> {
        if matches!(reason, Reason::Undefined(..) | Reason::Broken(..)) {
            return None;
        }
        let shown = self.most_excluded()?;
        self.space.distances.aim(&shown);
        match self.safe() {
            Ending::Safe(proof) => Some((shown, proof)),
            Ending::Unsafe(_) | Ending::Possible(..) | Ending::Unknown(_) => None,
        }
    }

    /// An undefined operation that an execution reaches, if one is found.
    fn undefined_course(&mut self, open: &[Open], limits: &QueryLimits) -> Option<Reason> {
        if open.is_empty() {
            return None;
        }
        let program = self.program;
        let courses = Courses { program, undefined: self.options.undefined, monitor: self.space.monitor };
        let is_open =
            |edge, reason| open.iter().any(|open| open.edge == edge) && courses.cause(edge, reason).is_some();
        if let Some((edge, reason)) = test_executions::stuck_at(program, &is_open) {
            return courses.cause(edge, reason);
        }
        open.iter().take(MOST_FOLLOWED).find_map(|open| {
            let mut parts = self.space.way_to(open.node)?;
            let block = self.space.block(self.space.nodes[open.node].loc);
            let index = open.index?;
            parts.push(path::Part::Block(
                Rc::clone(&block),
                block.edges[index].src,
                self.space.begins(open.node),
            ));
            let (control, path) = path::path(program, &parts);
            let reason = counterexample::ends_at(program, &control, &path, index, limits)?;
            let beside = || counterexample::goes_on_beside(program, &control, &path, index, limits);
            courses.cause_unless(open.edge, reason, beside)
        })
    }

    /// The edges that may have no result, each with the first such state.
    fn open_edges(&mut self, limits: &QueryLimits) -> Vec<Open> {
        let mut found = Vec::new();
        let mut known = FxHashSet::default();
        for id in self.space.nodes.keys().collect::<Vec<_>>() {
            if self.space.nodes[id].expanded {
                self.space.open_edges_of(id, &self.known, limits, &mut known, &mut found);
            }
        }
        found
    }
}

impl Space<'_, '_> {
    /// Adds the edges of the block of a state, and of the calls from it, that may have no result in the
    /// state.
    fn open_edges_of(
        &mut self,
        id: NodeId,
        known: &Knowledge,
        limits: &QueryLimits,
        met: &mut FxHashSet<EdgeId>,
        found: &mut Vec<Open>,
    ) {
        let block = self.block(self.nodes[id].loc);
        let relevant: Vec<bool> = block.nodes.iter().map(|node| self.matters(node.loc)).collect();
        let suspects = match self.conditions(id, known) {
            Ok(Suspects { executor, before, conditions }) => {
                let query = Query::new(limits);
                executor.facts.iter().for_each(|fact| query.assert(fact));
                query.assert(&before);
                let mut open = Vec::new();
                for (suspect, condition) in conditions {
                    let leaves = suspect.index.is_none_or(|index| relevant[block.edges[index].src]);
                    if met.contains(&suspect.edge) || condition.is_constant(false) || !leaves {
                        continue;
                    }
                    query.push();
                    query.assert(&condition);
                    let is_open = !matches!(query.check(), Answer::Unsat);
                    query.pop();
                    if is_open {
                        open.push(suspect);
                    }
                }
                open
            }
            // What has no encoding may have no result.
            Err(Unsupported(_)) => self.all_edges(id),
        };
        found.extend(suspects.into_iter().filter(|suspect| met.insert(suspect.edge)));
    }

    fn all_edges(&mut self, id: NodeId) -> Vec<Open> {
        let block = self.block(self.nodes[id].loc);
        let inside = block.edges.iter().enumerate();
        let inside =
            inside.map(|(index, edge)| Open { node: id, index: Some(index), edge: edge.step.edge() });
        let calls = self.nodes[id].calls.iter().map(|call| Open { node: id, index: None, edge: call.edge });
        inside.chain(calls).collect()
    }

    /// The conditions under which the edges of a state's block, and those of the calls from it, have no
    /// result.
    fn conditions(&mut self, id: NodeId, known: &Knowledge) -> Result<Suspects<'_>, Unsupported> {
        let block = self.block(self.nodes[id].loc);
        let program = self.program;
        let mut executor = Executor::new(program, &self.control, true);
        let (state, before) = self.start(&mut executor, id, known)?;
        let mut conditions = Vec::new();
        for edge in program.out_edges(self.nodes[id].loc) {
            for &callee in program.edges[edge].op.as_call().map_or(&[][..], |call| call.callee.functions()) {
                Called::new(&mut executor, program, state.clone(), edge, callee)?;
                let undefined = executor.take_undefined();
                conditions.push((Open { node: id, index: None, edge }, undefined.formula()));
            }
        }
        let done = executor.whole_block(&block, state)?;
        for (&index, undefined) in &done.undefined {
            let edge = block.edges[index].step.edge();
            conditions.push((Open { node: id, index: Some(index), edge }, undefined.formula()));
        }
        conditions.sort_by_key(|(open, _)| (open.index, open.edge));
        Ok(Suspects { executor, before, conditions })
    }

    /// The contexts and their states as a proof, which takes the diagrams along.
    fn summaries(&mut self, known: &Knowledge, undefined: Vec<EdgeId>) -> Summaries {
        let indices = |nodes: &[NodeId]| nodes.iter().map(|node| node.index()).collect::<Vec<usize>>();
        let mut states = Vec::with_capacity(self.nodes.len());
        let mut calls = Vec::new();
        for (id, node) in self.nodes.iter() {
            states.push(ProofState {
                place: Place { loc: node.loc, stack: StackId::new(node.context.index()) },
                values: Arc::clone(&node.values),
                formula: node.formula,
                children: indices(&node.children),
                covered_by: node.covered_by.map(|node| node.index()),
            });
            calls.extend(node.calls.iter().map(|Call { edge, callee, context, children }| SummaryCall {
                state: id.index(),
                edge: *edge,
                callee: *callee,
                context: context.index(),
                children: indices(children),
            }));
        }
        calls.sort_by_key(|call| (call.state, call.edge, call.callee));
        let frame = |callee| Frame { caller: None, callee, depth: 0, level: 0 };
        Summaries {
            entries: self.contexts.values().map(|context| context.entry.index()).collect(),
            calls,
            states: States {
                states,
                bdds: std::mem::take(&mut self.bdds),
                predicates: known.predicates.clone(),
                cut_points: self.cut_points(),
                stacks: self.contexts.values().map(|context| frame(context.func)).collect(),
                after: None,
                postconditions: PostconditionMap::new(),
                undefined,
            },
        }
    }
}
