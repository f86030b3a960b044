//! The values of a counterexample that a native program is given.

use crate::given::Given;
use beeline_ir::{EdgeId, Program, Value, VarId};
use beeline_lower::libc::{Effect, changes_environment, effect, opens_own_data, reads_environment};
use beeline_run::Choice;
use beeline_witness::command::is_of_world;
use std::collections::{HashMap, HashSet};

/// What models of the C library take from the world, by the names of these inputs.
const LIBRARY: [&str; 6] = ["rand", "getchar", "time", "fopen_succeeds", "memory", beeline_lower::REFUSAL];

/// What comes from outside the program.
#[derive(Debug, Default)]
pub(crate) struct Inputs {
    /// Results of functions, in the order of the calls.
    pub values: Vec<Input>,
    /// What the entry's parameters and global variables hold at the start.
    pub initial: HashMap<VarId, Value>,
    /// Functions and variables that neither the program nor a library defines.
    pub missing: HashSet<String>,
    /// Is the environment that of the path? A program that changes it has the one of its run.
    pub gives_environment: bool,
    /// Is what is read that of the path? A program that reads what it wrote has that of its run.
    pub gives_data: bool,
}

/// What a function returns.
#[derive(Debug)]
pub(crate) struct Input {
    /// The function.
    pub function: String,
    /// The value.
    pub value: Value,
    /// Where it is read.
    pub place: String,
}

impl Inputs {
    /// Those of a counterexample, whose program lacks some functions and variables.
    pub(crate) fn of(given: &Given, missing: HashSet<String>) -> Inputs {
        let program = &given.program;
        let entry = &program.functions[program.entry];
        let gives_environment = !given.names().any(changes_environment);
        // A command reads files.
        let gives_data = given.command.is_none() && !given.names().any(opens_own_data);
        let mut inputs = Inputs { missing, gives_environment, gives_data, ..Inputs::default() };
        for choice in &given.path.choices {
            match choice {
                Choice::Input { edge, input: Some(input), value, .. } => {
                    let function = program.inputs[*input].clone();
                    if inputs.gives(&function) && !is_of_world(&function) {
                        let place = place(program, *edge);
                        inputs.values.push(Input { function, value: value.clone(), place });
                    }
                }
                Choice::Unwritten { var, value } => {
                    if program.vars[*var].owner.is_none() || entry.params.contains(var) {
                        inputs.initial.entry(*var).or_insert_with(|| value.clone());
                    }
                }
                Choice::Input { .. } | Choice::Cell { .. } => {}
            }
        }
        inputs
    }

    /// Is the native program given what an input returns?
    pub(crate) fn gives(&self, input: &str) -> bool {
        if is_of_world(input) {
            return true;
        }
        if reads_environment(input) {
            return self.gives_environment;
        }
        if input == "getchar" || reads(input) {
            return self.gives_data;
        }
        is_input(input) || LIBRARY.contains(&input) || self.missing.contains(input) || reads(input)
    }
}

/// Does a function of this name read from outside into memory?
pub(crate) fn reads(name: &str) -> bool {
    matches!(effect(name), Effect::ReadInto(_))
        && (name == "fgets" || name.ends_with("scanf") || counted(name).is_some())
}

/// The parameters of a function that returns how much it has read to where its parameter `to` points, with `count` that
/// many things of `size` bytes at most; nothing if it is none.
pub(crate) fn counted(name: &str) -> Option<&'static str> {
    match name {
        "read" => Some("int from, void *to, size_t count"),
        "recv" => Some("int from, void *to, size_t count, int how"),
        "fread" => Some("void *to, size_t size, size_t count, void *from"),
        _ => None,
    }
}

/// Is a function of this name an input, whoever defines it?
pub(crate) fn is_input(name: &str) -> bool {
    effect(name) == Effect::Input
}

/// Where an edge stands in the source, or its function.
pub(crate) fn place(program: &Program, edge: EdgeId) -> String {
    match program.edges[edge].span {
        Some(span) => program.show_span(span),
        None => program.source_function(program.function_of(program.edges[edge].src)).to_string(),
    }
}
