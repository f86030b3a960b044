//! k-induction over the iterations of loops, within one unrolling.
//!
//! A loop goes through `k` iterations as in the program. Where it goes back to its head for the `k`-th time,
//! everything that it may write is havocked. Then `k` iterations follow that are assumed not to violate
//! anything and not to leave the loop; one more iteration is checked. If neither the first `k` iterations nor
//! the checked one reach a target, no iteration does: see `ir-spec/proofs.md`.

use super::explore::{Bounds, QUESTION, Reached, Setting, Unrolling};
use super::inductive_loops::InductiveLoops;
use super::invariants::Invariants;
use super::unrolled::Unrolled;
use super::{FIRST, FORCED, Search, TICKS_OF_A_GATE};
use crate::outcome::verdict::{self, Proof};
use beeline_ir::{LocId, Program};
use beeline_smt::solver::{contradict_in_integers, decide_once, gates, is_of_bits};
use beeline_smt::{Formula, QueryLimits, Questions};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;
use tracing::{debug, info};

/// The kinds of induction that are tried.
const KINDS: [Kind; 2] = [Kind { iterations: 1, about_all: false }, Kind { iterations: 3, about_all: false }];
/// The kind that is tried where elements of memory matter.
const ABOUT_ALL: Kind = Kind { iterations: 1, about_all: true };

/// A kind of induction.
#[derive(Debug, Clone, Copy)]
struct Kind {
    /// The `k`.
    iterations: u32,
    /// Whether candidates for invariants are about all elements of memory, too.
    about_all: bool,
}

impl Search<'_, '_> {
    /// Shows by induction that no open target is reached, with so many ticks: over the iterations of some loops, and of
    /// further loops that go on beside them.
    pub(super) fn induct(&mut self, heads: &BTreeSet<LocId>, most: u64) -> bool {
        self.induct_by(&KINDS, heads, most)
    }

    /// The same with invariants about all elements of memory, if loops go through some.
    pub(super) fn induct_about_all(&mut self, heads: &BTreeSet<LocId>, most: u64) -> bool {
        self.induct_by(&[ABOUT_ALL], heads, most)
    }

    fn induct_by(&mut self, kinds: &[Kind], heads: &BTreeSet<LocId>, most: u64) -> bool {
        let until = self.meter.used().saturating_add(most);
        let limits = QueryLimits::of(self.options.query_ticks, Rc::clone(&self.meter)).within(most);
        let shown = kinds.iter().any(|&kind| self.induct_over(heads, kind, (&limits, until)));
        self.statistics.add_queries(&limits);
        shown
    }

    /// The same for one kind of induction. Loops that go on beside the first ones are unrolled if their conditions
    /// have values, before the induction is over these as well.
    fn induct_over(&mut self, begun: &BTreeSet<LocId>, kind: Kind, limits: (&QueryLimits, u64)) -> bool {
        let mut heads = begun.clone();
        while !heads.is_empty() && heads.iter().all(|&head| is_entered_at(self.program, self.control, head)) {
            let mut attempt = self.induction(&heads, FIRST, kind, limits);
            let mut further = BTreeSet::new();
            if let Some(Attempt::GoesOn(more)) = attempt {
                further = more;
                let is_first = heads == *begun;
                attempt = is_first.then(|| self.induction(&heads, FIRST * FORCED, kind, limits)).flatten();
            }
            if let Some(Attempt::Shown(proof)) = attempt {
                let (loops, invariants) = (heads.len(), proof.invariants.len());
                info!(?kind, loops, invariants, "no target is reached, by induction");
                self.answers.open_excluded(Proof::Unrolling(proof));
                return true;
            }
            let before = heads.len();
            heads.extend(further);
            if heads.len() == before {
                return false;
            }
        }
        false
    }

    /// An induction beside which other loops are unrolled a few times, and those whose conditions have values as often as
    /// `forced` says.
    fn induction(
        &mut self,
        heads: &BTreeSet<LocId>,
        forced: u32,
        kind: Kind,
        (limits, until): (&QueryLimits, u64),
    ) -> Option<Attempt> {
        let program = self.program;
        let inductions = InductiveLoops::new(program, self.control, heads, kind.iterations);
        let bounds = Bounds { iterations: FIRST, of: FxHashMap::default(), forced };
        let setting = Setting {
            program,
            control: self.control,
            meter: &self.meter,
            until,
            monitor: self.monitor,
            query_ticks: self.options.query_ticks,
            bounds: &bounds,
            inductions: &inductions,
            left_out: &self.left_out,
        };
        let invariants = Invariants::candidates(program, self.control, &inductions, kind.about_all);
        if kind.about_all && !invariants.are_about_all() {
            return None;
        }
        let mut unrolling = Unrolling::new(setting, self.distances, invariants);
        unrolling.run().ok()?;
        let ends = unrolling.ends();
        let Unrolling { mut executor, block, done, reached, parked, mut invariants, .. } = unrolling;
        if !parked.is_empty() {
            return Some(Attempt::GoesOn(parked.iter().map(|at| block.nodes[at.node].loc).collect()));
        }
        // An undefined operation counts like a target.
        let source = |edge: usize| block.nodes[block.edges[edge].src];
        let undefined = done.undefined.iter();
        let undefined =
            undefined.filter(|(edge, _)| !inductions.assume(program, self.control, source(**edge)));
        let met = reached.into_iter().map(|Reached { guard, .. }| guard);
        let bad = Formula::any(met.chain(undefined.map(|(_, when)| when.formula())));
        let read = [&executor.facts[..], std::slice::from_ref(&bad)].concat();
        let instances = invariants.instances(&mut executor, (program, self.control), &read).ok()?;
        executor.facts.extend(instances);
        // Questions count the gates that they make.
        if !kind.about_all {
            let made = gates(&[&executor.facts[..], std::slice::from_ref(&bad)].concat()) * TICKS_OF_A_GATE;
            if self.meter.used().saturating_add(made) > until {
                return None;
            }
            self.meter.charge(made);
        }
        let left = until.saturating_sub(self.meter.used());
        let asked = QueryLimits::of(QUESTION.min(self.options.query_ticks), Rc::clone(&self.meter));
        let mut questions = Questions::new(asked.within(left));
        let is_shown = exclude((&executor.facts, &bad), &mut invariants, &mut questions, limits);
        self.statistics.add_queries(questions.limits());
        is_shown.then(|| {
            let inductions = heads.iter().map(|&head| (head, kind.iterations)).collect();
            let (contexts, places) = (self.control.contexts(), block.nodes.len());
            Attempt::Shown(Box::new(verdict::Unrolling {
                contexts,
                ends,
                places,
                inductions,
                invariants: invariants.all(),
                predicates: invariants.predicates,
                undefined: Vec::new(),
            }))
        })
    }
}

/// Whether no execution does something bad, perhaps by invariants. Those that are left are needed for it.
fn exclude(
    (facts, bad): (&[Formula], &Formula),
    invariants: &mut Invariants,
    questions: &mut Questions,
    limits: &QueryLimits,
) -> bool {
    let with = |assumed: Vec<Formula>| [facts, std::slice::from_ref(bad), &assumed[..]].concat();
    if !invariants.are_about_all() && decide_once(&with(Vec::new()), limits).is_unsat() {
        invariants.give_up();
        return true;
    }
    let candidates = invariants.all().len();
    invariants.choose(facts, questions);
    debug!(candidates, chosen = invariants.all().len(), "invariants of loops");
    if invariants.is_empty() {
        return false;
    }
    let assumed = invariants.assumed();
    match questions.may_hold(facts, &Formula::all(assumed.iter().cloned()).and(bad)) {
        Some(may) => !may,
        None => {
            let formulas = with(assumed);
            let is_of_bits = formulas.iter().all(is_of_bits);
            is_of_bits && contradict_in_integers(&formulas, limits)
                || decide_once(&formulas, limits).is_unsat()
        }
    }
}

/// The result of an unrolling with inductions.
enum Attempt {
    /// No target is reached.
    Shown(Box<verdict::Unrolling>),
    /// These loops or recursions go on.
    GoesOn(BTreeSet<LocId>),
}

/// Whether the location is the head of a loop that can be entered only there.
fn is_entered_at(program: &Program, control: &Unrolled, head: LocId) -> bool {
    let is_inside = |loc: LocId| control.heads(loc).contains(&head);
    let begins = |entry: LocId| is_inside(entry) && entry != head;
    let enters = |src: LocId, dst: LocId| dst != head && is_inside(dst) && !is_inside(src);
    control.is_head(head)
        && !program.functions.values().any(|function| begins(function.entry()))
        && !program.edges.values().any(|edge| enters(edge.src, edge.dst))
}
