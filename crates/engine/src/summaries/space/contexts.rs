//! Entering contexts and returning from them. A call enters an existing context that includes its entry
//! state, or a new one.

use super::{Call, ContextId, Origin, Space, User};
use crate::state::abstraction::{equalities, formula};
use crate::state::arg::NodeId;
use crate::state::bdd::Bdd;
use crate::state::precision::Knowledge;
use crate::summaries::call::{Called, known_cells};
use crate::summaries::query_cache::Way;
use crate::summaries::values;
use crate::values::Values;
use beeline_ir::{EdgeId, FuncId};
use beeline_smt::Formula;
use std::sync::Arc;

impl Space<'_, '_> {
    /// Enters a context of a called function.
    pub(super) fn call(&mut self, id: NodeId, edge: EdgeId, callee: FuncId, known: &mut Knowledge) {
        let (program, entry) = (self.program, self.program.functions[callee].entry());
        if !self.matters(entry) {
            return;
        }
        let effects = self.effects(callee).clone();
        let call = values::Call { edge, callee, effects: &effects };
        let Some(passed) = call.passed(&self.transfer(known), &self.values(id)) else { return };
        let way = Way::Into(edge, callee);
        let found = self.abstraction(id, way, (entry, &passed), known, |executor, state, before, _| {
            let mut called = Called::new(executor, program, state, edge, callee)?;
            let inside = called.inside(executor, program)?;
            let reached = before.and(&inside.guard);
            Ok((inside, reached))
        });
        let Some(formula) = found else { return };
        let context = self.context_for((id, edge, callee), Arc::new(passed), formula, known);
        let user = User { node: id, call: self.nodes[id].calls.len() };
        self.nodes[id].calls.push(Call { edge, callee, context, children: Vec::new() });
        self.contexts[context].users.push(user);
        for index in 0..self.contexts[context].exits.len() {
            let exit = self.contexts[context].exits[index];
            self.come_back(user, exit, known);
        }
    }

    /// The context for a call that passes these values: an existing one, or a new one.
    fn context_for(
        &mut self,
        (id, edge, callee): (NodeId, EdgeId, FuncId),
        passed: Arc<Values>,
        formula: Bdd,
        known: &mut Knowledge,
    ) -> ContextId {
        let (mut key, mut formula) = ((callee, passed), formula);
        let mut found = self.known_context(&key, formula);
        let mut guess = None;
        if found.is_none()
            && let Some((values, less)) = self.less(callee, &key.1, known)
        {
            (key.1, formula, guess) = (values, Bdd::TRUE, Some(less));
            found = self.known_context(&key, formula);
        }
        self.statistics.calls_reused += u64::from(found.is_some());
        if let Some(context) = found {
            let call = self.behind_call(self.nodes[id].context, edge, callee);
            self.approach(context, call);
            return context;
        }
        self.count_opened(&key);
        let guess = guess.or_else(|| self.guess_of(callee, &key.1, known));
        let context = self.open_context(callee, key.1, formula, Some((id, edge)));
        self.contexts[context].guess = guess;
        context
    }

    /// An existing context with these values whose predicates include a formula.
    fn known_context(&mut self, key: &(FuncId, Arc<Values>), formula: Bdd) -> Option<ContextId> {
        let known_contexts = self.known_contexts.get(key).map_or(&[][..], Vec::as_slice);
        let (nodes, contexts, bdds) = (&self.nodes, &self.contexts, &mut self.bdds);
        let includes = |&&context: &&ContextId| bdds.implies(formula, nodes[contexts[context].entry].formula);
        known_contexts.iter().find(includes).copied()
    }

    /// Counts an opened context, by the reason why no existing one fits.
    fn count_opened(&mut self, key: &(FuncId, Arc<Values>)) {
        let statistics = &mut self.statistics;
        statistics.contexts += 1;
        let counted = match self.last_opened.insert(key.0, statistics.restarts) {
            None => return,
            Some(before) if before < statistics.restarts => &mut statistics.contexts_anew,
            Some(_) if self.known_contexts.contains_key(key) => &mut statistics.contexts_for_predicates,
            Some(_) => &mut statistics.contexts_for_values,
        };
        *counted += 1;
    }

    /// Makes the state after a call whose callee exits in a state.
    pub(super) fn come_back(&mut self, user: User, exit: NodeId, known: &Knowledge) {
        let Call { edge, callee, .. } = self.nodes[user.node].calls[user.call];
        let (program, behind) = (self.program, self.program.edges[edge].dst);
        if !self.matters(behind) {
            return;
        }
        let effects = self.effects(callee).clone();
        let (before, ended) = (self.values(user.node), &self.nodes[exit]);
        let context = self.nodes[user.node].context;
        let (described, knows) = (ended.formula, Arc::clone(&ended.values));
        let call = values::Call { edge, callee, effects: &effects };
        let mut after = call.returned(program, &known.precision.tracked, &before, &knows);
        let passed = call.passed(&self.transfer(known), &before);
        if passed.is_some_and(|passed| !self.regain((edge, &passed), exit, known, &mut after)) {
            return;
        }
        self.leave_to_guess(context, behind, &mut after);
        let way = Way::Back(edge, callee, Arc::clone(&knows), described);
        let found =
            self.abstraction(user.node, way, (behind, &after), known, |executor, state, before, bdds| {
                let mut called = Called::new(executor, program, state, edge, callee)?;
                let (mut inside, mut after) = called.returned(executor, program, edge, &effects)?;
                known_cells(executor, (&mut inside, &mut after), &effects, &knows)?;
                let known_there = equalities(executor, &mut inside, &knows)?;
                let ends = formula(executor, &mut inside, &known.predicates, bdds, described)?;
                let reached = Formula::all([before, after.guard.clone(), known_there, ends]);
                Ok((after, reached))
            });
        if let Some(formula) = found {
            let origin = Origin::Call { from: user.node, edge, callee, exit };
            let child = self.add(context, behind, (Arc::new(after), formula), origin);
            self.nodes[user.node].calls[user.call].children.push(child);
        }
    }
}
