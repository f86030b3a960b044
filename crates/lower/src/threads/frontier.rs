//! The order in which places of the product are explored: those that executions with few preemptions get to first, and
//! of threads that do the same, those first that were created first.
//!
//! Most errors of programs with threads need few of them (Musuvathi and Qadeer, Iterative Context Bounding, PLDI 2007), so that
//! those are found although the product has more places than are explored.

use std::collections::VecDeque;

/// What a switch costs: from a thread that could go on, from one that may have to wait, and from one that has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Switch {
    Preempts = 2,
    MayWait = 1,
    None = 0,
}

/// Items to explore, with their costs.
#[derive(Debug)]
pub(super) struct Frontier<T> {
    by_cost: Vec<VecDeque<T>>,
    least: usize,
}

impl<T> Frontier<T> {
    pub(super) fn new() -> Frontier<T> {
        Frontier { by_cost: Vec::new(), least: 0 }
    }

    /// Adds an item that costs no less than the last one that was taken.
    pub(super) fn add(&mut self, cost: usize, item: T) {
        if self.by_cost.len() <= cost {
            self.by_cost.resize_with(cost + 1, VecDeque::new);
        }
        self.by_cost[cost].push_back(item);
    }

    /// Takes an item of the least cost, the first of these that was added.
    pub(super) fn take(&mut self) -> Option<(usize, T)> {
        while let Some(items) = self.by_cost.get_mut(self.least) {
            if let Some(item) = items.pop_front() {
                return Some((self.least, item));
            }
            self.least += 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cheap_items_come_first_and_equal_ones_in_their_order() {
        let mut frontier = Frontier::new();
        [(2, 'c'), (0, 'a'), (2, 'd')].into_iter().for_each(|(cost, item)| frontier.add(cost, item));
        assert_eq!(frontier.take(), Some((0, 'a')));
        frontier.add(1, 'b');
        let rest: Vec<char> = std::iter::from_fn(|| frontier.take()).map(|(_, item)| item).collect();
        assert_eq!(rest, ['b', 'c', 'd']);
    }
}
