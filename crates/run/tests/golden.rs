//! Files of every released layout stay readable and mean the same. `BEELINE_BLESS=1` writes those of the
//! layout of now.

use beeline_ir::file::{Body, Digest};
use beeline_ir::{BinOp, EdgeId, FuncId, InputId, LocId, RegionId, Type, Value, VarId, file};
use beeline_run::{
    AT_ENTRY, Certificate, Choice, Figure, Reason, Run, RunAfter, RunBroken, RunCall, RunCallees, RunContext,
    RunCuts, RunEnd, RunEnsures, RunExpr, RunFormula, RunInduction, RunInvariant, RunInvariants, RunJoined,
    RunKey, RunLabel, RunLook, RunNode, RunOpen, RunPart, RunPath, RunPrecision, RunProof, RunRest,
    RunResting, RunScope, RunStack, RunState, RunStep, RunSummaries, RunTarget, RunTracked, RunUnrolling,
    RunVerdict, Statistic, TargetVerdict, Unit,
};

fn target(loc: u32, verdict: TargetVerdict) -> RunTarget {
    RunTarget { loc: LocId::from_u32(loc), verdict }
}

/// One of each thing that a safe result has.
fn safe() -> Run {
    let state = |loc, values, formula, children, covered_by| RunState {
        loc: LocId::from_u32(loc),
        stack: 1,
        values,
        formula,
        children,
        covered_by,
    };
    let known = vec![
        (RunKey::Var(VarId::from_u32(2), 1), Some(Value::bv(32, 0xdead_beef))),
        (RunKey::Pristine(RegionId::from_u32(0)), None),
        (RunKey::Cell(RegionId::from_u32(0), 0x1000), Some(Value::bv(8, 255))),
        (RunKey::Cell(RegionId::from_u32(0), 0x1001), None),
    ];
    Run {
        verdict: RunVerdict::Safe,
        targets: [7, 9].map(|loc| target(loc, TargetVerdict::Safe { proof: 0 })).into(),
        paths: vec![],
        proofs: vec![Certificate::Graph(RunProof {
            cuts: RunCuts::At(vec![LocId::from_u32(3)]),
            stacks: vec![
                RunStack { caller: None, callee: FuncId::from_u32(0) },
                RunStack { caller: Some((0, EdgeId::from_u32(4))), callee: FuncId::from_u32(1) },
            ],
            exprs: vec![
                RunExpr::Var(VarId::from_u32(2), 1),
                RunExpr::Value(Value::bv(32, 10)),
                RunExpr::Binary(BinOp::Ult, 0, 1),
                RunExpr::Load(RegionId::from_u32(0), 0, Type::Bv(8)),
            ],
            predicates: vec![2],
            nodes: vec![RunNode { pred: 0, no: RunFormula::FALSE, yes: RunFormula::TRUE }],
            states: vec![
                state(0, vec![], RunFormula::TRUE, vec![1], None),
                state(3, known, RunFormula::of_node(0), vec![2], None),
                state(3, vec![], RunFormula::FALSE, vec![], Some(1)),
            ],
            ensures: vec![],
        })],
        statistics: vec![Figure::of(Statistic::States, 3), Figure::of(Statistic::Time, 1_500_000)],
        undefined: vec![EdgeId::from_u32(2), EdgeId::from_u32(9)],
        rests: vec![],
        resting: vec![],
        parts: vec![],
        precision: None,
        callees: vec![],
        broken: vec![],
    }
}

/// A safe result by unrolling.
fn unrolled() -> Run {
    let context = |caller, callee, counts| RunContext { caller, callee: FuncId::from_u32(callee), counts };
    let unrolling = RunUnrolling {
        contexts: vec![context(None, 0, vec![8]), context(Some((0, EdgeId::from_u32(4))), 1, vec![])],
        ends: vec![RunEnd { loc: LocId::from_u32(3), context: 1 }],
        places: 17,
        entered: [0, 1].map(FuncId::from_u32).into(),
        inductions: vec![],
        invariants: RunInvariants::default(),
    };
    Run { proofs: vec![Certificate::Unrolling(unrolling)], ..safe() }
}

/// One of each thing that a proof by summaries has.
fn summaries() -> Run {
    let mut run = safe();
    let Certificate::Graph(mut graph) = run.proofs.remove(0) else { panic!("the proof is a graph") };
    graph.stacks[1].caller = None;
    graph.states[0].stack = 0;
    graph.exprs[0] = RunExpr::Var(VarId::from_u32(2), AT_ENTRY);
    let call = RunCall {
        state: 0,
        edge: EdgeId::from_u32(4),
        callee: FuncId::from_u32(1),
        context: 1,
        children: vec![2],
    };
    run.proofs = vec![Certificate::Summaries(RunSummaries { graph, entries: vec![0, 1], calls: vec![call] })];
    run
}

/// One of each thing that an unsafe result has.
fn wrong() -> Run {
    let (edge, var) = (EdgeId::from_u32(1), VarId::from_u32(2));
    let path = RunPath {
        target: LocId::from_u32(7),
        steps: vec![
            RunStep::Edge(edge),
            RunStep::Call(EdgeId::from_u32(2), FuncId::from_u32(1)),
            RunStep::Return(EdgeId::from_u32(2)),
        ],
        choices: vec![
            Choice::Input { edge, var, input: Some(InputId::from_u32(0)), value: Value::bv(32, 42) },
            Choice::Input { edge, var, input: None, value: Value::Bool(true) },
            Choice::Unwritten { var, value: Value::bv(8, 1) },
            Choice::Cell { region: RegionId::from_u32(0), addr: 0x1000, value: Value::bv(8, 0) },
        ],
        assumptions: vec![0, 3],
    };
    Run {
        verdict: RunVerdict::Unsafe,
        targets: vec![target(7, TargetVerdict::Unsafe { path: 0 }), target(9, TargetVerdict::Open)],
        paths: vec![path],
        proofs: vec![],
        statistics: vec![Figure { name: "of tomorrow".into(), unit: Unit::Bytes, value: 1 << 40 }],
        undefined: vec![],
        rests: vec![],
        resting: vec![],
        parts: vec![],
        precision: None,
        callees: vec![],
        broken: vec![],
    }
}

/// One of each reason.
fn unknown() -> Run {
    let text = |text: &str| text.to_string();
    let reasons = [
        Reason::Time,
        Reason::Memory,
        Reason::States,
        Reason::Interrupted,
        Reason::BlockTooLarge,
        Reason::NoPredicates,
        Reason::NoProgress,
        Reason::Solver(text("timeout")),
        Reason::Unsupported(text("the solver cannot express integers of 20000 bits")),
        Reason::Guess(text("sin returns any value")),
        Reason::NotConfirmed(text("a condition does not hold")),
        Reason::Undefined(text("a.c:3:4"), text("division by zero")),
        Reason::Broken(text("a.c:3:4"), text("the variable is set")),
        Reason::Proof(text("state 3")),
        Reason::Failed(text("the engine failed")),
        Reason::Told(text("the time limit was reached")),
    ];
    let of = |(reason, loc)| target(loc, TargetVerdict::Unknown { reason, path: None });
    Run {
        verdict: RunVerdict::Unknown(Reason::Time),
        targets: reasons.into_iter().zip(0..).map(of).collect(),
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

/// The content of a file of a version.
fn read(name: &str, version: (u16, u16)) -> Run {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden");
    let (major, minor) = version;
    let bytes = std::fs::read(folder.join(format!("{name}.{major}-{minor}.run"))).unwrap();
    let read = file::from_bytes::<Run>(name, &bytes).expect("it can be read");
    assert_eq!((read.header.version.major, read.header.version.minor), version);
    read.body
}

/// Files of version 3 list only the target at the end of their path, and have reasons as text.
#[test]
fn results_3_0() {
    let safe = Run { targets: vec![], ..safe() };
    assert_eq!(read("safe", (3, 0)), safe);
    let wrong = wrong();
    let hit = wrong.targets[..1].to_vec();
    assert_eq!(read("unsafe", (3, 0)), Run { targets: hit, statistics: vec![], ..wrong });
    let verdict = RunVerdict::Unknown(Reason::Told("the time limit was reached".into()));
    assert_eq!(read("unknown", (3, 0)), Run { verdict, targets: vec![], ..unknown() });
}

#[test]
fn results_4_0() {
    for (name, run) in
        [("safe", safe()), ("unrolled", unrolled()), ("unsafe", wrong()), ("unknown", unknown())]
    {
        assert_eq!(read(name, (4, 0)), run, "{name}");
    }
}

/// A result with verdicts of each kind, some targets left out.
fn mixed() -> Run {
    let (Run { mut targets, paths, .. }, Run { proofs, .. }) = (wrong(), safe());
    targets.truncate(1);
    targets.push(target(20, TargetVerdict::Safe { proof: 0 }));
    targets.push(target(21, TargetVerdict::Unknown { reason: Reason::Time, path: None }));
    targets.push(target(22, TargetVerdict::NotAsked));
    Run { targets, paths, proofs, ..wrong() }
}

/// Version 5 has proofs by summaries, too.
#[test]
fn results_5_0() {
    for (name, run) in [
        ("safe", safe()),
        ("unrolled", unrolled()),
        ("unsafe", wrong()),
        ("unknown", unknown()),
        ("mixed", mixed()),
        ("summaries", summaries()),
    ] {
        assert_eq!(read(name, (5, 0)), run, "{name}");
    }
}

/// A result with a residual condition, and with a proof that relies on another result's.
fn conditional() -> Run {
    let Some(graph) = safe().graph().cloned() else { panic!("the proof is a graph") };
    let open = |state, reason| RunOpen { state, reason };
    let after = |run, labels| RunAfter { run, rest: 0, labels, of_states: vec![0, 1, 1] };
    let first = RunRest {
        targets: [7, 9].map(LocId::from_u32).into(),
        graph: graph.clone(),
        open: vec![open(1, Reason::Time), open(2, Reason::Guess("sin returns any value".into()))],
        undefined: vec![EdgeId::from_u32(2)],
        after: None,
    };
    let labels = vec![vec![RunLabel::Within(vec![0, 2])], vec![RunLabel::Open]];
    let second = RunRest {
        open: vec![open(2, Reason::Ticks)],
        after: Some(after(None, labels.clone())),
        ..first.clone()
    };
    let digest = Digest(std::array::from_fn(|index| index as u8));
    Run {
        rests: vec![first, second],
        resting: vec![RunResting { proof: 0, after: after(Some(digest), labels) }],
        parts: vec![],
        ..safe()
    }
}

/// Version 5.1 has what searches left, too.
#[test]
fn results_5_1() {
    assert_eq!(read("conditional", (5, 1)), conditional());
}

/// What holds in a graph that leaves executions out does not always hold.
#[test]
fn only_a_proof_alone_tells_of_all_executions() {
    assert!(safe().whole_graph().is_some());
    assert!(conditional().graph().is_some() && conditional().whole_graph().is_none());
    // It does together with the residual conditions before it, if they are all there.
    assert_eq!(conditional().whole_graphs(), None);
    let mut here = conditional();
    (here.resting[0].after.run, here.resting[0].after.rest) = (None, 1);
    assert_eq!(here.whole_graphs().map(|graphs| graphs.len()), Some(3));
    let mut several = safe();
    several.proofs.extend(safe().proofs);
    assert!(several.whole_graph().is_none());
    // A search that a limit ended shows less than all executions.
    let mut partial = safe();
    partial.verdict = RunVerdict::Unknown(Reason::Ticks);
    let open = TargetVerdict::Unknown { reason: Reason::Ticks, path: None };
    partial.targets.push(RunTarget { loc: LocId::from_u32(99), verdict: open });
    assert!(partial.whole_graph().is_none());
}

/// A part, and what parts showed together.
fn parts() -> [(&'static str, Run); 2] {
    let digest = |first: u8| Digest(std::array::from_fn(|index| first + index as u8));
    let part = RunPart { run: digest(1), rest: 0, only: vec![1, 4] };
    let verdict = RunVerdict::Unknown(Reason::Part);
    let joined = RunJoined { run: digest(1), rest: 0, parts: vec![digest(2), digest(3)] };
    [
        ("part", Run { verdict, parts: vec![part], ..safe() }),
        ("joined", Run { proofs: vec![Certificate::Joined(joined)], ..safe() }),
    ]
}

/// Version 6.0 has parts of what was left, and proofs that consist of them.
#[test]
fn results_6_0() {
    for (name, run) in parts() {
        assert_eq!(read(name, (6, 0)), run, "{name}");
    }
}

/// Version 7.0 has proofs by unrolling with induction.
#[test]
fn results_7_0() {
    let mut run = unrolled();
    let Certificate::Unrolling(unrolling) = &mut run.proofs[0] else { panic!("a proof by unrolling") };
    unrolling.inductions = vec![RunInduction { head: LocId::from_u32(2), turns: 3 }];
    assert_eq!(read("inductive", (7, 0)), run);
}

/// Version 8.0 has graphs that say what functions ensure whose calls are popped.
#[test]
fn results_8_0() {
    let mut run = safe();
    let Certificate::Graph(graph) = &mut run.proofs[0] else { panic!("a proof by a graph") };
    graph.ensures = vec![RunEnsures { func: FuncId::from_u32(1), pred: 0 }];
    assert_eq!(read("ensured", (8, 0)), run);
    refused(run, "predicate 1 does not exist", |run| {
        let Certificate::Graph(graph) = &mut run.proofs[0] else { panic!("a proof by a graph") };
        graph.ensures[0].pred = 1;
    });
}

/// A result with the precision of the search.
fn looked() -> Run {
    let Some(graph) = safe().graph().cloned() else { panic!("the proof is a graph") };
    let look = |scope, predicates| RunLook { scope, predicates };
    let precision = RunPrecision {
        exprs: graph.exprs,
        predicates: graph.predicates,
        looks: vec![
            look(RunScope::Location(LocId::from_u32(3)), vec![0]),
            look(RunScope::Function(FuncId::from_u32(1)), vec![]),
            look(RunScope::Program, vec![0]),
        ],
        asked: vec![LocId::from_u32(9)],
        tracked: vec![RunTracked::Var(VarId::from_u32(2)), RunTracked::Region(RegionId::from_u32(0))],
        given_up: vec![RunTracked::Var(VarId::from_u32(4))],
    };
    Run { precision: Some(precision), ..unknown() }
}

/// Version 8.1 has the precision of a search without an answer.
#[test]
fn results_8_1() {
    let run = looked();
    assert_eq!(read("looked", (8, 1)), run);
    fn parts(run: &mut Run) -> &mut RunPrecision {
        run.precision.as_mut().expect("it looked at something")
    }
    refused(run.clone(), "predicate 1 does not exist", |run| parts(run).looks[2].predicates[0] = 1);
    refused(run.clone(), "expression 9 does not exist", |run| parts(run).predicates[0] = 9);
    refused(run, "expression 2 uses an operand that comes later", |run| {
        parts(run).exprs[2] = RunExpr::Binary(BinOp::Ult, 0, 2)
    });
}

/// What is cut or changed is refused, or says something else that is sound in itself.
#[test]
fn damage_in_what_was_looked_at_does_no_harm() {
    let bytes = file::open("", &file::to_bytes(&looked(), None).unwrap()).unwrap().1.to_vec();
    let without = Run { precision: None, ..looked() };
    // The last byte but two of this one says that there is none, the others that no callee was seen, and no access.
    let start = file::open("", &file::to_bytes(&without, None).unwrap()).unwrap().1.len() - 3;
    let decode = |bytes: &[u8]| {
        let mut decoder = file::Decoder::new(bytes);
        Run::decode_body(&mut decoder, Run::VERSION)
    };
    for len in start..bytes.len() {
        assert!(decode(&bytes[..len]).is_err(), "cut at {len}");
    }
    for at in start..bytes.len() {
        for byte in 0..=255 {
            let mut changed = bytes.clone();
            changed[at] = byte;
            if let Ok(read) = decode(&changed) {
                assert_eq!(read.well_formed(), Ok(()), "byte {at}");
            }
        }
    }
}

/// Version 8.2 has the callees that were seen at calls through pointers.
#[test]
fn results_8_2() {
    let call = |edge, seen: &[u32], candidates| RunCallees {
        edge: EdgeId::from_u32(edge),
        seen: seen.iter().map(|&callee| FuncId::from_u32(callee)).collect(),
        candidates,
    };
    let run = Run { callees: vec![call(4, &[1, 3], 3), call(9, &[2], 2)], ..unknown() };
    if std::env::var_os("BEELINE_BLESS").is_some() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden");
        let bytes = file::to_bytes(&run, None).expect("it can be written");
        std::fs::write(folder.join("callees.8-2.run"), bytes).unwrap();
    }
    assert_eq!(read("callees", (8, 2)), run);
    refused(run.clone(), "the calls through pointers are not sorted", |run| run.callees.reverse());
    refused(run.clone(), "the calls through pointers are not sorted", |run| {
        run.callees[1].edge = run.callees[0].edge
    });
    let no_candidates = "are not a sorted subset of its candidates";
    refused(run.clone(), no_candidates, |run| run.callees[0].seen.reverse());
    refused(run.clone(), no_candidates, |run| run.callees[0].seen.clear());
    refused(run.clone(), no_candidates, |run| run.callees[1].candidates = 0);
    // Whatever is cut off or changed is read or refused.
    let bytes = file::to_bytes(&run, None).expect("it can be written");
    for at in 0..bytes.len() {
        assert!(file::from_bytes::<Run>("a.run", &bytes[..at]).is_err(), "cut off at {at}");
        for other in [0, 1, 127, 128, 255] {
            let mut changed = bytes.clone();
            changed[at] = other;
            let _ = file::from_bytes::<Run>("a.run", &changed);
        }
    }
}

#[test]
fn parts_that_claim_too_much_are_refused() {
    let [(_, part), _] = parts();
    refused(part.clone(), "but its verdict is safe", |run| run.verdict = RunVerdict::Safe);
    refused(part.clone(), "open states of a part are not sorted", |run| run.parts[0].only.reverse());
    refused(part, "two parts of one residual condition", |run| run.parts.push(run.parts[0].clone()));
}

/// A result with a fault is refused, and the message says so.
fn refused(mut run: Run, message: &str, fault: impl FnOnce(&mut Run)) {
    fault(&mut run);
    let bytes = file::to_bytes(&run, None).expect("it can be written");
    let error = file::from_bytes::<Run>("a.run", &bytes).expect_err(message).to_string();
    assert!(error.contains(message), "{error}");
}

#[test]
fn verdicts_that_name_nothing_or_contradict_each_other_are_refused() {
    refused(safe(), "the proof for the target at 7 is missing", |run| run.proofs.clear());
    refused(safe(), "sorted by location", |run| run.targets.reverse());
    refused(safe(), "sorted by location", |run| run.targets[1].loc = run.targets[0].loc);
    refused(safe(), "contradict", |run| run.targets[1].verdict = TargetVerdict::Open);
    refused(safe(), "contradict", |run| run.verdict = RunVerdict::Unsafe);
    refused(wrong(), "the path to the target at 7 is missing", |run| run.paths.clear());
    refused(wrong(), "the path to the target at 8 is missing", |run| run.targets[0].loc = LocId::from_u32(8));
    refused(wrong(), "contradict", |run| run.verdict = RunVerdict::Unknown(Reason::Time));
    refused(wrong(), "contradict", |run| run.verdict = RunVerdict::Safe);
}

#[test]
fn rests_that_name_what_there_is_not_are_refused() {
    fn rest(run: &mut Run) -> &mut RunAfter {
        run.rests[1].after.as_mut().expect("the second is after the first")
    }
    refused(conditional(), "open states are not sorted", |run| run.rests[0].open.reverse());
    refused(conditional(), "state 3 does not exist", |run| run.rests[0].open[1].state = 3);
    refused(conditional(), "earlier rest 1 does not exist", |run| rest(run).rest = 1);
    refused(conditional(), "combination of labels 2 does not exist", |run| rest(run).of_states[0] = 2);
    refused(conditional(), "a state of a graph with earlier results has no labels", |run| {
        rest(run).of_states.truncate(2)
    });
    refused(conditional(), "proof 1 builds on an earlier result, but", |run| run.resting[0].proof = 1);
}

#[test]
fn a_proof_of_an_unknown_kind_is_refused_with_a_sentence() {
    let (mut with, mut without) = (safe(), safe());
    with.targets.clear();
    without.targets.clear();
    without.proofs.clear();
    let body = |run: &Run| file::open("", &file::to_bytes(run, None).unwrap()).unwrap().1.to_vec();
    // The number of proofs is the first byte in which the two differ; the kind is the next one.
    let (mut bytes, without) = (body(&with), body(&without));
    let count = bytes.iter().zip(&without).position(|(a, b)| a != b).unwrap();
    assert_eq!((bytes[count], bytes[count + 1]), (1, 0));
    bytes[count + 1] = 9;
    let mut decoder = file::Decoder::new(&bytes);
    let error = Run::decode_body(&mut decoder, Run::VERSION).unwrap_err();
    let said = "it has a proof of kind 9; this version of Beeline knows kind 0 (graph), 1 (unwinding), 2 (summaries), 3 (parts), 4 (induction), 5 (postconditions) and 6 (invariants)";
    assert_eq!(error.to_string(), said);
}

#[test]
fn an_unrolling_that_names_what_it_does_not_have_is_refused() {
    fn broken(run: &mut Run, fault: impl FnOnce(&mut RunUnrolling)) {
        let Certificate::Unrolling(unrolling) = &mut run.proofs[0] else { panic!("a proof by unrolling") };
        fault(unrolling);
    }
    refused(unrolled(), "context 0 has a caller that comes later", |run| {
        broken(run, |unrolling| unrolling.contexts[0].caller = Some((0, EdgeId::from_u32(4))));
    });
    refused(unrolled(), "there is no context 2", |run| {
        broken(run, |unrolling| unrolling.ends[0].context = 2)
    });
}

/// Version 8.3 has where executions break rules of C.
#[test]
fn results_8_3() {
    let at = |place: &str| RunBroken { place: place.into(), cause: "an access outside any object".into() };
    let run = Run { broken: vec![at("a.c:3:5"), at("main:L4")], ..safe() };
    if std::env::var_os("BEELINE_BLESS").is_some() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden");
        let bytes = file::to_bytes(&run, None).expect("it can be written");
        std::fs::write(folder.join("broken.8-3.run"), bytes).unwrap();
    }
    assert_eq!(read("broken", (8, 3)), run);
}

/// Version 9.0 has invariants of loops that are proved by induction.
#[test]
fn results_9_0() {
    let Certificate::Unrolling(unrolling) = unrolled().proofs.remove(0) else {
        panic!("a proof by unrolling")
    };
    let exprs = vec![
        RunExpr::Var(VarId::from_u32(2), AT_ENTRY),
        RunExpr::Var(VarId::from_u32(2), 0),
        RunExpr::Binary(BinOp::Ule, 0, 1),
    ];
    let head = LocId::from_u32(3);
    let unrolling = RunUnrolling {
        inductions: vec![RunInduction { head, turns: 1 }],
        invariants: RunInvariants { exprs, list: vec![RunInvariant { head, expr: 2 }] },
        ..unrolling
    };
    let run = Run { proofs: vec![Certificate::Unrolling(unrolling)], ..safe() };
    if std::env::var_os("BEELINE_BLESS").is_some() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden");
        let bytes = file::to_bytes(&run, None).expect("it can be written");
        std::fs::write(folder.join("invariants.9-0.run"), bytes).unwrap();
    }
    assert_eq!(read("invariants", (9, 0)), run);
}
