//! Inputs with which an execution takes another edge at one of its branches: the solver is asked for values that fulfil the
//! other edge's condition, and of the conditions before it those that share inputs with it, directly or not.

use super::shadow::Conditions;
use beeline_ir::walk::PostOrder;
use beeline_ir::{EdgeId, Expr, ExprId, ExprPool, Program, RegionId, Value, VarId};
use beeline_smt::solver::{decide_once, is_larger_than};
use beeline_smt::{Answer, Encoder, Memory, QueryLimits, Term, Unsupported, Valuation};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The greatest number of terms that the solver is asked about: larger questions take more than their ticks.
const MOST_TERMS: u64 = 30_000;

/// Which conditions of an execution depend on which inputs.
#[derive(Debug)]
pub(super) struct Dependences {
    /// For each branch, the inputs that its condition depends on.
    inputs: Vec<Arc<[u32]>>,
    /// For each input, the branches whose conditions depend on it, in order.
    branches: FxHashMap<u32, Vec<usize>>,
}

impl Dependences {
    pub(super) fn of(conditions: &Conditions) -> Dependences {
        let mut known = FxHashMap::default();
        let holds = conditions.branches.iter().map(|branch| branch.holds);
        let inputs: Vec<Arc<[u32]>> =
            holds.map(|holds| inputs(&conditions.pool, holds, &mut known)).collect();
        let mut branches: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
        for (branch, inputs) in inputs.iter().enumerate() {
            inputs.iter().for_each(|&input| branches.entry(input).or_default().push(branch));
        }
        Dependences { inputs, branches }
    }

    /// The branches before one whose conditions share inputs with a term that depends on some, directly or not, in order.
    fn related(&self, inputs: &[u32], before: usize) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        let mut met: FxHashSet<u32> = inputs.iter().copied().collect();
        let mut open: Vec<u32> = inputs.to_vec();
        while let Some(input) = open.pop() {
            let its = self.branches.get(&input).into_iter().flatten();
            for &branch in its.take_while(|&&branch| branch < before) {
                if found.insert(branch) {
                    open.extend(self.inputs[branch].iter().filter(|&&input| met.insert(input)));
                }
            }
        }
        found
    }
}

/// The numbers of the inputs that a term depends on, in order. What is known of parts is kept.
fn inputs(pool: &ExprPool, root: ExprId, known: &mut FxHashMap<ExprId, Arc<[u32]>>) -> Arc<[u32]> {
    let mut walk = PostOrder::new(root);
    while let Some(id) = walk.next(pool, |id| known.contains_key(&id)) {
        let list = match pool[id] {
            Expr::Var(var) => Arc::from([var.as_u32()]),
            node => joined(node, known),
        };
        known.insert(id, list);
    }
    Arc::clone(&known[&root])
}

/// The inputs of the operands of a node.
fn joined(node: Expr, known: &FxHashMap<ExprId, Arc<[u32]>>) -> Arc<[u32]> {
    let mut lists = node.operands().map(|operand| &known[&operand]).filter(|list| !list.is_empty());
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

/// The term that has to hold so that an execution takes an edge at a branch, as far as that depends on the same inputs.
pub(super) fn question(
    conditions: &mut Conditions,
    dependences: &Dependences,
    branch: usize,
    edge: EdgeId,
) -> Option<ExprId> {
    let Conditions { pool, branches, .. } = conditions;
    let &(_, goal) = branches[branch].others.iter().find(|(other, _)| *other == edge)?;
    let related = dependences.related(&inputs(pool, goal, &mut FxHashMap::default()), branch);
    // In the order of the execution, so that questions share how they begin.
    let conditions = related.into_iter().map(|branch| branches[branch].holds).chain([goal]);
    conditions.reduce(|all, condition| pool.and(all, condition))
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
