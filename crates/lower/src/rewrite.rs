//! Building blocks of rewrites of a module: declarations, calls, types, and visits of all mentions of functions.

use crate::instruction::for_each_operand;
use beeline_module::*;
use cranelift_entity::PrimaryMap;

/// A function without a body of this name, which is declared like another one if it is not there yet.
pub(crate) fn declared(module: &mut Module, name: &str, ty: TyId, like: &Function) -> FnId {
    let known = module.functions.iter().find(|(_, function)| function.name == name).map(|(id, _)| id);
    known.unwrap_or_else(|| {
        let TyKind::Func(_, params, _) = module.kind(ty) else { unreachable!("it is one of a function") };
        let count = params.len();
        module.functions.push(Function {
            name: name.into(),
            ty,
            params: vec![String::new(); count],
            byval: vec![None; count],
            number: None,
            call: None,
            blocks: PrimaryMap::new(),
            insts: PrimaryMap::new(),
            allocas: Vec::new(),
            begins: Vec::new(),
            values: Vec::new(),
            ..like.clone()
        })
    })
}

pub(crate) fn call_of(types: &Types, callee: FnId, ty: TyId, args: Vec<Operand>, noreturn: bool) -> InstKind {
    let byval = vec![None; args.len()];
    let callee = Operand::Const(types.ptr, Const::Func(callee));
    InstKind::Call(CallInst { callee, ty, args, byval, noreturn, asm: None })
}

pub(crate) fn plain(ty: TyId, kind: InstKind) -> Inst {
    Inst { kind, flags: Flags::default(), ty, name: String::new(), place: None }
}

/// Visits every mention of a function.
pub(crate) fn for_each_mention(module: &mut Module, visit: &mut impl FnMut(&mut FnId)) {
    for_each_address(module, visit);
    for function in module.functions.values_mut() {
        for inst in function.insts.values_mut() {
            if let InstKind::Call(call) = &mut inst.kind
                && let Operand::Const(_, Const::Func(id)) = &mut call.callee
            {
                visit(id);
            }
        }
    }
}

/// Visits every mention of a function, except as the callee of a call.
pub(crate) fn for_each_address(module: &mut Module, visit: &mut impl FnMut(&mut FnId)) {
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

/// Types that rewrites need, added to the module where it lacks them.
pub(crate) struct Types {
    void: TyId,
    ptr: TyId,
    word: TyId,
}

impl Types {
    pub(crate) fn ptr(&self) -> TyId {
        self.ptr
    }

    pub(crate) fn void(&self) -> TyId {
        self.void
    }

    pub(crate) fn word(&self) -> TyId {
        self.word
    }

    pub(crate) fn find_or_add(module: &mut Module) -> Types {
        let bytes = u64::from(module.pointer_width / 8);
        Types {
            void: type_of(module, TyKind::Void, 0),
            ptr: type_of(module, TyKind::Ptr, bytes),
            word: type_of(module, TyKind::Int(64), 8),
        }
    }
}

pub(crate) fn type_of(module: &mut Module, kind: TyKind, size: u64) -> TyId {
    let found = module.types.iter().find(|(_, ty)| ty.kind == kind).map(|(id, _)| id);
    found.unwrap_or_else(|| {
        module.types.push(Ty { kind, size, store_size: size, align: size.max(1), is_union: false })
    })
}
