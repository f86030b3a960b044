//! What a counterexample depends on that a native program cannot be given.

use crate::inputs::{Inputs, place};
use beeline_ir::{Op, Program, VarId};
use beeline_witness::execution::{Executed, Place};
use beeline_witness::slice::slice;

/// How many are told of.
const MANY: usize = 3;

/// In words; only of what matters for the target.
pub fn doubts(program: &Program, executed: &Executed, inputs: &Inputs) -> Vec<String> {
    let mut doubts = Vec::new();
    let mut add = |doubt: String| {
        if !doubts.contains(&doubt) {
            doubts.push(doubt);
        }
    };
    for (step, _) in executed.steps.iter().zip(slice(executed)).filter(|(_, matters)| *matters) {
        let edge = step.edge();
        match program.edges[edge].op {
            Op::Havoc(_, Some(input)) if !inputs.gives(&program.inputs[input]) => {
                add(format!("what {} returns ({})", program.inputs[input], place(program, edge)));
            }
            Op::Havoc(var, None) => {
                add(format!(
                    "a value of {} that is not known ({})",
                    shown(program, var),
                    place(program, edge)
                ));
            }
            Op::HavocRegion(_) => {
                add(format!("memory that is written from outside ({})", place(program, edge)))
            }
            _ => {}
        }
        for (unset, _) in &step.unset {
            match *unset {
                Place::Local(var, _) => add(format!("the uninitialised variable {}", shown(program, var))),
                Place::Cell(region, _) => {
                    let name = program.regions[region].name.trim_start_matches("mem.");
                    add(format!("memory that is not initialised ({name}, read at {})", place(program, edge)));
                }
                Place::Global(_) => {}
            }
        }
    }
    doubts
}

/// Several of them in one sentence.
pub fn sentence(doubts: &[String]) -> Option<String> {
    let more = doubts.len().saturating_sub(MANY);
    let first = doubts[..doubts.len() - more].join(", ");
    match (doubts.is_empty(), more) {
        (true, _) => None,
        (_, 0) => Some(format!("the path depends on {first}")),
        _ => Some(format!("the path depends on {first}, and {more} more")),
    }
}

fn shown(program: &Program, var: VarId) -> String {
    let var = &program.vars[var];
    let name = var.source.as_ref().map_or(&var.name, |source| &source.name);
    match var.owner {
        Some(owner) => format!("{name} of {}", program.functions[owner].name),
        None => name.clone(),
    }
}
