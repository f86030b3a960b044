//! The output of a run.

use beeline_engine::control::place::Step;
use beeline_engine::{Choice, Counterexample, Found, Proof, Reason, Verdict, Whole};
use beeline_ir::{EdgeId, Program, Value};
use beeline_run::share::{Part, Share};
use beeline_run::{Run, RunVerdict, Statistic, TargetVerdict};
use serde_json::{Value as Json, json};
use std::io::{Write, stderr, stdout};

/// Prints the result of a run.
pub(crate) fn print(program: &Program, verdict: &Verdict, run: &Run, json: bool) -> Result<(), String> {
    if json {
        return say(&object(program, verdict, run).to_string());
    }
    if verdict.is_safe() && program.targets.is_empty() {
        complain("the program has no target");
    }
    for finding in &verdict.findings {
        match &finding.found {
            Found::Reached(counterexample) | Found::Possible(_, counterexample) => {
                complain(trace(program, counterexample).trim_end());
            }
            Found::Excluded(_) | Found::Undecided(_) => {}
        }
    }
    for text in run.assumptions(program) {
        complain(&format!("assuming: {text}"));
    }
    if let (RunVerdict::Unknown(_), Some(rest)) = (&run.verdict, run.rests.last()) {
        complain(Share::of(program, rest).told(program).trim_end());
    }
    complain(&summary(run));
    if verdict.asked.len() > 1 && !verdict.is_safe() {
        complain(&tally(run));
    }
    match &run.verdict {
        RunVerdict::Safe if run.broken.is_empty() => say("verdict: safe"),
        RunVerdict::Safe => say("verdict: safe (for executions that are defined)"),
        RunVerdict::Unsafe => say("verdict: unsafe"),
        RunVerdict::Unknown(reason) => say(&format!("verdict: unknown ({reason})")),
    }
}

/// The shown share and the open part as JSON.
fn left_json(program: &Program, share: &Share) -> Json {
    let part = |part: Part| json!({ "shown": part.shown, "all": part.all });
    let open = share.open.iter().map(|open| {
        let line = program.out_edges(open.loc).find_map(|edge| program.edges[edge].span);
        json!({
            "function": program.source_function(program.function_of(open.loc)),
            "location": program.label(open.loc),
            "at": line.map(|span| program.show_span(span)),
            "cause": open.reason.name(),
            "reason": open.reason.to_string(),
            "states": open.states,
            "holds_up": open.holds_up,
        })
    });
    json!({
        "locations": part(share.locations),
        "branches": part(share.branches),
        "targets": part(share.targets),
        "open": open.collect::<Vec<_>>(),
    })
}

/// The number of targets with each verdict.
fn tally(run: &Run) -> String {
    let count =
        |is: fn(&TargetVerdict) -> bool| run.targets.iter().filter(|target| is(&target.verdict)).count();
    format!(
        "{} targets: {} unsafe, {} safe, {} open",
        count(|verdict| *verdict != TargetVerdict::NotAsked),
        count(|verdict| matches!(verdict, TargetVerdict::Unsafe { .. })),
        count(|verdict| matches!(verdict, TargetVerdict::Safe { .. })),
        count(|verdict| matches!(verdict, TargetVerdict::Unknown { .. } | TargetVerdict::Open)),
    )
}

/// Prints a line on standard output.
fn say(line: &str) -> Result<(), String> {
    let mut out = stdout().lock();
    let written = writeln!(out, "{line}").and_then(|()| out.flush());
    written.map_err(|error| format!("cannot write to standard output: {error}"))
}

/// Prints a line on standard error, if that can be written.
pub(crate) fn complain(line: &str) {
    let _ = writeln!(stderr(), "{line}");
}

/// The figures as readable text.
fn summary(run: &Run) -> String {
    let get = |statistic| run.figure(statistic).unwrap_or(0);
    let seconds = |statistic| get(statistic) as f64 / 1e6;
    format!(
        "{} states, {} coverage checks, {} value and {} predicate refinements, {} predicates, {} solver calls\n\
         {:.2} s: {:.2} s paths, {:.2} s value refinement, {:.2} s predicate refinement, {:.2} s abstraction \
         (of all this {:.2} s in the solver); {} MB",
        get(Statistic::States),
        get(Statistic::CoverageChecks),
        get(Statistic::ValueRefinements),
        get(Statistic::PredicateRefinements),
        get(Statistic::Predicates),
        get(Statistic::SolverCalls),
        seconds(Statistic::Time),
        seconds(Statistic::PathTime),
        seconds(Statistic::ValueTime),
        seconds(Statistic::PredicateTime),
        seconds(Statistic::AbstractionTime),
        seconds(Statistic::SolverTime),
        get(Statistic::PeakMemory) >> 20
    )
}

fn object(program: &Program, verdict: &Verdict, run: &Run) -> Json {
    let mut object = json!({
        "verdict": match run.verdict {
            RunVerdict::Safe => "safe",
            RunVerdict::Unsafe => "unsafe",
            RunVerdict::Unknown(_) => "unknown",
        },
        "targets": program.targets.len(),
        "rests_on": run.assumptions(program),
        "statistics": run.statistics,
    });
    match verdict.whole() {
        Whole::Safe => {}
        Whole::Unknown(reason) => because(&mut object, reason),
        Whole::Possible(reason, counterexample) => {
            because(&mut object, reason);
            tell(&mut object, program, counterexample);
        }
        Whole::Unsafe(counterexample) => tell(&mut object, program, counterexample),
    }
    if let (RunVerdict::Unknown(_), Some(rest)) = (&run.verdict, run.rests.last()) {
        object["shown"] = left_json(program, &Share::of(program, rest));
    }
    match verdict.proofs.first() {
        Some(Proof::States(states)) => object["proof_states"] = json!(states.states.len()),
        Some(Proof::Summaries(summaries)) => object["proof_states"] = json!(summaries.states.states.len()),
        Some(Proof::Unrolling(unrolling)) => object["proof_places"] = json!(unrolling.places),
        None => {}
    }
    object
}

fn because(object: &mut Json, reason: &Reason) {
    object["cause"] = json!(reason.name());
    object["reason"] = json!(reason.to_string());
}

fn tell(object: &mut Json, program: &Program, counterexample: &Counterexample) {
    object["target"] = json!(target_name(program, counterexample));
    object["steps"] =
        json!(counterexample.trace.steps.iter().map(|(step, _)| shown(program, *step)).collect::<Vec<_>>());
    object["choices"] =
        json!(counterexample.choices.iter().map(|choice| choice_json(program, choice)).collect::<Vec<_>>());
}

fn target_name<'a>(program: &'a Program, counterexample: &Counterexample) -> &'a str {
    let target = program.targets.iter().find(|target| target.loc == counterexample.target);
    target.map_or("", |target| &target.name)
}

fn shown(program: &Program, step: Step) -> Json {
    let (kind, edge) = match step {
        Step::Edge(edge) => ("edge", edge),
        Step::Call(edge, _) => ("call", edge),
        Step::Return(edge) | Step::Pop(edge) => ("return", edge),
    };
    json!({ "kind": kind, "edge": EdgeId::as_u32(edge), "at": program.show_place(edge) })
}

fn number(value: &Value) -> String {
    match value {
        Value::Bool(truth) => truth.to_string(),
        Value::Bv(bits) => bits.to_bigint().to_string(),
        Value::Float(kind, bits) => format!("{} {:#x}", kind.name(), bits.to_biguint()),
    }
}

fn choice_json(program: &Program, choice: &Choice) -> Json {
    match choice {
        Choice::Input { edge, var, input, value } => json!({
            "kind": "input",
            "input": input.map(|input| program.inputs[input].as_str()),
            "variable": program.vars[*var].name,
            "at": program.show_place(*edge),
            "value": number(value),
        }),
        Choice::Unwritten { var, value } => {
            json!({ "kind": "unwritten", "variable": program.vars[*var].name, "value": number(value) })
        }
        Choice::Cell { region, addr, value } => json!({
            "kind": "cell", "region": program.regions[*region].name, "address": addr, "value": number(value),
        }),
    }
}

/// The counterexample as readable text: its inputs and its target.
fn trace(program: &Program, counterexample: &Counterexample) -> String {
    let mut text = String::new();
    for choice in &counterexample.choices {
        let line = match choice {
            Choice::Input { edge, var, input, value } => {
                let source = input.map_or("any value", |input| &program.inputs[input]);
                let name = &program.vars[*var].name;
                format!("{}: {name} = {} ({source})", program.show_place(*edge), number(value))
            }
            Choice::Unwritten { var, value } => {
                format!("{} = {} (never written)", program.vars[*var].name, number(value))
            }
            Choice::Cell { region, addr, value } => {
                format!("{}[{addr:#x}] = {} (never written)", program.regions[*region].name, number(value))
            }
        };
        text.push_str(&line);
        text.push('\n');
    }
    text.push_str(&format!(
        "target {:?} reached after {} steps\n",
        target_name(program, counterexample),
        counterexample.trace.steps.len()
    ));
    text
}
