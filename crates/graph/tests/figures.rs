//! The figures of the papers as golden tests.

use beeline_graph::{Dist, Distances, Estimate, Graph, Metric, Targets};
use beeline_ir::{LocId, Program, text};

const FIGURE_3_1: &str = include_str!("../../../tests/ir/figure-3-1.cfa.txt");
const FIGURE_7_1: &str = include_str!("../../../tests/ir/figure-7-1.cfa.txt");

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
fn figure_3_1_in_the_other_metrics() {
    let program = parsed(FIGURE_3_1);
    let abs = |metric| {
        let distances = measured(&program, metric);
        ["L1", "L2", "L3", "L4", "L5", "L8", "L10"].map(|label| distances.abs_dist(0, loc(&program, label)))
    };
    assert_eq!(abs(Metric::BasicBlocks), [2, 2, 2, 2, 1, 1, 1].map(Dist::new));
    assert_eq!(abs(Metric::LoopHeads), [0; 7].map(Dist::new));
    // Leaving L1, and at the call: leaving L21, and the return.
    assert_eq!(abs(Metric::LoopHeadsAndFunctions), [3, 2, 2, 0, 0, 2, 0].map(Dist::new));
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
