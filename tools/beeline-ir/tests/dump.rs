//! What files about programs hold, as text, as JSON, and as a graph.

use beeline_graph::{Annotation, Distances, Estimate, Graph, Metric, Targets};
use beeline_ir::file::{self, Digest};
use beeline_ir::{BinOp, Program, VarId, text};
use beeline_run::{
    AT_ENTRY, Certificate, Figure, Reason, Run, RunCallees, RunContext, RunCuts, RunEnd, RunExpr, RunFormula,
    RunInduction, RunInvariant, RunInvariants, RunKey, RunLook, RunNode, RunOpen, RunPath, RunPrecision,
    RunProof, RunRest, RunScope, RunStack, RunState, RunStep, RunTarget, RunTracked, RunUnrolling,
    RunVerdict, Statistic, TargetVerdict,
};
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

const COUNT: &str = "beeline 1.0
fn main() {
  var i: i32
  L0: i := 0
  head: while i <u 9 goto body else after
  body: i := i + 1 goto head
  after: if i == 3 goto bad else done
  bad: target \"three\"
  done: exit
}
";

/// A folder with a program and its digest.
fn place() -> (TempDir, Program, Digest) {
    let folder = TempDir::new().unwrap();
    let program = text::parse(COUNT).unwrap();
    let digest = file::write(folder.path().join("p.cfa"), &program, None).unwrap();
    (folder, program, digest)
}

/// What a dump prints, or the sentence with which it is refused.
fn dump(folder: &Path, arguments: &[&str]) -> Result<String, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_beeline-ir"));
    let output = command.arg("dump").args(arguments).current_dir(folder).output().unwrap();
    let said = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    if output.status.success() { Ok(said(output.stdout)) } else { Err(said(output.stderr)) }
}

fn json_of(folder: &Path, arguments: &[&str]) -> Json {
    serde_json::from_str(&dump(folder, &[arguments, &["--json"]].concat()).unwrap()).unwrap()
}

/// A result as for a safe program; whether the proof is right is nobody's question here.
fn safe(program: &Program) -> Run {
    let entry = &program.functions[program.entry];
    let head = program.edges.values().next().unwrap().dst;
    let var = program.vars.keys().next().unwrap();
    let state = |loc, values, formula, children, covered_by| RunState {
        loc,
        stack: 0,
        values,
        formula,
        children,
        covered_by,
    };
    let proof = RunProof {
        cuts: RunCuts::At(vec![head]),
        stacks: vec![RunStack { caller: None, callee: program.entry }],
        exprs: vec![
            RunExpr::Var(var, 0),
            RunExpr::Value(beeline_ir::Value::bv(32, 10)),
            RunExpr::Binary(BinOp::Ult, 0, 1),
        ],
        predicates: vec![2],
        nodes: vec![RunNode { pred: 0, no: RunFormula::FALSE, yes: RunFormula::TRUE }],
        states: vec![
            state(entry.entry(), vec![], RunFormula::TRUE, vec![1], None),
            state(
                head,
                vec![(RunKey::Var(var, 0), Some(beeline_ir::Value::bv(32, 4)))],
                RunFormula::of_node(0),
                vec![2],
                None,
            ),
            state(head, vec![], RunFormula::FALSE, vec![], Some(1)),
        ],
        ensures: vec![],
    };
    Run {
        verdict: RunVerdict::Safe,
        targets: vec![RunTarget { loc: program.targets[0].loc, verdict: TargetVerdict::Safe { proof: 0 } }],
        paths: vec![],
        proofs: vec![Certificate::Graph(proof)],
        statistics: vec![Figure::of(Statistic::Time, 1_500_000)],
        undefined: vec![],
        rests: vec![],
        resting: vec![],
        parts: vec![],
        precision: None,
        callees: vec![],
        broken: vec![],
    }
}

#[test]
fn a_result_is_shown_with_its_proof_and_its_figures() {
    let (folder, program, digest) = place();
    file::write(folder.path().join("p.run"), &safe(&program), Some(digest)).unwrap();
    let text = dump(folder.path(), &["p.run", "--program", "p.cfa"]).unwrap();
    for line in [
        "kind: run (the result of a verification)",
        "verdict: safe",
        "  - at: main:bad, verdict: {safe: {proof: 0}}",
        "  - name: time, unit: microseconds, value: 1500000",
        "    predicates: i <u 10",
    ] {
        assert!(text.lines().any(|printed| printed == line), "{line}\n{text}");
    }
    let object = json_of(folder.path(), &["p.run", "--program", "p.cfa"]);
    let state = &object["proofs"][0]["states"][1];
    assert_eq!(
        (&state["at"], &state["values"], &state["formula"]),
        (&json!("main:head"), &json!(["i = 4"]), &json!("i <u 10"))
    );
    assert_eq!(object["proofs"][0]["states"][2]["covered_by"], 1);
    assert_eq!(object["header"]["version"], "9.0");
    // Without the program, its parts are numbers.
    assert_eq!(json_of(folder.path(), &["p.run"])["proofs"][0]["predicates"], json!(["v0 <u 10"]));
    let dot = dump(folder.path(), &["p.run", "--dot", "--program", "p.cfa"]).unwrap();
    assert!(dot.contains("  s1 [label=\"1: main:head\\ni = 4\\ni <u 10\"];\n  s1 -> s2;\n"), "{dot}");
    assert!(dot.contains("  s2 -> s1 [style=dashed"), "{dot}");
}

#[test]
fn a_proof_by_unrolling_is_shown_with_where_it_ends() {
    let (folder, program, digest) = place();
    let head = program.edges.values().next().unwrap().dst;
    let context = RunContext { caller: None, callee: program.entry, counts: vec![10] };
    let var = program.vars.keys().find(|&var| program.vars[var].owner == Some(program.entry)).unwrap();
    let exprs = [RunExpr::Var(var, AT_ENTRY), RunExpr::Var(var, 0), RunExpr::Binary(BinOp::Eq, 0, 1)];
    let list = vec![RunInvariant { head, expr: 2 }];
    let invariants = RunInvariants { exprs: exprs.into(), list };
    let unrolling = RunUnrolling {
        contexts: vec![context],
        ends: vec![RunEnd { loc: head, context: 0 }],
        places: 21,
        entered: vec![program.entry],
        inductions: vec![RunInduction { head, turns: 1 }],
        invariants,
    };
    let run = Run { proofs: vec![Certificate::Unrolling(unrolling)], ..safe(&program) };
    file::write(folder.path().join("p.run"), &run, Some(digest)).unwrap();
    let object = json_of(folder.path(), &["p.run", "--program", "p.cfa"]);
    let proof = &object["proofs"][0];
    assert_eq!((&proof["places"], &proof["ends"][0]["at"]), (&json!(21), &json!("main:head")), "{proof}");
    assert_eq!(proof["contexts"][0]["turns"], json!([10]), "{proof}");
    let name = &program.vars[var].name;
    let holds = json!({ "head": "main:head", "holds": format!("old({name}) == {name}") });
    assert_eq!(proof["invariants"], json!([holds]), "{proof}");
    let refused = dump(folder.path(), &["p.run", "--dot"]).unwrap_err();
    assert_eq!(refused, "beeline-ir: p.run has no graph as a proof\n");
}

#[test]
fn what_a_search_looked_at_is_shown() {
    let (folder, program, digest) = place();
    let safe = safe(&program);
    let (graph, var) = (safe.graph().unwrap(), VarId::from_u32(0));
    let head = graph.states[1].loc;
    let precision = RunPrecision {
        exprs: graph.exprs.clone(),
        predicates: graph.predicates.clone(),
        looks: vec![RunLook { scope: RunScope::Location(head), predicates: vec![0] }],
        asked: vec![head],
        tracked: vec![],
        given_up: vec![RunTracked::Var(var)],
    };
    let run = Run { precision: Some(precision), ..safe };
    file::write(folder.path().join("p.run"), &run, Some(digest)).unwrap();
    let shown = &json_of(folder.path(), &["p.run", "--program", "p.cfa"])["precision"];
    assert_eq!(shown["looks"], json!([{ "in": "main:head", "predicates": ["i <u 10"] }]));
    assert_eq!((&shown["asked"], &shown["given_up"]), (&json!(["main:head"]), &json!(["i"])));
}

#[test]
fn it_is_shown_whom_calls_through_pointers_were_seen_to_call() {
    let (folder, program, digest) = place();
    let edge = program.edges.keys().next().unwrap();
    let callees = vec![RunCallees { edge, seen: vec![program.entry], candidates: 3 }];
    file::write(folder.path().join("p.run"), &Run { callees, ..safe(&program) }, Some(digest)).unwrap();
    let object = json_of(folder.path(), &["p.run", "--program", "p.cfa"]);
    let shown = json!([{ "call": "main:L0: i := 0", "seen": ["main"], "candidates": 3 }]);
    assert_eq!(object["callees"], shown);
    let text = dump(folder.path(), &["p.run"]).unwrap();
    assert!(text.contains("callees:\n  - call: edge 0, candidates: 3, seen: [function 0]\n"), "{text}");
}

#[test]
fn a_path_is_shown_step_by_step() {
    let (folder, program, digest) = place();
    let target = program.targets[0].loc;
    let steps: Vec<RunStep> = program.edges.keys().take(2).map(RunStep::Edge).collect();
    let run = Run {
        verdict: RunVerdict::Unsafe,
        targets: vec![RunTarget { loc: target, verdict: TargetVerdict::Unsafe { path: 0 } }],
        paths: vec![RunPath { target, steps, choices: vec![], assumptions: vec![] }],
        proofs: vec![],
        ..safe(&program)
    };
    file::write(folder.path().join("p.run"), &run, Some(digest)).unwrap();
    let object = json_of(folder.path(), &["p.run", "--program", "p.cfa"]);
    assert_eq!(object["verdict"], "unsafe");
    assert_eq!(object["paths"][0]["steps"][0], json!({ "edge": "main:L0: i := 0" }));
    let refused = dump(folder.path(), &["p.run", "--dot"]).unwrap_err();
    assert_eq!(refused, "beeline-ir: p.run has no graph as a proof\n");
}

#[test]
fn a_program_that_the_file_is_not_about_is_refused() {
    let (folder, program, _) = place();
    file::write(folder.path().join("p.run"), &safe(&program), None).unwrap();
    let refused = dump(folder.path(), &["p.run", "--program", "p.cfa"]).unwrap_err();
    assert!(refused.contains("was not made from p.cfa"), "{refused}");
}

#[test]
fn results_of_every_released_version_are_shown() {
    let golden = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden");
    for version in ["3-0", "4-0"] {
        let unrolled = (version != "3-0").then_some("unrolled");
        for name in ["safe", "unsafe", "unknown"].into_iter().chain(unrolled) {
            let text = dump(&golden, &[&format!("{name}.{version}.run")]).unwrap();
            assert!(text.contains("\nverdict: ") && text.contains("\nstatistics:"), "{text}");
        }
        let object = json_of(&golden, &[&format!("safe.{version}.run")]);
        assert_eq!(
            object["statistics"][1],
            json!({ "name": "time", "unit": "microseconds", "value": 1_500_000 })
        );
    }
}

#[test]
fn distances_are_shown_for_each_location_and_metric() {
    let (folder, program, digest) = place();
    let (graph, targets) = (Graph::new(&program), Targets::all(&program));
    let metrics = [Metric::Statements, Metric::LoopHeads];
    let distances = Distances::of_metrics(&graph, &metrics, Estimate::Efca, &targets);
    file::write(folder.path().join("p.dist"), &Annotation { distances }, Some(digest)).unwrap();
    let object = json_of(folder.path(), &["p.dist", "--program", "p.cfa"]);
    let expected = json!({
        "location": "main:L0",
        "st": { "targets": [3], "exit": 3 },
        "lh": { "targets": [1], "exit": 1 },
    });
    assert_eq!(object["locations"][0], expected);
    assert_eq!(object["targets"], json!([["main:bad"]]));
    let text = dump(folder.path(), &["p.dist"]).unwrap();
    assert_eq!(text.lines().filter(|line| line.contains("location: location ")).count(), program.num_locs());
}

#[test]
fn what_a_result_leaves_is_shown_by_itself() {
    let (folder, program, digest) = place();
    let mut run = safe(&program);
    let graph = run.graph().cloned().unwrap();
    let open = vec![RunOpen { state: 1, reason: Reason::Time }];
    let targets = program.targets.iter().map(|target| target.loc).collect();
    run.rests = vec![RunRest { targets, graph, open, undefined: vec![], after: None }];
    file::write(folder.path().join("left.run"), &run, Some(digest)).unwrap();
    file::write(folder.path().join("p.run"), &safe(&program), Some(digest)).unwrap();
    let of =
        |more: &[&str]| dump(folder.path(), &[&["left.run", "--program", "p.cfa"], more].concat()).unwrap();
    assert!(of(&["--condition"]).contains("reason: the time limit was reached"));
    let object: Json = serde_json::from_str(&of(&["--condition", "--json"])).unwrap();
    assert_eq!(object["open"][0]["state"], 1);
    assert!(of(&["--condition", "--dot"]).contains("fillcolor=lightyellow"));
    let refused = dump(folder.path(), &["p.run", "--condition"]).unwrap_err();
    assert!(refused.contains("p.run has no residual condition"), "{refused}");
}
