//! The speed of the machine in edges per second: `cargo run --release -p beeline-interp --example speed`.

use beeline_interp::oracle::Given;
use beeline_interp::{Limits, Machine};
use std::time::Instant;

/// Programs that loop forever, named by what they stress.
const PROGRAMS: [(&str, &str); 5] = [
    (
        "scalars",
        "beeline 1.0
        fn main() {
          var i: i32, sum: i32
          i, sum := 0, 0
          head: while i <u -1 goto body else done
          body: sum := sum * 3 + (i ^ sum)
          i := i + 1 goto head
          done: exit
        }",
    ),
    (
        "memory",
        "beeline 1.0
        region m: i64 -> i8 in 0x1000+4096 := 0x1000: 0 * 4096
        fn main() {
          var i: i64
          i := 0
          head: m[4096 + (i & 1020)] := m[4096 + (i & 1020), i32] + 7
          i := i + 4 goto head
          exit
        }",
    ),
    (
        "calls",
        "beeline 1.0
        fn main() {
          var x: i32
          x := 0
          head: x := call next(x)
          skip goto head
          exit
        }
        fn next(a: i32) -> r: i32 {
          var t: i32
          t := a + 1
          return t
          exit
        }",
    ),
    (
        "doubles",
        "beeline 1.0
        fn main() {
          var x: f64
          x := 1.0
          head: x := x *. 1.5
          x := x -. 1.0 goto head
          exit
        }",
    ),
    (
        "wide",
        "beeline 1.0
        fn main() {
          var x: i128
          x := 1
          head: x := x * 3
          x := x ^ (x >>u 64) goto head
          exit
        }",
    ),
];

fn main() {
    for (name, text) in PROGRAMS {
        let program = match beeline_ir::text::parse(text) {
            Ok(program) => program,
            Err(faults) => {
                eprintln!("{name}: {}", faults[0]);
                continue;
            }
        };
        let steps = if name == "wide" { 2_000_000 } else { 20_000_000 };
        let limits = Limits { steps, ..Limits::default() };
        let start = Instant::now();
        let run = Machine::new(&program).run(&mut Given::default(), &limits);
        let seconds = start.elapsed().as_secs_f64();
        eprintln!("{name}: {:.1} million edges/s ({:?})", run.steps as f64 / seconds / 1e6, run.outcome);
    }
}
