//! The end of a search that found no way to a target: is the program safe?

use super::Search;
use crate::arg::NodeId;
use crate::counterexample;
use crate::trial;
use crate::undefined::{Finished, Open};
use crate::verdict::{Proof, Reason, Verdict};
use beeline_interp::StuckReason;
use beeline_ir::{Assumption, EdgeId, UNDEFINED};
use beeline_smt::{QueryLimits, TICKS_PER_SECOND};
use cranelift_entity::EntitySet;
use std::rc::Rc;

/// What looking where an execution may have no defined course may use.
const SURVEY: u64 = 2 * TICKS_PER_SECOND;
/// To how many places of that kind an execution is looked for.
const MOST_FOLLOWED: usize = 16;

impl Search<'_, '_> {
    /// No path leads to a target: the verdict, unless what an execution does is not defined.
    pub(super) fn safe(&mut self) -> Verdict {
        let limits = QueryLimits::of(self.known.care.query_ticks, Rc::clone(&self.meter)).within(SURVEY);
        let (open, mut undefined) = self.open_edges(&limits);
        if let Some(reason) = self.undefined_course(&open, &limits) {
            return Verdict::Unknown(reason);
        }
        undefined.extend(open.iter().map(|open| open.edge));
        self.space.statistics.add_queries(&limits);
        undefined.sort_unstable();
        undefined.dedup();
        let proof = self.space.graph(&self.known.predicates);
        Verdict::Safe(Box::new(Proof { undefined, ..proof }))
    }

    /// That an execution gets to an operation without a result, if one is found.
    fn undefined_course(&mut self, open: &[Open], limits: &QueryLimits) -> Option<Reason> {
        if open.is_empty() {
            return None;
        }
        let program = self.space.program;
        let noted = |edge: EdgeId| {
            let is_noted =
                |assumption: &&Assumption| assumption.edge == Some(edge) && assumption.kind == UNDEFINED;
            program.assumptions.iter().find(is_noted)
        };
        // A division by zero ends executions on real machines, too.
        let counts = |edge, reason| noted(edge).is_some() || matches!(reason, StuckReason::OutsideObject(_));
        let is_open = |edge, reason| open.iter().any(|open| open.edge == edge) && counts(edge, reason);
        let (edge, reason) = trial::stuck_at(program, &is_open).or_else(|| {
            open.iter().take(MOST_FOLLOWED).find_map(|open| {
                let reason = self.ends_at(*open, limits)?;
                counts(open.edge, reason).then_some((open.edge, reason))
            })
        })?;
        let place = program.show_place(edge);
        Some(match noted(edge) {
            Some(undefined) => Reason::Broken(place, undefined.text.clone()),
            None => Reason::Undefined(place, reason.to_string()),
        })
    }

    /// The edges that may have no result in a state of the graph, with the first such state; and those
    /// that nobody had the time to look at.
    fn open_edges(&mut self, limits: &QueryLimits) -> (Vec<Open>, Vec<EdgeId>) {
        let space = &mut self.space;
        let mut found: Vec<Open> = Vec::new();
        let mut known: EntitySet<EdgeId> = EntitySet::new();
        if space.maybe_stuck.is_empty() {
            return (found, Vec::new());
        }
        let expanded: Vec<NodeId> =
            space.arg.alive().filter(|(_, node)| node.expanded).map(|(id, _)| id).collect();
        for id in expanded {
            if limits.is_over() {
                let left = space.program.edges.keys().filter(|&edge| space.maybe_stuck.contains(edge));
                return (found, left.filter(|&edge| !known.contains(edge)).collect());
            }
            let block = space.block(space.arg[id].place);
            let (maybe_stuck, distances, control) =
                (&space.maybe_stuck, &mut *space.distances, &*space.control);
            let asked = |place, edge| {
                maybe_stuck.contains(edge) && !known.contains(edge) && distances.of(control, place).is_some()
            };
            let graph = Finished {
                program: space.program,
                control,
                arg: &space.arg,
                pool: &space.pool,
                bdds: &space.bdds,
                predicates: &self.known.predicates,
            };
            for open in graph.open_edges(id, &block, asked, limits) {
                if known.insert(open.edge) {
                    found.push(open);
                }
            }
        }
        (found, Vec::new())
    }

    /// Why an execution ends at an edge, if one is found.
    fn ends_at(&mut self, open: Open, limits: &QueryLimits) -> Option<StuckReason> {
        let space = &mut self.space;
        let mut path = space.path_to(open.node);
        let block = space.block(space.arg[open.node].place);
        let source = block.edges[open.index].src;
        path.blocks.push((block, source));
        counterexample::ends_at(space.program, &*space.control, &path, open.index, limits)
    }
}
