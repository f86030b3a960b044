//! Copies and fills of memory that clang writes as intrinsics, in a program that defines `memcpy`, `memmove` or `memset`
//! itself: code generators call these functions, or write a few instructions where the size is a small constant.

use crate::instruction::constant_u64;
use crate::prepare::{Types, call_of, declared, plain, type_of};
use beeline_llvm::module::*;
use cranelift_entity::PrimaryMap;
use rustc_hash::FxHashMap;

/// The functions, and how the names of their intrinsics begin.
const RANGES: [(&str, &str); 3] =
    [("memcpy", "llvm.memcpy."), ("memmove", "llvm.memmove."), ("memset", "llvm.memset.")];
/// From this size on no code generator writes instructions.
const LARGE: u64 = 512;
/// Says what a code generator does with a small size.
const CHOICE: &str = "__beeline_any_code";

/// Has such intrinsics call the program's functions.
pub(crate) fn call_own(module: &mut Module) {
    for (name, prefix) in RANGES {
        let is_own =
            |function: &Function| function.name == name && !function.is_declaration() && function.exported;
        let Some(own) = module.functions.iter().find(|(_, f)| is_own(f)).map(|(id, _)| id) else { continue };
        let intrinsics: Vec<FnId> =
            module.functions.iter().filter(|(_, f)| f.name.starts_with(prefix)).map(|(id, _)| id).collect();
        let mut callers: FxHashMap<(FnId, bool), FnId> = FxHashMap::default();
        for &intrinsic in &intrinsics {
            for is_small in [false, true] {
                if let Some(caller) = calling(module, own, intrinsic, is_small) {
                    callers.insert((intrinsic, is_small), module.functions.push(caller));
                }
            }
        }
        let made: Vec<FnId> = callers.values().copied().collect();
        for (id, function) in module.functions.iter_mut() {
            if id == own || made.contains(&id) {
                continue;
            }
            for inst in function.insts.values_mut() {
                let InstKind::Call(call) = &mut inst.kind else { continue };
                let Operand::Const(_, Const::Func(callee)) = &mut call.callee else { continue };
                let is_small = call.args.get(2).and_then(constant_u64).is_some_and(|size| size < LARGE);
                *callee = callers.get(&(*callee, is_small)).copied().unwrap_or(*callee);
            }
        }
    }
}

/// A function in the place of an intrinsic that calls the program's own, or does so perhaps.
fn calling(module: &mut Module, own: FnId, intrinsic: FnId, perhaps: bool) -> Option<Function> {
    let TyKind::Func(void, given, _) = module.kind(module.functions[intrinsic].ty).clone() else {
        return None;
    };
    let TyKind::Func(result, taken, false) = module.kind(module.functions[own].ty).clone() else {
        return None;
    };
    if taken.len() != 3 || given.len() != 4 {
        return None;
    }
    let types = Types::find_or_add(module);
    let mut insts = PrimaryMap::new();
    let (mut args, mut casts) = (Vec::new(), Vec::new());
    for (index, (&from, &to)) in given.iter().zip(&taken).enumerate() {
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
    let ty = module.functions[own].ty;
    let mut block = casts;
    block.push(insts.push(plain(result, call_of(&types, own, ty, args, false))));
    block.push(insts.push(plain(void, InstKind::Ret(None))));
    let mut blocks = PrimaryMap::new();
    if perhaps {
        let bit = type_of(module, TyKind::Int(1), 1);
        let choice_ty = type_of(module, TyKind::Func(bit, Vec::new(), false), 0);
        let like = module.functions[own].clone();
        let choice = declared(module, CHOICE, choice_ty, &like);
        let chosen = insts.push(plain(bit, call_of(&types, choice, choice_ty, Vec::new(), false)));
        let same = (0..4).map(Operand::Param).collect();
        let ty = module.functions[intrinsic].ty;
        let as_before = insts.push(plain(void, call_of(&types, intrinsic, ty, same, false)));
        let end = insts.push(plain(void, InstKind::Ret(None)));
        let (calls, writes) = (BlockId::from_u32(1), BlockId::from_u32(2));
        let fork = insts.push(plain(void, InstKind::CondBr(Operand::Inst(chosen), calls, writes)));
        blocks.push(Block { insts: vec![chosen, fork], ..Block::default() });
        blocks.push(Block { insts: block, ..Block::default() });
        blocks.push(Block { insts: vec![as_before, end], ..Block::default() });
    } else {
        blocks.push(Block { insts: block, ..Block::default() });
    }
    let like = module.functions[own].clone();
    Some(Function {
        name: format!("{}.called", module.functions[intrinsic].name),
        ty: module.functions[intrinsic].ty,
        params: vec![String::new(); 4],
        byval: vec![None; 4],
        exported: false,
        writes_nothing: false,
        number: None,
        blocks,
        insts,
        place: None,
        allocas: Vec::new(),
        begins: Vec::new(),
        values: Vec::new(),
        ..like
    })
}
