//! Variables whose values exclude an infeasible path.

use super::dependence::relevant;
use super::single_path;
use crate::control::Control;
use crate::paths::Path;
use crate::state::precision::Precision;
use crate::values::transfer::{self, Transfer};
use crate::values::{Everything, Tracked, Tracking, Values};
use beeline_ir::Program;
use beeline_smt::Meter;
use rustc_hash::FxHashSet;

/// How many states are followed along a path before there are too many.
const MAX_STATES: usize = 64;

/// Of how many ways through the blocks of a path it is asked why they are infeasible.
const MAX_SINGLE_PATHS: usize = 64;

/// A path, and what is known when it is asked what excludes it.
struct Excluding<'a> {
    program: &'a Program,
    control: &'a dyn Control,
    path: &'a Path,
    precision: &'a Precision,
    /// How many states are told apart at a place inside of a block.
    most: usize,
    meter: &'a Meter,
}

/// Variables and regions whose values exclude a path, as few as can be found; `None` if values do not
/// exclude it. At most so many states are told apart at a place inside of a block.
pub fn by_values(
    program: &Program,
    control: &dyn Control,
    path: &Path,
    precision: &Precision,
    most: usize,
    meter: &Meter,
) -> Option<Vec<Tracked>> {
    if path.blocks.is_empty() {
        // The program starts at a target.
        return None;
    }
    let excluding = Excluding { program, control, path, precision, most, meter };
    // Where there are too many states, or where some were joined, fewer values may do what all do not.
    let all = excluding.excludes(&Except { banned: &precision.banned });
    if all { excluding.of_all() } else { excluding.of_single_paths() }
}

impl Excluding<'_> {
    /// All that conditions depend on, if that excludes the path, and all that there is otherwise.
    fn of_all(&self) -> Option<Vec<Tracked>> {
        let kept = self.new_ones(relevant(self.program, self.path));
        if self.excluded_with(&kept) {
            return Some(self.minimal(kept, |fewer| self.excluded_with(fewer)));
        }
        // The syntactic dependencies were not enough, which indirect effects may cause: take all.
        let vars = self.program.vars.keys().map(Tracked::Var);
        let kept = self.new_ones(vars.chain(self.program.regions.keys().map(Tracked::Region)).collect());
        self.excluded_with(&kept).then(|| self.minimal(kept, |fewer| self.excluded_with(fewer)))
    }

    /// What decides a condition on one way after the other through the path's blocks, until no way is left.
    fn of_single_paths(&self) -> Option<Vec<Tracked>> {
        let everything = Except { banned: &self.precision.banned };
        let mut kept: Vec<Tracked> = Vec::new();
        for _ in 0..MAX_SINGLE_PATHS {
            let tracked = self.tracked_with(&kept);
            let Some(single) = single_path::find(&self.transfer(&tracked), self.path, self.meter)? else {
                return Some(self.minimal(kept, |fewer| self.no_single_path_with(fewer)));
            };
            let needed = single.needed(&self.transfer(&everything))?;
            let before = kept.len();
            kept.extend(self.new_ones(needed));
            kept.sort_unstable();
            kept.dedup();
            if kept.len() == before {
                break;
            }
        }
        None
    }

    /// A part of what excludes the path of which nothing can be left out. Large parts are left out first, then
    /// smaller ones.
    fn minimal(&self, mut kept: Vec<Tracked>, excluded: impl Fn(&[Tracked]) -> bool) -> Vec<Tracked> {
        let mut size = kept.len().div_ceil(2);
        while size > 0 {
            let mut index = 0;
            while index < kept.len() {
                let end = (index + size).min(kept.len());
                let fewer: Vec<Tracked> = kept[..index].iter().chain(&kept[end..]).copied().collect();
                // Without anything more than what is tracked the path was found.
                if !fewer.is_empty() && excluded(&fewer) {
                    kept = fewer;
                } else {
                    index = end;
                }
            }
            size = if size == 1 { 0 } else { size.div_ceil(2) };
        }
        kept
    }

    /// Those that are not tracked, and may be.
    fn new_ones(&self, mut list: Vec<Tracked>) -> Vec<Tracked> {
        list.retain(|what| !self.precision.banned.contains(what) && !self.precision.tracked.contains(what));
        list
    }

    /// Is the path excluded where these are tracked, too?
    fn excluded_with(&self, new: &[Tracked]) -> bool {
        self.excludes(&Dynamic(&self.tracked_with(new)))
    }

    /// Is no way through the blocks left where these are tracked, too?
    fn no_single_path_with(&self, new: &[Tracked]) -> bool {
        let tracked = self.tracked_with(new);
        matches!(single_path::find(&self.transfer(&tracked), self.path, self.meter), Some(None))
    }

    /// What is tracked, and these.
    fn tracked_with(&self, new: &[Tracked]) -> FxHashSet<Tracked> {
        self.precision.tracked.iter().chain(new).copied().collect()
    }

    fn transfer<'t, T: Tracking>(&self, precision: &'t T) -> Transfer<'t, T>
    where
        Self: 't,
    {
        Transfer { program: self.program, control: self.control, precision, undefined_operations: None }
    }

    /// Do the values that are tracked exclude the path?
    fn excludes(&self, tracking: &impl Tracking) -> bool {
        let transfer = self.transfer(tracking);
        let mut states = vec![Values::initial(self.program, tracking)];
        for (block, exit) in &self.path.blocks {
            let mut next: Vec<Values> = Vec::new();
            for values in &states {
                let leaving = transfer::through_block(&transfer, block, values, self.most, self.meter);
                let Some(leaving) = leaving else { return false };
                for (node, after) in leaving {
                    if node == *exit && !next.contains(&after) {
                        next.push(after);
                    }
                }
                if next.len() > MAX_STATES {
                    return false;
                }
            }
            if next.is_empty() {
                return true;
            }
            states = next;
        }
        false
    }
}

struct Dynamic<'a>(&'a dyn Tracking);

impl Tracking for Dynamic<'_> {
    fn tracks(&self, what: Tracked) -> bool {
        self.0.tracks(what)
    }
}

struct Except<'a> {
    banned: &'a FxHashSet<Tracked>,
}

impl Tracking for Except<'_> {
    fn tracks(&self, what: Tracked) -> bool {
        Everything.tracks(what) && !self.banned.contains(&what)
    }
}
