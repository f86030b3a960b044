//! Loops that may not end: other threads run in between their iterations.

use super::escape::{escaping, own_alloca};
use crate::analyse::cfg::{Cfg, successors, terminator};
use beeline_module::*;
use rustc_hash::FxHashSet;

/// For each loop that is not seen to end, a scheduling point in its head: the first access or call of that block, or
/// its last instruction.
pub(super) fn loop_heads(function: &Function, escaping: &FxHashSet<InstId>) -> FxHashSet<InstId> {
    let cfg = Cfg::new(function);
    let position = |block: BlockId| cfg.order.iter().position(|known| *known == block);
    let mut found = FxHashSet::default();
    for (latch, _) in function.blocks.iter() {
        let Some(from) = position(latch) else { continue };
        for head in terminator(function, latch).map(successors).unwrap_or_default() {
            // An edge to a block that is not later in this order leads back.
            if position(head).is_some_and(|to| to <= from) && !counts(function, escaping, head, latch) {
                let insts = &function.blocks[head].insts;
                let is_counted = |inst: &&InstId| {
                    use InstKind::*;
                    let kind = &function.insts[**inst].kind;
                    matches!(kind, Load { .. } | Store { .. } | AtomicRmw { .. } | CmpXchg { .. } | Call(_))
                };
                found.extend(insts.iter().find(is_counted).or(insts.last()).copied());
            }
        }
    }
    found
}

/// The most executions of a block in loops that count from zero or more up to a constant, as far as the code shows it.
pub(super) fn turns(function: &Function, block: BlockId) -> Option<u32> {
    let escaping = escaping(function);
    let mut product: u64 = 1;
    for (latch, _) in function.blocks.iter() {
        for head in terminator(function, latch).map(successors).unwrap_or_default() {
            if head > latch || !inside(function, head, latch).contains(&block) {
                continue;
            }
            if !counts(function, &escaping, head, latch) {
                return None;
            }
            let Some(InstKind::CondBr(Operand::Inst(cond), ..)) = terminator(function, head) else {
                return None;
            };
            let InstKind::IntCompare(predicate, _, bound) = &function.insts[*cond].kind else { return None };
            let bound = crate::instruction::constant_u64(bound)?;
            let more = matches!(predicate, IntPredicate::Sle | IntPredicate::Ule);
            product = product.checked_mul(bound + u64::from(more))?;
        }
    }
    u32::try_from(product).ok()
}

/// Whether a loop counts a variable of its own up or down to a constant.
fn counts(function: &Function, escaping: &FxHashSet<InstId>, head: BlockId, latch: BlockId) -> bool {
    let insts = &function.insts;
    let variable = |operand: &Operand| {
        let Operand::Inst(load) = operand else { return None };
        let InstKind::Load { addr: Operand::Inst(alloca), .. } = &insts[*load].kind else { return None };
        let is_own = own_alloca(function, &Operand::Inst(*alloca)) == Some(*alloca);
        (is_own && !escaping.contains(alloca)).then_some(*alloca)
    };
    let Some(InstKind::CondBr(Operand::Inst(cond), ..)) = terminator(function, head) else { return false };
    let InstKind::IntCompare(predicate, left, Operand::Const(_, Const::Int(_))) = &insts[*cond].kind else {
        return false;
    };
    let Some(counter) = variable(left) else { return false };
    use IntPredicate::*;
    let up = matches!(predicate, Slt | Sle | Ult | Ule);
    if !up && !matches!(predicate, Sgt | Sge | Ugt | Uge) {
        return false;
    }
    // The step stands in the block that leads back; nothing else in the function sets the variable except before the
    // loop.
    let steps = |inst: &InstId| match &insts[*inst].kind {
        InstKind::Store { addr: Operand::Inst(alloca), value: Operand::Inst(sum) } if *alloca == counter => {
            match &insts[*sum].kind {
                InstKind::Binary(BinaryOp::Add, a, Operand::Const(_, Const::Int(by)))
                    if variable(a) == Some(counter) =>
                {
                    let negative = by.extract(by.width() - 1, by.width() - 1).is_ones();
                    !by.is_zero() && negative != up
                }
                _ => false,
            }
        }
        _ => false,
    };
    let sets = |inst: &InstId| matches!(&insts[*inst].kind, InstKind::Store { addr: Operand::Inst(alloca), .. } if *alloca == counter);
    let stepping = function.blocks[latch].insts.iter().filter(|inst| steps(inst)).count();
    let inside = inside(function, head, latch);
    let setting =
        inside.iter().flat_map(|block| &function.blocks[*block].insts).filter(|inst| sets(inst)).count();
    stepping == 1 && setting == 1
}

/// The blocks of a loop.
fn inside(function: &Function, head: BlockId, latch: BlockId) -> FxHashSet<BlockId> {
    let mut found: FxHashSet<BlockId> = [head, latch].into_iter().collect();
    loop {
        let before = found.len();
        for (block, _) in function.blocks.iter() {
            let leads_there = terminator(function, block).map(successors).unwrap_or_default();
            if block != head && leads_there.iter().any(|next| *next != head && found.contains(next)) {
                found.insert(block);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}
