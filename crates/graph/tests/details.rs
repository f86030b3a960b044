//! What single features, the flow of data and estimates mean, on small programs.

use beeline_graph::{Dependencies, Dist, Distances, Estimate, Graph, Metric, Targets};
use beeline_ir::{Program, VarId, text};

fn parsed(text: &str) -> Program {
    text::parse(text).expect("a program")
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
