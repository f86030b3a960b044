//! The end of an error path: its calls and its values.
//!
//! The witness crate executes the path and shows all of it; the end is what a reader needs first.

use beeline_ir::{Outlined, Program, Span, Value};
use beeline_run::{Choice, RunPath, RunStep};
use beeline_witness::depths::depths;
use beeline_witness::execution::{Executed, Place, Step, execute};
use beeline_witness::show::{Named, named};
use beeline_witness::slice::explanation;
use rustc_hash::FxHashSet;

/// An error path that has been executed.
#[derive(Debug)]
pub(crate) struct ErrorPath<'p> {
    /// Its steps.
    pub executed: Executed,
    /// The values that the condition before the error reads, all of them if the condition is in one line of
    /// the source.
    pub values: Vec<Named<'p>>,
    /// The open calls at the error, the innermost first: place and function.
    pub callers: Vec<(Option<Span>, String)>,
}

impl<'p> ErrorPath<'p> {
    /// Follows the path of a result; `None` if it is not an execution of the program.
    pub(crate) fn follow(program: &'p Program, path: &RunPath) -> Option<ErrorPath<'p>> {
        let executed = execute(program, path).ok()?;
        let outlined = Outlined::new(program);
        let name = |func| program.source_function(func).to_string();
        Some(ErrorPath {
            values: deciding(program, path, &executed, conditions(program, path, &executed)),
            callers: active(&executed)
                .into_iter()
                .rev()
                .filter(|call| !outlined.is_added(call.edge()))
                .map(|call| {
                    let edge = &program.edges[call.edge()];
                    (edge.span, name(program.function_of(edge.src)))
                })
                .collect(),
            executed,
        })
    }

    /// Whether the condition before the error reads pointers none of which is null.
    pub(crate) fn reads_no_null(&self) -> bool {
        let is_null = |value: &Value| value.as_bits().is_some_and(|bits| bits.is_zero());
        let mut pointers = self.values.iter().filter(|named| named.ty.ends_with('*')).peekable();
        pointers.peek().is_some() && pointers.all(|named| !is_null(&named.value))
    }

    /// The steps of the source that explain the error, with the number of calls that are active where they start.
    pub(crate) fn relevant(&self, program: &Program) -> impl Iterator<Item = (&Step, usize)> {
        let matters = explanation(program, &self.executed);
        let steps = self.executed.steps.iter().zip(depths(program, &self.executed).0);
        steps
            .zip(matters)
            .filter(|(_, matters)| *matters)
            .filter_map(|((step, depth), _)| Some((step, depth?)))
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

/// The steps that decided that the error is reached. Of a condition that the source has there, clang makes branches: those
/// in its line.
fn conditions(program: &Program, path: &RunPath, executed: &Executed) -> Vec<usize> {
    let line = |index: usize| {
        let span = program.edges[executed.steps[index].edge()].span;
        span.map(|span| (span.file, span.line))
    };
    let written = program.targets.iter().any(|it| it.loc == path.target && it.property == "unreach-call");
    let Some(last) = executed.decided else { return Vec::new() };
    let before = |index: &usize| {
        let before = executed.steps[*index].control.filter(|_| written);
        before.filter(|before| line(*before).is_some() && line(*before) == line(last))
    };
    std::iter::successors(Some(last), before).collect()
}

/// The places that steps read, with their values; instead of a place without a name in the source, those that
/// it was computed from.
fn deciding<'p>(
    program: &'p Program,
    path: &RunPath,
    executed: &Executed,
    mut open: Vec<usize>,
) -> Vec<Named<'p>> {
    let mut seen = FxHashSet::default();
    let mut found = Vec::new();
    while let Some(index) = open.pop() {
        for read in &executed.steps[index].reads {
            if !seen.insert(read.place) {
                continue;
            }
            let written = read.writer.and_then(|index| written(&executed.steps[index], read.place));
            let value = written.or_else(|| initial(program, path, read.place));
            match (value.and_then(|value| named(program, read.place, &value)), read.place) {
                (Some(named), _) => found.push((read.place, named)),
                (None, Place::Cell(..)) => {}
                (None, Place::Global(var) | Place::Local(var, _)) => {
                    open.extend(read.writer.filter(|_| program.vars[var].source.is_none()));
                }
            }
        }
    }
    found.sort_by_key(|&(place, _)| place);
    found.into_iter().map(|(_, named)| named).collect()
}

/// The value that a step sets a place to.
fn written(step: &Step, place: Place) -> Option<Value> {
    step.writes.iter().find(|(written, _)| *written == place).map(|(_, value)| value.clone())
}

/// The value of a place that no step sets.
fn initial(program: &Program, path: &RunPath, place: Place) -> Option<Value> {
    let constant = match place {
        Place::Global(var) | Place::Local(var, _) => {
            let chosen = path.choices.iter().find_map(|choice| match choice {
                Choice::Unwritten { var: of, value } if *of == var => Some(value.clone()),
                _ => None,
            });
            if chosen.is_some() {
                return chosen;
            }
            program.vars[var].init
        }
        Place::Cell(..) => None,
    };
    constant.map(|constant| program.exprs.value(constant).clone())
}
