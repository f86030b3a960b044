//! The programs under `tests/c`, natively and in the interpreter, on random inputs: the same exit
//! code, and the target reached or not reached.

use beeline_interp::oracle::{Given, Random};
use beeline_interp::{Limits, Machine, Outcome, Source};
use beeline_ir::{Program, Value};
use beeline_lower::Options;
use beeline_tests::{CLANG, compile, lowered, timed};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// The exit code that says that the target was reached.
const REACHED: i32 = 200;

/// The functions from which the programs take their inputs, and what they return.
const NONDET: [(&str, &str); 6] = [
    ("int", "int"),
    ("uint", "unsigned"),
    ("short", "short"),
    ("long", "long"),
    ("uchar", "unsigned char"),
    ("bool", "_Bool"),
];

/// A C file that returns the values from the functions of their names, one after the other.
fn harness(inputs: &[(String, Value)]) -> String {
    let mut text =
        String::from("#include <stdlib.h>\nvoid reach_error(void) { _Exit(200); }\nstatic int next;\n");
    text.push_str("static unsigned long long values[] = {0");
    for (_, value) in inputs {
        let bits = match value {
            Value::Bool(truth) => u64::from(*truth),
            Value::Bv(bits) | Value::Float(_, bits) => bits.to_u64().expect("inputs have at most 64 bits"),
        };
        text.push_str(&format!(", {bits}ull"));
    }
    text.push_str("};\n");
    for (name, ty) in NONDET {
        text.push_str(&format!("{ty} __VERIFIER_nondet_{name}(void) {{ return ({ty})values[++next]; }}\n"));
    }
    text
}

fn native(folder: &Path, bitcode: &Path, inputs: &[(String, Value)]) -> i32 {
    let (source, program) = (folder.join("harness.c"), folder.join("native"));
    std::fs::write(&source, harness(inputs)).unwrap();
    let built = Command::new(CLANG)
        .arg("-w")
        .arg(bitcode)
        .arg(&source)
        .arg("-lm")
        .arg("-o")
        .arg(&program)
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let output = timed(&mut Command::new(&program), Duration::from_secs(10)).expect("the program ends");
    output.status.code().expect("the program does not crash")
}

fn interpreted(program: &Program, outcome: &Outcome) -> i32 {
    match outcome {
        Outcome::Target(_) => REACHED,
        Outcome::Returned(Some(Value::Bv(bits))) => (bits.to_u64().unwrap_or(0) & 0xff) as i32,
        other => panic!("{other:?} in\n{}", beeline_ir::text::print(program)),
    }
}

fn compare(name: &str, level: &str) {
    let folder = tempfile::tempdir().unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("c").join(name);
    let bitcode = folder.path().join("program.bc");
    compile(&source, &bitcode, &[level, "-Xclang", "-disable-O0-optnone"]).unwrap();
    let program = lowered(&bitcode, &Options::default()).unwrap();
    let flat = lowered(&bitcode, &Options { flat: true, ..Options::default() }).unwrap();
    let limits = Limits { record: true, ..Limits::default() };
    let mut reached = 0;
    for seed in 0..12 {
        let run = Machine::new(&program).run(&mut Random::new(seed), &limits);
        let inputs: Vec<(String, Value)> = run
            .values
            .iter()
            .filter_map(|(source, value)| match source {
                Source::Input { input, .. } => Some((program.inputs[*input].clone(), value.clone())),
                _ => None,
            })
            .collect();
        let expected = native(folder.path(), &bitcode, &inputs);
        assert_eq!(interpreted(&program, &run.outcome), expected, "{name} {level} seed {seed}");
        let mut given = Given::new(inputs.iter().map(|(_, value)| value.clone()));
        let again = Machine::new(&flat).run(&mut given, &limits);
        assert_eq!(interpreted(&flat, &again.outcome), expected, "{name} {level} seed {seed}, flat memory");
        reached += i32::from(expected == REACHED);
    }
    assert!(reached < 12, "{name} {level}: the inputs always reach the target");
}

#[test]
fn lists() {
    compare("lists.c", "-O0");
    compare("lists.c", "-O2");
}

#[test]
fn numbers() {
    compare("numbers.c", "-O0");
    compare("numbers.c", "-O2");
}

#[test]
fn ranges() {
    compare("ranges.c", "-O0");
    compare("ranges.c", "-O2");
}

#[test]
fn arrays() {
    compare("arrays.c", "-O0");
    compare("arrays.c", "-O2");
}

#[test]
fn library() {
    compare("library.c", "-O0");
    compare("library.c", "-O2");
}

#[test]
fn bits() {
    compare("bits.c", "-O0");
    compare("bits.c", "-O1");
    compare("bits.c", "-O3");
}

#[test]
fn assembly() {
    compare("assembly.c", "-O0");
    compare("assembly.c", "-O2");
}

#[test]
fn signals() {
    compare("signals.c", "-O0");
    compare("signals.c", "-O2");
}

#[test]
fn calls() {
    compare("calls.c", "-O0");
    compare("calls.c", "-O2");
}

#[test]
fn addresses() {
    compare("addresses.c", "-O0");
    compare("addresses.c", "-O2");
}

/// One line of the figure is one line of the CFA, and nothing is added.
#[test]
fn figure_3_1_of_tour_is_recognised() {
    let folder = tempfile::tempdir().unwrap();
    let bitcode = folder.path().join("program.bc");
    compile(Path::new("c/figure-3-1.c"), &bitcode, &["-O0", "-Xclang", "-disable-O0-optnone"]).unwrap();
    let options = Options { entry: "order".into(), targets: vec!["abort".into()], ..Options::default() };
    let text = beeline_ir::text::print(&lowered(&bitcode, &options).unwrap());
    let function = |name: &str| {
        let lines = text.lines().skip_while(|line| !line.starts_with(&format!("fn {name}(")));
        let body = lines.skip(1).take_while(|line| *line != "}").filter(|line| line.contains(": "));
        body.filter(|line| !line.contains("  var ")).map(|line| line.trim().to_string()).collect::<Vec<_>>()
    };
    let order = [
        "L0: if mem.outside.8[x + 8] <s mem.outside.4[x + 4] goto L1 else L5 @9:7",
        "L1: call f(mem.outside.4[x + 4]) @10:5",
        "L2: if k == 0 goto L3 else L4 @11:9",
        "L3: mem.outside.8[x + 8] := mem.outside.4[x + 4] goto L6 @12:12",
        "L4: mem.outside.4[x + 4] := mem.outside.8[x + 8] goto L6 @14:12",
        "L5: call f(mem.outside.8[x + 8]) @16:5",
        "L6: if mem.outside.8[x + 8] <s mem.outside.4[x + 4] goto L7 else L8 @18:7",
        "L7: target \"abort in order at c/figure-3-1.c:19:5\" @19:5",
        "L8: exit",
    ];
    assert_eq!(function("order"), order);
    assert_eq!(function("f"), ["L0: a := i @5:7", "L1: exit"]);
}
