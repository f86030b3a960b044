//! The loops of a program that a command line or a plan selects.

use beeline_engine::Unwind;
use beeline_graph::{Nesting, recursion_heads};
use beeline_ir::{LocId, Program};
use std::path::Path;

/// The bounds of loops and recursive functions, or an error as a sentence.
pub(crate) fn resolved(program: &Program, asked: &[beeline_options::Unwind]) -> Result<Unwind, String> {
    let mut unwind = Unwind::default();
    for bound in asked {
        let turns = bound.turns.get();
        let Some(of) = &bound.of else {
            unwind.all = Some(turns);
            continue;
        };
        let found = named(program, of);
        if found.is_empty() {
            return Err(format!("no loop at {of}: {}", those_there_are(program)));
        }
        unwind.of.extend(found.into_iter().map(|head| (head, turns)));
    }
    Ok(unwind)
}

/// The loops and recursive functions of a program with their names.
fn all(program: &Program) -> Vec<(LocId, String)> {
    let nesting = Nesting::new(program);
    let loops = program.locations().filter(|&loc| nesting.is_head(loc)).filter_map(|loc| {
        let span = program.out_edges(loc).find_map(|edge| program.edges[edge].span)?;
        let file = Path::new(&program.files[span.file]).file_name()?.to_string_lossy().into_owned();
        Some((loc, format!("{file}:{}", span.line)))
    });
    let recursive = recursion_heads(program);
    let functions = program.functions.iter().filter(|(func, _)| recursive.contains(*func));
    loops.chain(functions.map(|(_, function)| (function.entry(), function.name.clone()))).collect()
}

fn named(program: &Program, name: &str) -> Vec<LocId> {
    let is_meant = |known: &str| known == name || name.ends_with(&format!("/{known}"));
    all(program).into_iter().filter(|(_, known)| is_meant(known)).map(|(loc, _)| loc).collect()
}

fn those_there_are(program: &Program) -> String {
    let mut names: Vec<String> = all(program).into_iter().map(|(_, name)| name).collect();
    names.sort();
    names.dedup();
    match names[..] {
        [] => "the program has none".into(),
        _ => format!("the loops are {}", names.join(", ")),
    }
}
