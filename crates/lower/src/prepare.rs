//! Rewrites of the module that make the later steps simpler and keep its meaning: parameters passed
//! `byval` become explicit copies, functions without a body that are called through pointers get one
//! that calls them, the addresses of thread-local variables are those of the variables, and what runs before
//! and after the entry function is called by it.

use crate::around::run_around;
use crate::instruction::for_each_operand;
use crate::options::Options;
use beeline_ir::Bits;
use beeline_llvm::module::*;
use cranelift_entity::EntityRef;
use rustc_hash::FxHashMap;

/// All rewrites.
pub(crate) fn prepare(module: &mut Module, options: &Options) {
    let entry = options.entry.as_str();
    name_inputs(module, &options.inputs);
    address_thread_locals(module);
    open_order_of_comparisons(module);
    give_bodies(module);
    run_around(module, entry);
    copy_byval_parameters(module);
}

/// How often and in which order `qsort` compares is open, which shows where the comparison does more than compare.
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

/// Functions without a body whose names match one of the user's patterns are inputs.
fn name_inputs(module: &mut Module, patterns: &[String]) {
    for function in module.functions.values_mut() {
        let is_input = |pattern: &String| crate::libc::matches(pattern, &function.name);
        if function.is_declaration() && patterns.iter().any(is_input) {
            function.name = crate::libc::as_input(&function.name);
        }
    }
}

/// There is one thread, so the intrinsic that finds its copy of a variable gives its argument.
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

/// Gives each function without a body whose address is used a function of the same name that calls it.
/// What such functions do is decided where they are called by name.
fn give_bodies(module: &mut Module) {
    let declared: Vec<bool> = module.functions.values().map(Function::is_declaration).collect();
    let mut taken = Vec::new();
    for_each_address(module, &mut |id| {
        if declared[id.index()] && !taken.contains(id) {
            taken.push(*id);
        }
    });
    if taken.is_empty() {
        return;
    }
    let pointer = Types::find_or_add(module).ptr;
    let mut bodies = FxHashMap::default();
    for id in taken {
        if let Some(body) = calling(module, id, pointer) {
            bodies.insert(id, module.functions.push(body));
        }
    }
    for_each_address(module, &mut |id| *id = bodies.get(id).copied().unwrap_or(*id));
}

/// A function that calls another one with its own parameters.
fn calling(module: &Module, id: FnId, pointer: TyId) -> Option<Function> {
    let callee = &module.functions[id];
    let TyKind::Func(result, params, _) = module.kind(callee.ty).clone() else { return None };
    let mut function = Function { params: vec![String::new(); params.len()], ..callee.clone() };
    let call = function.insts.push(Inst {
        flags: Flags::default(),
        kind: InstKind::Call(CallInst {
            callee: Operand::Const(pointer, Const::Func(id)),
            ty: callee.ty,
            args: (0..params.len() as u32).map(Operand::Param).collect(),
            byval: vec![None; params.len()],
            noreturn: callee.noreturn,
            asm: None,
        }),
        ty: result,
        name: String::new(),
        place: None,
    });
    let returned = (!matches!(module.kind(result), TyKind::Void)).then_some(Operand::Inst(call));
    let end = Inst {
        kind: InstKind::Ret(returned),
        flags: Flags::default(),
        ty: result,
        name: String::new(),
        place: None,
    };
    let end = function.insts.push(end);
    function.blocks.push(Block { insts: vec![call, end], ..Block::default() });
    Some(function)
}

/// Visits every mention of a function but as the one that a call names.
fn for_each_address(module: &mut Module, visit: &mut impl FnMut(&mut FnId)) {
    for global in module.globals.values_mut() {
        if let Some(init) = &mut global.init {
            for_each_function(init, visit);
        }
    }
    for function in module.functions.values_mut() {
        for inst in function.insts.values_mut() {
            let named = match &mut inst.kind {
                InstKind::Call(call) if matches!(call.callee, Operand::Const(_, Const::Func(_))) => {
                    Some(std::mem::replace(&mut call.callee, Operand::Other(String::new())))
                }
                _ => None,
            };
            for_each_operand(&mut inst.kind, &mut |operand| {
                if let Operand::Const(_, constant) = operand {
                    for_each_function(constant, visit);
                }
            });
            if let (Some(named), InstKind::Call(call)) = (named, &mut inst.kind) {
                call.callee = named;
            }
        }
    }
}

fn for_each_function(constant: &mut Const, visit: &mut impl FnMut(&mut FnId)) {
    match constant {
        Const::Func(id) => visit(id),
        Const::Aggregate(parts) => parts.iter_mut().for_each(|(_, part)| for_each_function(part, visit)),
        Const::Binary(_, a, b) => {
            for_each_function(a, visit);
            for_each_function(b, visit);
        }
        Const::Resize { value, .. } => for_each_function(value, visit),
        _ => {}
    }
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
    let copy = copy.unwrap_or_else(|| {
        module.functions.push(Function {
            name: COPY.into(),
            ty: template.unwrap_or(TyId::new(0)),
            params: Vec::new(),
            byval: Vec::new(),
            noreturn: false,
            weak: false,
            exported: false,
            writes_nothing: false,
            features: String::new(),
            number: None,
            blocks: Default::default(),
            insts: Default::default(),
            place: None,
            allocas: Vec::new(),
            begins: Vec::new(),
            values: Vec::new(),
        })
    });
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

struct Types {
    void: TyId,
    ptr: TyId,
    word: TyId,
}

impl Types {
    fn find_or_add(module: &mut Module) -> Types {
        let bytes = u64::from(module.pointer_width / 8);
        let mut get = |kind: TyKind, size: u64| {
            let found = module.types.iter().find(|(_, ty)| ty.kind == kind).map(|(id, _)| id);
            found.unwrap_or_else(|| {
                module.types.push(Ty { kind, size, store_size: size, align: size.max(1), is_union: false })
            })
        };
        Types { void: get(TyKind::Void, 0), ptr: get(TyKind::Ptr, bytes), word: get(TyKind::Int(64), 8) }
    }
}

fn copy_parameter(function: &mut Function, param: u32, ty: TyId, size: u64, copy: FnId, types: &Types) {
    let place = function.place;
    let word = |value: u64| Operand::Const(types.word, Const::Int(Bits::new(64, value)));
    let name = function.params.get(param as usize).cloned().unwrap_or_default();
    let alloca = function.insts.push(Inst {
        kind: InstKind::Alloca { ty, count: word(1), align: 1, dynamic: false },
        flags: Flags::default(),
        ty: types.ptr,
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
            callee: Operand::Const(types.ptr, Const::Func(copy)),
            ty: types.void,
            args: vec![Operand::Inst(alloca), Operand::Param(param), word(size)],
            byval: vec![None; 3],
            noreturn: false,
            asm: None,
        }),
        ty: types.void,
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
