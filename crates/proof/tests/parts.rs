//! Results about parts of what was left, which claim more than they are about.

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

/// Two sides are left open. No execution gets from the left one to a target; from the right one, those get to the first with
/// this value, where there are any.
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

/// What is left where these states of a graph are open.
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

/// What the checker says of a result with those that it rests on.
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

/// A result that leaves both sides.
fn both_sides(program: &Program) -> Run {
    let open = TargetVerdict::Open;
    Run { rests: vec![rest(program, &["left", "right"], None)], ..result(program, [open.clone(), open]) }
}

fn part_of(whole: &Run, state: u32) -> RunPart {
    RunPart { run: digest(whole), rest: 0, only: vec![state] }
}

/// A proof of the first target for who comes to the left side, after a rest of another result and perhaps those before.
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

/// What a part leaves says nothing of executions that are not of the part: who rests on it has to be of it, too.
#[test]
fn who_rests_on_a_part_is_about_no_more() {
    let program = program(7);
    let whole = both_sides(&program);
    let start = RunLabel::Within(vec![0]);
    // Of the part, the left side is left again; nobody in it comes to the right one.
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

/// A result that consists of parts is about targets of the rest alone that these share, whatever the parts show.
#[test]
fn parts_are_about_the_targets_of_their_rest() {
    let program = program(0);
    let whole = both_sides(&program);
    // Each part has a proof of both targets that rests on nothing.
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

/// A proof of both targets where neither is reached, by a predicate that holds on the right side.
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

/// What parts show is shown of a target only if all of them show it, if all were asked, and of this very result.
#[test]
fn parts_join_to_what_all_of_them_show() {
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
    assert!(fault.to_string().ends_with("no part was given: 2"), "{fault}");
    let mut foreign = part(2, SAFE);
    foreign.parts[0].run = digest(&safe);
    assert!(join_all(&[&safe, &foreign]).is_err_and(|(number, _)| number == Some(1)));
    // A part of a part of the result is none of it.
    let mut inner = part(2, SAFE);
    inner.parts.insert(0, RunPart { run: digest(&safe), rest: 0, only: vec![] });
    assert!(join_all(&[&safe, &inner]).is_err_and(|(number, _)| number == Some(1)));
}
