//! Loops around locations, and how their iterations are counted in an unrolling.
//!
//! A strongly connected component of the locations of a function is a loop. Its head is the smallest location
//! that an edge from outside leads to, or else the smallest location. The loops inside are those of the
//! component without its head. Like [`crate::reach`], this module is written for the checker alone.

use beeline_ir::{InEdges, LocId, Program};
use rustc_hash::FxHashSet;

/// For each location the heads of the loops around it, outermost first. A head is in its own loop.
#[derive(Debug)]
pub(crate) struct Turns {
    heads: Vec<Vec<LocId>>,
}

impl Turns {
    /// The loops of a whole program.
    pub(crate) fn new(program: &Program) -> Turns {
        let mut heads = vec![Vec::new(); program.num_locs()];
        let incoming = program.in_edges();
        for function in program.functions.values() {
            let mut work: Vec<Vec<LocId>> = vec![function.locs.clone().map(LocId::from_u32).collect()];
            while let Some(set) = work.pop() {
                let part = Part::new(program, &incoming, set);
                let (component, rest) = part.split();
                work.extend(rest);
                let Some(component) = component else { continue };
                let part = Part::new(program, &incoming, component);
                let head = part.head();
                part.inside.iter().for_each(|loc| heads[loc.as_u32() as usize].push(head));
                work.push(part.locs.into_iter().filter(|&loc| loc != head).collect());
            }
        }
        Turns { heads }
    }

    /// The heads of the loops around a location.
    pub(crate) fn around(&self, loc: LocId) -> &[LocId] {
        &self.heads[loc.as_u32() as usize]
    }

    /// The counts after an edge. They stay the same for a loop that the edge stays in, grow by one for the
    /// loop to whose head it leads back, and are zero for a loop that it enters.
    pub(crate) fn after(&self, counts: &[u32], src: LocId, dst: LocId) -> Vec<u32> {
        let (from, to) = (self.around(src), self.around(dst));
        let mut after = Vec::with_capacity(to.len());
        let mut stays = true;
        for (depth, head) in to.iter().enumerate() {
            stays = stays && from.get(depth) == Some(head);
            let count = counts.get(depth).copied().filter(|_| stays).unwrap_or(0);
            after.push(if stays && *head == dst { count + 1 } else { count });
        }
        after
    }
}

/// A set of locations of a function.
struct Part<'a> {
    program: &'a Program,
    incoming: &'a InEdges,
    locs: Vec<LocId>,
    inside: FxHashSet<LocId>,
}

impl<'a> Part<'a> {
    fn new(program: &'a Program, incoming: &'a InEdges, locs: Vec<LocId>) -> Part<'a> {
        let inside = locs.iter().copied().collect();
        Part { program, incoming, locs, inside }
    }

    fn successors(&self, loc: LocId) -> impl Iterator<Item = LocId> {
        self.program.out_edges(loc).map(|edge| self.program.edges[edge].dst)
    }

    fn predecessors(&self, loc: LocId) -> impl Iterator<Item = LocId> {
        self.incoming.of(loc).iter().map(|&edge| self.program.edges[edge].src)
    }

    /// One loop of the set, if it has one, and sets that contain all other loops. Locations before all cycles
    /// or after all cycles are left out.
    fn split(&self) -> (Option<Vec<LocId>>, Vec<Vec<LocId>>) {
        let kept = self.without_ends(
            &self.inside,
            |loc| self.predecessors(loc).collect(),
            |loc| self.successors(loc).collect(),
        );
        let kept = self.without_ends(
            &kept,
            |loc| self.successors(loc).collect(),
            |loc| self.predecessors(loc).collect(),
        );
        let Some(&first) = self.locs.iter().find(|loc| kept.contains(loc)) else { return (None, Vec::new()) };
        let forward = closure(first, &kept, |loc| self.successors(loc).collect());
        let backward = closure(first, &kept, |loc| self.predecessors(loc).collect());
        let pick = |wanted: &dyn Fn(&LocId) -> bool| -> Vec<LocId> {
            self.locs.iter().copied().filter(|loc| kept.contains(loc) && wanted(loc)).collect()
        };
        let component = pick(&|loc| forward.contains(loc) && backward.contains(loc));
        let rest = [
            pick(&|loc| forward.contains(loc) && !backward.contains(loc)),
            pick(&|loc| !forward.contains(loc) && backward.contains(loc)),
            pick(&|loc| !forward.contains(loc) && !backward.contains(loc)),
        ];
        let cyclic = component.len() > 1 || self.successors(first).any(|next| next == first);
        (cyclic.then_some(component), rest.into_iter().filter(|set| !set.is_empty()).collect())
    }

    /// The set after removing locations without a predecessor in it, until there are none. `before` and
    /// `behind` determine the direction.
    fn without_ends(
        &self,
        set: &FxHashSet<LocId>,
        before: impl Fn(LocId) -> Vec<LocId>,
        behind: impl Fn(LocId) -> Vec<LocId>,
    ) -> FxHashSet<LocId> {
        let mut left = set.clone();
        let mut work: Vec<LocId> = self.locs.clone();
        while let Some(loc) = work.pop() {
            if left.contains(&loc) && !before(loc).iter().any(|other| left.contains(other)) {
                left.remove(&loc);
                work.extend(behind(loc).into_iter().filter(|other| left.contains(other)));
            }
        }
        left
    }

    /// The head, if the set is a loop.
    fn head(&self) -> LocId {
        let is_entered = |loc: &LocId| self.predecessors(*loc).any(|src| !self.inside.contains(&src));
        let entered = self.locs.iter().copied().filter(is_entered).min();
        entered.or_else(|| self.locs.iter().copied().min()).expect("a loop has a location")
    }
}

/// The locations that are reachable from a location without leaving a set.
fn closure(start: LocId, set: &FxHashSet<LocId>, next: impl Fn(LocId) -> Vec<LocId>) -> FxHashSet<LocId> {
    let mut found = FxHashSet::default();
    let mut work = vec![start];
    while let Some(loc) = work.pop() {
        if set.contains(&loc) && found.insert(loc) {
            work.extend(next(loc));
        }
    }
    found
}
