//! Functions in which other threads may run: they are inlined, and the others stay functions.

use super::locks::is_lock;
use super::marker;
use beeline_ir::{FuncId, Op, Program};

/// The functions in which other threads may run, or that have an effect on threads.
pub(super) fn in_line(program: &Program, starts: &[FuncId]) -> Vec<bool> {
    let mut found: Vec<bool> = program
        .functions
        .iter()
        .map(|(id, function)| {
            marker::ALL.contains(&function.name.as_str())
                || is_lock(&function.name)
                || starts[1..].contains(&id)
        })
        .collect();
    loop {
        let mut more = false;
        for edge in program.edges.values() {
            let Op::Call(call) = &edge.op else { continue };
            let caller = program.function_of(edge.src).as_u32() as usize;
            let runs = call.callee.functions().iter().any(|callee| found[callee.as_u32() as usize]);
            if runs && !found[caller] {
                found[caller] = true;
                more = true;
            }
        }
        if !more {
            return found;
        }
    }
}
