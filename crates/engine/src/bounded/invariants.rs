//! Invariants of inductive loops: the choice of candidates that every iteration keeps (Houdini).
//!
//! An invariant relates the values of variables at the head of a loop with those that they had where the loop was
//! entered, its *ghosts*. At first both are equal, and every candidate holds. An invariant has to hold after each of the
//! iterations before the induction, is assumed of the havocked state, and has to hold again after one iteration from there.
//!
//! An invariant about all elements is checked of one of which nothing is known. It is assumed of those that formulas read,
//! once all of these are there.

use super::candidates::candidates;
use super::elements::{Loop, elements};
use super::inductive_loops::{InductiveLoops, Written};
use super::unrolled::{Counts, Unrolled};
use crate::control::Control;
use crate::control::place::{Place, StackId};
use crate::formula::Executor;
use crate::formula::state::{Sym, SymState};
use crate::state::precision::{PredId, Predicates};
use beeline_graph::Liveness;
use beeline_ir::{EdgeId, Expr, FuncId, InEdges, LocId, Program, RegionId, Type, VarId};
use beeline_run::{ANY_VALUE, AT_ENTRY, region_of_invariant};
use beeline_smt::{Formula, Instances, Memory, Questions, Term, Unsupported, Valuation};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A possible invariant.
#[derive(Debug)]
struct Candidate {
    pred: PredId,
    /// The constant that says whether it is assumed.
    mark: Formula,
    /// If it is about all elements, the type of their addresses.
    about_all: Option<Type>,
    /// The regions of the elements.
    regions: BTreeSet<RegionId>,
    /// The regions that it reads as they were where the loop was entered.
    regions_at_entry: BTreeSet<RegionId>,
}

/// What variables and regions held where a loop was entered.
#[derive(Debug, Default)]
struct Ghosts {
    vars: FxHashMap<VarId, Sym>,
    regions: FxHashMap<RegionId, Memory>,
}

/// A candidate about all elements that is assumed of a state.
#[derive(Debug)]
struct Assumed {
    pred: PredId,
    mark: Formula,
    ty: Type,
    state: Rc<SymState>,
    place: Place,
}

/// The invariants of inductive loops.
#[derive(Debug, Default)]
pub(super) struct Invariants {
    /// Their expressions. Variables of level 0 are those of the topmost call, others are ghosts.
    pub predicates: Predicates,
    of: FxHashMap<LocId, Vec<Candidate>>,
    /// The values of variables where each loop was entered.
    ghosts: FxHashMap<RunOfLoop, Ghosts>,
    /// The candidates about all elements where inductions begin, each with the maps that it is about.
    assumed: Vec<(Assumed, Vec<Memory>)>,
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
    /// The candidates for some loops, perhaps also those about all elements.
    pub(super) fn candidates(
        program: &Program,
        control: &Unrolled,
        loops: &InductiveLoops,
        about_all: bool,
    ) -> Invariants {
        let mut invariants = Invariants::default();
        let incoming = program.in_edges();
        for head in loops.heads() {
            let is_inside = |loc: LocId| control.heads(loc).contains(&head);
            let Written { vars, regions } = loops.written(head);
            let live = live_at((program, &incoming), head, vars);
            let predicates = &mut invariants.predicates;
            let mut found = candidates(program, predicates, (head, &live), is_inside);
            if about_all {
                let edges: Vec<EdgeId> =
                    program.edges.keys().filter(|&edge| is_inside(program.edges[edge].src)).collect();
                found.extend(elements(
                    Loop { program, edges: &edges, vars, regions, live: &live },
                    predicates,
                ));
            }
            let of = found.into_iter().map(|pred| Candidate::new(program, predicates, pred)).collect();
            invariants.of.insert(head, of);
        }
        invariants
    }

    /// Whether one of the candidates is about all elements.
    pub(super) fn are_about_all(&self) -> bool {
        self.of.values().flatten().any(|candidate| candidate.about_all.is_some())
    }

    /// Notes the values of variables where a loop is entered.
    pub(super) fn enter(&mut self, at: &mut AtHead<'_, '_>) -> Result<(), Unsupported> {
        let mut ghosts = Ghosts::default();
        for candidate in self.of.get(&at.place.loc).into_iter().flatten() {
            for slot in self.predicates.reads(candidate.pred).iter().filter(|slot| slot.level == AT_ENTRY) {
                ghosts.vars.insert(slot.var, at.now(slot.var)?);
            }
            for &region in &candidate.regions_at_entry {
                ghosts.regions.insert(region, at.executor.flat_region(at.state, region)?);
            }
        }
        self.ghosts.insert(at.run_of_loop(), ghosts);
        Ok(())
    }

    /// Assumes the candidates where an induction begins, after it was havocked.
    pub(super) fn assume(&mut self, at: &mut AtHead<'_, '_>) -> Result<(), Unsupported> {
        // Where nothing meets the candidates, nothing goes on, but what came here did: else their instances would exclude that
        // it came here and breaks them.
        at.state.guard = at.state.guard.and(&Formula::fresh("goes on"));
        let mut assumed = Vec::new();
        for candidate in self.of.get(&at.place.loc).into_iter().flatten() {
            let Candidate { pred, mark, .. } = candidate;
            if let Some(ty) = candidate.about_all {
                let maps = candidate.regions.iter().map(|&region| at.executor.flat_region(at.state, region));
                assumed.push((*pred, mark.clone(), ty, maps.collect::<Result<Vec<_>, _>>()?));
                continue;
            }
            let holds = self.instance(at, *pred, None)?;
            at.state.guard = at.state.guard.and(&mark.implies(&holds));
        }
        let (state, place) = (Rc::new(at.state.clone()), at.place);
        self.assumed.extend(assumed.into_iter().map(|(pred, mark, ty, maps)| {
            (Assumed { pred, mark, ty, state: Rc::clone(&state), place }, maps)
        }));
        Ok(())
    }

    /// The facts that candidates about all elements are for the elements that formulas read, and these facts in turn.
    pub(super) fn instances(
        &self,
        executor: &mut Executor<'_>,
        (program, control): (&Program, &Unrolled),
        formulas: &[Formula],
    ) -> Result<Vec<Formula>, Unsupported> {
        let about: Vec<(Type, Vec<Memory>)> =
            self.assumed.iter().map(|(assumed, maps)| (assumed.ty, maps.clone())).collect();
        let (mut instances, mut facts) = (Instances::default(), Vec::new());
        let mut next = formulas.to_vec();
        next.extend(self.broken.iter().map(|(_, broken)| broken.clone()));
        let is_over =
            |executor: &Executor<'_>| executor.questions.as_ref().is_some_and(|it| it.limits().is_over());
        while !next.is_empty() && !is_over(executor) {
            let found = instances.of(&next, &about);
            next.clear();
            for (number, element) in found {
                let Assumed { pred, mark, state, place, .. } = &self.assumed[number].0;
                let mut state = SymState::clone(state);
                let when = mark.and(&state.guard);
                let mut at = AtHead { executor, program, control, state: &mut state, place: *place };
                next.push(when.implies(&self.instance(&mut at, *pred, Some(element))?));
            }
            facts.extend_from_slice(&next);
        }
        Ok(facts)
    }

    /// Notes when the candidates do not hold after an iteration.
    pub(super) fn check(&mut self, at: &mut AtHead<'_, '_>) -> Result<(), Unsupported> {
        let mut broken = Vec::new();
        let mut elements: FxHashMap<Type, Term> = FxHashMap::default();
        for candidate in self.of.get(&at.place.loc).into_iter().flatten() {
            if let Some(ty) = candidate.about_all.filter(|ty| !elements.contains_key(ty)) {
                elements.insert(ty, Term::fresh("element", ty)?);
            }
            let element = candidate.about_all.map(|ty| elements[&ty].clone());
            let holds = self.instance(at, candidate.pred, element)?;
            broken.push((candidate.mark.clone(), at.state.guard.and(&holds.not())));
        }
        self.broken.extend(broken);
        Ok(())
    }

    fn instance(
        &self,
        at: &mut AtHead<'_, '_>,
        pred: PredId,
        element: Option<Term>,
    ) -> Result<Formula, Unsupported> {
        let ghosts = &self.ghosts[&at.run_of_loop()];
        let encoder = at.executor.encoder().with_pool(&self.predicates.pool);
        let mut reader = Reader { at, ghosts, predicates: &self.predicates, element };
        encoder.holds(self.predicates.expr(pred), &mut reader)
    }

    /// Removes candidates until each iteration keeps all that are left; those for which that is not decided as well.
    pub(super) fn choose(&mut self, facts: &[Formula], questions: &mut Questions) {
        let mut kept = 0;
        // The candidates that are left are asked in turn, until none of a whole round was lost.
        while let Some((mark, broken)) = self.broken.first().cloned().filter(|_| kept < self.broken.len()) {
            let assumed = Formula::all(self.assumed());
            let answer = questions.may_hold(facts, &assumed.and(&broken));
            if answer == Some(false) {
                self.broken.rotate_left(1);
                kept += 1;
                continue;
            }
            kept = 0;
            self.of.values_mut().for_each(|of| of.retain(|of| of.mark != mark));
            self.broken.retain(|(of, _)| *of != mark);
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

impl Candidate {
    fn new(program: &Program, predicates: &Predicates, pred: PredId) -> Candidate {
        let any = predicates.reads(pred).iter().find(|slot| slot.level == ANY_VALUE);
        let (mut regions, mut regions_at_entry) = (BTreeSet::new(), BTreeSet::new());
        for (_, node) in predicates.pool.parts([predicates.expr(pred)]) {
            if let Expr::Load { region, addr, .. } = node {
                let is_element = matches!(predicates.pool[addr], Expr::Var(var) if predicates.slot(var).level == ANY_VALUE);
                match region_of_invariant(program, region) {
                    (region, true) => _ = regions_at_entry.insert(region),
                    (region, false) if is_element => _ = regions.insert(region),
                    (_, false) => {}
                }
            }
        }
        let (mark, about_all) = (Formula::fresh("invariant"), any.map(|slot| program.vars[slot.var].ty));
        Candidate { pred, mark, about_all, regions, regions_at_entry }
    }
}

/// The variables that are read after the head of a loop.
fn live_at(
    (program, incoming): (&Program, &InEdges),
    head: LocId,
    vars: &BTreeSet<VarId>,
) -> BTreeSet<VarId> {
    let func = program.function_of(head);
    let liveness = Liveness::new(program, func);
    let is_live = |var: &VarId| match program.vars[*var].owner {
        Some(owner) => owner == func && liveness.locations(program, incoming, *var).contains(&head),
        None => true,
    };
    vars.iter().copied().filter(is_live).collect()
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
    ghosts: &'r Ghosts,
    predicates: &'r Predicates,
    element: Option<Term>,
}

impl Valuation for Reader<'_, '_, '_> {
    fn var(&mut self, var: VarId) -> Result<Term, Unsupported> {
        let slot = self.predicates.slot(var);
        match slot.level {
            AT_ENTRY => self.ghosts.vars[&slot.var].term(),
            ANY_VALUE => Ok(self.element.clone().expect("an invariant about all elements has one")),
            _ => self.at.now(slot.var)?.term(),
        }
    }

    fn region(&mut self, region: RegionId) -> Result<Memory, Unsupported> {
        match region_of_invariant(self.at.program, region) {
            (region, true) => Ok(self.ghosts.regions[&region].clone()),
            (region, false) => self.at.executor.flat_region(self.at.state, region),
        }
    }
}
