//! The textual form: round trips, sugar, and the faults it reports.

use beeline_ir::text::{TextError, parse, print};
use beeline_ir::{Op, Program};

fn parsed(text: &str) -> Program {
    match parse(text) {
        Ok(program) => program,
        Err(faults) => {
            let faults: Vec<String> = faults.iter().map(TextError::to_string).collect();
            panic!("{}\nin\n{text}", faults.join("\n"))
        }
    }
}

#[test]
fn random_programs_survive_the_round_trip() {
    for seed in 0..3000 {
        let program = beeline_ir::random::program(seed);
        let text = print(&program);
        let again = parsed(&text);
        assert!(again == program, "seed {seed}: the program changed\n{text}\n---\n{}", print(&again));
        assert_eq!(print(&again), text, "seed {seed}: the text changed");
    }
}

#[test]
fn pseudo_code_is_a_program() {
    let program = parsed(
        "beeline 1.0
        fn main() {
          var i: i32, n: i32
          n := input \"__VERIFIER_nondet_int\"
          i := 0
          head: while i <s n goto body else after
          body: i := i + 1 goto head
          after: if i == n goto done else error
          error: target \"i is n\"
          done: exit
        }",
    );
    assert_eq!(program.num_locs(), 7);
    assert_eq!(program.edges.len(), 7);
    assert_eq!(
        print(&program),
        "beeline 1.0\nentry main\n\nfn main() {\n  var i: i32\n  var n: i32\n  \
         L0: n := input \"__VERIFIER_nondet_int\"\n  L1: i := 0\n  \
         head: while i <s n goto body else after\n  body: i := i + 1 goto head\n  \
         after: if i == n goto done else error\n  error: target \"i is n\"\n  done: exit\n}\n"
    );
}

#[test]
fn large_shared_expressions_are_named_not_copied() {
    let mut text = String::from("beeline 1.0\nfn main() {\n  var x: i32\n  L0: ");
    text.push_str("let #0 = x + 1; ");
    for index in 1..60 {
        text.push_str(&format!("let #{index} = #{} * #{}; ", index - 1, index - 1));
    }
    text.push_str("x := #59\n  L1: exit\n}\n");
    let program = parsed(&text);
    let printed = print(&program);
    assert!(printed.len() < 10_000, "2^59 nodes must not be written out");
    assert!(parsed(&printed) == program);
}

#[test]
fn a_high_expression_is_cut_into_names() {
    let mut builder = beeline_ir::ProgramBuilder::new("", 64);
    let main = builder.function("main");
    let x = builder.local(main, "x", beeline_ir::Type::Bv(32));
    let (start, exit) = (builder.loc(main), builder.loc(main));
    builder.set_exit(main, exit);
    let mut value = builder.exprs().var(x, beeline_ir::Type::Bv(32));
    for _ in 0..100_000 {
        value = builder.exprs().unary(beeline_ir::UnOp::BvNot, value);
        value = builder.exprs().unary(beeline_ir::UnOp::Neg, value);
    }
    builder.edge(start, exit, Op::assign(x, value), None);
    let program = builder.finish().unwrap();
    assert!(parsed(&print(&program)) == program);
}

/// The faults of a text, as `line:column: message`.
fn faults(text: &str) -> Vec<String> {
    let faults = parse(text).expect_err("the text is wrong");
    faults.iter().map(|fault| format!("{}:{}: {}", fault.line, fault.col, fault.message)).collect()
}

#[test]
fn several_faults_are_reported_at_once_with_their_places() {
    let found = faults(
        "beeline 1.0
fn main() {
  var x: i32
  L0: x := y
  L1: x := x +
  L2: x := true goto L9
  L3: if x goto L4 else L0
  L4: exit
}",
    );
    // The parser's faults come before names are looked at.
    assert_eq!(found, ["5:15: expected an expression, found the end of the line"]);
    let found = faults(
        "beeline 1.0
fn main() {
  var x: i32
  L0: x := y
  L2: x := true
  L3: x := 1 goto L9
  L4: exit
}",
    );
    assert_eq!(
        found,
        [
            "4:12: unknown variable `y`",
            "5:12: expected i32, found bool",
            "6:19: this function has no label `L9`"
        ]
    );
}

#[test]
fn a_fault_shows_its_line_with_a_caret() {
    let text = "beeline 1.0\nfn main() {\n  L0: assume 1 <s 2\n  L1: exit\n}";
    let fault = &parse(text).expect_err("the literals have no type")[0];
    assert_eq!(
        fault.to_string(),
        "3:14: give this number a type, such as `5i32` or `1.5f64`\n3 |   L0: assume 1 <s 2\n  |              ^"
    );
}

#[test]
fn wrong_texts_are_refused() {
    let body = |line: &str| format!("beeline 1.0\nfn main() {{\n var x: i32\n {line}\n e: exit\n}}");
    for (text, message) in [
        ("".to_string(), "expected the first line `beeline 1.0`"),
        ("beeline 2.0\n".into(), "this is version 2.0"),
        ("beeline 1.0\n".into(), "the program has no function"),
        ("beeline 1.0\nfn main() {".into(), "`}` at the end of the function"),
        ("beeline 1.0\nfn main() {\n}".into(), "has no line `exit`"),
        (body("x := 4294967296"), "4294967296 does not fit i32"),
        (body("x := \"a"), "this text has no closing quote"),
        (body("x := 1 ยง"), "has no meaning here"),
        (body("x := call f()"), "unknown function `f`"),
        (body("m[0] := 1"), "unknown region `m`"),
        (body("x := x @0:1"), "name the file"),
        (body("x, x := 1, 2"), "it assigns x twice"),
        (body("exit"), "a function has only one exit"),
        (body("| skip"), "no line before"),
        (body("if := 1"), "expected an expression"),
        (body("x := x <s x <s x"), "expected the end of the line"),
    ] {
        match parse(&text) {
            Ok(_) => panic!("accepted: {text}"),
            Err(faults) => {
                let all: Vec<String> = faults.iter().map(TextError::to_string).collect();
                assert!(all.iter().any(|fault| fault.contains(message)), "{message}: {all:?}");
            }
        }
    }
}

#[test]
fn deep_nesting_is_refused_not_a_crash() {
    let nested = |open: &str, close: &str, count: usize| {
        let value = format!("{}x{}", open.repeat(count), close.repeat(count));
        format!("beeline 1.0\nfn main() {{\n var x: i32\n x := {value}\n e: exit\n}}")
    };
    for (open, close) in [("(", ")"), ("~", ""), ("x + (", ")"), ("", " + x"), ("true ? x : ", "")] {
        let text = nested(open, close, 100_000);
        let found = faults(&text);
        assert!(found[0].contains("nested too deep"), "{open}: {found:?}");
        parsed(&nested(open, close, 50));
    }
}

#[test]
fn a_number_of_too_many_bits_is_refused_before_it_is_made() {
    for line in ["var x: i4000000000\n  x := 1", "var x: i8\n  x := trunc(1i4000000000, i8)"] {
        let faults =
            parse(&format!("beeline 1.0\nfn main() {{\n  {line}\n  exit\n}}\n")).expect_err("too wide");
        assert_eq!(faults[0].message, "a bit-vector of 4000000000 bits is not supported, only 1 to 8388608");
    }
}
