//! Predicate abstraction of a block.

use crate::control::Control;
use crate::control::block::Block;
use crate::formula::Executor;
use crate::formula::state::{Sym, SymState};
use crate::state::arg::{Arg, NodeId};
use crate::state::bdd::{Bdd, Bdds};
use crate::state::precision::{Abstraction, Literal, PredId, Predicates};
use crate::values::{Key, Values, ValuesPool};
use beeline_ir::{Program, VarId};
use beeline_smt::solver::fold;
use beeline_smt::{Answer, Formula, Memory, Query, QueryLimits, Term, Unsupported, Valuation};
use rustc_hash::FxHashMap;

/// What an abstract state says about the execution states at its place.
pub struct AbstractState<'a> {
    /// The known values.
    pub values: &'a Values,
    /// The known predicates.
    pub formula: Bdd,
}

/// The start of a block.
pub struct Start<'a> {
    /// What is known there.
    pub known: AbstractState<'a>,
    /// Whether the program starts here.
    pub of_program: bool,
}

impl<'a> Start<'a> {
    /// The start of the block that begins in a state of a graph.
    pub fn of(arg: &Arg, pool: &'a ValuesPool, id: NodeId) -> Start<'a> {
        let node = &arg[id];
        let known = AbstractState { values: pool.get(node.values), formula: node.formula };
        Start { known, of_program: node.parent.is_none() }
    }

    /// The symbolic state, and the formula that holds in it.
    pub fn state(
        &self,
        executor: &mut Executor<'_>,
        predicates: &Predicates,
        bdds: &Bdds,
    ) -> Result<(SymState, Formula), Unsupported> {
        let mut state = if self.of_program { executor.start() } else { executor.somewhere(1) };
        if !self.of_program {
            insert_values(executor, &mut state, self.known.values)?;
        }
        let holds = formula(executor, &mut state, predicates, bdds, self.known.formula)?;
        Ok((state, holds))
    }
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

/// The formula of a diagram of predicates in a state.
pub(crate) fn formula(
    executor: &mut Executor<'_>,
    state: &mut SymState,
    predicates: &Predicates,
    bdds: &Bdds,
    root: Bdd,
) -> Result<Formula, Unsupported> {
    let mut done = FxHashMap::default();
    done.insert(Bdd::FALSE, Formula::constant(false));
    done.insert(Bdd::TRUE, Formula::constant(true));
    let mut stack = vec![root];
    while let Some(&bdd) = stack.last() {
        let Some(decision) = bdds.decision(bdd).filter(|_| !done.contains_key(&bdd)) else {
            stack.pop();
            continue;
        };
        match (done.get(&decision.no), done.get(&decision.yes)) {
            (Some(no), Some(yes)) => {
                let holds = instance(executor, state, predicates, decision.pred)?;
                let formula = holds.ite(yes, no);
                done.insert(bdd, formula);
            }
            _ => stack.extend([decision.no, decision.yes]),
        }
    }
    Ok(done[&root].clone())
}

/// Puts known values into a state of which nothing else is known.
pub(crate) fn insert_values(
    executor: &mut Executor<'_>,
    state: &mut SymState,
    values: &Values,
) -> Result<(), Unsupported> {
    for (key, value) in values.entries() {
        match (key, value) {
            (Key::Var(slot), Some(value)) => state.vars.insert(slot, Sym::Value(value.clone())),
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

/// The formula of the known values of variables in a state.
pub(crate) fn equalities(
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

/// A question for predicate abstraction.
pub struct Question<'a> {
    /// The block.
    pub block: &'a Block,
    /// One of its exits.
    pub exit: usize,
    /// Its start.
    pub start: Start<'a>,
    /// The values known at its exit.
    pub after: &'a Values,
    /// The predicates to decide.
    pub wanted: &'a [PredId],
    /// The kind of abstraction.
    pub abstraction: Abstraction,
}

/// The greatest number of combinations of predicates.
const MAX_COMBINATIONS: usize = 60;

/// The predicates that hold at the exit of a block; `None` if the exit cannot be reached.
///
/// What the solver does not decide in time is left out, which is sound.
pub fn abstraction(
    program: &Program,
    control: &dyn Control,
    predicates: &Predicates,
    bdds: &mut Bdds,
    limits: &QueryLimits,
    question: &Question<'_>,
) -> Result<Option<Bdd>, Unsupported> {
    let mut executor = Executor::new(program, control, true);
    let (start, before) = question.start.state(&mut executor, predicates, bdds)?;
    let mut end = executor.block(question.block, start, question.exit)?.state;
    if end.guard.is_constant(false) {
        return Ok(None);
    }
    let after = equalities(&mut executor, &mut end, question.after)?;
    let reached = Formula::all([before, end.guard.clone(), after]);
    of_state(
        &mut executor,
        predicates,
        bdds,
        limits,
        &mut end,
        reached,
        (question.wanted, question.abstraction),
    )
}

/// How often several exits are put into one query.
const AT_ONCE: usize = 8;

/// The exits of a block that an execution may reach, with one query for all of them.
///
/// As a rule none can be reached, and one answer says so.
pub(crate) fn reachable(
    (program, control): (&Program, &dyn Control),
    predicates: &Predicates,
    bdds: &Bdds,
    limits: &QueryLimits,
    (block, start): (&Block, &Start<'_>),
    exits: &[usize],
) -> Result<Vec<usize>, Unsupported> {
    let mut executor = Executor::new(program, control, true);
    let (state, before) = start.state(&mut executor, predicates, bdds)?;
    let done = executor.whole_block(block, state)?;
    let query = Query::new(limits);
    for fact in &executor.facts {
        query.assert(fact);
    }
    query.assert(&fold(&before));
    let mut arrives: FxHashMap<usize, Vec<Formula>> = exits.iter().map(|&exit| (exit, Vec::new())).collect();
    for (index, edge) in block.edges.iter().enumerate() {
        if let (Some(ways), Some(guard)) = (arrives.get_mut(&edge.dst), done.guards.get(&index)) {
            ways.push(guard.clone());
        }
    }
    let mut left: Vec<(usize, Formula)> = exits
        .iter()
        .map(|exit| (*exit, fold(&Formula::any(arrives.remove(exit).unwrap_or_default()))))
        .collect();
    let mut found = Vec::new();
    let mut asked = 0;
    while !left.is_empty() {
        // Where each answer finds only one more exit, the exits are queried one by one: a query for all of
        // them is as large as all together.
        asked += 1;
        let of = if asked <= AT_ONCE { left.len() } else { 1 };
        query.push();
        query.assert(&Formula::any(left[left.len() - of..].iter().map(|(_, arrives)| arrives.clone())));
        let answer = query.check();
        query.pop();
        if of == 1 {
            // An unknown answer excludes nothing.
            found.extend(left.pop().filter(|_| !answer.is_unsat()).map(|(exit, _)| exit));
            continue;
        }
        let Answer::Sat(model) = answer else {
            if !answer.is_unsat() {
                found.extend(left.iter().map(|(exit, _)| *exit));
            }
            break;
        };
        let before = left.len();
        left.retain(|(exit, arrives)| {
            let is_met = model.truth(arrives) == Some(true);
            found.extend(is_met.then_some(*exit));
            !is_met
        });
        if left.len() == before {
            found.extend(left.drain(..).map(|(exit, _)| exit));
        }
    }
    Ok(found)
}

/// The predicates that hold in a state that is reached under a formula; `None` if it cannot be reached.
pub(crate) fn of_state(
    executor: &mut Executor<'_>,
    predicates: &Predicates,
    bdds: &mut Bdds,
    limits: &QueryLimits,
    end: &mut SymState,
    reached: Formula,
    (wanted, abstraction): (&[PredId], Abstraction),
) -> Result<Option<Bdd>, Unsupported> {
    let reached = fold(&reached);
    if reached.is_constant(false) {
        return Ok(None);
    }
    let mut instances = Vec::with_capacity(wanted.len());
    for &pred in wanted {
        instances.push((pred, fold(&instance(executor, end, predicates, pred)?)));
    }
    let (decided, left) = known(instances);
    if reached.is_constant(true) && left.is_empty() {
        return Ok(Some(bdds.conjunction(&decided)));
    }
    let query = Query::new(limits);
    for fact in &executor.facts {
        query.assert(fact);
    }
    query.assert(&reached);
    let answer = query.check();
    if answer.is_unsat() {
        return Ok(None);
    }
    let (decided, open) = decide(&query, &answer, decided, left);
    if abstraction == Abstraction::Boolean
        && open.len() > 1
        && let Some(combinations) = combinations(&query, bdds, &decided, &open)
    {
        return Ok(Some(combinations));
    }
    Ok(Some(bdds.conjunction(&decided)))
}

/// A predicate and its formula in a state.
type Instance = (PredId, Formula);

/// The predicates whose formulas are constants, and the others.
fn known(instances: Vec<Instance>) -> (Vec<Literal>, Vec<Instance>) {
    let (mut decided, mut left) = (Vec::new(), Vec::new());
    for (pred, formula) in instances {
        match formula.known() {
            Some(holds) => decided.push(Literal { pred, holds }),
            None => left.push((pred, formula)),
        }
    }
    (decided, left)
}

/// The predicates that certainly hold or certainly do not, added to those already decided; and the others.
///
/// Each query asks for an execution that differs from the first one in any of the predicates, until there is
/// none.
fn decide(
    query: &Query<'_>,
    first: &Answer,
    mut decided: Vec<Literal>,
    instances: Vec<Instance>,
) -> (Vec<Literal>, Vec<Instance>) {
    let seen = |formula: &Formula| match first {
        Answer::Sat(model) => model.truth(formula),
        _ => None,
    };
    let mut open = Vec::new();
    // The predicates that have had the same truth value in all executions so far, and those without a known
    // value.
    let (mut alike, mut left) = (Vec::new(), Vec::new());
    for (pred, formula) in instances {
        match seen(&formula) {
            Some(holds) => alike.push((Literal { pred, holds }, formula)),
            None => left.push((pred, formula, vec![true, false])),
        }
    }
    while alike.len() > 1 {
        let others = alike.iter().map(|(literal, formula)| negated(formula, literal.holds));
        match satisfying(query, &Formula::any(others.collect::<Vec<_>>())) {
            Answer::Unsat => decided.extend(alike.drain(..).map(|(literal, _)| literal)),
            Answer::Sat(model) => {
                let before = alike.len();
                let differs = |(literal, formula): &mut (Literal, Formula)| {
                    model.truth(formula) == Some(!literal.holds)
                };
                open.extend(alike.extract_if(.., differs).map(|(literal, formula)| (literal.pred, formula)));
                if alike.len() == before {
                    break;
                }
            }
            Answer::Unknown(_) => break,
        }
    }
    left.extend(alike.into_iter().map(|(Literal { pred, holds }, formula)| (pred, formula, vec![holds])));
    for (pred, formula, truths) in left {
        match truths.into_iter().find(|&truth| satisfying(query, &negated(&formula, truth)).is_unsat()) {
            Some(holds) => decided.push(Literal { pred, holds }),
            None => open.push((pred, formula)),
        }
    }
    (decided, open)
}

/// The formula that another one does not have a truth value.
fn negated(formula: &Formula, truth: bool) -> Formula {
    if truth { formula.not() } else { formula.clone() }
}

/// The answer to a query with one more formula.
fn satisfying(query: &Query<'_>, formula: &Formula) -> Answer {
    query.push();
    query.assert(formula);
    let answer = query.check();
    query.pop();
    answer
}

/// All possible combinations of open predicates, together with what is decided; `None` if there are too many,
/// or if the solver does not find all of them in time.
fn combinations(
    query: &Query<'_>,
    bdds: &mut Bdds,
    decided: &[Literal],
    open: &[(PredId, Formula)],
) -> Option<Bdd> {
    let mut found = Bdd::FALSE;
    let marks: Vec<Formula> = open.iter().map(|_| Formula::fresh("holds")).collect();
    for (mark, (_, formula)) in marks.iter().zip(open) {
        query.assert(&mark.same(formula));
    }
    for _ in 0..MAX_COMBINATIONS {
        let model = match query.check() {
            Answer::Unsat => return Some(found),
            Answer::Unknown(_) => return None,
            Answer::Sat(model) => model,
        };
        let mut literals = decided.to_vec();
        let mut another = Vec::new();
        for (mark, &(pred, _)) in marks.iter().zip(open) {
            let holds = model.truth(mark)?;
            literals.push(Literal { pred, holds });
            another.push(if holds { mark.not() } else { mark.clone() });
        }
        let cube = bdds.conjunction(&literals);
        found = bdds.or(found, cube);
        query.assert(&Formula::any(another));
    }
    None
}
