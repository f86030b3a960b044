//! Fresh names for what outlining adds.

use beeline_ir::Program;
use rustc_hash::{FxHashMap, FxHashSet};

/// The names of a program, and those that were added.
pub(super) struct Names {
    functions: FxHashSet<String>,
    /// Names of variables and regions, of whatever scope, and of globals that were added.
    values: FxHashSet<String>,
    /// Names of variables that were added to functions.
    locals: FxHashSet<String>,
    /// The number of loops of each function that have a name.
    loops: FxHashMap<String, usize>,
}

impl Names {
    pub(super) fn new(program: &Program) -> Names {
        let vars = program.vars.values().map(|var| &var.name);
        let regions = program.regions.values().map(|region| &region.name);
        Names {
            functions: program.functions.values().map(|function| function.name.clone()).collect(),
            values: vars.chain(regions).cloned().collect(),
            locals: FxHashSet::default(),
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

    /// A name for a global with this prefix.
    pub(super) fn of_global(&mut self, name: &str) -> String {
        let name = first(name, |name| !self.values.contains(name) && !self.locals.contains(name));
        self.values.insert(name.clone());
        name
    }

    /// A name with this prefix for a variable of a function, which gets no other variable with this name.
    pub(super) fn of_local(&mut self, name: &str) -> String {
        let name = first(name, |name| !self.values.contains(name));
        self.locals.insert(name.clone());
        name
    }
}

/// The name, or else the name with the first number after it that makes it free.
fn first(name: &str, is_free: impl Fn(&str) -> bool) -> String {
    let numbered = (2u64..).map(|number| format!("{name}.{number}"));
    let mut names = std::iter::once(name.to_string()).chain(numbered);
    names.find(|name| is_free(name)).unwrap_or_default()
}
