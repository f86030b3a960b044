//! A context of its own for work that shares no term with other work: what Z3 does costs more with every term that its
//! context ever had, also with those that nobody needs any more.

use crate::{limits, shape};

/// Does work in a context of its own. What it is given and what it returns has no term in it: these stay where they were
/// made.
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

    /// Two halves that are put together, of a number that is 6 and larger than 5; what Z3 used for that.
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
