//! Functions of the program that intrinsics of clang stand for: a program may define functions such as `memcpy` or
//! `floor` itself, which code generators call for these intrinsics. Code generators may also write a few instructions,
//! where the size is a small constant or the processor has them.

use crate::instruction::constant_u64;
use crate::rewrite::{Types, call_of, declared, plain, type_of};
use beeline_module::*;
use cranelift_entity::{EntityRef, PrimaryMap};
use rustc_hash::FxHashMap;

/// Functions whose intrinsics have a size as their third argument.
const RANGES: [&str; 3] = ["memcpy", "memmove", "memset"];
/// The size from which on no code generator writes instructions.
const LARGE: u64 = 512;
/// Functions of floats for which a processor may lack instructions.
const OF_FLOATS: [&str; 8] = ["ceil", "floor", "fma", "nearbyint", "rint", "round", "roundeven", "trunc"];
/// The choice of a code generator.
const CHOICE: &str = "__beeline_any_code";

/// The function that code generators call for an intrinsic.
fn called_for(intrinsic: &str) -> Option<String> {
    let (name, ty) = intrinsic.strip_prefix("llvm.")?.split_once('.')?;
    if RANGES.contains(&name) {
        return Some(name.into());
    }
    let suffix = match ty {
        "f32" => "f",
        "f64" => "",
        "f80" => "l",
        _ => return None,
    };
    OF_FLOATS.contains(&name).then(|| format!("{name}{suffix}"))
}

/// Replaces intrinsics by calls of the program's functions.
pub(crate) fn call_own(module: &mut Module) {
    let own = |function: &Function| {
        let name = called_for(&function.name).filter(|_| function.is_declaration())?;
        let is_it = |other: &Function| other.name == name && !other.is_declaration() && other.exported;
        module.functions.iter().find(|(_, other)| is_it(other)).map(|(id, _)| id)
    };
    let found: Vec<(FnId, FnId)> =
        module.functions.iter().filter_map(|(id, function)| Some((id, own(function)?))).collect();
    let mut callers: FxHashMap<(FnId, bool), (FnId, FnId)> = FxHashMap::default();
    for (intrinsic, own) in found {
        for perhaps in [false, true] {
            if let Some(caller) = calling(module, own, intrinsic, perhaps) {
                callers.insert((intrinsic, perhaps), (module.functions.push(caller), own));
            }
        }
    }
    let made: Vec<FnId> = callers.values().map(|&(caller, _)| caller).collect();
    let large: Vec<bool> = module
        .functions
        .values()
        .map(|function| called_for(&function.name).is_some_and(|name| RANGES.contains(&name.as_str())))
        .collect();
    for (id, function) in module.functions.iter_mut().filter(|(id, _)| !made.contains(id)) {
        for inst in function.insts.values_mut() {
            let InstKind::Call(call) = &mut inst.kind else { continue };
            let Operand::Const(_, Const::Func(callee)) = &mut call.callee else { continue };
            let is_small = call.args.get(2).and_then(constant_u64).is_some_and(|size| size < LARGE);
            let perhaps = is_small || !large[callee.index()];
            if let Some(&(caller, own)) = callers.get(&(*callee, perhaps))
                && own != id
            {
                *callee = caller;
            }
        }
    }
}

/// The instructions of a function.
type Insts = PrimaryMap<InstId, Inst>;

/// Parameters of some types as arguments of others, and the instructions that convert them; `None` if there is no such
/// conversion.
fn converted(
    module: &Module,
    given: &[TyId],
    taken: &[TyId],
    insts: &mut Insts,
) -> Option<(Vec<Operand>, Vec<InstId>)> {
    let (mut args, mut casts) = (Vec::new(), Vec::new());
    for (index, (&from, &to)) in given.iter().zip(taken).enumerate() {
        let param = Operand::Param(index as u32);
        let cast = match (module.kind(from), module.kind(to)) {
            _ if from == to => None,
            (TyKind::Int(from), TyKind::Int(to)) if from < to => Some(CastKind::ZExt),
            (TyKind::Int(_), TyKind::Int(_)) => Some(CastKind::Trunc),
            _ => return None,
        };
        args.push(match cast {
            Some(kind) => {
                casts.push(insts.push(plain(to, InstKind::Cast(kind, param))));
                Operand::Inst(casts[casts.len() - 1])
            }
            None => param,
        });
    }
    Some((args, casts))
}

/// A function that replaces an intrinsic and calls the program's own function, always or perhaps.
fn calling(module: &mut Module, own: FnId, intrinsic: FnId, perhaps: bool) -> Option<Function> {
    let TyKind::Func(wanted, given, _) = module.kind(module.functions[intrinsic].ty).clone() else {
        return None;
    };
    let TyKind::Func(result, taken, false) = module.kind(module.functions[own].ty).clone() else {
        return None;
    };
    let returns = !matches!(module.kind(wanted), TyKind::Void);
    if taken.len() > given.len() || returns && wanted != result {
        return None;
    }
    let types = Types::find_or_add(module);
    let returned = |value: InstId| InstKind::Ret(returns.then_some(Operand::Inst(value)));
    let mut insts = Insts::new();
    let (args, casts) = converted(module, &given, &taken, &mut insts)?;
    let ty = module.functions[own].ty;
    let mut block = casts;
    block.push(insts.push(plain(result, call_of(&types, own, ty, args, false))));
    block.push(insts.push(plain(wanted, returned(block[block.len() - 1]))));
    let mut blocks = PrimaryMap::new();
    if perhaps {
        let bit = type_of(module, TyKind::Int(1), 1);
        let choice_ty = type_of(module, TyKind::Func(bit, Vec::new(), false), 0);
        let like = module.functions[own].clone();
        let choice = declared(module, CHOICE, choice_ty, &like);
        let chosen = insts.push(plain(bit, call_of(&types, choice, choice_ty, Vec::new(), false)));
        let same = (0..given.len() as u32).map(Operand::Param).collect();
        let ty = module.functions[intrinsic].ty;
        let as_before = insts.push(plain(wanted, call_of(&types, intrinsic, ty, same, false)));
        let end = insts.push(plain(wanted, returned(as_before)));
        let (calls, writes) = (BlockId::from_u32(1), BlockId::from_u32(2));
        let fork = insts.push(plain(wanted, InstKind::CondBr(Operand::Inst(chosen), calls, writes)));
        blocks.push(Block { insts: vec![chosen, fork], ..Block::default() });
        blocks.push(Block { insts: block, ..Block::default() });
        blocks.push(Block { insts: vec![as_before, end], ..Block::default() });
    } else {
        blocks.push(Block { insts: block, ..Block::default() });
    }
    Some(replacement(module, (intrinsic, own), (given.len(), perhaps), (blocks, insts)))
}

/// A function with such a body that has the type of an intrinsic, with so many parameters; else it is like the program's own function.
fn replacement(
    module: &Module,
    (intrinsic, own): (FnId, FnId),
    (params, perhaps): (usize, bool),
    (blocks, insts): (PrimaryMap<BlockId, Block>, Insts),
) -> Function {
    let intrinsic = &module.functions[intrinsic];
    Function {
        name: format!("{}.{}", intrinsic.name, if perhaps { "perhaps" } else { "called" }),
        ty: intrinsic.ty,
        params: vec![String::new(); params],
        byval: vec![None; params],
        exported: false,
        writes_nothing: false,
        number: None,
        call: None,
        blocks,
        insts,
        place: None,
        allocas: Vec::new(),
        begins: Vec::new(),
        values: Vec::new(),
        ..module.functions[own].clone()
    }
}
