//! A single unrolling: all executions at once, step by step, joined where they meet.

use super::NEXT;
use super::inductive_loops::InductiveLoops;
use super::invariants::{AtHead, Invariants};
use super::unrolled::{Rank, Unrolled};
use crate::control::Control;
use crate::control::block::{Block, BlockEdge};
use crate::control::place::{Place, Step};
use crate::formula::Executor;
use crate::formula::state::{Executed, SymState};
use crate::monitor::Monitor;
use crate::outcome::verdict::{Reason, limit_reached};
use crate::search::distance::Distances;
use beeline_ir::{EdgeId, LocId, Program};
use beeline_smt::{Formula, Meter, QueryLimits, Questions, TICKS_PER_SECOND, Unsupported};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The ticks of a step.
const TICKS_OF_A_STEP: u64 = 40;
/// The ticks of processing a variable or a cell: about a microsecond.
const TICKS_OF_A_CELL: u64 = 3;
/// After an iteration that was seen to go on, this fraction of the number of iterations follows without a
/// query. That a loop goes on is useless to know, and the solver needs a whole execution to see it. A few
/// iterations too many only add a part to the formula that is false.
const UNASKED_PART: u32 = 4;
/// The ticks of a query during the unrolling.
pub(super) const QUESTION: u64 = TICKS_PER_SECOND / 2;

/// A place, and the condition under which an execution reaches it.
#[derive(Debug, Clone)]
pub(super) struct Reached {
    /// The node.
    pub node: usize,
    /// The condition.
    pub guard: Formula,
}

/// The bounds of loops and recursion.
#[derive(Debug, Clone)]
pub(super) struct Bounds {
    /// Where conditions of the program decide.
    pub iterations: u32,
    /// For individual loops.
    pub of: FxHashMap<LocId, u32>,
    /// Where only constants decide.
    pub forced: u32,
}

impl Bounds {
    /// The bounds of the next unrolling.
    pub(super) fn further(&self) -> Bounds {
        let [iterations, forced] = [self.iterations, self.forced].map(|bound| bound.saturating_mul(NEXT));
        Bounds { iterations, of: self.of.clone(), forced }
    }
}

/// An unrolling under construction.
pub(super) struct Unrolling<'p, 'm, 'd> {
    setting: Setting<'p, 'm>,
    distances: &'m mut Distances<'d>,
    /// The invariants of inductive loops.
    pub invariants: Invariants,
    targets: FxHashSet<LocId>,
    pub executor: Executor<'p>,
    /// The places met so far with the steps between them, in the order of discovery.
    pub block: Block,
    /// The results of the steps.
    pub done: Executed,
    nodes: FxHashMap<Place, usize>,
    /// The nodes that were left, or are targets that an execution may reach.
    explored: Vec<bool>,
    /// The states that arrived at waiting nodes, first node first.
    waiting: BTreeMap<Rank, (usize, Vec<SymState>)>,
    /// Targets that may be reached.
    pub reached: Vec<Reached>,
    /// Places where a loop or a recursion goes on beyond its bound.
    pub parked: Vec<Reached>,
    /// For each loop that is being unrolled, the guard of its last iteration.
    last_iteration: FxHashMap<LocId, Formula>,
    /// For each loop, the iteration up to which no query is made whether the loop goes on, because the solver
    /// gave no answer for an earlier one. As a rule it is easy to see that a loop ends, but not that it goes
    /// on.
    unasked: FxHashMap<LocId, u32>,
}

/// Why an unrolling ends early.
pub(super) enum Stop {
    /// A limit was reached.
    Limit(Reason),
    /// Something without an encoding.
    Unsupported(Unsupported),
}

impl From<Unsupported> for Stop {
    fn from(error: Unsupported) -> Stop {
        Stop::Unsupported(error)
    }
}

/// The setting of an unrolling: the program and the limits.
#[derive(Clone, Copy)]
pub(super) struct Setting<'p, 'm> {
    pub program: &'p Program,
    pub control: &'p Unrolled,
    pub meter: &'m Rc<Meter>,
    /// The tick at which it has to end.
    pub until: u64,
    pub monitor: &'m Monitor,
    /// The ticks of a query.
    pub query_ticks: u64,
    pub bounds: &'m Bounds,
    pub inductions: &'m InductiveLoops,
    /// Edges that are left out.
    pub left_out: &'m FxHashSet<EdgeId>,
}

impl<'p, 'm, 'd> Unrolling<'p, 'm, 'd> {
    /// An unrolling at the start of the program.
    pub(super) fn new(
        setting: Setting<'p, 'm>,
        distances: &'m mut Distances<'d>,
        invariants: Invariants,
    ) -> Unrolling<'p, 'm, 'd> {
        let Setting { program, control, meter, query_ticks, .. } = setting;
        let limits = QueryLimits::of(QUESTION.min(query_ticks), Rc::clone(meter));
        let executor = Executor::without_maps(program, control, Questions::new(limits));
        let start = executor.start();
        let mut unrolling = Unrolling {
            setting,
            distances,
            invariants,
            targets: program.targets.iter().map(|target| target.loc).collect(),
            executor,
            block: Block { nodes: Vec::new(), edges: Vec::new(), exits: Vec::new(), ends_early: false },
            done: Executed::new(start.clone()),
            nodes: FxHashMap::default(),
            explored: Vec::new(),
            waiting: BTreeMap::new(),
            reached: Vec::new(),
            parked: Vec::new(),
            last_iteration: FxHashMap::default(),
            unasked: FxHashMap::default(),
        };
        let node = unrolling.node(control.start(program));
        unrolling.arrive(node, start);
        unrolling
    }

    /// Unrolls until nothing waits.
    pub(super) fn run(&mut self) -> Result<(), Stop> {
        while let Some((_, (node, states))) = self.waiting.pop_first() {
            let work = std::mem::take(&mut self.executor.work);
            let Setting { meter, until, monitor, .. } = self.setting;
            meter.charge(TICKS_OF_A_STEP + work * TICKS_OF_A_CELL);
            let is_over = (meter.used() >= until).then_some(Reason::Ticks);
            if let Some(reason) = limit_reached(meter).or(is_over) {
                return Err(Stop::Limit(reason));
            }
            monitor.show(self.block.nodes.len() as u64, self.waiting.len() as u64, 0);
            let state = self.executor.join(states)?;
            self.visit(node, state)?;
        }
        Ok(())
    }

    /// The places that a step leads to but no execution, without those from which no target can be reached
    /// anyway.
    pub(super) fn ends(&mut self) -> Vec<Place> {
        let open = (0..self.block.nodes.len()).filter(|&node| !self.explored[node]);
        let places: Vec<Place> = open.map(|node| self.block.nodes[node]).collect();
        places.into_iter().filter(|&place| self.is_near(place) && !self.is_over(place)).collect()
    }

    fn is_over(&self, place: Place) -> bool {
        self.setting.inductions.is_over(self.setting.control, place)
    }

    /// Whether a target can be reached from the place.
    fn is_near(&mut self, place: Place) -> bool {
        self.distances.of(self.setting.control, place).is_some()
    }

    fn node(&mut self, place: Place) -> usize {
        *self.nodes.entry(place).or_insert_with(|| {
            self.block.nodes.push(place);
            self.explored.push(false);
            self.block.nodes.len() - 1
        })
    }

    fn arrive(&mut self, node: usize, state: SymState) {
        let place = self.block.nodes[node];
        if self.is_near(place) && !self.is_over(place) {
            let rank = self.setting.control.rank(place);
            self.waiting.entry(rank).or_insert_with(|| (node, Vec::new())).1.push(state);
        }
    }

    fn visit(&mut self, node: usize, mut state: SymState) -> Result<(), Stop> {
        let place = self.block.nodes[node];
        if state.guard.is_constant(false) {
            return Ok(());
        }
        if self.targets.contains(&place.loc) {
            self.explored[node] = true;
            self.reached.push(Reached { node, guard: state.guard });
            return Ok(());
        }
        let iterations = self.setting.control.iterations(self.setting.program, place);
        if iterations > 0 && !self.goes_on(node, iterations, &state.guard) {
            return Ok(());
        }
        if self.setting.control.is_head(place.loc) {
            self.last_iteration.insert(place.loc, state.guard.clone());
        }
        self.meet_invariants(&mut state, place)?;
        self.explored[node] = true;
        let first = self.block.edges.len();
        for (step, next) in self.setting.control.leave(self.setting.program, place) {
            if matches!(step, Step::Edge(edge) if self.setting.left_out.contains(&edge)) {
                continue;
            }
            if !self.setting.inductions.follow(
                self.setting.program,
                self.setting.control,
                place,
                (step, next),
            ) {
                continue;
            }
            let dst = self.node(next);
            self.block.edges.push(BlockEdge { src: node, dst, step });
        }
        let leaving: Vec<usize> = (first..self.block.edges.len()).collect();
        for (edge, after) in self.executor.leave(&self.block, &leaving, state, &mut self.done)? {
            self.arrive(self.block.edges[edge].dst, after);
        }
        Ok(())
    }

    /// Havocs what an inductive loop writes where its induction begins; before that, checks its invariants.
    fn meet_invariants(&mut self, state: &mut SymState, place: Place) -> Result<(), Unsupported> {
        let Setting { program, control, inductions, .. } = self.setting;
        let Some(iteration) = inductions.iteration(control, place) else { return Ok(()) };
        let mut at = AtHead { executor: &mut self.executor, program, control, state, place };
        match iteration {
            0 => self.invariants.enter(&mut at)?,
            _ => self.invariants.check(&mut at)?,
        }
        if let Some((slots, regions)) = inductions.forgets(program, control, place) {
            at.executor.forget(at.state, slots, regions)?;
            self.invariants.assume(&mut at)?;
        }
        Ok(())
    }

    /// Whether an execution begins an iteration of a loop or recursion, within its bound.
    fn goes_on(&mut self, node: usize, iterations: u32, guard: &Formula) -> bool {
        let loc = self.block.nodes[node].loc;
        let forced = self.last_iteration.get(&loc) == Some(guard);
        let fixed = self.setting.bounds.of.get(&loc).copied();
        if self.setting.inductions.are_about(loc) {
            return forced || self.is_feasible(guard) != Some(false);
        }
        let bound =
            fixed.unwrap_or(if forced { self.setting.bounds.forced } else { self.setting.bounds.iterations });
        let is_late =
            iterations > bound || self.unasked.get(&loc).is_none_or(|&unasked| iterations >= unasked);
        if !forced && is_late {
            match self.is_feasible(guard) {
                Some(false) => {
                    // When it begins again, it will end at about this iteration.
                    self.unasked.insert(loc, iterations.saturating_sub(1));
                    return false;
                }
                Some(true) => drop(self.unasked.insert(loc, iterations + iterations / UNASKED_PART + 1)),
                None => drop(self.unasked.insert(loc, iterations.saturating_mul(2))),
            }
        }
        if iterations > bound {
            self.parked.push(Reached { node, guard: guard.clone() });
        }
        iterations <= bound
    }

    /// Whether the guard is satisfiable; `None` if the solver gives no answer.
    fn is_feasible(&mut self, guard: &Formula) -> Option<bool> {
        let questions = self.executor.questions.as_mut().expect("an unrolling asks on the way");
        questions.may_hold(&self.executor.facts, guard)
    }
}
