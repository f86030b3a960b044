//! Programs whose threads cannot be interleaved: an execution ends where it creates a thread, and is counted. What follows
//! is said all the same, because a target that only the thread reaches would else seem to be out of reach.

use super::build::CREATE;
use super::start::number_self;
use crate::instruction::callee;
use crate::libc::without_model;
use crate::rewrite::{Types, call_of, plain, type_of};
use beeline_ir::Bits;
use beeline_module::*;

/// Ends executions where a module creates threads, for a reason.
pub(crate) fn end_at_threads(module: &mut Module, why: &str) {
    number_self(module);
    let types = Types::find_or_add(module);
    let (int, ptr, void) = (type_of(module, TyKind::Int(32), 4), types.ptr(), types.void());
    let ends_type = type_of(module, TyKind::Func(void, Vec::new(), false), 0);
    for id in module.functions.keys().collect::<Vec<_>>() {
        let creations: Vec<(InstId, FnId)> = creations(module, id).collect();
        for (inst, created) in creations {
            let InstKind::Call(call) = module.functions[id].insts[inst].kind.clone() else { continue };
            let is_posix = module.functions[created].name == CREATE[0];
            let (start, given) = if is_posix { (2, 3) } else { (1, 2) };
            let result = if is_posix { ptr } else { int };
            let run_type = type_of(module, TyKind::Func(result, vec![ptr], false), 0);
            let name = without_model(&format!("{} ({why})", module.functions[created].name));
            let ends = module.functions.push(Function::new(&name, ends_type, 0));
            let run = CallInst {
                callee: call.args[start].clone(),
                ty: run_type,
                args: vec![call.args[given].clone()],
                byval: vec![None],
                noreturn: false,
                asm: None,
            };
            let before = [
                plain(void, call_of(&types, ends, ends_type, Vec::new(), false)),
                plain(result, InstKind::Call(run)),
            ];
            let zero = InstKind::Freeze(Operand::Const(int, Const::Int(Bits::zero(32))));
            replace(&mut module.functions[id], inst, before, zero);
        }
    }
}

/// The calls in a function that create threads, with what they call.
fn creations(module: &Module, id: FnId) -> impl Iterator<Item = (InstId, FnId)> {
    module.functions[id].insts.iter().filter_map(|(inst, data)| {
        let InstKind::Call(call) = &data.kind else { return None };
        let (created, function) = callee(module, call)?;
        (function.is_declaration() && CREATE.contains(&function.name.as_str())).then_some((inst, created))
    })
}

/// Replaces an instruction, with others in front of it, which stand at its place.
fn replace(function: &mut Function, inst: InstId, before: [Inst; 2], kind: InstKind) {
    let place = function.insts[inst].place;
    let before = before.map(|new| function.insts.push(Inst { place, ..new }));
    function.insts[inst].kind = kind;
    for block in function.blocks.values_mut() {
        if let Some(at) = block.insts.iter().position(|&other| other == inst) {
            block.insts.splice(at..at, before);
        }
    }
}
