//! The values of a counterexample that are given to a native program.

use crate::given::Given;
use beeline_ir::{EdgeId, Program, Value, VarId};
use beeline_lower::libc::{Effect, changes_environment, effect, opens_own_data, reads_environment};
use beeline_run::Choice;
use beeline_witness::command::is_of_world;
use std::collections::{HashMap, HashSet};

/// The inputs of models of the C library, by name.
const LIBRARY: [&str; 7] =
    ["rand", "getchar", "time_is_up", "time", "fopen_succeeds", "memory", beeline_lower::REFUSAL];

/// The inputs of a native program.
#[derive(Debug, Default)]
pub(crate) struct Inputs {
    /// Results of functions, in the order of the calls.
    pub values: Vec<Input>,
    /// The initial values of the entry's parameters and of global variables.
    pub initial: HashMap<VarId, Value>,
    /// Functions and variables that neither the program nor a library defines.
    pub missing: HashSet<String>,
    /// Whether the environment variables are those of the path. A program that changes them has those of its
    /// run.
    pub gives_environment: bool,
    /// Whether the data that is read is that of the path. A program that reads what it wrote has that of its
    /// run.
    pub gives_data: bool,
}

/// The result of a function.
#[derive(Debug)]
pub(crate) struct Input {
    /// The function.
    pub function: String,
    /// The value.
    pub value: Value,
    /// The place of the call.
    pub place: String,
}

impl Inputs {
    /// The inputs of a counterexample, whose program lacks some functions and variables.
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

    /// Whether the native program is given the values of an input.
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

/// Whether a function of this name reads from outside into memory.
pub(crate) fn reads(name: &str) -> bool {
    matches!(effect(name), Effect::ReadInto(_))
        && (name == "fgets" || name.ends_with("scanf") || counted(name).is_some())
}

/// The parameters of a function that reads to where its parameter `to` points, at most `count` elements of
/// `size` bytes, and returns the amount; `None` for other functions.
pub(crate) fn counted(name: &str) -> Option<&'static str> {
    match name {
        "read" => Some("int from, void *to, size_t count"),
        "recv" => Some("int from, void *to, size_t count, int how"),
        "fread" => Some("void *to, size_t size, size_t count, void *from"),
        _ => None,
    }
}

/// Whether a function of this name is an input, even if it is defined.
pub(crate) fn is_input(name: &str) -> bool {
    effect(name) == Effect::Input
}

/// The place of an edge in the source, or its function.
pub(crate) fn place(program: &Program, edge: EdgeId) -> String {
    match program.edges[edge].span {
        Some(span) => program.show_span(span),
        None => program.source_function(program.function_of(program.edges[edge].src)).to_string(),
    }
}
