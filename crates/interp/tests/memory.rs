//! Memory regions: cells, byte order, bounds, initial values, havoc.

use beeline_interp::oracle::{Given, Random};
use beeline_interp::{Limits, Machine, Outcome, Run, Source};
use beeline_ir::{Op, Program, Value};

fn parsed(text: &str) -> Program {
    match beeline_ir::text::parse(&format!("beeline 1.0\n{text}")) {
        Ok(program) => program,
        Err(faults) => panic!("{}\nin\n{text}", faults[0]),
    }
}

fn run(text: &str) -> Run {
    let limits = Limits { steps: 1000, record: true, ..Limits::default() };
    Machine::new(&parsed(text)).run(&mut Random::new(5), &limits)
}

/// The result of `main` with a region and some lines.
fn returned(head: &str, ty: &str, lines: &str) -> Outcome {
    run(&format!("{head}\nfn main() -> r: {ty} {{\n{lines}\nexit\n}}")).outcome
}

fn bv(width: u32, value: u64) -> Outcome {
    Outcome::Returned(Some(Value::bv(width, value)))
}

#[test]
fn values_of_several_cells_follow_the_byte_order() {
    let little = "region m: i64 -> i8";
    let big = "pointer 64 big\nregion m: i64 -> i8";
    let lines = |read: &str| format!("m[8] := 0x11223344i32\n return {read}");
    assert_eq!(returned(little, "i8", &lines("m[8]")), bv(8, 0x44));
    assert_eq!(returned(big, "i8", &lines("m[8]")), bv(8, 0x11));
    assert_eq!(returned(little, "i16", &lines("m[9, i16]")), bv(16, 0x2233));
    assert_eq!(returned(big, "i16", &lines("m[9, i16]")), bv(16, 0x2233));
    assert_eq!(returned(little, "i16", &lines("m[8, i16]")), bv(16, 0x3344));
    assert_eq!(returned(big, "i16", &lines("m[8, i16]")), bv(16, 0x1122));
}

#[test]
fn wide_values_are_cells_too() {
    for head in ["region m: i64 -> i8", "pointer 64 big\nregion m: i64 -> i8"] {
        let lines = "var w: i128\n w := 0x0102030405060708090a0b0c0d0e0f10\n m[100] := w\n return m[100, i128] == w ? 1 : 0";
        assert_eq!(returned(head, "i8", lines), bv(8, 1), "{head}");
    }
    let lines = "m[100] := 0x0102030405060708090a0b0c0d0e0f10i128\n return m[100]";
    assert_eq!(returned("region m: i64 -> i8", "i8", lines), bv(8, 0x10));
    assert_eq!(returned("pointer 64 big\nregion m: i64 -> i8", "i8", lines), bv(8, 0x01));
    // Wide cells, and values of several of them.
    let lines = "m[32] := 7\n m[48] := 9\n return trunc(m[32, i256] >>u 128, i8)";
    assert_eq!(returned("region m: i64 -> i128", "i8", lines), bv(8, 9));
    let lines = "var w: i256\n w := 5\n m[0] := (w << 128) | 3\n return trunc(m[16] * m[0], i8)";
    assert_eq!(returned("region m: i64 -> i128", "i8", lines), bv(8, 15));
}

#[test]
fn floats_go_through_bytes() {
    let lines = "m[0] := 1.5f64\n return m[6, i16]";
    assert_eq!(returned("region m: i64 -> i8", "i16", lines), bv(16, 0x3ff8));
    // A NaN becomes the canonical one when it is read as a float.
    let lines = "m[0] := 0xffffffffi32\n return bits(m[0, f32])";
    assert_eq!(returned("region m: i64 -> i8", "i32", lines), bv(32, 0x7fc0_0000));
    let lines = "m[0] := 2.5\n m[4] := 3.5\n return m[0] +. m[4] == 6.0 ? 1 : 0";
    let lines = lines.replace("== 6.0", "==. 6.0");
    assert_eq!(returned("region m: i64 -> f32", "i8", &lines), bv(8, 1));
    let lines = "var q: f128\n q := sitofp(3i8, f128)\n m[16] := q\n return bits(m[16]) == bits(q) ? 1 : 0";
    assert_eq!(returned("region m: i64 -> f128", "i8", lines), bv(8, 1));
}

#[test]
fn addresses_wrap_at_their_width() {
    let lines = "m[255] := 0x1234i16\n return concat(m[255], m[0])";
    assert_eq!(returned("region m: i8 -> i8", "i16", lines), bv(16, 0x3412));
    let lines = "m[0] := 0x12\n m[255] := 0x34\n return m[255, i16]";
    assert_eq!(returned("region m: i8 -> i8", "i16", lines), bv(16, 0x1234));
    let last = "m[0xffffffffffffffff] := 0x1234i16\n return m[0]";
    assert_eq!(returned("region m: i64 -> i8", "i8", last), bv(8, 0x12));
}

#[test]
fn cells_at_different_addresses_never_overlap() {
    let lines = "m[0] := 0x11111111\n m[1] := 0x22222222\n m[4] := 0x33333333\n return m[0]";
    assert_eq!(returned("region m: i64 -> i32", "i32", lines), bv(32, 0x1111_1111));
    let lines = lines.replace("return m[0]", "return m[1]");
    assert_eq!(returned("region m: i64 -> i32", "i32", &lines), bv(32, 0x2222_2222));
    // Far apart, and with strides that are not powers of two.
    let lines = "m[0] := 1\n m[3] := 2\n m[1536] := 3\n m[0xfffffffffff0] := 4\n return m[0] + m[3] * 8 + m[1536] * 64 + m[0xfffffffffff0] * 512";
    let expected = bv(24, 1 + 2 * 8 + 3 * 64 + 4 * 512);
    assert_eq!(returned("region m: i64 -> i24", "i24", lines), expected);
}

#[test]
fn extents_bound_accesses_to_their_last_byte() {
    let head = "region m: i64 -> i8 in 0x10+4, 0x20+2";
    for (access, allowed) in [
        ("m[15]", false),
        ("m[16]", true),
        ("m[19]", true),
        ("m[20]", false),
        ("m[31]", false),
        ("m[33]", true),
        ("m[34]", false),
        ("trunc(m[16, i32], i8)", true),
        ("trunc(m[17, i32], i8)", false),
        ("trunc(m[32, i16], i8)", true),
        ("trunc(m[33, i16], i8)", false),
    ] {
        let outcome = returned(head, "i8", &format!("return {access}"));
        assert_eq!(matches!(outcome, Outcome::Returned(_)), allowed, "{access}: {outcome:?}");
    }
}

#[test]
fn initial_values_hold_until_they_are_overwritten() {
    let head = "region m: i64 -> i32 := 0x100: 7 * 3, 8; 0x200: 9";
    for (addr, expected) in [(0x100, 7), (0x108, 7), (0x10c, 8), (0x200, 9)] {
        assert_eq!(returned(head, "i32", &format!("return m[{addr}]")), bv(32, expected), "{addr:#x}");
    }
    let overwritten = "m[0x104] := 1\n return m[0x100] * 100 + m[0x104] * 10 + m[0x108]";
    assert_eq!(returned(head, "i32", overwritten), bv(32, 717));
    // Between the runs, after them, and off the stride the value is arbitrary.
    for addr in [0xfc, 0x110, 0x204, 0x101] {
        let run = run(&format!("{head}\nfn main() -> r: i32 {{\n return m[{addr}]\n exit\n}}"));
        assert!(matches!(run.values[..], [(Source::Cell(_, at), _)] if at == addr), "{addr:#x}: {run:?}");
    }
}

#[test]
fn a_large_zeroed_array_costs_nothing() {
    let program = parsed(
        "region m: i64 -> i8 in 0x1000+0x400000000 := 0x1000: 0 * 0x400000000
        fn main() -> r: i64 {
          m[0x300000000] := 5
          return m[0x300000000, i64] + m[0x123456789, i64]
          exit
        }",
    );
    let limits = Limits { memory: 100_000, ..Limits::default() };
    assert_eq!(Machine::new(&program).run(&mut Given::default(), &limits).outcome, bv(64, 5));
}

#[test]
fn memory_has_a_limit() {
    let program = parsed(
        "region m: i64 -> i64
        fn main() {
          var p: i64
          p := 0
          L: m[p] := p
          p := p + 0x100000 goto L
          exit
        }",
    );
    let limits = Limits { memory: 1_000_000, ..Limits::default() };
    let run = Machine::new(&program).run(&mut Given::default(), &limits);
    assert_eq!(run.outcome, Outcome::OutOfMemory);
    assert!(run.steps < 1000);
}

#[test]
fn unwritten_cells_are_asked_for_once() {
    let run = run("region m: i64 -> i8\nfn main() -> r: i8 {\n r := m[3]\n r := r - m[3]\n exit\n}");
    assert_eq!(run.outcome, bv(8, 0));
    assert!(matches!(run.values[..], [(Source::Cell(_, 3), _)]), "{:?}", run.values);
}

#[test]
fn a_havoc_forgets_written_and_initial_values() {
    for (cell, ty) in [("i8", "i8"), ("i128", "i128")] {
        let run = run(&format!(
            "region m: i64 -> {cell} := 0: 1\nfn main() -> r: {ty} {{\n m[16] := 2\n havoc region m\n r := m[0]\n r := r + m[16]\n exit\n}}"
        ));
        let cells: Vec<&Source> = run.values.iter().map(|(source, _)| source).collect();
        assert!(matches!(cells[..], [Source::Cell(_, 0), Source::Cell(_, 16)]), "{cells:?}");
    }
}

#[test]
fn what_an_execution_holds_is_told_between_steps() {
    for cell in ["i8", "i128"] {
        let program = parsed(&format!(
            "region m: i64 -> {cell} := 0: 1\nfn main() {{\n var x: i8\n x := 3\n m[32] := 2\n x := 4\n havoc region m\n \
             assume x == 9 || x == 3 && m[32] == 2\n exit\n}}"
        ));
        let Op::Assume(cond, _) = program.edges.values().last().expect("there are edges").op else {
            panic!("no condition")
        };
        let region = program.regions.keys().next().expect("there is one");
        let machine = Machine::new(&program);
        let mut oracle = Given::default();
        let mut execution = machine.start(&mut oracle, &Limits::default());
        let mut told = Vec::new();
        for _ in 0..4 {
            execution.step().expect("it can be taken");
            let mut is = |addr: u64| execution.cell(region, addr).and_then(|value| value.as_bits()?.to_u64());
            let cells = (is(0), is(32));
            told.push((cells, execution.holds(cond), execution.holds(cond)));
        }
        let no = Some(false);
        // Before it is written, the second cell is any value, which is then zero, as are the oracle's answers.
        assert_eq!(told[0], ((Some(1), None), no, no), "{cell}");
        assert_eq!(told[1], ((Some(1), Some(2)), Some(true), Some(true)), "{cell}");
        assert_eq!(told[2], ((Some(1), Some(2)), no, no), "{cell}");
        assert_eq!(told[3], ((None, None), no, no), "{cell}");
    }
}
