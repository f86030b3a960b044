//! Guesses of the lowering on which a path rests, such as the result of a function without a body.

use super::Trace;
use crate::control::Control;
use crate::control::block::Block;
use crate::control::place::Step;
use crate::formula::Executor;
use crate::formula::state::{Executed, Sym, SymState};
use beeline_interp::Source;
use beeline_ir::{Assumption, Direction, EdgeId, Op, Program, RegionId, Value, VarId};
use beeline_smt::Unsupported;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// The edges whose results are guesses of the lowering, with the assumptions that say so.
pub fn guesses(program: &Program) -> FxHashMap<EdgeId, usize> {
    let invents =
        |assumption: &Assumption| assumption.direction != Direction::MayHideBug && !assumption.ends();
    let listed = program.assumptions.iter().enumerate().filter(|(_, assumption)| invents(assumption));
    listed.filter_map(|(index, assumption)| Some((assumption.edge?, index))).collect()
}

/// A guess on which the feasibility of the steps depends, or that the last one has no result.
///
/// An edge with an invented result makes no counterexample, unless the steps can be taken whatever the result is: then no
/// condition mentions it. Other inputs are those of an execution, if it is given, so that a long path has few terms.
pub(super) fn guess_on(
    program: &Program,
    control: &dyn Control,
    trace: &Trace,
    stuck: bool,
    execution: &[(Source, Value)],
) -> Option<usize> {
    let steps = &trace.steps;
    let guesses = guesses(program);
    let guess_at = |&(step, _): &(Step, _)| match step {
        Step::Edge(edge) => guesses.get(&edge).copied(),
        Step::Call(..) | Step::Return(_) | Step::Pop(_) => None,
    };
    let first = steps.iter().find_map(guess_at)?;
    let given = Given::of(program, trace, execution, &guesses);
    let mut executor = Executor::new(program, control, true);
    let Ok(done) = given.executed(&mut executor, &trace.as_block(control.start(program))) else {
        return Some(first);
    };
    let condition = match done.undefined.get(&(steps.len() - 1)) {
        Some(undefined) if stuck => undefined.formula(),
        _ if done.arrives => done.state.guard,
        // Nothing is known of the steps, which were taken all the same.
        _ => return Some(first),
    };
    steps.iter().enumerate().find_map(|(index, step)| {
        let guess = guess_at(step)?;
        let depends = match (done.inputs.get(&index), done.havocked_regions.get(&index)) {
            (Some(value), _) => condition.mentions(value),
            (_, Some(memory)) => condition.mentions_memory(memory),
            (None, None) => true,
        };
        depends.then_some(guess)
    })
}

/// What an execution got from outside along a path, except from guesses.
struct Given<'p> {
    program: &'p Program,
    /// The variables to which the steps with these numbers give any value, and the values that they got.
    inputs: FxHashMap<usize, (VarId, Value)>,
    /// The initial values of cells.
    cells: Vec<(RegionId, u64, Value)>,
}

impl<'p> Given<'p> {
    fn of(
        program: &'p Program,
        trace: &Trace,
        execution: &[(Source, Value)],
        guesses: &FxHashMap<EdgeId, usize>,
    ) -> Given<'p> {
        let mut answers: FxHashMap<EdgeId, VecDeque<&Value>> = FxHashMap::default();
        let mut havocked: FxHashSet<RegionId> = FxHashSet::default();
        for (source, value) in execution {
            if let Source::Input { edge, .. } | Source::Havoc { edge } = source {
                answers.entry(*edge).or_default().push_back(value);
            }
        }
        let mut inputs = FxHashMap::default();
        for (index, &(step, _)) in trace.steps.iter().enumerate() {
            let Step::Edge(edge) = step else { continue };
            match program.edges[edge].op {
                Op::HavocRegion(region) => _ = havocked.insert(region),
                Op::Havoc(var, _) if !guesses.contains_key(&edge) => {
                    let answer = answers.get_mut(&edge).and_then(VecDeque::pop_front);
                    answer.map(|value| inputs.insert(index, (var, value.clone())));
                }
                _ => {}
            }
        }
        let cell = |(source, value): &(Source, Value)| match source {
            // What is read later may be what a step has left there.
            Source::Cell(region, addr) if !havocked.contains(region) => Some((*region, *addr, value.clone())),
            _ => None,
        };
        Given { program, inputs, cells: execution.iter().filter_map(cell).collect() }
    }

    /// Executes the steps of a path, up to one that has no result.
    fn executed(&self, executor: &mut Executor<'_>, path: &Block) -> Result<Executed, Unsupported> {
        let mut state = executor.start();
        for (region, addr, value) in &self.cells {
            executor.set_cell(&mut state, *region, *addr, Some(value.clone()))?;
        }
        let mut done = Executed::new(executor.start());
        for index in 0..path.edges.len() {
            let Some((_, after)) = executor.leave(path, &[index], state, &mut done)?.pop() else {
                return Ok(done);
            };
            state = self.after(executor, path, index, after);
        }
        (done.state, done.arrives) = (state, true);
        Ok(done)
    }

    /// The state after a step, with the value that the execution got there.
    fn after(&self, executor: &Executor<'_>, path: &Block, index: usize, mut state: SymState) -> SymState {
        if let Some(&(var, ref value)) = self.inputs.get(&index) {
            let stack = path.nodes[path.edges[index].src].stack;
            let slot = executor.control().slot(self.program, stack, var);
            state.vars.insert(slot, Sym::Value(value.clone()));
        }
        state
    }
}
