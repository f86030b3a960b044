//! Proofs by induction with invariants about all elements of memory: those of the engine are valid, and mutants of them, or
//! of their programs, are not.
//!
//! `BEELINE_FUZZ=first..last` chooses other seeds of random programs than those of the test.

#[path = "../../engine/tests/support/explicit.rs"]
mod explicit;
mod support {
    pub(crate) mod engine;
    pub(crate) mod outcome;
}

use beeline_ir::text::parse;
use beeline_ir::{BinOp, Program, Value};
use beeline_proof::Outcome;
use beeline_run::{ANY_VALUE, AT_ENTRY, RunExpr, RunUnrolling, region_of_invariant};
use fastrand::Rng;
use std::fmt::Write;
use support::engine::{outcome, proof, unrolled};

/// Loops over memory, and a condition that is wrong of one element.
fn program(loops: &str, wrong: &str) -> Program {
    let text = format!(
        "beeline 1.0
        region m: i16 -> i8 in 0x1000+4000
        region o: i16 -> i8 in 0x4000+4000
        fn main() {{
          var n: i16, i: i16, k: i16, x: i8
          n := input \"n\"
          k := input \"k\"
          assume n <u 900
          {loops}
          last: if k <u n && {wrong} goto bad else done
          bad: target \"an element is wrong\"
          done: exit
        }}"
    );
    parse(&text).unwrap_or_else(|faults| panic!("{}\n{text}", faults[0]))
}

const FILL: &str = "i := 0
    fill: while i <u n goto write else last
    write: m[0x1000 + i * 4] := 7
    i := i + 1 goto fill";
const FILL_DOWN: &str = "i := n
    fill: while 0 <u i goto write else last
    write: i := i - 1
    m[0x1000 + i] := 7 goto fill";
/// The second loop writes behind what the first one wrote, in the same region.
const FILL_TWICE: &str = "i := 0
    fill: while i <u n goto write else then
    write: m[0x1000 + i * 2] := 7
    i := i + 1 goto fill
    then: i := 0
    again: while i <u n goto more else last
    more: m[0x1000 + n * 2 + i] := 8
    i := i + 1 goto again";
const COPY: &str = "i := 0
    copy: while i <u n goto write else last
    write: o[0x4000 + i] := m[0x1000 + i * 2]
    i := i + 1 goto copy";
const KEEP: &str = "i := 0
    keep: while i <u n goto choose else last
    choose: x := input \"x\"
    check: if x <u 5 goto write else done
    write: m[0x1000 + i] := x
    next: i := i + 1 goto keep";
/// How far there are no zeros.
const FIND: &str = "i := 0
    find: while i <u n && m[0x1000 + i] != 0 goto next else found
    next: i := i + 1 goto find
    found: n := i goto last";

/// Programs whose elements are right, and nearly the same ones where an element may be wrong.
fn pairs() -> Vec<(Program, Program)> {
    let right = |loops: &str, wrong: &str| program(loops, wrong);
    let seven = "m[0x1000 + k * 4] != 7";
    vec![
        (right(FILL, seven), right(&FILL.replace("i := 0", "i := 1"), seven)),
        (right(FILL, seven), right(&FILL.replace(":= 7", ":= i == 20 ? 8i8 : 7i8"), seven)),
        (right(FILL, seven), right(&FILL.replace("i * 4", "i * 2"), seven)),
        (
            right(FILL, seven),
            right(&FILL.replace("write: m", "write: m[0x1000 + (i ^ 1) * 4] := 1\n m"), seven),
        ),
        (
            right(FILL_DOWN, "m[0x1000 + k] != 7"),
            right(&FILL_DOWN.replace("while 0 <u i", "while 1 <u i"), "m[0x1000 + k] != 7"),
        ),
        (
            right(FILL_TWICE, "m[0x1000 + k * 2] != 7"),
            right(&FILL_TWICE.replace("n * 2 + i", "n + i"), "m[0x1000 + k * 2] != 7"),
        ),
        (
            right(COPY, "o[0x4000 + k] != m[0x1000 + k * 2]"),
            right(
                &COPY.replace("m[0x1000 + i * 2]", "m[0x1000 + i * 3]"),
                "o[0x4000 + k] != m[0x1000 + k * 2]",
            ),
        ),
        (right(KEEP, "4 <u m[0x1000 + k]"), right(KEEP, "3 <u m[0x1000 + k]")),
        (
            right(FIND, "m[0x1000 + k] == 0"),
            right(&FIND.replace("n := i", "n := i + 1"), "m[0x1000 + k] == 0"),
        ),
    ]
}

/// Whether an invariant of a proof is about all elements.
fn is_about_all(proof: &RunUnrolling) -> bool {
    proof.invariants.exprs.iter().any(|expr| matches!(expr, RunExpr::Var(_, ANY_VALUE)))
}

#[test]
fn what_holds_of_all_elements_is_proved() {
    for (right, _) in pairs() {
        let proof = proof(&right);
        assert!(is_about_all(&proof), "{proof:?}");
        assert_eq!(outcome(&right, &proof), Outcome::Valid);
    }
}

#[test]
fn proofs_do_not_hold_of_programs_where_an_element_is_wrong() {
    for (number, (right, wrong)) in pairs().into_iter().enumerate() {
        let proof = proof(&right);
        assert!(matches!(outcome(&wrong, &proof), Outcome::Invalid(_)), "{number}");
        assert!(!unrolled(&wrong).0.is_safe(), "{number}");
    }
}

/// The proof with some of its expressions replaced.
fn changed(proof: &RunUnrolling, change: impl Fn(&RunExpr) -> Option<RunExpr>) -> RunUnrolling {
    let mut changed = proof.clone();
    let mut count = 0;
    for expr in &mut changed.invariants.exprs {
        if let Some(new) = change(expr) {
            *expr = new;
            count += 1;
        }
    }
    assert!(count > 0, "nothing to change in {proof:?}");
    changed
}

#[track_caller]
fn is_refused(program: &Program, proof: &RunUnrolling) {
    match outcome(program, proof) {
        Outcome::Invalid(fault) => {
            assert!(fault.reason.contains("invariant") || fault.reason.contains("reaches"))
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn invariants_about_all_elements_that_do_not_hold_are_refused() {
    let program = program(FILL_TWICE, "m[0x1000 + k * 2] != 7");
    let proof = proof(&program);
    // Another value than the one that is written.
    is_refused(
        &program,
        &changed(&proof, |expr| {
            (*expr == RunExpr::Value(Value::bv(8, 7))).then(|| RunExpr::Value(Value::bv(8, 9)))
        }),
    );
    // Elements that no iteration has gone to.
    is_refused(
        &program,
        &changed(&proof, |expr| match *expr {
            RunExpr::Binary(BinOp::Ult, a, b) => Some(RunExpr::Binary(BinOp::Ule, a, b)),
            _ => None,
        }),
    );
    // One value for all: what is claimed is then claimed of what a variable held.
    let one = changed(&proof, |expr| match *expr {
        RunExpr::Var(var, ANY_VALUE) => Some(RunExpr::Var(var, AT_ENTRY)),
        _ => None,
    });
    assert_ne!(outcome(&program, &one), Outcome::Valid);
    // What the region holds now, in the place of what it held: then the rest may be anything.
    is_refused(
        &program,
        &changed(&proof, |expr| match *expr {
            RunExpr::Load(region, at, ty) => match region_of_invariant(&program, region) {
                (region, true) => Some(RunExpr::Load(region, at, ty)),
                _ => None,
            },
            _ => None,
        }),
    );
}

#[test]
fn regions_that_do_not_exist_are_refused() {
    let program = program(FILL, "m[0x1000 + k * 4] != 7");
    let proof = proof(&program);
    let nowhere = changed(&proof, |expr| match *expr {
        RunExpr::Load(region, at, ty) => {
            let number = region.as_u32() + 2 * program.regions.len() as u32;
            Some(RunExpr::Load(beeline_ir::RegionId::from_u32(number), at, ty))
        }
        _ => None,
    });
    assert!(matches!(outcome(&program, &nowhere), Outcome::Invalid(_)));
}

/// A random program of loops over two regions, small enough for all its executions. Regions have cells that nothing
/// reads, so that they are too large for a constant for each cell.
fn random(seed: u64) -> String {
    let mut rng = Rng::with_seed(seed);
    let rng = &mut rng;
    let mut text = String::from(
        "beeline 1.0
        region m: i16 -> i8 in 0x1000+40, 0x2000+1200 := 0x1000: 3 * 40
        region o: i16 -> i8 in 0x4000+40, 0x5000+1200 := 0x4000: 5 * 40
        fn main() {
          var n: i16, i: i16, k: i16, x: i8, any: i2
          x := 0
          any := input \"n\"
          n := zext(any, i16)
          any := input \"k\"
          k := zext(any, i16)\n",
    );
    let element = |rng: &mut Rng, index: &str| {
        let (region, base) = [("m", 0x1000), ("o", 0x4000)][rng.usize(0..2)];
        let (stride, first) = (rng.u32(1..4), base + rng.u32(0..3) * 6);
        format!("{region}[{first:#x} + {index} * {stride}]")
    };
    let loops = rng.usize(1..3);
    for number in 0..loops {
        let next = if number + 1 == loops { "last".into() } else { format!("begin{}", number + 1) };
        let is_down = rng.u8(0..3) == 0;
        let (first, cond, step) = match is_down {
            true => ("n".to_string(), "0 <u i", "i - 1"),
            false => (rng.u16(0..2).to_string(), "i <u n", "i + 1"),
        };
        writeln!(
            text,
            "begin{number}: i := {first}\n head{number}: while {cond} goto body{number} else {next}"
        )
        .unwrap();
        write!(text, "body{number}: ").unwrap();
        if is_down {
            writeln!(text, "i := {step}").unwrap();
        }
        if rng.bool() {
            writeln!(text, "any := input \"x\"\n x := zext(any, i8)\n assume x <u {}", rng.u8(1..4)).unwrap();
        }
        for _ in 0..rng.usize(1..3) {
            let value = match rng.u8(0..5) {
                0 => "x".to_string(),
                1 => element(rng, "i"),
                2 => "trunc(i, i8)".to_string(),
                3 => format!("i == {} ? 1i8 : 2i8", rng.u8(0..5)),
                _ => rng.u8(0..3).to_string(),
            };
            writeln!(text, "{} := {value}", element(rng, "i")).unwrap();
        }
        let step = if is_down { String::from("i := i") } else { format!("i := {step}") };
        writeln!(text, "{step} goto head{number}").unwrap();
    }
    let other = match rng.u8(0..4) {
        0 => element(rng, "k"),
        1 => "trunc(k, i8)".to_string(),
        _ => rng.u8(0..4).to_string(),
    };
    let op = ["!=", "<u", "=="][rng.usize(0..3)];
    let guard = ["k <u n", "k + 1 <u n", "k <=u n"][rng.usize(0..3)];
    writeln!(text, "last: if {guard} && {} {op} {other} goto bad else done", element(rng, "k")).unwrap();
    text.push_str("bad: target \"an element is wrong\"\n done: exit }");
    text
}

#[test]
fn random_programs_are_right_if_they_are_proved() {
    let seeds = match std::env::var("BEELINE_FUZZ") {
        Ok(range) => {
            let (first, last) = range.split_once("..").expect("BEELINE_FUZZ is first..last");
            first.parse().expect("a number")..last.parse().expect("a number")
        }
        Err(_) => 0..60u64,
    };
    let (mut about_all, mut unsafes) = (0, 0);
    for seed in seeds.clone() {
        let text = random(seed);
        let program = parse(&text).unwrap_or_else(|faults| panic!("{}\n{text}", faults[0]));
        let truth = explicit::truth(&program, 200_000).expect("the program is small");
        let (verdict, proof) = unrolled(&program);
        if verdict.is_safe() {
            assert!(truth.reached.is_empty(), "seed {seed}: {text}");
            let proof = proof.expect("a proof by unrolling");
            assert!(!matches!(outcome(&program, &proof), Outcome::Invalid(_)), "seed {seed}");
            about_all += u32::from(is_about_all(&proof));
        } else {
            unsafes += u32::from(!truth.reached.is_empty());
        }
    }
    assert!(about_all > 2 && unsafes > 2, "{about_all} and {unsafes}");
}

/// An invariant that no memory meets: what is assumed of it must not exclude that the loop is reached and breaks it.
#[test]
fn an_invariant_that_nothing_meets_is_refused() {
    let wrong = program(FILL, "n == 5");
    let mut proof = proof(&program(FILL, "m[0x1000 + k * 4] != 7"));
    let [n, k] = ["n", "k"].map(|name| wrong.vars.iter().find(|(_, var)| var.name == name).unwrap().0);
    let memory = beeline_ir::RegionId::from_u32(0);
    let exprs = vec![
        RunExpr::Var(n, 0),
        RunExpr::Value(Value::bv(16, 0)),
        RunExpr::Binary(BinOp::Eq, 0, 1),
        RunExpr::Var(k, ANY_VALUE),
        RunExpr::Load(memory, 3, beeline_ir::Type::Bv(8)),
        RunExpr::Binary(BinOp::Ult, 4, 4),
        RunExpr::Binary(BinOp::BoolOr, 2, 5),
    ];
    proof.invariants.list.truncate(1);
    proof.invariants.list[0].expr = 6;
    proof.invariants.exprs = exprs;
    is_refused(&wrong, &proof);
    // Any values of two types at once are refused, too.
    let x = wrong.vars.iter().find(|(_, var)| var.name == "x").unwrap().0;
    proof.invariants.exprs[5] = RunExpr::Var(x, ANY_VALUE);
    proof.invariants.exprs[6] = RunExpr::Binary(BinOp::Ult, 4, 5);
    assert!(matches!(outcome(&wrong, &proof), Outcome::Invalid(_)));
}

/// A small region has a constant for each cell, with which a map would have nothing to do.
#[test]
fn an_invariant_about_a_region_without_a_map_is_not_checked() {
    let small = |loops: &str, wrong: &str| {
        let text = beeline_ir::text::print(&program(loops, wrong));
        parse(&text.replace("region o: i16 -> i8 in 0x4000+4000", "region o: i16 -> i8 in 0x4000+8")).unwrap()
    };
    let program = small(FILL, "m[0x1000 + k * 4] != 7");
    let proof = proof(&program);
    assert_eq!(outcome(&program, &proof), Outcome::Valid);
    let other = program.regions.iter().find(|(_, region)| region.name == "o").unwrap().0;
    let moved = changed(&proof, |expr| match *expr {
        RunExpr::Load(region, at, ty) if region.as_u32() < 2 => Some(RunExpr::Load(other, at, ty)),
        _ => None,
    });
    match outcome(&program, &moved) {
        Outcome::Unchecked(reason) => assert!(reason.contains("no map"), "{reason}"),
        other => panic!("{other:?}"),
    }
}
