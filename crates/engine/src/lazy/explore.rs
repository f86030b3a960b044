//! Exploration of abstract states: the graph, the waitlist, and the successors of a state.

mod pops;

use crate::control::Control;
use crate::control::block::{Block, CutPoints};
use crate::control::place::Place;
use crate::monitor::Monitor;
use crate::outcome::residual::Unfinished;
use crate::outcome::verdict::{Graph, Reason, States, Statistics};
use crate::paths::Path;
use crate::refine::refiner::Evidence;
use crate::search::distance::Distances;
use crate::search::policy::Visits;
use crate::search::waitlist::Waitlist;
use crate::state::abstraction::{Question, Start, abstraction, reachable};
use crate::state::arg::{Arg, Node, NodeId, NodeIds};
use crate::state::bdd::{Bdd, Bdds};
use crate::state::precision::{Knowledge, Predicates, live_activations};
use crate::values::liveness::LiveVariables;
use crate::values::transfer::{self, Transfer};
use crate::values::undefined_operations::UndefinedOperations;
use crate::values::{Tracked, Values, ValuesId, ValuesPool, Ways};
use beeline_ir::{EdgeId, LocId, Program};
use beeline_smt::{Meter, QueryLimits};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;
use tracing::debug;

/// The result of a step of the exploration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    /// No state waits.
    Exhausted,
    /// The next state is at a target.
    Target(NodeId),
    /// The next state has to be expanded.
    Open(NodeId),
    /// The next state needs no expansion.
    Closed,
}

/// How states are made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Manner {
    /// Whether predicates are tracked.
    pub predicates: bool,
    /// The greatest number of states of values at a place inside of a block.
    pub most_inside: usize,
    /// Whether the solver checks that a target can be reached from its predecessor.
    pub checks_targets: bool,
}

/// The explored states of a program.
pub(crate) struct Space<'a, 'b> {
    pub program: &'a Program,
    pub control: Box<dyn Control>,
    pub distances: &'a mut Distances<'b>,
    pub monitor: &'a Monitor,
    meter: Rc<Meter>,
    pub cut_points: CutPoints,
    blocks: FxHashMap<Place, Rc<Block>>,
    /// Whether a block had to end because of its size.
    pub blocks_end_early: bool,
    pub pool: ValuesPool,
    pub arg: Arg,
    waitlist: Waitlist,
    pub bdds: Bdds,
    /// Operations that may have no result in the states of the graph.
    pub undefined_operations: UndefinedOperations,
    live_variables: LiveVariables,
    /// The number of states expanded at each location since the last restart.
    pub visits: FxHashMap<LocId, Visits>,
    /// The limits of abstraction, which can do without an answer.
    pub limits: QueryLimits,
    pub manner: Manner,
    pub statistics: Statistics,
}

/// A graph before a restart, with the targets that it excludes.
pub(crate) struct Finished {
    pub targets: BTreeSet<LocId>,
    arg: Arg,
    pool: ValuesPool,
    undefined_operations: UndefinedOperations,
    cut_points: CutPoints,
}

impl<'a, 'b> Space<'a, 'b> {
    /// A space without states.
    pub(crate) fn new(
        program: &'a Program,
        control: Box<dyn Control>,
        distances: &'a mut Distances<'b>,
        monitor: &'a Monitor,
        meter: Rc<Meter>,
        (cut_points, waitlist): (CutPoints, Waitlist),
        manner: Manner,
    ) -> Space<'a, 'b> {
        Space {
            program,
            control,
            distances,
            monitor,
            limits: QueryLimits::of(0, Rc::clone(&meter)),
            meter,
            cut_points,
            blocks: FxHashMap::default(),
            blocks_end_early: false,
            pool: ValuesPool::default(),
            arg: Arg::default(),
            waitlist,
            bdds: Bdds::default(),
            undefined_operations: UndefinedOperations::default(),
            live_variables: LiveVariables::new(program),
            visits: FxHashMap::default(),
            manner,
            statistics: Statistics::default(),
        }
    }

    /// Restarts with the current knowledge.
    pub(crate) fn restart(&mut self, known: &Knowledge) {
        self.statistics.states += self.arg.len() as u64;
        self.statistics.restarts += 1;
        debug!(
            states = self.arg.len(),
            tracked = known.precision.tracked.len(),
            predicates = known.predicates.len(),
            "the graph begins anew"
        );
        self.arg.clear();
        self.pool.clear();
        self.waitlist.clear();
        self.distances.forget_callees();
        self.visits.clear();
        self.undefined_operations.clear();
        self.live_variables.precision_changes();
        let values = Values::initial(self.program, &known.precision.tracked);
        let values = self.pool.intern(values);
        let place = self.control.start(self.program);
        self.add(place, values, Bdd::TRUE, None, known);
    }

    /// Restricts the search to these targets. The others stay places where blocks and executions end.
    pub(crate) fn aim(&mut self, targets: &BTreeSet<LocId>) {
        if !self.distances.aim(targets) {
            return;
        }
        for id in self.waitlist.drain() {
            if self.arg[id].alive {
                self.wait(id);
            }
        }
    }

    /// Forgets all blocks: they will be built differently from now on.
    pub(crate) fn forget_blocks(&mut self) {
        self.blocks.clear();
        self.blocks_end_early = false;
    }

    /// Leaves edges out from now on.
    pub(crate) fn leave_out(&mut self, edges: impl IntoIterator<Item = EdgeId>) {
        self.cut_points.leave_out(edges);
        self.blocks.clear();
    }

    /// Processes the next state.
    pub(crate) fn step(&mut self) -> Event {
        let refinements = self.statistics.value_refinements + self.statistics.predicate_refinements;
        let states = self.statistics.states + self.arg.len() as u64;
        self.monitor.show(states, self.waitlist.len() as u64, refinements);
        let Some(id) = self.next() else { return Event::Exhausted };
        let node = &self.arg[id];
        if !node.alive || node.expanded || node.covered_by.is_some() {
            return Event::Closed;
        }
        if self.cut_points.is_target(node.place.loc) {
            return Event::Target(id);
        }
        let loc = node.place.loc;
        if self.arg.cover(id, &self.pool, &mut self.bdds) {
            return Event::Closed;
        }
        // A covered state says nothing about how many states have to be distinguished.
        self.visits.entry(loc).or_default().made += 1;
        Event::Open(id)
    }

    /// The next state: the nearest one by current knowledge.
    fn next(&mut self) -> Option<NodeId> {
        let Space { waitlist, distances, control, arg, statistics, .. } = self;
        let distance = |id| {
            let Node { place, passed, .. } = arg[id];
            distances.explored(&**control, place, passed)
        };
        waitlist.pop_nearest(&mut statistics.moved, distance)
    }

    fn add(
        &mut self,
        place: Place,
        values: ValuesId,
        formula: Bdd,
        parent: Option<(NodeId, usize)>,
        known: &Knowledge,
    ) {
        let top = self.top(place, values, formula, known);
        let node = Node {
            place,
            partition: self.control.partition(place),
            top,
            values,
            formula,
            parent,
            children: NodeIds::new(),
            covered_by: None,
            covers: NodeIds::new(),
            expanded: false,
            alive: true,
            version: known.precision.version,
            passed: self.distances.passed(parent.map_or(0, |(id, _)| self.arg[id].passed), place.loc),
        };
        let id = self.arg.add(node);
        if !self.wait(id) {
            // No target can be reached from here.
            self.statistics.pruned += 1;
        }
    }

    /// Adds a state to the waitlist, unless no target can be reached from it.
    fn wait(&mut self, id: NodeId) -> bool {
        let Node { place, passed, .. } = self.arg[id];
        self.distances.learn(&*self.control, place);
        self.waitlist.know(self.distances.learned().resolutions);
        let Some(distance) = self.distances.explored(&*self.control, place, passed) else { return false };
        if self.cut_points.is_target(place.loc) {
            self.waitlist.push_target(id);
            self.monitor.reached(0);
        } else {
            self.waitlist.push(id, &*self.control, place, distance);
            self.monitor.reached(distance);
        }
        true
    }

    /// Removes a state and all its descendants. States that become uncovered or unexpanded wait again.
    pub(crate) fn remove_subtree(&mut self, top: NodeId) {
        for id in self.arg.remove_subtree(top) {
            self.wait(id);
        }
    }

    /// The block that starts at a place.
    pub(crate) fn block(&mut self, place: Place) -> Rc<Block> {
        if let Some(block) = self.blocks.get(&place) {
            return Rc::clone(block);
        }
        let block = Rc::new(Block::build(self.program, &mut *self.control, &self.cut_points, place));
        self.blocks_end_early |= block.ends_early;
        self.blocks.insert(place, Rc::clone(&block));
        block
    }

    /// Expands a state.
    pub(crate) fn expand(&mut self, id: NodeId, known: &mut Knowledge) -> Result<(), Reason> {
        if self.pops(id, known) {
            let block = self.popping(self.arg[id].place);
            return self.successors(id, &block, known);
        }
        let block = self.block(self.arg[id].place);
        self.successors(id, &block, known)?;
        self.arg.set_expanded(id, &self.pool);
        Ok(())
    }

    /// Adds the states at the exits of a block that starts in a state.
    fn successors(&mut self, id: NodeId, block: &Block, known: &mut Knowledge) -> Result<(), Reason> {
        self.spread(block, known);
        let (place, known) = (self.arg[id].place, &*known);
        let values = Arc::clone(self.pool.get(self.arg[id].values));
        let transfer =
            Transfer { undefined_operations: Some(&self.undefined_operations), ..self.transfer(known) };
        let leaving =
            transfer::through_block(&transfer, block, &values, self.manner.most_inside, &self.meter)
                .ok_or_else(|| {
                    if self.meter.is_stopped() { Reason::Interrupted } else { Reason::BlockTooLarge }
                })?;
        if leaving.windows(2).any(|pair| pair[0].0 != pair[1].0) {
            self.visits.entry(place.loc).or_default().undecided += 1;
        }
        let excluded = self.excluded_targets(id, block, leaving.iter().map(|(exit, _)| *exit), known);
        let mut ways = None;
        for (exit, after) in leaving {
            let place = block.nodes[exit];
            if excluded.contains(&exit) || self.is_decided(place) {
                continue;
            }
            let Some(formula) = self.abstraction(id, (block, &mut ways), exit, &after, known) else {
                continue;
            };
            let after = self.pool.intern(after);
            self.add(place, after, formula, Some((id, exit)), known);
        }
        Ok(())
    }

    /// How values change along steps.
    fn transfer<'t>(&'t self, known: &'t Knowledge) -> Transfer<'t, FxHashSet<Tracked>> {
        Transfer {
            program: self.program,
            control: &*self.control,
            precision: &known.precision.tracked,
            undefined_operations: None,
            live_variables: Some(&self.live_variables),
        }
    }

    /// Whether a place is a target that needs no further search. An execution ends there.
    fn is_decided(&mut self, place: Place) -> bool {
        self.cut_points.is_target(place.loc) && self.distances.of(&*self.control, place).is_none()
    }

    /// The targets among the exits of a block that no execution reaches, if several are queried.
    fn excluded_targets(
        &mut self,
        id: NodeId,
        block: &Block,
        exits: impl Iterator<Item = usize>,
        known: &Knowledge,
    ) -> FxHashSet<usize> {
        if !self.manner.predicates || !self.manner.checks_targets {
            return FxHashSet::default();
        }
        let targets: BTreeSet<usize> =
            exits.filter(|&exit| self.cut_points.is_target(block.nodes[exit].loc)).collect();
        let asked: Vec<usize> =
            targets.into_iter().filter(|&exit| !self.is_decided(block.nodes[exit])).collect();
        if asked.len() < 2 {
            return FxHashSet::default();
        }
        self.limits.query_ticks = known.care.query_ticks;
        self.statistics.abstractions += 1;
        let began = Instant::now();
        let start = Start::of(&self.arg, &self.pool, id);
        let found = reachable(
            (self.program, &*self.control),
            &known.predicates,
            &self.bdds,
            &self.limits,
            (block, &start),
            &asked,
        );
        self.statistics.abstraction_time += began.elapsed();
        // What cannot be encoded excludes nothing.
        let found = found.unwrap_or_else(|_| asked.clone());
        asked.into_iter().filter(|exit| !found.contains(exit)).collect()
    }

    /// The predicates that hold at the exit of a block; `None` if it cannot be reached. The ways through the block are
    /// found where they are needed for the first time.
    fn abstraction(
        &mut self,
        id: NodeId,
        (block, ways): (&Block, &mut Option<Option<Ways>>),
        exit: usize,
        after: &Values,
        known: &Knowledge,
    ) -> Option<Bdd> {
        let (place, node) = (block.nodes[exit], &self.arg[id]);
        let live = live_activations(&*self.control, place.stack);
        let preds = known.precision.preds_at(self.program, place.loc);
        let wanted: Vec<_> =
            preds.filter(|&pred| known.predicates.is_live(pred, &live, self.program)).collect();
        // Whether a target can be reached is always asked; at other locations, only where something is known.
        let target = self.cut_points.is_target(place.loc) && self.manner.checks_targets;
        let asked = self.manner.predicates && (target || known.precision.checked.contains(&place.loc));
        if wanted.is_empty() && node.formula == Bdd::TRUE && !asked || self.meter.is_over() {
            return Some(Bdd::TRUE);
        }
        let mut part = None;
        if after.len() > 0 {
            let ways = ways.get_or_insert_with(|| self.ways(id, block, known));
            part = ways.as_ref().and_then(|ways| ways.part_to(block, exit, after));
        }
        let (block, exit) = part.as_ref().map_or((block, exit), |(part, exit)| (part, *exit));
        let question = Question {
            block,
            exit,
            start: Start::of(&self.arg, &self.pool, id),
            after,
            wanted: &wanted,
            abstraction: known.care.abstraction,
        };
        self.limits.query_ticks = known.care.query_ticks;
        self.statistics.abstractions += 1;
        let start = Instant::now();
        let (control, bdds) = (&*self.control, &mut self.bdds);
        let found = abstraction(self.program, control, &known.predicates, bdds, &self.limits, &question);
        self.statistics.abstraction_time += start.elapsed();
        // Without an encoding there is no abstraction: nothing is known.
        found.unwrap_or(Some(Bdd::TRUE))
    }

    /// Removes the states from which no target can be reached, unless they cover another state: no proof needs
    /// them.
    pub(crate) fn keep_near(&mut self) {
        let Space { arg, distances, control, .. } = self;
        let is_near = |node: &Node| node.parent.is_none() || distances.of(&**control, node.place).is_some();
        arg.retain(is_near);
    }

    /// The final graph, which takes the diagrams along unless another graph needs them.
    pub(crate) fn graph(&mut self, predicates: &Predicates, shares: bool) -> States {
        let bdds = if shares { self.bdds.clone() } else { std::mem::take(&mut self.bdds) };
        self.graph_with(predicates, bdds)
    }

    /// Takes the graph out, which excludes some targets.
    pub(crate) fn take_graph(&mut self, targets: BTreeSet<LocId>) -> Finished {
        self.statistics.states += self.arg.len() as u64;
        let arg = std::mem::take(&mut self.arg);
        self.arg.coverage_checks = arg.coverage_checks;
        Finished {
            targets,
            arg,
            pool: std::mem::take(&mut self.pool),
            undefined_operations: std::mem::take(&mut self.undefined_operations),
            cut_points: self.cut_points.clone(),
        }
    }

    /// Replaces the graph by one that was taken out, and counted there.
    pub(crate) fn put_back(&mut self, graph: Finished) {
        self.statistics.states += self.arg.len() as u64;
        self.statistics.states -= graph.arg.len() as u64;
        self.waitlist.clear();
        let checks = self.arg.coverage_checks;
        (self.arg, self.pool) = (graph.arg, graph.pool);
        self.arg.coverage_checks = checks;
        self.undefined_operations = graph.undefined_operations;
        self.cut_points = graph.cut_points;
        self.forget_blocks();
    }

    fn graph_with(&self, predicates: &Predicates, bdds: Bdds) -> States {
        let cut_points = self.cut_points.locations();
        States::of(&self.arg, &self.pool, bdds, predicates.clone(), cut_points, &*self.control)
    }

    /// The current graph. A state that was not expanded is open, and so is one in which an operation may have no result, for
    /// the reason that `why` gives.
    pub(crate) fn unfinished(
        &mut self,
        predicates: &Predicates,
        targets: &BTreeSet<LocId>,
        without_results: &FxHashSet<NodeId>,
        why: impl Fn(NodeId) -> Reason,
    ) -> Unfinished {
        let (mut open, mut matters, mut shows) = (Vec::new(), Vec::new(), Vec::new());
        for (index, (id, node)) in self.arg.alive().enumerate() {
            let is_near = self.distances.of(&*self.control, node.place).is_some();
            matters.push(is_near);
            let shown = node.expanded && !without_results.contains(&id);
            let block = self.blocks.get(&node.place).filter(|_| shown);
            shows.push(block.is_some_and(|block| self.passes_target(block, node, targets)));
            if block.is_none() && is_near && node.covered_by.is_none() {
                open.push((index, why(id)));
            }
        }
        let states = self.graph_with(predicates, self.bdds.clone());
        Unfinished { states, open, matters, shows, targets: targets.clone() }
    }

    /// Whether the block of a state ends at a target that no execution reaches from the state.
    fn passes_target(&self, block: &Block, node: &Node, targets: &BTreeSet<LocId>) -> bool {
        let mut ends = block.exits.iter().map(|&exit| block.nodes[exit]);
        ends.any(|end| {
            targets.contains(&end.loc) && node.children.iter().all(|&child| self.arg[child].place != end)
        })
    }

    /// The current graph, with its waiting states.
    pub(crate) fn open_graph(&mut self, predicates: &Predicates) -> Graph {
        let mut waiting = Vec::new();
        for (index, (_, node)) in self.arg.alive().enumerate() {
            let open =
                !node.expanded && node.covered_by.is_none() && !self.cut_points.is_target(node.place.loc);
            if open && self.distances.explored(&*self.control, node.place, node.passed).is_some() {
                waiting.push(index);
            }
        }
        Graph { states: self.graph_with(predicates, self.bdds.clone()), waiting }
    }

    /// The evidence for a refiner.
    pub(crate) fn evidence<'e>(
        &'e self,
        limits: &'e QueryLimits,
        meter: &'e Meter,
        patience: Option<u64>,
    ) -> Evidence<'e> {
        let Space { program, arg, pool, bdds, .. } = self;
        Evidence { program, control: &*self.control, arg, pool, bdds, limits, meter, patience }
    }

    /// The path to a state.
    pub(crate) fn path_to(&mut self, id: NodeId) -> Path {
        let states = self.arg.path_to(id);
        let mut blocks = Vec::with_capacity(states.len());
        for pair in states.windows(2) {
            let (_, exit) = self.arg[pair[1]].parent.expect("only the first state has no parent");
            let (place, is_popped) = (self.arg[pair[0]].place, self.arg.is_popped(pair[0]));
            let block = if is_popped { Rc::new(self.popping(place)) } else { self.block(place) };
            blocks.push((block, exit));
        }
        let shortcut = self.shortcut(&states, &blocks).map(Rc::new);
        Path { states, blocks, shortcut, known: Vec::new() }
    }

    /// The ways by which values lead from a state through a block.
    fn ways(&self, from: NodeId, block: &Block, known: &Knowledge) -> Option<Ways> {
        let start = self.pool.get(self.arg[from].values);
        Ways::from(&self.transfer(known), block, start, self.manner.most_inside, &self.meter)
    }

    /// The part of a path that values leave: no execution takes another way between its states.
    pub(crate) fn within_values(&self, path: Path, known: &Knowledge) -> Path {
        let values = |state: NodeId| self.pool.get(self.arg[state].values);
        let parts = path.blocks.iter().zip(path.states.windows(2)).map(|((block, exit), ends)| {
            let ways = self.ways(ends[0], block, known);
            match ways.and_then(|ways| ways.part_to(block, *exit, values(ends[1]))) {
                Some((part, exit)) => (Rc::new(part), exit),
                None => (Rc::clone(block), *exit),
            }
        });
        let blocks = parts.collect();
        let known = path.states[1..].iter().map(|&state| Arc::clone(values(state))).collect();
        Path { blocks, known, ..path }
    }
}
