//! Candidates for invariants of a loop: how its variables relate to what they held where it was entered.
//!
//! Each holds where the loop is entered. A variable only grows or only shrinks, unsigned or signed; two variables, each of
//! which the loop changes by a constant, change in step; or the sides of a comparison in the loop are in order, unless its
//! variables have not changed yet.

use crate::control::place::Slot;
use crate::state::precision::{PredId, Predicates};
use beeline_ir::{
    BinOp, Bits, CastOp, Expr, ExprId, ExprPool, FuncId, LocId, Op, Program, Type, Value, VarId,
};
use beeline_run::AT_ENTRY;
use std::collections::BTreeSet;

/// The greatest number of candidates of a loop.
const MOST: usize = 60;
/// The greatest number of variables among which pairs are in step.
const MOST_IN_STEP: usize = 5;

/// The candidates for a loop: its head and what an iteration may write and is read later, and which locations are in it.
pub(super) fn candidates(
    program: &Program,
    predicates: &mut Predicates,
    (head, written): (LocId, &BTreeSet<VarId>),
    is_inside: impl Fn(LocId) -> bool,
) -> Vec<PredId> {
    let func = program.function_of(head);
    let mut finder = Finder { program, func, written, predicates, found: Vec::new() };
    for &var in written {
        finder.bounds(var);
    }
    let mut steps: Vec<(VarId, Bits)> = Vec::new();
    for edge in program.edges.values().filter(|edge| is_inside(edge.src)) {
        match &edge.op {
            Op::Assume(cond, _) => finder.orders(*cond),
            Op::Assign(assignments) => {
                let found =
                    assignments.iter().filter_map(|&(var, value)| Some((var, finder.step(var, value)?)));
                steps.extend(found);
            }
            _ => {}
        }
    }
    steps.sort_by_key(|(var, _)| *var);
    steps.dedup_by_key(|(var, _)| *var);
    steps.truncate(MOST_IN_STEP);
    for (number, step) in steps.iter().enumerate() {
        steps[..number].iter().for_each(|other| finder.in_step(other, step));
    }
    finder.found
}

/// The constant that a sum adds to a variable.
pub(super) fn added(exprs: &ExprPool, var: VarId, sum: Expr) -> Option<Bits> {
    let is_var = |side: ExprId| exprs[side] == Expr::Var(var);
    let constant = |side: ExprId| exprs.as_bits(side).cloned();
    match sum {
        Expr::Binary(BinOp::Add, a, b) if is_var(a) => constant(b),
        Expr::Binary(BinOp::Add, a, b) if is_var(b) => constant(a),
        Expr::Binary(BinOp::Sub, a, b) if is_var(a) => Some(constant(b)?.neg()),
        _ => None,
    }
}

/// The search for candidates of a loop.
struct Finder<'a> {
    program: &'a Program,
    /// The function of the loop.
    func: FuncId,
    /// The variables that an iteration may write, as far as they are read later.
    written: &'a BTreeSet<VarId>,
    predicates: &'a mut Predicates,
    found: Vec<PredId>,
}

impl Finder<'_> {
    /// That a variable never gets less, or greater, than where the loop was entered.
    fn bounds(&mut self, var: VarId) {
        if !matches!(self.program.vars[var].ty, Type::Bv(_)) {
            return;
        }
        let (now, then) = self.now_and_then(var);
        for op in [BinOp::Ule, BinOp::Sle] {
            for (a, b) in [(then, now), (now, then)] {
                let bound = self.predicates.pool.binary(op, a, b);
                self.add(bound);
            }
        }
    }

    /// The constant that an assignment adds to a variable, if it does: as `x + 1`, or as one case of `c ? x + 1 : y`.
    fn step(&self, var: VarId, value: ExprId) -> Option<Bits> {
        if !self.written.contains(&var) {
            return None;
        }
        let exprs = &self.program.exprs;
        exprs.parts([value]).find_map(|(_, node)| added(exprs, var, node))
    }

    /// That two variables have changed in proportion to their steps, the narrower one as a signed number.
    fn in_step(&mut self, one: &(VarId, Bits), other: &(VarId, Bits)) {
        let ((narrow, by), (wide, wide_by)) =
            if one.1.width() <= other.1.width() { (one, other) } else { (other, one) };
        let to = Type::Bv(wide_by.width());
        let [change, wide_change] = [*narrow, *wide].map(|var| {
            let (now, then) = self.now_and_then(var);
            self.predicates.pool.binary(BinOp::Sub, now, then)
        });
        let pool = &mut self.predicates.pool;
        let change = if by.width() == wide_by.width() { change } else { pool.cast(CastOp::SExt, to, change) };
        let [by, wide_by] =
            [by.sext(wide_by.width()), wide_by.clone()].map(|by| pool.constant(Value::Bv(by)));
        let change = pool.binary(BinOp::Mul, change, wide_by);
        let wide_change = pool.binary(BinOp::Mul, wide_change, by);
        let in_step = pool.binary(BinOp::Eq, change, wide_change);
        self.add(in_step);
    }

    /// The values of a variable now and where the loop was entered.
    fn now_and_then(&mut self, var: VarId) -> (ExprId, ExprId) {
        let mut at = |level| self.predicates.slot_expr(self.program, Slot { var, level });
        (at(0), at(AT_ENTRY))
    }

    /// That the sides of each comparison in a condition keep an order, once a variable of it has changed.
    fn orders(&mut self, cond: ExprId) {
        let exprs = &self.program.exprs;
        let compared: Vec<(BinOp, ExprId, ExprId)> = exprs
            .parts([cond])
            .filter_map(|(_, node)| match node {
                Expr::Binary(op @ (BinOp::Ult | BinOp::Ule | BinOp::Slt | BinOp::Sle | BinOp::Eq), a, b) => {
                    Some((op, a, b))
                }
                _ => None,
            })
            .collect();
        for (op, a, b) in compared {
            let changed = matches!(exprs.ty(a), Type::Bv(_)).then(|| self.changed(a, b)).flatten();
            if let Some(changed) = changed {
                self.order(op, a, b, &changed);
            }
        }
    }

    /// The variables of a comparison that an iteration may write; `None` if there are none, or if it is not of variables
    /// that can be seen at the head alone.
    fn changed(&self, a: ExprId, b: ExprId) -> Option<BTreeSet<VarId>> {
        let mut changed = BTreeSet::new();
        for (_, node) in self.program.exprs.parts([a, b]) {
            match node {
                Expr::Load { .. } => return None,
                Expr::Var(var) if self.program.vars[var].owner.is_some_and(|owner| owner != self.func) => {
                    return None;
                }
                Expr::Var(var) => changed.extend(self.written.contains(&var).then_some(var)),
                _ => {}
            }
        }
        (!changed.is_empty()).then_some(changed)
    }

    fn order(&mut self, op: BinOp, a: ExprId, b: ExprId, changed: &BTreeSet<VarId>) {
        let now = |var| Slot { var, level: 0 };
        let [a, b] = [a, b].map(|side| self.predicates.import_as(self.program, side, now));
        let mut unchanged = self.predicates.pool.constant(Value::Bool(true));
        for &var in changed {
            let (now, then) = self.now_and_then(var);
            let same = self.predicates.pool.binary(BinOp::Eq, now, then);
            unchanged = self.predicates.pool.binary(BinOp::BoolAnd, unchanged, same);
        }
        let orders: &[BinOp] = match op {
            BinOp::Ult | BinOp::Ule => &[BinOp::Ule],
            BinOp::Slt | BinOp::Sle => &[BinOp::Sle],
            _ => &[BinOp::Ule, BinOp::Sle],
        };
        for &op in orders {
            for (a, b) in [(a, b), (b, a)] {
                let order = self.predicates.pool.binary(op, a, b);
                let either = self.predicates.pool.binary(BinOp::BoolOr, unchanged, order);
                self.add(either);
            }
        }
    }

    fn add(&mut self, expr: ExprId) {
        if self.found.len() == MOST || self.predicates.pool.as_const(expr).is_some() {
            return;
        }
        let pred = self.predicates.add(expr);
        if !self.found.contains(&pred) {
            self.found.push(pred);
        }
    }
}
