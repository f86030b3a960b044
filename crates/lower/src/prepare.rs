//! Rewrites of the module that make the later steps simpler and keep its meaning: parameters passed `byval` become
//! explicit copies, functions without a body that are called through pointers get one that calls them, the addresses of
//! thread-local variables are those of the variables, and the entry function calls what runs before and after it.

use crate::analyse::cfg::is_in_cycle;
use crate::around::run_around;
use crate::instruction::for_each_operand;
use crate::models::is_told_by_calls;
use crate::options::Options;
use crate::rewrite::{Types, call_of, declared, for_each_address, for_each_mention, plain, type_of};
use beeline_ir::Bits;
use beeline_module::*;
use cranelift_entity::{EntityRef, PrimaryMap};
use rustc_hash::FxHashMap;

/// The source of the results of the model of `rand`.
const DRAWN: &str = "__beeline_input_rand";

/// Applies all rewrites.
pub(crate) fn prepare(module: &mut Module, options: &Options) {
    name_inputs(module, &options.inputs);
    crate::own_functions::call_own(module);
    crate::formats::expand_formats(module);
    address_thread_locals(module);
    give_bodies(module);
    open_order_of_comparisons(module);
    guess_rows_that_repeat(module);
    run_around(module, options);
    copy_byval_parameters(module);
    crate::jumps::expand_jumps(module, options);
    crate::copies::copy_models(module, options);
}

/// Leaves the number and order of comparisons in `qsort` open, if the comparison does more than compare.
fn open_order_of_comparisons(module: &mut Module) {
    let named = |name: &str| module.functions.iter().find(|(_, f)| f.name == name).map(|(id, _)| id);
    let (Some(qsort), Some(open)) = (named("qsort"), named("__beeline_any_order_qsort")) else { return };
    let writes = |function: &Function| {
        let is_own = |addr: &Operand| matches!(addr, Operand::Inst(inst) if matches!(function.insts[*inst].kind, InstKind::Alloca { .. }));
        function.insts.values().any(|inst| match &inst.kind {
            InstKind::Store { addr, .. } => !is_own(addr),
            InstKind::AtomicRmw { .. } | InstKind::CmpXchg { .. } | InstKind::Call(_) => true,
            _ => false,
        })
    };
    let pure: Vec<bool> =
        module.functions.values().map(|function| !function.is_declaration() && !writes(function)).collect();
    for (_, function) in module.functions.iter_mut().filter(|(id, _)| ![qsort, open].contains(id)) {
        for inst in function.insts.values_mut() {
            if let InstKind::Call(call) = &mut inst.kind
                && let Operand::Const(_, Const::Func(callee)) = &mut call.callee
                && *callee == qsort
                && !matches!(call.args.last(), Some(Operand::Const(_, Const::Func(f))) if pure[f.index()])
            {
                *callee = open;
            }
        }
    }
}

/// Makes the result of `rand` a guess where `srand` may be called again: equal seeds give equal sequences.
fn guess_rows_that_repeat(module: &mut Module) {
    let is_seed = |function: &Function| ["srand", "srandom"].contains(&function.name.as_str());
    let seeds: Vec<FnId> = module.functions.iter().filter(|(_, f)| is_seed(f)).map(|(id, _)| id).collect();
    let mut calls = 0;
    for_each_mention(module, &mut |id| calls += usize::from(seeds.contains(id)));
    let turns = |function: &Function| {
        let calls_it = |inst: &InstId| matches!(&function.insts[*inst].kind, InstKind::Call(call) if matches!(call.callee, Operand::Const(_, Const::Func(id)) if seeds.contains(&id)));
        let found = function.blocks.iter().find(|(_, block)| block.insts.iter().any(calls_it));
        found.is_some_and(|(block, _)| is_in_cycle(function, block))
    };
    if calls > 1 || module.functions.values().any(turns) {
        for function in module.functions.values_mut().filter(|function| function.name == DRAWN) {
            function.name = crate::libc::as_guess("rand_after_srand");
        }
    }
}

/// Makes functions without a body whose names match one of the user's patterns inputs.
fn name_inputs(module: &mut Module, patterns: &[String]) {
    for function in module.functions.values_mut() {
        let is_input = |pattern: &String| crate::libc::matches(pattern, &function.name);
        if function.is_declaration() && patterns.iter().any(is_input) {
            function.name = crate::libc::as_input(&function.name);
        }
    }
}

/// Replaces the intrinsic that finds a thread's copy of a variable by its argument, as there is one thread.
fn address_thread_locals(module: &mut Module) {
    let is_address = |function: &Function| function.name.starts_with("llvm.threadlocal.address");
    let intrinsics: Vec<FnId> =
        module.functions.iter().filter(|(_, function)| is_address(function)).map(|(id, _)| id).collect();
    for function in module.functions.values_mut() {
        for inst in function.insts.values_mut() {
            if let InstKind::Call(call) = &inst.kind
                && let Operand::Const(_, Const::Func(callee)) = &call.callee
                && intrinsics.contains(callee)
                && let [variable] = call.args.as_slice()
            {
                inst.kind = InstKind::Cast(CastKind::BitCast, variable.clone());
            }
        }
    }
}

/// Gives a wrapper to each function whose address is used and whose calls by name specify its effect: to those without
/// a body, and to models of the C library whose code says more than the standard does.
fn give_bodies(module: &mut Module) {
    let wanted: Vec<bool> = module
        .functions
        .values()
        .map(|function| function.is_declaration() || is_told_by_calls(function))
        .collect();
    let mut taken = Vec::new();
    for_each_address(module, &mut |id| {
        if wanted[id.index()] && !taken.contains(id) {
            taken.push(*id);
        }
    });
    let mut bodies = FxHashMap::default();
    for id in taken {
        if let Some(body) = calling(module, id) {
            bodies.insert(id, module.functions.push(body));
        }
    }
    for_each_address(module, &mut |id| *id = bodies.get(id).copied().unwrap_or(*id));
}

/// A function that calls another one with its own parameters, or, if it takes more arguments, one that does the same
/// with a list of them.
fn calling(module: &mut Module, id: FnId) -> Option<Function> {
    let callee = module.functions[id].clone();
    let TyKind::Func(result, mut params, variadic) = module.kind(callee.ty).clone() else { return None };
    let types = Types::find_or_add(module);
    let mut insts = PrimaryMap::new();
    let mut args: Vec<Operand> = (0..params.len() as u32).map(Operand::Param).collect();
    let (mut called, mut ty) = (id, callee.ty);
    if variadic && let Some(other) = crate::libc::with_list(&callee.name) {
        args.push(list_of_arguments(module, &types, &mut insts));
        params.push(types.ptr());
        ty = type_of(module, TyKind::Func(result, params, false), 0);
        called = declared(module, &other, ty, &callee);
    }
    let call = insts.push(plain(result, call_of(&types, called, ty, args, callee.noreturn)));
    let returned = (!matches!(module.kind(result), TyKind::Void)).then_some(Operand::Inst(call));
    insts.push(plain(result, InstKind::Ret(returned)));
    let mut blocks = PrimaryMap::new();
    blocks.push(Block { insts: insts.keys().collect(), ..Block::default() });
    let params = vec![String::new(); callee.params.len()];
    let name = if callee.is_declaration() { callee.name.clone() } else { format!("{}.called", callee.name) };
    let (allocas, begins, values) = (Vec::new(), Vec::new(), Vec::new());
    Some(Function { name, params, blocks, insts, allocas, begins, values, number: None, ..callee })
}

/// A list of the arguments that a function takes beside its parameters, in the form in which it is passed on.
fn list_of_arguments(module: &mut Module, types: &Types, insts: &mut PrimaryMap<InstId, Inst>) -> Operand {
    let is_pointer = module.pointer_width == 32;
    // Three words hold the fields of the System V ABI for 64 bits.
    let count = Operand::Const(types.word(), Const::Int(Bits::new(64, if is_pointer { 1 } else { 3 })));
    let ty = if is_pointer { types.ptr() } else { types.word() };
    let list = insts.push(plain(types.ptr(), InstKind::Alloca { ty, count, align: 8, dynamic: false }));
    let start_ty = type_of(module, TyKind::Func(types.void(), vec![types.ptr()], false), 0);
    let template = module.functions.values().next().expect("there is a function").clone();
    let start = declared(module, "llvm.va_start.p0", start_ty, &template);
    insts.push(plain(types.void(), call_of(types, start, start_ty, vec![Operand::Inst(list)], false)));
    if is_pointer {
        let load = InstKind::Load { addr: Operand::Inst(list), volatile: false };
        return Operand::Inst(insts.push(plain(types.ptr(), load)));
    }
    Operand::Inst(list)
}

/// The name under which copies are inserted.
const COPY: &str = "llvm.memcpy.p0.p0.i64";

/// Gives every function with `byval` parameters copies of its own: an alloca and a memcpy each.
fn copy_byval_parameters(module: &mut Module) {
    let wanted =
        |function: &Function| !function.is_declaration() && function.byval.iter().any(Option::is_some);
    if !module.functions.values().any(wanted) {
        return;
    }
    let copy = module.functions.iter().find(|(_, f)| f.name == COPY).map(|(id, _)| id);
    let template = module.functions.values().next().map(|function| function.ty);
    let copy = copy
        .unwrap_or_else(|| module.functions.push(Function::new(COPY, template.unwrap_or(TyId::new(0)), 0)));
    let types = Types::find_or_add(module);
    let sizes: Vec<u64> = module.types.values().map(|ty| ty.size).collect();
    for function in module.functions.values_mut() {
        if !wanted(function) {
            continue;
        }
        for index in (0..function.byval.len()).rev() {
            if let Some(ty) = function.byval[index] {
                copy_parameter(function, index as u32, ty, sizes[ty.index()], copy, &types);
            }
        }
    }
}

fn copy_parameter(function: &mut Function, param: u32, ty: TyId, size: u64, copy: FnId, types: &Types) {
    let place = function.place;
    let word = |value: u64| Operand::Const(types.word(), Const::Int(Bits::new(64, value)));
    let name = function.params.get(param as usize).cloned().unwrap_or_default();
    let alloca = function.insts.push(Inst {
        kind: InstKind::Alloca { ty, count: word(1), align: 1, dynamic: false },
        flags: Flags::default(),
        ty: types.ptr(),
        name: name.clone(),
        place,
    });
    for inst in function.insts.values_mut() {
        for_each_operand(&mut inst.kind, &mut |operand| {
            if *operand == Operand::Param(param) {
                *operand = Operand::Inst(alloca);
            }
        });
    }
    let call = function.insts.push(Inst {
        flags: Flags::default(),
        kind: InstKind::Call(CallInst {
            callee: Operand::Const(types.ptr(), Const::Func(copy)),
            ty: types.void(),
            args: vec![Operand::Inst(alloca), Operand::Param(param), word(size)],
            byval: vec![None; 3],
            noreturn: false,
            asm: None,
        }),
        ty: types.void(),
        name: String::new(),
        place,
    });
    let entry = &mut function.blocks[BlockId::new(0)].insts;
    entry.splice(0..0, [alloca, call]);
    for (operand, var) in std::mem::take(&mut function.values) {
        if operand == Operand::Param(param) {
            function.allocas.push((alloca, var));
        } else {
            function.values.push((operand, var));
        }
    }
}
