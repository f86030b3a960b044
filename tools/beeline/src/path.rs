//! Where an error path ends: in which calls, and with which values.
//!
//! The witness crate executes the path and tells its way; this is what a person wants to know first.

use beeline_ir::{Expr, Program, Span, Value, VarId};
use beeline_run::RunPath;
use beeline_witness::c_text::{CType, value};
use beeline_witness::execution::{Executed, Place, Step, execute};
use beeline_witness::slice::slice;
use rustc_hash::FxHashSet;

/// An error path that has been executed.
#[derive(Debug)]
pub struct ErrorPath {
    /// Its steps.
    pub executed: Executed,
    /// `name = value`, for what the condition in front of the error reads.
    pub values: Vec<String>,
    /// The calls that are active at the error, the innermost first: where, and in which function.
    pub callers: Vec<(Option<Span>, String)>,
}

impl ErrorPath {
    /// Follows the path of a result; nothing if it is no execution of the program.
    pub fn follow(program: &Program, path: &RunPath) -> Option<ErrorPath> {
        let executed = execute(program, path).ok()?;
        let name = |func| program.functions[func].name.clone();
        Some(ErrorPath {
            values: executed.decided.map_or(Vec::new(), |index| deciding(program, &executed, index)),
            callers: active(&executed)
                .into_iter()
                .rev()
                .map(|call| {
                    let edge = &program.edges[call.edge()];
                    (edge.span, name(program.function_of(edge.src)))
                })
                .collect(),
            executed,
        })
    }

    /// The steps that matter for the error.
    pub fn relevant(&self) -> impl Iterator<Item = &Step> {
        let matters = slice(&self.executed);
        self.executed.steps.iter().zip(matters).filter(|(_, matters)| *matters).map(|(step, _)| step)
    }
}

/// The calls that have not returned.
fn active(executed: &Executed) -> Vec<&Step> {
    let mut calls = Vec::new();
    for step in &executed.steps {
        match step.step {
            beeline_run::RunStep::Edge(_) => {}
            beeline_run::RunStep::Call(..) => calls.push(step),
            beeline_run::RunStep::Return(_) => drop(calls.pop()),
        }
    }
    calls
}

/// What the expressions of a step read, with their values.
fn deciding(program: &Program, executed: &Executed, index: usize) -> Vec<String> {
    let step = &executed.steps[index];
    let mut seen = FxHashSet::default();
    let mut open: Vec<_> = program.edges[step.edge()].op.expressions().to_vec();
    let mut vars = Vec::new();
    while let Some(expr) = open.pop() {
        if !seen.insert(expr) {
            continue;
        }
        match program.exprs[expr] {
            Expr::Var(var) => vars.push(var),
            ref node => open.extend(node.operands()),
        }
    }
    vars.sort();
    vars.into_iter().filter_map(|var| named(program, var, &current(program, executed, step, var)?)).collect()
}

/// What a variable holds when a step reads it.
fn current(program: &Program, executed: &Executed, reader: &Step, var: VarId) -> Option<Value> {
    let is_it = |place: &Place| matches!(*place, Place::Global(of) | Place::Local(of, _) if of == var);
    let writers = reader.data.iter().rev().map(|&index| &executed.steps[index]);
    let written = writers.flat_map(|step| &step.writes).find(|(place, _)| is_it(place));
    written.map(|(_, value)| value.clone()).or_else(|| {
        let init = program.vars[var].init?;
        Some(program.exprs.value(init).clone())
    })
}

/// `name = value`, for what has a name in the source.
fn named(program: &Program, var: VarId, given: &Value) -> Option<String> {
    let source = program.vars[var].source.as_ref()?;
    Some(format!("{} = {}", source.name, value(given, CType::named(&source.ty, program.pointer_width))))
}
