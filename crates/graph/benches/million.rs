//! Measures distances and features on programs of ten thousand to a million edges and fits how the
//! time grows. `cargo bench -p beeline-graph`.

#![allow(clippy::print_stdout)]

use beeline_graph::{Distances, Estimate, Features, Graph, Metric, Targets};
use beeline_ir::{BinOp, Call, Callee, LocId, Op, Program, ProgramBuilder, Type, Value};
use fastrand::Rng;
use std::time::Instant;

/// Edges of a function; one in ten calls a function, any of them, so that there is much recursion.
const EDGES_PER_FUNCTION: usize = 100;

fn main() {
    println!("   edges  functions   index   all 4 metrics   features");
    let mut points = Vec::new();
    for edges in [10_000, 100_000, 1_000_000] {
        let program = program(edges);
        let start = Instant::now();
        let graph = Graph::new(&program);
        let indexed = start.elapsed().as_secs_f64();
        let all = Distances::of_metrics(&graph, &Metric::ALL, Estimate::Efca, &Targets::all(&program));
        let measured = start.elapsed().as_secs_f64() - indexed;
        let finite = all[0].exit_dist(program.functions[program.entry].entry()).is_finite();
        assert!(finite, "the program does not end");
        drop(all);
        let start = Instant::now();
        let features = Features::new(&graph);
        let featured = start.elapsed().as_secs_f64();
        assert_eq!(features.get("FUNCS"), Some(program.functions.len() as f64));
        println!(
            "{:8} {:10} {indexed:6.3}s {measured:14.3}s {featured:9.3}s",
            program.edges.len(),
            program.functions.len()
        );
        points.push(((program.edges.len() as f64).ln(), [indexed + measured, featured].map(f64::ln)));
    }
    println!("exponent: distances {:.2}, features {:.2}", slope(&points, 0), slope(&points, 1));
    if let Some(peak) = peak_memory() {
        println!("peak memory, with the program: {peak}");
    }
}

/// The slope of the line that fits best.
fn slope(points: &[(f64, [f64; 2])], which: usize) -> f64 {
    let count = points.len() as f64;
    let mean_x = points.iter().map(|point| point.0).sum::<f64>() / count;
    let mean_y = points.iter().map(|point| point.1[which]).sum::<f64>() / count;
    let (mut above, mut below) = (0.0, 0.0);
    for (x, y) in points {
        above += (x - mean_x) * (y[which] - mean_y);
        below += (x - mean_x).powi(2);
    }
    above / below
}

/// What the system says of this process, if it does.
fn peak_memory() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmHWM:")).map(|peak| peak.trim().to_string())
}

fn program(edges: usize) -> Program {
    let mut rng = Rng::with_seed(7);
    let mut builder = ProgramBuilder::new("million", 64);
    let count = edges / EDGES_PER_FUNCTION;
    let functions: Vec<_> = (0..count).map(|index| builder.function(&format!("f{index}"))).collect();
    for &func in &functions {
        let vars: Vec<_> =
            (0..5).map(|index| builder.local(func, &format!("x{index}"), Type::Bv(32))).collect();
        let locs: Vec<LocId> = (0..EDGES_PER_FUNCTION * 4 / 5).map(|_| builder.loc(func)).collect();
        let (&exit, inner) = locs.split_last().expect("a function has locations");
        builder.set_exit(func, exit);
        for (index, &src) in inner.iter().enumerate() {
            let (var, other) = (vars[rng.usize(..5)], vars[rng.usize(..5)]);
            let value = builder.exprs().var(var, Type::Bv(32));
            let other = builder.exprs().var(other, Type::Bv(32));
            let next = locs[index + 1];
            match rng.u8(..8) {
                0 if index > 0 && rng.u8(..50) == 0 => {
                    builder.target(src, "unreach-call", &format!("{src}"), None)
                }
                0 => {
                    // A call upwards may recurse, so there is a way around it.
                    let callee = rng.usize(..count);
                    if callee <= func.as_u32() as usize {
                        builder.edge(src, next, Op::Skip, None);
                    }
                    let callee = Callee::Direct(functions[callee]);
                    let call = Call { callee, args: Vec::new(), ret: None };
                    builder.edge(src, next, Op::Call(Box::new(call)), None);
                }
                1 | 2 => {
                    let cond = builder.exprs().binary(BinOp::Ult, value, other);
                    let looping = rng.bool();
                    let end = if looping { index } else { locs.len() };
                    let jump = locs[if looping { rng.usize(..=end) } else { rng.usize(index..end) }];
                    builder.branch(src, cond, looping, (jump, next), None);
                }
                _ => {
                    let one = builder.exprs().constant(Value::bv(32, 1));
                    let value = builder.exprs().binary(BinOp::Add, value, one);
                    builder.edge(src, next, Op::assign(var, value), None);
                }
            }
        }
    }
    builder.set_entry(functions[0]);
    builder.finish().expect("the program is valid")
}
