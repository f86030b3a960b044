//! Files of every released layout stay readable and mean the same. `BEELINE_BLESS=1` writes those of the
//! layout of now.

use beeline_ir::{BinOp, EdgeId, FuncId, InputId, LocId, RegionId, Type, Value, VarId, file};
use beeline_run::{
    Choice, Run, RunCuts, RunExpr, RunFormula, RunKey, RunNode, RunPath, RunProof, RunStack, RunState,
    RunStep, RunVerdict,
};

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
        path: None,
        proof: Some(RunProof {
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
        }),
        statistics: vec![("states".into(), 3), ("time".into(), 1_500_000)],
        undefined: vec![EdgeId::from_u32(2), EdgeId::from_u32(9)],
    }
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
    let (statistics, undefined) = (Vec::new(), Vec::new());
    Run { verdict: RunVerdict::Unsafe, path: Some(path), proof: None, statistics, undefined }
}

fn unknown() -> Run {
    let verdict = RunVerdict::Unknown("the time limit was reached".into());
    Run { verdict, path: None, proof: None, statistics: Vec::new(), undefined: Vec::new() }
}

#[test]
fn results_3_0() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden");
    for (name, run) in [("safe", safe()), ("unsafe", wrong()), ("unknown", unknown())] {
        let path = folder.join(format!("{name}.3-0.run"));
        if std::env::var_os("BEELINE_BLESS").is_some() {
            std::fs::write(&path, file::to_bytes(&run, None).expect("it can be written")).unwrap();
        }
        let bytes = std::fs::read(&path).unwrap();
        let read = file::from_bytes::<Run>(name, &bytes).expect("it can be read");
        assert_eq!(read.body, run, "{name}");
        assert_eq!((read.header.version.major, read.header.version.minor), (3, 0));
    }
}
