//! Tracking of values where functions are explored on their own: more are tracked where that excludes a path,
//! fewer under state pressure.
//!
//! As long as values exclude all paths, the solver is not asked. A variable with too many values loses its
//! tracking, and predicates try without it. Where these do not suffice, it is tracked again, for longer.

use super::Search;
use super::space::path::steps_to;
use crate::control::call_strings::CallStrings;
use crate::paths::Path;
use crate::refine;
use crate::search::policy;
use crate::state::arg::NodeId;
use crate::state::pressure::{conditions, most_values, names};
use beeline_ir::LocId;
use std::time::Instant;
use tracing::info;

impl Search<'_, '_> {
    /// Tracks more values to exclude a path. Returns whether that is possible.
    pub(super) fn refine_values(&mut self, control: &CallStrings, path: &Path) -> bool {
        if !self.options.domain.values() {
            return false;
        }
        let start = Instant::now();
        let (most, meter) = (self.space.manner.most_inside, &*self.meter);
        let found = refine::by_values(self.program, control, path, &self.known.precision, most, meter);
        self.space.statistics.value_time += start.elapsed();
        let Some(found) = found else { return false };
        let names = names(self.program, &found);
        let new = self.known.precision.track(found);
        if new {
            info!(%names, "values are tracked that exclude a path");
            self.space.statistics.value_refinements += 1;
            self.restart();
        }
        new
    }

    /// Tracks everything that the conditions on the path to a state depend on. Returns whether anything is
    /// new.
    ///
    /// For a long path it would take too long to find out which of it excludes the path.
    pub(super) fn track_way(&mut self, id: NodeId) -> bool {
        if !self.options.domain.values() {
            return false;
        }
        let start = Instant::now();
        let found = refine::relevant(self.program, &steps_to(&mut self.space, id));
        let names = names(self.program, &found);
        let new = self.known.precision.track(found);
        self.space.statistics.value_time += start.elapsed();
        if new {
            info!(%names, "values are tracked on which a long path depends");
            self.space.statistics.value_refinements += 1;
            self.restart();
        }
        new
    }

    /// From now on, makes each of few values that a call passes on a state of its own. Returns whether that
    /// is new.
    pub(super) fn split_inputs(&mut self, id: NodeId) -> bool {
        let graph = &self.space.graph;
        let recurs = self.program.functions.keys().any(|func| graph.is_recursive(func));
        let first = self.options.domain.values() && recurs && !self.space.manner.splits;
        if first {
            info!("few values of an input: a state for each value that a call passes on");
            self.space.manner.splits = true;
            self.track_way(id);
            self.restart();
        }
        first
    }

    /// Makes contexts know all values again that guesses were made without. Returns whether there were any.
    pub(super) fn guess_less(&mut self) -> bool {
        let new = self.space.lines.refute_all();
        if new {
            self.restart();
        }
        new
    }

    /// From now on, has the solver decide whether states can be reached. Returns whether that is new.
    pub(super) fn ask_the_solver(&mut self) -> bool {
        let first = self.options.domain.predicates() && !self.space.manner.asks;
        if first {
            self.space.manner.asks = true;
            self.restart();
        }
        first
    }

    /// Whether the state pressure at the location of a state has changed the precision.
    pub(super) fn is_relieved(&mut self, id: NodeId) -> bool {
        let loc = self.space.nodes[id].loc;
        let visits = self.space.visits.get(&loc).copied().unwrap_or_default();
        let under_pressure = policy::under_pressure(visits, self.trust.threshold);
        let Some(least) =
            under_pressure.filter(|_| self.options.domain.values() && self.options.domain.predicates())
        else {
            return false;
        };
        if let Some(visits) = self.space.visits.get_mut(&loc) {
            visits.looked_at_again = 2 * visits.made;
        }
        self.track_conditions(loc) || self.give_up_values(loc, least)
    }

    /// Tracks what decides branches from a location. Returns whether that is new.
    fn track_conditions(&mut self, loc: LocId) -> bool {
        if !self.conditions_tracked.insert(loc) {
            return false;
        }
        let read = conditions(self.program, &self.space.block(loc));
        let (location, names) = (self.program.label(loc), names(self.program, &read));
        let new = self.known.precision.track(read);
        if new {
            info!(%location, %names, "state pressure: tracking what conditions read from here on");
        }
        new
    }

    /// Stops tracking what has the most values at a location. Returns whether anything has so many.
    fn give_up_values(&mut self, loc: LocId, least: usize) -> bool {
        let here = self.space.nodes.values().filter(|node| node.loc == loc);
        let (most, many) = most_values(here.map(|node| &*node.values));
        if most < least {
            return false;
        }
        let (location, names) = (self.program.label(loc), names(self.program, &many));
        info!(%location, %names, values = most, "state pressure: predicates take over");
        many.into_iter().for_each(|what| self.known.precision.ban(what));
        self.patience_ends = Some(self.meter.used().saturating_add(self.trust.patience));
        true
    }

    /// Whether predicates have used what they may to replace what is no longer tracked.
    pub(super) fn is_impatient(&self) -> bool {
        self.patience_ends.is_some_and(|end| self.meter.used() >= end)
    }

    /// Tracks again what was no longer tracked, if predicates do not suffice without it or have had their
    /// time.
    pub(super) fn return_to_values(&mut self) -> bool {
        if self.known.precision.banned.is_empty() {
            return false;
        }
        self.known.precision.banned.clear();
        // Where values are known, predicates only cost time.
        self.known.precision.forget_preds();
        self.trust = self.trust.after_return();
        info!(threshold = self.trust.threshold, "predicates did not suffice: values are tracked again");
        self.patience_ends = None;
        self.restart();
        true
    }
}
