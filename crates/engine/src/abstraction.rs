//! Cartesian predicate abstraction of a block.

use crate::block::Block;
use crate::place::Stacks;
use crate::precision::{Literal, PredId, Predicates};
use crate::symbolic::{Executor, Sym, SymState};
use crate::values::{Key, Values};
use beeline_ir::{Program, VarId};
use beeline_smt::solver::simplify;
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

/// The formula of the predicates that are known in a state.
fn literals(
    executor: &mut Executor<'_>,
    state: &mut SymState,
    predicates: &Predicates,
    literals: &[Literal],
) -> Result<Formula, Unsupported> {
    let mut parts = Vec::new();
    for literal in literals {
        let formula = instance(executor, state, predicates, literal.pred)?;
        parts.push(if literal.holds { formula } else { formula.not() });
    }
    Ok(Formula::all(parts))
}

/// Puts known values into a state of which nothing else is known.
fn insert_values(
    executor: &mut Executor<'_>,
    state: &mut SymState,
    values: &Values,
) -> Result<(), Unsupported> {
    for (key, value) in values.entries() {
        match (key, value) {
            (Key::Var(slot), Some(value)) => drop(state.vars.insert(slot, Sym::Value(value.clone()))),
            (Key::Var(_), None) => {}
            (Key::Pristine(region), _) => executor.make_initial(state, region)?,
            (Key::Cell(region, addr), value) => {
                let known = value.cloned();
                executor.set_cell(state, region, addr, known)?;
            }
        }
    }
    Ok(())
}

/// The formula of the values of variables that are known in a state.
fn equalities(
    executor: &mut Executor<'_>,
    state: &mut SymState,
    values: &Values,
) -> Result<Formula, Unsupported> {
    let mut parts = Vec::new();
    for (key, value) in values.entries() {
        // Cells are left out: the exact formula of the block has them already.
        if let (Key::Var(slot), Some(value)) = (key, value) {
            match executor.slot(state, slot)? {
                Sym::Value(known) => parts.push(Formula::constant(known == *value)),
                Sym::Term(term) => parts.push(term.same(&Term::value(value)?)),
            }
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
    let mut executor = Executor::new(program, stacks, true);
    let mut start = if question.at_start { executor.start() } else { executor.somewhere(1) };
    if !question.at_start {
        insert_values(&mut executor, &mut start, question.before.values)?;
    }
    let before = literals(&mut executor, &mut start, predicates, question.before.literals)?;
    let mut end = executor.block(question.block, start, question.exit)?.state;
    if end.guard.is_constant(false) {
        return Ok(None);
    }
    let after = equalities(&mut executor, &mut end, question.after)?;
    if after.is_constant(false) {
        return Ok(None);
    }
    let mut instances = Vec::with_capacity(question.wanted.len());
    for &pred in question.wanted {
        instances.push((pred, simplify(&instance(&mut executor, &mut end, predicates, pred)?)));
    }
    let query = Query::new(limits);
    for fact in &executor.facts {
        query.assert(fact);
    }
    let reached = simplify(&Formula::all([before, end.guard.clone(), after]));
    query.assert(&reached);
    if reached.is_constant(false) || (!reached.is_constant(true) && query.check().is_unsat()) {
        return Ok(None);
    }
    let mut decided = Vec::new();
    for (pred, formula) in instances {
        if let Some(holds) = [true, false].into_iter().find(|&truth| formula.is_constant(truth)) {
            decided.push(Literal { pred, holds });
            continue;
        }
        for holds in [true, false] {
            query.push();
            query.assert(&if holds { formula.not() } else { formula.clone() });
            let certain = query.check().is_unsat();
            query.pop();
            if certain {
                decided.push(Literal { pred, holds });
                break;
            }
        }
    }
    decided.sort_unstable();
    Ok(Some(decided))
}
