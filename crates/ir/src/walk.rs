//! Walks over expressions: the parts of an expression, operands before their users, copies in another pool.
//!
//! Expressions share parts, and may be nested deeper than a stack is: every walk here visits a shared part once and
//! keeps a stack of its own.
//!
//! ```
//! use beeline_ir::{BinOp, Expr, ExprPool, Type, VarId, walk::PostOrder};
//! let mut pool = ExprPool::default();
//! let x = pool.var(VarId::from_u32(0), Type::Bv(8));
//! let square = pool.binary(BinOp::Mul, x, x);
//! let sum = pool.add(square, x);
//! assert_eq!(pool.parts([sum]).filter(|(_, node)| matches!(node, Expr::Var(_))).count(), 1);
//! // Heights, from the leaves up.
//! let mut heights = std::collections::HashMap::new();
//! let mut walk = PostOrder::new(sum);
//! while let Some(id) = walk.next(&pool, |id| heights.contains_key(&id)) {
//!     let height = pool[id].operands().map(|operand| heights[&operand] + 1).max();
//!     heights.insert(id, height.unwrap_or(0));
//! }
//! assert_eq!(heights[&sum], 2);
//! ```

use crate::expr::{Expr, ExprId, ExprPool, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// A walk that visits operands, first to last, before the node that uses them.
///
/// It skips nodes that the caller knows already. The caller must know a visited node before it asks for the next one:
/// the caller's results are the only record of visited nodes.
#[derive(Debug, Clone)]
pub struct PostOrder {
    /// Nodes to visit, and whether their operands were pushed.
    stack: SmallVec<[(ExprId, bool); 8]>,
}

impl PostOrder {
    /// A walk over the parts of an expression.
    pub fn new(root: ExprId) -> PostOrder {
        PostOrder { stack: SmallVec::from_slice(&[(root, false)]) }
    }

    /// The next node, whose operands are known.
    pub fn next(&mut self, pool: &ExprPool, known: impl Fn(ExprId) -> bool) -> Option<ExprId> {
        while let Some((id, operands_known)) = self.stack.pop() {
            if known(id) {
                continue;
            }
            if operands_known {
                return Some(id);
            }
            self.stack.push((id, true));
            let from = self.stack.len();
            self.stack.extend(pool[id].operands().map(|operand| (operand, false)));
            self.stack[from..].reverse();
        }
        None
    }
}

/// The nodes that are parts of some expressions: see [`ExprPool::parts`].
#[derive(Debug)]
pub struct Parts<'a> {
    pool: &'a ExprPool,
    stack: Vec<ExprId>,
    seen: FxHashSet<ExprId>,
}

impl Iterator for Parts<'_> {
    type Item = (ExprId, Expr);

    fn next(&mut self) -> Option<(ExprId, Expr)> {
        while let Some(id) = self.stack.pop() {
            if self.seen.insert(id) {
                let node = self.pool[id];
                self.stack.extend(node.operands());
                return Some((id, node));
            }
        }
        None
    }
}

impl ExprPool {
    /// The parts of expressions, including themselves, each once. No node comes before the one through which it was
    /// found.
    pub fn parts(&self, roots: impl IntoIterator<Item = ExprId>) -> Parts<'_> {
        Parts { pool: self, stack: roots.into_iter().collect(), seen: FxHashSet::default() }
    }

    /// The number of uses as an operand of each part of some expressions; each root counts as one more use.
    pub fn uses(&self, roots: &[ExprId]) -> FxHashMap<ExprId, u32> {
        let operands = self.parts(roots.iter().copied()).flat_map(|(_, node)| node.operands());
        let mut uses = FxHashMap::default();
        for id in operands.chain(roots.iter().copied()) {
            *uses.entry(id).or_default() += 1;
        }
        uses
    }

    /// Copies an expression of another pool over the same regions; `var` makes the expression for a variable, in the
    /// type that the variable had. What can be folded is folded.
    pub fn import(
        &mut self,
        from: &ExprPool,
        root: ExprId,
        mut var: impl FnMut(&mut ExprPool, VarId) -> ExprId,
    ) -> ExprId {
        let mut copies: FxHashMap<ExprId, ExprId> = FxHashMap::default();
        let mut walk = PostOrder::new(root);
        while let Some(id) = walk.next(from, |id| copies.contains_key(&id)) {
            let copy = match from[id] {
                Expr::Const(value) => self.constant(from.value(value).clone()),
                Expr::Var(variable) => var(self, variable),
                node => self.folded(node.map_operands(|operand| copies[&operand]), from.ty(id)),
            };
            copies.insert(id, copy);
        }
        copies[&root]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operator::BinOp;
    use crate::types::Type;
    use cranelift_entity::EntityRef;

    fn var(pool: &mut ExprPool, index: usize) -> ExprId {
        pool.var(VarId::new(index), Type::Bv(8))
    }

    /// `x * y + (x * y - x)`, and its parts in the order of their first use.
    fn example(pool: &mut ExprPool) -> (ExprId, [ExprId; 5]) {
        let (x, y) = (var(pool, 0), var(pool, 1));
        let product = pool.binary(BinOp::Mul, x, y);
        let difference = pool.sub(product, x);
        let sum = pool.add(product, difference);
        (sum, [x, y, product, difference, sum])
    }

    #[test]
    fn operands_come_first_and_what_is_shared_comes_once() {
        let mut pool = ExprPool::default();
        let (root, expected) = example(&mut pool);
        let mut order = Vec::new();
        let mut walk = PostOrder::new(root);
        while let Some(id) = walk.next(&pool, |id| order.contains(&id)) {
            order.push(id);
        }
        assert_eq!(order, expected);
        let mut parts: Vec<ExprId> = pool.parts([root, root]).map(|(id, _)| id).collect();
        assert_eq!(parts[0], root);
        parts.sort_unstable();
        assert_eq!(parts, expected);
        let uses = pool.uses(&[root, expected[0]]);
        assert_eq!(expected.map(|id| uses[&id]), [3, 1, 2, 1, 1]);
    }

    #[test]
    fn copies_have_other_variables_and_are_folded() {
        let mut from = ExprPool::default();
        let (root, _) = example(&mut from);
        let mut pool = ExprPool::default();
        let (x, y) = (var(&mut pool, 7), var(&mut pool, 3));
        let copy = pool.import(&from, root, |_, id| if id.index() == 0 { x } else { y });
        let product = pool.binary(BinOp::Mul, x, y);
        let difference = pool.sub(product, x);
        assert_eq!(copy, pool.add(product, difference));
        let zero = pool.bv(8, 0);
        assert_eq!(pool.import(&from, root, |_, _| zero), zero);
    }
}
