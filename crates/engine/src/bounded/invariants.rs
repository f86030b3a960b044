//! Invariants of inductive loops: the choice of candidates that every iteration keeps (Houdini).
//!
//! An invariant relates the values of variables at the head of a loop with those that they had where the loop was
//! entered, its *ghosts*. At first both are equal, and every candidate holds. An invariant has to hold after each of the
//! iterations before the induction, is assumed of the havocked state, and has to hold again after one iteration from there.

use super::candidates::candidates;
use super::inductive_loops::InductiveLoops;
use super::unrolled::{Counts, Unrolled};
use crate::control::Control;
use crate::control::place::{Place, StackId};
use crate::formula::Executor;
use crate::formula::state::{Sym, SymState};
use crate::state::precision::{PredId, Predicates};
use beeline_ir::{EdgeId, FuncId, LocId, Program, RegionId, VarId};
use beeline_run::AT_ENTRY;
use beeline_smt::{Answer, Formula, Memory, Query, QueryLimits, Term, Unsupported, Valuation};
use rustc_hash::FxHashMap;

/// A possible invariant.
#[derive(Debug)]
struct Candidate {
    pred: PredId,
    /// The constant that says whether it is assumed.
    mark: Formula,
}

/// The invariants of inductive loops.
#[derive(Debug, Default)]
pub(super) struct Invariants {
    /// Their expressions. Variables of level 0 are those of the topmost call, others are ghosts.
    pub predicates: Predicates,
    of: FxHashMap<LocId, Vec<Candidate>>,
    /// The values of variables where each loop was entered.
    ghosts: FxHashMap<RunOfLoop, FxHashMap<VarId, Sym>>,
    /// For each candidate and induction, its mark, and when an iteration does not keep it.
    broken: Vec<(Formula, Formula)>,
}

/// A loop that is entered: the location of its head, the call, the iterations of outer loops.
type RunOfLoop = (LocId, Option<(StackId, EdgeId)>, FuncId, Counts);

/// A state at the head of an inductive loop.
pub(super) struct AtHead<'e, 'a> {
    pub executor: &'e mut Executor<'a>,
    pub program: &'e Program,
    pub control: &'e Unrolled,
    pub state: &'e mut SymState,
    pub place: Place,
}

impl Invariants {
    /// The candidates for some loops.
    pub(super) fn candidates(program: &Program, control: &Unrolled, loops: &InductiveLoops) -> Invariants {
        let mut invariants = Invariants::default();
        let incoming = program.in_edges();
        for head in loops.heads() {
            let is_inside = |loc: LocId| control.heads(loc).contains(&head);
            let a_loop = (head, loops.written(head));
            let found = candidates((program, &incoming), &mut invariants.predicates, a_loop, is_inside);
            let candidate = |pred| Candidate { pred, mark: Formula::fresh("invariant") };
            invariants.of.insert(head, found.into_iter().map(candidate).collect());
        }
        invariants
    }

    /// Notes the values of variables where a loop is entered.
    pub(super) fn enter(&mut self, at: &mut AtHead<'_, '_>) -> Result<(), Unsupported> {
        let mut ghosts = FxHashMap::default();
        for candidate in self.of.get(&at.place.loc).into_iter().flatten() {
            for slot in self.predicates.reads(candidate.pred).iter().filter(|slot| slot.level == AT_ENTRY) {
                ghosts.insert(slot.var, at.now(slot.var)?);
            }
        }
        self.ghosts.insert(at.run_of_loop(), ghosts);
        Ok(())
    }

    /// Assumes the candidates where an induction begins, after it was havocked.
    pub(super) fn assume(&self, at: &mut AtHead<'_, '_>) -> Result<(), Unsupported> {
        for candidate in self.of.get(&at.place.loc).into_iter().flatten() {
            let holds = self.instance(at, candidate.pred)?;
            at.state.guard = at.state.guard.and(&candidate.mark.implies(&holds));
        }
        Ok(())
    }

    /// Notes when the candidates do not hold after an iteration.
    pub(super) fn check(&mut self, at: &mut AtHead<'_, '_>) -> Result<(), Unsupported> {
        let mut broken = Vec::new();
        for candidate in self.of.get(&at.place.loc).into_iter().flatten() {
            let holds = self.instance(at, candidate.pred)?;
            broken.push((candidate.mark.clone(), at.state.guard.and(&holds.not())));
        }
        self.broken.extend(broken);
        Ok(())
    }

    fn instance(&self, at: &mut AtHead<'_, '_>, pred: PredId) -> Result<Formula, Unsupported> {
        let ghosts = &self.ghosts[&at.run_of_loop()];
        let encoder = at.executor.encoder().with_pool(&self.predicates.pool);
        let mut reader = Reader { at, ghosts, predicates: &self.predicates };
        encoder.holds(self.predicates.expr(pred), &mut reader)
    }

    /// Removes candidates until each iteration keeps all that are left; those for which that is not decided as well.
    pub(super) fn choose(&mut self, facts: &[Formula], limits: &QueryLimits) {
        let query = Query::new(limits);
        facts.iter().for_each(|fact| query.assert(fact));
        let mut kept = 0;
        // The candidates that are left are asked in turn, until none of a whole round was lost.
        while let Some((mark, broken)) = self.broken.first().cloned().filter(|_| kept < self.broken.len()) {
            query.push();
            self.assumed().iter().chain([&broken]).for_each(|formula| query.assert(formula));
            let answer = query.check();
            query.pop();
            let lost: Vec<Formula> = match answer {
                Answer::Unsat => {
                    self.broken.rotate_left(1);
                    kept += 1;
                    continue;
                }
                Answer::Unknown(_) => vec![mark],
                Answer::Sat(model) => {
                    let is_broken = |(_, broken): &&(Formula, Formula)| model.truth(broken) == Some(true);
                    let others = self.broken.iter().filter(is_broken).map(|(mark, _)| mark.clone());
                    others.chain([mark]).collect()
                }
            };
            kept = 0;
            self.of.values_mut().for_each(|of| of.retain(|of| !lost.contains(&of.mark)));
            self.broken.retain(|(mark, _)| !lost.contains(mark));
        }
    }

    /// Leaves no invariant.
    pub(super) fn give_up(&mut self) {
        self.of.clear();
        self.broken.clear();
    }

    /// The formulas that the candidates that are left are assumed.
    pub(super) fn assumed(&self) -> Vec<Formula> {
        self.of.values().flatten().map(|candidate| candidate.mark.clone()).collect()
    }

    /// Whether there are any.
    pub(super) fn is_empty(&self) -> bool {
        self.of.values().all(Vec::is_empty)
    }

    /// All of them, with the heads of their loops, in order.
    pub(super) fn all(&self) -> Vec<(LocId, PredId)> {
        let of = |(&head, of): (&LocId, &Vec<Candidate>)| {
            of.iter().map(move |of| (head, of.pred)).collect::<Vec<_>>()
        };
        let mut all: Vec<(LocId, PredId)> = self.of.iter().flat_map(of).collect();
        all.sort_unstable();
        all
    }
}

impl AtHead<'_, '_> {
    /// What a variable holds.
    fn now(&mut self, var: VarId) -> Result<Sym, Unsupported> {
        self.executor.slot(self.state, self.control.slot(self.program, self.place.stack, var))
    }

    fn run_of_loop(&self) -> RunOfLoop {
        let frame = self.control.frame(self.place.stack);
        let mut counts = self.control.counts(self.place.stack);
        counts.pop();
        (self.place.loc, frame.caller, frame.callee, counts)
    }
}

/// Terms for the variables of invariants.
struct Reader<'r, 'e, 'a> {
    at: &'r mut AtHead<'e, 'a>,
    ghosts: &'r FxHashMap<VarId, Sym>,
    predicates: &'r Predicates,
}

impl Valuation for Reader<'_, '_, '_> {
    fn var(&mut self, var: VarId) -> Result<Term, Unsupported> {
        let slot = self.predicates.slot(var);
        if slot.level == AT_ENTRY { self.ghosts[&slot.var].term() } else { self.at.now(slot.var)?.term() }
    }

    fn region(&mut self, region: RegionId) -> Result<Memory, Unsupported> {
        self.at.executor.flat_region(self.at.state, region)
    }
}
