//! Inputs with which an execution takes another edge at one of its branches: the solver is asked for values that fulfil the
//! other edge's condition, and of the conditions before it those that share inputs with it, directly or not.

use super::shadow::Conditions;
use beeline_ir::walk::PostOrder;
use beeline_ir::{EdgeId, Expr, ExprId, ExprPool, Program, RegionId, Value, VarId};
use beeline_smt::solver::{decide_once, is_larger_than};
use beeline_smt::{Answer, Encoder, Memory, QueryLimits, Term, Unsupported, Valuation};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The greatest number of terms that the solver is asked about: larger questions take more than their ticks.
const MOST_TERMS: u64 = 30_000;

/// The inputs that terms depend on.
#[derive(Debug, Default)]
pub(super) struct Dependences(FxHashMap<ExprId, Arc<[u32]>>);

impl Dependences {
    /// The numbers of the inputs that a term depends on, in order.
    fn of(&mut self, pool: &ExprPool, root: ExprId) -> Arc<[u32]> {
        let mut walk = PostOrder::new(root);
        while let Some(id) = walk.next(pool, |id| self.0.contains_key(&id)) {
            let node = pool[id];
            let list = match node {
                Expr::Var(var) => Arc::from([var.as_u32()]),
                node => self.joined(node),
            };
            self.0.insert(id, list);
        }
        Arc::clone(&self.0[&root])
    }

    fn joined(&self, node: Expr) -> Arc<[u32]> {
        let mut lists = node.operands().map(|operand| &self.0[&operand]).filter(|list| !list.is_empty());
        let Some(first) = lists.next() else { return Arc::from([]) };
        let others: Vec<&Arc<[u32]>> = lists.filter(|list| !Arc::ptr_eq(list, first)).collect();
        if others.is_empty() {
            return Arc::clone(first);
        }
        let mut all: Vec<u32> = first.to_vec();
        others.into_iter().for_each(|list| all.extend_from_slice(list));
        all.sort_unstable();
        all.dedup();
        all.into()
    }
}

/// The term that has to hold so that an execution takes an edge at a branch, as far as that depends on the same inputs.
pub(super) fn question(
    conditions: &mut Conditions,
    dependences: &mut Dependences,
    branch: usize,
    edge: EdgeId,
) -> Option<ExprId> {
    let Conditions { pool, branches, .. } = conditions;
    let &(_, goal) = branches[branch].others.iter().find(|(other, _)| *other == edge)?;
    let mut inputs: FxHashSet<u32> = dependences.of(pool, goal).iter().copied().collect();
    let mut open: Vec<ExprId> = branches[..branch].iter().map(|branch| branch.holds).collect();
    let mut all = goal;
    loop {
        let count = open.len();
        // Conditions near the branch come first: they are likelier to matter.
        for condition in std::mem::take(&mut open).into_iter().rev() {
            let its = dependences.of(pool, condition);
            if its.iter().any(|input| inputs.contains(input)) {
                inputs.extend(its.iter());
                all = pool.and(condition, all);
            } else {
                open.push(condition);
            }
        }
        open.reverse();
        if open.len() == count {
            return Some(all);
        }
    }
}

/// Values of inputs, by their numbers, with which a term holds, if the solver finds some.
pub(super) fn fulfilling(
    program: &Program,
    pool: &ExprPool,
    term: ExprId,
    limits: &QueryLimits,
) -> Option<Vec<(usize, Value)>> {
    let mut inputs = Inputs { terms: FxHashMap::default() };
    for (id, node) in pool.parts([term]) {
        if let Expr::Var(var) = node {
            inputs.terms.insert(var, Term::named(&format!("input{}", var.as_u32()), pool.ty(id)).ok()?);
        }
    }
    let formula = Encoder::new(program).with_pool(pool).holds(term, &mut inputs).ok()?;
    if is_larger_than(&formula, MOST_TERMS) {
        return None;
    }
    let Answer::Sat(model) = decide_once(&[formula], limits) else { return None };
    let value = |(var, term): (VarId, Term)| Some((var.as_u32() as usize, model.value(&term)?));
    Some(inputs.terms.into_iter().filter_map(value).collect())
}

/// The terms of inputs.
struct Inputs {
    terms: FxHashMap<VarId, Term>,
}

impl Valuation for Inputs {
    fn var(&mut self, var: VarId) -> Result<Term, Unsupported> {
        self.terms.get(&var).cloned().ok_or_else(|| Unsupported("a variable that is no input".into()))
    }

    fn region(&mut self, _: RegionId) -> Result<Memory, Unsupported> {
        Err(Unsupported("memory in a term over inputs".into()))
    }
}
