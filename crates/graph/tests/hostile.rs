//! Programs and files made to be expensive or to break things.

use beeline_graph::{
    Annotation, Dist, Distances, EffectMap, Estimate, Features, Graph, Loops, Metric, Targets,
};
use beeline_ir::file::{Body, Decoder, Encoder};
use beeline_ir::{Call, Callee, FuncId, Op, Program, ProgramBuilder, text};
use std::time::{Duration, Instant};

fn call(callee: FuncId) -> Op {
    Op::Call(Box::new(Call { callee: Callee::Direct(callee), args: Vec::new(), ret: None }))
}

fn measured(program: &Program) -> Distances {
    Distances::new(&Graph::new(program), Metric::Statements, Estimate::Efca, Targets::all(program))
}

/// Calls `levels` deep; each function calls the next one `times` times.
fn tower(levels: usize, times: usize) -> Program {
    let mut builder = ProgramBuilder::new("tower", 64);
    let functions: Vec<_> = (0..levels).map(|index| builder.function(&format!("f{index}"))).collect();
    for (index, &func) in functions.iter().enumerate() {
        let locs: Vec<_> = (0..=times).map(|_| builder.loc(func)).collect();
        builder.set_exit(func, locs[times]);
        for pair in locs.windows(2) {
            let op = functions.get(index + 1).map_or(Op::Skip, |&next| call(next));
            builder.edge(pair[0], pair[1], op, None);
        }
    }
    builder.set_entry(functions[0]);
    builder.finish().expect("the program is valid")
}

#[test]
fn distances_beyond_all_numbers_stay_finite() {
    let program = tower(100, 2);
    let distances = measured(&program);
    let entry = program.functions[program.entry].entry();
    assert_eq!(distances.exit_dist(entry), Dist::FAR);
    assert_eq!(distances.exit_diff(entry), Some(0));
    let exit = program.functions[program.entry].exit;
    assert_eq!(distances.exit_diff(exit), Some(-i64::MAX));
}

#[test]
fn a_hundred_thousand_calls_deep() {
    let program = tower(100_000, 1);
    let start = Instant::now();
    let graph = Graph::new(&program);
    assert_eq!(graph.components().len(), 100_000);
    assert_eq!(measured(&program).through(program.entry), Dist::new(1));
    EffectMap::new(&graph);
    Features::new(&graph);
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

/// `depth` loops, each in the one before, with heads in a row and back edges in a row.
fn nest(depth: usize, beside_head: bool) -> Program {
    let mut builder = ProgramBuilder::new("nest", 64);
    let main = builder.function("main");
    let locs: Vec<_> = (0..2 * depth + 1).map(|_| builder.loc(main)).collect();
    builder.set_exit(main, locs[2 * depth]);
    if beside_head {
        // From the first head into every loop beside its head; the search goes down the row before, for it
        // visits the last successor first.
        for level in 1..depth {
            builder.edge(locs[0], locs[2 * depth - 1 - level], Op::Skip, None);
        }
    }
    for pair in locs.windows(2) {
        builder.edge(pair[0], pair[1], Op::Skip, None);
    }
    for level in 0..depth {
        builder.edge(locs[2 * depth - 1 - level], locs[level], Op::Skip, None);
    }
    builder.set_entry(main);
    builder.finish().expect("the program is valid")
}

#[test]
fn loops_nested_deeply() {
    for beside_head in [false, true] {
        let program = nest(3_000, beside_head);
        let start = Instant::now();
        let loops = Loops::new(&program, program.entry);
        assert_eq!(loops.len(), 3_000);
        assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    }
}

/// A metric that came again and again, each time with all targets, would let a small file claim much
/// memory.
#[test]
fn a_metric_that_comes_twice_is_refused() {
    let program = text::parse("beeline 1.0\nfn main() {\n L0: skip\n L1: exit\n}").expect("a program");
    let graph = Graph::new(&program);
    let of = |metrics: &[Metric]| Annotation {
        distances: Distances::of_metrics(&graph, metrics, Estimate::Efca, &Targets::all(&program)),
    };
    let body = |annotation: &Annotation| {
        let mut out = Encoder::default();
        annotation.encode_body(&mut out).map(|()| out.into_bytes())
    };
    assert!(body(&of(&[Metric::Statements, Metric::Statements])).is_err());
    let mut bytes =
        body(&of(&[Metric::LoopHeads, Metric::LoopHeadsAndFunctions])).expect("it can be written");
    let read = |bytes: &[u8]| Annotation::decode_body(&mut Decoder::new(bytes), Annotation::VERSION);
    assert!(read(&bytes).is_ok());
    // No distance of this program is 2 steps, which would be written as 3 too.
    let tag = bytes.iter().rposition(|&byte| byte == Metric::LoopHeadsAndFunctions as u8).expect("the tag");
    bytes[tag] = Metric::LoopHeads as u8;
    let error = read(&bytes).expect_err("the metric comes twice").to_string();
    assert!(error.contains("not sorted and unique"), "{error}");
}

/// Distances of another program, as a file may hold them, are no reason to panic.
#[test]
fn resolving_in_another_program_is_refused() {
    let small = text::parse("beeline 1.0\nfn main() {\n L0: skip\n L1: exit\n}").expect("a program");
    let large = text::parse(
        "beeline 1.0
        global p: i64
        fn main() {
          L0: call (p)() among f, g
          L1: exit
        }
        fn f() at 16 {
          F0: skip
          F1: exit
        }
        fn g() at 32 {
          G0: exit
        }",
    )
    .expect("a program");
    let graph = Graph::new(&large);
    let edge = large.out_edges(large.functions[large.entry].entry()).next().expect("the call");
    let callee = large.function_named("f").expect("the function");
    assert!(measured(&small).resolve(&graph, edge, callee).is_err());
}
