//! Which values of a counterexample a native program can be given, and which not.

use crate::given::Given;
use beeline_ir::{EdgeId, Program, Value, VarId};
use beeline_lower::libc::{Effect, effect};
use beeline_run::Choice;
use std::collections::{HashMap, HashSet};

/// What models of the C library take from the world, by the names of these inputs.
const LIBRARY: [&str; 4] = ["rand", "getchar", "time", "fopen_succeeds"];

/// What comes from outside the program.
#[derive(Debug, Default)]
pub struct Inputs {
    /// Results of functions, in the order of the calls.
    pub values: Vec<Input>,
    /// What the entry's parameters and global variables hold at the start.
    pub initial: HashMap<VarId, Value>,
    /// What cannot be given to a native program, in words.
    pub doubts: Vec<String>,
    /// Functions and variables that neither the program nor a library defines.
    pub missing: HashSet<String>,
}

/// What a function returns.
#[derive(Debug)]
pub struct Input {
    /// The function.
    pub function: String,
    /// The value.
    pub value: Value,
    /// Where it is read.
    pub place: String,
}

impl Inputs {
    /// Those of a counterexample, whose program lacks some functions and variables.
    pub fn of(given: &Given, missing: HashSet<String>) -> Inputs {
        let program = &given.program;
        let input = given.native.declared.iter().filter(|function| is_input(&function.name));
        let mut answers: HashSet<&str> = input.map(|function| function.name.as_str()).collect();
        answers.extend(missing.iter().map(String::as_str).chain(LIBRARY));
        let entry = &program.functions[program.entry];
        let mut inputs = Inputs::default();
        for choice in &given.path.choices {
            match choice {
                Choice::Input { edge, input: Some(input), value, .. } => {
                    let function = program.inputs[*input].clone();
                    let place = place(program, *edge);
                    if answers.contains(function.as_str()) {
                        inputs.values.push(Input { function, value: value.clone(), place });
                    } else {
                        inputs.doubt(format!("{function} ({place}) may return another value natively"));
                    }
                }
                Choice::Input { edge, var, input: None, .. } => {
                    let name = shown(program, *var);
                    let place = place(program, *edge);
                    inputs.doubt(format!("{name} ({place}) has a value that the program does not set"));
                }
                Choice::Unwritten { var, value } => {
                    let global = program.vars[*var].owner.is_none();
                    if global || entry.params.contains(var) {
                        inputs.initial.entry(*var).or_insert_with(|| value.clone());
                    } else {
                        let name = shown(program, *var);
                        let owner = program.vars[*var].owner.map(|owner| &program.functions[owner].name);
                        let owner = owner.map_or(String::new(), |owner| format!(" of {owner}"));
                        inputs.doubt(format!("the variable {name}{owner} is read before it is set"));
                    }
                }
                Choice::Cell { region, .. } => {
                    let name = &program.regions[*region].name;
                    inputs.doubt(format!("memory ({name}) is read that the program does not set"));
                }
            }
        }
        inputs.missing = missing;
        inputs
    }

    fn doubt(&mut self, text: String) {
        if !self.doubts.contains(&text) {
            self.doubts.push(text);
        }
    }
}

/// Is a function of this name an input, whoever defines it?
pub fn is_input(name: &str) -> bool {
    effect(name) == Effect::Input
}

fn shown(program: &Program, var: VarId) -> String {
    let var = &program.vars[var];
    var.source.as_ref().map_or(&var.name, |source| &source.name).clone()
}

fn place(program: &Program, edge: EdgeId) -> String {
    match program.edges[edge].span {
        Some(span) => program.show_span(span),
        None => program.functions[program.function_of(program.edges[edge].src)].name.clone(),
    }
}
