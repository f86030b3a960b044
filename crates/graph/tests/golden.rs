//! Files of every released layout stay readable and mean the same.

use beeline_graph::{Annotation, Distances, Estimate, Features, Graph, Metric, Targets};
use beeline_ir::{Program, file, text};

fn parsed(text: &str) -> Program {
    text::parse(text).expect("the figure is a program")
}

#[test]
fn distances_1_0() {
    let bytes = include_bytes!("../../../tests/golden/figure-3-1.1-0.dist");
    let read = file::from_bytes::<Annotation>("golden", bytes).expect("it can be read").body;
    let program = parsed(include_str!("../../../tests/file/graph/figure-3-1.cfa"));
    let targets = Targets::all(&program);
    let distances = Distances::of_metrics(&Graph::new(&program), &Metric::ALL, Estimate::Efca, &targets);
    assert_eq!(read, Annotation { distances });
}

#[test]
fn features_1_0() {
    let bytes = include_bytes!("../../../tests/golden/figure-7-5.1-0.feat");
    let read = file::from_bytes::<Features>("golden", bytes).expect("it can be read").body;
    let program = parsed(include_str!("../../../tests/file/graph/figure-7-5.cfa"));
    assert_eq!(read, Features::new(&Graph::new(&program)));
}
