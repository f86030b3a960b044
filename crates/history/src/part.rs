//! Parts of a history: the runs of some plans.

use crate::{History, Row};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// A plan without runs was asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("it has no plan {name}; its plans are {known}")]
pub struct NoSuchPlan {
    /// The plan.
    pub name: String,
    /// The plans of the history.
    pub known: String,
}

impl History {
    /// The part of a history with the runs of some plans only. Its plans are in the order in which they are
    /// asked for, so that learning from a part does not depend on what else was run.
    pub fn only(&self, plans: &[impl AsRef<str>]) -> Result<History, NoSuchPlan> {
        let mut wanted = BTreeMap::new();
        let mut part = History::new(&self.features);
        for name in plans.iter().map(AsRef::as_ref) {
            let Some(index) = self.strategies.iter().position(|strategy| strategy.name == name) else {
                let known: Vec<&str> =
                    self.strategies.iter().map(|strategy| strategy.name.as_str()).collect();
                return Err(NoSuchPlan { name: name.into(), known: known.join(", ") });
            };
            if let Entry::Vacant(entry) = wanted.entry(index as u32) {
                entry.insert(part.strategies.len() as u32);
                part.strategies.push(self.strategies[index].clone());
            }
        }
        for row in &self.rows {
            if let Some(&strategy) = wanted.get(&row.strategy) {
                let program = part.known_program(self, row);
                let setting = part.add_setting(self.settings[row.setting as usize].clone());
                part.rows.push(Row { program, strategy, setting, ..row.clone() });
            }
        }
        Ok(part)
    }

    /// The index of the program of another history's run, which is added if it is new. Names are unique
    /// there.
    fn known_program(&mut self, other: &History, row: &Row) -> u32 {
        let program = &other.programs[row.program as usize];
        let known = self.programs.iter().position(|known| known.name == program.name);
        known.unwrap_or_else(|| {
            self.programs.push(program.clone());
            self.programs.len() - 1
        }) as u32
    }
}
