//! Variables of a frame whose address stays in its function.

use super::build::CREATE;
use crate::instruction::{callee, is_hint, operands};
use beeline_module::*;
use rustc_hash::FxHashSet;

/// The variable of the frame that an address lies in, if the address is computed directly from it.
pub(super) fn own_alloca(function: &Function, addr: &Operand) -> Option<InstId> {
    let mut addr = addr;
    loop {
        let Operand::Inst(inst) = addr else { return None };
        match &function.insts[*inst].kind {
            InstKind::Alloca { .. } => return Some(*inst),
            InstKind::Gep { base, .. } => addr = base,
            _ => return None,
        }
    }
}

/// The variables of the frame whose address is used for more than to read and write them.
pub(super) fn escaping(module: &Module, function: &Function) -> FxHashSet<InstId> {
    let mut found = FxHashSet::default();
    for inst in function.insts.values() {
        let given: Vec<&Operand> = match &inst.kind {
            InstKind::Load { .. } | InstKind::Gep { .. } => Vec::new(),
            InstKind::Store { value, .. } | InstKind::AtomicRmw { value, .. } => vec![value],
            InstKind::CmpXchg { expected, new, .. } => vec![expected, new],
            InstKind::Call(call) => match callee(module, call) {
                Some((_, hint)) if is_hint(&hint.name) => Vec::new(),
                // The handle of a thread is written, and its address is not kept.
                Some((_, create)) if CREATE.contains(&create.name.as_str()) => {
                    call.args.iter().skip(1).collect()
                }
                _ => operands(&inst.kind),
            },
            kind => operands(kind),
        };
        found.extend(given.into_iter().filter_map(|operand| own_alloca(function, operand)));
    }
    found
}
