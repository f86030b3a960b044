//! Precision reuse: the precision of a search in a file, so that the next one does not have to find its
//! predicates and values again.
//!
//! A reused precision determines how much a search knows from the start, never what is true.

use crate::control::place::Slot;
use crate::options::Options;
use crate::outcome::predicate_table::Table;
use crate::state::precision::{Knowledge, Part, PredId};
use crate::values::Tracked;
use beeline_ir::Program;
use beeline_run::{RunLook, RunPrecision, RunScope, RunTracked};
use rustc_hash::FxHashSet;

impl Knowledge {
    /// The precision, for a file.
    pub fn precision(&self) -> RunPrecision {
        let mut table = Table::new(&self.predicates);
        let looks = self.precision.looks().into_iter().map(|(part, preds)| RunLook {
            scope: match part {
                Part::Location(loc) => RunScope::Location(loc),
                Part::Function(func) => RunScope::Function(func),
                Part::Program => RunScope::Program,
            },
            predicates: preds.iter().map(|&pred| table.pred(pred)).collect(),
        });
        let looks = looks.collect();
        let Table { exprs, preds, .. } = table;
        RunPrecision {
            exprs,
            predicates: preds,
            looks,
            asked: sorted(&self.precision.checked),
            tracked: sorted(&self.precision.tracked).into_iter().map(written).collect(),
            given_up: sorted(&self.precision.banned).into_iter().map(written).collect(),
        }
    }
}

impl Options {
    /// The knowledge of a search that reuses a precision. It is empty if the precision does not fit the
    /// program.
    pub fn recalled(&self, program: &Program, looked: &RunPrecision) -> Knowledge {
        let mut known = self.nothing_known();
        let Ok(read) = looked.predicates_over(program) else { return known };
        let slots: Vec<Slot> = read.slots.into_iter().map(|(var, level)| Slot { var, level }).collect();
        let import = |&expr| known.predicates.add_written(program, (&read.pool, &slots), expr);
        let preds: Vec<PredId> = read.exprs.iter().map(import).collect();
        for look in &looked.looks {
            let part = match look.scope {
                RunScope::Location(loc) => Part::Location(loc),
                RunScope::Function(func) => Part::Function(func),
                RunScope::Program => Part::Program,
            };
            known.precision.look(part, look.predicates.iter().map(|&pred| preds[pred as usize]));
        }
        let is_there = |loc: &beeline_ir::LocId| (loc.as_u32() as usize) < program.num_locs();
        looked.asked.iter().filter(|loc| is_there(loc)).for_each(|&loc| _ = known.precision.check_at(loc));
        known.precision.track(looked.tracked.iter().filter_map(|what| tracked(program, what)));
        let given_up = looked.given_up.iter().filter_map(|what| tracked(program, what));
        given_up.for_each(|what| known.precision.ban(what));
        self.known(known)
    }
}

fn sorted<T: Ord + Copy>(set: &FxHashSet<T>) -> Vec<T> {
    let mut list: Vec<T> = set.iter().copied().collect();
    list.sort_unstable();
    list
}

fn written(what: Tracked) -> RunTracked {
    match what {
        Tracked::Var(var) => RunTracked::Var(var),
        Tracked::Region(region) => RunTracked::Region(region),
    }
}

/// A variable or region that a precision names, if the program has it.
fn tracked(program: &Program, what: &RunTracked) -> Option<Tracked> {
    match *what {
        RunTracked::Var(var) => program.vars.get(var).map(|_| Tracked::Var(var)),
        RunTracked::Region(region) => program.regions.get(region).map(|_| Tracked::Region(region)),
    }
}
