//! Functions that a program registers with `atexit` run when it ends: where the entry function returns,
//! and before `exit`. The model of `atexit` remembers them. A `main` that calls itself runs them too early.

use crate::llvm::*;

/// The function of the models that runs them.
const RUNNER: &str = "__beeline_run_at_exit";

/// Calls the registered functions where the program ends, if it registers any.
pub fn run_at_exit(module: &mut Module, entry: &str) {
    let runner = module.functions.iter().find(|(_, function)| function.name == RUNNER);
    let Some((runner, ty)) = runner.map(|(id, function)| (id, function.ty)) else { return };
    let TyKind::Func(void, ..) = *module.kind(ty) else { return };
    let Some(pointer) = module.types.iter().find(|(_, ty)| ty.kind == TyKind::Ptr).map(|(id, _)| id) else {
        return;
    };
    let exit = module.functions.iter().find(|(_, f)| f.name == "exit" && f.is_declaration());
    let exit = exit.map(|(id, _)| id);
    for function in module.functions.values_mut() {
        let is_entry = function.name == entry;
        for block in function.blocks.values_mut() {
            let ends = |&inst: &InstId| match &function.insts[inst].kind {
                InstKind::Ret(_) => is_entry,
                InstKind::Call(call) => {
                    matches!(&call.callee, Operand::Const(_, Const::Func(callee)) if Some(*callee) == exit)
                }
                _ => false,
            };
            let Some(at) = block.insts.iter().position(ends) else { continue };
            let call = function.insts.push(Inst {
                kind: InstKind::Call(CallInst {
                    callee: Operand::Const(pointer, Const::Func(runner)),
                    ty,
                    args: Vec::new(),
                    byval: Vec::new(),
                    noreturn: false,
                    asm: None,
                }),
                ty: void,
                name: String::new(),
                place: function.insts[block.insts[at]].place,
            });
            block.insts.insert(at, call);
        }
    }
}
