//! The priority queue of all searches here: nearly all steps weigh 0 or 1, so that nearly all entries belong to the
//! current distance or the next one, and need no heap.

use crate::dist::Dist;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A queue for Dijkstra's algorithm: nothing is pushed below the distance last popped.
#[derive(Debug)]
pub(crate) struct Queue {
    at: Dist,
    here: Vec<u32>,
    next: Vec<u32>,
    later: BinaryHeap<Reverse<(Dist, u32)>>,
}

impl Queue {
    pub(crate) fn new() -> Queue {
        Queue { at: Dist::ZERO, here: Vec::new(), next: Vec::new(), later: BinaryHeap::new() }
    }

    pub(crate) fn push(&mut self, dist: Dist, item: u32) {
        if dist == self.at {
            self.here.push(item);
        } else if dist == self.at + Dist::new(1) {
            self.next.push(item);
        } else if dist.is_finite() {
            self.later.push(Reverse((dist, item)));
        }
    }

    /// Pops the nearest item; the same item may be popped again, with a greater distance.
    pub(crate) fn pop(&mut self) -> Option<(Dist, u32)> {
        if self.here.is_empty() {
            self.advance()?;
        }
        self.here.pop().map(|item| (self.at, item))
    }

    /// Advances to the least distance that has items.
    fn advance(&mut self) -> Option<()> {
        if self.next.is_empty() {
            self.at = self.later.peek()?.0.0;
        } else {
            std::mem::swap(&mut self.here, &mut self.next);
            self.at = self.at + Dist::new(1);
        }
        while let Some(&Reverse((dist, item))) = self.later.peek() {
            if dist != self.at {
                break;
            }
            self.later.pop();
            self.here.push(item);
        }
        Some(())
    }
}
