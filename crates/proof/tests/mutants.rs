//! Proofs of small programs are valid, and faults in mutants of them are found.
//!
//! Not every mutant is wrong. Which ones are is decided without the checker: by executions with values that a
//! proof does not account for, see [`support::walk`].

mod support {
    pub(crate) mod walk;
}

use beeline_engine::{BlockOperator, Distances, Domain, Metric, Monitor, verify};
use beeline_ir::text::{TextError, parse};
use beeline_ir::{LocId, Program, Value};
use beeline_proof::{Options, Outcome, check_graph as check};
use beeline_run::{RunCuts, RunFormula, RunKey, RunNode, RunProof};
use std::collections::BTreeMap;
use std::time::Duration;
use support::walk::Walker;

/// Safe programs, each with a change that makes it unsafe, and whether there are proofs by values and by
/// predicates.
const PROGRAMS: [(&str, &str, [&str; 2], bool, bool); 8] = [
    (
        "two counters",
        include_str!("../../../tests/file/proof/two-counters.cfa"),
        ["y + 1 goto", "y + 2 goto"],
        true,
        true,
    ),
    ("calls", include_str!("../../../tests/file/proof/calls.cfa"), ["r := p + 2", "r := p + 3"], false, true),
    (
        "recursion",
        include_str!("../../../tests/file/proof/recursion.cfa"),
        ["r := r + 1", "r := r + 2"],
        true,
        false,
    ),
    (
        "an array",
        include_str!("../../../tests/file/proof/array.cfa"),
        ["a[16 + i] := i", "a[16 + i] := i + 1"],
        true,
        true,
    ),
    (
        "a region that stays as it was",
        include_str!("../../../tests/file/proof/region-that-stays-as-it-was.cfa"),
        ["b[32] := b[32] + 3", "b[32] := b[32] + 4"],
        true,
        false,
    ),
    (
        "a call through a pointer",
        include_str!("../../../tests/file/proof/call-through-a-pointer.cfa"),
        ["g := 2", "g := 1"],
        false,
        true,
    ),
    (
        "a loop in a loop",
        include_str!("../../../tests/file/proof/loop-in-a-loop.cfa"),
        ["s + 1", "s + 2"],
        true,
        true,
    ),
    ("floats", include_str!("../../../tests/file/proof/floats.cfa"), ["f +. 1.0", "f +. 2.0"], true, false),
];

fn parsed(text: &str) -> Program {
    parse(text).unwrap_or_else(|faults| {
        let faults: Vec<String> = faults.iter().map(TextError::to_string).collect();
        panic!("{}", faults.join("\n"))
    })
}

/// The engine's proof.
fn proof_of(program: &Program, domain: Domain, blocks: BlockOperator) -> Option<RunProof> {
    let time = Some(Duration::from_secs(20));
    let options = beeline_engine::Options {
        domain,
        blocks,
        time,
        query_ticks: 3_000_000,
        ..beeline_engine::Options::default()
    };
    let mut distances = Distances::new(program, Metric::BasicBlocks);
    let (verdict, statistics) = verify(program, &options, &mut distances, &Monitor::default());
    assert!(!verdict.is_unsafe(), "the program is safe");
    beeline_engine::outcome::run::record(program, &verdict, &statistics).graph().cloned()
}

fn outcome(program: &Program, proof: &RunProof) -> Outcome {
    let options =
        Options { query_ticks: 15_000_000, time: Some(Duration::from_secs(20)), ..Options::default() };
    check(program, proof, &options).outcome
}

/// Proofs of the safe program with a number: by values where these suffice, and by predicates where the
/// engine finds some.
fn proofs(number: usize, program: &Program) -> Vec<(String, RunProof)> {
    use BlockOperator::{LoopHeads, LoopHeadsAndFunctions, Single};
    let (name, values, predicates) = (PROGRAMS[number].0, PROGRAMS[number].3, PROGRAMS[number].4);
    let mut configurations = Vec::new();
    if values {
        configurations
            .extend([LoopHeads, LoopHeadsAndFunctions, Single].map(|blocks| (Domain::Values, blocks)));
    }
    if predicates {
        configurations.push((Domain::Predicates, LoopHeadsAndFunctions));
        configurations.push((Domain::Both, [LoopHeads, LoopHeadsAndFunctions][number % 2]));
    }
    let proof = |(domain, blocks)| {
        let what = format!("{name}, {domain:?}, {blocks:?}");
        let proof = proof_of(program, domain, blocks);
        (what.clone(), proof.unwrap_or_else(|| panic!("{what}: the engine finds no proof")))
    };
    configurations.into_iter().map(proof).collect()
}

/// Mutants of a proof, each with one change and its kind.
fn mutants(program: &Program, proof: &RunProof) -> Vec<(&'static str, RunProof)> {
    let mut mutants = Vec::new();
    let mut mutant = |kind: &'static str, change: &dyn Fn(&mut RunProof)| {
        let mut changed = proof.clone();
        change(&mut changed);
        if changed != *proof {
            mutants.push((kind, changed));
        }
    };
    let count = proof.states.len();
    // A sample of a long proof is enough.
    for index in (0..count).step_by(1 + count / 6) {
        let other = (index + 1 + count / 3) % count;
        mutant("conjuncts dropped", &|proof| proof.states[index].formula = RunFormula::TRUE);
        mutant("nothing left", &|proof| {
            proof.nodes.push(RunNode { pred: 0, no: RunFormula::FALSE, yes: RunFormula::FALSE });
            if proof.predicates.is_empty() {
                proof.nodes.pop();
            }
            proof.states[index].formula = RunFormula::FALSE;
        });
        mutant("formulas swapped", &|proof| {
            let formula = proof.states[index].formula;
            proof.states[index].formula = proof.states[other].formula;
            proof.states[other].formula = formula;
        });
        mutant("values swapped", &|proof| {
            let values = std::mem::take(&mut proof.states[index].values);
            proof.states[index].values = std::mem::replace(&mut proof.states[other].values, values);
        });
        for child in 0..proof.states[index].children.len() {
            mutant("child removed", &|proof| _ = proof.states[index].children.remove(child));
            mutant("child redirected", &|proof| proof.states[index].children[child] = other as u32);
        }
        mutant("covering removed", &|proof| proof.states[index].covered_by = None);
        mutant("covering redirected", &|proof| {
            if proof.states[index].covered_by.is_some() {
                proof.states[index].covered_by = Some(other as u32);
            }
        });
        mutant("covered by itself", &|proof| proof.states[index].covered_by = Some(index as u32));
        mutant("covered by the first", &|proof| proof.states[index].covered_by = Some(0));
        for value in 0..proof.states[index].values.len() {
            mutant("value dropped", &|proof| drop(proof.states[index].values.remove(value)));
            mutant("value changed", &|proof| {
                if let (_, Some(Value::Bv(bits))) = &mut proof.states[index].values[value] {
                    *bits = bits.not();
                }
            });
        }
    }
    for index in 0..proof.nodes.len() {
        mutant("node turned round", &|proof| {
            let node = &mut proof.nodes[index];
            std::mem::swap(&mut node.no, &mut node.yes);
        });
        mutant("literal dropped", &|proof| {
            let node = &mut proof.nodes[index];
            let rest = if node.no == RunFormula::FALSE { node.yes } else { node.no };
            (node.no, node.yes) = (rest, rest);
        });
    }
    mutant("states removed", &|proof| proof.states.truncate(1));
    mutant("a fact too many", &|proof| {
        for (var, _) in program.globals() {
            let fact = (RunKey::Var(var, 0), Some(Value::zero(program.vars[var].ty)));
            for state in proof.states.iter_mut().skip(1).filter(|state| state.values.is_empty()) {
                state.values.push(fact.clone());
            }
        }
    });
    mutant("no cuts", &|proof| proof.cuts = RunCuts::At(Vec::new()));
    mutant("a cut too many", &|proof| {
        if let RunCuts::At(locs) = &mut proof.cuts {
            locs.extend((0..program.num_locs() as u32).map(LocId::from_u32));
        }
    });
    mutants
}

/// The kinds of mutants, with the least number of mutants and of found faults. Actual numbers depend on the
/// engine's proofs. No execution contradicts mutants that pass the check.
const TALLY: [(&str, u32, u32); 18] = [
    ("a cut too many", 20, 20),
    ("a fact too many", 4, 4),
    ("child redirected", 110, 100),
    ("child removed", 110, 100),
    ("conjuncts dropped", 12, 12),
    ("covered by itself", 110, 100),
    ("covered by the first", 110, 100),
    ("covering redirected", 1, 1),
    ("covering removed", 1, 1),
    ("formulas swapped", 20, 20),
    ("literal dropped", 180, 50),
    ("no cuts", 28, 18),
    ("node turned round", 180, 180),
    ("nothing left", 110, 100),
    ("states removed", 25, 25),
    ("value changed", 170, 150),
    ("value dropped", 230, 180),
    ("values swapped", 90, 90),
];

#[test]
fn proofs_are_valid_and_mutants_that_an_execution_contradicts_are_not() {
    let (mut proofs_checked, mut tally) = (0, BTreeMap::<&str, [u32; 2]>::new());
    for (index, (name, text, ..)) in PROGRAMS.iter().enumerate() {
        let program = parsed(text);
        let proofs = proofs(index, &program);
        assert!(!proofs.is_empty(), "{name} has no proof");
        for (what, proof) in proofs {
            assert_eq!(outcome(&program, &proof), Outcome::Valid, "{what}");
            let walker = Walker::new(&program, &proof).expect("the proof is well formed");
            assert!(!walker.finds_fault(index as u64), "{what}: a way leaves the proof");
            proofs_checked += 1;
            for (kind, mutant) in mutants(&program, &proof) {
                let caught = outcome(&program, &mutant) != Outcome::Valid;
                let walker = Walker::new(&program, &mutant);
                let wrong = || walker.is_some_and(|walker| walker.finds_fault(index as u64));
                assert!(caught || !wrong(), "{what}: {kind} is not noticed");
                let [all, noticed] = tally.entry(kind).or_default();
                *all += 1;
                *noticed += u32::from(caught);
            }
        }
    }
    assert_eq!((proofs_checked, tally.len()), (28, TALLY.len()), "{tally:?}");
    for (kind, made, noticed) in TALLY {
        let [all, caught] = tally[kind];
        assert!(all >= made && caught >= noticed, "{kind}: {caught} of {all}");
    }
}

#[test]
fn no_proof_of_an_unsafe_program_is_valid() {
    for (index, (name, text, [right, wrong], ..)) in PROGRAMS.into_iter().enumerate() {
        assert!(text.contains(right), "{name}");
        let program = parsed(text);
        let broken = parsed(&text.replace(right, wrong));
        for (what, proof) in proofs(index, &program) {
            assert_ne!(outcome(&broken, &proof), Outcome::Valid, "{what}: {wrong}");
            for (kind, mutant) in mutants(&program, &proof).into_iter().step_by(4) {
                assert_ne!(outcome(&broken, &mutant), Outcome::Valid, "{what}: {wrong} and {kind}");
            }
        }
    }
}
