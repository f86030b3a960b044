//! Targets that an unfinished graph excludes: those to which no unexpanded state leads.
//!
//! A restart forgets the graph, and the next one may not get as far before a limit. So the graph that excludes the most
//! targets is kept, until the search for them ends.

use super::Search;
use super::space::{Context, ContextId, Node};
use crate::control::block::CutPoints;
use crate::control::reachability::reachable_in_any_context;
use crate::state::arg::NodeId;
use beeline_ir::LocId;
use cranelift_entity::PrimaryMap;
use std::collections::BTreeSet;

/// A graph that excludes some targets.
#[derive(Debug)]
pub(super) struct Explored {
    pub targets: BTreeSet<LocId>,
    pub contexts: PrimaryMap<ContextId, Context>,
    pub nodes: PrimaryMap<NodeId, Node>,
    pub cut_points: CutPoints,
}

impl Search<'_, '_> {
    /// Keeps the graph, which is no longer needed, if it excludes more targets than the one that is kept.
    pub(super) fn keep_explored(&mut self) {
        // The search for a single target ends with the graph that excludes it.
        if self.targets.len() < 2 {
            return;
        }
        let targets = self.excluded();
        if targets.len() <= self.still_excluded() {
            return;
        }
        let (contexts, nodes) = self.space.take();
        self.kept = Some(Explored { targets, contexts, nodes, cut_points: self.space.cut_points.clone() });
    }

    /// The targets that either the current graph or the kept one excludes, whichever are more. Makes that graph the
    /// current one.
    pub(super) fn most_excluded(&mut self) -> Option<BTreeSet<LocId>> {
        let mut shown = self.excluded();
        if shown.len() < self.still_excluded()
            && let Some(explored) = self.kept.take()
        {
            shown = explored.targets.intersection(&self.targets).copied().collect();
            self.space.put_back(explored.contexts, explored.nodes, explored.cut_points);
        }
        (!shown.is_empty()).then_some(shown)
    }

    /// The number of targets that the kept graph excludes.
    fn still_excluded(&self) -> usize {
        self.kept.as_ref().map_or(0, |kept| kept.targets.intersection(&self.targets).count())
    }

    /// The targets that the current graph excludes.
    fn excluded(&self) -> BTreeSet<LocId> {
        let space = &self.space;
        // Without all edges, or where callers were not told of an exit, the graph shows nothing.
        if self.guess.is_some() || space.lines.is_refuted || space.nodes.is_empty() {
            return BTreeSet::new();
        }
        let unfinished = space.nodes.values().filter(|node| !node.expanded && node.covered_by.is_none());
        let ahead = reachable_in_any_context(self.program, unfinished.map(|node| node.loc));
        self.targets.iter().copied().filter(|&target| !ahead.contains(target)).collect()
    }
}
