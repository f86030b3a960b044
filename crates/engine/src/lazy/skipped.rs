//! Parts that are given up: what has too many of something is not explored, and the search goes on with the others.
//!
//! A state that is given up stays in the graph and is never expanded, so it covers no other. At the end it is open: nothing
//! is said of the targets ahead of it, and what the search leaves names it, with the reason.

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

/// What is counted since the graph was begun anew, and what was given up.
#[derive(Debug, Default)]
pub(super) struct SkippedParts {
    parts: FxHashMap<NodeId, Reason>,
    at_location: FxHashMap<LocId, u64>,
    at_place: FxHashMap<Place, u64>,
    ways: FxHashMap<NodeId, Way>,
    /// What it took to make the states behind a state.
    posts: FxHashMap<NodeId, u64>,
}

/// The longest way to a state through the blocks of its path.
#[derive(Debug, Default, Clone, Copy)]
struct Way {
    steps: u64,
    conditions: u64,
    /// What it took to make the states on the path.
    ticks: u64,
}

impl SkippedParts {
    /// Why a state was given up, if it was.
    pub(super) fn reason(&self, id: NodeId) -> Option<&Reason> {
        self.parts.get(&id)
    }

    /// What it took to make the states behind a state.
    fn post(&self, id: NodeId) -> u64 {
        self.posts.get(&id).copied().unwrap_or_default()
    }

    /// Counts one more state, which is at a place.
    fn count(&mut self, place: Place) {
        *self.at_location.entry(place.loc).or_default() += 1;
        *self.at_place.entry(place).or_default() += 1;
    }
}

impl Search<'_, '_> {
    /// Gives a state up if there is too much of something with it.
    pub(super) fn gives_up(&mut self, id: NodeId) -> bool {
        if self.options.skip.is_empty() {
            return false;
        }
        self.skipped.count(self.space.arg[id].place);
        let way = self.way_to(id);
        self.skipped.ways.insert(id, way);
        let exceeds = |&&(excess, most): &&(Excess, u64)| self.amount(id, way, excess) > most;
        let Some(&(excess, most)) = self.options.skip.iter().find(exceeds) else { return false };
        info!(%excess, most, "a part is given up");
        self.skipped.parts.insert(id, Reason::GivenUp(excess, most));
        true
    }

    /// How much of something there is with a state.
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
            // That is counted where paths are decided and excluded.
            Excess::PathTicks | Excess::FormulaSize | Excess::RefinementTicks => 0,
        }
    }

    /// How many values and predicates are known of a state.
    fn facts(&self, id: NodeId) -> u64 {
        let (space, node) = (&self.space, &self.space.arg[id]);
        let values = space.pool.get(node.values).entries().count();
        (values + space.bdds.support(node.formula).len()) as u64
    }

    /// Makes the states behind a state, and counts what that takes.
    pub(super) fn expand(&mut self, id: NodeId) -> Result<(), Reason> {
        let before = self.meter.used();
        self.space.expand(id, &mut self.known)?;
        if !self.options.skip.is_empty() {
            self.skipped.posts.insert(id, self.meter.used() - before);
        }
        Ok(())
    }

    /// The longest way to a state that is explored, the one before it being known.
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

    /// What the solver may use to decide or to exclude paths, if that is bounded, and why these are given up then.
    pub(super) fn limits_of(&self, ticks: Excess) -> Option<(QueryLimits, Reason)> {
        let most = self.most(ticks)?;
        let limits = QueryLimits::of(self.options.query_ticks, Rc::clone(&self.meter)).within(most);
        Some((limits, Reason::GivenUp(ticks, most)))
    }

    /// How much there may be of something, if that is bounded.
    pub(super) fn most(&self, of: Excess) -> Option<u64> {
        self.options.skip.iter().find(|(excess, _)| *excess == of).map(|&(_, most)| most)
    }

    /// What is part of the graph, given up, and before an open target.
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

    /// Nothing is said of the targets ahead of a part.
    pub(super) fn leave_part(&mut self, (id, reason): (NodeId, Reason)) {
        let ahead = reachable_locations(self.space.program, &*self.space.control, self.space.arg[id].place);
        let targets: Vec<LocId> =
            self.answers.open().iter().copied().filter(|&target| ahead.contains(target)).collect();
        targets.into_iter().for_each(|target| self.answers.undecided(target, reason.clone()));
    }
}

/// How often the path to a state was at its location before, in the same call or, where functions recur, in one further
/// out.
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

/// The most that edges weigh together on a way through a block to one of its nodes.
fn most(block: &Block, node: usize, weight: impl Fn(&BlockEdge) -> u64) -> u64 {
    let mut most = vec![0; block.nodes.len()];
    for edge in &block.edges {
        most[edge.dst] = most[edge.dst].max(most[edge.src] + weight(edge));
    }
    most[node]
}
