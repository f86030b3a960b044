//! A Z3 context of its own for work that shares no term with other work. The cost of Z3 grows with every term
//! that its context ever had, even with unused ones.

use crate::{limits, shape};

/// Runs work in a context of its own. Neither its input nor its result may contain a term: terms stay in
/// their context.
pub fn in_own_context<R: Send + Sync>(work: impl FnOnce() -> R + Send + Sync) -> R {
    shape::forget();
    let outside = limits::count_anew(0);
    let result = z3::with_z3_config(&z3::Config::new(), || {
        let result = work();
        shape::forget();
        result
    });
    limits::count_anew(outside);
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::used_by;
    use z3::ast::BV;
    use z3::{SatResult, Solver};

    /// Joins two halves of a number that is 6 and greater than 5; returns Z3's ticks.
    fn ask() -> u64 {
        let whole = BV::new_const("n", 32);
        let halves = [shape::extract(&whole, 31, 16), shape::extract(&BV::new_const("m", 32), 15, 0)];
        let number = shape::concat(&halves);
        let solver = Solver::new();
        solver.assert(number.bvugt(5));
        solver.assert(number.eq(6));
        assert_eq!(solver.check(), SatResult::Sat);
        used_by(&solver)
    }

    #[test]
    fn each_context_counts_on_from_what_it_showed() {
        let (first, again) = (ask(), ask());
        let (inside, behind) = (in_own_context(ask), ask());
        assert_eq!((inside, behind), (first, again));
        assert!(first > 0);
    }
}
