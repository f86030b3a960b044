//! Inference of postconditions of recursive functions: executions of a function refute candidate relations,
//! until none does.
//!
//! Initially the candidates say that no call returns. Each execution found refutes some relations. The final
//! relations hold of an execution if they hold of the calls inside of it; so they hold of all executions.

use crate::control::Control;
use crate::control::block::{Block, CutPoints};
use crate::control::call_strings::CallStrings;
use crate::control::place::{Frame, Place, Slot, StackId, Step, Steps};
use crate::control::postconditions::{PostconditionMap, Postconditions, Subject};
use crate::formula::Executor;
use beeline_graph::{Effects, Graph};
use beeline_ir::{FuncId, Program};
use beeline_smt::solver::decide_once;
use beeline_smt::{Answer, QueryLimits, Term, Unsupported};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use tracing::debug;

/// The greatest number of subjects in the relations of a function.
const MOST_SUBJECTS: usize = 16;
/// The greatest number of executions of a function that are tried.
const MOST_EXECUTIONS: usize = 64;

/// The postconditions of the recursive functions of a program, as far as they are found.
pub(crate) fn infer_postconditions(
    program: &Program,
    effects: &[Effects],
    limits: &QueryLimits,
) -> PostconditionMap {
    let graph = Graph::new(program);
    let recursive: Vec<FuncId> = program.functions.keys().filter(|&func| graph.is_recursive(func)).collect();
    let believed =
        |&func: &FuncId| (func, Postconditions::of_no_end(program, &subjects(program, effects, func)));
    let mut known = Known { postconditions: recursive.iter().map(believed).collect(), effects };
    while recursive.iter().any(|&func| known.refute(program, func, limits)) {}
    for (func, postconditions) in &known.postconditions {
        debug!(
            function = program.functions[*func].name,
            relations = postconditions.relations(),
            "postconditions"
        );
    }
    known.postconditions.into_iter().filter(|(_, postconditions)| !postconditions.is_empty()).collect()
}

/// The subjects of a function's relations, inputs first.
fn subjects(program: &Program, effects: &[Effects], func: FuncId) -> Vec<Subject> {
    let function = &program.functions[func];
    let is_written = |var| {
        let edges = function.locations().flat_map(|loc| program.out_edges(loc));
        edges.into_iter().any(|edge| program.edges[edge].op.writes().contains(&var))
    };
    let parameters = function.params.iter().copied().filter(|&param| !is_written(param));
    let written = &effects[func.as_u32() as usize].writes;
    // If the function's entry can be reached again, globals are no longer what they were at the entry.
    let begins_once = begins_once(program, func);
    let before = written.iter().filter(|_| begins_once).map(|&var| Subject::Before(var));
    let ends = function.ret.map(Subject::Result).into_iter();
    let after = written.iter().map(|&var| Subject::After(var));
    let outputs: Vec<Subject> = ends.chain(after).take(MOST_SUBJECTS / 2).collect();
    let inputs = parameters.map(Subject::Parameter).chain(before).take(MOST_SUBJECTS / 2);
    inputs.chain(outputs).collect()
}

/// Whether no edge of a function leads back to its entry.
fn begins_once(program: &Program, func: FuncId) -> bool {
    let function = &program.functions[func];
    let edges = function.locations().flat_map(|loc| program.out_edges(loc));
    !edges.into_iter().any(|edge| program.edges[edge].dst == function.entry())
}

/// The current candidates.
#[derive(Debug)]
struct Known<'a> {
    postconditions: BTreeMap<FuncId, Postconditions>,
    effects: &'a [Effects],
}

impl Known<'_> {
    /// Searches for executions of a function that refute its candidates. Returns whether there was one.
    fn refute(&mut self, program: &Program, func: FuncId, limits: &QueryLimits) -> bool {
        for found in 0..MOST_EXECUTIONS {
            if self.postconditions[&func].is_empty() {
                return found > 0;
            }
            match self.execution(program, func, limits) {
                Ok(None) => return found > 0,
                Ok(Some(seen)) => {
                    let postconditions = self.postconditions.get_mut(&func).expect("the function is studied");
                    postconditions.add(|subject| seen[&subject]);
                }
                Err(Undecided) => break,
            }
        }
        self.postconditions.insert(func, Postconditions::default());
        true
    }

    /// The values of subjects in an execution that refutes the candidates.
    fn execution(
        &self,
        program: &Program,
        func: FuncId,
        limits: &QueryLimits,
    ) -> Result<Option<FxHashMap<Subject, u64>>, Undecided> {
        let function = &program.functions[func];
        let mut passing = Passing { strings: CallStrings::of(func), known: self };
        let place = Place { loc: function.entry(), ..passing.start(program) };
        let cut_points = CutPoints::at_loops(program, function.exit);
        let block = Block::build(program, &mut passing, &cut_points, place);
        let is_end = |&node: &usize| block.nodes[node] == Place { loc: function.exit, ..place };
        if !block.exits.iter().all(is_end) {
            return Err(Undecided);
        }
        let Some(&end) = block.exits.first() else { return Ok(None) };
        let postconditions = &self.postconditions[&func];
        let mut executor = Executor::new(program, &passing, true);
        let mut state = executor.somewhere(1);
        let mut terms: FxHashMap<Subject, Term> = FxHashMap::default();
        for subject in postconditions.subjects() {
            if let Subject::Parameter(var) | Subject::Before(var) = subject {
                terms.insert(subject, executor.slot(&mut state, Slot { var, level: 0 })?.term()?);
            }
        }
        let mut state = executor.block(&block, state, end)?.state;
        for subject in postconditions.subjects() {
            if let Subject::After(var) | Subject::Result(var) = subject {
                terms.insert(subject, executor.slot(&mut state, Slot { var, level: 0 })?.term()?);
            }
        }
        let mut formulas =
            vec![state.guard.clone(), postconditions.hold(|subject| terms[&subject].clone()).not()];
        formulas.append(&mut executor.facts);
        let model = match decide_once(&formulas, limits) {
            Answer::Unsat => return Ok(None),
            Answer::Unknown(_) => return Err(Undecided),
            Answer::Sat(model) => model,
        };
        let seen = |(subject, term): (Subject, Term)| {
            let value = model.value(&term).and_then(|value| value.as_bits()?.to_u64());
            Some((subject, value?))
        };
        Ok(Some(terms.into_iter().map(seen).collect::<Option<_>>().ok_or(Undecided)?))
    }
}

/// No answer whether there is such an execution.
struct Undecided;

impl From<Unsupported> for Undecided {
    fn from(_: Unsupported) -> Undecided {
        Undecided
    }
}

/// Call strings that pop calls of the studied functions at once.
#[derive(Debug)]
struct Passing<'a> {
    strings: CallStrings,
    known: &'a Known<'a>,
}

impl Control for Passing<'_> {
    fn start(&self, program: &Program) -> Place {
        self.strings.start(program)
    }

    fn steps(&mut self, program: &Program, place: Place) -> Steps {
        let frame = self.strings.frame(place.stack);
        match frame.caller {
            Some((stack, call)) if self.known.postconditions.contains_key(&frame.callee) => {
                let behind = Place { loc: program.edges[call].dst, stack };
                Steps::from_elem((Step::Pop(call), behind), 1)
            }
            _ => self.strings.steps(program, place),
        }
    }

    fn frame(&self, stack: StackId) -> Frame {
        self.strings.frame(stack)
    }

    fn frames(&self) -> Vec<Frame> {
        self.strings.frames()
    }

    fn effects(&self, func: FuncId) -> Option<&Effects> {
        self.known.effects.get(func.as_u32() as usize)
    }

    fn postconditions(&self, func: FuncId) -> Option<&Postconditions> {
        self.known.postconditions.get(&func)
    }
}
