//! The contexts of a program and the abstract states in them.
//!
//! A call enters a context of the callee that includes the entry state: an existing context, or a new one.
//! For each exit of the context and each call that entered it, ghosts are replaced by the values at the call,
//! which gives a state after the call. Recursion needs nothing special: a call from a context into itself
//! uses the exits found so far, and later exits make more states after it.

mod contexts;
mod distance;
pub(super) mod extrapolation;
pub(super) mod path;
mod split;

use super::call::enter;
use super::intraprocedural::{AT_ENTRY, Intraprocedural, place};
use super::query_cache::{Answers, Question, Way};
use super::subsumption::SubsumptionIndex;
use super::values::begun;
use crate::control::block::{Block, CutPoints};
use crate::control::place::Slot;
use crate::formula::Executor;
use crate::formula::state::SymState;
use crate::monitor::Monitor;
use crate::options::Options;
use crate::outcome::verdict::Statistics;
use crate::search::distance::{CallDists, Distances};
use crate::search::policy::Visits;
use crate::search::waitlist::Waitlist;
use crate::state::abstraction::{equalities, formula, insert_values, of_state};
use crate::state::arg::NodeId;
use crate::state::bdd::{Bdd, Bdds};
use crate::state::precision::{Knowledge, PredId};
use crate::values::transfer::{Transfer, through_block};
use crate::values::{Tracked, Values};
use beeline_graph::{EffectMap, Effects, Graph};
use beeline_ir::{EdgeId, FuncId, LocId, Program, VarId};
use beeline_smt::{Formula, Meter, QueryLimits, Unsupported};
use cranelift_entity::{PrimaryMap, entity_impl};
use extrapolation::{Extrapolation, Guess};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

/// The id of a context.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct ContextId(u32);
entity_impl!(ContextId, "context");

/// A context: a function with its entry state.
#[derive(Debug)]
pub(super) struct Context {
    /// The function.
    pub func: FuncId,
    /// The entry state, which is about ghosts only.
    pub entry: NodeId,
    /// The call that opened it; `None` for the start of the program.
    pub opened_by: Option<(NodeId, EdgeId)>,
    /// The states at its exit.
    exits: Vec<NodeId>,
    /// The calls that entered it.
    users: Vec<User>,
    /// The distance after the nearest of these calls.
    pub call: CallDists,
    /// Its states.
    pub states: Vec<NodeId>,
    /// The guess about it.
    pub guess: Option<Rc<Guess>>,
}

impl Context {
    /// Whether an execution of it has reached its exit.
    pub(super) fn has_ended(&self) -> bool {
        !self.exits.is_empty()
    }
}

/// A call that entered a context, by its state and its index there.
#[derive(Debug, Clone, Copy)]
struct User {
    node: NodeId,
    call: usize,
}

/// The origin of a state.
#[derive(Debug, Clone, Copy)]
pub(super) enum Origin {
    /// The entry of the function.
    Entry,
    /// A block from a state to one of its exits.
    Block(NodeId, usize),
    /// A call from a state whose callee exited in another state.
    Call { from: NodeId, edge: EdgeId, callee: FuncId, exit: NodeId },
}

/// An abstract state.
#[derive(Debug)]
pub(super) struct Node {
    /// Its context.
    pub context: ContextId,
    /// Its location.
    pub loc: LocId,
    /// The known values.
    pub values: Arc<Values>,
    /// The known predicates.
    pub formula: Bdd,
    /// Its origin.
    pub origin: Origin,
    /// The states at the exits of its block.
    pub children: Vec<NodeId>,
    /// The calls from it.
    pub calls: Vec<Call>,
    /// The state that covers it.
    pub covered_by: Option<NodeId>,
    /// Whether its successors were made.
    pub expanded: bool,
    /// The number of stages that executions have passed that reach it.
    pub passed: u32,
}

/// A call from a state.
#[derive(Debug)]
pub(super) struct Call {
    /// The edge.
    pub edge: EdgeId,
    /// The called function.
    pub callee: FuncId,
    /// The entered context.
    pub context: ContextId,
    /// The states after the call.
    pub children: Vec<NodeId>,
}

/// The result of a step of the exploration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    /// No state waits.
    Exhausted,
    /// A state is at a target.
    Target(NodeId),
    /// A state has to be expanded.
    Open(NodeId),
    /// A state needs no expansion.
    Explored,
}

/// The contexts and their states.
pub(super) struct Space<'a, 'b> {
    pub program: &'a Program,
    pub control: Intraprocedural,
    pub distances: &'a mut Distances<'b>,
    pub monitor: &'a Monitor,
    pub cut_points: CutPoints,
    blocks: FxHashMap<LocId, Rc<Block>>,
    pub graph: Graph<'a>,
    effects: EffectMap,
    pub contexts: PrimaryMap<ContextId, Context>,
    /// Contexts by the values that their callers pass. A context for other values would tell the callee less,
    /// or nothing.
    known_contexts: FxHashMap<(FuncId, Arc<Values>), Vec<ContextId>>,
    /// For each function, the number of restarts before a context of it was last opened.
    last_opened: FxHashMap<FuncId, u64>,
    pub nodes: PrimaryMap<NodeId, Node>,
    at: FxHashMap<(ContextId, LocId), SubsumptionIndex>,
    /// The number of states made at each location since the last restart.
    pub visits: FxHashMap<LocId, Visits>,
    /// Affine extrapolation of contexts that know less than their callers.
    pub lines: Extrapolation,
    /// Variables that have too many values at calls to be split.
    pub many_values: FxHashSet<(LocId, VarId)>,
    pub waitlist: Waitlist,
    pub bdds: Bdds,
    /// The query cache for the current blocks.
    asked: Answers,
    /// The limits of abstraction, which can do without an answer.
    pub limits: QueryLimits,
    meter: Rc<Meter>,
    pub manner: Manner,
    pub statistics: Statistics,
}

/// How states are made.
#[derive(Debug, Clone, Copy)]
pub(super) struct Manner {
    /// Whether the solver is asked if a state can be reached, even where no predicates are wanted.
    pub asks: bool,
    /// The greatest number of states of values at a place inside of a block.
    pub most_inside: usize,
    /// Whether each of few values that a call passes on is a state of its own.
    pub splits: bool,
}

impl<'a, 'b> Space<'a, 'b> {
    /// A space without states.
    pub(super) fn new(
        program: &'a Program,
        options: &Options,
        targets: &BTreeSet<LocId>,
        distances: &'a mut Distances<'b>,
        monitor: &'a Monitor,
        meter: Rc<Meter>,
        manner: Manner,
    ) -> Space<'a, 'b> {
        let mut cut_points = CutPoints::new(program, options.blocks, targets.iter().copied());
        cut_points.allow_large_blocks();
        let calls = program.edges.values().filter(|edge| edge.op.as_call().is_some()).map(|edge| edge.src);
        cut_points.cut_at(distances.ways());
        cut_points.cut_at(calls.chain(program.functions.values().map(|function| function.exit)));
        let graph = Graph::new(program);
        Space {
            program,
            control: Intraprocedural::new(program),
            distances,
            monitor,
            cut_points,
            blocks: FxHashMap::default(),
            effects: EffectMap::new(&graph),
            graph,
            contexts: PrimaryMap::new(),
            known_contexts: FxHashMap::default(),
            last_opened: FxHashMap::default(),
            nodes: PrimaryMap::new(),
            at: FxHashMap::default(),
            visits: FxHashMap::default(),
            lines: Extrapolation::default(),
            many_values: FxHashSet::default(),
            waitlist: Waitlist::new(options.order, program),
            bdds: Bdds::default(),
            asked: Answers::default(),
            limits: QueryLimits::of(0, Rc::clone(&meter)),
            meter,
            manner,
            statistics: Statistics::default(),
        }
    }

    /// Restarts with the current knowledge.
    pub(super) fn restart(&mut self, known: &Knowledge) {
        self.statistics.restarts += 1;
        self.take();
        self.known_contexts.clear();
        self.at.clear();
        self.visits.clear();
        self.lines.restart();
        self.waitlist.clear();
        let values = Values::initial(self.program, &known.precision.tracked);
        self.open_context(self.program.entry, Arc::new(values), Bdd::TRUE, None);
    }

    /// Takes the contexts and states out.
    pub(super) fn take(&mut self) -> (PrimaryMap<ContextId, Context>, PrimaryMap<NodeId, Node>) {
        self.statistics.states += self.nodes.len() as u64;
        (std::mem::take(&mut self.contexts), std::mem::take(&mut self.nodes))
    }

    /// Replaces the contexts and states by earlier ones, which were counted when they were taken out.
    pub(super) fn put_back(
        &mut self,
        contexts: PrimaryMap<ContextId, Context>,
        nodes: PrimaryMap<NodeId, Node>,
        cut_points: CutPoints,
    ) {
        self.take();
        self.statistics.states -= nodes.len() as u64;
        (self.contexts, self.nodes) = (contexts, nodes);
        self.cut_points = cut_points;
        self.blocks.clear();
    }

    /// Leaves edges out from now on.
    pub(super) fn leave_out(&mut self, edges: impl IntoIterator<Item = EdgeId>) {
        self.cut_points.leave_out(edges);
        self.blocks.clear();
        self.asked.clear();
    }

    /// The effects of a function, including those of its callees.
    pub(super) fn effects(&self, func: FuncId) -> &Effects {
        self.effects.of(&self.graph, func)
    }

    /// The block that starts at a location.
    pub(super) fn block(&mut self, loc: LocId) -> Rc<Block> {
        if let Some(block) = self.blocks.get(&loc) {
            return Rc::clone(block);
        }
        let start = place(self.program, loc);
        let block = Rc::new(Block::build(self.program, &mut self.control, &self.cut_points, start));
        self.blocks.insert(loc, Rc::clone(&block));
        block
    }

    /// The locations where blocks end.
    pub(super) fn cut_points(&self) -> Option<Vec<LocId>> {
        self.cut_points.locations()
    }

    /// Whether a target can be reached from a location.
    pub(super) fn matters(&mut self, loc: LocId) -> bool {
        self.distances.whoever_called(loc).is_some()
    }

    /// Whether the location is a target.
    pub(super) fn is_target(&self, loc: LocId) -> bool {
        self.cut_points.is_target(loc)
    }

    /// Processes the next state.
    pub(super) fn step(&mut self) -> Event {
        let states = self.statistics.states + self.nodes.len() as u64;
        let refinements = self.statistics.value_refinements + self.statistics.predicate_refinements;
        self.monitor.show(states, self.waitlist.len() as u64, refinements);
        let Some(id) = self.waitlist.pop() else { return Event::Exhausted };
        if self.nodes[id].expanded || self.nodes[id].covered_by.is_some() {
            return Event::Explored;
        }
        if self.cut_points.is_target(self.nodes[id].loc) {
            return Event::Target(id);
        }
        if self.cover(id) { Event::Explored } else { Event::Open(id) }
    }

    fn open_context(
        &mut self,
        func: FuncId,
        values: Arc<Values>,
        formula: Bdd,
        opened_by: Option<(NodeId, EdgeId)>,
    ) -> ContextId {
        let entry = self.nodes.next_key();
        let call = opened_by.map_or_else(
            || self.distances.no_call(),
            |(node, edge)| self.behind_call(self.nodes[node].context, edge, func),
        );
        let (exits, users, states) = (Vec::new(), Vec::new(), Vec::new());
        let context = Context { func, entry, opened_by, exits, users, call, states, guess: None };
        let id = self.contexts.push(context);
        if opened_by.is_some() {
            self.classify(id, &values);
            self.known_contexts.entry((func, Arc::clone(&values))).or_default().push(id);
        }
        self.add(id, self.program.functions[func].entry(), (values, formula), Origin::Entry);
        id
    }

    fn add(
        &mut self,
        context: ContextId,
        loc: LocId,
        (values, formula): (Arc<Values>, Bdd),
        origin: Origin,
    ) -> NodeId {
        let passed = self.passed(context, loc, origin);
        let id = self.nodes.push(Node {
            context,
            loc,
            values,
            formula,
            origin,
            children: Vec::new(),
            calls: Vec::new(),
            covered_by: None,
            expanded: false,
            passed,
        });
        self.visits.entry(loc).or_default().made += 1;
        self.contexts[context].states.push(id);
        self.wait(id);
        id
    }

    /// Covers a state by another one, if possible. An entry state is never covered.
    fn cover(&mut self, id: NodeId) -> bool {
        let node = &self.nodes[id];
        if matches!(node.origin, Origin::Entry) {
            return false;
        }
        let Node { context, loc, ref values, formula, .. } = *node;
        let values = Arc::clone(values);
        let shelf = self.at.entry((context, loc)).or_default();
        for other in shelf.candidates(&values) {
            self.statistics.coverage_checks += 1;
            let including = &self.nodes[other];
            if self.bdds.implies(formula, including.formula) && values.implies(&including.values) {
                self.nodes[id].covered_by = Some(other);
                return true;
            }
        }
        shelf.add(&values, id);
        false
    }

    /// Expands a state.
    pub(super) fn expand(&mut self, id: NodeId, known: &mut Knowledge) {
        self.nodes[id].expanded = true;
        let (context, loc) = (self.nodes[id].context, self.nodes[id].loc);
        let block = self.block(loc);
        for (exit, after) in self.leaving(id, &block, known) {
            let to = block.nodes[exit].loc;
            if !self.matters(to) {
                continue;
            }
            for after in self.split(id, (&block, exit), after, known) {
                self.reach(id, (&block, exit), after, known);
            }
        }
        for edge in self.program.out_edges(loc) {
            let Some(call) = self.program.edges[edge].op.as_call() else { continue };
            for &callee in call.callee.functions() {
                self.call(id, edge, callee, known);
            }
        }
        if loc == self.program.functions[self.contexts[context].func].exit && self.keeps_guess(id) {
            self.contexts[context].exits.push(id);
            for index in 0..self.contexts[context].users.len() {
                let user = self.contexts[context].users[index];
                self.statistics.late_exits += 1;
                self.come_back(user, id, known);
            }
        }
    }

    /// Makes the state at an exit of a state's block.
    fn reach(&mut self, id: NodeId, (block, exit): (&Block, usize), after: Values, known: &Knowledge) {
        let (to, mut after) = (block.nodes[exit].loc, after);
        self.leave_to_guess(self.nodes[id].context, to, &mut after);
        let found =
            self.abstraction(id, Way::Block(exit), (to, &after), known, |executor, state, before, _| {
                let end = executor.block(block, state, exit)?.state;
                let reached = before.and(&end.guard);
                Ok((end, reached))
            });
        if let Some(formula) = found {
            let context = self.nodes[id].context;
            let child = self.add(context, to, (Arc::new(after), formula), Origin::Block(id, exit));
            self.nodes[id].children.push(child);
        }
    }

    /// The symbolic state of an abstract state, and the formula that holds in it.
    pub(super) fn start(
        &self,
        executor: &mut Executor<'_>,
        id: NodeId,
        known: &Knowledge,
    ) -> Result<(SymState, Formula), Unsupported> {
        let node = &self.nodes[id];
        let Context { func, opened_by, .. } = &self.contexts[node.context];
        let mut state = match (node.origin, opened_by) {
            (Origin::Entry, None) => executor.start(),
            _ => executor.somewhere(1),
        };
        if opened_by.is_some() || !matches!(node.origin, Origin::Entry) {
            // At the start of the program everything is known.
            insert_values(executor, &mut state, &node.values)?;
        }
        if let (Origin::Entry, Some(_)) = (node.origin, opened_by) {
            enter(executor, self.program, &mut state, *func)?;
        }
        let holds = formula(executor, &mut state, &known.predicates, &self.bdds, node.formula)?;
        Ok((state, holds))
    }

    /// The predicates at a location that make sense there; at an entry, those about ghosts only. Searches
    /// that know all open calls may have learned others.
    fn wanted(&self, to: LocId, known: &Knowledge, begins: bool) -> Vec<PredId> {
        let func = self.program.function_of(to);
        let is_there = |slot: &Slot| {
            let owner = self.program.vars[slot.var].owner;
            match slot.level {
                AT_ENTRY => owner.is_none() || self.program.functions[func].params.contains(&slot.var),
                level => !begins && level == 0 && owner.is_none_or(|owner| owner == func),
            }
        };
        let preds = known.precision.preds_at(self.program, to);
        preds.filter(|&pred| known.predicates.reads(pred).iter().all(is_there)).collect()
    }

    /// The transfer function of values.
    fn transfer<'s>(&'s self, known: &'s Knowledge) -> Transfer<'s, FxHashSet<Tracked>> {
        let precision = &known.precision.tracked;
        Transfer {
            program: self.program,
            control: &self.control,
            precision,
            undefined_operations: None,
            live_variables: None,
        }
    }

    /// The values known in a state. At an entry, variables have the values of their ghosts.
    fn values(&self, id: NodeId) -> Arc<Values> {
        let Node { context, ref values, origin, .. } = self.nodes[id];
        let begins = matches!(origin, Origin::Entry) && self.contexts[context].opened_by.is_some();
        if begins { Arc::new(begun(values)) } else { Arc::clone(values) }
    }

    /// The exits of a state's block that values allow, each with the values there.
    fn leaving(&mut self, id: NodeId, block: &Block, known: &Knowledge) -> Vec<(usize, Values)> {
        let (loc, start) = (self.nodes[id].loc, self.values(id));
        let leaving =
            through_block(&self.transfer(known), block, &start, self.manner.most_inside, &self.meter);
        // Where there are too many values to follow, nothing is known of them.
        let leaving =
            leaving.unwrap_or_else(|| block.exits.iter().map(|&exit| (exit, Values::default())).collect());
        if leaving.windows(2).any(|pair| pair[0].0 != pair[1].0) {
            self.visits.entry(loc).or_default().undecided += 1;
        }
        leaving
    }

    /// The predicates that hold at a location with these values, or those about ghosts at an entry; `None` if
    /// the location is not reached.
    fn abstraction(
        &mut self,
        id: NodeId,
        way: Way,
        (to, after): (LocId, &Values),
        known: &Knowledge,
        reached: impl FnOnce(
            &mut Executor<'_>,
            SymState,
            Formula,
            &Bdds,
        ) -> Result<(SymState, Formula), Unsupported>,
    ) -> Option<Bdd> {
        let begins = matches!(way, Way::Into(..));
        let mut wanted = self.wanted(to, known, begins);
        if !begins {
            wanted.extend(self.guessed(self.nodes[id].context, to));
        }
        wanted.sort_unstable();
        wanted.dedup();
        if wanted.is_empty() && !self.manner.asks && self.nodes[id].formula == Bdd::TRUE {
            return Some(Bdd::TRUE);
        }
        let Node { ref values, formula, .. } = self.nodes[id];
        let (begins, values, care) = (self.begins(id), Arc::clone(values), known.care);
        let question = Question { begins, values, formula, way, after: after.clone(), wanted, care };
        if let Some(&known) = self.asked.get(&question) {
            return known;
        }
        self.limits.query_ticks = known.care.query_ticks;
        self.statistics.abstractions += 1;
        let start = Instant::now();
        let mut executor = Executor::new(self.program, &self.control, true);
        let before = self.start(&mut executor, id, known);
        let bdds = &mut self.bdds;
        let found = before.and_then(|(state, before)| reached(&mut executor, state, before, bdds));
        let found = found.and_then(|(mut end, reached)| {
            let reached = reached.and(&equalities(&mut executor, &mut end, after)?);
            let (how, limits) = ((&question.wanted[..], known.care.abstraction), &self.limits);
            of_state(&mut executor, &known.predicates, bdds, limits, &mut end, reached, how)
        });
        self.statistics.abstraction_time += start.elapsed();
        // Without an encoding there is no abstraction: nothing is known.
        let found = found.unwrap_or(Some(Bdd::TRUE));
        self.asked.insert(question, found);
        found
    }
}
