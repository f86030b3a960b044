//! Features and metrics describe the program that a person wrote, however it was compiled.

use beeline_graph::{Distances, Estimate, Features, Graph, Metric, Targets};
use beeline_ir::Program;
use beeline_lower::{Options, Property};
use beeline_tests::{compile, lowered};

/// Counts up, down, and over an array, with operations that sanitizers check, and a target behind all loops.
const SOURCE: &str = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int sum(int up, int by) {
  int total = 0;
  for (int i = 0; i < up; i++)
    total = total + (by << 1) / (up + 1);
  while (total > 10)
    total -= by;
  return total;
}
int main(void) {
  int up = __VERIFIER_nondet_int(), by = __VERIFIER_nondet_int();
  if (sum(up, by) == 13)
    reach_error();
  return 0;
}
";

fn program(flags: &[&str], properties: Vec<Property>) -> Program {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (source, bitcode) = (folder.path().join("p.c"), folder.path().join("p.bc"));
    std::fs::write(&source, SOURCE).expect("the source is written");
    let flags = [&["-O0", "-Xclang", "-disable-O0-optnone"], flags].concat();
    compile(&source, &bitcode, &flags).expect("clang compiles");
    lowered(&bitcode, &Options { properties, ..Options::default() }).expect("the program is lowered")
}

/// The program with wrap-around, with overflows that have any result, and with checks of sanitizers.
fn variants() -> [(&'static str, Program); 3] {
    let checks =
        ["-fno-wrapv", "-fsanitize=undefined", "-fno-sanitize=function", "-fno-sanitize-recover=all"];
    [
        ("wraps", program(&["-fwrapv"], vec![Property::UnreachCall])),
        ("any", program(&["-fno-wrapv"], vec![Property::UnreachCall])),
        ("checked", program(&checks, vec![Property::UnreachCall, Property::NoOverflow])),
    ]
}

#[test]
fn variables_count_the_same_however_a_program_is_compiled() {
    for (name, program) in variants() {
        let features = Features::new(&Graph::new(&program));
        let counts = ["VARS", "VARSASM", "VARSLOOP", "VARSINC"].map(|feature| features.get(feature));
        // `total` counts down by a variable: `i` is the only counter.
        assert_eq!(counts, [6.0, 3.0, 3.0, 1.0].map(Some), "{name}");
    }
}

#[test]
fn checks_of_sanitizers_are_no_conditions() {
    for (name, program) in variants() {
        let error = program.targets.iter().find(|target| target.name.starts_with("reach_error"));
        let targets = Targets::sequence(error.map(|target| target.loc));
        for (metric, expected) in [(Metric::BasicBlocks, 3), (Metric::LoopHeads, 2)] {
            let distances = Distances::new(&Graph::new(&program), metric, Estimate::Efca, targets.clone());
            let entry = program.functions[program.entry].entry();
            assert_eq!(distances.abs_dist(0, entry).steps(), Some(expected), "{name}: {}", metric.name());
        }
    }
}
