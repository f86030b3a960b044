//! The control flow of an LLVM function: which blocks are reachable, and which branches decide loops.

use crate::llvm::{BlockId, Function, InstKind};
use cranelift_entity::{EntityRef, SecondaryMap};
use rustc_hash::FxHashSet;

/// Facts about the blocks of a function.
#[derive(Debug, Clone)]
pub struct Cfg {
    /// Reachable blocks in reverse post-order.
    pub order: Vec<BlockId>,
    /// The blocks of each loop.
    loops: Vec<FxHashSet<BlockId>>,
}

/// Where control may go from a terminator.
pub fn successors(kind: &InstKind) -> Vec<BlockId> {
    match kind {
        InstKind::Br(to) => vec![*to],
        InstKind::CondBr(_, then, otherwise) => vec![*then, *otherwise],
        InstKind::Switch { default, cases, .. } => {
            std::iter::once(*default).chain(cases.iter().map(|case| case.1)).collect()
        }
        InstKind::IndirectBr { targets, .. } => targets.clone(),
        _ => Vec::new(),
    }
}

/// The terminator of a block.
pub fn terminator(function: &Function, block: BlockId) -> Option<&InstKind> {
    let last = function.blocks[block].insts.last()?;
    Some(&function.insts[*last].kind)
}

impl Cfg {
    /// Looks at a function that has a body.
    pub fn new(function: &Function) -> Cfg {
        let entry = BlockId::new(0);
        let next = |block| terminator(function, block).map(successors).unwrap_or_default();
        let mut order = Vec::new();
        let mut preds: SecondaryMap<BlockId, Vec<BlockId>> = SecondaryMap::new();
        // 1: on the stack, 2: finished.
        let mut state: SecondaryMap<BlockId, u8> = SecondaryMap::new();
        let mut back = Vec::new();
        let mut stack = vec![(entry, next(entry), 0)];
        state[entry] = 1;
        while let Some((block, successors, index)) = stack.last_mut() {
            let block = *block;
            if let Some(&to) = successors.get(*index) {
                *index += 1;
                preds[to].push(block);
                match state[to] {
                    0 => {
                        state[to] = 1;
                        stack.push((to, next(to), 0));
                    }
                    1 => back.push((block, to)),
                    _ => {}
                }
            } else {
                state[block] = 2;
                order.push(block);
                stack.pop();
            }
        }
        order.reverse();
        let loops =
            back.into_iter().filter_map(|(from, head)| natural_loop(from, head, entry, &preds)).collect();
        Cfg { order, loops }
    }

    /// Does a branch at the block with these successors decide whether a loop goes on?
    pub fn decides_loop(&self, block: BlockId, successors: &[BlockId]) -> bool {
        self.loops.iter().any(|body| {
            body.contains(&block)
                && successors.iter().any(|to| body.contains(to))
                && successors.iter().any(|to| !body.contains(to))
        })
    }
}

/// The blocks from a loop's head to the edge back to it, unless the loop has another entrance.
fn natural_loop(
    from: BlockId,
    head: BlockId,
    entry: BlockId,
    preds: &SecondaryMap<BlockId, Vec<BlockId>>,
) -> Option<FxHashSet<BlockId>> {
    let mut body: FxHashSet<BlockId> = [head].into_iter().collect();
    let mut stack = vec![from];
    while let Some(block) = stack.pop() {
        if body.insert(block) {
            if block == entry {
                return None;
            }
            stack.extend(preds[block].iter().copied());
        }
    }
    Some(body)
}
