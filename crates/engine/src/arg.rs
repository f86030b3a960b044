//! The abstract reachability graph: abstract states in an arena, with who covers whom.

use crate::bdd::{Bdd, Bdds};
use crate::place::Place;
use crate::values::{Key, Outline, ValuesId, ValuesPool};
use cranelift_entity::{PrimaryMap, entity_impl};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// An abstract state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);
entity_impl!(NodeId, "n");

/// An abstract state: a set of execution states at one place.
#[derive(Debug, Clone)]
pub struct Node {
    /// Where.
    pub place: Place,
    /// What it is compared by: states of one partition may cover each other.
    pub partition: Place,
    /// What values are known.
    pub values: ValuesId,
    /// What is known of predicates.
    pub formula: Bdd,
    /// The predecessor, and the exit of the block in between.
    pub parent: Option<(NodeId, usize)>,
    /// The successors.
    pub children: NodeIds,
    /// The state that includes this one.
    pub covered_by: Option<NodeId>,
    /// The states that this one includes.
    pub covers: NodeIds,
    /// Were its successors computed?
    pub expanded: bool,
    /// Is it part of the graph still?
    pub alive: bool,
    /// The version of the precision with which it was made.
    pub version: u32,
}

/// Some states; there are many such lists, nearly all of them short.
pub type NodeIds = SmallVec<[NodeId; 4]>;

/// The states at a place that know something of the same keys, by the values of these.
#[derive(Debug, Default)]
struct Group {
    keys: Vec<Key>,
    /// A summary of the keys.
    outline: Outline,
    states: FxHashMap<ValuesId, NodeIds>,
}

impl Group {
    /// The states that know the same of the group's keys as some values.
    fn matching(&mut self, id: ValuesId, outline: Outline, pool: &ValuesPool) -> Option<&mut NodeIds> {
        if !outline.may_include(self.outline) {
            return None;
        }
        let values = pool.get(id);
        let id = if values.has_keys(&self.keys) { id } else { pool.find(&values.project(&self.keys)?)? };
        self.states.get_mut(&id)
    }
}

/// The states of one partition by what they know.
#[derive(Debug, Default)]
struct Shelf {
    groups: Vec<Group>,
}

/// The graph.
#[derive(Debug, Default)]
pub struct Arg {
    nodes: PrimaryMap<NodeId, Node>,
    shelves: FxHashMap<Place, Shelf>,
    /// How often it was asked whether one state includes another.
    pub coverage_checks: u64,
}

impl std::ops::Index<NodeId> for Arg {
    type Output = Node;
    fn index(&self, id: NodeId) -> &Node {
        &self.nodes[id]
    }
}

impl Arg {
    /// How many states were made, removed ones included.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Is there no state?
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Forgets all states, but not how much room they took nor the count of questions.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.shelves.clear();
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

    /// Notes that the successors of a state were computed; from now on it may cover others.
    ///
    /// The first state never does: its successors were computed from the program's initial state, of
    /// which its values and predicates tell only a part.
    pub fn set_expanded(&mut self, id: NodeId, pool: &ValuesPool) {
        let node = &mut self.nodes[id];
        node.expanded = true;
        if node.parent.is_none() {
            return;
        }
        let values = pool.get(node.values);
        let shelf = self.shelves.entry(node.partition).or_default();
        let group = match shelf.groups.iter().position(|group| values.has_keys(&group.keys)) {
            Some(index) => index,
            None => {
                let keys = values.entries().map(|(key, _)| key).collect();
                let outline = values.outline();
                shelf.groups.push(Group { keys, outline, states: FxHashMap::default() });
                shelf.groups.len() - 1
            }
        };
        shelf.groups[group].states.entry(node.values).or_default().push(id);
    }

    /// Finds an expanded state that includes another one, and lets it cover that.
    pub fn cover(&mut self, id: NodeId, pool: &ValuesPool, bdds: &mut Bdds) -> bool {
        let node = &self.nodes[id];
        let values = pool.get(node.values);
        let Some(shelf) = self.shelves.get_mut(&node.partition) else { return false };
        let mut found = None;
        let outline = values.outline();
        for group in &mut shelf.groups {
            let Some(candidates) = group.matching(node.values, outline, pool) else { continue };
            candidates.retain(|id| self.nodes[*id].alive && self.nodes[*id].expanded);
            for &candidate in candidates.iter() {
                self.coverage_checks += 1;
                let other = &self.nodes[candidate];
                if candidate != id
                    && bdds.implies(node.formula, other.formula)
                    && values.implies(pool.get(other.values))
                {
                    found = Some(candidate);
                    break;
                }
            }
            if found.is_some() {
                break;
            }
        }
        let Some(covering) = found else { return false };
        self.nodes[id].covered_by = Some(covering);
        self.nodes[covering].covers.push(id);
        true
    }

    /// The states from the first one to this one.
    pub fn path_to(&self, id: NodeId) -> Vec<NodeId> {
        let mut path: Vec<NodeId> =
            std::iter::successors(Some(id), |&id| self.nodes[id].parent.map(|(parent, _)| parent)).collect();
        path.reverse();
        path
    }

    /// Removes a state without successors because no execution gets to it.
    pub fn drop_leaf(&mut self, leaf: NodeId) {
        debug_assert!(self.nodes[leaf].children.is_empty() && self.nodes[leaf].covers.is_empty());
        self.nodes[leaf].alive = false;
        if let Some((parent, _)) = self.nodes[leaf].parent {
            self.nodes[parent].children.retain(|child| *child != leaf);
        }
    }

    /// Removes a state and all its descendants. Returns the states that have to be looked at again: its
    /// predecessor, and those that lost the state that covered them.
    pub fn remove_subtree(&mut self, top: NodeId) -> Vec<NodeId> {
        let mut again = Vec::new();
        let mut orphans = NodeIds::new();
        if let Some((parent, _)) = self.nodes[top].parent {
            // Its other successors go too: they are made again.
            again.push(parent);
        }
        let mut stack = match self.nodes[top].parent {
            Some((parent, _)) => {
                self.nodes[parent].expanded = false;
                std::mem::take(&mut self.nodes[parent].children)
            }
            None => NodeIds::from_slice(&[top]),
        };
        if let Some((parent, _)) = self.nodes[top].parent {
            // While it is not expanded, it covers nothing.
            orphans.append(&mut self.nodes[parent].covers);
        }
        while let Some(id) = stack.pop() {
            let node = &mut self.nodes[id];
            node.alive = false;
            stack.append(&mut node.children);
            orphans.append(&mut node.covers);
            if let Some(covering) = node.covered_by.take() {
                self.nodes[covering].covers.retain(|covered| *covered != id);
            }
        }
        for id in orphans {
            let node = &mut self.nodes[id];
            if node.alive {
                node.covered_by = None;
                again.push(id);
            }
        }
        again
    }
}
