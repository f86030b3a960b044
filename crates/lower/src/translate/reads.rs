//! Reads of an expression: what its evaluation depends on.

use beeline_ir::{BinOp, CastOp, Expr, ExprPool, RegionId, VarId};
use smallvec::SmallVec;

/// What the evaluation of an expression depends on.
#[derive(Debug, Default)]
pub(crate) struct Reads {
    pub vars: SmallVec<[VarId; 4]>,
    pub regions: SmallVec<[RegionId; 2]>,
    /// Whether its evaluation can get stuck, other than at a load.
    pub may_stick: bool,
    /// The number of nodes of the tree.
    pub size: u32,
}

impl Reads {
    /// The reads of a node, given those of its operands.
    pub(crate) fn of<'a>(exprs: &ExprPool, node: Expr, operands: impl Iterator<Item = &'a Reads>) -> Reads {
        let mut reads = Reads { size: 1, ..Reads::default() };
        for operand in operands {
            reads.size = reads.size.saturating_add(operand.size);
            reads.may_stick |= operand.may_stick;
            for &var in &operand.vars {
                if !reads.vars.contains(&var) {
                    reads.vars.push(var);
                }
            }
            for &region in &operand.regions {
                if !reads.regions.contains(&region) {
                    reads.regions.push(region);
                }
            }
        }
        match node {
            Expr::Var(var) => reads.vars.push(var),
            Expr::Load { region, .. } if !reads.regions.contains(&region) => reads.regions.push(region),
            Expr::Binary(BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem, _, divisor) => {
                reads.may_stick |= exprs.as_bits(divisor).is_none_or(|bits| bits.is_zero() || bits.is_ones());
            }
            Expr::Cast(CastOp::FToS | CastOp::FToU, ..) => reads.may_stick = true,
            _ => {}
        }
        reads
    }

    /// Whether it depends on memory or on variables that others can change.
    pub(crate) fn touches_memory(&self) -> bool {
        !self.regions.is_empty()
    }

    /// Whether it is small and reads no memory.
    pub(crate) fn is_simple(&self) -> bool {
        self.size <= 3 && self.regions.is_empty()
    }

    /// Whether its evaluation can end the execution.
    pub(crate) fn may_end(&self) -> bool {
        self.may_stick || self.touches_memory()
    }
}
