//! The precision of values: more are tracked where that excludes a path, fewer under state pressure.

use super::Search;
use crate::control::place::Place;
use crate::paths::Path;
use crate::refine;
use crate::refine::refiner::{Evidence, Pivot, Refiner};
use crate::state::precision::Knowledge;
use crate::state::pressure::{conditions, most_values, names};
use beeline_ir::LocId;
use tracing::info;

/// The refiner by values.
#[derive(Debug, Clone, Copy)]
pub(super) struct ValueRefiner {
    /// The greatest number of states of values at a place inside of a block.
    pub most_inside: usize,
}

impl Refiner for ValueRefiner {
    fn refine(
        &mut self,
        paths: &[Path],
        evidence: &Evidence<'_>,
        known: &mut Knowledge,
    ) -> Vec<Option<Pivot>> {
        let Evidence { program, control, meter, .. } = *evidence;
        let excluded = paths.iter().map(|path| {
            let found = refine::by_values(program, control, path, &known.precision, self.most_inside, meter);
            let excludes = found.is_some();
            // Without the values that are copied to tracked ones, these are soon unknown.
            let found = found.unwrap_or_else(|| refine::copied(program, path, &known.precision.tracked));
            let names = names(program, &found);
            let new = known.precision.track(found);
            if new && excludes {
                info!(%names, "values are tracked that exclude a path");
            } else if new {
                info!(%names, "values are tracked that are copied to tracked ones");
            }
            new.then_some(Pivot::Start)
        });
        excluded.collect()
    }
}

impl Search<'_, '_> {
    /// Relieves state pressure at a place: tracks what decides branches from there, or stops tracking a
    /// variable that has at least so many values. Returns whether anything changed.
    pub(super) fn relieve(&mut self, place: Place, least: usize) -> bool {
        if let Some(visits) = self.space.visits.get_mut(&place.loc) {
            visits.looked_at_again = 2 * visits.made;
        }
        self.track_conditions(place) || self.give_up_values(place.loc, least)
    }

    /// Tracks what decides branches from a place. Returns whether that is new.
    fn track_conditions(&mut self, place: Place) -> bool {
        if !self.conditions_tracked.insert(place.loc) {
            return false;
        }
        let (program, block) = (self.space.program, self.space.block(place));
        let read = conditions(program, &block);
        let (location, names) = (program.label(place.loc), names(program, &read));
        let new = self.known.precision.track(read);
        if new {
            info!(%location, %names, "state pressure: tracking what conditions read from here on");
        }
        new
    }

    /// Stops tracking what has the most values at a location. Returns whether anything has so many.
    fn give_up_values(&mut self, loc: LocId, least: usize) -> bool {
        let (arg, pool) = (&self.space.arg, &self.space.pool);
        let here = arg.alive().filter(|(_, node)| node.place.loc == loc);
        let (most, many) = most_values(here.map(|(_, node)| &**pool.get(node.values)));
        if most < least {
            return false;
        }
        let (program, patience) = (self.space.program, self.trust.patience);
        let (location, names) = (program.label(loc), names(program, &many));
        info!(%location, %names, values = most, patience, "state pressure: predicates take over");
        many.into_iter().for_each(|what| self.known.precision.ban(what));
        self.patience_ends = Some(self.meter.used().saturating_add(self.trust.patience));
        true
    }

    /// Tracks again what was no longer tracked, for longer: predicates did not suffice without it.
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
        self.begin_anew();
        true
    }
}
