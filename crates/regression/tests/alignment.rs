//! What matches in two versions of a program, and what a moved proof says.

use beeline_ir::{BinOp, LocId, Program, Type, Value, VarId};
use beeline_regression::{Alignment, moved, precision};
use beeline_run::{
    AT_ENTRY, Certificate, Run, RunCuts, RunExpr, RunFormula, RunInduction, RunInvariant, RunInvariants,
    RunKey, RunNode, RunProof, RunScope, RunStack, RunState, RunTarget, RunUnrolling, RunVerdict,
    TargetVerdict, region_at_entry,
};

/// A loop that counts to an input, with a table in memory and a function that is called through a pointer.
const OLD: &str = "beeline 1.0
    entry main
    region text: i64 -> i8 in 0x1000+6
    region table: i64 -> i32 in 0x2000+16 := 0x2000: 1, 2, 3, 4
    fn twice(x: i32) -> r: i32 {
      r := x + x
      exit
    }
    fn main() {
      var n: i32, i: i32, p: i64
      n := input \"n\"
      p := 0x2004
      i := 0
      head: while i <u n goto body else after
      body: i := i + table[p] goto head
      after: i := call twice(i)
      if i == 1 goto wrong else done
      wrong: target \"odd\"
      done: exit
    }";

fn parsed(text: &str) -> Program {
    beeline_ir::text::parse(text).expect("the text is a program")
}

fn alignment(from: &str, to: &str) -> (Program, Program, Alignment) {
    assert!(OLD.contains(from), "{from}");
    let (old, new) = (parsed(OLD), parsed(&OLD.replace(from, to)));
    let alignment = Alignment::new(&old, &new);
    (old, new, alignment)
}

#[test]
fn names_and_addresses_change_nothing() {
    for (from, to) in
        [("twice", "doubled"), ("i: i32", "index: i32"), ("table", "weights"), ("0x1000+6", "0x3000+6")]
    {
        let text = match from {
            "i: i32" => {
                OLD.replace("i: i32", "index: i32").replace(" i ", " index ").replace("(i)", "(index)")
            }
            _ => OLD.replace(from, to),
        };
        let (old, new) = (parsed(OLD), parsed(&text));
        assert!(Alignment::new(&old, &new).is_same(), "{to}");
    }
}

#[test]
fn an_object_at_another_address_is_the_same_object() {
    let text =
        OLD.replace("0x2000+16 := 0x2000", "0x5000+16 := 0x5000").replace("p := 0x2004", "p := 0x5004");
    let (old, new) = (parsed(OLD), parsed(&text));
    assert!(Alignment::new(&old, &new).is_same());
    // Not if the pointer stays behind.
    let (old, new) = (parsed(OLD), parsed(&text.replace("p := 0x5004", "p := 0x2004")));
    assert!(!Alignment::new(&old, &new).is_same());
}

#[test]
fn operations_inputs_and_contents_matter() {
    for (from, to) in [
        ("i <u n", "i <=u n"),
        ("i := 0", "i := 1"),
        ("x + x", "x * x"),
        ("input \"n\"", "input \"m\""),
        ("1, 2, 3, 4", "1, 2, 3, 5"),
        ("goto head", "goto after"),
        ("table[p]", "table[p + 4]"),
    ] {
        let (_, _, alignment) = alignment(from, to);
        assert!(!alignment.is_same(), "{to}");
    }
}

/// A proof with a state at the start, at the head of the loop, and a predicate `i <=u n` there.
fn run(program: &Program) -> Run {
    let main = program.entry;
    let loc = |label: &str| {
        program.locations().find(|&loc| program.label(loc).ends_with(label)).expect("it is there")
    };
    let var = |name: &str| program.vars.iter().find(|(_, var)| var.name == name).expect("it is there").0;
    let state = |loc, formula, children| RunState {
        loc,
        stack: 0,
        values: vec![(RunKey::Var(var("p"), 0), Some(Value::bv(64, 0x2004)))],
        formula,
        children,
        covered_by: None,
    };
    let graph = RunProof {
        cuts: RunCuts::At(vec![loc("head")]),
        stacks: vec![RunStack { caller: None, callee: main }],
        exprs: vec![RunExpr::Var(var("i"), 0), RunExpr::Var(var("n"), 0), RunExpr::Binary(BinOp::Ule, 0, 1)],
        predicates: vec![2],
        nodes: vec![RunNode { pred: 0, no: RunFormula::FALSE, yes: RunFormula::TRUE }],
        states: vec![
            state(program.functions[main].entry(), RunFormula::TRUE, vec![1]),
            state(loc("head"), RunFormula::of_node(0), vec![1]),
        ],
        ensures: Vec::new(),
    };
    let target = |target: &beeline_ir::Target| RunTarget {
        loc: target.loc,
        verdict: TargetVerdict::Safe { proof: 0 },
    };
    Run {
        verdict: RunVerdict::Safe,
        targets: program.targets.iter().map(target).collect(),
        paths: Vec::new(),
        proofs: vec![Certificate::Graph(graph)],
        statistics: Vec::new(),
        undefined: Vec::new(),
        rests: Vec::new(),
        resting: Vec::new(),
        parts: Vec::new(),
        precision: None,
        callees: Vec::new(),
        broken: Vec::new(),
    }
}

#[test]
fn a_proof_has_the_places_variables_and_addresses_of_the_new_program() {
    let text = OLD
        .replace("0x2000+16 := 0x2000", "0x5000+16 := 0x5000")
        .replace("p := 0x2004", "p := 0x5004")
        .replace("      i := 0", "      n := n\n      i := 0");
    let (old, new) = (parsed(OLD), parsed(&text));
    let alignment = Alignment::new(&old, &new);
    let proof = moved(&run(&old), (&old, &new), &alignment).expect("all parts match");
    let Some(Certificate::Graph(graph)) = proof.proofs.first() else { panic!("{:?}", proof.proofs) };
    let head = graph.states[1].loc;
    assert!(new.label(head).ends_with("head"), "{}", new.label(head));
    assert_eq!(graph.cuts, RunCuts::At(vec![head]));
    assert_eq!(graph.states[1].values[0].1, Some(Value::bv(64, 0x5004)));
    assert_eq!(proof.targets[0].loc, new.targets[0].loc);
    let precision = precision(&run(&old), (&old, &new), &alignment).expect("it has predicates");
    assert_eq!(precision.looks[0].scope, RunScope::Location(head));
}

#[test]
fn a_proof_is_not_moved_where_its_account_may_not_hold() {
    let (old, new, alignment) = alignment("i <u n", "i <=u n");
    let mut run = run(&old);
    assert!(moved(&run, (&old, &new), &alignment).is_some());
    run.undefined = vec![old.edges.keys().next().expect("there are edges")];
    assert!(moved(&run, (&old, &new), &alignment).is_none(), "another operation may have no result now");
    run.undefined.clear();
    run.verdict = RunVerdict::Unsafe;
    assert!(moved(&run, (&old, &new), &alignment).is_none());
}

/// The invariant of an induction goes to where its loop is now, or the proof is not moved at all.
#[test]
fn a_proof_with_invariants_is_moved_with_all_of_them() {
    let (old, new, alignment) = alignment("      i := 0", "      n := n\n      i := 0");
    let label = |program: &Program, loc| program.label(loc).ends_with("head");
    let find = |program: &Program| {
        (0..program.num_locs() as u32).map(LocId::from_u32).find(|&loc| label(program, loc)).expect("a head")
    };
    let (head, index) = (find(&old), old.vars.iter().find(|(_, var)| var.name == "i").expect("an index").0);
    let with = |var| {
        let exprs =
            vec![RunExpr::Var(var, AT_ENTRY), RunExpr::Var(var, 0), RunExpr::Binary(BinOp::Ule, 0, 1)];
        let proof = RunUnrolling {
            contexts: vec![],
            ends: vec![],
            places: 9,
            entered: vec![],
            inductions: vec![RunInduction { head, turns: 1 }],
            invariants: RunInvariants { exprs, list: vec![RunInvariant { head, expr: 2 }] },
        };
        Run { proofs: vec![Certificate::Unrolling(proof)], ..run(&old) }
    };
    let run = moved(&with(index), (&old, &new), &alignment).expect("all parts match");
    let Some(Certificate::Unrolling(proof)) = run.proofs.first() else { panic!("{:?}", run.proofs) };
    assert_eq!(proof.invariants.list, [RunInvariant { head: find(&new), expr: 2 }]);
    assert_eq!(proof.inductions, [RunInduction { head: find(&new), turns: 1 }]);
    let RunExpr::Var(var, AT_ENTRY) = proof.invariants.exprs[0] else { panic!("{proof:?}") };
    assert_eq!(new.vars[var].name, "i");
    assert!(moved(&with(VarId::from_u32(999)), (&old, &new), &alignment).is_none());
}

/// What a region held where a loop was entered is numbered behind the regions, of which the new program has more.
#[test]
fn a_region_as_it_was_is_moved_to_the_same_one() {
    let first = "    region text: i64 -> i8 in 0x1000+6";
    let (old, new, alignment) =
        alignment(first, &format!("{first}\n    region other: i64 -> i16 in 0x8000+6"));
    let region = |program: &Program| {
        program.regions.iter().find(|(_, region)| region.name == "table").expect("a table").0
    };
    let [was, is] = [&old, &new].map(|program| region_at_entry(program, region(program)));
    assert_ne!(was, is);
    let proof = RunUnrolling {
        contexts: vec![],
        ends: vec![],
        places: 9,
        entered: vec![],
        inductions: vec![],
        invariants: RunInvariants {
            exprs: vec![
                RunExpr::Value(Value::bv(64, 0x2000)),
                RunExpr::Load(was, 0, Type::Bv(32)),
                RunExpr::Binary(BinOp::Eq, 1, 1),
            ],
            list: vec![],
        },
    };
    let run = Run { proofs: vec![Certificate::Unrolling(proof)], ..run(&old) };
    let run = moved(&run, (&old, &new), &alignment).expect("all parts match");
    let Some(Certificate::Unrolling(proof)) = run.proofs.first() else { panic!("{:?}", run.proofs) };
    assert_eq!(proof.invariants.exprs[1], RunExpr::Load(is, 0, Type::Bv(32)));
}
