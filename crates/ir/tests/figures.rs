//! The programs of the figures of the TOUR paper have the shape that the paper tells.

use beeline_ir::{LocId, Program, text};

fn figure(text: &str) -> Program {
    text::parse(text).expect("the figure is a program")
}

/// Locations and edges of a function; a call is one edge, from the call to where it returns.
fn size(program: &Program, function: &str) -> (usize, usize) {
    let id = program.function_named(function).expect("the function exists");
    let locs = program.functions[id].locations();
    (locs.len(), locs.map(|loc| program.out_edges(loc).len()).sum())
}

fn labels(program: &Program) -> Vec<String> {
    program.locations().map(|loc: LocId| program.label(loc)).collect()
}

#[test]
fn figure_3_1_has_the_locations_of_the_paper() {
    let program = figure(include_str!("../../../tests/file/graph/figure-3-1.cfa"));
    assert_eq!(size(&program, "main"), (12, 13));
    assert_eq!(size(&program, "f"), (2, 1));
    let expected: Vec<String> = (1..=12).chain(21..=22).map(|number| format!("L{number}")).collect();
    assert_eq!(labels(&program), expected);
}

#[test]
fn figure_7_5_has_17_locations_and_21_edges_with_calls_and_returns_apart() {
    let program = figure(include_str!("../../../tests/file/graph/figure-7-5.cfa"));
    assert_eq!(size(&program, "main"), (12, 13));
    assert_eq!(size(&program, "f"), (5, 6));
    let calls = program.edges.values().filter(|edge| edge.op.as_call().is_some()).count();
    // The paper counts a call as an edge to the callee and one back.
    assert_eq!((program.num_locs(), program.edges.len() + calls), (17, 21));
}
