//! The waitlist: states that are not expanded yet, in their order of exploration.

use crate::control::Control;
use crate::control::place::Place;
use crate::state::arg::NodeId;
use beeline_graph::reverse_post_order;
use beeline_ir::{LocId, Program};
use cranelift_entity::SecondaryMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The order of exploration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Order {
    /// The state nearest to a target first.
    Directed(TieBreak),
    /// The newest state first.
    DepthFirst,
    /// The oldest state first.
    BreadthFirst,
    /// Pseudo-random, by a seed.
    Random(u64),
}

/// The choice among states with equal distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TieBreak {
    /// The newest one.
    Newest,
    /// The oldest one.
    Oldest,
    /// The one with the most open calls; among these, the first one in reverse post-order of its function.
    ReversePostOrder,
    /// Pseudo-random, by a seed.
    Random(u64),
}

/// The waiting states.
#[derive(Debug)]
pub struct Waitlist {
    order: Order,
    heap: BinaryHeap<Reverse<(Rank, NodeId, u64)>>,
    counter: u64,
    /// How much was known of distances when states were last added.
    known: u64,
    /// The position of each location in its function's reverse post-order, if the order needs it.
    ranks: SecondaryMap<LocId, u32>,
}

/// A rank: the distance, then two levels of tie-breaks. Smaller ranks come first.
type Rank = (u64, u64, u64);

impl Waitlist {
    /// The empty list.
    pub fn new(order: Order, program: &Program) -> Waitlist {
        let ranks = if order == Order::Directed(TieBreak::ReversePostOrder) {
            reverse_post_order(program)
        } else {
            SecondaryMap::new()
        };
        Waitlist { order, heap: BinaryHeap::new(), counter: 0, known: 0, ranks }
    }

    /// Adds a state at a target. It comes next, whatever the order.
    pub fn push_target(&mut self, node: NodeId) {
        self.counter += 1;
        self.heap.push(Reverse(((0, u64::MAX - self.counter, 0), node, self.known)));
    }

    /// Adds a state at a distance from the targets.
    pub fn push(&mut self, node: NodeId, control: &dyn Control, place: Place, distance: u64) {
        self.counter += 1;
        let newest = u64::MAX - self.counter;
        let random = |seed: u64| scramble(seed ^ self.counter);
        let distance = distance.saturating_add(1);
        let key = match self.order {
            Order::Directed(TieBreak::Newest) => (distance, newest, 0),
            Order::Directed(TieBreak::Oldest) => (distance, self.counter, 0),
            Order::Directed(TieBreak::ReversePostOrder) => {
                let shallow = u64::from(u32::MAX - control.frame(place.stack).depth);
                (distance, shallow << 32 | u64::from(self.ranks[place.loc]), newest)
            }
            Order::Directed(TieBreak::Random(seed)) => (distance, random(seed), 0),
            Order::DepthFirst => (1, newest, 0),
            Order::BreadthFirst => (1, self.counter, 0),
            Order::Random(seed) => (1, random(seed), 0),
        };
        self.heap.push(Reverse((key, node, self.known)));
    }

    /// Sets how much is known of distances from now on.
    pub(crate) fn know(&mut self, known: u64) {
        self.known = known;
    }

    /// Takes the next state, where distances may have grown since states were added. A state whose distance
    /// grew is added again with the new one; these are counted in `moved`.
    pub(crate) fn pop_nearest(
        &mut self,
        moved: &mut u64,
        mut distance: impl FnMut(NodeId) -> Option<u64>,
    ) -> Option<NodeId> {
        loop {
            let Reverse(((key, first, second), node, known)) = self.heap.pop()?;
            let is_old = self.is_directed() && known != self.known && key > 0;
            let now =
                if is_old { distance(node).map_or(key, |distance| distance.saturating_add(1)) } else { key };
            if now <= key {
                return Some(node);
            }
            *moved += 1;
            self.heap.push(Reverse(((now, first, second), node, self.known)));
        }
    }

    /// Whether distances determine the order.
    pub(crate) fn is_directed(&self) -> bool {
        matches!(self.order, Order::Directed(_))
    }

    /// Takes the next state.
    pub fn pop(&mut self) -> Option<NodeId> {
        self.heap.pop().map(|Reverse((_, node, _))| node)
    }

    /// Takes all states, oldest first.
    pub fn drain(&mut self) -> Vec<NodeId> {
        let mut nodes: Vec<NodeId> = self.heap.drain().map(|Reverse((_, node, _))| node).collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    /// The number of waiting states, including those that are no longer needed.
    pub fn len(&self) -> usize {
        self.heap.len()
    }

    /// Whether no state waits.
    pub fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }

    /// Removes all states.
    pub fn clear(&mut self) {
        self.heap.clear();
    }
}

/// A number without apparent pattern (the finalizer of splitmix64).
fn scramble(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::call_strings::CallStrings;
    use cranelift_entity::EntityRef;

    #[test]
    fn states_whose_distance_grew_keep_waiting() {
        let program = beeline_ir::text::parse("beeline 1.0\nfn main() {\n a: skip\n b: exit\n}");
        let program = program.unwrap_or_else(|faults| panic!("{faults:?}"));
        let stacks = CallStrings::new(&program);
        let mut waitlist = Waitlist::new(Order::Directed(TieBreak::Oldest), &program);
        let place = stacks.start(&program);
        for (node, distance) in [(0, 1), (1, 2), (2, 9)] {
            waitlist.push(NodeId::new(node), &stacks, place, distance);
        }
        waitlist.know(1);
        // The distance of a state that was added since is the current one.
        waitlist.push(NodeId::new(3), &stacks, place, 4);
        let mut moved = 0;
        let now = |node: NodeId| [Some(5), Some(2), None, Some(99)][node.index()];
        let order = std::iter::from_fn(|| waitlist.pop_nearest(&mut moved, now)).map(EntityRef::index);
        assert_eq!(order.collect::<Vec<_>>(), [1, 3, 0, 2]);
        assert_eq!(moved, 1);
    }
}
