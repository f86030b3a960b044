//! A program of a million edges: how long it takes to write, read, print and parse, and how large it is.

#![allow(clippy::print_stdout)]

use beeline_ir::file;
use beeline_ir::{BinOp, LocId, Op, Program, ProgramBuilder, Region, Span, Type, UnOp, Value, text};
use peak_alloc::PeakAlloc;
use std::time::Instant;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

const FUNCTIONS: u32 = 5_000;
const LOCS: u32 = 151;

fn main() {
    let program = program();
    let edges = program.edges.len();
    println!("program: {edges} edges, {} expressions, {FUNCTIONS} functions", program.exprs.len());
    let bytes = timed("encode", || file::to_bytes(&program, None).expect("the program is valid"));
    println!("  size: {} bytes, {:.1} an edge", bytes.len(), bytes.len() as f64 / edges as f64);
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    let read = timed("decode and validate", || file::from_bytes::<Program>("bench", &bytes));
    let peak = MEMORY.peak_usage() - before + bytes.len();
    assert!(read.is_ok_and(|read| read.body == program), "what is read differs");
    println!(
        "  memory with the file: {} MB, {:.1} of the file",
        peak >> 20,
        peak as f64 / bytes.len() as f64
    );
    let printed = timed("print", || text::print(&program));
    println!("  size: {} bytes", printed.len());
    let parsed = timed("parse", || text::parse(&printed));
    assert!(parsed.is_ok_and(|parsed| parsed == program), "what is parsed differs");
}

fn timed<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    println!("{what}: {:.3} s", start.elapsed().as_secs_f64());
    result
}

/// Functions as C programs have them: assignments, branches, memory, calls, each with its line.
fn program() -> Program {
    let mut builder = ProgramBuilder::new("million", 64);
    let file = builder.file("million.c");
    let region = builder.region(Region {
        name: "mem".into(),
        addr: Type::Bv(64),
        cell: Type::Bv(32),
        extents: vec![],
        init: vec![],
    });
    let functions: Vec<_> = (0..FUNCTIONS).map(|index| builder.function(&format!("f{index}"))).collect();
    let mut random = fastrand::Rng::with_seed(1);
    for (&func, line) in functions.iter().zip((1..).step_by(200)) {
        let param = builder.param(func, "n", Type::Bv(32));
        let pointer = builder.param(func, "p", Type::Bv(64));
        let mut vars = vec![param];
        vars.extend((0..12).map(|index| builder.local(func, &format!("x{index}"), Type::Bv(32))));
        let locs: Vec<LocId> = (0..LOCS).map(|_| builder.loc(func)).collect();
        builder.set_exit(func, locs[LOCS as usize - 1]);
        for (index, pair) in locs.windows(2).enumerate() {
            let mut var = || vars[random.usize(..vars.len())];
            let (x, y, z) = (var(), var(), var());
            let span = Some(Span { file, line: line + index as u32, col: 1 + random.u32(..30) });
            let far = locs[random.usize(1..locs.len())];
            let constant = Value::bv(32, random.u64(..100));
            let (a, b) = (builder.exprs().var(y, Type::Bv(32)), builder.exprs().var(z, Type::Bv(32)));
            let k = builder.exprs().constant(constant);
            let op = match random.u8(..9) {
                0..3 => {
                    let cond = builder.exprs().binary(BinOp::Slt, a, b);
                    builder.branch(pair[0], cond, random.bool(), (pair[1], far), span);
                    continue;
                }
                3 => Op::assign(x, builder.exprs().binary(BinOp::Add, a, k)),
                4 => {
                    let sum = builder.exprs().binary(BinOp::Mul, a, b);
                    Op::assign(x, builder.exprs().binary(BinOp::Xor, sum, k))
                }
                5 => {
                    let base = builder.exprs().var(pointer, Type::Bv(64));
                    let offset = builder.exprs().constant(Value::bv(64, 4 * random.u64(..10)));
                    Op::Store { region, addr: builder.exprs().binary(BinOp::Add, base, offset), value: a }
                }
                6 => {
                    let args = vec![a, builder.exprs().var(pointer, Type::Bv(64))];
                    let callee = beeline_ir::Callee::Direct(functions[random.usize(..functions.len())]);
                    Op::Call(Box::new(beeline_ir::Call { callee, args, ret: None }))
                }
                7 => Op::Skip,
                _ => Op::assign(x, builder.exprs().unary(UnOp::BvNot, b)),
            };
            builder.edge(pair[0], pair[1], op, span);
        }
    }
    builder.set_entry(functions[0]);
    builder.finish().expect("the generator makes valid programs")
}
