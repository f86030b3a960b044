//! Postconditions of functions: a check that they hold of each activation that returns.
//!
//! A function is executed from its entry, in any state, to its exit, with all functions that it calls. Calls
//! of functions with claimed postconditions, or of recursive functions, are not followed: after such a call,
//! what the callee may write is arbitrary within its postconditions. The inner call has returned earlier, so
//! an induction over the number of steps shows the postconditions for all activations.

use crate::block::{Block, Ends, NoBlock};
use crate::checker::{Checker, MOST_PLACES, Stop};
use crate::execute::{Depth, Executor, Popping, Postconditions};
use crate::outcome::Fault;
use crate::place::Stacks;
use crate::reach::Reach;
use crate::state::State;
use beeline_ir::{FuncId, Program};
use beeline_smt::Answer;
use beeline_smt::solver::decide_once;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// The functions that may call themselves, directly or through others.
fn recursive(program: &Program) -> Vec<FuncId> {
    let mut callees: Vec<BTreeSet<FuncId>> = vec![BTreeSet::new(); program.functions.len()];
    for edge in program.edges.values() {
        let called = edge.op.as_call().map_or(&[][..], |call| call.callee.functions());
        callees[program.function_of(edge.src).as_u32() as usize].extend(called);
    }
    let calls_itself = |&func: &FuncId| {
        let mut work = vec![func];
        let mut met = BTreeSet::new();
        while let Some(caller) = work.pop() {
            let called = callees[caller.as_u32() as usize].iter().copied();
            work.extend(called.filter(|&callee| met.insert(callee)));
        }
        met.contains(&func)
    };
    program.functions.keys().filter(calls_itself).collect()
}

impl Checker<'_> {
    /// Checks that the postconditions that the proof claims hold at the exits of functions.
    pub(crate) fn ensures(&self) -> Result<(), Stop> {
        let functions: BTreeSet<FuncId> =
            self.descriptions.proof.ensures.iter().map(|ensures| ensures.func).collect();
        if functions.iter().any(|&func| self.program.functions.get(func).is_none()) {
            return Err(wrong("the proof has a postcondition of a function that does not exist".into()));
        }
        if functions.is_empty() {
            return Ok(());
        }
        // Following a function into itself would never end.
        let popped = functions.iter().copied().chain(recursive(self.program)).collect();
        functions.iter().try_for_each(|&func| self.ensured_by(func, &popped))
    }

    fn ensured_by(&self, func: FuncId, popped: &BTreeSet<FuncId>) -> Result<(), Stop> {
        let program = self.program;
        let function = &program.functions[func];
        let (mut stacks, start) = Stacks::of_function(program, func, popped.iter().copied());
        let exit = BTreeSet::from([function.exit]);
        let (reach, targets) = (Reach::new(program, &exit), exit.into_iter().collect());
        if !reach.target(program, &stacks, start) {
            return Ok(());
        }
        let cuts = FxHashSet::default();
        let ends = Ends { cuts: Some(&cuts), targets: &targets, reach: &reach, most_places: MOST_PLACES };
        let block = Block::build(program, &mut stacks, &ends, start, &[]).map_err(|error| {
            let why = match error {
                NoBlock::TooLarge => "it is too large",
                NoBlock::Endless(_) => "it has a loop",
            };
            Stop::Unchecked(format!("the postcondition of {} was not checked: {why}", function.name))
        })?;
        let popping = Popping { frames: self.frames(), postconditions: &self.descriptions };
        let executor =
            Executor::new(program, &stacks, self.tracked(), false, Depth::Formulas, &self.judge.limits);
        let mut executor = executor.popping(popping);
        let mut state = State::default();
        executor.enter(&mut state, func)?;
        let mut broken = Vec::new();
        executor.block(&block, state, |executor, _, mut state| {
            let claimed = self.descriptions.ensured(executor, &mut state, func);
            broken.push(claimed.map(|claimed| state.guard.and(&claimed.not())));
            true
        })?;
        for broken in broken {
            let broken = broken?;
            let Some(formula) = broken.formula() else {
                return Err(Stop::Unchecked(format!("the postcondition of {} is unknown", function.name)));
            };
            let mut formulas = executor.facts.clone();
            formulas.push(formula);
            match self.judge.decide(&formulas, || decide_once(&formulas, &self.judge.limits)) {
                Answer::Unsat => {}
                Answer::Sat(_) => {
                    return Err(wrong(format!("the postcondition of {} does not hold", function.name)));
                }
                Answer::Unknown(why) => {
                    let what = &function.name;
                    return Err(Stop::Unchecked(format!(
                        "the solver did not decide the postcondition of {what}: {why}"
                    )));
                }
            }
        }
        Ok(())
    }
}

fn wrong(reason: String) -> Stop {
    Stop::Fault(Box::new(Fault::of_form(reason)))
}
