//! Which state is explored next.

use crate::arg::NodeId;
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
    /// Any, decided by a seed.
    Random(u64),
}

/// Which of several states that are equally near.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TieBreak {
    /// The newest.
    Newest,
    /// The oldest.
    Oldest,
    /// Any, decided by a seed.
    Random(u64),
}

/// The states that wait.
#[derive(Debug)]
pub struct Waitlist {
    order: Order,
    heap: BinaryHeap<Reverse<(u64, u64, NodeId)>>,
    counter: u64,
}

impl Waitlist {
    /// The empty list.
    pub fn new(order: Order) -> Waitlist {
        Waitlist { order, heap: BinaryHeap::new(), counter: 0 }
    }

    /// Adds a state at a distance from the targets.
    pub fn push(&mut self, node: NodeId, distance: u64) {
        self.counter += 1;
        let newest = u64::MAX - self.counter;
        let random = |seed: u64| scramble(seed ^ self.counter);
        let key = match self.order {
            Order::Directed(TieBreak::Newest) => (distance, newest),
            Order::Directed(TieBreak::Oldest) => (distance, self.counter),
            Order::Directed(TieBreak::Random(seed)) => (distance, random(seed)),
            Order::DepthFirst => (0, newest),
            Order::BreadthFirst => (0, self.counter),
            Order::Random(seed) => (0, random(seed)),
        };
        self.heap.push(Reverse((key.0, key.1, node)));
    }

    /// Takes the next state.
    pub fn pop(&mut self) -> Option<NodeId> {
        self.heap.pop().map(|Reverse((.., node))| node)
    }

    /// How many states wait, those included that are no longer needed.
    pub fn len(&self) -> usize {
        self.heap.len()
    }

    /// Does none wait?
    pub fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }

    /// Forgets all.
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
