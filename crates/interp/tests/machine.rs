//! Executions of programs: each kind of edge, each outcome, calls, laziness, oracles, replay.

use beeline_interp::oracle::{Enumerated, Given, Random, Recorded};
use beeline_interp::replay::{Replay, replay};
use beeline_interp::{Limits, Machine, Oracle, Outcome, Run, Source, StuckReason};
use beeline_ir::{EdgeId, Op, Program, ProgramBuilder, Type, UnOp, Value};
use std::collections::BTreeSet;

fn parsed(text: &str) -> Program {
    match beeline_ir::text::parse(&format!("beeline 1.0\n{text}")) {
        Ok(program) => program,
        Err(faults) => panic!("{}\nin\n{text}", faults[0]),
    }
}

fn limits() -> Limits {
    Limits { steps: 1000, trace: true, record: true, ..Limits::default() }
}

fn run_with(text: &str, inputs: &[Value]) -> Run {
    Machine::new(&parsed(text)).run(&mut Given::new(inputs.to_vec()), &limits())
}

fn outcome(text: &str, inputs: &[Value]) -> Outcome {
    run_with(text, inputs).outcome
}

/// The result of `fn main() -> r: type` after some lines.
fn returned(ty: &str, lines: &str) -> Outcome {
    outcome(&format!("fn main() -> r: {ty} {{\n{lines}\nexit\n}}"), &[])
}

fn bv(width: u32, value: u64) -> Outcome {
    Outcome::Returned(Some(Value::bv(width, value)))
}

fn truth(value: bool) -> Outcome {
    Outcome::Returned(Some(Value::Bool(value)))
}

#[test]
fn each_outcome_of_a_run() {
    assert_eq!(outcome("fn main() {\n skip\n exit\n}", &[]), Outcome::Returned(None));
    assert_eq!(returned("i8", "return 7"), bv(8, 7));
    let program = parsed("fn main() {\n var x: i8\n x := 3\n B: assume x == 4\n exit\n}");
    let run = Machine::new(&program).run(&mut Given::default(), &limits());
    let Outcome::Blocked(loc) = run.outcome else { panic!("{run:?}") };
    assert_eq!((program.label(loc).as_str(), run.steps), ("B", 1));
    assert_eq!(outcome("fn main() {\n L: skip goto L\n exit\n}", &[]), Outcome::OutOfSteps);
    let text = "fn main() {\n skip goto b\n a: target \"first\"\n b: target \"second\"\n exit\n}";
    let program = parsed(text);
    let Outcome::Target(index) = outcome(text, &[]) else { panic!("no target") };
    assert_eq!(program.targets[index].name, "second");
}

#[test]
fn each_reason_to_be_stuck() {
    use StuckReason::*;
    let memory = "region m: i64 -> i8 in 0x10+4";
    for (line, expected) in [
        ("x := 1 /u x", DivisionByZero),
        ("x := 1 %u x", DivisionByZero),
        ("x := 1 /s x", DivisionByZero),
        ("x := 1 %s x", DivisionByZero),
        ("x := 128 /s (x - 1)", DivisionOverflow),
        ("x := 128 %s (x - 1)", DivisionOverflow),
        ("x := m[15]", OutsideObject(15)),
        ("x := m[20]", OutsideObject(20)),
        ("x := trunc(m[18, i32], i8)", OutsideObject(18)),
        ("m[20] := 1", OutsideObject(20)),
        ("m[19] := 1i16", OutsideObject(19)),
        ("call (5)() among f", NoSuchFunction),
    ] {
        let text = format!(
            "{memory}\nfn main() {{\n var x: i8\n skip\n {line}\n exit\n}}\nfn f() at 0x4 {{\n skip\n exit\n}}\nfn g() at 0x5 {{\n skip\n exit\n}}"
        );
        let run = run_with(&text, &[]);
        let Outcome::Stuck(reason, edge) = run.outcome else { panic!("{line}: {:?}", run.outcome) };
        assert_eq!(reason, expected, "{line}");
        assert_eq!(run.trace.last(), Some(&edge), "the stuck edge ends the trace");
        assert_eq!((edge, run.steps), (EdgeId::from_u32(1), 2), "{line}");
    }
}

#[test]
fn floats_that_do_not_fit_are_stuck() {
    for (number, kind, ty, fits) in [
        ("127.9", "fptosi", "i8", true),
        ("128.0", "fptosi", "i8", false),
        ("-128.9", "fptosi", "i8", true),
        ("-129.0", "fptosi", "i8", false),
        ("255.9", "fptoui", "i8", true),
        ("256.0", "fptoui", "i8", false),
        ("-0.9", "fptoui", "i8", true),
        ("-1.0", "fptoui", "i8", false),
        ("nan", "fptosi", "i8", false),
        ("inf", "fptoui", "i128", false),
        ("-1.0", "fptosi", "i1", true),
        ("1.0", "fptosi", "i1", false),
        ("1.0", "fptoui", "i1", true),
    ] {
        let lines = format!("var f: f64\n f := {number}\n return {kind}(f, {ty})");
        match returned(ty, &lines) {
            Outcome::Returned(_) => assert!(fits, "{kind} {number} {ty}"),
            Outcome::Stuck(StuckReason::ConversionOverflow, _) => assert!(!fits, "{kind} {number} {ty}"),
            other => panic!("{kind} {number} {ty}: {other:?}"),
        }
    }
}

#[test]
fn lazy_operators_evaluate_only_operands_that_matter() {
    let lazily = |value: &str| returned("bool", &format!("var z: i8\n z := 0\n return {value}"));
    for (value, expected) in [
        ("z != 0 && 1 /u z == 1", truth(false)),
        ("z == 0 || 1 /u z == 1", truth(true)),
        ("(z == 0 ? 2 : 1 /u z) == 2", truth(true)),
        ("(z != 0 ? 1 /u z : 2) == 2", truth(true)),
    ] {
        assert_eq!(lazily(value), expected, "{value}");
    }
    for value in ["z == 0 && 1 /u z == 1", "z != 0 || 1 /u z == 1", "(z == 0 ? 1 /u z : 2) == 2"] {
        assert!(matches!(lazily(value), Outcome::Stuck(StuckReason::DivisionByZero, _)), "{value}");
    }
    // The left operand always matters.
    assert!(matches!(lazily("1 /u z == 1 && z != 0"), Outcome::Stuck(..)));
}

#[test]
fn a_parallel_assignment_reads_before_it_writes() {
    assert_eq!(returned("i8", "var a: i8, b: i8\n a, b := 3, 5\n a, b := b, a\n return a - b"), bv(8, 2));
    let wide = "var a: i100, b: i100\n a, b := 3, 5\n a, b := b, a\n return trunc(a - b, i8)";
    assert_eq!(returned("i8", wide), bv(8, 2));
}

#[test]
fn recursion_has_its_own_locals() {
    let factorial = |n: u64| {
        format!(
            "fn main() -> r: i64 {{\n r := call fact({n})\n exit\n}}
            fn fact(n: i64) -> r: i64 {{
              var below: i64
              if n == 0 goto one else more
              more: below := call fact(n - 1)
              return n * below
              one: return 1
              exit
            }}"
        )
    };
    assert_eq!(outcome(&factorial(10), &[]), bv(64, 3_628_800));
    let deep = Limits { depth: 50, ..limits() };
    let program = parsed(&factorial(48));
    assert!(matches!(Machine::new(&program).run(&mut Given::default(), &deep).outcome, Outcome::Returned(_)));
    let program = parsed(&factorial(49));
    assert_eq!(Machine::new(&program).run(&mut Given::default(), &deep).outcome, Outcome::TooDeep);
}

#[test]
fn endless_recursion_ends_at_a_limit() {
    let program = parsed("fn main() {\n var a: i64, w: i300\n w := 1\n call main()\n exit\n}");
    let deep = Limits { steps: u64::MAX, ..Limits::default() };
    let machine = Machine::new(&program);
    assert_eq!(machine.run(&mut Given::default(), &deep).outcome, Outcome::TooDeep);
    let little = Limits { memory: 10_000, depth: usize::MAX, ..deep };
    assert_eq!(machine.run(&mut Given::default(), &little).outcome, Outcome::OutOfMemory);
}

#[test]
fn the_oracle_is_asked_once_for_each_open_value() {
    let text = "global g: i8
        fn main() -> r: i8 {
          var x: i8, w: i90
          r := g + x + trunc(w, i8)
          r := r + g + x + trunc(w, i8)
          exit
        }";
    let run = Machine::new(&parsed(text)).run(&mut Random::new(7), &limits());
    let asked: Vec<&Source> = run.values.iter().map(|(source, _)| source).collect();
    assert!(
        matches!(asked[..], [Source::Variable(_), Source::Variable(_), Source::Variable(_)]),
        "{asked:?}"
    );
    let sum: u64 = run
        .values
        .iter()
        .map(|(_, value)| value.as_bits().map_or(0, |b| b.extract(7, 0).to_u64().unwrap_or(0)))
        .sum();
    assert_eq!(run.outcome, bv(8, sum * 2));
}

#[test]
fn locals_are_fresh_in_each_activation() {
    let text = "fn main() {\n call f()\n call f()\n exit\n}\nfn f() {\n var x: i8, y: i8\n y := x\n x := 1\n exit\n}";
    let run = Machine::new(&parsed(text)).run(&mut Random::new(1), &limits());
    assert_eq!(run.values.len(), 2, "x is asked for in both calls");
}

#[test]
fn shared_nodes_are_computed_once() {
    // Written out, these expressions have 2^60 nodes. The second one is lazy at every level.
    let mut strict = String::from("let #0 = x + 1; ");
    let mut lazy = String::from("let #0 = x + 1; ");
    for i in 1..60 {
        let before = i - 1;
        strict.push_str(&format!("let #{i} = #{before} * #{before} ^ #{before}; "));
        lazy.push_str(&format!("let #{i} = x == {i} ? #{before} + 1 : #{before} + 2; "));
    }
    let program = |lets: &str| format!("var x: i32\n x := 3\n {lets}return #59");
    let mut expected = 4u32;
    (1..60).for_each(|_| expected = expected.wrapping_mul(expected) ^ expected);
    assert_eq!(returned("i32", &program(&strict)), bv(32, expected.into()));
    assert_eq!(returned("i32", &program(&lazy)), bv(32, 4 + 59 * 2 - 1));
}

#[test]
fn shared_nodes_are_computed_anew_each_time() {
    let lines = "var x: i32
        r, x := 0, 0
        head: while x <u 4 goto body else done
        body: let #0 = x * x + 1; r := x == 9 ? 0 : r * 100 + (#0 ^ 0) + (#0 - #0)
        x := x + 1 goto head
        done: skip";
    assert_eq!(returned("i32", lines), bv(32, 1_020_510));
}

#[test]
fn high_expressions_do_not_exhaust_the_stack() {
    let mut builder = ProgramBuilder::new("", 64);
    let main = builder.function("main");
    let x = builder.ret(main, "x", Type::Bv(32));
    let (start, exit) = (builder.loc(main), builder.loc(main));
    builder.set_exit(main, exit);
    let mut value = builder.exprs().bv(32, 0);
    let one = builder.exprs().var(x, Type::Bv(32));
    for _ in 0..100_000 {
        value = builder.exprs().unary(UnOp::BvNot, value);
        value = builder.exprs().binary(beeline_ir::BinOp::Xor, value, one);
    }
    builder.edge(start, exit, Op::assign(x, value), None);
    let program = builder.finish().expect("a valid program");
    let run = Machine::new(&program).run(&mut Given::default(), &limits());
    assert_eq!(run.outcome, bv(32, 0));
}

#[test]
fn a_stuck_condition_does_not_hide_another_edge() {
    let text = "fn main() {
          var z: i8
          z := 0
          B: assume 1 /u z == 1 goto done
          | skip goto bad
          bad: target \"bad\"
          done: exit
        }";
    let (mut oracle, program) = (Enumerated::new(8), parsed(text));
    let machine = Machine::new(&program);
    let mut seen = BTreeSet::new();
    loop {
        seen.insert(format!("{:?}", machine.run(&mut oracle, &limits()).outcome));
        if !oracle.next() {
            break;
        }
    }
    assert_eq!(seen.len(), 2, "{seen:?}");
    assert!(seen.contains("Target(0)"), "{seen:?}");
}

#[test]
fn every_combination_is_enumerated_once() {
    let text = "fn main() {
          var a: i2, b: bool, c: i1, r: i4
          a := input \"a\"
          havoc b
          skip goto next
          next: assume true goto left
          | assume a == 1 goto right
          left: c := input \"c\"
          skip goto done
          right: skip goto done
          done: exit
        }";
    let program = parsed(text);
    let machine = Machine::new(&program);
    let mut oracle = Enumerated::new(8);
    let mut runs = Vec::new();
    loop {
        let run = machine.run(&mut oracle, &limits());
        assert_eq!(run.outcome, Outcome::Returned(None));
        runs.push(format!("{:?}{:?}", run.trace, run.values));
        if !oracle.next() {
            break;
        }
    }
    // 4 values of a, 2 of b, 2 of c; where a is 1 the right edge as well, for 2 values of b.
    assert_eq!(runs.len(), 16 + 2);
    assert_eq!(runs.iter().collect::<BTreeSet<_>>().len(), runs.len());
    assert!(!oracle.is_truncated());
    let mut narrow = Enumerated::new(1);
    machine.run(&mut narrow, &limits());
    assert!(narrow.is_truncated(), "a has more than one bit");
}

#[test]
fn given_values_answer_inputs_in_order() {
    let text = "fn main() -> r: i8 {\n var a: i8, b: i8, u: i8\n a := input \"a\"\n b := input \"b\"\n return a - b + u\n exit\n}";
    let program = parsed(text);
    let mut oracle = Given::new([Value::bv(32, 0x109), Value::bv(8, 2), Value::bv(8, 1)]);
    let run = Machine::new(&program).run(&mut oracle, &limits());
    assert_eq!(run.outcome, bv(8, 7), "the first is truncated, u is zero");
    assert_eq!(oracle.unused(), 1);
    assert_eq!(run.values.len(), 3);
    let Source::Input { input, edge } = run.values[1].0 else { panic!("{:?}", run.values) };
    assert_eq!((program.inputs[input].as_str(), edge), ("b", EdgeId::from_u32(1)));
}

#[test]
fn a_recorded_run_can_be_repeated() {
    for seed in 0..2000 {
        let program = beeline_ir::random::program(seed);
        let machine = Machine::new(&program);
        let limits = Limits { steps: 300, depth: 50, memory: 10_000_000, ..limits() };
        let run = machine.run(&mut Random::new(seed), &limits);
        let mut again = Recorded::new(&run);
        assert_eq!(machine.run(&mut again, &limits), run, "seed {seed}");
        assert!(again.is_faithful(), "seed {seed}");
        // The given path asks for the same values, and for no choices.
        let (result, replayed) = replay(&program, &run.trace, &mut Recorded::new(&run), &limits);
        assert_eq!((&replayed.trace, &replayed.values), (&run.trace, &run.values), "seed {seed}");
        match run.outcome {
            Outcome::Target(target) => assert_eq!(result, Replay::Target(target), "seed {seed}"),
            Outcome::OutOfSteps => {}
            _ => assert_eq!(replayed.outcome, run.outcome, "seed {seed}"),
        }
    }
}

#[test]
fn a_wrong_path_diverges() {
    let program = parsed(
        "fn main() {
          var x: i8
          x := input \"x\"
          if x == 7 goto bad else good
          bad: target \"bad\"
          good: exit
        }",
    );
    let given = |x: u64| Given::new([Value::bv(8, x)]);
    let mut seven = given(7);
    let path = Machine::new(&program).run(&mut seven, &limits()).trace;
    assert_eq!(path.len(), 2);
    let follow = |path: &[EdgeId], x| replay(&program, path, &mut given(x), &limits()).0;
    let blocked = |followed| {
        let outcome = Outcome::Blocked(program.edges[path[followed]].src);
        Replay::Diverged { followed, outcome }
    };
    assert_eq!(follow(&path, 7), Replay::Target(0));
    assert_eq!(follow(&path, 8), blocked(1), "the condition does not hold");
    assert_eq!(follow(&path[..1], 7), blocked(1), "the path ends too early");
    assert_eq!(follow(&path[1..], 7), blocked(0), "the edge leaves elsewhere");
    let long = [&path[..], &path[..1]].concat();
    let end = Replay::Diverged { followed: 2, outcome: Outcome::Target(0) };
    assert_eq!(follow(&long, 7), end, "the path goes on behind the target");
}

#[test]
fn an_execution_can_be_stepped_and_inspected() {
    let program = parsed("fn main() {\n var x: i8, u: i8\n x := 5\n x := x * 3 + u\n exit\n}");
    let machine = Machine::new(&program);
    let mut oracle = Given::default();
    let mut execution = machine.start(&mut oracle, &limits());
    let Op::Assign(list) = &program.edges[EdgeId::from_u32(1)].op else { panic!("no assignment") };
    let (x, value) = list[0];
    assert_eq!(execution.variable(x), None);
    assert_eq!(execution.step(), Ok(()));
    assert_eq!(execution.variable(x), Some(Value::bv(8, 5)));
    assert_eq!(execution.evaluate(value), Ok(Value::bv(8, 15)));
    assert_eq!(execution.step(), Ok(()));
    assert_eq!((execution.variable(x), execution.depth()), (Some(Value::bv(8, 15)), 1));
    assert_eq!(execution.location(), program.functions[program.entry].exit);
    assert_eq!(execution.step(), Err(Outcome::Returned(None)));
}

#[test]
fn an_oracle_with_wrong_types_does_no_harm() {
    struct Stubborn;
    impl Oracle for Stubborn {
        fn value(&mut self, _: &Source, _: Type) -> Value {
            Value::bv(200, u64::MAX)
        }
        fn choose(&mut self, _: usize) -> usize {
            usize::MAX
        }
    }
    for seed in 0..300 {
        let program = beeline_ir::random::program(seed);
        Machine::new(&program).run(&mut Stubborn, &Limits { steps: 200, depth: 20, ..limits() });
    }
}
