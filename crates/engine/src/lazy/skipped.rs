//! Skipped parts: a part of the program that exceeds the limit of a monitor is not explored, and the search
//! goes on with the others.
//!
//! A skipped state stays in the graph and is never expanded, so it covers no other state. At the end it is
//! open: targets reachable from it get no answer, and the residual condition names it with the reason.

use super::Search;
use crate::control::block::{Block, BlockEdge};
use crate::control::place::{Place, Step};
use crate::control::reachability::reachable_locations;
use crate::lazy::explore::Space;
use crate::outcome::verdict::Reason;
use crate::state::arg::NodeId;
use beeline_ir::{LocId, Op};
use beeline_run::Excess;
use beeline_smt::QueryLimits;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use tracing::info;

/// The monitors' counts since the last restart, and the skipped states.
#[derive(Debug, Default)]
pub(super) struct SkippedParts {
    parts: FxHashMap<NodeId, Reason>,
    at_location: FxHashMap<LocId, u64>,
    at_place: FxHashMap<Place, u64>,
    ways: FxHashMap<NodeId, Way>,
    /// The ticks that it took to expand each state.
    posts: FxHashMap<NodeId, u64>,
}

/// The longest path to a state through the blocks between the states before it.
#[derive(Debug, Default, Clone, Copy)]
struct Way {
    steps: u64,
    conditions: u64,
    /// The ticks that it took to make the states on the path.
    ticks: u64,
}

impl SkippedParts {
    /// The reason why a state was skipped, if it was.
    pub(super) fn reason(&self, id: NodeId) -> Option<&Reason> {
        self.parts.get(&id)
    }

    /// The ticks that it took to expand a state.
    fn post(&self, id: NodeId) -> u64 {
        self.posts.get(&id).copied().unwrap_or_default()
    }

    /// Counts a state at its place.
    fn count(&mut self, place: Place) {
        *self.at_location.entry(place.loc).or_default() += 1;
        *self.at_place.entry(place).or_default() += 1;
    }
}

impl Search<'_, '_> {
    /// Skips a state if it exceeds a limit. Returns whether it does.
    pub(super) fn gives_up(&mut self, id: NodeId) -> bool {
        if self.options.skip.is_empty() {
            return false;
        }
        self.skipped.count(self.space.arg[id].place);
        let way = self.way_to(id);
        self.skipped.ways.insert(id, way);
        let exceeds = |&&(excess, most): &&(Excess, u64)| self.amount(id, way, excess) > most;
        let Some(&(excess, most)) = self.options.skip.iter().find(exceeds) else { return false };
        info!(%excess, most, "a part is skipped");
        self.skipped.parts.insert(id, Reason::GivenUp(excess, most));
        true
    }

    /// The amount that a monitor measures at a state.
    fn amount(&self, id: NodeId, way: Way, excess: Excess) -> u64 {
        let (place, counts) = (self.space.arg[id].place, &self.skipped);
        match excess {
            Excess::LocationStates => counts.at_location.get(&place.loc).copied().unwrap_or_default(),
            Excess::PlaceStates => counts.at_place.get(&place).copied().unwrap_or_default(),
            Excess::LoopTurns => iterations(&self.space, id),
            Excess::PathSteps => way.steps,
            Excess::PathConditions => way.conditions,
            Excess::WayTicks => way.ticks,
            Excess::PostTicks => {
                let parent = self.space.arg[id].parent;
                parent.map_or(0, |(parent, _)| counts.post(parent))
            }
            Excess::StateSize => self.facts(id),
            // These are measured where paths are checked and refined.
            Excess::PathTicks | Excess::FormulaSize | Excess::RefinementTicks => 0,
        }
    }

    /// The number of known values and predicates of a state.
    fn facts(&self, id: NodeId) -> u64 {
        let (space, node) = (&self.space, &self.space.arg[id]);
        let values = space.pool.get(node.values).entries().count();
        (values + space.bdds.support(node.formula).len()) as u64
    }

    /// Expands a state and counts the ticks.
    pub(super) fn expand(&mut self, id: NodeId) -> Result<(), Reason> {
        let before = self.meter.used();
        self.space.expand(id, &mut self.known)?;
        if !self.options.skip.is_empty() {
            self.skipped.posts.insert(id, self.meter.used() - before);
        }
        Ok(())
    }

    /// The longest path to a state, extended from the one to its predecessor.
    fn way_to(&mut self, id: NodeId) -> Way {
        let Some((parent, exit)) = self.space.arg[id].parent else { return Way::default() };
        let before = self.skipped.ways.get(&parent).copied().unwrap_or_default();
        let block = self.space.block(self.space.arg[parent].place);
        let program = self.space.program;
        let is_condition = |step| match step {
            Step::Edge(edge) => matches!(program.edges[edge].op, Op::Assume(..)),
            Step::Call(..) | Step::Return(_) | Step::Pop(_) => false,
        };
        Way {
            steps: before.steps + most(&block, exit, |_| 1),
            conditions: before.conditions + most(&block, exit, |edge| u64::from(is_condition(edge.step))),
            ticks: before.ticks + self.skipped.post(parent),
        }
    }

    /// The limits of queries that check or refine paths, if a monitor sets them, with the reason to skip
    /// paths that exceed them.
    pub(super) fn limits_of(&self, ticks: Excess) -> Option<(QueryLimits, Reason)> {
        let most = self.most(ticks)?;
        let limits = QueryLimits::of(self.options.query_ticks, Rc::clone(&self.meter)).within(most);
        Some((limits, Reason::GivenUp(ticks, most)))
    }

    /// The limit of a monitor, if there is one.
    pub(super) fn most(&self, of: Excess) -> Option<u64> {
        self.options.skip.iter().find(|(excess, _)| *excess == of).map(|&(_, most)| most)
    }

    /// The skipped states in the graph from which an open target can be reached.
    pub(super) fn open_parts(&mut self) -> Vec<(NodeId, Reason)> {
        self.space.aim(self.answers.open());
        let Search { space, skipped, .. } = self;
        let mut is_open = |id: NodeId| {
            let node = &space.arg[id];
            node.alive && space.distances.of(&*space.control, node.place).is_some()
        };
        let mut parts: Vec<(NodeId, Reason)> =
            skipped.parts.iter().map(|(&id, reason)| (id, reason.clone())).collect();
        parts.retain(|&(id, _)| is_open(id));
        parts.sort_by_key(|&(id, _)| id);
        parts
    }

    /// Leaves the targets that are reachable from a skipped part without an answer.
    pub(super) fn leave_part(&mut self, (id, reason): (NodeId, Reason)) {
        let ahead = reachable_locations(self.space.program, &*self.space.control, self.space.arg[id].place);
        let targets: Vec<LocId> =
            self.answers.open().iter().copied().filter(|&target| ahead.contains(target)).collect();
        targets.into_iter().for_each(|target| self.answers.undecided(target, reason.clone()));
    }
}

/// How often the path to a state was at the state's location before, in the same call or, in a recursion, in
/// an outer one.
fn iterations(space: &Space<'_, '_>, id: NodeId) -> u64 {
    let place = space.arg[id].place;
    let frame = space.control.frame(place.stack);
    let before = space.arg.path_to(id);
    let is_iteration = |&&earlier: &&NodeId| {
        let at = space.arg[earlier].place;
        let earlier = space.control.frame(at.stack);
        at.loc == place.loc && (earlier == frame || earlier.level < frame.level)
    };
    before.iter().rev().skip(1).filter(is_iteration).count() as u64
}

/// The greatest weight of a path through a block to one of its nodes.
fn most(block: &Block, node: usize, weight: impl Fn(&BlockEdge) -> u64) -> u64 {
    let mut most = vec![0; block.nodes.len()];
    for edge in &block.edges {
        most[edge.dst] = most[edge.dst].max(most[edge.src] + weight(edge));
    }
    most[node]
}
