//! Proofs as readable text: their basis, and invariants of loops.

use crate::answer::Answer;
use crate::nothing;
use crate::report::{assumed, list};
use beeline_ir::{Program, Target};
use beeline_run::{Certificate, Run, RunKey, RunProof, TargetVerdict};
use beeline_witness::correctness::{Correctness, Invariant};
use beeline_witness::source::Sources;
use std::collections::BTreeSet;

/// Variables that are named.
const NAMED: usize = 4;
/// Characters of an invariant that a person reads.
const READABLE: usize = 100;

/// The text about a safe program.
pub(crate) fn safety(program: &Program, run: &Run, answer: &Answer) -> String {
    let mut text = match &run.proofs[..] {
        _ if program.targets.is_empty() => nothing::text(answer),
        [only] => {
            let (kind, how) = (certificate(program, only), of_targets(program, run));
            format!("No execution reaches {how}{kind}.")
        }
        proofs => {
            let number = counted(proofs.len(), "proof");
            format!("No execution reaches {} ({number}).", of_targets(program, run))
        }
    };
    text.push('\n');
    if let Some(contract) = &answer.unmet {
        let entered = answer.job.entered();
        text.push_str(&format!(
            "Hollow: no arguments of {entered} meet {contract}, so no execution was checked.\n"
        ));
    }
    if let Some(certified) = answer.certified.as_ref().filter(|certified| !certified.is_complete())
        && answer.job.certify
    {
        text.push_str(&format!("{}.\n", certified.shortfall()));
    }
    if let Some(graphs) = run.whole_graphs() {
        text.push_str(&list("Loop invariants:", invariants(program, &graphs, &answer.job.lines())));
    }
    text.push_str(&assumed(run.assumptions(program)));
    text
}

/// An invariant of a loop.
pub(crate) struct LoopFact<'p> {
    /// The file.
    pub file: &'p str,
    /// The line where the loop begins.
    pub line: u32,
    /// A condition in C.
    pub text: String,
}

/// The invariants of the program's loops that C can express.
pub(crate) fn loop_facts<'p>(
    program: &'p Program,
    graphs: &[&RunProof],
    sources: &Sources,
) -> Vec<LoopFact<'p>> {
    let mut facts = Vec::new();
    for file in program.files.values() {
        let found = Correctness::new(program, graphs, file, sources).invariants;
        let fact = |it: Invariant| LoopFact { file, line: it.point.line, text: it.text };
        facts.extend(found.into_iter().map(fact));
    }
    facts
}

/// The same in lines, where few words say it.
fn invariants(program: &Program, graphs: &[&RunProof], sources: &Sources) -> Vec<String> {
    let facts = loop_facts(program, graphs, sources).into_iter();
    let short = facts.filter(|fact| fact.text.len() <= READABLE);
    short.map(|fact| format!("{}:{}: {}", fact.file, fact.line, fact.text)).collect()
}

/// The unreachable targets, as text.
fn of_targets(program: &Program, run: &Run) -> String {
    let is_asked = |target: &&Target| {
        run.targets.iter().any(|known| known.loc == target.loc && known.verdict != TargetVerdict::NotAsked)
    };
    let (asked, all) = (program.targets.iter().filter(is_asked).count(), program.targets.len());
    match (asked, all) {
        (1, 1) => "the target".into(),
        _ if asked == all => format!("any of {all} targets"),
        (1, _) => format!("the selected target (of {all})"),
        _ => format!("any of the {asked} selected targets (of {all})"),
    }
}

/// The kind of proof, as the end of a sentence.
pub(crate) fn certificate(program: &Program, proof: &Certificate) -> String {
    match proof {
        Certificate::Graph(graph) => graph_clause(program, graph),
        Certificate::Unrolling(unrolling) => {
            let places = counted(unrolling.places as usize, "place");
            format!(": all loops and calls were unrolled, to {places}")
        }
        Certificate::Joined(joined) => {
            format!(": {}, each proved in its own result", counted(joined.parts.len(), "part"))
        }
        Certificate::Summaries(summaries) => {
            let contexts = counted(summaries.entries.len(), "context");
            let predicates = counted(summaries.graph.predicates.len(), "predicate");
            format!(". Proved with summaries of functions in {contexts}, from {predicates}")
        }
    }
}

/// The kind of a proof by a graph.
fn graph_clause(program: &Program, proof: &RunProof) -> String {
    let mut names = BTreeSet::new();
    for (key, _) in proof.states.iter().flat_map(|state| &state.values) {
        if let RunKey::Var(var, _) = key
            && let Some(source) = &program.vars[*var].source
        {
            names.insert(source.name.as_str());
        }
    }
    let mut known = Vec::new();
    if !names.is_empty() {
        let few: Vec<&str> = names.iter().copied().take(NAMED).collect();
        let more = names.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        known.push(format!("the values of {}{more}", few.join(", ")));
    }
    if !proof.predicates.is_empty() {
        known.push(counted(proof.predicates.len(), "predicate"));
    }
    let by = if known.is_empty() { String::new() } else { format!(", from {}", known.join(" and ")) };
    let states = counted(proof.states.len(), "abstract state");
    format!(". Proved with {states}{by}")
}

pub(crate) fn counted(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}
