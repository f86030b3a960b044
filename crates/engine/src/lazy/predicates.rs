//! Refinement by predicates: their sources, the order in which these are tried, and the last resorts.

use crate::control::place::Place;
use crate::options::{Arithmetics, Options, PredicateSource};
use crate::paths::Path;
use crate::refine::newton;
use crate::refine::path_predicates::{Found, by_single_paths, has_branches};
use crate::refine::path_program::{self, Shape};
use crate::refine::refiner::{Evidence, Pivot, Refiner};
use crate::refine::{self, Effort, Wanted};
use crate::search::policy::{self, Invariants};
use crate::state::precision::Knowledge;
use beeline_smt::interpolate::Arithmetic;
use rustc_hash::{FxHashMap, FxHashSet};
use tracing::debug;

/// The predicate refiner, with its memory of earlier paths.
#[derive(Debug)]
pub(super) struct PredicateRefiner {
    source: PredicateSource,
    arithmetic: Arithmetics,
    /// The greatest number of ticks for one query of abstraction.
    most_ticks: u64,
    /// The places of the path that was refined last.
    last_refined: Vec<Place>,
    /// The number of paths to be excluded so far, by the shape of their path programs.
    path_programs: FxHashMap<Shape, u32>,
    /// The ticks spent on invariants.
    on_invariants: u64,
    /// Whether predicates of single paths helped with the last path whose blocks had no interpolants: these come first then.
    by_single_paths: bool,
    /// Whether the last path stayed although predicates were found that should exclude it.
    pub found_some: bool,
}

/// An attempt to exclude a path.
struct Attempt<'a, 'e> {
    path: &'a Path,
    evidence: &'a Evidence<'e>,
    known: &'a mut Knowledge,
}

impl Refiner for PredicateRefiner {
    fn refine(
        &mut self,
        paths: &[Path],
        evidence: &Evidence<'_>,
        known: &mut Knowledge,
    ) -> Vec<Option<Pivot>> {
        let refined = paths.iter().map(|path| self.exclude(&mut Attempt { path, evidence, known }));
        refined.map(|pivot| pivot.map(Pivot::State)).collect()
    }
}

impl PredicateRefiner {
    /// A refiner that has seen no path yet.
    pub(super) fn new(options: &Options) -> PredicateRefiner {
        PredicateRefiner {
            source: options.refiner,
            arithmetic: options.arithmetic,
            most_ticks: options.query_ticks,
            last_refined: Vec::new(),
            path_programs: FxHashMap::default(),
            on_invariants: 0,
            by_single_paths: false,
            found_some: false,
        }
    }

    fn exclude(&mut self, attempt: &mut Attempt<'_, '_>) -> Option<usize> {
        let arithmetics = self.arithmetics_for(attempt);
        self.found_some = false;
        let mut conditions = None;
        // Whether predicates of single paths leave no path through the blocks.
        let mut excluded = false;
        let times = self.count_path_program(attempt.path);
        let mut invariants = policy::invariants(times);
        let mut pivot = self.shorten(attempt, arithmetics);
        if pivot.is_none() && invariants == Invariants::First {
            pivot = self.invariants(attempt, times);
            invariants = Invariants::Never;
        }
        if self.source == PredicateSource::All && pivot.is_none() && has_branches(attempt.path) {
            if !self.by_single_paths {
                pivot = self.interpolate(attempt, arithmetics, policy::QUICK);
            }
            if pivot.is_none() && !self.found_some {
                (pivot, excluded) = self.single_paths(attempt, arithmetics);
            }
        }
        for (number, effort) in policy::EFFORTS.into_iter().enumerate() {
            if self.source != PredicateSource::Conditions && pivot.is_none() && !excluded {
                pivot = self.interpolate(attempt, arithmetics, effort);
            }
            let tried = self.source != PredicateSource::Interpolants && pivot.is_none() && !excluded;
            if let Some(most) = policy::most_conditions(number).filter(|_| tried) {
                let found = conditions.get_or_insert_with(|| attempt.conditions());
                let preds: FxHashSet<_> = found.iter().flatten().flat_map(|wanted| &wanted.preds).collect();
                if let Some(found) = found.as_ref().filter(|_| preds.len() <= most) {
                    self.found_some = true;
                    pivot = attempt.add_wanted(found);
                }
            }
            pivot = pivot.or_else(|| attempt.outdated());
            if pivot.is_none() && invariants == Invariants::Last {
                pivot = self.invariants(attempt, times.max(policy::FIRST_INVARIANTS));
                invariants = Invariants::Never;
            }
            // A return to values that are no longer tracked is better than what follows.
            let last_resort = attempt.known.precision.banned.is_empty();
            if pivot.is_none() && self.found_some && last_resort {
                pivot = attempt.abstract_better(self.most_ticks);
            }
            if pivot.is_none() && (number > 0 || self.found_some) && last_resort {
                pivot = attempt.take_all_conditions();
            }
            if pivot.is_some() || self.found_some || !last_resort || attempt.evidence.limits.is_over() {
                break;
            }
        }
        pivot
    }

    /// The arithmetics in which to look for predicates, in order.
    fn arithmetics_for(&mut self, attempt: &Attempt<'_, '_>) -> &'static [Arithmetic] {
        let places: Vec<Place> =
            attempt.path.states.iter().map(|&state| attempt.evidence.arg[state].place).collect();
        // Predicates from unbounded integers need not exclude the path. If it came back, they did not.
        let again = places == self.last_refined;
        self.last_refined = places;
        match self.arithmetic {
            Arithmetics::BitVectors => &[Arithmetic::BitVectors],
            Arithmetics::Integers => &[Arithmetic::Integers],
            Arithmetics::Both if again => &[Arithmetic::BitVectors],
            Arithmetics::Both => &[Arithmetic::Integers, Arithmetic::BitVectors],
        }
    }

    /// The number of paths with these blocks so far, including this one; zero if invariants are not to be
    /// computed.
    fn count_path_program(&mut self, path: &Path) -> u32 {
        if self.source != PredicateSource::All {
            return 0;
        }
        let shape = path_program::shape(path);
        if !policy::has_invariants(shape.len()) {
            return 0;
        }
        let times = self.path_programs.entry(shape).or_default();
        *times += 1;
        *times
    }

    /// Adds invariants of the path's loops. Returns the first state with something new.
    fn invariants(&mut self, attempt: &mut Attempt<'_, '_>, times: u32) -> Option<usize> {
        // If the loops come back once more, unbounded integers did not suffice.
        use Arithmetic::{BitVectors, FittingIntegers, Integers, WrappingIntegers};
        let arithmetics: &[Arithmetic] = match (self.arithmetic, times > policy::FIRST_INVARIANTS) {
            (Arithmetics::BitVectors, _) => &[BitVectors],
            (_, false) => &[Integers, WrappingIntegers],
            (Arithmetics::Integers, true) => &[FittingIntegers, WrappingIntegers],
            (Arithmetics::Both, true) => &[FittingIntegers, WrappingIntegers, BitVectors],
        };
        let Evidence { program, control, limits, meter, patience, .. } = *attempt.evidence;
        let before = meter.used();
        let ticks = policy::invariant_ticks(times, before, self.on_invariants, patience);
        let first_new = arithmetics.iter().find_map(|&arithmetic| {
            let predicates = &mut attempt.known.predicates;
            let (path, found) = (attempt.path, path_program::by_invariants);
            let found = found(program, control, path, predicates, arithmetic, limits, ticks);
            debug!(?arithmetic, ticks, found = found.is_some(), "invariants of the path's loops");
            attempt.add_wanted(&found?)
        });
        self.on_invariants += meter.used() - before;
        first_new
    }

    /// Adds predicates that exclude the path even if a call on it does anything that the postconditions
    /// allow. Returns the first state with something new.
    fn shorten(&mut self, attempt: &mut Attempt<'_, '_>, arithmetics: &[Arithmetic]) -> Option<usize> {
        if self.source == PredicateSource::Conditions {
            return None;
        }
        let shortcut = attempt.path.shortcut.as_deref()?;
        let Evidence { program, control, limits, .. } = *attempt.evidence;
        arithmetics.iter().find_map(|&arithmetic| {
            let predicates = &mut attempt.known.predicates;
            let (effort, found) = (policy::EFFORTS[0], refine::by_shortcut);
            let found = found(program, control, shortcut, predicates, arithmetic, limits, effort);
            debug!(?arithmetic, found = found.is_some(), "interpolants of the path with a popped call");
            attempt.add_wanted(&found?)
        })
    }

    /// Adds predicates from interpolants. Returns the first state with something new.
    fn interpolate(
        &mut self,
        attempt: &mut Attempt<'_, '_>,
        arithmetics: &[Arithmetic],
        effort: Effort,
    ) -> Option<usize> {
        let Evidence { program, control, limits, .. } = *attempt.evidence;
        arithmetics.iter().find_map(|&arithmetic| {
            let predicates = &mut attempt.known.predicates;
            let (path, found) = (attempt.path, refine::by_predicates);
            let found = found(program, control, path, predicates, arithmetic, limits, effort);
            debug!(?arithmetic, ticks = effort.ticks, found = found.is_some(), "interpolants");
            self.found_some |= found.is_some();
            attempt.add_wanted(&found?)
        })
    }

    /// Adds predicates that exclude one single path after the other through the blocks. Returns the first state with something
    /// new, and whether no path remains.
    fn single_paths(
        &mut self,
        attempt: &mut Attempt<'_, '_>,
        arithmetics: &[Arithmetic],
    ) -> (Option<usize>, bool) {
        let Knowledge { predicates, precision, .. } = &mut *attempt.known;
        let (path, evidence) = (attempt.path, attempt.evidence);
        let found = by_single_paths(evidence, path, (predicates, precision), arithmetics);
        self.by_single_paths = found.is_some();
        let Some(Found { wanted, is_excluded }) = found else { return (None, false) };
        self.found_some |= is_excluded;
        (attempt.add_wanted(&wanted), is_excluded)
    }
}

impl Attempt<'_, '_> {
    /// Predicates from the contradictory conditions of the path.
    fn conditions(&mut self) -> Option<Vec<Wanted>> {
        let Evidence { program, control, limits, .. } = *self.evidence;
        newton::by_core(program, control, self.path, &mut self.known.predicates, limits)
    }

    /// The first state that is older than the precision, and may profit from it.
    fn outdated(&self) -> Option<usize> {
        let (states, version) = (&self.path.states, self.known.precision.version);
        (1..states.len()).find(|&index| self.evidence.arg[states[index]].version < version)
    }

    /// Increases the effort of abstraction for predicates that exclude a path which came back. Returns where
    /// to explore anew, if more can be done.
    fn abstract_better(&mut self, most_ticks: u64) -> Option<usize> {
        self.known.care = policy::more_care(self.known.care, most_ticks)?;
        debug!(care = ?self.known.care, "a path came back although predicates exclude it: more effort");
        self.known.precision.version += 1;
        Some(1)
    }

    /// Adds the conditions on the path as predicates. Returns the first state with something new.
    fn take_all_conditions(&mut self) -> Option<usize> {
        let Evidence { program, control, .. } = *self.evidence;
        let found = refine::by_conditions(program, control, self.path, &mut self.known.predicates);
        self.add_wanted(&found)
    }

    /// Adds predicates along a path to the precision. Returns the first state with something new.
    fn add_wanted(&mut self, found: &[Wanted]) -> Option<usize> {
        let (program, arg, states) = (self.evidence.program, self.evidence.arg, &self.path.states);
        let precision = &mut self.known.precision;
        let mut first_new = None;
        for (index, wanted) in found.iter().enumerate() {
            let loc = arg[states[index + 1]].place.loc;
            if wanted.contradiction && precision.check_at(loc) {
                first_new = first_new.min(Some(index + 1)).or(Some(index + 1));
            }
            let mut new = false;
            for &pred in &wanted.preds {
                new |= precision.add_pred(program, loc, pred);
            }
            if new {
                // Earlier places may use the predicates too.
                let alike = |&state: &_| precision.alike(program, arg[state].place.loc, loc);
                let first = states.iter().skip(1).position(alike).map_or(index + 1, |position| position + 1);
                first_new = first_new.min(Some(first)).or(Some(first));
            }
        }
        first_new
    }
}
