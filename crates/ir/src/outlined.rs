//! Functions that are loops of other functions, as `beeline_graph::loops_as_functions` makes them: what the source
//! has, told apart from what was added. It matters to people who read of a program, and decides nothing.
//!
//! A loop of `f` is a function `f.loopN`. The steps that were added are those of no place in the source that call
//! one, begin or end one, or take what it hands back.

use crate::expr::VarId;
use crate::program::{Edge, EdgeId, FuncId, Op, Program};
use rustc_hash::{FxHashMap, FxHashSet};

/// What was added to a program whose loops are functions.
#[derive(Debug, Clone, Default)]
pub struct Outlined {
    loops: FxHashSet<FuncId>,
    steps: FxHashSet<EdgeId>,
    handed: FxHashMap<VarId, FuncId>,
}

impl Outlined {
    /// Finds it.
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

    /// Adds what follows a call: the way that the loop took, and what it hands back.
    fn take_back(&mut self, program: &Program, call: &Edge) {
        for after in program.out_edges(call.dst).filter(|&after| program.edges[after].span.is_none()) {
            self.steps.insert(after);
            if matches!(program.edges[after].op, Op::Assume(..)) {
                self.steps.extend(program.out_edges(program.edges[after].dst));
            }
        }
    }

    /// Is a function a loop of another one?
    pub fn is_loop(&self, func: FuncId) -> bool {
        self.loops.contains(&func)
    }

    /// The loop that hands back a value in a global, if one does: the global is zero all the time but where that is taken.
    pub fn handed_back_by(&self, global: VarId) -> Option<FuncId> {
        self.handed.get(&global).copied()
    }

    /// Was a step added, or is it a call of a loop?
    pub fn is_added(&self, edge: EdgeId) -> bool {
        self.steps.contains(&edge)
    }
}

impl Program {
    /// What the source calls a function; for a loop of another one, or for a copy that one call has, that.
    pub fn source_function(&self, func: FuncId) -> &str {
        let name = self.functions[func].name.as_str();
        let name = loop_of(name).filter(|source| self.function_named(source).is_some()).unwrap_or(name);
        copied_function(name)
    }
}

/// The name of the copy of a function that one call has.
pub fn copy_for_call(name: &str, number: u32) -> String {
    format!("{name}.call{number}")
}

/// The name of the copy of a function that one thread has.
pub fn copy_for_thread(name: &str, number: u64) -> String {
    format!("{name}.thread{number}")
}

/// The function that one of this name is a copy of, or itself.
pub fn copied_function(name: &str) -> &str {
    // A copy for a call has one for each thread, too.
    let name = numbered(name, ".call").unwrap_or(name);
    let name = numbered(name, ".thread").unwrap_or(name);
    numbered(name, ".call").unwrap_or(name)
}

/// The function that a loop of this name is of.
fn loop_of(name: &str) -> Option<&str> {
    numbered(name, ".loop")
}

/// What stands before a suffix with a number.
fn numbered<'a>(name: &'a str, suffix: &str) -> Option<&'a str> {
    let (source, number) = name.rsplit_once(suffix)?;
    (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(source)
}
