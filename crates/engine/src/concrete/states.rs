//! Executions that go on from states at loop heads: what was met once is not executed again to get there.
//!
//! An execution ends at the first loop head after an input. Its state there is kept, unless it is one that was met before.
//! From each state, executions are tried with one candidate of the next input after the other. States that executions reach by edges
//! which no execution took before come first, then those with the fewest inputs.

use super::{Drawn, MOST_STEPS, limits};
use beeline_graph::{Liveness, loop_heads};
use beeline_interp::oracle::{Given, Recorded};
use beeline_interp::{Limits, Machine, Outcome, Run, Snapshot, Source};
use beeline_ir::{EdgeId, FuncId, InEdges, LocId, Program, Value, VarId};
use cranelift_entity::EntitySet;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::rc::Rc;

/// The greatest number of bytes of states, and those of a state beside its values.
const MOST_BYTES: usize = 1 << 27;
const BYTES_OF_A_STATE: usize = 1_000;
/// The number of bytes that are copied and hashed in the time of a step.
const BYTES_OF_A_STEP: u64 = 50;
/// The number of executions from a state before other states have their turn, if its inputs have no candidates.
const TRIES: usize = 4;
/// The greatest number of such executions if they have.
const MOST_TRIES: usize = 16;
/// The greatest number of steps from the program's start: what people read can be long, but not endless.
const MOST_STEPS_IN_ALL: u64 = 1_000_000;

/// A state at a loop head.
struct State<'p> {
    snapshot: Snapshot<'p>,
    /// The state that it was reached from, with the answers of the oracle since.
    before: Option<(usize, Run)>,
    /// The number of steps from the program's start.
    steps: u64,
    /// The number of executions from here.
    tries: usize,
}

/// All states that were met, and the order in which they have their turn.
pub(super) struct States<'p> {
    program: &'p Program,
    machine: &'p Machine<'p>,
    heads: EntitySet<LocId>,
    live: LiveLocals<'p>,
    states: Vec<State<'p>>,
    bytes: usize,
    /// The digests of states that were met.
    met: FxHashSet<u64>,
    /// The edges that were taken.
    taken: EntitySet<EdgeId>,
    waiting: VecDeque<usize>,
    /// The state whose turn it is, and the number of further executions from there.
    current: Option<(usize, usize)>,
    /// The number of executions, and their number up to the last one that met a new state.
    tried: u64,
    successful: u64,
}

impl<'p> States<'p> {
    /// The state at the program's start.
    pub(super) fn new(machine: &'p Machine<'p>, program: &'p Program) -> States<'p> {
        let snapshot = machine.start(&mut Given::default(), &Limits::default()).snapshot();
        let start = State { snapshot, before: None, steps: 0, tries: 0 };
        States {
            program,
            machine,
            heads: loop_heads(program),
            live: LiveLocals::new(program),
            states: vec![start],
            bytes: 0,
            met: FxHashSet::default(),
            taken: EntitySet::new(),
            waiting: VecDeque::from([0]),
            current: None,
            tried: 0,
            successful: 0,
        }
    }

    /// Executes from the state whose turn it is. Returns what it cost, in steps, and the whole execution if it reaches an
    /// open target.
    pub(super) fn next(&mut self, mut drawn: Drawn<'_>) -> (u64, Option<Run>) {
        let Some(from) = self.turn() else { return (0, None) };
        (drawn.turn, drawn.is_frugal) = (Some(self.states[from].tries), true);
        let open = drawn.open;
        let mut execution = self.machine.start(&mut drawn, &limits());
        execution.resume(&self.states[from].snapshot);
        let outcome = loop {
            match execution.step() {
                Err(outcome) => break Some(outcome),
                Ok(()) if execution.has_asked() && self.heads.contains(execution.location()) => break None,
                Ok(()) => {}
            }
        };
        let snapshot = outcome.is_none().then(|| execution.snapshot());
        let run = execution.end(outcome.clone().unwrap_or(Outcome::OutOfSteps));
        let bytes = self.states[from].snapshot.bytes() + snapshot.as_ref().map_or(0, Snapshot::bytes);
        let cost = run.steps + bytes as u64 / BYTES_OF_A_STEP;
        let is_determined = drawn.candidates_of_first > 0 && run.values.len() == 1 && run.choices.is_empty();
        self.count(from, drawn.candidates_of_first, is_determined);
        let mut more = 0;
        match (outcome, snapshot) {
            (Some(Outcome::Target(target)), _) if open.contains(&self.program.targets[target].loc) => {
                let whole = self.whole(from, run);
                return (cost + whole.steps, Some(whole));
            }
            (None, Some(snapshot)) => more = self.reach(from, snapshot, run),
            _ => _ = self.takes_new_edges(&run),
        }
        (cost + more, None)
    }

    /// Whether as many executions met nothing new as there were up to the last new state, no state is left, or no room.
    pub(super) fn are_enough(&self, least: u64) -> bool {
        let full = self.bytes >= MOST_BYTES;
        let done = self.waiting.is_empty() && !matches!(self.current, Some((_, 1..)));
        full || done || self.tried - self.successful >= least.max(self.successful)
    }

    /// The number of executions.
    pub(super) fn tried(&self) -> u64 {
        self.tried
    }

    /// The state whose turn it is; none if nothing is left to try.
    fn turn(&mut self) -> Option<usize> {
        if let Some((state, 1..)) = self.current {
            return Some(state);
        }
        self.current = self.waiting.pop_front().map(|state| (state, 0));
        self.current.map(|(state, _)| state)
    }

    /// Counts an execution from a state. It has more of them in a row if its first input has candidates, and another turn
    /// if more than that input was asked for.
    fn count(&mut self, from: usize, candidates: usize, is_determined: bool) {
        self.tried += 1;
        self.states[from].tries += 1;
        let in_a_row = if candidates == 0 { TRIES } else { candidates.min(MOST_TRIES) };
        let left = match self.current {
            Some((_, left @ 1..)) => left - 1,
            _ => in_a_row - 1,
        };
        self.current = Some((from, left));
        let is_exhausted = is_determined && self.states[from].tries >= candidates;
        if left == 0 && !is_exhausted {
            self.waiting.push_back(from);
        }
    }

    /// Adds a state that an execution reached, if it is new. Returns what it cost to see that, in steps.
    fn reach(&mut self, from: usize, snapshot: Snapshot<'p>, mut run: Run) -> u64 {
        let new_edges = self.takes_new_edges(&run);
        run.trace = Vec::new();
        let steps = self.states[from].steps + run.steps;
        let mut cost = 0;
        let digest = snapshot.digest(self.machine, |loc| {
            let (live, more) = self.live.at(&self.heads, loc);
            cost += more;
            live
        });
        if steps > MOST_STEPS_IN_ALL || !self.met.insert(digest) {
            return cost;
        }
        self.successful = self.tried;
        let answers =
            run.values.len() * size_of::<(Source, Value)>() + run.choices.len() * size_of::<usize>();
        self.bytes += BYTES_OF_A_STATE + snapshot.bytes() + answers;
        let id = self.states.len();
        self.states.push(State { snapshot, before: Some((from, run)), steps, tries: 0 });
        if new_edges {
            self.waiting.push_front(id);
        } else {
            self.waiting.push_back(id);
        }
        cost
    }

    fn takes_new_edges(&mut self, run: &Run) -> bool {
        run.trace.iter().filter(|&&edge| self.taken.insert(edge)).count() > 0
    }

    /// The execution from the program's start that ends with the run from a state.
    fn whole(&self, from: usize, last: Run) -> Run {
        let mut parts = vec![&last];
        let mut before = &self.states[from].before;
        while let Some((state, run)) = before {
            parts.push(run);
            before = &self.states[*state].before;
        }
        let given = Run {
            outcome: last.outcome.clone(),
            steps: 0,
            trace: Vec::new(),
            values: parts.iter().rev().flat_map(|run| run.values.iter().cloned()).collect(),
            choices: parts.iter().rev().flat_map(|run| run.choices.iter().copied()).collect(),
        };
        let limits = Limits { steps: MOST_STEPS_IN_ALL + MOST_STEPS, ..limits() };
        self.machine.run(&mut Recorded::new(&given), &limits)
    }
}

/// The locals whose values matter at loop heads and where calls return to. Each function is analysed when it is first met.
struct LiveLocals<'p> {
    program: &'p Program,
    incoming: InEdges,
    analysed: EntitySet<FuncId>,
    known: FxHashMap<LocId, Rc<[VarId]>>,
}

impl<'p> LiveLocals<'p> {
    fn new(program: &'p Program) -> LiveLocals<'p> {
        LiveLocals {
            program,
            incoming: program.in_edges(),
            analysed: EntitySet::new(),
            known: FxHashMap::default(),
        }
    }

    /// The locals at a location. Returns the cost of an analysis, in steps, too.
    fn at(&mut self, heads: &EntitySet<LocId>, loc: LocId) -> (Rc<[VarId]>, u64) {
        let func = self.program.function_of(loc);
        let cost = if self.analysed.insert(func) { self.analyse(heads, func) } else { 0 };
        (self.known.get(&loc).cloned().unwrap_or_default(), cost)
    }

    fn analyse(&mut self, heads: &EntitySet<LocId>, func: FuncId) -> u64 {
        let LiveLocals { program, incoming, known, .. } = self;
        let function = &program.functions[func];
        let returns =
            |loc: &LocId| incoming.of(*loc).iter().any(|&edge| program.edges[edge].op.as_call().is_some());
        let mut wanted: FxHashMap<LocId, Vec<VarId>> = function
            .locations()
            .filter(|loc| heads.contains(*loc) || returns(loc))
            .map(|loc| (loc, Vec::new()))
            .collect();
        let (liveness, mut cost) = (Liveness::new(program, func), 0);
        for var in function.variables() {
            let live = liveness.locations(program, incoming, var);
            cost += (function.locs.len() / 64 + live.len()) as u64;
            for loc in live {
                wanted.entry(loc).and_modify(|vars| vars.push(var));
            }
        }
        known.extend(wanted.into_iter().map(|(loc, vars)| (loc, vars.into())));
        cost
    }
}

#[cfg(test)]
mod tests {
    use crate::concrete::tests::found;

    /// A lock with 24 digits, which begins anew after a wrong one. Nothing but the count tells that a digit is right.
    fn lock(target: &str) -> String {
        let number = |digit: u32| {
            format!(
                "n{digit}: if key == {digit} goto d{digit} else n{}\n d{digit}: i := {digit} goto turn\n",
                digit + 1
            )
        };
        let numbers: String = (0..8).map(number).collect();
        format!(
            "beeline 1.0
            fn main() {{
              var key: i32, i: i32, count: i32, wanted: i32
              count := 0
              next: key := input \"key\"
              wanted := count * count + count * 3 + 1 & 7 goto n0
              {numbers}
              n8: skip goto done
              turn: if i == wanted goto right else wrong
              right: count := count + 1 goto check
              wrong: count := 0
              check: while {target} goto bad else next
              bad: target \"open\"
              done: exit
            }}"
        )
    }

    #[test]
    fn what_random_inputs_never_open_is_opened_state_by_state() {
        assert_eq!(found(&lock("count == 24")), 1);
    }

    #[test]
    fn a_lock_that_never_opens_is_not_opened() {
        assert_eq!(found(&lock("count == 0 - 1")), 0);
    }
}
