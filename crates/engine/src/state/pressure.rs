//! State pressure: where one location has many states, which values are worth tracking and which are not.

use crate::control::block::Block;
use crate::control::place::condition;
use crate::values::{Tracked, Values, reads};
use beeline_ir::{Program, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// What the conditions of a block read: it decides which branches are taken.
pub(crate) fn conditions(program: &Program, block: &Block) -> FxHashSet<Tracked> {
    let mut read = FxHashSet::default();
    for cond in block.edges.iter().filter_map(|edge| condition(program, edge.step)) {
        reads(program, cond, &mut read);
    }
    read
}

/// The variables and regions with the most values in some states, and the number of these values.
pub(crate) fn most_values<'v>(states: impl Iterator<Item = &'v Values>) -> (usize, Vec<Tracked>) {
    let mut seen: FxHashMap<Tracked, FxHashSet<&Value>> = FxHashMap::default();
    for (key, value) in states.flat_map(Values::entries) {
        let (Some(what), Some(value)) = (key.tracked(), value) else { continue };
        seen.entry(what).or_default().insert(value);
    }
    let most = seen.values().map(FxHashSet::len).max().unwrap_or(0);
    let many = seen.iter().filter(|(_, values)| values.len() == most).map(|(&what, _)| what);
    (most, many.collect())
}

/// The names of variables and regions, in the order of the program.
pub(crate) fn names<'w>(program: &Program, wanted: impl IntoIterator<Item = &'w Tracked>) -> String {
    let mut list: Vec<&Tracked> = wanted.into_iter().collect();
    list.sort_unstable();
    let name = |what: &&Tracked| match **what {
        Tracked::Var(var) => program.vars[var].name.as_str(),
        Tracked::Region(region) => program.regions[region].name.as_str(),
    };
    list.iter().map(name).collect::<Vec<_>>().join(" ")
}
