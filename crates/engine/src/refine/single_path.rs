//! A single path through the blocks of an abstract path that values do not exclude, and the further values
//! that exclude it.

use super::dependence::{flow, read_by_condition};
use crate::control::place::{Place, Step};
use crate::paths::Path;
use crate::values::transfer::{MAX_INSIDE, Transfer, cost};
use crate::values::{Tracked, Tracking, Values, ValuesId, ValuesPool};
use beeline_ir::Program;
use beeline_smt::Meter;
use rustc_hash::FxHashSet;

/// A path without branches.
pub(super) struct SinglePath {
    /// Its steps, with their sources and destinations.
    steps: Vec<(Place, Step, Place)>,
}

/// A position of a depth-first search.
struct Visit {
    block: usize,
    node: usize,
    values: ValuesId,
    /// The index of the next edge out of the node.
    next: usize,
}

/// A single path through the blocks, found depth first: an inner `None` if values exclude all of them, an
/// outer one if the search takes too long.
pub(super) fn find<T: Tracking>(
    transfer: &Transfer<'_, T>,
    path: &Path,
    meter: &Meter,
) -> Option<Option<SinglePath>> {
    let (mut pool, mut seen) = (ValuesPool::default(), FxHashSet::default());
    let start = pool.intern(Values::initial(transfer.program, transfer.precision));
    let mut visits = vec![Visit { block: 0, node: 0, values: start, next: 0 }];
    let mut steps = 0;
    while let Some(visit) = visits.last_mut() {
        let (block, exit) = &path.blocks[visit.block];
        let next = visit.next;
        visit.next += 1;
        let arrived = if block.exits.contains(&visit.node) {
            let goes_on = visit.node == *exit && next == 0;
            if goes_on && visit.block + 1 == path.blocks.len() {
                return Some(Some(SinglePath::of(path, &visits)));
            }
            goes_on.then(|| Visit { block: visit.block + 1, node: 0, values: visit.values, next: 0 })
        } else if let Some(edge) = block.edges_of(visit.node).get(next) {
            steps += 1;
            let values = pool.get(visit.values);
            meter.charge(cost(values));
            if steps > MAX_INSIDE || (steps % 1024 == 0 && meter.is_stopped()) {
                return None;
            }
            let (from, to) = (block.nodes[edge.src], block.nodes[edge.dst]);
            let Some(values) = transfer.post(from, Values::clone(values), edge.step, to) else { continue };
            Some(Visit { block: visit.block, node: edge.dst, values: pool.intern(values), next: 0 })
        } else {
            None
        };
        match arrived {
            Some(arrived) if seen.insert((arrived.block, arrived.node, arrived.values)) => {
                visits.push(arrived);
            }
            Some(_) => {}
            None => drop(visits.pop()),
        }
    }
    Some(None)
}

impl SinglePath {
    /// The single path that a search has taken.
    fn of(path: &Path, visits: &[Visit]) -> SinglePath {
        let taken = visits.iter().filter_map(|visit| {
            let block = &path.blocks[visit.block].0;
            // The edge that was tried last. At its exit, a block has none.
            let is_exit = block.exits.contains(&visit.node);
            let edge = if is_exit { None } else { block.edges_of(visit.node).get(visit.next - 1) }?;
            Some((block.nodes[edge.src], edge.step, block.nodes[edge.dst]))
        });
        SinglePath { steps: taken.collect() }
    }

    /// What the first step that values exclude depends on, in order; `None` if all values together exclude no
    /// step.
    pub(super) fn needed<T: Tracking>(&self, all: &Transfer<'_, T>, meter: &Meter) -> Option<Vec<Tracked>> {
        let excluded = self.excluded(all, meter)?;
        Some(depends_on(all.program, &self.steps[..=excluded]))
    }

    /// The index of the first step that values exclude.
    pub(super) fn excluded<T: Tracking>(&self, transfer: &Transfer<'_, T>, meter: &Meter) -> Option<usize> {
        let mut values = Values::initial(transfer.program, transfer.precision);
        for (index, &(from, step, to)) in self.steps.iter().enumerate() {
            meter.charge(cost(&values));
            match transfer.post(from, values, step, to) {
                Some(after) => values = after,
                None => return Some(index),
            }
        }
        None
    }
}

/// What the last of some steps depends on.
fn depends_on(program: &Program, steps: &[(Place, Step, Place)]) -> Vec<Tracked> {
    let mut wanted = FxHashSet::default();
    if let Some((last, before)) = steps.split_last() {
        read_by_condition(program, last.1, &mut wanted);
        before.iter().rev().for_each(|(_, step, _)| flow(program, *step, &mut wanted));
    }
    let mut list: Vec<Tracked> = wanted.into_iter().collect();
    list.sort_unstable();
    list
}
