//! Functions that run around the entry function: constructors before it; when the program ends, the functions that it
//! registered with `atexit`, which their model records, and destructors; and before `abort` the handler of that signal.
//! Constructors and destructors are in lists of LLVM's, or in variables of which the linker makes such a list.

use crate::options::Options;
use crate::rewrite::for_each_mention;
use beeline_module::*;

/// The model's function that runs what was registered.
const RUNNER: &str = "__beeline_run_at_exit";
/// The model's function that runs the handler of `abort`'s signal.
const BEFORE_ABORT: &str = "__beeline_before_abort";
/// The function that ends the program as a return from the entry function does.
const EXIT: &str = "exit";

/// The priority of functions without one.
const NO_PRIORITY: u64 = 65535;

/// Calls these functions at the start of the entry function, where it returns, and before `exit`.
pub(crate) fn run_around(module: &mut Module, options: &Options) {
    let entry = options.entry.as_str();
    let before = constructors(module);
    let mut behind: Vec<FnId> = named(module, RUNNER).into_iter().collect();
    behind.extend(destructors(module).into_iter().rev());
    // The arguments of `main` are known, and the heap is checked where the program ends.
    if !before.is_empty() || !behind.is_empty() || entry == "main" || options.counts_objects() {
        enter_once(module, entry);
    }
    let Some(pointer) = module.types.iter().find(|(_, ty)| ty.kind == TyKind::Ptr).map(|(id, _)| id) else {
        return;
    };
    let calls = |functions: &[FnId]| -> Vec<Inst> {
        functions.iter().filter_map(|&callee| call(module, callee, pointer)).collect()
    };
    let (before, behind) = (calls(&before), calls(&behind));
    let declared = |name: &&str| named(module, name).filter(|&id| module.functions[id].is_declaration());
    let exit = declared(&EXIT);
    let (abort, before_abort) = (declared(&"abort"), named(module, BEFORE_ABORT));
    let before_abort: Vec<Inst> =
        before_abort.and_then(|callee| call(module, callee, pointer)).into_iter().collect();
    for function in module.functions.values_mut() {
        let is_entry = function.name == entry && !function.is_declaration();
        for block in function.blocks.values_mut() {
            let runs = |&inst: &InstId| match &function.insts[inst].kind {
                InstKind::Ret(_) if is_entry => Some(&behind),
                InstKind::Call(CallInst { callee: Operand::Const(_, Const::Func(callee)), .. }) => {
                    let ends = (Some(*callee) == exit).then_some(&behind);
                    ends.or((Some(*callee) == abort).then_some(&before_abort))
                }
                _ => None,
            };
            let found = block.insts.iter().enumerate().find_map(|(at, inst)| Some((at, runs(inst)?)));
            let Some((at, run)) = found else { continue };
            let place = function.insts[block.insts[at]].place;
            let calls: Vec<InstId> =
                run.iter().map(|call| function.insts.push(Inst { place, ..call.clone() })).collect();
            block.insts.splice(at..at, calls);
        }
        if is_entry && let Some(first) = function.blocks.values_mut().next() {
            let calls: Vec<InstId> = before.iter().map(|call| function.insts.push(call.clone())).collect();
            first.insts.splice(0..0, calls);
        }
    }
}

/// Separates calls of the entry function by the program from its start: what holds when the program starts and ends
/// holds once only.
pub(crate) fn enter_once(module: &mut Module, entry: &str) {
    let named = module.functions.iter().find(|(_, f)| f.name == entry && !f.is_declaration());
    let Some((entry, function)) = named else { return };
    let again =
        Function { name: beeline_ir::copy_for_call(&function.name, 0), number: None, ..function.clone() };
    let mut is_called = false;
    for_each_mention(module, &mut |id| is_called |= *id == entry);
    if is_called {
        let again = module.functions.push(again);
        for_each_mention(module, &mut |id| *id = if *id == entry { again } else { *id });
    }
}

/// Whether a function runs what remains to run when the program ends.
pub(crate) fn runs_at_end(module: &Module, id: FnId) -> bool {
    module.functions[id].name == RUNNER || destructors(module).contains(&id)
}

fn named(module: &Module, name: &str) -> Option<FnId> {
    module.functions.iter().find(|(_, function)| function.name == name).map(|(id, _)| id)
}

/// The functions that run before the entry function, in this order.
fn constructors(module: &Module) -> Vec<FnId> {
    let mut found: Vec<FnId> = in_sections(module, ".preinit_array").into_iter().map(|(_, id)| id).collect();
    found.extend(by_priority(module, ".init_array", "llvm.global_ctors"));
    found
}

/// The functions that run after the entry function, in the opposite order.
fn destructors(module: &Module) -> Vec<FnId> {
    by_priority(module, ".fini_array", "llvm.global_dtors")
}

/// The functions of a section and of a list of LLVM's, those of smaller priority first.
fn by_priority(module: &Module, section: &str, list: &str) -> Vec<FnId> {
    let mut found = in_sections(module, section);
    found.extend(listed(module, list));
    found.sort_by_key(|&(priority, _)| priority);
    found.into_iter().map(|(_, function)| function).collect()
}

/// The functions that variables in a section lead to, with their priorities, which the section's name may have as its
/// suffix.
fn in_sections(module: &Module, name: &str) -> Vec<(u64, FnId)> {
    let mut found = Vec::new();
    for global in module.globals.values() {
        let priority = match global.section.strip_prefix(name) {
            Some("") => NO_PRIORITY,
            Some(rest) => match rest.strip_prefix('.').and_then(|number| number.parse().ok()) {
                Some(number) => number,
                None => continue,
            },
            None => continue,
        };
        let parts: Vec<&Const> = match &global.init {
            Some(Const::Aggregate(parts)) => parts.iter().map(|(_, part)| part).collect(),
            init => init.iter().collect(),
        };
        found.extend(parts.into_iter().filter_map(|part| match part {
            Const::Func(function) => Some((priority, *function)),
            _ => None,
        }));
    }
    found
}

/// The functions of a list of LLVM's, and their priorities.
fn listed(module: &Module, name: &str) -> Vec<(u64, FnId)> {
    let list = module.globals.values().find(|global| global.name == name);
    let Some(Const::Aggregate(entries)) = list.and_then(|list| list.init.as_ref()) else { return Vec::new() };
    let parts = entries.iter().filter_map(|(_, entry)| match entry {
        Const::Aggregate(parts) => match parts.as_slice() {
            [(_, priority), (_, Const::Func(function)), ..] => {
                let priority = if let Const::Int(bits) = priority { bits.to_u64() } else { None };
                Some((priority.unwrap_or(0), *function))
            }
            _ => None,
        },
        _ => None,
    });
    parts.collect()
}

/// A call of a function without arguments.
fn call(module: &Module, callee: FnId, pointer: TyId) -> Option<Inst> {
    let ty = module.functions[callee].ty;
    let TyKind::Func(result, ..) = *module.kind(ty) else { return None };
    let call = CallInst {
        callee: Operand::Const(pointer, Const::Func(callee)),
        ty,
        args: Vec::new(),
        byval: Vec::new(),
        noreturn: false,
        asm: None,
    };
    Some(Inst {
        kind: InstKind::Call(call),
        flags: Flags::default(),
        ty: result,
        name: String::new(),
        place: None,
    })
}
