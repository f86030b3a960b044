//! Loops as functions, made by `beeline_graph::loops_as_functions`: the parts of a program that the source has, apart
//! from what was added. This is for messages only, and decides nothing.
//!
//! A loop of `f` is a function `f.loopN`. The added steps are those without a place in the source that call one, begin
//! or end one, or read the values that it returns.

use crate::expr::VarId;
use crate::program::{Edge, EdgeId, FuncId, Op, Program};
use rustc_hash::{FxHashMap, FxHashSet};

/// The additions to a program whose loops are functions.
#[derive(Debug, Clone, Default)]
pub struct Outlined {
    loops: FxHashSet<FuncId>,
    steps: FxHashSet<EdgeId>,
    handed: FxHashMap<VarId, FuncId>,
}

impl Outlined {
    /// Finds the additions.
    pub fn new(program: &Program) -> Outlined {
        let mut outlined = Outlined::default();
        let names: FxHashSet<&str> =
            program.functions.values().map(|function| function.name.as_str()).collect();
        let loops = program
            .functions
            .iter()
            .filter(|(_, function)| loop_of(&function.name).is_some_and(|source| names.contains(source)));
        outlined.loops.extend(loops.map(|(id, _)| id));
        if outlined.loops.is_empty() {
            return outlined;
        }
        let ends: FxHashSet<_> = outlined.loops.iter().map(|&func| program.functions[func].exit).collect();
        let begins: FxHashSet<_> =
            outlined.loops.iter().map(|&func| program.functions[func].entry()).collect();
        let without_place = || program.edges.iter().filter(|(_, edge)| edge.span.is_none());
        for (id, edge) in without_place() {
            if outlined.calls_loop(edge) {
                outlined.steps.insert(id);
                outlined.take_back(program, edge);
            } else if ends.contains(&edge.dst) || begins.contains(&edge.src) {
                outlined.steps.insert(id);
                let globals = edge.op.writes().into_iter().filter(|&var| program.vars[var].owner.is_none());
                outlined.handed.extend(globals.map(|var| (var, program.function_of(edge.src))));
            }
        }
        outlined
    }

    fn calls_loop(&self, edge: &Edge) -> bool {
        edge.op
            .as_call()
            .is_some_and(|call| call.callee.functions().iter().all(|func| self.loops.contains(func)))
    }

    /// Adds the steps after a call: the branch on the loop's exit, and the reads of its returned values.
    fn take_back(&mut self, program: &Program, call: &Edge) {
        for after in program.out_edges(call.dst).filter(|&after| program.edges[after].span.is_none()) {
            self.steps.insert(after);
            if matches!(program.edges[after].op, Op::Assume(..)) {
                self.steps.extend(program.out_edges(program.edges[after].dst));
            }
        }
    }

    /// Whether a function is a loop of another one.
    pub fn is_loop(&self, func: FuncId) -> bool {
        self.loops.contains(&func)
    }

    /// The loop that returns a value in a global, if one does: the global is zero except where that value is read.
    pub fn handed_back_by(&self, global: VarId) -> Option<FuncId> {
        self.handed.get(&global).copied()
    }

    /// Whether a step was added, or is a call of a loop.
    pub fn is_added(&self, edge: EdgeId) -> bool {
        self.steps.contains(&edge)
    }
}

impl Program {
    /// The source's name of a function; for a loop or a copy, that of the original function.
    pub fn source_function(&self, func: FuncId) -> &str {
        let name = self.functions[func].name.as_str();
        let name = loop_of(name).filter(|source| self.function_named(source).is_some()).unwrap_or(name);
        copied_function(name)
    }
}

/// The name of the copy of a function for one call.
pub fn copy_for_call(name: &str, number: u32) -> String {
    format!("{name}.call{number}")
}

/// The name of the copy of a function for one thread.
pub fn copy_for_thread(name: &str, number: u64) -> String {
    format!("{name}.thread{number}")
}

/// The function of which this name is a copy's, or the name itself.
pub fn copied_function(name: &str) -> &str {
    // A copy for a call may also be copied for each thread.
    let name = numbered(name, ".call").unwrap_or(name);
    let name = numbered(name, ".thread").unwrap_or(name);
    numbered(name, ".call").unwrap_or(name)
}

/// The function to which a loop with this name belongs.
fn loop_of(name: &str) -> Option<&str> {
    numbered(name, ".loop")
}

/// The name before a suffix with a number.
fn numbered<'a>(name: &'a str, suffix: &str) -> Option<&'a str> {
    let (source, number) = name.rsplit_once(suffix)?;
    (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(source)
}
