//! Invariants of loops that are proved by induction: claimed after iterations, and assumed where the induction begins.
//!
//! An invariant about all values of a variable is claimed of a value of which nothing is known. It is assumed of the values at
//! which the formulas of the obligation read memory, once these are there.

use super::{Executor, Names, Reader};
use crate::induction::Invariants;
use crate::place::{Place, Slot, Stack, Stacks};
use crate::state::{State, Sym};
use crate::truth::Truth;
use beeline_ir::{Expr, ExprId, LocId, Program, RegionId, Type, VarId};
use beeline_run::{ANY_VALUE, AT_ENTRY, region_of_invariant};
use beeline_smt::{Formula, Instances, Memory, Term, Unsupported, Valuation};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// When an invariant does not hold where it has to.
pub(crate) struct Broken {
    /// The place.
    pub place: Place,
    /// The condition.
    pub guard: Truth,
}

/// What an execution met of loops that have invariants.
#[derive(Default)]
pub(super) struct Met<'a> {
    /// What was held where each loop was entered.
    ghosts: FxHashMap<(LocId, Stack), Ghosts>,
    /// The invariants about all values that are assumed.
    assumed: Vec<Assumed<'a>>,
}

/// What variables and regions held where a loop was entered.
#[derive(Default)]
struct Ghosts {
    vars: Vec<(Slot, Sym)>,
    regions: FxHashMap<RegionId, Memory>,
}

/// An invariant about all values that is assumed of a state.
struct Assumed<'a> {
    invariants: Invariants<'a>,
    invariant: ExprId,
    ty: Type,
    /// The maps that it is about.
    maps: Vec<Memory>,
    state: State,
    at: (Place, Stack),
}

/// The slots of an invariant's variables at a place.
struct AtHead<'a> {
    program: &'a Program,
    stacks: &'a Stacks,
    stack: Stack,
    slots: &'a [(VarId, u32)],
}

impl Names for AtHead<'_> {
    fn slot(&self, var: VarId) -> Slot {
        match self.slots[var.as_u32() as usize] {
            (var, level @ (AT_ENTRY | ANY_VALUE)) => Slot { var, level },
            (var, _) => self.stacks.slot(self.program, self.stack, var),
        }
    }
}

/// The terms of an invariant's variables and regions.
struct OfInvariant<'r, 'e, 'a, 's, 'n> {
    reader: Reader<'e, 'a, 's, AtHead<'n>>,
    regions: &'r FxHashMap<RegionId, Memory>,
    /// The value that the invariant is about.
    any: Option<Term>,
}

impl Valuation for OfInvariant<'_, '_, '_, '_, '_> {
    fn var(&mut self, var: VarId) -> Result<Term, Unsupported> {
        match (self.reader.names.slot(var).level, &self.any) {
            (ANY_VALUE, Some(any)) => Ok(any.clone()),
            (ANY_VALUE, None) => Err(Unsupported("an invariant about all values without one".into())),
            _ => self.reader.var(var),
        }
    }

    fn region(&mut self, region: RegionId) -> Result<Memory, Unsupported> {
        match region_of_invariant(self.reader.executor.program, region) {
            (region, true) => {
                let then = self.regions.get(&region).cloned();
                then.ok_or_else(|| {
                    Unsupported("a region that was not noted where its loop was entered".into())
                })
            }
            (region, false) => self.reader.region(region),
        }
    }

    fn flat_load(&mut self, region: RegionId, addr: &Term, ty: Type) -> Result<Option<Term>, Unsupported> {
        match region_of_invariant(self.reader.executor.program, region) {
            (_, true) => Ok(None),
            (region, false) => self.reader.flat_load(region, addr, ty),
        }
    }

    fn assume(&mut self, condition: &Formula) {
        self.reader.assume(condition);
    }

    fn withdraw(&mut self) {
        self.reader.withdraw();
    }
}

impl Invariants<'_> {
    /// The type of the variable whose values an invariant is about, if it is about all of them.
    fn about_all(&self, program: &Program, invariant: ExprId) -> Option<Type> {
        self.pool.parts([invariant]).find_map(|(_, node)| match node {
            Expr::Var(var) => {
                let (var, level) = self.slots[var.as_u32() as usize];
                (level == ANY_VALUE).then(|| program.vars[var].ty)
            }
            _ => None,
        })
    }

    /// The regions that some invariants read, and whether that is where their loop was entered.
    fn regions(&self, program: &Program, list: &[ExprId]) -> BTreeSet<(RegionId, bool)> {
        let read = |(_, node)| match node {
            Expr::Load { region, .. } => Some(region_of_invariant(program, region)),
            _ => None,
        };
        self.pool.parts(list.iter().copied()).filter_map(read).collect()
    }

    /// The regions that an invariant about all values reads at these values.
    fn read_at_all(&self, program: &Program, invariant: ExprId) -> BTreeSet<RegionId> {
        let read = |(_, node)| match node {
            Expr::Load { region, addr, .. } => match self.pool[addr] {
                Expr::Var(var) if self.slots[var.as_u32() as usize].1 == ANY_VALUE => Some(region),
                _ => None,
            },
            _ => None,
        };
        let regions = self.pool.parts([invariant]).filter_map(read);
        regions
            .map(|region| region_of_invariant(program, region))
            .filter(|(_, then)| !then)
            .map(|(region, _)| region)
            .collect()
    }
}

impl<'a> Executor<'a> {
    /// Claims the invariants of a loop at its head, and notes what variables hold where it is entered. Where an induction
    /// begins, the state is made to stand for all iterations: what an iteration may write has any value that the invariants
    /// allow.
    pub(super) fn at_head(&mut self, state: &mut State, place: Place) -> Result<(), Unsupported> {
        let stacks = self.stacks;
        let claimed = stacks.claimed(place);
        if let Some((invariants, entered)) = claimed {
            if entered == place.stack {
                self.note_ghosts(state, place, invariants)?;
            }
            let mut all = Vec::with_capacity(invariants.list.len());
            // If one of them is broken, all values for which it is are as good as this one.
            let mut values: FxHashMap<Type, Term> = FxHashMap::default();
            for &invariant in invariants.list {
                let ty = invariants.about_all(self.program, invariant);
                if let Some(ty) = ty.filter(|ty| !values.contains_key(ty)) {
                    values.insert(ty, Term::fresh("any", ty)?);
                }
                let any = ty.map(|ty| values[&ty].clone());
                all.push(self.invariant(state, (place, entered), invariants, (invariant, any))?);
            }
            self.broken.push(Broken { place, guard: state.guard.and(&Truth::all(all).not()) });
        }
        if let Some(written) = stacks.forgets(place) {
            self.generalise(state, place, written)?;
            if let Some((invariants, entered)) = claimed {
                // Where nothing meets the invariants, nothing goes on, but what came here did: else their instances would
                // exclude that it came here and breaks them.
                state.guard = state.guard.and(&Formula::fresh("goes on").into());
                self.assume(state, (place, entered), invariants)?;
            }
        }
        Ok(())
    }

    /// Notes what the variables of ghosts hold, and the regions that invariants read as they were here.
    fn note_ghosts(
        &mut self,
        state: &State,
        place: Place,
        invariants: Invariants<'_>,
    ) -> Result<(), Unsupported> {
        let callee = self.stacks.top(place.stack).callee;
        let mut ghosts = Ghosts::default();
        for &(var, _) in invariants.slots.iter().filter(|(_, level)| *level == AT_ENTRY) {
            if self.program.vars[var].owner.is_none_or(|owner| owner == callee) {
                let now = self.slot(state, self.stacks.slot(self.program, place.stack, var))?;
                ghosts.vars.push((Slot { var, level: AT_ENTRY }, now));
            }
        }
        for (region, then) in invariants.regions(self.program, invariants.list) {
            if self.is_flat(region) {
                return Err(Unsupported("an invariant about a region that has no map".into()));
            }
            if then {
                let cells = self.cells(state, region)?;
                ghosts.regions.insert(region, self.flat(region, &cells)?);
            }
        }
        match self.met.ghosts.insert((place.loc, place.stack), ghosts) {
            None => Ok(()),
            Some(_) => Err(Unsupported("a loop that is entered in two states".into())),
        }
    }

    /// Assumes the invariants of a state; those about all values later.
    fn assume(
        &mut self,
        state: &mut State,
        at: (Place, Stack),
        invariants: Invariants<'a>,
    ) -> Result<(), Unsupported> {
        let mut later = Vec::new();
        for &invariant in invariants.list {
            match invariants.about_all(self.program, invariant) {
                Some(ty) => later.push((invariant, ty)),
                None => {
                    let holds = self.invariant(state, at, invariants, (invariant, None))?;
                    state.guard = state.guard.and(&holds);
                }
            }
        }
        for (invariant, ty) in later {
            let mut maps = Vec::new();
            for region in invariants.read_at_all(self.program, invariant) {
                maps.push(self.flatten(state, region)?);
            }
            self.met.assumed.push(Assumed { invariants, invariant, ty, maps, state: state.clone(), at });
        }
        Ok(())
    }

    /// What invariants about all values say of the values at which formulas read memory, and of those at which this reads it in
    /// turn.
    pub(crate) fn instances(&mut self, formulas: &[Formula]) -> Result<Vec<Formula>, Unsupported> {
        let assumed = std::mem::take(&mut self.met.assumed);
        let about: Vec<_> = assumed.iter().map(|assumed| (assumed.ty, assumed.maps.clone())).collect();
        let (mut instances, mut facts) = (Instances::default(), Vec::new());
        let mut next = formulas.to_vec();
        while !next.is_empty() && !self.limits.is_over() {
            let found = instances.of(&next, &about);
            next.clear();
            for (number, any) in found {
                let Assumed { invariants, invariant, state, at, .. } = &assumed[number];
                let holds = self.invariant(state, *at, *invariants, (*invariant, Some(any)))?;
                let says = state.guard.not().or(&holds);
                next.extend(says.formula());
            }
            facts.extend_from_slice(&next);
        }
        Ok(facts)
    }

    /// Whether an invariant holds, of a value if it is about all of them.
    fn invariant(
        &mut self,
        state: &State,
        (place, entered): (Place, Stack),
        invariants: Invariants<'_>,
        (invariant, any): (ExprId, Option<Term>),
    ) -> Result<Truth, Unsupported> {
        let (program, stacks, stack) = (self.program, self.stacks, place.stack);
        let names = AtHead { program, stacks, stack, slots: invariants.slots };
        let mut seen = state.clone();
        let key = (place.loc, entered);
        let ghosts = self.met.ghosts.get(&key);
        let ghosts =
            ghosts.ok_or_else(|| Unsupported("an iteration of a loop that was not entered".into()))?;
        seen.vars.extend(ghosts.vars.iter().cloned());
        let regions = ghosts.regions.clone();
        if any.is_none() && regions.is_empty() {
            return self.holds(&mut seen, invariants.pool, &names, invariant);
        }
        let encoder = self.encoder.with_pool(invariants.pool);
        let reader = Reader::new(self, &mut seen, &names);
        let mut valuation = OfInvariant { reader, regions: &regions, any };
        Ok(encoder.holds(invariant, &mut valuation)?.into())
    }
}
