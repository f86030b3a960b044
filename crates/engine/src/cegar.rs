//! The loop: explore, check a path that reaches a target, refine.

mod finish;
mod predicates;

use crate::abstraction::{Abstraction, Question, Start, abstraction};
use crate::arg::{Arg, Node, NodeId, NodeIds};
use crate::bdd::{Bdd, Bdds};
use crate::block::{Block, BlockOperator, Cuts};
use crate::counterexample::{self, Counterexample, Feasibility};
use crate::distance::Distances;
use crate::monitor::Monitor;
use crate::path_program::Shape;
use crate::place::{Place, Stacks, condition};
use crate::precision::{Precision, Predicates, Scope, live_activations};
use crate::refine::{self, Path};
use crate::search::{Order, Waitlist};
use crate::undefined::Doubts;
use crate::values::{self, Transfer, Values, ValuesId, ValuesPool};
use crate::verdict::{Reason, Statistics, Verdict};
use beeline_ir::{LocId, Program};
use beeline_smt::Limits;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// What is known of states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Domain {
    /// Explicit values.
    Values,
    /// Predicates.
    Predicates,
    /// Values first, predicates where these do not suffice.
    Both,
}

impl Domain {
    fn values(self) -> bool {
        self != Domain::Predicates
    }

    fn predicates(self) -> bool {
        self != Domain::Values
    }
}

/// What machine integers are taken for when predicates are looked for. Whether these hold is always
/// decided in bit-vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Arithmetics {
    /// Bit-vectors.
    BitVectors,
    /// Unbounded integers.
    Integers,
    /// Unbounded integers first; bit-vectors where these bring nothing new.
    Both,
}

/// Where predicates that exclude a path come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Refiner {
    /// Interpolants first; the path's own conditions where there are none; where loops are unrolled more
    /// and more, their invariants.
    All,
    /// Interpolants, which Spacer finds.
    Interpolants,
    /// The path's conditions that contradict each other, after Newton of the SLAM project.
    Conditions,
}

/// How to search.
#[derive(Debug, Clone)]
pub struct Options {
    /// What is explored next.
    pub order: Order,
    /// What is known of states.
    pub domain: Domain,
    /// How predicates are looked for.
    pub refiner: Refiner,
    /// In which numbers interpolants are looked for.
    pub arithmetic: Arithmetics,
    /// How predicates are abstracted, at first.
    pub abstraction: Abstraction,
    /// How far a predicate is used.
    pub scope: Scope,
    /// Where states are abstracted.
    pub blocks: BlockOperator,
    /// Time for the whole run.
    pub time: Option<Duration>,
    /// Time for one query to the solver.
    pub query_time: Duration,
    /// How many states may be made.
    pub max_states: usize,
    /// How many states at one location make a variable with many values lose its tracking, as long
    /// as predicates can take over.
    pub value_threshold: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            order: Order::Directed(crate::search::TieBreak::Oldest),
            domain: Domain::Both,
            refiner: Refiner::All,
            arithmetic: Arithmetics::Both,
            abstraction: Abstraction::Cartesian,
            scope: Scope::Location,
            blocks: BlockOperator::LoopHeads,
            time: None,
            query_time: Duration::from_secs(10),
            max_states: usize::MAX,
            value_threshold: 1000,
        }
    }
}

/// Time for one query of predicate abstraction.
const ABSTRACTION_TIME: Duration = Duration::from_millis(1000);
/// The part of the threshold that is many values of a variable where values do not tell where to go on.
const UNDECIDED: usize = 50;
/// How long predicates may try at first to do without a variable that has many values.
const FIRST_PATIENCE: Duration = Duration::from_millis(1000);

/// Looks for an execution that reaches a target.
///
/// The monitor shows how far the search is, and interrupts it: it then ends with an unknown verdict.
pub fn verify(
    program: &Program,
    options: &Options,
    distances: &mut Distances<'_>,
    monitor: &Monitor,
) -> (Verdict, Statistics) {
    let start = Instant::now();
    let mut targets: Vec<LocId> = program.targets.iter().map(|target| target.loc).collect();
    targets.sort_unstable();
    targets.dedup();
    let deadline = options.time.and_then(|time| start.checked_add(time));
    let mut search = Search {
        program,
        options,
        distances,
        monitor,
        start,
        deadline,
        limits: Limits::new(options.query_time, deadline),
        quick: Limits::new(options.query_time.min(ABSTRACTION_TIME), deadline),
        stacks: Stacks::new(program),
        cuts: Cuts::new(program, options.blocks, targets),
        blocks: FxHashMap::default(),
        blocks_end_early: false,
        pool: ValuesPool::default(),
        arg: Arg::default(),
        waitlist: Waitlist::new(options.order, program),
        precision: Precision::new(options.scope),
        bdds: Bdds::default(),
        doubts: Doubts::default(),
        abstraction: options.abstraction,
        predicates: Predicates::default(),
        visits: FxHashMap::default(),
        conditions_tracked: FxHashSet::default(),
        threshold: options.value_threshold,
        patience: FIRST_PATIENCE,
        patience_ends: None,
        values_suffice: options.domain == Domain::Both,
        last_refined: Vec::new(),
        path_programs: FxHashMap::default(),
        invariants_time: Duration::ZERO,
        unresolved: Vec::new(),
        guess: None,
        statistics: Statistics::default(),
    };
    if options.domain == Domain::Predicates {
        search.cuts.allow_large_blocks();
    }
    let verdict = search.run();
    let mut statistics = search.statistics;
    statistics.states += search.arg.len() as u64;
    statistics.coverage_checks = search.arg.coverage_checks;
    statistics.predicates = search.predicates.len() as u64;
    statistics.tracked = search.precision.tracked.len() as u64;
    statistics.solver_calls += search.limits.queries() + search.quick.queries();
    statistics.solver_unknowns += search.limits.unknowns() + search.quick.unknowns();
    statistics.solver_time += search.limits.spent() + search.quick.spent();
    statistics.time = start.elapsed();
    (verdict, statistics)
}

struct Search<'a, 'b> {
    program: &'a Program,
    options: &'a Options,
    distances: &'a mut Distances<'b>,
    monitor: &'a Monitor,
    start: Instant,
    deadline: Option<Instant>,
    limits: Limits,
    /// Those of abstraction, which can do without an answer.
    quick: Limits,
    stacks: Stacks,
    cuts: Cuts,
    blocks: FxHashMap<Place, Rc<Block>>,
    /// Did one of them have to end because of its size?
    blocks_end_early: bool,
    pool: ValuesPool,
    arg: Arg,
    waitlist: Waitlist,
    precision: Precision,
    bdds: Bdds,
    /// Operations that may have no result in the states of the graph.
    doubts: Doubts,
    /// How predicates are abstracted by now.
    abstraction: Abstraction,
    predicates: Predicates,
    /// How many states were made at each location since the last restart.
    visits: FxHashMap<LocId, Visits>,
    /// The locations behind which all is tracked that conditions read.
    conditions_tracked: FxHashSet<LocId>,
    /// How many states at one location make a variable lose its tracking, for now.
    threshold: usize,
    /// How long predicates may try to do without a variable that was given up.
    patience: Duration,
    /// When that is over.
    patience_ends: Option<Instant>,
    /// Have values alone excluded all paths so far? Then the solver was not needed yet: many programs never do.
    values_suffice: bool,
    /// The places of the path that predicates were found for last.
    last_refined: Vec<Place>,
    /// How often predicates were looked for that exclude a path of these blocks.
    path_programs: FxHashMap<Shape, u32>,
    /// How long their invariants were looked for.
    invariants_time: Duration,
    /// Target states whose paths nobody could decide.
    unresolved: Vec<(NodeId, Reason)>,
    /// A counterexample rests on this guess: the search goes on without guesses.
    guess: Option<(Reason, Box<Counterexample>)>,
    statistics: Statistics,
}

/// The states at a location since the last restart.
#[derive(Debug, Default)]
struct Visits {
    made: usize,
    /// Those that had successors at different places.
    undecided: usize,
    /// With how many states their values are looked at again.
    looked_at_again: usize,
}

/// What became of a path to a target.
enum Checked {
    Violation(Box<Counterexample>),
    Guessed(Reason, Box<Counterexample>),
    Refined,
    Unresolved(Reason),
}

impl Search<'_, '_> {
    fn run(&mut self) -> Verdict {
        self.restart();
        loop {
            if let Some(reason) = self.limit_reached() {
                return self.unknown(reason);
            }
            let refinements = self.statistics.value_refinements + self.statistics.predicate_refinements;
            let states = self.statistics.states + self.arg.len() as u64;
            self.monitor.show(states, self.waitlist.len() as u64, refinements);
            let Some(id) = self.waitlist.pop() else { break };
            let node = &self.arg[id];
            if !node.alive || node.expanded || node.covered_by.is_some() {
                continue;
            }
            if self.cuts.is_target(node.place.loc) {
                let impatient = self.patience_ends.is_some_and(|end| Instant::now() >= end);
                if impatient && self.return_to_values() {
                    continue;
                }
                match self.check(id) {
                    Checked::Violation(counterexample) => return Verdict::Unsafe(counterexample),
                    Checked::Refined => {}
                    Checked::Guessed(reason, path) => self.do_without_guesses(reason, path),
                    Checked::Unresolved(_) if self.return_to_values() => {}
                    Checked::Unresolved(reason) => self.unresolved.push((id, reason)),
                }
                continue;
            }
            if self.arg.cover(id, &self.pool, &mut self.bdds) {
                continue;
            }
            if let Err(reason) = self.expand(id) {
                return self.unknown(reason);
            }
        }
        if let Some((reason, path)) = self.guess.take() {
            return Verdict::Possible(reason, path);
        }
        self.unresolved.retain(|&(id, _)| self.arg[id].alive);
        match self.unresolved.pop() {
            Some((_, reason)) => Verdict::Unknown(reason),
            None => self.safe(),
        }
    }

    /// There is no answer, but perhaps a counterexample that rests on a guess.
    fn unknown(&mut self, reason: Reason) -> Verdict {
        match self.guess.take() {
            Some((guess, path)) => Verdict::Possible(guess, path),
            None => Verdict::Unknown(reason),
        }
    }

    /// Looks for a counterexample that rests on no guess: begins anew without the edges that make one.
    fn do_without_guesses(&mut self, reason: Reason, path: Box<Counterexample>) {
        self.guess = Some((reason, path));
        self.cuts.leave_out(counterexample::guesses(self.program).into_keys());
        self.blocks.clear();
        self.restart();
    }

    fn limit_reached(&self) -> Option<Reason> {
        if self.monitor.stopped() {
            return Some(Reason::Interrupted);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Some(Reason::Time);
        }
        (self.arg.len() >= self.options.max_states).then_some(Reason::States)
    }

    /// Begins anew with the precision of now.
    fn restart(&mut self) {
        self.statistics.states += self.arg.len() as u64;
        self.statistics.restarts += 1;
        self.arg.clear();
        self.pool.clear();
        self.waitlist.clear();
        self.visits.clear();
        self.unresolved.clear();
        self.doubts.clear();
        let values = Values::initial(self.program, &self.precision.tracked);
        let values = self.pool.intern(values);
        let place = self.stacks.start(self.program);
        self.add(place, values, Bdd::TRUE, None);
    }

    fn add(&mut self, place: Place, values: ValuesId, formula: Bdd, parent: Option<(NodeId, usize)>) {
        let node = Node {
            place,
            values,
            formula,
            parent,
            children: NodeIds::new(),
            covered_by: None,
            covers: NodeIds::new(),
            expanded: false,
            alive: true,
            version: self.precision.version,
        };
        let id = self.arg.add(node);
        self.visits.entry(place.loc).or_default().made += 1;
        if !self.wait(id) {
            // No target can be reached from here.
            self.statistics.pruned += 1;
        }
    }

    /// Lets a state wait for its turn, unless no target can be reached from it.
    fn wait(&mut self, id: NodeId) -> bool {
        let place = self.arg[id].place;
        if self.cuts.is_target(place.loc) {
            self.waitlist.push_target(id);
            self.monitor.reached(0);
            return true;
        }
        let distance = self.distances.of(&self.stacks, place);
        if let Some(distance) = distance {
            self.waitlist.push(id, &self.stacks, place, distance);
            self.monitor.reached(distance);
        }
        distance.is_some()
    }

    fn block(&mut self, place: Place) -> Rc<Block> {
        if let Some(block) = self.blocks.get(&place) {
            return Rc::clone(block);
        }
        let block = Rc::new(Block::build(self.program, &mut self.stacks, &self.cuts, place));
        self.blocks_end_early |= block.ends_early;
        self.blocks.insert(place, Rc::clone(&block));
        block
    }

    fn expand(&mut self, id: NodeId) -> Result<(), Reason> {
        let place = self.arg[id].place;
        if self.options.domain == Domain::Both && self.too_many_values(place) {
            self.restart();
            return Ok(());
        }
        let block = self.block(place);
        let values = Rc::clone(self.pool.get(self.arg[id].values));
        let transfer = Transfer {
            program: self.program,
            stacks: &self.stacks,
            precision: &self.precision.tracked,
            doubts: Some(&self.doubts),
        };
        let leaving =
            values::through_block(&transfer, &block, &values, self.most_inside(), &self.monitor.stop)
                .ok_or(Reason::BlockTooLarge)?;
        if leaving.windows(2).any(|pair| pair[0].0 != pair[1].0) {
            self.visits.entry(place.loc).or_default().undecided += 1;
        }
        for (exit, after) in leaving {
            let Some(formula) = self.abstraction(id, &block, exit, &after) else { continue };
            let after = self.pool.intern(after);
            self.add(block.nodes[exit], after, formula, Some((id, exit)));
        }
        self.arg.set_expanded(id, &self.pool);
        Ok(())
    }

    /// How many states of values are told apart at a place inside of a block.
    fn most_inside(&self) -> usize {
        // Predicates can take over.
        if self.options.domain.predicates() { 64 } else { 4096 }
    }

    /// What holds of predicates at the exit of a block, or nothing if it cannot be reached.
    fn abstraction(&mut self, id: NodeId, block: &Block, exit: usize, after: &Values) -> Option<Bdd> {
        let place = block.nodes[exit];
        let node = &self.arg[id];
        let live = live_activations(&self.stacks, place.stack);
        let preds = self.precision.preds_at(self.program, place.loc);
        let wanted: Vec<_> =
            preds.filter(|&pred| self.predicates.is_live(pred, &live, self.program)).collect();
        // Whether a target can be reached is always asked, elsewhere only where something is known.
        let target = self.cuts.is_target(place.loc) && !self.values_suffice;
        let asked =
            self.options.domain.predicates() && (target || self.precision.checked.contains(&place.loc));
        if wanted.is_empty() && node.formula == Bdd::TRUE && !asked {
            return Some(Bdd::TRUE);
        }
        let question = Question {
            block,
            exit,
            start: Start::of(&self.arg, &self.pool, id),
            after,
            wanted: &wanted,
            abstraction: self.abstraction,
        };
        self.statistics.abstractions += 1;
        let start = Instant::now();
        let (program, bdds) = (self.program, &mut self.bdds);
        let found = abstraction(program, &self.stacks, &self.predicates, bdds, &self.quick, &question);
        self.statistics.abstraction_time += start.elapsed();
        // What cannot be encoded is not abstracted: nothing is known then.
        found.unwrap_or(Some(Bdd::TRUE))
    }

    /// Were there so many states at a location that something else is tracked now?
    fn too_many_values(&mut self, place: Place) -> bool {
        let Some(visits) = self.visits.get_mut(&place.loc) else { return false };
        // Where values do not tell where to go on, nothing says that there is an end to them.
        let many = (self.threshold / UNDECIDED).max(2);
        let least = if visits.made > self.threshold {
            2
        } else if visits.undecided > 2 * many {
            many
        } else {
            return false;
        };
        if visits.made < visits.looked_at_again {
            return false;
        }
        visits.looked_at_again = 2 * visits.made;
        self.track_conditions(place) || self.give_up_values(place.loc, least)
    }

    /// Tracks what decides where to go on behind a place; was that new?
    fn track_conditions(&mut self, place: Place) -> bool {
        if !self.conditions_tracked.insert(place.loc) {
            return false;
        }
        let block = self.block(place);
        let mut read = FxHashSet::default();
        for cond in block.edges.iter().filter_map(|edge| condition(self.program, edge.step)) {
            refine::reads(self.program, cond, &mut read);
        }
        self.precision.track(read)
    }

    /// Stops tracking what has the most values at a location. Is there something with so many?
    fn give_up_values(&mut self, loc: LocId, least: usize) -> bool {
        let mut seen: FxHashMap<values::Tracked, FxHashSet<&beeline_ir::Value>> = FxHashMap::default();
        for (_, node) in self.arg.alive().filter(|(_, node)| node.place.loc == loc) {
            for (key, value) in self.pool.get(node.values).entries() {
                let (Some(what), Some(value)) = (key.tracked(), value) else { continue };
                seen.entry(what).or_default().insert(value);
            }
        }
        let most = seen.values().map(FxHashSet::len).max().unwrap_or(0);
        if most < least {
            return false;
        }
        let many: Vec<_> =
            seen.iter().filter(|(_, values)| values.len() == most).map(|(&what, _)| what).collect();
        many.into_iter().for_each(|what| self.precision.ban(what));
        self.patience_ends = Some(Instant::now() + self.patience);
        true
    }

    /// Tracks again what was given up, for longer: predicates did not suffice without it.
    fn return_to_values(&mut self) -> bool {
        if self.precision.banned.is_empty() {
            return false;
        }
        self.precision.banned.clear();
        // Where values are known, predicates only cost time.
        self.precision.forget_preds();
        self.threshold = self.threshold.saturating_mul(20);
        self.patience = self.patience.saturating_mul(3);
        self.patience_ends = None;
        self.restart();
        true
    }

    fn check(&mut self, target: NodeId) -> Checked {
        self.statistics.paths_checked += 1;
        let ids = self.arg.path_to(target);
        let path = self.path(&ids);
        if self.options.domain.values() && self.refine_values(&path) {
            return Checked::Refined;
        }
        let first = std::mem::take(&mut self.values_suffice);
        if first && ids.len() > 1 && !self.blocks_end_early {
            // The solver may show that the state before does not lead here.
            for id in self.arg.cut(target) {
                self.wait(id);
            }
            return Checked::Refined;
        }
        let start = Instant::now();
        let feasibility = counterexample::check(self.program, &self.stacks, &path, &self.limits);
        self.statistics.path_time += start.elapsed();
        match feasibility {
            Feasibility::Feasible(counterexample) => Checked::Violation(counterexample),
            Feasibility::Guessed(reason, counterexample) => Checked::Guessed(reason, counterexample),
            _ if first && self.blocks_end_early => {
                // From now on the solver is needed, for which blocks had better be large.
                self.enlarge_blocks();
                Checked::Refined
            }
            Feasibility::Undecided(reason) => Checked::Unresolved(reason),
            Feasibility::Infeasible if ids.len() == 2 => {
                // The first state covers no other: behind it, only its own path counts.
                self.arg.drop_leaf(target);
                Checked::Refined
            }
            Feasibility::Infeasible if self.options.domain.predicates() => {
                self.refine_predicates(&ids, &path)
            }
            Feasibility::Infeasible => Checked::Unresolved(Reason::NoProgress),
        }
    }

    /// Begins anew with blocks as large as the solver likes them.
    fn enlarge_blocks(&mut self) {
        self.cuts.allow_large_blocks();
        self.blocks.clear();
        self.blocks_end_early = false;
        self.restart();
    }

    /// The blocks between states of the graph.
    fn path(&mut self, ids: &[NodeId]) -> Path {
        let mut path = Path::default();
        for pair in ids.windows(2) {
            let (_, exit) = self.arg[pair[1]].parent.expect("only the first state has no parent");
            let block = self.block(self.arg[pair[0]].place);
            path.blocks.push((block, exit));
        }
        path
    }

    /// Tracks more values so that the path is excluded, if that is possible.
    fn refine_values(&mut self, path: &Path) -> bool {
        let start = Instant::now();
        let most = self.most_inside();
        let found =
            refine::by_values(self.program, &self.stacks, path, &self.precision, most, &self.monitor.stop);
        self.statistics.value_time += start.elapsed();
        let Some(found) = found else { return false };
        if !self.precision.track(found) {
            return false;
        }
        self.statistics.value_refinements += 1;
        self.restart();
        true
    }
}
