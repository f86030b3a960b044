//! How far values are relied on: tracked where that excludes a way, given up where there are too many.

use super::Search;
use crate::arg::NodeId;
use crate::call_strings::CallStrings;
use crate::options::Domain;
use crate::path::Path;
use crate::place::condition;
use crate::policy::{self, Trust};
use crate::refine;
use crate::values::{Tracked, reads};
use beeline_ir::{LocId, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use tracing::info;

/// How much is expected of values by now.
#[derive(Debug)]
pub(super) struct Reliance {
    trust: Trust,
    /// When predicates have had what they may use to do without a variable that was given up.
    patience_ends: Option<u64>,
    /// The locations from which all is tracked that conditions read.
    conditions_tracked: FxHashSet<LocId>,
}

impl Reliance {
    /// That of a search that begins.
    pub(super) fn new(threshold: usize) -> Reliance {
        let trust = Trust::new(threshold);
        Reliance { trust, patience_ends: None, conditions_tracked: FxHashSet::default() }
    }
}

impl Search<'_, '_> {
    /// Tracks what excludes a way, if values do and some were not tracked yet.
    pub(super) fn refine_values(&mut self, control: &CallStrings, path: &Path) -> bool {
        let (program, precision) = (self.program, &self.known.precision);
        let most = super::space::MOST_INSIDE;
        let found = refine::by_values(program, control, path, precision, most, &self.meter);
        let new = found.is_some_and(|found| self.known.precision.track(found));
        if new {
            info!(tracked = self.known.precision.tracked.len(), "values are tracked that exclude a way");
            self.space.statistics.value_refinements += 1;
        }
        new
    }

    /// Did predicates have what they may use to do without values that were given up?
    pub(super) fn is_impatient(&self) -> bool {
        self.reliance.patience_ends.is_some_and(|end| self.meter.used() >= end)
    }

    /// Were there so many states at the location of a state that something else is tracked now?
    pub(super) fn is_relieved(&mut self, id: NodeId) -> bool {
        let loc = self.space.nodes[id].loc;
        let visits = self.space.visits.get(&loc).copied().unwrap_or_default();
        let crowded = policy::crowded(visits, self.reliance.trust.threshold);
        let Some(least) = crowded.filter(|_| self.options.domain == Domain::Both) else { return false };
        if let Some(visits) = self.space.visits.get_mut(&loc) {
            visits.looked_at_again = 2 * visits.made;
        }
        self.track_conditions(loc) || self.give_up_values(loc, least)
    }

    /// Tracks what decides where to go on from a location; was that new?
    fn track_conditions(&mut self, loc: LocId) -> bool {
        if !self.reliance.conditions_tracked.insert(loc) {
            return false;
        }
        let (program, block) = (self.program, self.space.block(loc));
        let mut read = FxHashSet::default();
        for cond in block.edges.iter().filter_map(|edge| condition(program, edge.step)) {
            reads(program, cond, &mut read);
        }
        let new = self.known.precision.track(read);
        if new {
            let location = program.label(loc);
            info!(%location, "many states: what conditions read from here on is tracked");
        }
        new
    }

    /// Stops tracking what has the most values at a location. Is there something with so many?
    fn give_up_values(&mut self, loc: LocId, least: usize) -> bool {
        let mut seen: FxHashMap<Tracked, FxHashSet<&Value>> = FxHashMap::default();
        for node in self.space.nodes.values().filter(|node| node.loc == loc) {
            for (key, value) in node.values.entries() {
                let (Some(what), Some(value)) = (key.tracked(), value) else { continue };
                seen.entry(what).or_default().insert(value);
            }
        }
        let most = seen.values().map(FxHashSet::len).max().unwrap_or(0);
        if most < least {
            return false;
        }
        let given_up = seen.iter().filter(|(_, values)| values.len() == most).map(|(&what, _)| what);
        given_up.for_each(|what| self.known.precision.ban(what));
        let patience = self.reliance.trust.patience;
        let location = self.program.label(loc);
        info!(%location, values = most, patience, "too many values: predicates try without");
        self.reliance.patience_ends = Some(self.meter.used().saturating_add(patience));
        true
    }

    /// Tracks again what was given up, for longer: predicates did not suffice without it. Was anything given up?
    pub(super) fn return_to_values(&mut self) -> bool {
        if self.known.precision.banned.is_empty() {
            return false;
        }
        self.known.precision.banned.clear();
        // Where values are known, predicates only cost time.
        self.known.precision.forget_preds();
        self.failed.clear();
        self.reliance.trust = self.reliance.trust.after_return();
        self.reliance.patience_ends = None;
        let threshold = self.reliance.trust.threshold;
        info!(threshold, "predicates did not suffice: values are tracked again");
        true
    }
}
