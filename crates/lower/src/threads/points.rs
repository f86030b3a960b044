//! Scheduling points: a call that marks one precedes whatever other threads may see.

use super::build::Types;
use super::escape::{escaping, own_alloca};
use super::{Access, Accesses, BEFORE_RETURN, NOWHERE, Point, is_marker, marker};
use crate::instruction::{RangeKind, callee, is_hint};
use crate::models::is_model;
use beeline_module::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// The prefixes of functions that synchronize threads, whose accesses are no races.
const SYNCHRONIZE: [&str; 7] = ["pthread_", "thrd_", "mtx_", "cnd_", "sem_", "call_once", "__atomic_"];
/// The prefix of functions of a program that are one step.
const ATOMIC: &str = "__VERIFIER_atomic_";

/// Marks the points of a program that starts in `main`, with the addresses of the accesses if races are checked.
pub(super) fn mark_points(
    module: &mut Module,
    types: &Types,
    (main, creates): (FnId, &[FnId]),
    ordinals: &Ordinals,
    races: bool,
) -> Vec<Point> {
    let mut points = Vec::new();
    let marker = types.marker(module, if races { marker::ACCESS } else { marker::POINT });
    let atomic = [marker::ATOMIC_BEGIN, marker::ATOMIC_END].map(|name| types.marker(module, name));
    let ids: Vec<FnId> = module.functions.keys().collect();
    for id in ids {
        let function = &module.functions[id];
        if function.is_declaration() || is_model(function) || is_marker(&function.name) {
            continue;
        }
        let own = escaping(function);
        let returns = |inst: &Inst| id == main && matches!(inst.kind, InstKind::Ret(_));
        let loops = super::endless::loop_heads(function, &own);
        let is_point = |(at, inst): &(InstId, &Inst)| {
            returns(inst) || loops.contains(at) || is_seen(module, function, (&own, creates), inst)
        };
        let found: Vec<InstId> = function.insts.iter().filter(is_point).map(|(inst, _)| inst).collect();
        for at in found {
            let function = &module.functions[id];
            let inst = &function.insts[at];
            let always = matches!(inst.kind, InstKind::Ret(_));
            let elsewhere = if always { BEFORE_RETURN } else { NOWHERE };
            let ordinal = ordinals.get(&(id, at)).copied().unwrap_or(elsewhere);
            let (accesses, mut addresses) = accesses(module, function, inst);
            let mut args = vec![types.int(points.len() as u64)];
            if races {
                addresses.resize(2, types.null(module));
                args.extend(addresses);
            }
            let mut before = vec![types.call(marker, args, inst.place)];
            let mut behind = Vec::new();
            if is_atomic(module, inst) {
                before.push(types.call(atomic[0], Vec::new(), inst.place));
                behind.push(types.call(atomic[1], Vec::new(), inst.place));
            }
            let (function, loops) = (function.name.clone(), loops.contains(&at));
            points.push(Point { function, ordinal, always, loops, accesses });
            insert(&mut module.functions[id], at, before, behind);
        }
    }
    points
}

/// Whether other threads may see the effect of an instruction, or the instruction may see theirs.
fn is_seen(
    module: &Module,
    function: &Function,
    (escaping, creates): (&FxHashSet<InstId>, &[FnId]),
    inst: &Inst,
) -> bool {
    let own = |addr: &Operand| own_alloca(function, addr).is_some_and(|alloca| !escaping.contains(&alloca));
    match &inst.kind {
        InstKind::Load { addr, .. }
        | InstKind::Store { addr, .. }
        | InstKind::AtomicRmw { addr, .. }
        | InstKind::CmpXchg { addr, .. } => !own(addr),
        InstKind::Call(call) => match callee(module, call) {
            Some((id, _)) if creates.contains(&id) => false,
            Some((_, callee)) if is_hint(&callee.name) || is_marker(&callee.name) => false,
            Some((_, callee)) if callee.name.starts_with("llvm.") => callee.name.starts_with("llvm.mem"),
            Some((_, callee)) => {
                callee.is_declaration() || is_model(callee) || callee.name.starts_with(ATOMIC)
            }
            // The callee may be one that waits.
            None => call.asm.is_none(),
        },
        _ => false,
    }
}

/// The accesses of an instruction at a point, with their addresses.
fn accesses(module: &Module, function: &Function, inst: &Inst) -> (Accesses, Vec<Operand>) {
    let size = |ty: TyId| module.types[ty].store_size;
    let atomic = inst.flags.atomic;
    let one = |addr: &Operand, write: bool, size: u64| {
        (Accesses::Plain(vec![Access { write, atomic, size }]), vec![addr.clone()])
    };
    let of = |operand: &Operand| crate::instruction::operand_type(module, function, operand).map_or(0, size);
    match &inst.kind {
        InstKind::Load { addr, .. } => one(addr, false, size(inst.ty)),
        InstKind::Store { addr, value } | InstKind::AtomicRmw { addr, value, .. } => {
            one(addr, true, of(value))
        }
        InstKind::CmpXchg { addr, new, .. } => one(addr, true, of(new)),
        InstKind::Call(call) => {
            let Some((_, callee)) = callee(module, call) else { return (Accesses::Library, Vec::new()) };
            let name = callee.name.as_str();
            let bytes = call.args.get(2).and_then(crate::instruction::constant_u64);
            let access = |write| Access { write, atomic: false, size: bytes.unwrap_or(0) };
            match (crate::instruction::range_call(callee), bytes) {
                (Some(RangeKind::Fill), Some(_)) => {
                    (Accesses::Plain(vec![access(true)]), vec![call.args[0].clone()])
                }
                (Some(RangeKind::Copy), Some(_)) => {
                    (Accesses::Plain(vec![access(true), access(false)]), call.args[..2].to_vec())
                }
                _ if name.starts_with(ATOMIC) => (Accesses::Atomic, Vec::new()),
                _ if SYNCHRONIZE.iter().any(|prefix| name.starts_with(prefix)) => {
                    (Accesses::None, Vec::new())
                }
                _ => (Accesses::Library, Vec::new()),
            }
        }
        _ => (Accesses::None, Vec::new()),
    }
}

/// Whether it is a call of a function that is one step.
fn is_atomic(module: &Module, inst: &Inst) -> bool {
    match &inst.kind {
        InstKind::Call(call) => callee(module, call)
            .is_some_and(|(_, f)| f.name.starts_with(ATOMIC) && !is_model(f) && !f.is_declaration()),
        _ => false,
    }
}

/// For each access and call of the program, the number of these before it in its function.
pub(crate) type Ordinals = FxHashMap<(FnId, InstId), u32>;

/// Counts the accesses and calls of the program as it was read: every reader of the same module counts alike.
pub(crate) fn ordinals(module: &Module) -> Ordinals {
    let counts = |kind: &InstKind| {
        use InstKind::*;
        matches!(kind, Load { .. } | Store { .. } | AtomicRmw { .. } | CmpXchg { .. } | Call(_))
    };
    let mut found = Ordinals::default();
    for (id, function) in module.functions.iter() {
        let all = function.blocks.values().flat_map(|block| block.insts.iter().copied());
        let counted = all.filter(|inst| counts(&function.insts[*inst].kind));
        found.extend(counted.zip(0..).map(|(inst, ordinal)| ((id, inst), ordinal)));
    }
    found
}

fn insert(function: &mut Function, at: InstId, before: Vec<Inst>, behind: Vec<Inst>) {
    let before: Vec<InstId> = before.into_iter().map(|inst| function.insts.push(inst)).collect();
    let behind: Vec<InstId> = behind.into_iter().map(|inst| function.insts.push(inst)).collect();
    for block in function.blocks.values_mut() {
        if let Some(index) = block.insts.iter().position(|inst| *inst == at) {
            block.insts.splice(index + 1..index + 1, behind);
            block.insts.splice(index..index, before);
            return;
        }
    }
}
