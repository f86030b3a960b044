//! The abstract reachability graph: abstract states in an arena, with their successors and coverage.

use crate::control::place::Place;
use crate::state::bdd::{Bdd, Bdds};
use crate::values::{Key, Outline, ValuesId, ValuesPool};
use beeline_ir::LocId;
use cranelift_entity::{EntitySet, PrimaryMap, entity_impl};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The id of an abstract state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);
entity_impl!(NodeId, "n");

/// An abstract state: a set of execution states at one place.
#[derive(Debug, Clone)]
pub struct Node {
    /// The place.
    pub place: Place,
    /// The partition of the place: states of one partition may cover each other.
    pub partition: Place,
    /// The known values.
    pub values: ValuesId,
    /// The known predicates.
    pub formula: Bdd,
    /// The predecessor, and the exit of the block in between.
    pub parent: Option<(NodeId, usize)>,
    /// The successors.
    pub children: NodeIds,
    /// The state that covers this one, or that covers what its topmost call sees if that call was popped.
    pub covered_by: Option<NodeId>,
    /// What its topmost call sees, where calls may be popped.
    pub top: Option<Top>,
    /// The states that this one covers.
    pub covers: NodeIds,
    /// Whether its successors were computed.
    pub expanded: bool,
    /// Whether it is still part of the graph.
    pub alive: bool,
    /// The version of the precision with which it was made.
    pub version: u32,
    /// How many stages of a staged path executions have passed that reach this state.
    pub passed: u32,
}

/// What the topmost call of a place sees of a state: globals, and its own variables as if it were the only
/// activation of its function.
#[derive(Debug, Clone, Copy)]
pub struct Top {
    /// The known values.
    pub values: ValuesId,
    /// What holds for all values of the calls below.
    pub surely: Bdd,
    /// What holds for some values of the calls below.
    pub perhaps: Bdd,
}

/// A list of states. There are many such lists, most of them short.
pub type NodeIds = SmallVec<[NodeId; 4]>;

/// The states at a place whose values have the same keys, by their values.
#[derive(Debug, Default)]
struct Group {
    keys: Vec<Key>,
    /// The signature of the keys.
    outline: Outline,
    states: FxHashMap<ValuesId, NodeIds>,
}

impl Group {
    /// The states that agree with some values on the group's keys.
    fn matching(&mut self, id: ValuesId, outline: Outline, pool: &ValuesPool) -> Option<&mut NodeIds> {
        if !outline.may_include(self.outline) {
            return None;
        }
        let values = pool.get(id);
        let id = if values.has_keys(&self.keys) { id } else { pool.find(&values.project(&self.keys)?)? };
        self.states.get_mut(&id)
    }
}

/// A subsumption index: the states that may cover each other, by their values.
#[derive(Debug, Default)]
struct SubsumptionIndex {
    groups: Vec<Group>,
}

impl SubsumptionIndex {
    fn add(&mut self, id: NodeId, known: ValuesId, pool: &ValuesPool) {
        let values = pool.get(known);
        let group = match self.groups.iter().position(|group| values.has_keys(&group.keys)) {
            Some(index) => index,
            None => {
                let keys = values.entries().map(|(key, _)| key).collect();
                let outline = values.outline();
                self.groups.push(Group { keys, outline, states: FxHashMap::default() });
                self.groups.len() - 1
            }
        };
        self.groups[group].states.entry(known).or_default().push(id);
    }

    /// Finds an including state among those that know no other values than these.
    fn find(
        &mut self,
        known: ValuesId,
        pool: &ValuesPool,
        is_expanded: impl Fn(NodeId) -> bool,
        mut includes: impl FnMut(NodeId) -> bool,
    ) -> Option<NodeId> {
        let outline = pool.get(known).outline();
        self.groups.iter_mut().find_map(|group| {
            let candidates = group.matching(known, outline, pool)?;
            candidates.retain(|id| is_expanded(*id));
            candidates.iter().copied().find(|&candidate| includes(candidate))
        })
    }
}

/// The graph.
#[derive(Debug, Default)]
pub struct Arg {
    nodes: PrimaryMap<NodeId, Node>,
    shelves: FxHashMap<Place, SubsumptionIndex>,
    /// An index by location of what topmost calls see.
    tops: FxHashMap<LocId, SubsumptionIndex>,
    /// The number of checks whether one state includes another.
    pub coverage_checks: u64,
}

impl std::ops::Index<NodeId> for Arg {
    type Output = Node;
    fn index(&self, id: NodeId) -> &Node {
        &self.nodes[id]
    }
}

impl Arg {
    /// The number of states made, including removed ones.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no state.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Forgets all states, but keeps the allocations and the count of coverage checks.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.shelves.clear();
        self.tops.clear();
    }

    /// The states that are part of the graph.
    pub fn alive(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        self.nodes.iter().filter(|(_, node)| node.alive)
    }

    /// Adds a state.
    pub fn add(&mut self, node: Node) -> NodeId {
        let parent = node.parent;
        let id = self.nodes.push(node);
        if let Some((parent, _)) = parent {
            self.nodes[parent].children.push(id);
        }
        id
    }

    /// Records that the successors of a state were computed. From now on it may cover others.
    ///
    /// The first state never covers: its successors were computed from the program's initial state, of which
    /// its values and predicates describe only a part.
    pub fn set_expanded(&mut self, id: NodeId, pool: &ValuesPool) {
        let node = &mut self.nodes[id];
        node.expanded = true;
        if node.parent.is_none() {
            return;
        }
        let (partition, loc, values, top) = (node.partition, node.place.loc, node.values, node.top);
        self.shelves.entry(partition).or_default().add(id, values, pool);
        if let Some(top) = top {
            self.tops.entry(loc).or_default().add(id, top.values, pool);
        }
    }

    /// Finds an expanded state that includes this one, and makes it cover this one.
    pub fn cover(&mut self, id: NodeId, pool: &ValuesPool, bdds: &mut Bdds) -> bool {
        let Arg { nodes, shelves, coverage_checks, .. } = self;
        let node = &nodes[id];
        let values = pool.get(node.values);
        let Some(shelf) = shelves.get_mut(&node.partition) else { return false };
        let is_expanded = |id: NodeId| nodes[id].alive && nodes[id].expanded;
        let found = shelf.find(node.values, pool, is_expanded, |candidate| {
            *coverage_checks += 1;
            let other = &nodes[candidate];
            candidate != id
                && bdds.implies(node.formula, other.formula)
                && values.implies(pool.get(other.values))
        });
        found.is_some_and(|covering| self.covers(covering, id))
    }

    /// Finds an expanded state with other open calls whose topmost call sees at least as much as that of this
    /// state, and makes it cover this one. The topmost call of this state is then popped.
    pub fn cover_top(&mut self, id: NodeId, pool: &ValuesPool, bdds: &mut Bdds) -> bool {
        let Arg { nodes, tops, coverage_checks, .. } = self;
        let node = &nodes[id];
        let (Some(top), Some(shelf)) = (node.top, tops.get_mut(&node.place.loc)) else { return false };
        let values = pool.get(top.values);
        let is_expanded = |id: NodeId| nodes[id].alive && nodes[id].expanded;
        let found = shelf.find(top.values, pool, is_expanded, |candidate| {
            *coverage_checks += 1;
            let other = &nodes[candidate];
            let sees = |other: Top| {
                bdds.implies(top.perhaps, other.surely) && values.implies(pool.get(other.values))
            };
            other.place != node.place && other.top.is_some_and(sees)
        });
        found.is_some_and(|covering| self.covers(covering, id))
    }

    fn covers(&mut self, covering: NodeId, id: NodeId) -> bool {
        self.nodes[id].covered_by = Some(covering);
        self.nodes[covering].covers.push(id);
        true
    }

    /// Whether the topmost call of a state was popped.
    pub fn is_popped(&self, id: NodeId) -> bool {
        let node = &self.nodes[id];
        node.covered_by.is_some_and(|covering| self.nodes[covering].place != node.place)
    }

    /// The states from the first one to this one.
    pub fn path_to(&self, id: NodeId) -> Vec<NodeId> {
        let mut path: Vec<NodeId> =
            std::iter::successors(Some(id), |&id| self.nodes[id].parent.map(|(parent, _)| parent)).collect();
        path.reverse();
        path
    }

    /// Removes a state without successors that no execution reaches.
    pub fn drop_leaf(&mut self, leaf: NodeId) {
        debug_assert!(self.nodes[leaf].children.is_empty() && self.nodes[leaf].covers.is_empty());
        self.nodes[leaf].alive = false;
        if let Some((parent, _)) = self.nodes[leaf].parent {
            self.nodes[parent].children.retain(|child| *child != leaf);
        }
    }

    /// Removes a state and all its descendants. Returns the states to explore again: its predecessor, and the
    /// states that lost their covering state.
    pub fn remove_subtree(&mut self, top: NodeId) -> Vec<NodeId> {
        let (mut again, mut orphans) = (Vec::new(), NodeIds::new());
        let mut gone = match self.nodes[top].parent {
            Some((parent, _)) => {
                // Its other successors go too: they will be made again. While it is not expanded, it covers
                // nothing.
                again.push(parent);
                self.uncover(parent);
                let node = &mut self.nodes[parent];
                node.expanded = false;
                orphans.append(&mut node.covers);
                std::mem::take(&mut node.children)
            }
            None => NodeIds::from_slice(&[top]),
        };
        while !gone.is_empty() {
            while let Some(id) = gone.pop() {
                self.uncover(id);
                let node = &mut self.nodes[id];
                node.alive = false;
                gone.append(&mut node.children);
                orphans.append(&mut node.covers);
            }
            for id in std::mem::take(&mut orphans) {
                let node = &mut self.nodes[id];
                if node.alive {
                    node.covered_by = None;
                    // The states after the popped call.
                    gone.append(&mut node.children);
                    again.push(id);
                }
            }
        }
        again.retain(|&id| self.nodes[id].alive);
        again
    }

    /// Removes the states that are not wanted, unless they cover a state that stays. None of them leads to a
    /// wanted one.
    pub fn retain(&mut self, mut is_wanted: impl FnMut(&Node) -> bool) {
        let mut stays: EntitySet<NodeId> = EntitySet::new();
        let wanted = self.alive().filter(|(_, node)| is_wanted(node)).map(|(id, _)| id);
        for id in wanted.collect::<Vec<_>>() {
            let mut next = Some(id);
            while let Some(id) = next.filter(|&id| stays.insert(id)) {
                next = self.nodes[id].covered_by;
            }
        }
        for (id, node) in self.nodes.iter_mut() {
            node.alive &= stays.contains(id);
            node.children.retain(|child| stays.contains(*child));
            node.covers.retain(|covered| stays.contains(*covered));
        }
    }

    /// Removes the coverage of this state.
    fn uncover(&mut self, id: NodeId) {
        if let Some(covering) = self.nodes[id].covered_by.take() {
            self.nodes[covering].covers.retain(|covered| *covered != id);
        }
    }
}
