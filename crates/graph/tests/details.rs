//! What single features, the flow of data and estimates mean, on small programs.

use beeline_graph::{Dependencies, Dist, Distances, Estimate, Features, Graph, Metric, Targets};
use beeline_ir::{Program, VarId, text};

fn parsed(text: &str) -> Program {
    text::parse(text).expect("a program")
}

fn feature(text: &str, name: &str) -> f64 {
    Features::new(&Graph::new(&parsed(text))).get(name).expect("the feature exists")
}

/// A loop over `i` whose body is another loop over `j`, with operations in the places of the letters.
fn nested(before: &str, outer: &str, inner: &str) -> String {
    format!(
        "beeline 1.0
        fn main(i: i32, j: i32, n: i32) {{
          L0: {before}
          L1: while i <s n goto L2 else L6
          L2: {outer}
          L3: while j <s n goto L4 else L5
          L4: {inner} goto L3
          L5: skip goto L1
          L6: exit
        }}"
    )
}

#[test]
fn counters_change_by_a_constant_in_a_loop_that_reads_them() {
    let counters = |before, outer, inner| feature(&nested(before, outer, inner), "VARSINC");
    assert_eq!(counters("skip", "i := i + 1", "j := j - 1"), 2.0);
    assert_eq!(counters("skip", "i := 2 + i", "skip"), 1.0);
    // By no constant, or not from its own value.
    assert_eq!(counters("skip", "i := i + n", "j := n + 1"), 0.0);
    assert_eq!(counters("skip", "i := 1 - i", "j := j * 2"), 0.0);
    // Outside of every loop; in a loop, but only the loop inside reads it.
    assert_eq!(counters("i := i + 1", "skip", "skip"), 0.0);
    assert_eq!(counters("skip", "j := j + 1", "skip"), 0.0);
    // In the loop inside, for the condition of the one around.
    assert_eq!(counters("skip", "skip", "i := i + 1"), 1.0);
}

#[test]
fn bit_fields_count_where_conditions_depend_on_them() {
    let program = |read: &str| {
        format!(
            "beeline 1.0
            global flags: i8 as \"s.a|b\" \"struct s\"
            global other: i8 as \"s.c\" \"struct s\"
            fn main() {{
              L0: if {read} == 0 goto L1 else L2
              L1: skip
              L2: exit
            }}"
        )
    };
    assert_eq!(feature(&program("flags"), "FIELDS"), 2.0);
    assert_eq!(feature(&program("other"), "FIELDS"), 0.0);
}

#[test]
fn what_is_loaded_depends_on_where_it_was_stored() {
    let program = parsed(
        "beeline 1.0
        region mem: i64 -> i32
        fn main(place: i64, value: i32, from: i64, unused: i32) {
          var result: i32
          L0: mem[place] := value
          L1: result := mem[from]
          L2: exit
        }",
    );
    let var = |name: &str| -> VarId {
        program.vars.iter().find(|(_, var)| var.name == name).expect("the variable exists").0
    };
    let dependencies = Dependencies::new(&Graph::new(&program));
    let (vars, regions) = dependencies.closure([var("result")], []);
    let expected = ["place", "value", "from", "result"].map(var);
    assert_eq!((vars, regions.len()), (expected.into_iter().collect(), 1));
    assert_eq!(dependencies.closure([var("value")], []).0, [var("value")].into());
}

#[test]
fn without_context_the_call_does_not_count() {
    let program = parsed(
        "beeline 1.0
        entry main
        fn main() {
          L0: call f()
          L1: skip
          L2: target \"here\"
          L3: exit
        }
        fn f() {
          F0: skip
          F1: exit
        }",
    );
    let exit = program.functions[program.function_named("f").expect("the function")].exit;
    let dist = |estimate, call| {
        let graph = Graph::new(&program);
        Distances::new(&graph, Metric::Statements, estimate, Targets::all(&program)).dist(0, exit, call)
    };
    assert_eq!(dist(Estimate::Fsm, Dist::ZERO), Dist::new(1));
    assert_eq!(dist(Estimate::Fsm, Dist::INFINITE), Dist::new(1));
    assert_eq!(dist(Estimate::Efca, Dist::new(9)), Dist::new(8));
    assert_eq!(dist(Estimate::Efca, Dist::INFINITE), Dist::INFINITE);
}
