//! The subsumption index: finds the states that may include another one by the values that they know.

use crate::state::arg::NodeId;
use crate::values::{Key, Outline, Values};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The states at one place, grouped by the keys that they know, and by the values of these.
#[derive(Debug, Default)]
pub(super) struct SubsumptionIndex {
    groups: Vec<Group>,
}

#[derive(Debug)]
struct Group {
    keys: Vec<Key>,
    /// The signature of the keys.
    outline: Outline,
    states: FxHashMap<Arc<Values>, Vec<NodeId>>,
}

impl SubsumptionIndex {
    /// Adds a state with these values.
    pub(super) fn add(&mut self, values: &Arc<Values>, id: NodeId) {
        let index = self.groups.iter().position(|group| values.has_keys(&group.keys)).unwrap_or_else(|| {
            let keys = values.entries().map(|(key, _)| key).collect();
            self.groups.push(Group { keys, outline: values.outline(), states: FxHashMap::default() });
            self.groups.len() - 1
        });
        self.groups[index].states.entry(Arc::clone(values)).or_default().push(id);
    }

    /// The states that may include a state with these values.
    pub(super) fn candidates(&self, values: &Values) -> impl Iterator<Item = NodeId> {
        let outline = values.outline();
        self.groups.iter().filter(move |group| outline.may_include(group.outline)).flat_map(move |group| {
            let known = values.project(&group.keys).and_then(|part| group.states.get(&part));
            known.into_iter().flatten().copied()
        })
    }
}
