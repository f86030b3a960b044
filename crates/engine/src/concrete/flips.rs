//! Directed concolic execution: executions that follow an earlier one and then take the other side of a branch.
//!
//! Where an execution passes a branch that depends on its inputs ([`shadow`](super::shadow)), the solver is asked for inputs with
//! which the other side is taken ([`questions`](super::questions)). Sides that were tried least come first, then those from
//! which a target is near.

use super::questions::{Dependences, fulfilling, question};
use super::shadow::{Conditions, Reads, conditions};
use super::{Drawn, limits};
use crate::control::Control;
use crate::control::call_strings::CallStrings;
use crate::paths::Trace;
use crate::search::distance::Distances;
use beeline_interp::{Machine, Run, Source};
use beeline_ir::{EdgeId, Program, Value};
use beeline_smt::{Meter, QueryLimits, in_own_context};
use cranelift_entity::{EntitySet, SecondaryMap};
use rustc_hash::{FxHashSet, FxHasher};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hash::Hasher;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// The number of attempts that a side counts for which an execution has taken already.
const TAKEN: u32 = 4;
/// The greatest number of sides that wait.
const MOST_WAITING: usize = 1_000_000;
/// The ticks for the solver's answer to one question, and those of asking it.
const QUERY_TICKS: u64 = 300_000;
const TICKS_OF_A_QUESTION: u64 = 300;
/// The number of terms that are worth a tick. A step of an execution of which terms are made is worth one, too.
const TERMS_OF_A_TICK: u64 = 2;
/// The greatest number of values and terms of all executions that are kept.
const MOST_KEPT: usize = 20_000_000;

/// The other side of a branch of an execution.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Side {
    /// The number of attempts before this one.
    tries: u32,
    /// The distance from there to a target.
    distance: u64,
    /// The number of the branch in the execution.
    branch: usize,
    /// The execution that passes the branch.
    execution: usize,
    edge: EdgeId,
}

/// An execution that met something new.
struct Executed {
    values: Vec<(Source, Value)>,
    conditions: Conditions,
    /// Computed when it is first asked about.
    dependences: Option<Dependences>,
}

/// The sides to be tried.
pub(super) struct Flips<'p> {
    program: &'p Program,
    control: CallStrings,
    executions: Vec<Executed>,
    kept: usize,
    reads: Reads,
    taken: EntitySet<EdgeId>,
    tries: SecondaryMap<EdgeId, u32>,
    waiting: BinaryHeap<Reverse<Side>>,
    /// The digests of the paths that lead to sides, so that executions which begin alike add each once.
    met: FxHashSet<u64>,
    tried: u64,
    /// When the solver has to end, and what interrupts it.
    deadline: Option<Instant>,
    stop: Arc<AtomicBool>,
}

impl<'p> Flips<'p> {
    pub(super) fn new(program: &'p Program, deadline: Option<Instant>, stop: Arc<AtomicBool>) -> Flips<'p> {
        Flips {
            program,
            control: CallStrings::new(program),
            executions: Vec::new(),
            kept: 0,
            reads: Reads::default(),
            taken: EntitySet::new(),
            tries: SecondaryMap::new(),
            waiting: BinaryHeap::new(),
            met: FxHashSet::default(),
            tried: 0,
            deadline,
            stop,
        }
    }

    /// Takes note of an execution that met something new: the other sides of its branches are tried later. Returns the cost
    /// in ticks.
    pub(super) fn observe(&mut self, machine: &Machine<'_>, run: &Run, distances: &mut Distances<'_>) -> u64 {
        if self.kept > MOST_KEPT || self.waiting.len() > MOST_WAITING {
            return 0;
        }
        run.trace.iter().for_each(|&edge| _ = self.taken.insert(edge));
        let Some(trace) = Trace::of_edges(self.program, &mut self.control, &run.trace) else { return 0 };
        let conditions = conditions(self.program, machine, run, &mut self.reads);
        self.add_sides(&trace, &conditions, distances);
        let terms = conditions.pool.len();
        self.kept += run.values.len() + terms;
        let values = run.values.clone();
        self.executions.push(Executed { values, conditions, dependences: None });
        trace.steps.len() as u64 + terms as u64 / TERMS_OF_A_TICK
    }

    /// Adds the other sides of the branches of an execution from which a target can be reached.
    fn add_sides(&mut self, trace: &Trace, conditions: &Conditions, distances: &mut Distances<'_>) {
        let program = self.program;
        let mut branches = conditions.branches.iter().enumerate().peekable();
        let (mut place, mut before) = (self.control.start(program), 0);
        let mut path = FxHasher::default();
        for index in 0..=trace.steps.len() {
            let step = trace.steps.get(index);
            let edge_taken = step.and_then(|(step, _)| step.edge_taken());
            // A step without an edge returns from a call.
            let is_here = edge_taken.is_some() || step.is_none();
            while let Some((number, branch)) =
                branches.next_if(|(_, branch)| is_here && branch.before == before)
            {
                for (other, to) in self.control.steps(program, place) {
                    let Some(edge) = other.edge_taken() else { continue };
                    if branch.others.iter().all(|(other, _)| *other != edge) {
                        continue;
                    }
                    let Some(distance) = distances.of(&self.control, to) else { continue };
                    let mut digest = path.clone();
                    digest.write_u32(edge.as_u32());
                    if !self.met.insert(digest.finish()) {
                        continue;
                    }
                    let (tries, execution) = (self.tries_of(edge), self.executions.len());
                    self.waiting.push(Reverse(Side { tries, distance, branch: number, execution, edge }));
                }
            }
            before += usize::from(edge_taken.is_some());
            edge_taken.iter().for_each(|edge| path.write_u32(edge.as_u32()));
            place = step.map_or(place, |&(_, to)| to);
        }
    }

    /// How often a side was tried; an edge that was taken counts as tried some more times.
    fn tries_of(&self, edge: EdgeId) -> u32 {
        self.tries[edge] + if self.taken.contains(edge) { TAKEN } else { 0 }
    }

    /// Whether no side is left to try.
    pub(super) fn are_enough(&self) -> bool {
        self.waiting.is_empty()
    }

    /// The number of paths that the solver was asked about.
    pub(super) fn tried(&self) -> u64 {
        self.tried
    }

    /// Asks for inputs of the next side, and executes with them. Returns the execution, if there are such inputs, and the cost
    /// in ticks beside that of the execution.
    pub(super) fn next(&mut self, machine: &Machine<'_>, mut drawn: Drawn<'_>) -> (u64, Option<Run>) {
        let Some(Reverse(side)) = self.waiting.pop() else { return (0, None) };
        let tries = self.tries_of(side.edge);
        if tries > side.tries {
            // Others come first meanwhile.
            self.waiting.push(Reverse(Side { tries, ..side }));
            return (1, None);
        }
        self.tries[side.edge] += 1;
        self.tried += 1;
        let (ticks, inputs) = self.inputs(&side);
        tracing::debug!(
            branch = side.branch,
            distance = side.distance,
            edge = side.edge.as_u32(),
            ticks,
            found = inputs.is_some(),
            "concolic execution"
        );
        let run = inputs.map(|mut inputs| {
            inputs.reverse();
            drawn.given = inputs;
            machine.run(&mut drawn, &limits())
        });
        (ticks, run)
    }

    /// The inputs of an execution that takes a side, if the solver finds any, and what that cost. Inputs that do not matter are
    /// those of the execution that passes the branch.
    fn inputs(&mut self, side: &Side) -> (u64, Option<Vec<(Source, Value)>>) {
        let Executed { values, conditions, dependences } = &mut self.executions[side.execution];
        let dependences = dependences.get_or_insert_with(|| Dependences::of(conditions));
        let Some(term) = question(conditions, dependences, side.branch, side.edge) else { return (1, None) };
        let (program, pool, deadline, stop) = (self.program, &conditions.pool, self.deadline, &self.stop);
        let (used, found) = in_own_context(|| {
            let meter = Rc::new(Meter::new(Some(QUERY_TICKS), deadline, Arc::clone(stop)));
            let found = fulfilling(program, pool, term, &QueryLimits::of(QUERY_TICKS, Rc::clone(&meter)));
            (meter.used(), found)
        });
        let inputs = found.map(|found| {
            let mut inputs = values.clone();
            for (input, value) in found {
                inputs[conditions.inputs[input]].1 = value;
            }
            inputs
        });
        (used + TICKS_OF_A_QUESTION + conditions.branches.len() as u64 / TERMS_OF_A_TICK, inputs)
    }
}

#[cfg(test)]
mod tests {
    use crate::concrete::tests::{TICKS, found, outcome};

    /// Three inputs that have to fit to each other: by chance, one execution of 10^28 does it.
    fn fitting(first: &str) -> String {
        format!(
            "beeline 1.0
            fn main() {{
              var a: i32, b: i32, c: i32, i: i32
              a := input \"a\"
              b := input \"b\"
              c := input \"c\"
              i := 0
              next: if i <u 9 goto turn else first
              turn: i := i + 1 goto next
              first: if {first} goto second else done
              second: if b ^ a == 0xbee11ee goto third else done
              third: if c - b == a + i goto bad else done
              bad: target \"all fit\"
              done: exit
            }}"
        )
    }

    #[test]
    fn inputs_that_have_to_fit_to_each_other_are_computed_branch_by_branch() {
        assert_eq!(found(&fitting("a * 3 + 7 == 1000000006")), 1);
    }

    #[test]
    fn inputs_that_do_not_exist_are_not_found() {
        assert_eq!(found(&fitting("a * 2 == 1000000007")), 0);
    }

    /// What depends on inputs is followed through a table, the bytes of memory, and a call.
    #[test]
    fn values_are_followed_through_tables_memory_and_calls() {
        let text = "beeline 1.0
            region table: i64 -> i8 in 0x1000+256 := 0x1000: 0 * 200, 9, 0 * 55
            region bytes: i64 -> i8 in 0x2000+4
            fn twice(x: i32) -> r: i32 {
              r := x + x
              exit
            }
            fn main() {
              var a: i8, n: i32, d: i32
              a := input \"a\"
              if table[0x1000 + zext(a, i64)] == 9 goto second else done
              second: n := input \"n\"
              bytes[0x2000] := n
              if zext(bytes[0x2001], i32) * 3 == 441 goto third else done
              third: d := call twice(bytes[0x2000, i32])
              if d == 0x246926ac goto bad else done
              bad: target \"all followed\"
              done: exit
            }";
        assert_eq!(found(text), 1);
    }

    #[test]
    fn questions_about_paths_through_unknown_memory_are_held_to_the_ticks() {
        let text = "beeline 1.0
            region m: i64 -> i8 in 0x1000+256
            fn main() {
              var s: i32, n: i32
              s := input \"s\"
              n := 0
              next: if n <u 600 goto turn else last
              turn: s := s * 1103515245 + 12345
              m[0x1000 + (zext(s >>u 8, i64) & 255)] := m[0x1000 + (zext(s >>u 9, i64) & 255)] + 1
              n := n + 1 goto next
              last: if m[0x1005] == 77 goto bad else done
              bad: target \"counted\"
              done: exit
            }";
        let ticks = outcome(text).statistics.ticks;
        assert!(ticks < 2 * TICKS, "{ticks}");
    }

    /// An input of 64 bits behind a branch that only the solver passes, in an execution that an assumption has ended.
    #[test]
    fn an_assumption_that_random_inputs_do_not_fulfil_is_passed() {
        let text = "beeline 1.0
            fn main() {
              var x: i64
              x := input \"x\"
              assume x * 5 == 12345678901235
              if x & 1 == 1 goto bad else done
              bad: target \"passed\"
              done: exit
            }";
        assert_eq!(found(text), 1);
    }
}
