//! Directed concolic execution: executions that follow an earlier one and then take the other side of a branch.
//!
//! Where an execution passes a branch with a side that none took, the solver is asked for inputs with which it is taken: the
//! condition of the path up to there, and that of the other side. Sides from which a target is near come first.

use super::{Drawn, limits};
use crate::control::Control;
use crate::control::call_strings::CallStrings;
use crate::paths::Trace;
use crate::paths::counterexample::inputs_along;
use crate::search::distance::Distances;
use beeline_interp::{Machine, Outcome, Run, Source};
use beeline_ir::{EdgeId, Program, Value};
use beeline_smt::{Meter, QueryLimits, in_own_context};
use cranelift_entity::{EntitySet, SecondaryMap};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// The greatest number of steps of a path that the solver is asked about.
const LONGEST_PATH: usize = 10_000;
/// The greatest number of paths by which a side is tried.
const TRIES: u8 = 4;
/// The ticks for the solver's answer about one path, and those of executing one of its steps symbolically.
const QUERY_TICKS: u64 = 300_000;
const TICKS_OF_A_STEP: u64 = 30;
/// The greatest number of edges of all executions that are kept.
const MOST_KEPT: usize = 10_000_000;

/// A side of a branch that no execution took.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Side {
    /// The distance from there to a target.
    distance: u64,
    /// The number of edges before the branch.
    before: usize,
    /// The execution that passes the branch.
    execution: usize,
    edge: EdgeId,
}

/// The sides to be tried.
pub(super) struct Flips<'p> {
    program: &'p Program,
    control: CallStrings,
    /// The edges of executions that took an edge first.
    executions: Vec<Rc<[EdgeId]>>,
    kept: usize,
    taken: EntitySet<EdgeId>,
    tries: SecondaryMap<EdgeId, u8>,
    waiting: BinaryHeap<Reverse<Side>>,
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
            taken: EntitySet::new(),
            tries: SecondaryMap::new(),
            waiting: BinaryHeap::new(),
            tried: 0,
            deadline,
            stop,
        }
    }

    /// Takes note of an execution. If it takes edges that none took, the other sides of its branches are tried later.
    /// Returns what that cost, in steps.
    pub(super) fn observe(&mut self, run: &Run, distances: &mut Distances<'_>) -> u64 {
        let new = run.trace.iter().filter(|&&edge| self.taken.insert(edge)).count() > 0;
        let is_first = self.executions.is_empty();
        if !(new || is_first) || self.kept + run.trace.len() > MOST_KEPT {
            return run.trace.len() as u64 / 16;
        }
        if let Some(trace) = Trace::of_edges(self.program, &mut self.control, &run.trace) {
            self.add_sides(&trace, matches!(run.outcome, Outcome::OutOfSteps), distances);
        }
        self.kept += run.trace.len();
        self.executions.push(run.trace.as_slice().into());
        run.trace.len() as u64
    }

    /// Adds the sides of a trace's branches, each where it is passed first and last, if a target can be reached from there.
    fn add_sides(&mut self, trace: &Trace, is_cut: bool, distances: &mut Distances<'_>) {
        let program = self.program;
        let mut sides: FxHashMap<EdgeId, (Side, Option<Side>)> = FxHashMap::default();
        let (mut place, mut before) = (self.control.start(program), 0);
        let ends = trace.steps.iter().map(Some).chain((!is_cut).then_some(None));
        for step in ends {
            // Behind the last step, the edge that was not possible is a side as well.
            if step.is_none() || program.out_edges(place.loc).nth(1).is_some() {
                for (other, to) in self.control.steps(program, place) {
                    let Some(edge) = other.edge_taken().filter(|&edge| !self.taken.contains(edge)) else {
                        continue;
                    };
                    let Some(distance) = distances.of(&self.control, to) else { continue };
                    let side = || Side { distance, before, execution: self.executions.len(), edge };
                    sides
                        .entry(edge)
                        .and_modify(|(_, last)| *last = Some(side()))
                        .or_insert_with(|| (side(), None));
                }
            }
            if let Some((step, to)) = step {
                before += usize::from(step.edge_taken().is_some());
                place = *to;
            }
        }
        self.waiting
            .extend(sides.into_values().flat_map(|(first, last)| [Some(first), last]).flatten().map(Reverse));
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
        if self.taken.contains(side.edge) || self.tries[side.edge] >= TRIES || side.before > LONGEST_PATH {
            return (0, None);
        }
        self.tries[side.edge] += 1;
        self.tried += 1;
        let (ticks, inputs) = self.inputs(&side);
        tracing::debug!(
            before = side.before,
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

    /// The inputs of an execution that takes a side, if the solver finds any, and what that cost.
    fn inputs(&mut self, side: &Side) -> (u64, Option<Vec<(Source, Value)>>) {
        let mut edges = self.executions[side.execution][..side.before].to_vec();
        edges.push(side.edge);
        let Some(trace) = Trace::of_edges(self.program, &mut self.control, &edges) else { return (0, None) };
        let Flips { program, control, deadline, stop, .. } = self;
        let (used, inputs) = in_own_context(|| {
            let meter = Rc::new(Meter::new(None, *deadline, Arc::clone(stop)));
            let limits = QueryLimits::of(QUERY_TICKS, Rc::clone(&meter));
            let inputs = inputs_along(program, control, &trace, &limits);
            (meter.used(), inputs)
        });
        (used + trace.steps.len() as u64 * TICKS_OF_A_STEP, inputs)
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::{Engine, Task};
    use crate::{Concrete, Distances, Metric, Monitor, Options};

    /// The number of targets found where three inputs have to fit to each other: by chance, one execution of 10^28 does it.
    fn found(product: u32) -> usize {
        let text = format!(
            "beeline 1.0
            fn main() {{
              var a: i32, b: i32, c: i32, i: i32
              a := input \"a\"
              b := input \"b\"
              c := input \"c\"
              i := 0
              next: if i <u 9 goto turn else first
              turn: i := i + 1 goto next
              first: if a * 3 + 7 == {product} goto second else done
              second: if b ^ a == 0xbee11ee goto third else done
              third: if c - b == a + i goto bad else done
              bad: target \"all fit\"
              done: exit
            }}"
        );
        let program = beeline_ir::text::parse(&text).unwrap_or_else(|faults| panic!("{faults:?}"));
        let options = Options { ticks: Some(1_500_000), ..Options::default() };
        let mut distances = Distances::new(&program, Metric::BasicBlocks);
        let task = Task::new(&program, &mut distances, options.nothing_known());
        Concrete { options: &options }.run(task, &Monitor::default()).verdict.findings.len()
    }

    #[test]
    fn inputs_that_have_to_fit_to_each_other_are_computed_branch_by_branch() {
        assert_eq!(found(1_000_000_006), 1);
    }
}
