//! The control flow of an LLVM function: which blocks are reachable, and which branches decide loops.

use beeline_graph::{DepthFirst, components};
use beeline_module::{BlockId, Function, InstKind};
use cranelift_entity::{EntityRef, SecondaryMap};
use rustc_hash::FxHashSet;

/// Facts about the blocks of a function.
#[derive(Debug, Clone)]
pub(crate) struct Cfg {
    /// Reachable blocks in reverse post-order.
    pub order: Vec<BlockId>,
    /// The blocks of each loop.
    loops: Vec<FxHashSet<BlockId>>,
}

/// The successors of a terminator.
pub(crate) fn successors(kind: &InstKind) -> Vec<BlockId> {
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
pub(crate) fn terminator(function: &Function, block: BlockId) -> Option<&InstKind> {
    let last = function.blocks[block].insts.last()?;
    Some(&function.insts[*last].kind)
}

/// Whether control can return to a block.
pub(crate) fn is_in_cycle(function: &Function, block: BlockId) -> bool {
    let next = terminator(function, block).map(successors).unwrap_or_default();
    search(function, next).preorder.contains(&block.index())
}

/// The blocks that control can return to.
pub(crate) fn cyclic_blocks(function: &Function) -> FxHashSet<BlockId> {
    let next = |block: usize| {
        let next = terminator(function, BlockId::new(block)).map(successors).unwrap_or_default();
        next.into_iter().map(|to| to.index())
    };
    let is_cycle = |part: &Vec<usize>| part.len() > 1 || next(part[0]).any(|to| to == part[0]);
    let parts = components(function.blocks.len(), next).into_iter().filter(is_cycle);
    parts.flatten().map(BlockId::new).collect()
}

/// A depth-first search from some blocks.
fn search(function: &Function, roots: impl IntoIterator<Item = BlockId>) -> DepthFirst {
    let roots = roots.into_iter().map(|block| block.index());
    DepthFirst::new(function.blocks.len(), roots, |block| {
        let next = terminator(function, BlockId::new(block)).map(successors).unwrap_or_default();
        next.into_iter().map(|to| to.index())
    })
}

impl Cfg {
    /// Analyses a function that has a body.
    pub(crate) fn new(function: &Function) -> Cfg {
        let next = |block| terminator(function, block).map(successors).unwrap_or_default();
        let search = search(function, [BlockId::new(0)]);
        let order: Vec<BlockId> = search.reverse_post_order().map(BlockId::new).collect();
        let mut preds: SecondaryMap<BlockId, Vec<BlockId>> = SecondaryMap::new();
        for &block in &order {
            next(block).into_iter().for_each(|to| preds[to].push(block));
        }
        let back = search.retreating.iter().map(|&(from, head)| (BlockId::new(from), BlockId::new(head)));
        let loops = back.filter_map(|(from, head)| natural_loop(from, head, &preds)).collect();
        Cfg { order, loops }
    }

    /// Whether a branch at the block with these successors decides whether a loop continues.
    pub(crate) fn decides_loop(&self, block: BlockId, successors: &[BlockId]) -> bool {
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
    preds: &SecondaryMap<BlockId, Vec<BlockId>>,
) -> Option<FxHashSet<BlockId>> {
    let mut body: FxHashSet<BlockId> = [head].into_iter().collect();
    let mut stack = vec![from];
    while let Some(block) = stack.pop() {
        if body.insert(block) {
            if block.index() == 0 {
                return None;
            }
            stack.extend(preds[block].iter().copied());
        }
    }
    Some(body)
}
