//! The parts of a function that are open on some paths only: an automaton over the branch edges that an
//! execution takes.
//!
//! Edges determine which branch edge an execution takes; a branch edge is a number here. Between two of
//! these, an execution of a function is at one of some places of a [`Walk`]: those that it may reach after
//! the last branch edge, also through calls, without taking another one. So a state of the automaton is a set
//! of places at which branch edges end, and the next branch edge determines the next places. A branch edge
//! none of whose steps leads to an open part is *shown* there. No state is needed where everything is open,
//! or where a state shows no more than is shown everywhere: that is *shared*.

use crate::walk::Walk;
use beeline_ir::{EdgeId, FuncId, LocId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The greatest number of steps that are followed for all functions together.
const MOST_STEPS: usize = 4_000_000;
/// The greatest number of states of a function. A function with more states is left out.
const MOST_STATES: usize = 2_000;

/// What follows a branch edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Next {
    /// A part that all branch edges share.
    Shared,
    /// A state, by index.
    State(usize),
}

/// The states of a function, the one of its entry first. For each state, what follows its branch edges; those
/// that are not listed are shown.
pub type States = Vec<BTreeMap<u32, Next>>;

/// The branch edges of a function, by number.
#[derive(Debug, Clone, Default)]
pub struct Ways {
    /// The branch edge that an edge belongs to.
    pub of: FxHashMap<EdgeId, u32>,
    /// The branch edges that are shown everywhere.
    pub shown: BTreeSet<u32>,
}

/// The places that an execution may reach from a place before it takes a branch edge.
#[derive(Debug, Clone, Default)]
struct Region {
    /// Whether everything is open somewhere in the region.
    is_open: bool,
    /// The branch edges that begin there.
    met: BTreeSet<u32>,
    /// The branch edges after which everything is open.
    opened: BTreeSet<u32>,
    /// The ends of the others.
    next: BTreeMap<u32, BTreeSet<usize>>,
}

/// A search for the states of functions.
#[derive(Debug)]
pub struct Copier<'w> {
    walk: &'w Walk<'w>,
    /// The places where functions are entered, among those that lead to open parts.
    entries: FxHashMap<FuncId, BTreeSet<usize>>,
    /// The locations that executions may reach after everything was open.
    behind: BTreeSet<LocId>,
    steps_left: usize,
}

impl<'w> Copier<'w> {
    /// A search over what is open along the paths of a walk.
    pub fn new(walk: &'w Walk<'w>) -> Copier<'w> {
        let mut entries: FxHashMap<FuncId, BTreeSet<usize>> = FxHashMap::default();
        for (index, place) in walk.places.iter().enumerate().filter(|&(index, _)| walk.leads[index]) {
            let function = walk.function(index);
            if place.loc == walk.program.functions[function].entry() {
                entries.entry(function).or_default().insert(index);
            }
        }
        Copier { walk, entries, behind: walk.behind(), steps_left: MOST_STEPS }
    }

    /// The states of a function, with at most so many after the same branch edge. `None` if all branch edges
    /// share all that is open, or if there are too many states.
    pub fn states(&mut self, function: FuncId, ways: &Ways, most: usize) -> Option<States> {
        if self.behind.contains(&self.walk.program.functions[function].entry()) {
            return None;
        }
        let entry = self.entries.get(&function)?.clone();
        let regions = self.explore(entry, ways)?;
        let classes = classes(&regions, &gains(&regions, ways));
        bounded(&regions, &classes, most)
    }

    /// All states, the first one first.
    fn explore(&mut self, entry: BTreeSet<usize>, ways: &Ways) -> Option<Vec<Explored>> {
        let mut regions: FxHashMap<usize, Region> = FxHashMap::default();
        let mut ids: FxHashMap<BTreeSet<usize>, usize> = FxHashMap::from_iter([(entry.clone(), 0)]);
        let (mut work, mut found) = (VecDeque::from([entry]), Vec::new());
        while let Some(state) = work.pop_front() {
            let mut all = Region::default();
            for &place in &state {
                if let Entry::Vacant(entry) = regions.entry(place) {
                    entry.insert(self.region(place, ways)?);
                }
                all.add(&regions[&place]);
            }
            let mut explored = Explored { is_shared: all.is_open, met: all.met, next: BTreeMap::new() };
            for (way, places) in all.next.into_iter().filter(|_| !explored.is_shared) {
                let number = ids.len();
                let next = *ids.entry(places.clone()).or_insert(number);
                if next == number {
                    work.push_back(places);
                }
                explored.next.insert(way, Next::State(next));
            }
            explored.next.extend(all.opened.into_iter().map(|way| (way, Next::Shared)));
            found.push(explored);
            if ids.len() > MOST_STATES {
                return None;
            }
        }
        Some(found)
    }

    /// The places that an execution at a place may reach in the same activation and in those that it calls.
    fn region(&mut self, from: usize, ways: &Ways) -> Option<Region> {
        let walk = self.walk;
        let own = walk.places[from].string;
        let exit = walk.program.functions[walk.function(from)].exit;
        let mut region = Region::default();
        let mut met = FxHashSet::from_iter([from]);
        let mut work = vec![from];
        while let Some(at) = work.pop() {
            self.steps_left = self.steps_left.checked_sub(1)?;
            let place = &walk.places[at];
            let is_own = place.string == own;
            if is_own && place.loc == exit {
                continue;
            }
            let way_of = |edge| if is_own { ways.of.get(&edge).copied() } else { None };
            region.met.extend(walk.program.out_edges(place.loc).filter_map(way_of));
            for &(edge, next) in walk.steps[at].iter().filter(|step| walk.leads_on(step.1)) {
                match (way_of(edge), next) {
                    (Some(way), Some(next)) => _ = region.next.entry(way).or_default().insert(next),
                    (Some(way), None) => _ = region.opened.insert(way),
                    (None, Some(next)) if met.insert(next) => work.push(next),
                    (None, Some(_)) => {}
                    (None, None) => region.is_open = true,
                }
            }
        }
        Some(region)
    }
}

impl Region {
    fn add(&mut self, other: &Region) {
        self.is_open |= other.is_open;
        self.met.extend(&other.met);
        self.opened.extend(&other.opened);
        for (&way, places) in &other.next {
            self.next.entry(way).or_default().extend(places);
        }
    }
}

/// A state: a set of places.
#[derive(Debug)]
struct Explored {
    /// Whether nothing is known of it.
    is_shared: bool,
    /// The branch edges that executions may take next, if these lead to open parts.
    met: BTreeSet<u32>,
    /// What follows each of these.
    next: BTreeMap<u32, Next>,
}

/// The states from which an execution may come to a branch edge that is shown there, but not everywhere.
fn gains(states: &[Explored], ways: &Ways) -> Vec<bool> {
    let shows = |state: &Explored| {
        !state.is_shared
            && state.met.iter().any(|way| !state.next.contains_key(way) && !ways.shown.contains(way))
    };
    let mut from = vec![Vec::new(); states.len()];
    for (index, state) in states.iter().enumerate() {
        for next in state.next.values() {
            if let &Next::State(next) = next {
                from[next].push(index);
            }
        }
    }
    let mut gains = vec![false; states.len()];
    let mut work: Vec<usize> = (0..states.len()).filter(|&index| shows(&states[index])).collect();
    while let Some(index) = work.pop() {
        if !states[index].is_shared && !std::mem::replace(&mut gains[index], true) {
            work.extend(&from[index]);
        }
    }
    gains
}

/// Classes of states by what they show: two states are in one class if the same branch edges are shown after
/// the same branch edges. No shared state is among them.
fn classes(states: &[Explored], gains: &[bool]) -> Vec<Option<usize>> {
    let mut classes: Vec<Option<usize>> = gains.iter().map(|&gains| gains.then_some(0)).collect();
    let mut count = 1;
    loop {
        let class_of = |next: &Next| match next {
            Next::State(state) => classes[*state],
            Next::Shared => None,
        };
        let mut known = FxHashMap::default();
        let refined = states.iter().enumerate().map(|(index, state)| {
            classes[index]?;
            let signature: Vec<(u32, Option<Option<usize>>)> =
                state.met.iter().map(|&way| (way, state.next.get(&way).map(class_of))).collect();
            let number = known.len();
            Some(*known.entry(signature).or_insert(number))
        });
        let refined: Vec<Option<usize>> = refined.collect();
        let more = known.len();
        classes = refined;
        if more == count {
            return classes;
        }
        count = more;
    }
}

/// One state for each class that is needed, with at most so many after one branch edge.
fn bounded(states: &[Explored], classes: &[Option<usize>], most: usize) -> Option<States> {
    let first = classes[0]?;
    let stands_for = |class| classes.iter().position(|&of| of == Some(class)).expect("no class is empty");
    let mut after: BTreeMap<u32, BTreeSet<usize>> = BTreeMap::new();
    let mut ids: FxHashMap<usize, usize> = FxHashMap::from_iter([(first, 0)]);
    let (mut work, mut found) = (VecDeque::from([first]), Vec::new());
    while let Some(class) = work.pop_front() {
        let mut ways = BTreeMap::new();
        for (&way, next) in &states[stands_for(class)].next {
            let class = match next {
                Next::State(state) => classes[*state],
                Next::Shared => None,
            };
            let known = after.entry(way).or_default();
            let class = class.filter(|class| known.contains(class) || known.len() < most);
            let next = class.map_or(Next::Shared, |class| {
                known.insert(class);
                let number = ids.len();
                let id = *ids.entry(class).or_insert(number);
                if id == number {
                    work.push_back(class);
                }
                Next::State(id)
            });
            ways.insert(way, next);
        }
        found.push(ways);
    }
    Some(found)
}
