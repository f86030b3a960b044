//! The check of popped calls. Another state, with other open calls, describes what happens inside of such a
//! call.

use crate::checker::{Checker, Question, Stop};
use crate::execute::{Below, Depth, Executor, SeenFrom};
use crate::outcome::Fault;
use crate::place::{Place, Slot};
use crate::truth::Truth;
use beeline_ir::Value;
use beeline_run::RunKey;
use beeline_smt::{Answer, Model, Query};

/// The greatest number of valuations that are tried for the calls below the covering state.
const MOST_WITNESSES: usize = 16;

impl Checker<'_> {
    /// Checks that the covering state includes a state as far as the topmost call sees both, and that the
    /// children after the call include all states in which the call may return.
    pub(crate) fn popped(&self, index: usize, covering: usize, depth: Depth) -> Result<(), Stop> {
        let place = self.places[index];
        let wrong = |reason: &str| {
            let reason = format!("state {index} is covered by state {covering}, {reason}");
            Err(Stop::Fault(Box::new(Fault::of_state(self.program, index, place, reason))))
        };
        let (frame, other) = (self.stacks.top(place.stack), self.stacks.top(self.places[covering].stack));
        if place.loc != self.places[covering].loc || self.stacks.are_contexts() {
            return wrong("which is elsewhere");
        }
        if self.of_whole_stacks {
            return wrong("which is elsewhere, and a proof after earlier results pops no calls");
        }
        debug_assert_eq!(frame.callee, other.callee, "a location belongs to one function");
        let Some((stack, call)) = frame.caller else {
            return wrong("which is elsewhere, and no call is open to pop");
        };
        self.inside(index, covering, depth)?;
        let behind = Place { loc: self.program.edges[call].dst, stack };
        if !self.reach.target(self.program, &self.stacks, behind) {
            return Ok(());
        }
        let is_target = self.is_target(behind.loc);
        let children = &self.descriptions.proof.states[index].children;
        let is_behind =
            |child: &u32| self.places[*child as usize] == behind && !self.is_entry(*child as usize);
        let claims: Vec<u32> =
            children.iter().copied().filter(|child| !is_target && is_behind(child)).collect();
        let mut executor = self.executor(index, depth);
        let (start, assumed) = self.begin(&mut executor, index)?;
        let after = executor.popped(start.clone(), place, behind, call)?;
        let question = Question {
            index,
            start: &start,
            assumed: &assumed,
            claims: &claims,
            block: None,
            reason: "the states after the popped call do not include all executions",
        };
        self.ask(&mut executor, question, after)
    }

    /// Checks that another state includes a state as far as the topmost call sees both. The other state may
    /// also be about the calls below: some values of theirs have to satisfy it.
    fn inside(&self, index: usize, covering: usize, depth: Depth) -> Result<(), Stop> {
        let mut executor = self.executor(index, depth);
        let (start, assumed) = self.begin(&mut executor, index)?;
        let described = &self.descriptions.proof.states[covering];
        let view = SeenFrom { from: self.places[index], to: self.places[covering] };
        let mut below = Below::new();
        for (key, value) in &described.values {
            if let (RunKey::Var(var, level), Some(value)) = (*key, value) {
                below.insert(Slot { var, level }, value.clone());
            }
        }
        let slots = self.descriptions.slots(described);
        let seen = executor.seen_from(&start, view, &slots, &below)?;
        let is_open = |slot: &&Slot| executor.is_below(view, **slot) && !below.contains_key(*slot);
        let open: Vec<Slot> = slots.iter().filter(is_open).copied().collect();
        let reason = "the covering state does not include the top of the stack";
        if open.is_empty() || depth == Depth::Values {
            let claims = &[covering as u32];
            let question = Question { index, start: &start, assumed: &assumed, claims, block: None, reason };
            return self.ask(&mut executor, question, seen);
        }
        let mut without = vec![assumed, start.guard.clone()];
        for _ in 0..MOST_WITNESSES {
            let mut any = executor.seen_from(&start, view, &slots, &below)?;
            let claimed = self.descriptions.claim(&mut executor, &mut any, described)?;
            let Some(model) = self.not_included(&executor, &without, &claimed, (index, reason))? else {
                return Ok(());
            };
            for &slot in &open {
                let value = any.vars[&slot].term().ok().and_then(|term| model.value(&term));
                let value = value.unwrap_or_else(|| Value::zero(self.program.vars[slot.var].ty));
                below.insert(slot, value);
            }
            let mut witness = executor.seen_from(&start, view, &slots, &below)?;
            let claimed = self.descriptions.claim(&mut executor, &mut witness, described)?;
            without.push(claimed.not());
            open.iter().for_each(|slot| drop(below.remove(slot)));
        }
        Err(Stop::Unchecked(format!(
            "the lower calls that state {index} is compared with have too many values"
        )))
    }

    /// An execution state that is not excluded yet, with values of the calls below that make a claim right;
    /// `None` if all are excluded.
    fn not_included(
        &self,
        executor: &Executor<'_>,
        without: &[Truth],
        claimed: &Truth,
        (index, reason): (usize, &str),
    ) -> Result<Option<Model>, Stop> {
        let query = Query::new(&self.judge.limits);
        let undecided =
            |why: String| Stop::Unchecked(format!("the solver did not decide state {index}: {why}"));
        let mut formulas = executor.facts.clone();
        for part in without {
            match part.formula() {
                Some(part) => formulas.push(self.judge.fold(&part)),
                None => return Err(undecided("a part of it is unknown".into())),
            }
        }
        formulas.iter().for_each(|formula| query.assert(formula));
        match self.judge.decide(&formulas, || query.check()) {
            Answer::Unsat => return Ok(None),
            Answer::Unknown(why) => return Err(undecided(why.to_string())),
            Answer::Sat(_) => {}
        }
        query.assert(
            &self.judge.fold(&claimed.formula().ok_or_else(|| undecided("a claim is unknown".into()))?),
        );
        match query.check() {
            Answer::Sat(model) => Ok(Some(model)),
            Answer::Unknown(why) => Err(undecided(why.to_string())),
            Answer::Unsat => {
                let reason = format!("state {index}: {reason}");
                Err(Stop::Fault(Box::new(Fault::of_state(self.program, index, self.places[index], reason))))
            }
        }
    }
}
