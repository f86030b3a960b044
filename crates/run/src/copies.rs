//! What of a function is open on some ways only: an automaton over the ways that its branches take.
//!
//! Edges say which way of a branch an execution takes; a way is a number here. Between two of them, an execution of a
//! function is at one of some places of a [`Walk`]: those that it may get to from where it took the last way, through
//! calls as well, without taking another. So a state of the automaton is a set of places, at which ways end, and by
//! the next way it is known which places come next. A way of which no step leads on to something open is *shown* there. Where
//! all is open, and where a state shows no more than is shown everywhere, no state is needed: that is *shared*.

use crate::walk::Walk;
use beeline_ir::{EdgeId, FuncId, LocId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// So many steps are followed for all functions together.
const MOST_STEPS: usize = 4_000_000;
/// A function with more states is not looked at any further.
const MOST_STATES: usize = 2_000;

/// What comes after a way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Next {
    /// What all ways share.
    Shared,
    /// A state, by index.
    State(usize),
}

/// The states of a function; the first is that of its entry. For each, what comes after its ways; those that are not
/// listed are shown.
pub type States = Vec<BTreeMap<u32, Next>>;

/// The ways of a function's branches.
#[derive(Debug, Clone, Default)]
pub struct Ways {
    /// Which way an execution takes with an edge.
    pub of: FxHashMap<EdgeId, u32>,
    /// Those that are shown everywhere.
    pub shown: BTreeSet<u32>,
}

/// Where an execution may get to from a place before it takes a way.
#[derive(Debug, Clone, Default)]
struct Region {
    /// Is all open somewhere there?
    is_open: bool,
    /// The ways that begin there.
    met: BTreeSet<u32>,
    /// Those after which all is open.
    opened: BTreeSet<u32>,
    /// Where the others end.
    next: BTreeMap<u32, BTreeSet<usize>>,
}

/// Finds the states of functions.
#[derive(Debug)]
pub struct Copier<'w> {
    walk: &'w Walk<'w>,
    /// The places where functions are entered, of those that lead on.
    entries: FxHashMap<FuncId, BTreeSet<usize>>,
    /// Where executions may get to after all was open.
    behind: BTreeSet<LocId>,
    steps_left: usize,
}

impl<'w> Copier<'w> {
    /// For what is left along these ways.
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

    /// The states of a function, with at most so many after one and the same way; nothing if all ways share all that is
    /// open, or it is too much to tell.
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

    /// Where an execution that is at a place may get to in the same activation, and in those it calls.
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
    /// Is nothing known of it?
    is_shared: bool,
    /// The ways that executions may take next, if these lead on.
    met: BTreeSet<u32>,
    /// What comes after those that do.
    next: BTreeMap<u32, Next>,
}

/// From which states an execution may come to a way that is shown there, but not everywhere.
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

/// States by what they show: two are in one class if the same ways are shown after the same ways. None are shared.
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

/// One state for each class that is needed, with at most so many after one way.
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
