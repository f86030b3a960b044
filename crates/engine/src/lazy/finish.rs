//! The end of a search that found no path to some targets: no execution reaches them, or an undefined
//! operation precedes them.

use super::Search;
use crate::control::place::Place;
use crate::control::reachability::{reachable_from_any, reachable_locations};
use crate::options::Calls;
use crate::outcome::verdict::{Proof, Reason, States};
use crate::paths::{Path, counterexample};
use crate::state::arg::{Node, NodeId};
use crate::undefined::test_executions;
use crate::undefined::{Courses, Finished, MOST_FOLLOWED, Open, SURVEY, leave_rest_survey, leave_survey};
use beeline_ir::{EdgeId, LocId};
use beeline_smt::QueryLimits;
use cranelift_entity::EntitySet;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::rc::Rc;

impl<'a> Search<'a, '_> {
    /// Excludes the open targets to which no unexpanded state leads. Returns whether there are any: the graph shows
    /// nothing of the others then, as it has lost the states from which only these can be reached.
    pub(super) fn exclude_finished(&mut self) -> bool {
        let finished = self.finished_targets();
        let any = !finished.is_empty();
        if any {
            self.exclude(finished);
        }
        any
    }

    /// Excludes targets to which no unexpanded state leads.
    fn exclude(&mut self, finished: BTreeSet<LocId>) {
        let others = self.answers.turn_to(finished);
        self.space.aim(self.answers.open());
        self.space.keep_near();
        self.exclude_open();
        self.answers.turn_to(others);
        self.space.aim(self.answers.open());
    }

    /// Keeps the graph before a restart, if it excludes more open targets than the one that is kept.
    pub(super) fn keep_finished(&mut self) {
        // The search for a single target ends with the graph that excludes it. With popped calls, what stacks mean changes.
        // Looking at a small part of a large program would take longer than making it did.
        let is_dear = self.space.arg.len() * 16 < self.space.program.edges.len();
        if self.answers.open().len() < 2 || self.options.calls != Calls::Stacks || is_dear {
            return;
        }
        let targets = self.finished_targets();
        let kept =
            self.finished.as_ref().map_or(0, |kept| kept.targets.intersection(self.answers.open()).count());
        if targets.len() > kept {
            self.finished = Some(self.space.take_graph(targets));
        }
    }

    /// Excludes the open targets that an earlier graph excludes. The current graph is lost.
    pub(super) fn exclude_kept(&mut self) {
        let Some(kept) = self.finished.take() else { return };
        let finished = kept.targets.intersection(self.answers.open()).copied().collect::<BTreeSet<LocId>>();
        if finished.is_empty() || self.answers.without_guesses() {
            return;
        }
        self.space.put_back(kept);
        self.exclude(finished);
    }

    /// The open targets to which no unexpanded state leads.
    fn finished_targets(&self) -> BTreeSet<LocId> {
        let arg = &self.space.arg;
        // Without all edges the graph shows nothing.
        if self.answers.without_guesses() || arg.alive().next().is_none() {
            return BTreeSet::new();
        }
        let is_unfinished = |(id, node): &(NodeId, &Node)| {
            let is_left = arg.is_popped(*id) && node.children.is_empty();
            !node.expanded && (node.covered_by.is_none() || is_left)
        };
        let places: BTreeSet<Place> = arg.alive().filter(is_unfinished).map(|(_, node)| node.place).collect();
        let ahead = reachable_from_any(self.space.program, &*self.space.control, places);
        self.answers.open().iter().copied().filter(|&target| !ahead.contains(target)).collect()
    }

    /// Excludes all open targets: no path leads to one. A target stays undecided if an execution reaches an
    /// undefined operation before it.
    pub(super) fn exclude_open(&mut self) {
        if let Some(reason) = self.undefined_before() {
            self.answers.undecided_among(&EntitySet::new(), &reason);
            return;
        }
        leave_survey(&self.meter);
        let limits = QueryLimits::of(self.known.care.query_ticks, Rc::clone(&self.meter)).within(SURVEY);
        let mut elsewhere: Vec<EdgeId> = Vec::new();
        let mut undefined = loop {
            // Only operations from which these targets can be reached matter.
            self.space.aim(self.answers.open());
            let (mut open, mut undefined) = self.open_edges(&limits);
            undefined.extend(&elsewhere);
            open.retain(|open| !elsewhere.contains(&open.edge));
            let Some((found, reason)) = self.undefined_course(&open, &limits) else {
                undefined.extend(open.iter().map(|open| open.edge));
                break undefined;
            };
            let place = self.place(found);
            let ahead = reachable_locations(self.space.program, &*self.space.control, place);
            if !self.answers.open().iter().any(|&target| ahead.contains(target)) {
                // The open targets come after other calls of the function, which were popped. Nothing is
                // known of those calls.
                elsewhere.push(found.edge);
                continue;
            }
            self.answers.undecided_among(&ahead, &reason);
            if self.answers.are_complete() {
                break Vec::new();
            }
        };
        self.space.statistics.add_queries(&limits);
        if self.answers.are_complete() {
            return;
        }
        undefined.extend(self.earlier.iter().flat_map(|earlier| &earlier.rest.undefined));
        undefined.sort_unstable();
        undefined.dedup();
        let proof = self.space.graph(&self.known.predicates, self.finished.is_some());
        let proof = Proof::States(Box::new(States { undefined, ..proof }));
        self.answers.open_excluded(proof);
    }

    /// An undefined operation that an execution reaches in what earlier searches showed, if one is found.
    fn undefined_before(&self) -> Option<Reason> {
        let noted: BTreeSet<EdgeId> =
            self.earlier.iter().flat_map(|earlier| earlier.rest.undefined.iter().copied()).collect();
        let courses = self.courses();
        let is_noted = |edge, reason| noted.contains(&edge) && courses.cause(edge, reason).is_some();
        let (edge, reason) =
            (!noted.is_empty()).then(|| test_executions::stuck_at(courses.program, &is_noted))??;
        courses.cause(edge, reason)
    }

    /// An undefined operation that an execution reaches, if one is found.
    fn undefined_course(&mut self, open: &[Open], limits: &QueryLimits) -> Option<(Open, Reason)> {
        if open.is_empty() {
            return None;
        }
        let courses = self.courses();
        let is_open =
            |edge, reason| open.iter().any(|open| open.edge == edge) && courses.cause(edge, reason).is_some();
        if let Some((edge, reason)) = test_executions::stuck_at(courses.program, &is_open) {
            let first = open.iter().find(|open| open.edge == edge)?;
            return Some((*first, courses.cause(edge, reason)?));
        }
        open.iter().take(MOST_FOLLOWED).find_map(|open| {
            let path = self.path_to(*open);
            let space = &self.space;
            let (program, control) = (space.program, &*space.control);
            let reason = counterexample::ends_at(program, control, &path, open.index, limits)?;
            let beside = || counterexample::goes_on_beside(program, control, &path, open.index, limits);
            Some((*open, courses.cause_unless(open.edge, reason, beside)?))
        })
    }

    fn courses(&self) -> Courses<'a> {
        Courses {
            program: self.space.program,
            undefined: self.options.undefined,
            monitor: self.space.monitor,
        }
    }

    /// The source of an edge.
    fn place(&mut self, open: Open) -> Place {
        let block = self.space.block(self.space.arg[open.node].place);
        block.nodes[block.edges[open.index].src]
    }

    /// The edges that may have no result in a state of the graph, each with the first such state; and the
    /// edges for which there was no time.
    fn open_edges(&mut self, limits: &QueryLimits) -> (Vec<Open>, Vec<EdgeId>) {
        let mut found: Vec<Open> = Vec::new();
        let mut known: EntitySet<EdgeId> = EntitySet::new();
        for id in self.states_with_undefined_operations() {
            if limits.is_over() {
                let space = &self.space;
                let left =
                    space.program.edges.keys().filter(|&edge| space.undefined_operations.contains(edge));
                return (found, left.filter(|&edge| !known.contains(edge)).collect());
            }
            for open in self.open_edges_in(id, &known, limits) {
                if known.insert(open.edge) {
                    found.push(open);
                }
            }
        }
        (found, Vec::new())
    }

    /// The states of an unfinished graph in which an operation is not shown to have a result. A residual condition leaves them
    /// open: else the answer after it would rest on these operations, though a later search may show more of them.
    pub(super) fn states_without_results(&mut self) -> FxHashSet<NodeId> {
        let states = self.states_with_undefined_operations();
        if states.is_empty() {
            return FxHashSet::default();
        }
        let ticks = leave_rest_survey(&self.meter);
        let limits = QueryLimits::of(self.known.care.query_ticks, Rc::clone(&self.meter)).within(ticks);
        let none = EntitySet::new();
        let is_open = |id: &NodeId| !self.open_edges_in(*id, &none, &limits).is_empty();
        let found = states.into_iter().filter(is_open).collect();
        self.space.statistics.add_queries(&limits);
        found
    }

    /// The expanded states, if values do not show that all operations have results.
    fn states_with_undefined_operations(&self) -> Vec<NodeId> {
        let space = &self.space;
        if space.undefined_operations.is_empty() {
            return Vec::new();
        }
        space.arg.alive().filter(|(_, node)| node.expanded).map(|(id, _)| id).collect()
    }

    /// The edges besides the known ones that may have no result in a state.
    fn open_edges_in(&mut self, id: NodeId, known: &EntitySet<EdgeId>, limits: &QueryLimits) -> Vec<Open> {
        let space = &mut self.space;
        let block = space.block(space.arg[id].place);
        let (undefined_operations, distances, control) =
            (&space.undefined_operations, &mut *space.distances, &*space.control);
        let asked = |place, edge| {
            undefined_operations.contains(edge)
                && !known.contains(edge)
                && distances.explored(control, place, 0).is_some()
        };
        let graph = Finished {
            program: space.program,
            control,
            arg: &space.arg,
            pool: &space.pool,
            bdds: &space.bdds,
            predicates: &self.known.predicates,
        };
        graph.open_edges(id, &block, asked, limits)
    }

    /// The path to the source of an edge.
    fn path_to(&mut self, open: Open) -> Path {
        let space = &mut self.space;
        let mut path = space.path_to(open.node);
        let block = space.block(space.arg[open.node].place);
        let source = block.edges[open.index].src;
        path.blocks.push((block, source));
        path
    }
}
