//! The table of predicates and their expressions in a file.

use crate::state::precision::{PredId, Predicates};
use beeline_ir::walk::PostOrder;
use beeline_ir::{Expr, ExprId};
use beeline_run::RunExpr;
use rustc_hash::FxHashMap;

/// A table under construction. It contains only predicates that were requested.
pub(crate) struct Table<'a> {
    predicates: &'a Predicates,
    /// The expressions. Operands come before the expressions that use them.
    pub exprs: Vec<RunExpr>,
    /// The predicates, each as the index of an expression.
    pub preds: Vec<u32>,
    expr_ids: FxHashMap<ExprId, u32>,
    pred_ids: FxHashMap<PredId, u32>,
}

impl<'a> Table<'a> {
    /// The empty table.
    pub(crate) fn new(predicates: &'a Predicates) -> Table<'a> {
        Table {
            predicates,
            exprs: Vec::new(),
            preds: Vec::new(),
            expr_ids: FxHashMap::default(),
            pred_ids: FxHashMap::default(),
        }
    }

    /// The index of a predicate.
    pub(crate) fn pred(&mut self, pred: PredId) -> u32 {
        if let Some(&id) = self.pred_ids.get(&pred) {
            return id;
        }
        let expr = self.expr(self.predicates.expr(pred));
        self.preds.push(expr);
        let id = self.preds.len() as u32 - 1;
        self.pred_ids.insert(pred, id);
        id
    }

    fn expr(&mut self, root: ExprId) -> u32 {
        let mut walk = PostOrder::new(root);
        while let Some(id) = walk.next(&self.predicates.pool, |id| self.expr_ids.contains_key(&id)) {
            let expr = self.shallow(id);
            self.expr_ids.insert(id, self.exprs.len() as u32);
            self.exprs.push(expr);
        }
        self.expr_ids[&root]
    }

    /// The entry of an expression whose operands are in the table.
    fn shallow(&self, id: ExprId) -> RunExpr {
        let pool = &self.predicates.pool;
        let at = |operand: ExprId| self.expr_ids[&operand];
        match pool[id] {
            Expr::Const(value) => RunExpr::Value(pool.value(value).clone()),
            Expr::Var(var) => {
                let slot = self.predicates.slot(var);
                RunExpr::Var(slot.var, slot.level)
            }
            Expr::Load { region, addr, ty } => RunExpr::Load(region, at(addr), ty),
            Expr::Ite(c, a, b) => RunExpr::Ite(at(c), at(a), at(b)),
            Expr::Fma(a, b, c) => RunExpr::Fma(at(a), at(b), at(c)),
            Expr::Extract { hi, lo, arg } => RunExpr::Extract(hi, lo, at(arg)),
            Expr::Unary(op, a) => RunExpr::Unary(op, at(a)),
            Expr::Binary(op, a, b) => RunExpr::Binary(op, at(a), at(b)),
            Expr::Cast(op, ty, a) => RunExpr::Cast(op, ty, at(a)),
        }
    }
}
