//! `beeline explain`: what a result says, in the terms of the source.

use crate::arguments::ExplainArguments;
use crate::path::ErrorPath;
use crate::proof::{LoopFact, certificate, loop_facts};
use crate::report::{at, print, violation};
use beeline_ir::Program;
use beeline_run::contracts::{Contract, contracts, ensured};
use beeline_run::names::Names;
use beeline_run::{Certificate, Run, RunPath, RunTarget, TargetVerdict};
use beeline_witness::given::Given;
use beeline_witness::source::Sources;
use beeline_witness::story;
use std::fmt::Write;
use std::path::PathBuf;

/// Explains a result, and returns the exit code.
pub(crate) fn run(arguments: &ExplainArguments) -> Result<u8, String> {
    let given =
        Given::read(&arguments.result, arguments.cfa.as_deref()).map_err(|error| error.to_string())?;
    let beside = arguments.result.parent().map(PathBuf::from).unwrap_or_default();
    print(&explained(&given.program, &given.run, &mut Sources::new(vec![beside])))?;
    Ok(0)
}

/// The explanation of a result.
fn explained(program: &Program, run: &Run, sources: &mut Sources) -> String {
    let mut text = String::new();
    for target in &run.targets {
        text.push_str(&verdict(program, run, target));
    }
    if run.targets.is_empty() {
        text.push_str("The program has no target, so there was nothing to check.\n");
    }
    for (path, number) in run.paths.iter().zip(1..) {
        text.push_str(&way(program, path, number, sources));
    }
    let facts = run.whole_graphs().map_or(vec![], |graphs| loop_facts(program, &graphs, sources));
    for (proof, number) in run.proofs.iter().zip(1..) {
        text.push_str(&proved(program, proof, number, &facts));
    }
    if !run.resting.is_empty() {
        text.push_str("\nThe proofs build on the results of earlier searches.\n");
    }
    let assumptions = run.assumptions(program);
    if !assumptions.is_empty() {
        text.push_str("\nAssumptions:\n");
    }
    assumptions.iter().fold(text, |text, assumption| text + "  " + assumption + "\n")
}

/// A target with its verdict and the basis of that.
fn verdict(program: &Program, run: &Run, known: &RunTarget) -> String {
    let Some(target) = program.targets.iter().find(|target| target.loc == known.loc) else {
        return String::new();
    };
    let (word, rests) = match &known.verdict {
        TargetVerdict::Safe { proof } => ("safe", format!("by proof {}", proof + 1)),
        TargetVerdict::Unsafe { path } => ("unsafe", format!("by path {}", path + 1)),
        TargetVerdict::Unknown { reason, path: None } => ("unknown", reason.to_string()),
        TargetVerdict::Unknown { reason, path: Some(path) } => {
            ("unknown", format!("{reason}; perhaps by path {}", path + 1))
        }
        TargetVerdict::Open => ("unknown", "not examined further".into()),
        TargetVerdict::NotAsked => ("not asked", "not examined".into()),
    };
    let path = match known.verdict {
        TargetVerdict::Unsafe { path } | TargetVerdict::Unknown { path: Some(path), .. } => {
            run.paths.get(path as usize)
        }
        _ => None,
    };
    let found = path.and_then(|path| ErrorPath::follow(program, path));
    let function = program.source_function(program.function_of(known.loc));
    let place = at(program, target, found.as_ref())
        .map_or_else(|| function.to_string(), |span| format!("{} in {function}", program.show_span(span)));
    let what = violation(target, found.as_ref());
    let never = if word == "safe" { "never: " } else { "" };
    format!("{word}: {place}: {never}{what} ({rests})\n")
}

/// An execution, in the lines of the source.
fn way(program: &Program, path: &RunPath, number: usize, sources: &mut Sources) -> String {
    let Some(found) = ErrorPath::follow(program, path) else {
        return format!("\nPath {number} does not fit the program.\n");
    };
    let moments = story::moments(program, &found.executed, path.target, sources, false);
    let way = story::text(program, &moments, sources, false);
    let mut text = format!("\nPath {number}:\n");
    for line in way.lines() {
        let _ = writeln!(text, "  {line}");
    }
    text
}

/// The contracts of functions in a proof.
pub(crate) fn contracts_of(proof: &Certificate, names: &Names<'_>) -> Vec<Contract> {
    match proof {
        Certificate::Graph(graph) => ensured(graph, names),
        Certificate::Summaries(summaries) => contracts(summaries, names),
        Certificate::Joined(_) | Certificate::Unrolling(_) => Vec::new(),
    }
}

/// Writes the contract of a function.
fn tell_contract(text: &mut String, contract: &Contract) {
    let _ = writeln!(text, "  {}({})", contract.function, contract.parameters.join(", "));
    let _ = writeln!(text, "    requires {}", contract.requires);
    let _ = writeln!(text, "    ensures  {}", contract.ensures);
}

/// A proof: how it was made, what holds at loops if that is known for all executions, and the contracts of
/// functions.
fn proved(program: &Program, proof: &Certificate, number: usize, facts: &[LoopFact<'_>]) -> String {
    let how = certificate(program, proof);
    let how = how.trim_start_matches([':', '.', ' ']);
    let mut text = format!("\nProof {number}: {how}.\n");
    match proof {
        Certificate::Graph(_) => {
            for fact in facts {
                let _ = writeln!(text, "  {}:{}: loop invariant: {}", fact.file, fact.line, fact.text);
            }
        }
        Certificate::Summaries(_) => {}
        Certificate::Joined(_) => text.push_str("  The results of the parts have the loop invariants.\n"),
        Certificate::Unrolling(_) => {
            text.push_str("  The unwinding covers all iterations, so no loop needs an invariant.\n")
        }
    }
    let told = contracts_of(proof, &Names { program: Some(program) });
    told.iter().for_each(|contract| tell_contract(&mut text, contract));
    text
}
