//! Scheduling points: a call that marks one precedes whatever other threads may see.

use super::build::Types;
use super::escape::{escaping, own_alloca};
use super::library::{Accessed, accessed};
use super::{Access, Accesses, BEFORE_RETURN, NOWHERE, Point, is_marker, marker};
use crate::formats::is_piece;
use crate::instruction::{RangeKind, callee, is_hint};
use crate::models::is_model;
use beeline_module::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// The most bytes of a read by a function without a body that are looked at: each may be a member with a place of its own.
const MOST_READ: u64 = 1024;
/// The prefix of functions of a program that are one step.
pub(super) const ATOMIC: &str = "__VERIFIER_atomic_";

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
    let reads = types.marker(module, marker::READ);
    let atomic = [marker::ATOMIC_BEGIN, marker::ATOMIC_END].map(|name| types.marker(module, name));
    let ids: Vec<FnId> = module.functions.keys().collect();
    for id in ids {
        let function = &module.functions[id];
        if function.is_declaration() || is_model(function) || is_marker(&function.name) {
            continue;
        }
        let own = escaping(module, function);
        // The first thread ends the program, and any frame its variables, which other threads may still use.
        let leaves = id == main || !own.is_empty();
        let returns = |inst: &Inst| leaves && matches!(inst.kind, InstKind::Ret(_));
        let loops = super::endless::loop_heads(function, &own);
        let (whole, inner) = calls_in_pieces(module, function);
        let is_point = |(at, inst): &(InstId, &Inst)| {
            let is_seen = || is_seen(module, function, (&own, creates), inst);
            !inner.contains(at) && (returns(inst) || loops.contains(at) || is_seen())
        };
        let found: Vec<InstId> = function.insts.iter().filter(is_point).map(|(inst, _)| inst).collect();
        for at in found {
            let function = &module.functions[id];
            let inst = &function.insts[at];
            let is_return = matches!(inst.kind, InstKind::Ret(_));
            let always = id == main && is_return;
            let elsewhere = if is_return { BEFORE_RETURN } else { NOWHERE };
            let counted = ordinals.get(&(id, at)).or_else(|| ordinals.get(&(id, *whole.get(&at)?)));
            let ordinal = counted.copied().unwrap_or(elsewhere);
            let (accesses, mut addresses) = accesses(module, function, inst);
            let mut args = vec![types.int(points.len() as u64)];
            let place = inst.place;
            let mut read = Vec::new();
            if races {
                read = read_without_body(module, (inst, &accesses), &addresses);
                addresses.resize(2, types.null(module));
                args.extend(addresses);
            }
            let mut before = vec![types.call(marker, args, place)];
            let mut behind = Vec::new();
            if is_atomic(module, inst) {
                before.push(types.call(atomic[0], Vec::new(), place));
                behind.push(types.call(atomic[1], Vec::new(), place));
            }
            let (function, loops) = (function.name.clone(), loops.contains(&at));
            points.push(Point { function, ordinal, always, loops, accesses });
            let function = &mut module.functions[id];
            let mut push = |inst: Inst| function.insts.push(inst);
            let mut before: Vec<InstId> = before.into_iter().map(&mut push).collect();
            let behind: Vec<InstId> = behind.into_iter().map(&mut push).collect();
            for (addr, size) in read {
                for offset in 0..size.min(MOST_READ) {
                    let at = push(types.behind(addr.clone(), offset, place));
                    let byte = push(types.load(Operand::Inst(at), place));
                    before.extend([at, byte, push(types.call(reads, vec![Operand::Inst(byte)], place))]);
                }
            }
            insert(function, at, before, behind);
        }
    }
    points
}

/// Calls of functions with formats, which are several calls of models: the whole call for the first of them, and the others.
fn calls_in_pieces(module: &Module, function: &Function) -> (FxHashMap<InstId, InstId>, FxHashSet<InstId>) {
    let (mut whole, mut inner) = (FxHashMap::default(), FxHashSet::default());
    let piece = |inst: &InstId| match &function.insts[*inst].kind {
        InstKind::Call(call) => {
            callee(module, call).map(|(_, callee)| callee).filter(|callee| is_piece(callee))
        }
        _ => None,
    };
    for block in function.blocks.values() {
        let mut first = None;
        for (&inst, model) in block.insts.iter().filter_map(|inst| Some((inst, piece(inst)?))) {
            match first {
                None => first = Some(inst),
                Some(_) => drop(inner.insert(inst)),
            }
            if model.name.ends_with("_end")
                && let Some(first) = first.take()
            {
                whole.insert(first, inst);
            }
        }
    }
    (whole, inner)
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
            // The handle is written before anything runs behind the call.
            Some((id, _)) if creates.contains(&id) => call.args.first().is_some_and(|handle| !own(handle)),
            Some((_, callee)) if callee.name.starts_with("llvm.lifetime.end") => {
                call.args.last().is_some_and(|variable| !own(variable))
            }
            Some((_, callee)) if is_hint(&callee.name) || is_marker(&callee.name) => false,
            Some((_, callee)) if callee.name.starts_with("llvm.") => {
                callee.name.starts_with("llvm.mem") || callee.name.ends_with("trap")
            }
            Some((_, callee)) => {
                // A structure that is a variable argument is read by the caller.
                let copies = call.byval.iter().any(Option::is_some);
                callee.is_declaration() || is_model(callee) || callee.name.starts_with(ATOMIC) || copies
            }
            // The callee may be one that waits; assembly may access what it is given.
            None => call.asm.is_none() || !call.args.is_empty(),
        },
        _ => false,
    }
}

/// The accesses of an instruction at a point, with their addresses.
fn accesses(module: &Module, function: &Function, inst: &Inst) -> (Accesses, Vec<Operand>) {
    let size = |ty: TyId| module.types[ty].store_size;
    let atomic = inst.flags.atomic;
    let one = |addr: &Operand, write: bool, size: u64| {
        (Accesses::Plain(vec![Access { write, may_fail: false, atomic, size }]), vec![addr.clone()])
    };
    let of = |operand: &Operand| crate::instruction::operand_type(module, function, operand).map_or(0, size);
    match &inst.kind {
        InstKind::Load { addr, .. } => one(addr, false, size(inst.ty)),
        InstKind::Store { addr, value } | InstKind::AtomicRmw { addr, value, .. } => {
            one(addr, true, of(value))
        }
        InstKind::CmpXchg { addr, new, .. } => {
            let access = Access { write: true, may_fail: true, atomic, size: of(new) };
            (Accesses::Plain(vec![access]), vec![addr.clone()])
        }
        InstKind::Call(call) => {
            let Some((_, callee)) = callee(module, call) else {
                return (Accesses::Library(Vec::new()), Vec::new());
            };
            if let Some((at, ty)) = call.byval.iter().enumerate().find_map(|(at, ty)| Some((at, (*ty)?))) {
                return one(&call.args[at], false, size(ty));
            }
            let name = callee.name.as_str();
            let bytes = call.args.get(2).and_then(crate::instruction::constant_u64);
            let access = |write| Access { write, may_fail: false, atomic: false, size: bytes.unwrap_or(0) };
            match (crate::instruction::range_call(callee), bytes) {
                (Some(RangeKind::Fill), Some(_)) => {
                    (Accesses::Plain(vec![access(true)]), vec![call.args[0].clone()])
                }
                (Some(RangeKind::Copy), Some(_)) => {
                    (Accesses::Plain(vec![access(true), access(false)]), call.args[..2].to_vec())
                }
                _ if name.starts_with(ATOMIC) => (Accesses::Atomic, Vec::new()),
                _ => {
                    let Accessed { surely, others } = accessed(module, call);
                    let (at, list): (Vec<usize>, Vec<Access>) = surely.into_iter().unzip();
                    let addresses = at.into_iter().filter_map(|at| call.args.get(at).cloned()).collect();
                    (if others { Accesses::Library(list) } else { Accesses::Plain(list) }, addresses)
                }
            }
        }
        _ => (Accesses::None, Vec::new()),
    }
}

/// The addresses and sizes of what a function without a body surely reads, for which the order of threads matters like for others. So
/// does the time until which a function waits, at which its model does not look.
fn read_without_body(
    module: &Module,
    (inst, accesses): (&Inst, &Accesses),
    addresses: &[Operand],
) -> Vec<(Operand, u64)> {
    let InstKind::Call(call) = &inst.kind else { return Vec::new() };
    let Some((_, function)) = callee(module, call) else { return Vec::new() };
    let list = match accesses {
        Accesses::Library(list) if function.is_declaration() => list,
        Accesses::Plain(list) if function.name.contains("timed") => list,
        _ => return Vec::new(),
    };
    let read = list.iter().zip(addresses).filter(|(access, _)| !access.write);
    read.map(|(access, addr)| (addr.clone(), access.size)).collect()
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

fn insert(function: &mut Function, at: InstId, before: Vec<InstId>, behind: Vec<InstId>) {
    for block in function.blocks.values_mut() {
        if let Some(index) = block.insts.iter().position(|inst| *inst == at) {
            block.insts.splice(index + 1..index + 1, behind);
            block.insts.splice(index..index, before);
            return;
        }
    }
}
