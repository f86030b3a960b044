//! Results about parts of a residual condition that claim more than they are about.

use beeline_ir::file::{self, Digest};
use beeline_ir::text::parse;
use beeline_ir::{BinOp, LocId, Program, UnOp, Value};
use beeline_proof::{Options, Outcome, check_chain};
use beeline_run::rest::Filed;
use beeline_run::split::join;
use beeline_run::{
    Certificate, Reason, Run, RunAfter, RunCuts, RunExpr, RunFormula, RunJoined, RunLabel, RunNode, RunOpen,
    RunPart, RunProof, RunRest, RunResting, RunStack, RunState, RunTarget, RunVerdict, TargetVerdict,
};

/// Two branches are left open. No execution of the left one reaches a target. Of the right one, those with
/// this value reach the first target, if there are any.
fn program(value: u8) -> Program {
    let text = "beeline 1.0
fn main() {
  var n: i8
  n := input \"n\"
  if n == 0 goto left else right
  left: n := 1
  if n == 0 goto bad else done
  right: if n == VALUE goto bad else other
  bad: target \"bad\"
  other: if n == 0 goto worse else done
  worse: target \"worse\"
  done: exit
}
";
    parse(&text.replace("VALUE", &value.to_string())).unwrap_or_else(|faults| panic!("{faults:?}"))
}

fn at(program: &Program, label: &str) -> LocId {
    program.locations().find(|&loc| program.label(loc) == label).expect("there is such a label")
}

/// A graph that begins at the entry, and ends at these labels.
fn graph(program: &Program, ends: &[&str]) -> RunProof {
    let state = |loc, children| RunState {
        loc,
        stack: 0,
        values: vec![],
        formula: RunFormula::TRUE,
        children,
        covered_by: None,
    };
    let first = state(program.functions[program.entry].entry(), (1..=ends.len() as u32).collect());
    let ends = ends.iter().map(|label| state(at(program, label), vec![]));
    RunProof {
        cuts: RunCuts::At(["left", "right"].map(|label| at(program, label)).to_vec()),
        stacks: vec![RunStack { caller: None, callee: program.entry }],
        exprs: vec![],
        predicates: vec![],
        nodes: vec![],
        states: std::iter::once(first).chain(ends).collect(),
        ensures: vec![],
    }
}

/// A residual condition in which these states of a graph are open.
fn rest(program: &Program, ends: &[&str], after: Option<RunAfter>) -> RunRest {
    let open = (1..=ends.len() as u32).map(|state| RunOpen { state, reason: Reason::Time });
    RunRest {
        targets: vec![at(program, "bad")],
        graph: graph(program, ends),
        open: open.collect(),
        undefined: vec![],
        after,
    }
}

/// A result with verdicts on both targets.
fn result(program: &Program, verdicts: [TargetVerdict; 2]) -> Run {
    let [bad, worse] = verdicts;
    let targets = [(at(program, "bad"), bad), (at(program, "worse"), worse)];
    Run {
        verdict: RunVerdict::Unknown(Reason::Time),
        targets: targets.map(|(loc, verdict)| RunTarget { loc, verdict }).into(),
        paths: vec![],
        proofs: vec![],
        statistics: vec![],
        undefined: vec![],
        rests: vec![],
        resting: vec![],
        parts: vec![],
        precision: None,
        callees: vec![],
        broken: vec![],
    }
}

const SAFE: TargetVerdict = TargetVerdict::Safe { proof: 0 };

fn digest(run: &Run) -> Digest {
    let bytes = file::to_bytes(run, None).expect("a result can be written");
    file::open("a.run", &bytes).expect("it is whole").0.digest
}

fn filed(run: &Run) -> Filed<'_> {
    Filed { digest: Some(digest(run)), run }
}

/// The outcome of checking a result, with the results that it relies on.
fn checked(program: &Program, run: &Run, others: &[&Run]) -> Outcome {
    let filed: Vec<Filed<'_>> = others.iter().map(|run| filed(run)).collect();
    check_chain(program, run, &filed, &Options::default()).outcome
}

fn refused(outcome: Outcome, message: &str) {
    match outcome {
        Outcome::Invalid(fault) => assert!(fault.reason.contains(message), "{fault:?}"),
        other => panic!("{other:?}, not: {message}"),
    }
}

/// A result that leaves both branches open.
fn both_sides(program: &Program) -> Run {
    let open = TargetVerdict::Open;
    Run { rests: vec![rest(program, &["left", "right"], None)], ..result(program, [open.clone(), open]) }
}

fn part_of(whole: &Run, state: u32) -> RunPart {
    RunPart { run: digest(whole), rest: 0, only: vec![state] }
}

/// A proof of the first target for executions of the left branch, under the residual condition of another
/// result, and perhaps under those before it.
fn proof_of_left(program: &Program, of: &Run, at_entry: &[RunLabel], verdicts: [TargetVerdict; 2]) -> Run {
    let open = vec![RunLabel::Open; at_entry.len()];
    let after = RunAfter {
        run: Some(digest(of)),
        rest: 0,
        labels: vec![at_entry.to_vec(), open],
        of_states: vec![0, 1],
    };
    Run {
        proofs: vec![Certificate::Graph(graph(program, &["left"]))],
        resting: vec![RunResting { proof: 0, after }],
        ..result(program, verdicts)
    }
}

/// The residual condition of a part says nothing of executions outside of the part: a result that relies on
/// it has to be about the part, too.
#[test]
fn a_result_that_relies_on_a_part_is_about_no_more_than_the_part() {
    let program = program(7);
    let whole = both_sides(&program);
    let start = RunLabel::Within(vec![0]);
    // The part leaves the left branch open again. None of its executions takes the right one.
    let after = RunAfter {
        run: Some(digest(&whole)),
        rest: 0,
        labels: vec![vec![start.clone()], vec![RunLabel::Open]],
        of_states: vec![0, 1],
    };
    let left_again = Run {
        rests: vec![rest(&program, &["left"], Some(after))],
        parts: vec![part_of(&whole, 1)],
        ..result(&program, [TargetVerdict::Open, TargetVerdict::Open])
    };
    let verdicts = [SAFE, TargetVerdict::NotAsked];
    let all = Run {
        verdict: RunVerdict::Safe,
        ..proof_of_left(&program, &left_again, &[start.clone(), start], verdicts)
    };
    let part =
        Run { verdict: RunVerdict::Unknown(Reason::Part), parts: vec![part_of(&whole, 1)], ..all.clone() };
    assert_eq!(checked(&program, &part, &[&left_again, &whole]), Outcome::Valid);
    refused(checked(&program, &all, &[&left_again, &whole]), "builds on a result about other parts");
}

/// A joined result is about the targets of its residual condition only, whatever the parts show.
#[test]
fn parts_are_about_the_targets_of_their_residual_condition() {
    let program = program(0);
    let whole = both_sides(&program);
    // Each part has a proof of both targets that relies on nothing.
    let part = |state| Run {
        proofs: vec![Certificate::Graph(whole_proof(&program))],
        parts: vec![part_of(&whole, state)],
        ..result(&program, [SAFE, SAFE])
    };
    let (left, right) = (part(1), part(2));
    let joined = |verdicts| {
        let parts = vec![digest(&left), digest(&right)];
        let proof = RunJoined { run: digest(&whole), rest: 0, parts };
        let proofs = vec![Certificate::Joined(proof)];
        Run { verdict: RunVerdict::Safe, proofs, ..result(&program, verdicts) }
    };
    let others = [&left, &right, &whole];
    let one = joined([SAFE, TargetVerdict::NotAsked]);
    assert_eq!(checked(&program, &one, &others), Outcome::Valid);
    refused(checked(&program, &joined([SAFE, SAFE]), &others), "does not cover all of its targets");
}

/// A proof of both targets if neither is reached, by a predicate that holds on the right branch.
fn whole_proof(program: &Program) -> RunProof {
    let n = program.vars.keys().next().expect("there is a variable");
    let mut proof = graph(program, &["left", "right"]);
    proof.exprs = vec![
        RunExpr::Var(n, 0),
        RunExpr::Value(Value::bv(8, 0)),
        RunExpr::Binary(BinOp::Eq, 0, 1),
        RunExpr::Unary(UnOp::Not, 2),
    ];
    proof.predicates = vec![3];
    proof.nodes = vec![RunNode { pred: 0, no: RunFormula::FALSE, yes: RunFormula::TRUE }];
    proof.states[2].formula = RunFormula::of_node(0);
    proof
}

/// A target is safe by parts only if all parts show it, all parts were given, and they are parts of this very
/// result.
#[test]
fn joined_parts_show_what_each_of_them_shows() {
    let program = program(7);
    let whole = both_sides(&program);
    let part = |state, verdict| Run {
        parts: vec![part_of(&whole, state)],
        ..proof_of_left(&program, &whole, &[RunLabel::Within(vec![0])], [verdict, TargetVerdict::Open])
    };
    let unknown = TargetVerdict::Unknown { reason: Reason::Ticks, path: None };
    let (safe, open) = (part(1, SAFE), part(2, unknown.clone()));
    let join_all = |runs: &[&Run]| {
        let parts: Vec<Filed<'_>> = runs.iter().map(|run| filed(run)).collect();
        join(filed(&whole), &parts)
    };
    let joined = join_all(&[&safe, &open]).expect("both are there");
    assert_eq!(joined.targets[0].verdict, unknown);
    assert!(joined.proofs.is_empty() && joined.verdict != RunVerdict::Safe);
    let (_, fault) = join_all(&[&safe, &safe]).expect_err("nobody looked at the right side");
    assert!(fault.to_string().ends_with("parts without a result: 2"), "{fault}");
    let mut foreign = part(2, SAFE);
    foreign.parts[0].run = digest(&safe);
    assert!(join_all(&[&safe, &foreign]).is_err_and(|(number, _)| number == Some(1)));
    // A part of a part is not a part of the result.
    let mut inner = part(2, SAFE);
    inner.parts.insert(0, RunPart { run: digest(&safe), rest: 0, only: vec![] });
    assert!(join_all(&[&safe, &inner]).is_err_and(|(number, _)| number == Some(1)));
}
