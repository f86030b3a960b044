//! The part of a block by which executions get from one state to another.

use super::transfer::{Arrival, Taken, Transfer, watched_through_block};
use super::{Tracking, Values};
use crate::control::block::Block;
use beeline_smt::Meter;
use rustc_hash::{FxHashMap, FxHashSet};

/// The steps by which each state at a node was reached: edges, with the numbers of the states at their sources.
type Origins = FxHashMap<usize, Vec<Vec<(usize, usize)>>>;

/// The part of a block that leads from a state at its start to a state at an exit, as far as values tell,
/// and the exit in it. `None` if no step leads there, or if the run has to stop.
pub(crate) fn part_between<P: Tracking>(
    transfer: &Transfer<'_, P>,
    (block, exit): (&Block, usize),
    (start, end): (&Values, &Values),
    most: usize,
    meter: &Meter,
) -> Option<(Block, usize)> {
    let mut origins = Origins::default();
    let leaving = watched_through_block(transfer, block, start, most, meter, |taken| {
        note(&mut origins, block.edges[taken.edge].dst, taken);
    })?;
    let at_exit = leaving.iter().filter(|(node, _)| *node == exit);
    let wanted = at_exit.enumerate().filter(|(_, (_, values))| values == end).map(|(number, _)| (exit, number));
    let mut pending: Vec<(usize, usize)> = wanted.collect();
    let mut seen: FxHashSet<(usize, usize)> = pending.iter().copied().collect();
    let mut edges = Vec::new();
    while let Some((node, number)) = pending.pop() {
        let Some(states) = origins.get(&node) else { continue };
        for &(edge, from) in &states[number] {
            edges.push(edge);
            let source = (block.edges[edge].src, from);
            if seen.insert(source) {
                pending.push(source);
            }
        }
    }
    edges.sort_unstable();
    edges.dedup();
    let part = (!edges.is_empty()).then(|| block.restricted(&edges, exit))?;
    let exit = part.exits[0];
    Some((part, exit))
}

/// Notes how a state arrived at a node.
fn note(origins: &mut Origins, node: usize, taken: Taken) {
    let states = origins.entry(node).or_default();
    let origin = (taken.edge, taken.from);
    match taken.to {
        Arrival::As(number) if number < states.len() => states[number].push(origin),
        Arrival::As(_) => states.push(vec![origin]),
        Arrival::Joined => {
            let mut joined = states.concat();
            joined.push(origin);
            *states = vec![joined];
        }
    }
}
