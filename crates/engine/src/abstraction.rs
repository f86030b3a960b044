//! Cartesian predicate abstraction of a block.

use crate::block::Block;
use crate::place::{Slot, Stacks};
use crate::precision::{Literal, PredId, Predicates};
use crate::symbolic::{Executor, SymState};
use crate::values::{Key, Values};
use beeline_ir::{Program, VarId};
use beeline_smt::{Formula, Limits, Memory, Query, Term, Unsupported, Valuation};

/// An abstract state as the start of a block: what is known there.
pub struct Known<'a> {
    /// Values.
    pub values: &'a Values,
    /// Predicates.
    pub literals: &'a [Literal],
}

/// Terms for the variables of the pool of predicates.
struct PredicateReader<'a, 'b> {
    executor: &'b mut Executor<'a>,
    state: &'b mut SymState,
    predicates: &'b Predicates,
}

impl Valuation for PredicateReader<'_, '_> {
    fn var(&mut self, var: VarId) -> Result<Term, Unsupported> {
        self.executor.slot(self.state, self.predicates.slot(var))?.term()
    }

    fn region(&mut self, region: beeline_ir::RegionId) -> Result<Memory, Unsupported> {
        self.executor.flat_region(self.state, region)
    }
}

/// The formula of a predicate in a state.
pub fn instance(
    executor: &mut Executor<'_>,
    state: &mut SymState,
    predicates: &Predicates,
    pred: PredId,
) -> Result<Formula, Unsupported> {
    let encoder = executor.encoder().with_pool(&predicates.pool);
    encoder.holds(predicates.expr(pred), &mut PredicateReader { executor, state, predicates })
}

/// The formula of what is known in a state.
pub fn knowledge(
    executor: &mut Executor<'_>,
    state: &mut SymState,
    predicates: &Predicates,
    known: &Known<'_>,
) -> Result<Formula, Unsupported> {
    let mut parts = Vec::new();
    for literal in known.literals {
        let formula = instance(executor, state, predicates, literal.pred)?;
        parts.push(if literal.holds { formula } else { formula.not() });
    }
    for (key, value) in known.values.entries() {
        // Cells are left out: the values domain uses them by itself.
        if let (Key::Var(Slot { var, level }), Some(value)) = (key, value) {
            let term = executor.slot(state, Slot { var, level })?.term()?;
            parts.push(term.same(&Term::value(value)?));
        }
    }
    Ok(Formula::all(parts))
}

/// What is abstracted.
pub struct Question<'a> {
    /// The block.
    pub block: &'a Block,
    /// One of its exits.
    pub exit: usize,
    /// What is known at its start.
    pub before: Known<'a>,
    /// Which values are known at its exit.
    pub after: &'a Values,
    /// The predicates to decide.
    pub wanted: &'a [PredId],
    /// Is the start of the block that of the program?
    pub at_start: bool,
}

/// The literals that hold at the exit of a block; nothing if the exit cannot be reached.
///
/// A predicate that the solver does not decide in time is left out, which is sound.
pub fn abstraction(
    program: &Program,
    stacks: &Stacks,
    predicates: &Predicates,
    limits: &Limits,
    question: &Question<'_>,
) -> Result<Option<Vec<Literal>>, Unsupported> {
    let mut executor = Executor::new(program, stacks, false);
    let mut start = if question.at_start { executor.start() } else { executor.somewhere(1) };
    let before = knowledge(&mut executor, &mut start, predicates, &question.before)?;
    let mut end = executor.block(question.block, start, question.exit)?.state;
    if end.guard.is_constant(false) {
        return Ok(None);
    }
    let after = Known { values: question.after, literals: &[] };
    let after = knowledge(&mut executor, &mut end, predicates, &after)?;
    let mut instances = Vec::with_capacity(question.wanted.len());
    for &pred in question.wanted {
        instances.push((pred, instance(&mut executor, &mut end, predicates, pred)?));
    }
    let query = Query::new(limits);
    for fact in &executor.facts {
        query.assert(fact);
    }
    query.assert(&before);
    query.assert(&end.guard);
    query.assert(&after);
    if query.check().is_unsat() {
        return Ok(None);
    }
    let mut literals = Vec::new();
    for (pred, formula) in instances {
        for holds in [true, false] {
            query.push();
            query.assert(&if holds { formula.not() } else { formula.clone() });
            let decided = query.check().is_unsat();
            query.pop();
            if decided {
                literals.push(Literal { pred, holds });
                break;
            }
        }
    }
    literals.sort_unstable();
    Ok(Some(literals))
}
