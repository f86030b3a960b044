//! Where an error path ends: in which calls, and with which values.
//!
//! The witness crate executes the path and tells its way; this is what a person wants to know first.

use beeline_ir::{Expr, Program, Span, Value, VarId};
use beeline_run::{Choice, RunPath, RunStep};
use beeline_witness::c_text::{CType, value};
use beeline_witness::execution::{Executed, Place, Step, execute};
use beeline_witness::slice::explanation;
use rustc_hash::FxHashSet;

/// An error path that has been executed.
#[derive(Debug)]
pub(crate) struct ErrorPath {
    /// Its steps.
    pub executed: Executed,
    /// `name = value`, for what the condition in front of the error reads.
    pub values: Vec<String>,
    /// The calls that are active at the error, the innermost first: where, and in which function.
    pub callers: Vec<(Option<Span>, String)>,
}

impl ErrorPath {
    /// Follows the path of a result; nothing if it is no execution of the program.
    pub(crate) fn follow(program: &Program, path: &RunPath) -> Option<ErrorPath> {
        let executed = execute(program, path).ok()?;
        let name = |func| program.functions[func].name.clone();
        Some(ErrorPath {
            values: executed.decided.map_or(Vec::new(), |index| deciding(program, path, &executed, index)),
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

    /// The steps that explain the error.
    pub(crate) fn relevant(&self, program: &Program) -> impl Iterator<Item = &Step> {
        let matters = explanation(program, &self.executed);
        self.executed.steps.iter().zip(matters).filter(|(_, matters)| *matters).map(|(step, _)| step)
    }
}

/// The calls that have not returned.
fn active(executed: &Executed) -> Vec<&Step> {
    let mut calls = Vec::new();
    for step in &executed.steps {
        match step.step {
            RunStep::Edge(_) => {}
            RunStep::Call(..) => calls.push(step),
            RunStep::Return(_) => drop(calls.pop()),
        }
    }
    calls
}

/// What the expressions of a step read, with their values; for what has no name in the source, what it
/// was computed from.
fn deciding(program: &Program, path: &RunPath, executed: &Executed, index: usize) -> Vec<String> {
    let mut seen = FxHashSet::default();
    let mut open = vec![index];
    let mut found = Vec::new();
    while let Some(index) = open.pop() {
        let reader = &executed.steps[index];
        for var in read_by(program, reader) {
            if !seen.insert(var) {
                continue;
            }
            let writer = writer(executed, reader, var);
            if program.vars[var].source.is_some() {
                let written = writer.and_then(|index| written(&executed.steps[index], var));
                found.push((var, written.or_else(|| initial(program, path, var))));
            } else {
                open.extend(writer);
            }
        }
    }
    found.sort_by_key(|(var, _)| *var);
    found.into_iter().filter_map(|(var, value)| named(program, var, &value?)).collect()
}

/// The variables that a step reads.
fn read_by(program: &Program, step: &Step) -> Vec<VarId> {
    let mut seen = FxHashSet::default();
    let mut open = program.edges[step.edge()].op.expressions().to_vec();
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
    vars
}

/// The step that set a variable for a step that reads it.
fn writer(executed: &Executed, reader: &Step, var: VarId) -> Option<usize> {
    let sets = |index: &usize| written(&executed.steps[*index], var).is_some();
    reader.writers().filter(sets).max()
}

/// What a step sets a variable to.
fn written(step: &Step, var: VarId) -> Option<Value> {
    let of_var = |place: &Place| matches!(*place, Place::Global(of) | Place::Local(of, _) if of == var);
    step.writes.iter().find(|(place, _)| of_var(place)).map(|(_, value)| value.clone())
}

/// What a variable holds that no step sets.
fn initial(program: &Program, path: &RunPath, var: VarId) -> Option<Value> {
    let chosen = path.choices.iter().find_map(|choice| match choice {
        Choice::Unwritten { var: of, value } if *of == var => Some(value.clone()),
        _ => None,
    });
    chosen.or_else(|| program.vars[var].init.map(|init| program.exprs.value(init).clone()))
}

/// `name = value`, for what has a name in the source.
fn named(program: &Program, var: VarId, given: &Value) -> Option<String> {
    let source = program.vars[var].source.as_ref()?;
    Some(format!("{} = {}", source.name, value(given, CType::named(&source.ty, program.pointer_width))))
}
