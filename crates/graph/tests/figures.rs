//! The figures of the papers as golden tests.

use beeline_graph::{Dist, Distances, Estimate, Graph, Metric, Targets};
use beeline_ir::{LocId, Program, text};

const FIGURE_3_1: &str = include_str!("../../../tests/file/graph/figure-3-1.cfa");
const PFSM_FIGURE_5: &str = include_str!("../../../tests/file/graph/pfsm-figure-5.cfa");
const FIGURES_3_8_AND_3_10: &str = include_str!("../../../tests/file/graph/figures-3-8-and-3-10.cfa");
const FIGURE_7_1: &str = include_str!("../../../tests/file/graph/figure-7-1.cfa");

fn parsed(text: &str) -> Program {
    text::parse(text).expect("the figure is a program")
}

fn loc(program: &Program, label: &str) -> LocId {
    program.locations().find(|&loc| program.label(loc) == label).expect("the label exists")
}

fn measured(program: &Program, metric: Metric) -> Distances {
    Distances::new(&Graph::new(program), metric, Estimate::Efca, Targets::all(program))
}

/// Per label: exit-dist, exit-dist', abs-dist.
fn table(program: &Program, distances: &Distances) -> Vec<String> {
    let row = |loc| {
        let difference = distances.exit_diff(loc).map_or("inf".into(), |difference| difference.to_string());
        let (exit, abs) = (distances.exit_dist(loc), distances.abs_dist(0, loc));
        format!("{} {exit} {difference} {abs}", program.label(loc))
    };
    program.locations().map(row).collect()
}

#[test]
fn figures_3_5_and_3_6_statements() {
    let program = parsed(FIGURE_3_1);
    assert_eq!(
        table(&program, &measured(&program, Metric::Statements)),
        [
            "L1 5 0 5",
            "L2 4 -1 4",
            "L3 5 0 5",
            "L4 4 -1 4",
            "L5 3 -2 3",
            "L6 3 -2 3",
            "L7 2 -3 2",
            "L8 3 -2 3",
            "L9 2 -3 2",
            "L10 1 -4 1",
            "L11 inf inf 0",
            "L12 0 -5 inf",
            "L21 1 0 inf",
            "L22 0 -1 inf",
        ]
    );
}

#[test]
fn figure_3_12_the_distances_of_states() {
    let program = parsed(FIGURE_3_1);
    let distances = measured(&program, Metric::Statements);
    let dist = |label: &str, call| distances.dist(0, loc(&program, label), call);
    assert_eq!(dist("L1", Dist::INFINITE), Dist::new(5));
    let call = dist("L8", Dist::INFINITE);
    assert_eq!(call, Dist::new(3));
    assert_eq!(dist("L21", call), Dist::new(3));
    assert_eq!(dist("L22", call), Dist::new(2));
    // Figure 3.2: the same location, called from L3.
    assert_eq!(dist("L21", dist("L3", Dist::INFINITE)), Dist::new(5));
    assert_eq!(dist("L22", Dist::INFINITE), Dist::INFINITE);
}

/// Figures 3.8 and 3.10 of TOUR: callees before callers, and of a cycle the shortest base case first.
#[test]
fn the_order_of_figures_3_8_and_3_10() {
    let program = parsed(FIGURES_3_8_AND_3_10);
    let graph = Graph::new(&program);
    let func = |name| program.function_named(name).expect("the function");
    let order = ["x", "y", "main"].map(|name| graph.component_of(func(name)));
    assert!(order.is_sorted(), "{order:?}");
    assert_eq!(graph.component_of(func("p")), graph.component_of(func("q")));
    let recursive = ["main", "y", "x", "p", "q", "r"].map(|name| graph.is_recursive(func(name)));
    assert_eq!(recursive, [false, false, false, true, true, true]);
    let distances = measured(&program, Metric::Statements);
    // `p` ends by itself in 3, `q` in 6 or, over `p`, in 1 + 3; `r` never does.
    let through = ["x", "y", "main", "p", "q", "r"].map(|name| distances.through(func(name)).steps());
    assert_eq!(through, [Some(1), Some(1), Some(2), Some(3), Some(4), None]);
}

#[test]
fn figure_7_2_the_distances_of_states() {
    let program = parsed(FIGURE_7_1);
    let distances = measured(&program, Metric::Statements);
    let dist = |label: &str, call| distances.dist(0, loc(&program, label), call);
    let top = Dist::INFINITE;
    assert_eq!(["L1", "L2", "L3", "L8", "L4"].map(|label| dist(label, top)), [5, 4, 5, 3, 4].map(Dist::new));
    let (s3, s4) = (dist("L3", top), dist("L8", top));
    assert_eq!(["L21", "L22"].map(|label| dist(label, s3)), [5, 4].map(Dist::new));
    let s8 = dist("L31", s4);
    assert_eq!(s8, Dist::new(3));
    assert_eq!(["L21", "L22"].map(|label| dist(label, s8)), [3, 2].map(Dist::new));
    assert_eq!(dist("L32", s4), Dist::new(2));
}

#[test]
fn figure_5_of_pfsm_with_function_pointers() {
    let program = parsed(PFSM_FIGURE_5);
    let graph = Graph::new(&program);
    let at = |label| loc(&program, label);
    let measure = |estimate| Distances::new(&graph, Metric::Statements, estimate, Targets::all(&program));
    let call = program.out_edges(at("L8")).next().expect("the call");
    let func = |name| program.function_named(name).expect("the function exists");

    let mut pfsm = measure(Estimate::Pfsm);
    // Over `bb` it costs what `bb` costs; the pointer's call costs 2, for all that is known.
    assert_eq!(pfsm.exit_dist(at("L6")), Dist::new(1 + 2 + 2));
    // Into the pointer's call: the candidate that leads to the target.
    assert_eq!(pfsm.abs_dist(0, at("L6")), Dist::new(1 + 2 + 3));
    assert_eq!(measure(Estimate::Efca).exit_dist(at("L6")), Dist::new(1 + 2 + 3));

    pfsm.resolve(&graph, call, func("Z_aa")).expect("a candidate");
    assert_eq!(pfsm.exit_dist(at("L8")), Dist::new(3));
    // Another execution may call the other candidate, which leads to the target.
    assert!(pfsm.abs_dist(0, at("L8")).is_finite());
    assert_eq!(pfsm.resolve(&graph, call, func("Z_aa")), Ok(0));
    assert!(pfsm.resolve(&graph, call, func("bb")).is_err());
}
