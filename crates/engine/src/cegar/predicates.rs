//! Predicates for infeasible paths: where they come from, in which order, and what is done when
//! nobody finds new ones.

use super::{Arithmetics, Checked, Refiner, Search};
use crate::abstraction::Abstraction;
use crate::arg::NodeId;
use crate::newton;
use crate::path_program;
use crate::place::Place;
use crate::refine::{self, Effort, Path};
use crate::verdict::Reason;
use beeline_smt::interpolate::Arithmetic;
use rustc_hash::FxHashSet;
use std::time::{Duration, Instant};

/// How interpolants are looked for, first and when that found none.
const EFFORTS: [Effort; 4] = [
    Effort { time: Duration::from_millis(300), slice: false },
    Effort { time: Duration::from_millis(1500), slice: true },
    Effort { time: Duration::from_secs(6), slice: true },
    Effort { time: Duration::from_secs(24), slice: true },
];
/// How many of a path's own conditions may become predicates, when interpolants were looked for once and twice.
const MOST_CONDITIONS: [usize; 2] = [12, usize::MAX];
/// Time for the invariants of a path program that came back once; it grows with the square of how often.
const INVARIANT_TIME: Duration = Duration::from_millis(125);

/// Time that they get in any case.
const LEAST_INVARIANT_TIME: Duration = Duration::from_millis(300);
/// How many blocks a path program may have.
const MOST_BLOCKS: usize = 100;
/// How often a path program has to come for its invariants to be looked for: not with the first path.
const FIRST_INVARIANTS: u32 = 2;

impl Search<'_, '_> {
    /// Adds predicates that exclude the path, and cuts the graph where they are new.
    pub(super) fn refine_predicates(&mut self, ids: &[NodeId], path: &Path) -> Checked {
        let places: Vec<Place> = ids.iter().map(|&id| self.arg[id].place).collect();
        // Predicates from unbounded integers need not exclude the path. If it came back, they did not.
        let again = places == self.last_refined;
        self.last_refined = places;
        let exact = again && self.options.arithmetic == Arithmetics::Both;
        let arithmetics = if exact { &[Arithmetic::BitVectors] } else { self.arithmetics() };
        let mut found_some = false;
        let mut pivot = None;
        let mut conditions = None;
        let times = self.count_path_program(path);
        let now = times >= FIRST_INVARIANTS && times.is_power_of_two();
        let mut later = times > 0 && !now;
        if now {
            pivot = self.invariants(ids, path, times);
        }
        for (attempt, effort) in EFFORTS.into_iter().enumerate() {
            if self.options.refiner != Refiner::Conditions && pivot.is_none() {
                pivot = self.interpolate(ids, path, arithmetics, effort, &mut found_some);
            }
            let tried = self.options.refiner != Refiner::Interpolants && pivot.is_none();
            if let Some(&most) = MOST_CONDITIONS.get(attempt).filter(|_| tried) {
                let found = conditions.get_or_insert_with(|| self.conditions(path));
                let preds: FxHashSet<_> = found.iter().flatten().flat_map(|wanted| &wanted.preds).collect();
                if let Some(found) = found.as_ref().filter(|_| preds.len() <= most) {
                    found_some = true;
                    pivot = self.add_wanted(ids, found);
                }
            }
            // Without new predicates, a state that is older than the precision may profit from it.
            let version = self.precision.version;
            let outdated = |&index: &usize| self.arg[ids[index]].version < version;
            pivot = pivot.or_else(|| (1..ids.len()).find(outdated));
            if pivot.is_none() && std::mem::take(&mut later) {
                pivot = self.invariants(ids, path, times.max(FIRST_INVARIANTS));
            }
            // Values that were given up are a better way out than what follows.
            let last_resort = self.precision.banned.is_empty();
            if pivot.is_none() && found_some && last_resort {
                pivot = self.abstract_better();
            }
            if pivot.is_none() && (attempt > 0 || found_some) && last_resort {
                let found = refine::by_conditions(self.program, &self.stacks, path, &mut self.predicates);
                pivot = self.add_wanted(ids, &found);
            }
            if pivot.is_some() || found_some || !last_resort || self.limit_reached().is_some() {
                break;
            }
        }
        let Some(pivot) = pivot else {
            return Checked::Unresolved(if found_some { Reason::NoProgress } else { Reason::NoPredicates });
        };
        self.statistics.predicate_refinements += 1;
        for id in self.arg.cut(ids[pivot]) {
            self.wait(id);
        }
        Checked::Refined
    }

    /// How often a path of these blocks came, this one included; zero if nobody wants its invariants.
    fn count_path_program(&mut self, path: &Path) -> u32 {
        if self.options.refiner != Refiner::All {
            return 0;
        }
        let shape = path_program::shape(path);
        if shape.len() > MOST_BLOCKS {
            return 0;
        }
        let times = self.path_programs.entry(shape).or_default();
        *times += 1;
        *times
    }

    /// Adds invariants of the path's loops; returns where something was new first.
    fn invariants(&mut self, ids: &[NodeId], path: &Path, times: u32) -> Option<usize> {
        // What unbounded integers brought did not suffice if the loops come back once more.
        use Arithmetic::{BitVectors, FittingIntegers, Integers, WrappingIntegers};
        let arithmetics: &[Arithmetic] = match (self.options.arithmetic, times > FIRST_INVARIANTS) {
            (Arithmetics::BitVectors, _) => &[BitVectors],
            (_, false) => &[Integers, WrappingIntegers],
            (Arithmetics::Integers, true) => &[FittingIntegers, WrappingIntegers],
            (Arithmetics::Both, true) => &[FittingIntegers, WrappingIntegers, BitVectors],
        };
        // All such tries together get a quarter of the run, beyond a little for each.
        let start = Instant::now();
        let fair = start.duration_since(self.start).saturating_sub(self.invariants_time * 4) / 4;
        let mut time = (INVARIANT_TIME * times * times).min(fair.max(LEAST_INVARIANT_TIME));
        if !self.precision.banned.is_empty() {
            time = time.min(self.patience / 2);
        }
        let mut first_new = None;
        for &arithmetic in arithmetics {
            let (predicates, limits) = (&mut self.predicates, &self.limits);
            let (program, stacks) = (self.program, &self.stacks);
            let found =
                path_program::by_invariants(program, stacks, path, predicates, arithmetic, limits, time);
            first_new = found.and_then(|found| self.add_wanted(ids, &found));
            if first_new.is_some() {
                break;
            }
        }
        self.invariants_time += start.elapsed();
        self.statistics.predicate_time += start.elapsed();
        first_new
    }

    /// In which numbers to look for predicates, in that order.
    fn arithmetics(&self) -> &'static [Arithmetic] {
        match self.options.arithmetic {
            Arithmetics::BitVectors => &[Arithmetic::BitVectors],
            Arithmetics::Integers => &[Arithmetic::Integers],
            Arithmetics::Both => &[Arithmetic::Integers, Arithmetic::BitVectors],
        }
    }

    /// Adds predicates from interpolants; returns where something was new first.
    fn interpolate(
        &mut self,
        ids: &[NodeId],
        path: &Path,
        arithmetics: &[Arithmetic],
        effort: Effort,
        found_some: &mut bool,
    ) -> Option<usize> {
        for &arithmetic in arithmetics {
            let start = Instant::now();
            let (predicates, limits) = (&mut self.predicates, &self.limits);
            let found = refine::by_predicates(
                self.program,
                &self.stacks,
                path,
                predicates,
                arithmetic,
                limits,
                effort,
            );
            self.statistics.predicate_time += start.elapsed();
            let Some(found) = found else { continue };
            *found_some = true;
            let first_new = self.add_wanted(ids, &found);
            if first_new.is_some() {
                return first_new;
            }
        }
        None
    }

    /// Predicates from the conditions of a path that contradict each other.
    fn conditions(&mut self, path: &Path) -> Option<Vec<refine::Wanted>> {
        let start = Instant::now();
        let (predicates, limits) = (&mut self.predicates, &self.limits);
        let found = newton::by_core(self.program, &self.stacks, path, predicates, limits);
        self.statistics.predicate_time += start.elapsed();
        found
    }

    /// The predicates exclude a path that came back: they have to be combined, or the solver had too
    /// little time. Returns where the path is to be explored anew, if more can be done.
    fn abstract_better(&mut self) -> Option<usize> {
        if self.abstraction == Abstraction::Cartesian {
            self.abstraction = Abstraction::Boolean;
        } else if self.quick.query_time < self.options.query_time {
            self.quick.query_time = self.quick.query_time.saturating_mul(4).min(self.options.query_time);
        } else {
            return None;
        }
        self.precision.version += 1;
        Some(1)
    }

    /// Adds what is wanted along a path to the precision; returns where something was new first.
    fn add_wanted(&mut self, ids: &[NodeId], found: &[refine::Wanted]) -> Option<usize> {
        let mut first_new = None;
        for (index, wanted) in found.iter().enumerate() {
            let loc = self.arg[ids[index + 1]].place.loc;
            if wanted.contradiction && self.precision.check_at(loc) {
                first_new = first_new.min(Some(index + 1)).or(Some(index + 1));
            }
            let mut new = false;
            for &pred in &wanted.preds {
                new |= self.precision.add_pred(self.program, loc, pred);
            }
            if new {
                // Other places before may use the predicates too.
                let alike = |id: &NodeId| self.precision.alike(self.program, self.arg[*id].place.loc, loc);
                let first = ids.iter().skip(1).position(alike).map_or(index + 1, |position| position + 1);
                first_new = first_new.min(Some(first)).or(Some(first));
            }
        }
        first_new
    }
}
