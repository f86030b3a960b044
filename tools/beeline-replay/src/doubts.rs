//! Doubts: dependences of a counterexample on values that a native program cannot be given.

use crate::inputs::{Inputs, place};
use crate::memory::is_of_argument;
use beeline_ir::{EdgeId, Op, Program, RegionId, SCHEDULE, VarId};
use beeline_witness::execution::{Executed, Place};
use beeline_witness::slice::slice;

/// The greatest number of doubts that are reported.
const MANY: usize = 3;

/// The doubts of a counterexample, as text.
#[derive(Debug, Default)]
pub(crate) struct Doubts {
    /// Each value once, with a place.
    pub on: Vec<String>,
    /// Whether one of them was never written by the program, so that its value is undefined in C.
    pub undefined: bool,
    /// The values that are reported already.
    known: Vec<String>,
}

impl Doubts {
    /// The doubts that matter for the target.
    pub(crate) fn of(program: &Program, executed: &Executed, inputs: &Inputs) -> Doubts {
        let mut doubts = Doubts::default();
        let matters = slice(executed);
        for (index, step) in executed.steps.iter().enumerate().filter(|(index, _)| matters[*index]) {
            let edge = step.edge();
            // The place where a value that this step havocs is read.
            let read = || {
                let mut later = executed.steps.iter().enumerate().skip(index);
                let reader =
                    later.find(|(at, step)| matters[*at] && step.writers().any(|writer| writer == index));
                reader.map_or(edge, |(_, step)| step.edge())
            };
            match program.edges[edge].op {
                // Native threads follow this schedule.
                Op::Havoc(_, Some(input)) if program.inputs[input] == SCHEDULE => {}
                Op::Havoc(_, Some(input)) if !inputs.gives(&program.inputs[input]) => {
                    let what = format!("what {} returns", program.inputs[input]);
                    doubts.add(what, &place(program, edge));
                }
                Op::Havoc(var, None) if program.vars[var].source.is_some() => {
                    doubts.add_unwritten(uninitialised(program, var), program, read());
                }
                Op::Havoc(_, None) => doubts.add("an unknown value".into(), &place(program, edge)),
                Op::HavocRegion(region) => match variable_in(program, region) {
                    // The entry of a function has no place in the source.
                    Some(variable) if program.edges[edge].span.is_none() => {
                        doubts.add_unwritten(variable, program, read())
                    }
                    _ => doubts.add("memory that external code writes".into(), &place(program, edge)),
                },
                _ => {}
            }
            for (unset, _) in &step.unset {
                match *unset {
                    Place::Local(var, _) => doubts.add_unwritten(uninitialised(program, var), program, edge),
                    Place::Cell(region, addr) => doubts.add_cell(program, (region, addr), edge),
                    Place::Global(_) => {}
                }
            }
        }
        doubts
    }

    fn add(&mut self, what: String, at: &str) {
        if !self.known.contains(&what) {
            self.on.push(format!("{what} ({at})"));
            self.known.push(what);
        }
    }

    fn add_unwritten(&mut self, what: String, program: &Program, read: EdgeId) {
        self.undefined = true;
        self.add(what, &format!("read at {}", place(program, read)));
    }

    fn add_cell(&mut self, program: &Program, (region, addr): (RegionId, u64), read: EdgeId) {
        let name = memory_name(program, region);
        let kind = match is_of_argument(program, addr) {
            true => "outside",
            false => name.split('.').next().unwrap_or(name),
        };
        let what = match (variable_in(program, region), kind) {
            (_, "outside") => "memory from outside, such as argv".into(),
            (Some(variable), _) => return self.add_unwritten(variable, program, read),
            (None, "heap") => {
                let what = "uninitialised heap memory";
                return self.add_unwritten(what.into(), program, read);
            }
            (None, _) => format!("the initial value of {name}"),
        };
        self.add(what, &format!("read at {}", place(program, read)));
    }

    /// All in one sentence.
    pub(crate) fn sentence(&self) -> Option<String> {
        let more = self.on.len().saturating_sub(MANY);
        let mut sentence = format!("the path depends on {}", self.on[..self.on.len() - more].join(", "));
        if more > 0 {
            sentence.push_str(&format!(", and {more} more"));
        }
        if self.undefined {
            sentence
                .push_str("; uninitialised values are undefined in C, and the native run may have others");
        }
        (!self.on.is_empty()).then_some(sentence)
    }
}

fn uninitialised(program: &Program, var: VarId) -> String {
    let returning = program.functions.values().find(|function| function.ret == Some(var));
    match returning {
        Some(function) => format!("the missing return value of {}", function.name),
        None => format!("the uninitialised variable {}", shown(program, var)),
    }
}

fn shown(program: &Program, var: VarId) -> String {
    let var = &program.vars[var];
    let name = var.source.as_ref().map_or(&var.name, |source| &source.name);
    match var.owner {
        Some(owner) => format!("{name} of {}", program.source_function(owner)),
        None => name.clone(),
    }
}

/// The lowering's name for the memory in a region.
fn memory_name(program: &Program, region: RegionId) -> &str {
    program.regions[region].name.trim_start_matches("mem.")
}

/// The variable that a region is named after, if it is local.
fn variable_in(program: &Program, region: RegionId) -> Option<String> {
    let name = memory_name(program, region);
    let owned = |function: &str| name.strip_prefix(function)?.strip_prefix('.');
    let found =
        |function: &str| Some(format!("the uninitialised variable {} of {function}", owned(function)?));
    program.functions.values().find_map(|function| found(&function.name))
}
