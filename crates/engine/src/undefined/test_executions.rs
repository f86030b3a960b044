//! Test executions: runs of the interpreter with a few chosen inputs, which look for undefined operations.
//!
//! The first path of a proof to such an operation may be infeasible: loops with fixed bounds hide the
//! feasible ones.

use crate::control::Control;
use crate::control::call_strings::CallStrings;
use crate::formula::Executor;
use crate::paths::Trace;
use crate::paths::guess::guesses;
use beeline_interp::oracle::{Given, Random};
use beeline_interp::{Limits, Machine, Oracle, Outcome, Run, StuckReason};
use beeline_ir::{EdgeId, Program};
use beeline_smt::solver::decide_once;
use beeline_smt::{Answer, QueryLimits, TICKS_PER_SECOND};
use rustc_hash::{FxHashMap, FxHashSet};

/// The greatest number of edges in all test executions together.
const STEPS: u64 = 400_000;
/// The number of executions with random inputs, besides one with zeros.
const RANDOM: u64 = 16;
/// The greatest number of undefined operations beside which other edges are looked for, and of edges before one.
const MOST_STUCK: usize = 4;
const MOST_STEPS: usize = 4_000;

/// An undefined operation for which `open` holds that a test execution reaches, with the reason.
pub(crate) fn stuck_at(
    program: &Program,
    open: &dyn Fn(EdgeId, StuckReason) -> bool,
) -> Option<(EdgeId, StuckReason)> {
    let guesses = guesses(program);
    executions(program, |run| match run.outcome {
        Outcome::Stuck(reason, edge)
            if !run.trace.iter().any(|edge| guesses.contains_key(edge)) && open(edge, reason) =>
        {
            Some((edge, reason))
        }
        _ => None,
    })
}

/// The edges that test executions take with a defined result, and those that they could take where their last operation
/// has none.
pub(crate) fn taken(program: &Program) -> FxHashSet<EdgeId> {
    let (mut taken, mut stuck) = (FxHashSet::default(), FxHashMap::default());
    executions(program, |run| {
        let mut trace = &run.trace[..];
        if let (Outcome::Stuck(..), Some((last, before))) = (&run.outcome, trace.split_last()) {
            stuck.entry(*last).or_insert_with(|| trace.to_vec());
            trace = before;
        }
        taken.extend(trace);
        None::<()>
    });
    let mut stuck: Vec<(EdgeId, Vec<EdgeId>)> = stuck.into_iter().collect();
    stuck.sort_unstable();
    for (_, trace) in stuck.iter().filter(|(_, trace)| trace.len() <= MOST_STEPS).take(MOST_STUCK) {
        taken.extend(otherwise(program, trace));
    }
    taken
}

/// The edges that an execution could take at the end of a trace if it drew other values: the last one with a result, or
/// those beside the one before.
fn otherwise(program: &Program, trace: &[EdgeId]) -> Vec<EdgeId> {
    let [before @ .., branch, last] = trace else { return Vec::new() };
    let aside = program.out_edges(program.edges[*branch].src).filter(|edge| edge != branch);
    let courses = aside.map(|edge| [before, &[edge]].concat()).chain([trace.to_vec()]);
    let possible = courses.filter(|course| is_possible(program, course));
    possible.map(|course| *course.last().unwrap_or(last)).collect()
}

/// Whether the solver finds an execution that takes these edges, each with a result.
fn is_possible(program: &Program, edges: &[EdgeId]) -> bool {
    let mut control = CallStrings::new(program);
    let Some(trace) = Trace::of_edges(program, &mut control, edges) else { return false };
    let mut executor = Executor::new(program, &control, true);
    let start = executor.start();
    let Ok(done) = executor.block(&trace.as_block(control.start(program)), start, trace.steps.len()) else {
        return false;
    };
    let limits = QueryLimits::new(TICKS_PER_SECOND / 2, None);
    let mut formulas = std::mem::take(&mut executor.facts);
    formulas.push(done.state.guard);
    matches!(decide_once(&formulas, &limits), Answer::Sat(_))
}

/// Runs test executions until `look` finds something.
fn executions<T>(program: &Program, mut look: impl FnMut(&Run) -> Option<T>) -> Option<T> {
    let machine = Machine::new(program);
    let mut left = STEPS;
    for seed in 0..=RANDOM {
        let mut oracle: Box<dyn Oracle> = match seed {
            0 => Box::new(Given::default()),
            seed => Box::new(Random::new(seed)),
        };
        let share = (left / (RANDOM + 1 - seed)).max(1);
        let limits = Limits { steps: share, memory: 1 << 26, depth: 10_000, trace: true, record: false };
        let run = machine.run(&mut *oracle, &limits);
        left = left.saturating_sub(run.steps);
        let found = look(&run);
        if found.is_some() {
            return found;
        }
    }
    None
}
