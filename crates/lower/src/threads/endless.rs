//! Loops that may not end: other threads run in between their iterations.

use super::escape::{escaping, own_alloca};
use crate::analyse::cfg::{Cfg, successors, terminator};
use beeline_ir::Bits;
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
pub(super) fn turns(module: &Module, function: &Function, block: BlockId) -> Option<u32> {
    let escaping = escaping(module, function);
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

/// Whether a loop counts a variable of its own up or down to a constant, where it ends.
fn counts(function: &Function, escaping: &FxHashSet<InstId>, head: BlockId, latch: BlockId) -> bool {
    let insts = &function.insts;
    let variable = |operand: &Operand| {
        let Operand::Inst(load) = operand else { return None };
        let InstKind::Load { addr: Operand::Inst(alloca), .. } = &insts[*load].kind else { return None };
        let is_own = own_alloca(function, &Operand::Inst(*alloca)) == Some(*alloca);
        (is_own && !escaping.contains(alloca)).then_some(*alloca)
    };
    let inside = inside(function, head, latch);
    let Some(InstKind::CondBr(Operand::Inst(cond), stays, leaves)) = terminator(function, head) else {
        return false;
    };
    let InstKind::IntCompare(predicate, left, Operand::Const(_, Const::Int(bound))) = &insts[*cond].kind
    else {
        return false;
    };
    let Some(counter) = variable(left) else { return false };
    if !inside.contains(stays) || inside.contains(leaves) {
        return false;
    }
    // The step stands in the block that leads back; nothing else in the function sets the variable except before the
    // loop.
    let step = |inst: &InstId| match &insts[*inst].kind {
        InstKind::Store { addr: Operand::Inst(alloca), value: Operand::Inst(sum) } if *alloca == counter => {
            match &insts[*sum].kind {
                InstKind::Binary(BinaryOp::Add, a, Operand::Const(_, Const::Int(by))) => {
                    (variable(a) == Some(counter)).then_some(by)
                }
                _ => None,
            }
        }
        _ => None,
    };
    let sets = |inst: &InstId| match &insts[*inst].kind {
        InstKind::Store { addr, .. } | InstKind::AtomicRmw { addr, .. } | InstKind::CmpXchg { addr, .. } => {
            own_alloca(function, addr) == Some(counter)
        }
        // A function that creates a thread writes its handle.
        InstKind::Call(call) => call.args.iter().any(|given| own_alloca(function, given) == Some(counter)),
        _ => false,
    };
    let setting =
        inside.iter().flat_map(|block| &function.blocks[*block].insts).filter(|inst| sets(inst)).count();
    let mut steps = function.blocks[latch].insts.iter().filter_map(step);
    let (Some(by), None) = (steps.next(), steps.next()) else { return false };
    setting == 1 && meets(*predicate, bound, by)
}

/// Whether a counter that is compared with a bound, and moves by a number of the same width, passes the bound before it wraps around.
fn meets(predicate: IntPredicate, bound: &Bits, by: &Bits) -> bool {
    use IntPredicate::*;
    let width = bound.width();
    if width > 64 {
        return false;
    }
    let signed = matches!(predicate, Slt | Sle | Sgt | Sge);
    let number = |bits: &Bits, signed: bool| {
        let value = i128::from(bits.to_u64().unwrap_or_default());
        let is_negative = signed && bits.extract(width - 1, width - 1).is_ones();
        if is_negative { value - (1 << width) } else { value }
    };
    let (bound, by) = (number(bound, signed), number(by, true));
    let (least, most) = match signed {
        true => (-(1 << (width - 1)), (1 << (width - 1)) - 1),
        false => (0, (1 << width) - 1),
    };
    // The last value for which the loop goes on, and one step behind it.
    match predicate {
        Slt | Ult => by > 0 && bound - 1 + by <= most,
        Sle | Ule => by > 0 && bound + by <= most,
        Sgt | Ugt => by < 0 && bound + 1 + by >= least,
        Sge | Uge => by < 0 && bound + by >= least,
        _ => false,
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_that_wraps_around_before_it_meets_its_bound_does_not_count() {
        use IntPredicate::*;
        let meets = |predicate, bound: i64, by: i64| {
            let bits = |value: i64| Bits::new(8, value.cast_unsigned() & 255);
            meets(predicate, &bits(bound), &bits(by))
        };
        assert!(meets(Ult, 200, 1) && meets(Ult, 254, 2) && meets(Slt, 127, 1) && meets(Sle, 126, 1));
        assert!(!meets(Ult, 255, 2) && !meets(Ule, 255, 1) && !meets(Sle, 127, 1) && !meets(Slt, 10, -1));
        assert!(meets(Sge, 0, -1) && meets(Ugt, 0, -1) && meets(Uge, 1, -1));
        assert!(!meets(Uge, 0, -1) && !meets(Ugt, 0, -2) && !meets(Sgt, -128, -2) && !meets(Sgt, 5, 1));
        assert!(!meets(Ne, 5, 1));
    }
}
