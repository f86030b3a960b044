//! Inputs with few values: where a call passes on an input and conditions leave few values of it, each value
//! is a state of its own.
//!
//! Then the contexts of the callees know values, even through many nested calls. Together these states
//! include all executions, because the solver says that there is no other value.

use super::Space;
use crate::control::block::Block;
use crate::formula::Executor;
use crate::state::abstraction::equalities;
use crate::state::arg::NodeId;
use crate::state::precision::Knowledge;
use crate::summaries::intraprocedural::now;
use crate::values::{Key, Tracked, Values, reads};
use beeline_ir::{LocId, Op, Type, Value, VarId};
use beeline_smt::{Answer, Formula, Query, Term, Unsupported};
use rustc_hash::FxHashSet;

/// The greatest number of values.
const FEW: usize = 64;
/// The greatest number of states that replace one state.
const MOST_STATES: usize = 256;

impl Space<'_, '_> {
    /// The states that replace a state at an exit of a block: one for each value that calls pass on from
    /// there.
    pub(in crate::summaries) fn split(
        &mut self,
        id: NodeId,
        (block, exit): (&Block, usize),
        after: Values,
        known: &Knowledge,
    ) -> Vec<Values> {
        let loc = block.nodes[exit].loc;
        let mut all = vec![after];
        for var in self.passed_on(loc, known) {
            let mut split = Vec::new();
            for values in &all {
                let key = Key::Var(now(var));
                if values.get(key).is_some() {
                    split.push(values.clone());
                    continue;
                }
                let Some(found) = self.each_value(id, (block, exit), values, (var, known)) else { break };
                split.extend(found.into_iter().map(|value| {
                    let mut values = values.clone();
                    values.set(key, Some(value));
                    values
                }));
            }
            if split.is_empty() || split.len() > MOST_STATES {
                self.many_values.insert((loc, var));
                break;
            }
            all = split;
        }
        all
    }

    /// The tracked variables of a non-recursive function that calls from a location pass on, without those
    /// that have many values there.
    fn passed_on(&self, loc: LocId, known: &Knowledge) -> Vec<VarId> {
        let (program, func) = (self.program, self.program.function_of(loc));
        if !self.manner.splits || self.graph.is_recursive(func) {
            return Vec::new();
        }
        let mut read = FxHashSet::default();
        for edge in program.out_edges(loc) {
            if let Op::Call(call) = &program.edges[edge].op {
                call.args.iter().for_each(|&arg| reads(program, arg, &mut read));
            }
        }
        let is_split = |var: &VarId| {
            let variable = &program.vars[*var];
            matches!(variable.ty, Type::Bv(_))
                && known.precision.tracked.contains(&Tracked::Var(*var))
                && !self.many_values.contains(&(loc, *var))
        };
        let vars = read.into_iter().filter_map(|what| match what {
            Tracked::Var(var) => Some(var),
            Tracked::Region(_) => None,
        });
        let mut vars: Vec<VarId> = vars.filter(is_split).collect();
        vars.sort_unstable();
        vars
    }

    /// All values that a variable may have at an exit of a block; `None` if there are too many, or if they
    /// are not known.
    fn each_value(
        &mut self,
        id: NodeId,
        (block, exit): (&Block, usize),
        after: &Values,
        (var, known): (VarId, &Knowledge),
    ) -> Option<Vec<Value>> {
        self.limits.query_ticks = known.care.query_ticks;
        let mut executor = Executor::new(self.program, &self.control, true);
        let (reached, term) = self.held(&mut executor, id, (block, exit), after, (var, known)).ok()?;
        let query = Query::new(&self.limits);
        executor.facts.iter().for_each(|fact| query.assert(fact));
        query.assert(&reached);
        let mut found = Vec::new();
        while found.len() <= FEW {
            match query.check() {
                Answer::Unsat => return Some(found),
                Answer::Unknown(_) => return None,
                Answer::Sat(model) => {
                    let value = model.value(&term)?;
                    query.assert(&term.same(&Term::value(&value).ok()?).not());
                    found.push(value);
                }
            }
        }
        None
    }

    /// The condition under which an execution reaches an exit of a block, and the value of a variable there.
    fn held(
        &self,
        executor: &mut Executor<'_>,
        id: NodeId,
        (block, exit): (&Block, usize),
        after: &Values,
        (var, known): (VarId, &Knowledge),
    ) -> Result<(Formula, Term), Unsupported> {
        let (state, before) = self.start(executor, id, known)?;
        let mut end = executor.block(block, state, exit)?.state;
        let values = equalities(executor, &mut end, after)?;
        let term = executor.slot(&mut end, now(var))?.term()?;
        Ok((Formula::all([before, end.guard.clone(), values]), term))
    }
}
