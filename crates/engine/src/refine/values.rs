//! Refinement of explicit values: variables and regions whose values exclude an infeasible path.

use super::dependence::relevant;
use super::single_path::{self, SinglePath};
use crate::control::Control;
use crate::paths::Path;
use crate::state::precision::Precision;
use crate::values::transfer::{self, Transfer};
use crate::values::{Everything, Tracked, Tracking, Values};
use beeline_ir::Program;
use beeline_smt::Meter;
use rustc_hash::FxHashSet;

/// The greatest number of states that are followed along a path.
const MAX_STATES: usize = 64;

/// The greatest number of single paths through the blocks that are excluded.
const MAX_SINGLE_PATHS: usize = 64;

/// A path, with the knowledge under which it is to be excluded.
struct Excluding<'a> {
    program: &'a Program,
    control: &'a dyn Control,
    path: &'a Path,
    precision: &'a Precision,
    /// The greatest number of states at a place inside of a block.
    most: usize,
    meter: &'a Meter,
}

/// A minimal set of variables and regions whose values exclude a path; `None` if values do not exclude it. At
/// most `most` states are kept at a place inside of a block.
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
    // Where there are too many states, or where some were joined, a few values may exclude what all values
    // together do not.
    let all = excluding.excludes(&Except { banned: &precision.banned });
    if all { excluding.of_all() } else { excluding.of_single_paths() }
}

impl Excluding<'_> {
    /// From all that conditions depend on, if that excludes the path, and otherwise from everything.
    fn of_all(&self) -> Option<Vec<Tracked>> {
        let kept = self.new_ones(relevant(self.program, self.path));
        if self.excluded_with(&kept) {
            return Some(self.minimal(kept, |fewer| self.excluded_with(fewer)));
        }
        // Indirect effects may make the syntactic dependencies insufficient: take everything.
        let vars = self.program.vars.keys().map(Tracked::Var);
        let kept = self.new_ones(vars.chain(self.program.regions.keys().map(Tracked::Region)).collect());
        self.excluded_with(&kept).then(|| self.minimal(kept, |fewer| self.excluded_with(fewer)))
    }

    /// From single paths: what decides a condition on one single path after the other, until none remains. Where values do not
    /// exclude one of them, or it takes too long to find, what excludes those before it makes the next path a better one.
    fn of_single_paths(&self) -> Option<Vec<Tracked>> {
        let everything = Except { banned: &self.precision.banned };
        let (mut kept, mut singles): (Vec<Tracked>, Vec<SinglePath>) = Default::default();
        for _ in 0..MAX_SINGLE_PATHS {
            let tracked = self.tracked_with(&kept);
            let found = single_path::find(&self.transfer(&tracked), self.path, self.meter);
            let Some(found) = found else { break };
            let Some(single) = found else {
                return Some(self.minimal(kept, |fewer| self.no_single_path_with(fewer)));
            };
            let Some(needed) = single.needed(&self.transfer(&everything), self.meter) else { break };
            let before = kept.len();
            kept.extend(self.new_ones(needed));
            kept.sort_unstable();
            kept.dedup();
            if kept.len() == before {
                break;
            }
            singles.push(single);
        }
        let excludes = |fewer: &[Tracked]| {
            let tracked = self.tracked_with(fewer);
            !self.meter.is_over()
                && singles
                    .iter()
                    .all(|single| single.excluded(&self.transfer(&tracked), self.meter).is_some())
        };
        (!singles.is_empty() && excludes(&kept)).then(|| self.minimal(kept, excludes))
    }

    /// A minimal part of what excludes the path. Large parts are left out first, then smaller ones.
    fn minimal(&self, mut kept: Vec<Tracked>, excluded: impl Fn(&[Tracked]) -> bool) -> Vec<Tracked> {
        let mut size = kept.len().div_ceil(2);
        while size > 0 {
            let mut index = 0;
            while index < kept.len() {
                let end = (index + size).min(kept.len());
                let fewer: Vec<Tracked> = kept[..index].iter().chain(&kept[end..]).copied().collect();
                // The set has to stay non-empty: the path was found with what is tracked already.
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

    /// The elements that are not tracked and may be.
    fn new_ones(&self, mut list: Vec<Tracked>) -> Vec<Tracked> {
        list.retain(|what| !self.precision.banned.contains(what) && !self.precision.tracked.contains(what));
        list
    }

    /// Whether the path is excluded if these are tracked, too.
    fn excluded_with(&self, new: &[Tracked]) -> bool {
        self.excludes(&Dynamic(&self.tracked_with(new)))
    }

    /// Whether no single path remains if these are tracked, too.
    fn no_single_path_with(&self, new: &[Tracked]) -> bool {
        let tracked = self.tracked_with(new);
        matches!(single_path::find(&self.transfer(&tracked), self.path, self.meter), Some(None))
    }

    /// What is tracked, together with these.
    fn tracked_with(&self, new: &[Tracked]) -> FxHashSet<Tracked> {
        self.precision.tracked.iter().chain(new).copied().collect()
    }

    fn transfer<'t, T: Tracking>(&self, precision: &'t T) -> Transfer<'t, T>
    where
        Self: 't,
    {
        Transfer {
            program: self.program,
            control: self.control,
            precision,
            undefined_operations: None,
            live_variables: None,
        }
    }

    /// Whether the tracked values exclude the path.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::block::{BlockOperator, CutPoints};
    use crate::control::call_strings::CallStrings;
    use beeline_ir::Op;

    /// Two blocks. Values exclude the paths through `one`, not those through `two`: no square is three.
    const PROGRAM: &str = "beeline 1.0
fn main() {
  var x: i32
  var a: i32
  first: x := input \"x\"
  if x == 0 goto one else two
  one: a := 1 goto middle
  two: a := 2
  middle: skip
  if a == 3 goto bad else square
  square: if x * x == 3 goto bad else done
  bad: target \"bad\"
  done: exit
}
";

    #[test]
    fn what_excludes_the_first_single_paths_is_kept_where_values_do_not_exclude_all() {
        let program = beeline_ir::text::parse(PROGRAM).unwrap_or_else(|faults| panic!("{faults:?}"));
        let mut control = CallStrings::new(&program);
        let target = program.targets[0].loc;
        let skip = program.edges.values().find(|edge| matches!(edge.op, Op::Skip)).expect("there is one").src;
        let mut cut_points = CutPoints::new(&program, BlockOperator::LoopHeads, [target]);
        cut_points.cut_at([skip]);
        let path = Path::through(&program, &mut control, &cut_points, &[skip, target]);
        let precision = Precision::new(crate::state::precision::Scope::Location);
        let found = by_values(&program, &control, &path, &precision, 64, &Meter::default());
        let vars: Vec<Tracked> = program.vars.keys().map(Tracked::Var).collect();
        assert_eq!(found, Some(vars));
    }
}
