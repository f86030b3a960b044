//! Names that nothing else has.

use beeline_ir::Program;
use rustc_hash::{FxHashMap, FxHashSet};

/// The names of a program, and those that were added.
pub(super) struct Names {
    functions: FxHashSet<String>,
    /// Those of variables and regions, of whatever scope.
    values: FxHashSet<String>,
    /// How many loops each function has that have a name.
    loops: FxHashMap<String, usize>,
}

impl Names {
    pub(super) fn new(program: &Program) -> Names {
        let vars = program.vars.values().map(|var| &var.name);
        let regions = program.regions.values().map(|region| &region.name);
        Names {
            functions: program.functions.values().map(|function| function.name.clone()).collect(),
            values: vars.chain(regions).cloned().collect(),
            loops: FxHashMap::default(),
        }
    }

    /// A name for the next loop of a function: see [`Program::source_function`].
    pub(super) fn of_loop(&mut self, function: &str) -> String {
        let number = self.loops.entry(function.to_string()).or_default();
        loop {
            *number += 1;
            let name = format!("{function}.loop{number}");
            if self.functions.insert(name.clone()) {
                return name;
            }
        }
    }

    /// A name for a variable that begins like this.
    pub(super) fn fresh(&mut self, name: &str) -> String {
        let numbered = (2..).map(|number| format!("{name}.{number}"));
        let mut names = std::iter::once(name.to_string()).chain(numbered);
        let fresh = names.find(|name| !self.values.contains(name)).unwrap_or_default();
        self.values.insert(fresh.clone());
        fresh
    }
}
